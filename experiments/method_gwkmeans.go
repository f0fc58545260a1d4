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
func gwkMethod() method {
	return method{
		name:       "GW-k",
		version:    3,
		doc:        "k-means with (F)GW distances and barycentres (Peyre et al. 2016)",
		tables:     []string{summary.TableClustering},
		fits:       true,
		clustering: clustersParam,
		params: append([]param{
			alphaParam(),
			{name: "order", kind: integer, def: wordMedian, min: 1, max: 10000, words: []string{wordMedian}, doc: "number of nodes of a centroid"},
		}, gwkParams()...),
		check:   checkAlpha,
		resolve: resolveOrder,
		fit:     fitGWK,
	}
}

// gwkParams are the settings of GW k-means.
func gwkParams() []param {
	return []param{
		{name: "gwk_restarts", kind: integer, def: int64(1), min: 1, max: 100000, doc: "runs of GW k-means, the one with the lowest inertia is kept"},
		{name: "gwk_iterations", kind: integer, def: int64(gwkmeans.DefaultMaxIter), min: 1, max: 1e6, doc: "iterations of one run at most"},
		{name: "gwk_tol", kind: number, def: gwkmeans.DefaultTol, min: 0, max: 1, open: true, doc: "relative change of the inertia that ends a run"},
		{name: "barycentre_rounds", kind: integer, def: int64(gwkmeans.DefaultBarycentreMaxIter), min: 1, max: 1e6, doc: "rounds of a barycentre at most"},
		{name: "barycentre_tol", kind: number, def: gwkmeans.DefaultBarycentreTol, min: 0, max: 1, open: true, doc: "relative change that ends a barycentre"},
		{name: "gwk_gw_tol_rel", kind: number, def: gwkmeans.DefaultGWTolRel, min: 0, max: 1, open: true, doc: "relative change that ends a GW solve of GW k-means"},
		{name: "gwk_gw_iterations", kind: integer, def: int64(10000), min: 1, max: 1e7, doc: "iterations of a GW solve of GW k-means at most"},
	}
}

// What groups the graphs of a method that embeds them.
const (
	byEmbedding = "embedding"
	byGWKMeans  = "gw_kmeans"
	byNothing   = "none"

	centroidsUniform = "uniform"
	centroidsMean    = "mean"
)

// embeddedClustering are the parameters of methods whose embeddings k-means may
// cluster, or GW k-means what the method makes of the graphs.
func embeddedClustering() []param {
	ps := clustersParam()
	ps = append(ps, param{name: "cluster_by", kind: text, def: byEmbedding, words: []string{byEmbedding, byGWKMeans, byNothing},
		doc: "k-means of the embeddings, GW k-means of the embedded graphs, or no clustering (figures)"})
	for _, q := range clusteringParams()[1:] {
		ps = append(ps, only(q, "cluster_by", byEmbedding))
	}
	for _, q := range modelsClustering() {
		ps = append(ps, only(q, "cluster_by", byGWKMeans))
	}
	return ps
}

// modelsClustering are the parameters of GW k-means on embedded graphs.
func modelsClustering() []param {
	return append(gwkParams(), param{name: "centroid_weights", kind: text, def: centroidsUniform, words: []string{centroidsUniform, centroidsMean},
		doc: "node weights of the centroids: uniform, or the mean of the embedded graphs' (of one order)"})
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
