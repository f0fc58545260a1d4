package method

import (
	"context"
	"fmt"
	"math"

	"ogdl/eval"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// distancesMethod returns the row that learns as GDL does. Over all pairs it correlates the
// distances of graphs with the distances of their models and of their embeddings.
func distancesMethod() Row {
	return gdlRow(fitDistances, gdlParams(), spec.Method{
		Name:     "GDL-distances",
		Version:  3,
		Doc:      "GDL, and the distances of all pairs of graphs, of their models and of their embeddings",
		Tables:   []string{summary.FigureDistances},
		Params:   ModelPairParams(),
		Products: func(c *spec.Cell) []spec.Product { return []spec.Product{distancesBeside(c).Product()} },
	})
}

// distancesBeside are the distances of all pairs of a cell's graphs, solved as the models' are.
func distancesBeside(c *spec.Cell) product.Distances {
	return product.Distances{Of: c, Alpha: c.Params.Number("alpha"), GW: PairSettings(c.Params)}
}

// ModelPairParams returns the pair_gw_* parameters: the solver settings for distances between
// models.
func ModelPairParams() []spec.Param {
	return []spec.Param{
		spec.Above("pair_gw_tol_rel", "relative change that ends the solve of a pair", 1e-9, 0, 1),
		spec.Num("pair_gw_tol_abs", "absolute change that ends the solve of a pair; 0 = 1e-9 of the scale of the two graphs", 0.0, 0, 1),
		spec.Int("pair_gw_iterations", "iterations of the solve of a pair at most", 200, 1, 1e7),
	}
}

// PairSettings returns the solver settings that the pair_gw_* parameters give.
func PairSettings(v spec.Values) gw.Settings {
	return gw.Settings{TolRel: v.Number("pair_gw_tol_rel"), TolAbs: v.Number("pair_gw_tol_abs"), MaxIter: v.Integer("pair_gw_iterations")}
}

// fitDistances learns a dictionary and measures all pairs three times.
func fitDistances(ctx context.Context, t *Task) (*Result, error) {
	out, err := fitGDL(ctx, t)
	if err != nil {
		return nil, err
	}
	d, err := t.Distances(ctx, distancesBeside(t.Cell))
	if err != nil {
		return nil, err
	}
	models, _, err := out.models()
	if err != nil {
		return nil, fmt.Errorf("embedded graphs: %w", err)
	}
	ofGraphs, ofEmbeddings := upper(d.Values, d.N), Euclidean(out.Embedding, out.Width)
	ofModels, err := measureModels(ctx, models, t.Params.Number("alpha"), PairSettings(t.Params), ofEmbeddings)
	if err != nil {
		return nil, err
	}
	out.Convergence = Add(out.Convergence, ofModels.convergence)
	pairs := float64(len(ofGraphs))
	out.Scores[artifact.BoundViolations] = float64(ofModels.violations)
	if pairs > 0 {
		out.Scores[artifact.BoundAttained] = float64(ofModels.attained) / pairs
	}
	within, between := splitPairs(t.Data.Classes, d.N)
	vectors := map[string][]float64{
		artifact.DistancesGraphs: ofGraphs, artifact.DistancesModels: ofModels.values, artifact.DistancesEmbeddings: ofEmbeddings,
	}
	for _, q := range artifact.DistancePairs() {
		x, y := vectors[q.X], vectors[q.Y]
		out.correlate(q.Score(artifact.CoefficientPearson), eval.Pearson(x, y))
		out.correlate(q.Score(artifact.CoefficientSpearman), eval.Spearman(x, y))
		if t.Data.Classes != nil {
			out.correlate(q.Score(artifact.CoefficientWithin), eval.Pearson(entries(x, within), entries(y, within)))
			out.correlate(q.Score(artifact.CoefficientBetween), eval.Pearson(entries(x, between), entries(y, between)))
		}
	}
	out.Arrays = append(out.Arrays, (&artifact.Pairs{N: d.N, Vectors: vectors, Classes: t.Data.Classes}).Arrays()...)
	return out, nil
}

// correlate sets a score to r. If r is NaN, as for distances that are all equal, it adds a note
// instead.
func (out *Result) correlate(name string, r float64) {
	if math.IsNaN(r) {
		out.Notes = append(out.Notes, name+": the distances do not vary")
		return
	}
	out.Scores[name] = r
}

// upper returns the upper triangle of an n x n matrix, row by row, without the diagonal. Lists of
// pairs have this order.
func upper(matrix []float64, n int) []float64 {
	out := make([]float64, 0, n*(n-1)/2)
	for i := range n {
		out = append(out, matrix[i*n+i+1:(i+1)*n]...)
	}
	return out
}

// Euclidean returns the distances of all pairs of rows, in the order of [upper].
func Euclidean(rows []float64, width int) []float64 {
	n := len(rows) / width
	out := make([]float64, 0, n*(n-1)/2)
	for i := range n {
		for j := i + 1; j < n; j++ {
			sum := 0.0
			for k := range width {
				x := rows[i*width+k] - rows[j*width+k]
				sum += float64(x * x)
			}
			out = append(out, math.Sqrt(sum))
		}
	}
	return out
}

// splitPairs are the places of the pairs within a class and of those between two.
func splitPairs(classes []int, n int) (within, between []int) {
	for i, p := 0, 0; i < n; i++ {
		for j := i + 1; j < n; j++ {
			switch {
			case classes == nil:
			case classes[i] == classes[j]:
				within = append(within, p)
			default:
				between = append(between, p)
			}
			p++
		}
	}
	return within, between
}

func entries(x []float64, places []int) []float64 {
	out := make([]float64, len(places))
	for i, p := range places {
		out[i] = x[p]
	}
	return out
}

// measured holds the distances of all pairs of models, and how many reach or exceed their bound.
type measured struct {
	values      []float64 // roots
	violations  int       // pairs above their bound by more than rounding
	attained    int       // pairs at their bound, as far as the solves tell
	convergence record.Convergence
}

// measureModels solves every pair of models from two couplings, p q' and the diagonal
// one at which the objective is the bound of propositions 1 and 2, and takes the lower
// end: both are local minima, upper bounds of the distance. The models share their node
// weights; bounds are the Mahalanobis distances of their embeddings.
func measureModels(ctx context.Context, models []*gw.Space, alpha float64, set gw.Settings, bounds []float64) (*measured, error) {
	out := &measured{values: make([]float64, 0, len(bounds))}
	if len(models) == 0 {
		return out, nil
	}
	n := models[0].N()
	diagonal := make([]float64, n*n)
	for k, q := range models[0].P() {
		diagonal[k*n+k] = q
	}
	var solver gw.Solver
	for i, x := range models {
		for j := i + 1; j < len(models); j++ {
			best := math.Inf(1)
			for _, start := range [][]float64{nil, diagonal} {
				r, err := solver.Solve(ctx, x, models[j], alpha, start, &set)
				if err != nil {
					return nil, fmt.Errorf("embedded graphs %d and %d: %w", i, j, err)
				}
				best = min(best, max(r.Value, 0))
				out.convergence.Solves++
				out.convergence.Iterations += int64(r.Iterations)
				out.convergence.MaxGap = max(out.convergence.MaxGap, r.Gap)
				if r.Status == gw.MaxIterations {
					out.convergence.CapHits++
				}
			}
			bound := float64(bounds[len(out.values)] * bounds[len(out.values)])
			size := x.Scale(alpha) + models[j].Scale(alpha)
			switch slack := float64(boundRounding * max(size, bound)); {
			case best > bound+slack:
				out.violations++
			case best >= bound-slack:
				out.attained++
			}
			out.values = append(out.values, math.Sqrt(best))
		}
	}
	return out, nil
}

// boundRounding is how far two computations of one objective may differ, relative to the
// scale of the graphs.
const boundRounding = 1e-10
