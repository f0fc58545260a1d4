package method

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"ogdl/eval"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// distancesMethod returns the row that learns as GDL does. Over all pairs it correlates the
// distances of graphs with the distances of their models and of their embeddings.
func distancesMethod() Row {
	return gdlRow(fitDistances, gdlParams(), spec.Method{
		Name:    "GDL-distances",
		Version: 3,
		Doc:     "GDL, and the distances of all pairs of graphs, of their models and of their embeddings",
		Tables:  []string{summary.FigureDistances},
		Params:  SolveParams(OfModels),
		Products: func(c *spec.Cell) []spec.Product {
			return []spec.Product{product.Distances(c, GWSettings(c.Params, OfModels))}
		},
	})
}

// OfModels begins the names of the parameters pair_gw_*, which say when a solve of two models stops.
const OfModels = "pair_"

// SolveParams say when a solve of two graphs stops, or of two models. Methods of the same values share matrices of distances.
func SolveParams(prefix string) []spec.Param {
	solve := cmp.Or(words.If(prefix == OfModels, "the solve of a pair"), "a GW solve")
	return []spec.Param{
		spec.Above(prefix+"gw_tol_rel", "relative change that ends "+solve, 1e-9, 0, 1),
		spec.Num(prefix+"gw_tol_abs", "absolute change that ends "+solve+"; 0 = 1e-9 of the scale of the two graphs", 0.0, 0, 1),
		spec.Int(prefix+"gw_iterations", "iterations of "+solve+" at most", 200, 1, 1e7),
	}
}

// GWSettings returns the solver settings that the parameters gw_* give, whose names begin with the prefix.
func GWSettings(v spec.Values, prefix string) gw.Settings {
	return gw.Settings{TolRel: v.Number(prefix + "gw_tol_rel"), TolAbs: v.Number(prefix + "gw_tol_abs"), MaxIter: v.Integer(prefix + "gw_iterations")}
}

// fitDistances learns a dictionary and measures all pairs three times.
func fitDistances(ctx context.Context, t *Task) (*Result, error) {
	out, err := fitGDL(ctx, t)
	if err != nil {
		return nil, err
	}
	d, err := t.Distances(ctx, GWSettings(t.Params, OfModels))
	if err != nil {
		return nil, err
	}
	models, _, err := out.models()
	if err != nil {
		return nil, fmt.Errorf("embedded graphs: %w", err)
	}
	ofGraphs, ofEmbeddings := Upper(d.Values, d.N), Euclidean(out.Embedding, out.Width)
	ofModels, err := measureModels(ctx, models, t.Params.Number("alpha"), GWSettings(t.Params, OfModels), ofEmbeddings)
	if err != nil {
		return nil, err
	}
	out.Convergence = out.Convergence.Plus(ofModels.convergence)
	out.Scores[artifact.BoundViolations] = float64(ofModels.violations)
	if pairs := float64(len(ofGraphs)); pairs > 0 {
		out.Scores[artifact.BoundAttained] = float64(ofModels.attained) / pairs
	}
	pairs := artifact.Pairs{N: d.N, Classes: t.Data.Classes, Vectors: map[string][]float64{
		artifact.DistancesGraphs: ofGraphs, artifact.DistancesModels: ofModels.values, artifact.DistancesEmbeddings: ofEmbeddings,
	}}
	for _, q := range artifact.DistancePairs() {
		x, y := pairs.Vectors[q.X], pairs.Vectors[q.Y]
		out.correlate(q.Score(artifact.CoefficientPearson), eval.Pearson(x, y))
		out.correlate(q.Score(artifact.CoefficientSpearman), eval.Spearman(x, y))
		if pairs.Classes != nil {
			out.correlate(q.Score(artifact.CoefficientWithin), eval.Pearson(ofClasses(&pairs, x, true), ofClasses(&pairs, y, true)))
			out.correlate(q.Score(artifact.CoefficientBetween), eval.Pearson(ofClasses(&pairs, x, false), ofClasses(&pairs, y, false)))
		}
	}
	out.Arrays = append(out.Arrays, pairs.Arrays()...)
	return out, nil
}

// correlate sets a score to r, or adds a note if r is NaN, as for distances that are all equal.
func (out *Result) correlate(name string, r float64) {
	out.NoteIf(math.IsNaN(r), "%s: the distances do not vary", name)
	if !math.IsNaN(r) {
		out.Scores[name] = r
	}
}

// Upper returns the upper triangle of an n x n matrix without the diagonal, in the order of pairs.
func Upper(matrix []float64, n int) []float64 {
	out := make([]float64, 0, n*(n-1)/2)
	for i := range n {
		out = append(out, matrix[i*n+i+1:(i+1)*n]...)
	}
	return out
}

// Euclidean returns the distances of all pairs of rows, in the order of [Upper].
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

// ofClasses returns the distances of the pairs within one class, or of those between two; none without classes.
func ofClasses(pairs *artifact.Pairs, x []float64, within bool) (out []float64) {
	for at, p := range pairs.All() {
		if c := pairs.Classes; c != nil && (c[p[0]] == c[p[1]]) == within {
			out = append(out, x[at])
		}
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

// boundRounding is how far computations of an objective may differ, relative to the graphs' scale.
const boundRounding = 1e-10
