package classify

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"

	"ogdl/baselines/gin"
	"ogdl/baselines/pscn"
	"ogdl/datasets"
	"ogdl/eval/nested"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/reports/summary"
)

// Values of epoch_chosen_on: the accuracies that select GIN-0's epoch.
const (
	onTest  = "test"
	onTenth = "train_tenth"
)

// Values of inputs: the inputs of a node for GIN-0.
const (
	inputsTags       = "labels_or_degrees"
	inputsDegrees    = "degrees"
	inputsAttributes = "attributes"
)

const wordOnePass = "one_pass"

// trainer learns from some graphs with these classes, and predicts those watched after every epoch.
type trainer func(ctx context.Context, learned, classes, watched []int, rng *rand.Rand) (loss []float64, told [][]int, err error)

// ginMethod is the graph neural network of the benchmark.
func ginMethod() method.Row {
	return networkMethod(ginTrainer, spec.Method{Name: "GIN-0", Version: 1, Doc: "graph isomorphism network (Xu et al. 2019)",
		Params: networkParams(
			spec.Int("hidden", "width of the hidden layers", gin.DefaultHidden, 1, 4096),
			spec.Int("layers", "layers beside the input, each a sum over neighbours", gin.DefaultLayers, 1, 64),
			spec.Num("dropout", "part of the scores of each depth that a step drops", gin.DefaultDropout, 0, 0.99))})
}

// networkMethod is a network whose epoch is chosen as printed, or by a tenth of the training part.
func networkMethod(make func(*method.Task) (trainer, error), m spec.Method) method.Row {
	protocol := classifiedBy()
	protocol.Params[0] = spec.Choice("folds", "splits: repetition i is fold i of a stratified partition into ten, those from 10 on are of another "+
		"one; split i of the released code, as for the other methods; or drawn", foldsPartition, foldsReleased, foldsDrawn)
	m.Tables, m.Input, m.Protocol, m.Counts = []string{summary.TableClassification}, spec.InputGraphs, protocol, checkInputs
	m.Products = func(c *spec.Cell) []spec.Product { return []spec.Product{product.Folds(c)} }
	return method.Row{Fit: func(ctx context.Context, t *method.Task) (*method.Result, error) { return fitNetwork(ctx, t, make) }, Method: m}
}

// networkParams are the parameters of networks with these of their own.
func networkParams(own ...spec.Param) []spec.Param {
	return slices.Concat([]spec.Param{
		spec.Choice("epoch_chosen_on", "accuracies that choose the epoch: those on the test parts of ten splits, one epoch for all of them, as "+
			"printed (it has seen the test labels); or on a tenth of the split's training part, which is not learned from", onTest, onTenth),
		spec.Choice("inputs", "what the network sees of a node: the one-hot code of its labels, or of its degree where the data have no labels, "+
			"as published; of its degree; or its real attributes", inputsTags, inputsDegrees, inputsAttributes),
		spec.Only(spec.Choice("scaling", "scaling of real attributes", datasets.ScalingNone, datasets.ScalingStandardise), "inputs",
			inputsAttributes),
	}, own, []spec.Param{
		spec.Int("epochs", "epochs", gin.DefaultEpochs, 1, 1e6),
		spec.Int("batch", "graphs of a step", gin.DefaultBatch, 1, 1e6),
		spec.Int("batches_per_epoch", "steps of an epoch, each on a batch drawn afresh: the published code has 50, whatever the data; "+
			"or one pass over the graphs", wordOnePass, 1, 1e6, wordOnePass),
		spec.Above("learning_rate", "Adam's step size", gin.DefaultRate, 0, 1e6),
		spec.Int("halve_every", "epochs after which the step size is halved; 0: it is not", gin.DefaultHalve, 0, 1e6),
	})
}

// checkInputs wants the attributes that the network is to see.
func checkInputs(v spec.Values, d spec.Counts) (key, want string) {
	name := v.Text(spec.DatasetKey)
	_, attributes := spec.HasOnNodes(name)
	if d.Data != nil {
		attributes = d.Data.AttributeDim > 0
		if problem := d.Data.LabelProblem; problem != "" && v.Text("inputs") == inputsTags {
			return "inputs", problem
		}
	}
	if v.Text("inputs") == inputsAttributes && !attributes {
		return "inputs", fmt.Sprintf("must be %q or %q for %s, which has no real attributes", inputsTags, inputsDegrees, name)
	}
	return "", ""
}

