package fit

import (
	"context"
	"slices"

	"ogdl/datasets"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
	"ogdl/ot/gw"
)

// pairsToBalance is how many random pairs of graphs are looked at.
const pairsToBalance = 60

// balanced returns the alpha, in four digits, at which structure and features have the same share of the mean cost between random pairs of graphs.
// Couplings are solved at alpha = 0.5. values say how graphs become spaces. It returns 0.5 where one of the costs is 0 or not defined.
func balanced(row *spec.Method, d *datasets.Dataset, values map[string]any) (float64, error) {
	v := spec.Values{}
	for _, q := range row.Parameters() {
		v[q.Name] = q.Def
		if value, ok := q.Parse(values[q.Name]); ok { // a list is not
			v[q.Name] = value
		}
	}
	features, err := source.FeaturesOf(v).Fit(d)
	if err != nil {
		return 0, err
	}
	rng, some := source.Rand(0, d.Name, 0, "alpha"), *d
	some.Graphs = nil
	for range 2 * pairsToBalance {
		some.Graphs = append(some.Graphs, d.Graphs[rng.IntN(len(d.Graphs))])
	}
	spaces, _, err := source.BuildSpaces(&some, v, features)
	if err != nil {
		return 0, err
	}
	structure, feature := 0.0, 0.0
	for pair := range slices.Chunk(spaces, 2) {
		r, err := gw.SolveSpaces(context.Background(), pair[0], pair[1], 0.5, nil)
		if err != nil {
			return 0, err
		}
		structure += gw.Objective(pair[0], pair[1], 1, r.T)
		feature += gw.Objective(pair[0], pair[1], 0, r.T)
	}
	alpha := record.Rounded(feature/(structure+feature), 'g', 4)
	if !(alpha > 0 && alpha < 1) {
		return 0.5, nil
	}
	return alpha, nil
}
