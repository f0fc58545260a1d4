package main

import (
	"context"
	"fmt"
	"slices"

	"ogdl/gdl"
	"ogdl/internal/npz"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// gdlhMethod is the paper's extended model, which learns node weights too. Its
// embedded graphs have weights of their own, so that no Mahalanobis distance bounds
// theirs: GW k-means clusters them.
func gdlhMethod() row {
	clustering := append(clustersParam(), param{name: "cluster_by", kind: text, def: byGWKMeans, words: []string{byGWKMeans, byNothing},
		doc: "GW k-means of the embedded graphs, or no clustering (figures)"})
	for _, q := range modelsClustering() {
		clustering = append(clustering, only(q, "cluster_by", byGWKMeans))
	}
	return row{fit: fitGDLH, method: method{
		name:    "GDL_h",
		version: 4,
		doc:     "graph dictionary learning with node weights (the paper's extended model)",
		tables:  []string{summary.TableGWKMeans, summary.FigureWeights},
		params: append(gdlParams(), keepParam(),
			param{name: "mu", kind: number, def: 0.0, min: 0, max: 1e6, doc: "weight of the negative quadratic regularisation of the node weights' embedding"},
			param{name: "step_weights", kind: number, def: gdl.DefaultStepH, min: 0, max: 1e6, open: true, doc: "step size on the atoms' node weights"},
		),
		check:    checkGDL,
		resolve:  resolveGDL,
		counts:   checkStarts,
		protocol: clusteredBy(clustering, costClustering),
		cost:     costGDLH,
		disk:     diskAtoms,
	}}
}

const arrayNodeWeights = "node_weights_embedding" // graphs x atoms: v, on the simplex

func fitGDLH(ctx context.Context, t *task) (*fitted, error) {
	v := t.params
	plain, notes, err := startGDL(t)
	if err != nil {
		return nil, err
	}
	set := &gdl.ExtendedTrainSettings{TrainSettings: trainSettings(v), StepH: v.number("step_weights"), Mu: v.number("mu")}
	start, err := gdl.Extend(plain, t.rng("node weights"))
	if err != nil {
		return nil, err
	}
	training, err := gdl.TrainExtended(ctx, t.spaces, start, set, t.rng("batches"))
	if err != nil {
		return nil, fmt.Errorf("training: %w", err)
	}
	d := training.Dictionary
	embeddings, err := d.Embed(ctx, t.spaces, &gdl.ExtendedUnmixSettings{UnmixSettings: set.Unmix, Mu: set.Mu}, 1)
	if err != nil {
		return nil, fmt.Errorf("embedding: %w", err)
	}
	out := &fitted{scores: map[string]float64{}, notes: notes}
	var ws, vs []float64
	var objective, reconstruction, largest float64
	stats := training.Stats
	for i := range embeddings {
		e := &embeddings[i]
		ws, vs = append(ws, e.W...), append(vs, e.V...)
		objective += e.Objective
		reconstruction += e.Reconstruction
		largest += slices.Max(e.W)
		stats.Add(&e.Embedding)
	}
	n := float64(len(embeddings))
	out.scores["objective"], out.scores["reconstruction"], out.scores["mean_max_weight"] = objective/n, reconstruction/n, largest/n
	out.learned(t, training.EpochLoss, &stats)
	model := func(i int) (*gw.Space, error) { return d.Model(embeddings[i].W, embeddings[i].V) }
	out.models = modelsOf(len(embeddings), d.N, model)
	if out.arrays, err = dictionaryArrays(d.WriteNPZ); err != nil {
		return nil, err
	}
	shape := []int{len(t.spaces), d.S}
	out.arrays = append(out.arrays, npz.Array{Name: arrayWeights, Shape: shape, Float: ws}, npz.Array{Name: arrayNodeWeights, Shape: shape, Float: vs})
	return out, out.keep(t, model, func(i int) float64 { return embeddings[i].Reconstruction })
}
