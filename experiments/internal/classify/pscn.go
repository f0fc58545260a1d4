package classify

import (
	"context"
	"math/rand/v2"

	"ogdl/baselines/pscn"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/spec"
)

const wordMean = "mean"

// pscnMethod is the convolutional network of the benchmark.
func pscnMethod() method.Row {
	return networkMethod(pscnTrainer, spec.Method{Name: "PSCN", Version: 1, Doc: "convolutional network on fields of nodes (Niepert et al. 2016)",
		Params: networkParams(
			spec.Choice("labelling", "order of the nodes that have fields: by betweenness centrality, or by Weisfeiler-Lehman ranks, which also "+
				"settle its ties", pscn.Betweenness, pscn.WeisfeilerLehman),
			spec.Int("width", "fields of a graph; mean = the data set's mean number of nodes, rounded", wordMean, 1, 10000, wordMean),
			spec.Int("stride", "nodes from one field to the next", pscn.DefaultStride, 1, 10000),
			spec.Int("field", "nodes of a field", pscn.DefaultField, 1, 1000),
			spec.Int("hidden", "width of the dense layer", pscn.DefaultHidden, 1, 4096),
			spec.Num("dropout", "part of the dense layer's outputs that a step drops", pscn.DefaultDropout, 0, 0.99))})
}

// pscnTrainer trains PSCN.
func pscnTrainer(t *method.Task) (trainer, error) {
	v := t.Params
	set := &pscn.Settings{Labelling: pscn.Labelling(v.Text("labelling")), Width: v.Integer("width"), Stride: v.Integer("stride"),
		Field: v.Integer("field"), Hidden: v.Integer("hidden"), Dropout: orNever(v.Number("dropout")), Epochs: v.Integer("epochs"),
		Batch: v.Integer("batch"), Steps: v.Integer("batches_per_epoch"), Rate: v.Number("learning_rate"),
		HalveEvery: orNever(v.Integer("halve_every"))}
	seen, err := ginGraphs(t.Data, v)
	if err != nil {
		return nil, err
	}
	graphs := make([]pscn.Graph, len(seen))
	for i, g := range seen {
		graphs[i] = pscn.Graph(g)
	}
	fields, err := pscn.NewSet(graphs, set)
	return func(ctx context.Context, learned, classes, watched []int, rng *rand.Rand) ([]float64, [][]int, error) {
		r, err := pscn.Train(ctx, fields, learned, classes, watched, set, rng)
		if err != nil {
			return nil, nil, err
		}
		return r.Loss, r.Watched, nil
	}, err
}
