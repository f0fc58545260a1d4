package main

import (
	"context"
	"fmt"

	"ogdl/baselines/gwkmeans"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// gwkMethod is k-means in the (F)GW distance on the graphs themselves.
func gwkMethod() row {
	return row{fit: fitGWK, method: method{
		name:     "GW-k",
		version:  3,
		doc:      "k-means with (F)GW distances and barycentres (Peyre et al. 2016)",
		tables:   []string{summary.TableClustering},
		protocol: clusteredBy(clustersParam(), nil),
		params: append([]param{
			alphaParam(),
			{name: "order", kind: integer, def: wordMedian, min: 1, max: 10000, words: []string{wordMedian}, doc: "number of nodes of a centroid"},
		}, gwkParams()...),
		check:   checkAlpha,
		resolve: resolveOrder,
		cost:    costGWK,
		disk:    diskAtoms,
	}}
}

// clusterModels clusters what the method made of the graphs.
func (out *fitted) clusterModels(ctx context.Context, t *task, k int) error {
	spaces, order, err := out.models()
	if err != nil {
		return fmt.Errorf("embedded graphs: %w", err)
	}
	var p []float64
	if t.params.text("centroid_weights") == centroidsMean {
		if p, err = gwkmeans.MeanWeights(spaces); err != nil {
			return fmt.Errorf("centroid_weights: %w", err)
		}
	}
	return out.gwKMeans(ctx, t, spaces, k, order, p)
}

// alphaParam is the trade-off that all methods share.
func alphaParam() param {
	return param{name: "alpha", kind: number, def: 1.0, min: 0, max: 1, doc: "trade-off: 1 = structure only, 0 = features only"}
}

func fitGWK(ctx context.Context, t *task) (*fitted, error) {
	out := &fitted{scores: map[string]float64{}}
	k := t.clusters()
	if k == 0 {
		return nil, errNoClusters
	}
	return out, out.gwKMeans(ctx, t, t.spaces, k, t.params.integer("order"), nil)
}

// gwKMeans clusters spaces by GW k-means into centroids of the given order and node
// weights (nil: uniform), and adds what that tells to the scores.
func (out *fitted) gwKMeans(ctx context.Context, t *task, spaces []*gw.Space, k, order int, p []float64) error {
	v := t.params
	got, err := gwkmeans.Cluster(ctx, spaces, k, v.number("alpha"), &gwkmeans.Settings{
		Order: order, P: p, Restarts: v.integer("gwk_restarts"), MaxIter: v.integer("gwk_iterations"), Tol: v.number("gwk_tol"),
		Barycentre: gw.BarycentreSettings{Tol: v.number("barycentre_tol"), MaxIter: v.integer("barycentre_rounds")},
		GW:         gw.Settings{TolRel: v.number("gwk_gw_tol_rel"), MaxIter: v.integer("gwk_gw_iterations")},
	}, t.rng("gwkmeans"))
	if err != nil {
		return fmt.Errorf("GW k-means: %w", err)
	}
	out.labels = got.Labels
	out.scores["inertia"] = got.Inertia
	if _, ok := out.scores["objective"]; !ok {
		out.scores["objective"] = got.Inertia / float64(len(spaces))
	}
	out.convergence = add(out.convergence, record.Convergence{Solves: int64(got.Solves), CapHits: int64(got.CapHits), Iterations: int64(got.GWIterations)})
	if got.Capped > 0 {
		out.notes = append(out.notes, fmt.Sprintf("%s of GW k-means stopped at gwk_iterations = %d", plural(got.Capped, "run", "runs"), v.integer("gwk_iterations")))
	}
	if got.Refills > 0 {
		out.notes = append(out.notes, fmt.Sprintf("GW k-means: an empty cluster took a graph %d times", got.Refills))
	}
	for c, s := range got.Centroids {
		out.arrays = append(out.arrays, spaceArrays(fmt.Sprintf("centroid%d_", c), s)...)
	}
	return nil
}

// add sums up the solves of two stages.
func add(a, b record.Convergence) record.Convergence {
	return record.Convergence{Solves: a.Solves + b.Solves, CapHits: a.CapHits + b.CapHits, Iterations: a.Iterations + b.Iterations, MaxGap: max(a.MaxGap, b.MaxGap)}
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
