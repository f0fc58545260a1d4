package main

import (
	"context"
	"fmt"

	"ogdl/eval"
	"ogdl/internal/npz"
)

// protocols are the ways in which scores come of what methods hand back, by the names that their rows have.
func protocols() map[string]func(ctx context.Context, t *task, out *fitted) error {
	return map[string]func(ctx context.Context, t *task, out *fitted) error{
		protocolClustering: cluster,
	}
}

// cluster groups the graphs and scores the grouping against the classes.
func cluster(ctx context.Context, t *task, out *fitted) error {
	if t.params.text("cluster_by") == byNothing {
		return nil
	}
	if out.scores == nil {
		out.scores = map[string]float64{}
	}
	k := t.clusters()
	if k == 0 {
		out.notes = append(out.notes, "not clustered: the data set has no classes; clusters = N asks for N clusters")
		return nil
	}
	if t.params.text("cluster_by") == byGWKMeans {
		out.embedding = nil
		if err := out.clusterModels(ctx, t, k); err != nil {
			return err
		}
	}
	if out.embedding != nil {
		set := kmeansSettings(t.params)
		got, err := eval.KMeans(out.embedding, len(t.data.Graphs), out.width, k, set, t.rng("kmeans"))
		if err != nil {
			return fmt.Errorf("k-means: %w", err)
		}
		if got.Capped > 0 {
			out.notes = append(out.notes, fmt.Sprintf("%s of k-means stopped at kmeans_iterations = %d", plural(got.Capped, "run", "runs"), set.MaxIter))
		}
		out.labels = got.Labels
		out.arrays = append(out.arrays, npz.Array{Name: arrayCenters, Shape: []int{got.K, got.D}, Float: got.Centers})
		out.scores["inertia"] = got.Inertia
	}
	if len(out.labels) != len(t.data.Graphs) {
		return fmt.Errorf("the method clustered %d of %d graphs", len(out.labels), len(t.data.Graphs))
	}
	if classes := t.data.Classes; classes != nil {
		out.scores["ri"] = eval.RandIndex(classes, out.labels)
		out.scores["ari"] = eval.AdjustedRandIndex(classes, out.labels)
		out.scores["trivial_one"] = eval.OneClusterRI(classes)
		out.scores["trivial_independent"] = eval.IndependentRI(classes, k)
	}
	return nil
}

// kmeansSettings reads the settings of k-means off the parameters.
func kmeansSettings(v values) *eval.KMeansSettings {
	set := &eval.KMeansSettings{Restarts: v.integer("kmeans_restarts"), Tol: v.number("kmeans_tol"), MaxIter: v.integer("kmeans_iterations")}
	if set.Tol == 0 {
		set.Tol = -1 // no tolerance; eval reads 0 as its default
	}
	return set
}
