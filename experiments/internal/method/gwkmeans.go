package method

import (
	"context"
	"fmt"
	"math"

	"ogdl/baselines/gwkmeans"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// gwkMethod is k-means in the (F)GW distance on the graphs themselves.
func gwkMethod() Row {
	return Row{Fit: fitGWK, Method: spec.Method{
		Name:     "GW-k",
		Version:  3,
		Doc:      "k-means with (F)GW distances and barycentres (Peyre et al. 2016)",
		Tables:   []string{summary.TableClustering},
		Protocol: clusteredBy(clustersParam()),
		Params: append([]spec.Param{
			AlphaParam(),
			spec.Int("order", "number of nodes of a centroid", wordMedian, 1, 10000, wordMedian),
		}, gwkParams()...),
		Check:   CheckAlpha,
		Resolve: ResolveSizes,
		// Features that decide make solves short.
		Work: func(v spec.Values) float64 { return 0.2 + float64(0.8*math.Pow(v.Number("alpha"), 4)) },
	}}
}

// ClusterModels clusters the models of the graphs by GW k-means into k clusters.
func (out *Result) ClusterModels(ctx context.Context, t *Task, k int) error {
	spaces, order, err := out.models()
	if err != nil {
		return fmt.Errorf("embedded graphs: %w", err)
	}
	var p []float64
	if t.Params.Text("centroid_weights") == centroidsMean {
		if p, err = gwkmeans.MeanWeights(spaces); err != nil {
			return fmt.Errorf("centroid_weights: %w", err)
		}
	}
	return out.gwKMeans(ctx, t, spaces, k, order, p)
}

// AlphaParam is the trade-off that all methods share.
func AlphaParam() spec.Param {
	return spec.Num("alpha", "trade-off: 1 = structure only, 0 = features only", 1.0, 0, 1)
}

func fitGWK(ctx context.Context, t *Task) (*Result, error) {
	out := &Result{Scores: map[string]float64{}}
	return out, out.gwKMeans(ctx, t, t.Spaces, t.Clusters(), t.Params.Integer("order"), nil)
}

// gwKMeans clusters spaces by GW k-means, with centroids of the given order and node weights (nil:
// uniform). It sets labels, scores, convergence and centroids.
func (out *Result) gwKMeans(ctx context.Context, t *Task, spaces []*gw.Space, k, order int, p []float64) error {
	v := t.Params
	got, err := gwkmeans.Cluster(ctx, spaces, k, v.Number("alpha"), &gwkmeans.Settings{
		Order: order, P: p, Restarts: v.Integer("gwk_restarts"), MaxIter: v.Integer("gwk_iterations"), Tol: v.Number("gwk_tol"),
		Barycentre: gw.BarycentreSettings{Tol: v.Number("barycentre_tol"), MaxIter: v.Integer("barycentre_rounds")},
		GW:         gw.Settings{TolRel: v.Number("gwk_gw_tol_rel"), MaxIter: v.Integer("gwk_gw_iterations")},
	}, t.Rand("gwkmeans"))
	if err != nil {
		return fmt.Errorf("GW k-means: %w", err)
	}
	out.Labels = got.Labels
	out.Scores[artifact.Inertia] = got.Inertia
	if _, ok := out.Scores[artifact.Objective]; !ok {
		out.Scores[artifact.Objective] = got.Inertia / float64(len(spaces))
	}
	out.Convergence = out.Convergence.Plus(record.Convergence{
		Solves: int64(got.Solves), CapHits: int64(got.CapHits), Iterations: int64(got.GWIterations),
	})
	out.NoteIf(got.Capped > 0, "%s of GW k-means stopped at gwk_iterations = %d", words.Plural(got.Capped, "run", "runs"),
		v.Integer("gwk_iterations"))
	out.NoteIf(got.Refills > 0, "GW k-means: an empty cluster took a graph %s", words.Plural(got.Refills, "time", "times"))
	for c, s := range got.Centroids {
		out.Arrays = append(out.Arrays, spaceArrays(fmt.Sprintf("centroid%d_", c), s)...)
	}
	return nil
}

// spaceArrays are the numbers of a space, under names that begin alike: structure,
// node weights and, where there are, features.
func spaceArrays(prefix string, s *gw.Space) []npz.Array {
	n := s.N()
	out := []npz.Array{
		{Name: prefix + "C", Shape: []int{n, n}, Float: tight(s)},
		{Name: prefix + "p", Shape: []int{n}, Float: s.P()},
	}
	if s.D() > 0 {
		out = append(out, npz.Array{Name: prefix + "A", Shape: []int{n, s.D()}, Float: s.A()})
	}
	return out
}
