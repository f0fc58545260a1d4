package protocol

import (
	"context"
	"fmt"

	"ogdl/eval"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/words"
)

// cluster groups the graphs and scores the grouping against the classes.
func cluster(ctx context.Context, t *method.Task, out *method.Result) error {
	if t.Params.Text("cluster_by") == method.ByNothing {
		return nil
	}
	k := t.Clusters()
	if k == 0 {
		out.Notes = append(out.Notes, "not clustered: the data set has no classes; clusters = N asks for N clusters")
		return nil
	}
	if t.Params.Text("cluster_by") == method.ByGWKMeans {
		out.Embedding = nil
		if err := out.ClusterModels(ctx, t, k); err != nil {
			return err
		}
	}
	if out.Embedding != nil {
		set := KMeansSettings(t.Params)
		got, err := eval.KMeans(out.Embedding, len(t.Data.Graphs), out.Width, k, set, t.Rand("kmeans"))
		if err != nil {
			return fmt.Errorf("k-means: %w", err)
		}
		out.NoteIf(got.Capped > 0, "%s of k-means stopped at kmeans_iterations = %d", words.Plural(got.Capped, "run", "runs"), set.MaxIter)
		out.Labels = got.Labels
		out.Arrays = append(out.Arrays, npz.Array{Name: artifact.Centers, Shape: []int{got.K, got.D}, Float: got.Centers})
		out.Scores[artifact.Inertia] = got.Inertia
	}
	if len(out.Labels) != len(t.Data.Graphs) {
		return fmt.Errorf("the method clustered %d of %d graphs", len(out.Labels), len(t.Data.Graphs))
	}
	if classes := t.Data.Classes; classes != nil {
		out.Scores[artifact.RI] = eval.RandIndex(classes, out.Labels)
		out.Scores[artifact.ARI] = eval.AdjustedRandIndex(classes, out.Labels)
		out.Scores[artifact.TrivialOne] = eval.OneClusterRI(classes)
		out.Scores[artifact.TrivialIndependent] = eval.IndependentRI(classes, k)
	}
	return nil
}

// KMeansSettings returns the settings of k-means that parameters give. kmeans_tol = 0 never stops early.
func KMeansSettings(v spec.Values) *eval.KMeansSettings {
	set := &eval.KMeansSettings{Restarts: v.Integer("kmeans_restarts"), Tol: v.Number("kmeans_tol"), MaxIter: v.Integer("kmeans_iterations")}
	if set.Tol == 0 {
		set.Tol = -1 // no tolerance; eval reads 0 as its default
	}
	return set
}