// fitNetwork predicts by the network of the cell's split at the epoch chosen.
func fitNetwork(ctx context.Context, t *method.Task, of func(*method.Task) (trainer, error)) (*method.Result, error) {
	p, v := product.Folds(t.Cell), t.Params
	train, err := of(t)
	if err != nil {
		return nil, err
	}
	splits, tests := make([]*nested.Split, product.FoldsOf), make([]int, product.FoldsOf)
	for f := range splits {
		if splits[f], err = Split(t, p.Of.Repetition+f); err != nil {
			return nil, err
		}
		tests[f] = len(splits[f].Test)
	}
	got, err := t.Cache.Networks(ctx, p, t.Data.Digest, tests, func(ctx context.Context, f int) (*product.Fold, error) {
		return trainFold(ctx, t, train, splits[f], source.Rand(t.Cell.Seed, t.Cell.Dataset, p.Of.Repetition+f, "network"))
	})
	if err != nil {
		return nil, err
	}
	own := t.Cell.Repetition - p.Of.Repetition
	fold := got[own]
	out := &method.Result{Scores: map[string]float64{}, EpochLoss: fold.Loss}
	right := make([][]int, len(splits)) // per split and epoch
	for f, s := range splits {
		for told := range slices.Chunk(got[f].Test, len(s.Test)) {
			right[f] = append(right[f], Right(told, t.Data.Classes, s.Test))
		}
	}
	epoch := 0
	if v.Text("epoch_chosen_on") == onTest {
		epoch = bestEpoch(right, tests)
	} else {
		_, held := innerParts(splits[own])
		epoch = bestEpoch([][]int{fold.Held}, []int{len(held)})
		n, of := float64(fold.Held[epoch]), float64(len(held))
		out.Scores[artifact.InnerAccuracy], out.Scores[artifact.InnerNumerator], out.Scores[artifact.InnerDenominator] = n/of, n, of
		out.Arrays = append(out.Arrays, npz.Vector(artifact.InnerByEpoch, fold.Held))
	}
	out.Scores[artifact.Epoch] = float64(epoch + 1)
	out.Predictions = fold.Test[epoch*tests[own] : (epoch+1)*tests[own]]
	out.Arrays = append(out.Arrays, npz.Vector(artifact.RightByEpoch, right[own]))
	return out, nil
}

// bestEpoch is the first with the highest mean accuracy: right[f][e] of sizes[f] predictions are right. Means are compared as fractions.
func bestEpoch(right [][]int, sizes []int) int {
	best, most := 0, big.NewRat(-1, 1)
	for e := range right[0] {
		sum := new(big.Rat)
		for f, n := range sizes {
			sum.Add(sum, big.NewRat(int64(right[f][e]), int64(n)))
		}
		if sum.Cmp(most) > 0 {
			best, most = e, sum
		}
	}
	return best
}

// trainFold trains the network of a split.
func trainFold(ctx context.Context, t *method.Task, train trainer, s *nested.Split, rng *rand.Rand) (*product.Fold, error) {
	learned, held := s.Train, []int{}
	if t.Params.Text("epoch_chosen_on") == onTenth {
		learned, held = innerParts(s)
	}
	loss, epochs, err := train(ctx, learned, method.At(t.Data.Classes, learned), slices.Concat(held, s.Test), rng)
	if err != nil {
		return nil, err
	}
	out := &product.Fold{Loss: loss}
	for _, told := range epochs {
		out.Held = append(out.Held, Right(told[:len(held)], t.Data.Classes, held))
		out.Test = append(out.Test, told[len(held):]...)
	}
	return out, nil
}

// orNever is the setting of a number whose 0 is asked for: that is no default.
func orNever[T int | float64](x T) T {
	if x == 0 {
		return gin.Never
	}
	return x
}

// ginTrainer trains GIN-0.
func ginTrainer(t *method.Task) (trainer, error) {
	v := t.Params
	graphs, err := ginGraphs(t.Data, v)
	set := &gin.Settings{Hidden: v.Integer("hidden"), Layers: v.Integer("layers"), Dropout: orNever(v.Number("dropout")),
		Epochs: v.Integer("epochs"), Batch: v.Integer("batch"), Steps: v.Integer("batches_per_epoch"), Rate: v.Number("learning_rate"),
		HalveEvery: orNever(v.Integer("halve_every"))}
	return func(ctx context.Context, learned, classes, watched []int, rng *rand.Rand) ([]float64, [][]int, error) {
		r, err := gin.Train(ctx, method.At(graphs, learned), classes, method.At(graphs, watched), set, rng)
		if err != nil {
			return nil, nil, err
		}
		return r.Loss, r.Watched, nil
	}, err
}

// ginGraphs are the graphs of a data set as the network reads them.
func ginGraphs(d *datasets.Dataset, v spec.Values) ([]gin.Graph, error) {
	from, features := d, datasets.Features{Kind: datasets.KindLabels}
	switch inputs := v.Text("inputs"); {
	case inputs == inputsAttributes:
		features = datasets.Features{Kind: datasets.KindAttributes, Scaling: datasets.Scaling(v.Text("scaling"))}
	case inputs == inputsDegrees || len(d.LabelValues) == 0:
		from = degreesAsLabels(d)
	}
	rows, _, err := features.Of(from)
	if err != nil {
		return nil, fmt.Errorf("inputs = %q: %w", v.Text("inputs"), err)
	}
	out := make([]gin.Graph, len(d.Graphs))
	for i := range d.Graphs {
		out[i] = gin.Graph{Neighbors: d.Graphs[i].Neighbors, Inputs: rows[i]}
	}
	return out, nil
}

// degreesAsLabels is a data set of the same graphs whose labels are degrees.
func degreesAsLabels(d *datasets.Dataset) *datasets.Dataset {
	out := &datasets.Dataset{Name: d.Name, Graphs: make([]datasets.Graph, len(d.Graphs))}
	seen := map[int]bool{}
	for i := range d.Graphs {
		g := &d.Graphs[i]
		degrees := make([]int, g.Order())
		for k := range degrees {
			degrees[k] = g.Degree(k)
			seen[degrees[k]] = true
		}
		out.Graphs[i] = datasets.Graph{Neighbors: g.Neighbors, Labels: [][]int{degrees}}
	}
	out.LabelValues = [][]int{slices.Sorted(maps.Keys(seen))}
	return out
}

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
