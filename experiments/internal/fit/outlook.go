package fit

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"ogdl/datasets"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/words"
	"ogdl/reports/summary"
)

// Outlook returns one line on the size of a fit with these cells. It estimates the processor time by timing one unmixing: the graph of
// median order in the largest dictionary, before that is learned.
func Outlook(ctx context.Context, cells []*spec.Cell, d *datasets.Dataset) (string, error) {
	d = method.Place(d).Data
	graphs := slices.Clone(d.Graphs)
	slices.SortStableFunc(graphs, func(a, b datasets.Graph) int { return a.Order() - b.Order() })
	n := len(graphs)
	seen, unmixings := map[string]bool{}, 0
	var largest spec.Values
	size := func(v spec.Values) int { return v.Integer("order") * v.Integer("atoms") }
	for _, c := range cells {
		v := maps.Clone(c.Params)
		delete(v, summary.ParamClusters)
		if err := method.ResolveSizes(v, d); err != nil {
			return "", err
		}
		key := fmt.Sprint(c.Repetition, v)
		if seen[key] {
			continue
		}
		seen[key] = true
		each := n * (v.Integer("epochs") + 1)
		if unmixings += each; v.Flag(method.HeldOutKey) {
			unmixings += each
		}
		if largest == nil || size(v) > size(largest) {
			largest = v
		}
	}
	took, err := timeOf(ctx, largest, d, graphs)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%s of %d to %d nodes, %s of at most %d atoms of %d nodes: %d unmixings. One takes %s, all about %s of processor time.",
		words.Plural(n, "graph", "graphs"), graphs[0].Order(), graphs[n-1].Order(), words.Plural(len(seen), "dictionary", "dictionaries"),
		largest.Integer("atoms"), largest.Integer("order"), unmixings, took.Round(time.Microsecond), (time.Duration(unmixings) * took).Round(time.Second)), nil
}

// sampled is how many graphs the timed dictionary is drawn from.
const sampled = 100

// timeOf times the unmixing of the median of graphs, which ascend in order, in a dictionary of these parameters.
func timeOf(ctx context.Context, v spec.Values, d *datasets.Dataset, graphs []datasets.Graph) (time.Duration, error) {
	features, err := source.FeaturesOf(v).Fit(d)
	if err != nil {
		return 0, err
	}
	some := *d
	some.Graphs = []datasets.Graph{graphs[len(graphs)/2]}
	for i := 0; i < len(graphs); i += 1 + len(graphs)/sampled {
		some.Graphs = append(some.Graphs, graphs[i])
	}
	spaces, _, err := source.BuildSpaces(&some, v, features)
	if err != nil {
		return 0, err
	}
	start, _, err := gdl.InitSample(spaces, v.Integer("atoms"), v.Integer("order"), v.Number("alpha"), source.Rand(0, d.Name, 0, "outlook"))
	if err != nil {
		return 0, err
	}
	u, err := gdl.NewUnmixer(start)
	if err != nil {
		return 0, err
	}
	set, least := method.UnmixSettings(v), time.Duration(math.MaxInt64)
	for range 3 { // the first makes room
		at := time.Now()
		if _, err := u.Unmix(ctx, spaces[0], &set); err != nil {
			return 0, err
		}
		least = min(least, time.Since(at))
	}
	return least, nil
}
