package main

import (
	"context"
	"fmt"
	"slices"

	"ogdl/baselines/gwf"
	"ogdl/datasets"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// gwfMethod is Gromov-Wasserstein factorization: GWF-r has atoms of random orders,
// GWF-f of one order.
func gwfMethod(name string, start gwf.Init) row {
	m := row{fit: fitGWF, method: method{
		name:     name,
		version:  4,
		doc:      "Gromov-Wasserstein factorization (Xu 2020), atoms of the graphs' own orders",
		tables:   []string{summary.TableClustering, summary.TableGWKMeans},
		params:   gwfParams(),
		protocol: clusteredBy(embeddedClustering(), costClusteringGWF),
		check:    checkGWF,
		resolve:  resolveGWF,
		cost:     costGWF,
		disk:     diskAtoms,
	}}
	if start == gwf.FixedOrder {
		m.doc = "Gromov-Wasserstein factorization (Xu 2020), atoms of one order"
		m.params = append(m.params, param{name: "order", kind: integer, def: wordMedian, min: 1, max: 10000, words: []string{wordMedian}, doc: "number of nodes of an atom"})
	}
	return m
}

// Texts that parameters of GWF take.
const (
	weightsBefore    = "before" // the free parameters z
	weightsAfter     = "after"  // softmax(z)
	embeddingTrained = "trained"
	embeddingFresh   = "fresh"
	wordByFeatures   = "by_features"
)

func gwfParams() []param {
	return []param{
		alphaParam(),
		{name: "atoms", kind: integer, min: 1, max: 10000, doc: "number of atoms; or atoms_per_class"},
		{name: "atoms_per_class", kind: integer, min: 1, max: 1000, doc: "number of atoms as a multiple of the number of classes"},
		{name: "gamma", kind: number, def: gwf.DefaultGamma, min: 0, max: 1e6, open: true, doc: "proximal coefficient, the method's regularisation"},
		{name: "epochs", kind: integer, def: wordByFeatures, min: 1, max: 1e6, words: []string{wordByFeatures}, doc: "passes over the data; by_features = 10, or 20 with node features"},
		{name: "batch", kind: integer, def: int64(gwf.DefaultBatch), min: 1, max: 1e6, doc: "graphs per minibatch"},
		{name: "step_structure", kind: number, def: gwf.DefaultStep, min: 0, max: 1e6, open: true, doc: "step size on the atoms' structures"},
		withFeatures(param{name: "step_features", kind: number, def: gwf.DefaultStep, min: 0, max: 1e6, open: true, doc: "step size on the atoms' features"}),
		{name: "step_weights", kind: number, def: gwf.DefaultStep, min: 0, max: 1e6, open: true, doc: "step size on the graphs' free weights"},
		choice("weights_adam", "one Adam on the weights of all graphs, whose momentum moves them between visits (as released), or one per graph", gwf.Dense, gwf.Visited),
		only(param{name: "weight_steps", kind: integer, def: int64(1), min: 1, max: 1e6, doc: "steps on a graph's weights at every visit"}, "weights_adam", string(gwf.Visited)),
		{name: "prox_steps", kind: integer, def: int64(gwf.DefaultOuter), min: 1, max: 1e6, doc: "proximal steps of one coupling at most"},
		{name: "prox_sweeps", kind: integer, def: int64(gwf.DefaultSweeps), min: 1, max: 1e6, doc: "Sinkhorn sweeps in each"},
		{name: "prox_tol", kind: number, def: gwf.DefaultTol, min: 0, max: 1, doc: "relative change that ends a coupling; 0 = never, as released"},
		{name: "warm", kind: flagged, def: false, doc: "start a coupling where it ended in the epoch before"},
		choice("barycentre", "a graph's model: the released single step, or the barycentre of the atoms", gwf.OneStep, gwf.Full),
		only(param{name: "barycentre_steps", kind: integer, def: int64(gwf.DefaultRounds), min: 1, max: 1e6, doc: "averaging steps of the full barycentre at most"}, "barycentre", string(gwf.Full)),
		choice("positive", "how structures stay non-negative", gwf.ReLU, gwf.Sigmoid),
		choice("keep", "the state of the epoch with the lowest loss, or of the last", gwf.KeepBest, gwf.KeepLast),
		only(param{name: "weights", kind: text, def: weightsBefore, words: []string{weightsBefore, weightsAfter}, doc: "what k-means clusters: the weights before or after the softmax"}, "cluster_by", byEmbedding),
		{name: "embedding", kind: text, def: embeddingTrained, words: []string{embeddingTrained, embeddingFresh}, doc: "weights as learned with the atoms, or found afresh in the final atoms"},
	}
}

func checkGWF(v values) (key, want string) {
	if key, want = checkAtoms(v); key != "" {
		return key, want
	}
	if key, want = checkAlpha(v); key != "" {
		return key, want
	}
	if err := checkSize(v); err != nil {
		return "order", err.Error()
	}
	if v.text("centroid_weights") == centroidsMean {
		return "centroid_weights", `must be "uniform": what GWF makes of a graph has the graph's own order, and weights of several orders have no mean`
	}
	return "", ""
}

func resolveGWF(v values, d *datasets.Dataset) error {
	if err := resolveAtoms(v, d); err != nil {
		return err
	}
	if v.text("epochs") == wordByFeatures {
		v["epochs"] = int64(epochsByFeatures(v))
	}
	if !v.has("order") { // GWF-r
		return nil
	}
	if err := resolveOrder(v, d); err != nil {
		return err
	}
	if err := checkSize(v); err != nil {
		return fmt.Errorf("order = %d: %w", v.integer("order"), err)
	}
	return nil
}

// epochsByFeatures is the number of epochs of the paper's comparison.
func epochsByFeatures(v values) int {
	if v.text("features") != datasets.KindNone {
		return 20
	}
	return 10
}

// transport reads how couplings are found off the parameters.
func transport(v values) gwf.Transport {
	t := gwf.Transport{Gamma: v.number("gamma"), Outer: v.integer("prox_steps"), Sweeps: v.integer("prox_sweeps"),
		Tol: v.number("prox_tol"), Barycentre: gwf.Barycentre(v.text("barycentre")), Rounds: v.integer("barycentre_steps")}
	if t.Tol == 0 {
		t.Tol = gw.Never // gwf reads 0 as its default
	}
	return t
}

// trainGWF learns atoms and weights.
func trainGWF(ctx context.Context, t *task) (*gwf.Training, []string, error) {
	v := t.params
	var start *gwf.Model
	var notes []string
	var err error
	if v.has("order") {
		start, notes, err = gwf.InitFixedOrder(t.spaces, v.integer("atoms"), v.integer("order"), v.number("alpha"), t.rng("init"))
	} else {
		start, err = gwf.InitRandomOrder(t.spaces, v.integer("atoms"), v.number("alpha"), t.rng("init"))
	}
	if err != nil {
		return nil, nil, err
	}
	training, err := gwf.Train(ctx, t.spaces, start, &gwf.Settings{
		Transport: transport(v), Epochs: v.integer("epochs"), Batch: v.integer("batch"),
		StepC: v.number("step_structure"), StepA: v.number("step_features"), StepZ: v.number("step_weights"), ZAdam: gwf.ZAdam(v.text("weights_adam")), ZSteps: v.integer("weight_steps"),
		NonNegative: gwf.NonNegative(v.text("positive")), Keep: gwf.Keep(v.text("keep")), Warm: v.flag("warm"),
	}, t.rng("batches"))
	if err != nil {
		return nil, nil, fmt.Errorf("training: %w", err)
	}
	return training, notes, nil
}

// fitGWF learns a factorization; the weights are the graphs' embeddings.
func fitGWF(ctx context.Context, t *task) (*fitted, error) {
	v := t.params
	training, notes, err := trainGWF(ctx, t)
	if err != nil {
		return nil, err
	}
	out := &fitted{scores: map[string]float64{}, notes: notes, epochLoss: training.EpochLoss, width: training.Model.K()}
	n := len(training.EpochLoss)
	out.scores["loss_first"], out.scores["loss_last"] = training.EpochLoss[0], training.EpochLoss[n-1]
	z, w, stats := training.Z, training.W, training.Stats
	out.scores["objective"] = training.EpochLoss[n-1]
	if gwf.Keep(v.text("keep")) == gwf.KeepBest {
		out.scores["objective"] = slices.Min(training.EpochLoss)
	}
	if v.text("embedding") == embeddingFresh {
		embeddings, err := training.Model.Embed(ctx, t.spaces, &gwf.EmbedSettings{Transport: transport(v)}, 1)
		if err != nil {
			return nil, fmt.Errorf("embedding: %w", err)
		}
		z, w = nil, nil
		loss := 0.0
		for i := range embeddings {
			z, w = append(z, embeddings[i].Z...), append(w, embeddings[i].W...)
			loss += embeddings[i].Loss
			stats.Add(&embeddings[i].Stats)
		}
		out.scores["objective"] = loss / float64(len(embeddings))
	}
	largest := 0.0
	for row := range slices.Chunk(w, out.width) {
		largest += slices.Max(row)
	}
	out.scores["mean_max_weight"] = largest / float64(len(t.spaces))
	out.scores["max_marginal_error"] = stats.MaxMarginalError
	out.embedding = z
	if v.text("weights") == weightsAfter {
		out.embedding = w
	}
	out.models = func() ([]*gw.Space, int, error) {
		tr := transport(v)
		spaces, err := training.Model.Reconstruct(ctx, t.spaces, w, &tr, 1)
		return spaces, 0, err
	}
	out.convergence = record.Convergence{Solves: stats.Couplings, CapHits: stats.CapHits, Iterations: stats.Steps}
	out.arrays = append(training.Model.Arrays(),
		npz.Array{Name: artifact.Weights, Shape: []int{len(t.spaces), out.width}, Float: w},
		npz.Array{Name: "free_weights", Shape: []int{len(t.spaces), out.width}, Float: z})
	return out, nil
}
