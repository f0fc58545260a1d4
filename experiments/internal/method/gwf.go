package method

import (
	"context"
	"fmt"
	"slices"

	"ogdl/baselines/gwf"
	"ogdl/datasets"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// gwfMethod is Gromov-Wasserstein factorization: GWF-r has atoms of random orders,
// GWF-f of one order.
func gwfMethod(name string, start gwf.Init) Row {
	m := Row{Fit: fitGWF, Method: spec.Method{
		Name:     name,
		Version:  4,
		Doc:      "Gromov-Wasserstein factorization (Xu 2020), atoms of the graphs' own orders",
		Tables:   []string{summary.TableClustering, summary.TableGWKMeans},
		Params:   gwfParams(),
		Protocol: clusteredBy(embeddedClustering(), costClusteringGWF),
		Check:    spec.Rules(checkAtoms, checkAlpha, checkSize, checkCentroids),
		Resolve:  resolveGWF,
		Cost:     costGWF,
		Disk:     diskAtoms,
	}}
	if start == gwf.FixedOrder {
		m.Doc = "Gromov-Wasserstein factorization (Xu 2020), atoms of one order"
		m.Params = append(m.Params, spec.Param{Name: "order", Kind: spec.Integer, Def: wordMedian, Min: 1, Max: 10000, Words: []string{wordMedian}, Doc: "number of nodes of an atom"})
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

func gwfParams() []spec.Param {
	return []spec.Param{
		alphaParam(),
		{Name: "atoms", Kind: spec.Integer, Min: 1, Max: 10000, Doc: "number of atoms; or atoms_per_class"},
		{Name: "atoms_per_class", Kind: spec.Integer, Min: 1, Max: 1000, Doc: "number of atoms as a multiple of the number of classes"},
		{Name: "gamma", Kind: spec.Number, Def: gwf.DefaultGamma, Min: 0, Max: 1e6, Open: true, Doc: "proximal coefficient, the method's regularisation"},
		{Name: "epochs", Kind: spec.Integer, Def: wordByFeatures, Min: 1, Max: 1e6, Words: []string{wordByFeatures}, Doc: "passes over the data; by_features = 10, or 20 with node features"},
		{Name: "batch", Kind: spec.Integer, Def: int64(gwf.DefaultBatch), Min: 1, Max: 1e6, Doc: "graphs per minibatch"},
		{Name: "step_structure", Kind: spec.Number, Def: gwf.DefaultStep, Min: 0, Max: 1e6, Open: true, Doc: "step size on the atoms' structures"},
		spec.WithFeatures(spec.Param{Name: "step_features", Kind: spec.Number, Def: gwf.DefaultStep, Min: 0, Max: 1e6, Open: true, Doc: "step size on the atoms' features"}),
		{Name: "step_weights", Kind: spec.Number, Def: gwf.DefaultStep, Min: 0, Max: 1e6, Open: true, Doc: "step size on the graphs' free weights"},
		spec.Choice("weights_adam", "one Adam on the weights of all graphs, whose momentum moves them between visits (as released), or one per graph", gwf.Dense, gwf.Visited),
		spec.Only(spec.Param{Name: "weight_steps", Kind: spec.Integer, Def: int64(1), Min: 1, Max: 1e6, Doc: "steps on a graph's weights at every visit"}, "weights_adam", string(gwf.Visited)),
		{Name: "prox_steps", Kind: spec.Integer, Def: int64(gwf.DefaultOuter), Min: 1, Max: 1e6, Doc: "proximal steps of one coupling at most"},
		{Name: "prox_sweeps", Kind: spec.Integer, Def: int64(gwf.DefaultSweeps), Min: 1, Max: 1e6, Doc: "Sinkhorn sweeps in each"},
		{Name: "prox_tol", Kind: spec.Number, Def: gwf.DefaultTol, Min: 0, Max: 1, Doc: "relative change that ends a coupling; 0 = never, as released"},
		{Name: "warm", Kind: spec.Boolean, Def: false, Doc: "start a coupling where it ended in the epoch before"},
		spec.Choice("barycentre", "a graph's model: the released single step, or the barycentre of the atoms", gwf.OneStep, gwf.Full),
		spec.Only(spec.Param{Name: "barycentre_steps", Kind: spec.Integer, Def: int64(gwf.DefaultRounds), Min: 1, Max: 1e6, Doc: "averaging steps of the full barycentre at most"}, "barycentre", string(gwf.Full)),
		spec.Choice("positive", "how structures stay non-negative", gwf.ReLU, gwf.Sigmoid),
		spec.Choice("keep", "the state of the epoch with the lowest loss, or of the last", gwf.KeepBest, gwf.KeepLast),
		spec.Only(spec.Param{Name: "weights", Kind: spec.Text, Def: weightsBefore, Words: []string{weightsBefore, weightsAfter}, Doc: "what k-means clusters: the weights before or after the softmax"}, "cluster_by", byEmbedding),
		{Name: "embedding", Kind: spec.Text, Def: embeddingTrained, Words: []string{embeddingTrained, embeddingFresh}, Doc: "weights as learned with the atoms, or found afresh in the final atoms"},
	}
}

// checkCentroids wants weights of centroids that GWF's models have.
func checkCentroids(v spec.Values) (key, want string) {
	if v.Text("centroid_weights") == centroidsMean {
		return "centroid_weights", `must be "uniform": what GWF makes of a graph has the graph's own order, and weights of several orders have no mean`
	}
	return "", ""
}

func resolveGWF(v spec.Values, d *datasets.Dataset) error {
	if v.Text("epochs") == wordByFeatures {
		v["epochs"] = int64(epochsByFeatures(v))
	}
	return resolveSizes(v, d)
}

// epochsByFeatures is the number of epochs of the paper's comparison.
func epochsByFeatures(v spec.Values) int {
	if v.Text("features") != string(datasets.KindNone) {
		return 20
	}
	return 10
}

// transport reads how couplings are found off the parameters.
func transport(v spec.Values) gwf.Transport {
	t := gwf.Transport{Gamma: v.Number("gamma"), Outer: v.Integer("prox_steps"), Sweeps: v.Integer("prox_sweeps"),
		Tol: v.Number("prox_tol"), Barycentre: gwf.Barycentre(v.Text("barycentre")), Rounds: v.Integer("barycentre_steps")}
	if t.Tol == 0 {
		t.Tol = gw.Never // gwf reads 0 as its default
	}
	return t
}

// trainGWF learns atoms and weights.
func trainGWF(ctx context.Context, t *Task) (*gwf.Training, []string, error) {
	v := t.Params
	var start *gwf.Model
	var notes []string
	var err error
	if v.Has("order") {
		start, notes, err = gwf.InitFixedOrder(t.Spaces, v.Integer("atoms"), v.Integer("order"), v.Number("alpha"), t.Rand("init"))
	} else {
		start, err = gwf.InitRandomOrder(t.Spaces, v.Integer("atoms"), v.Number("alpha"), t.Rand("init"))
	}
	if err != nil {
		return nil, nil, err
	}
	training, err := gwf.Train(ctx, t.Spaces, start, &gwf.Settings{
		Transport: transport(v), Epochs: v.Integer("epochs"), Batch: v.Integer("batch"),
		StepC: v.Number("step_structure"), StepA: v.Number("step_features"), StepZ: v.Number("step_weights"), ZAdam: gwf.ZAdam(v.Text("weights_adam")), ZSteps: v.Integer("weight_steps"),
		NonNegative: gwf.NonNegative(v.Text("positive")), Keep: gwf.Keep(v.Text("keep")), Warm: v.Flag("warm"),
	}, t.Rand("batches"))
	if err != nil {
		return nil, nil, fmt.Errorf("training: %w", err)
	}
	return training, notes, nil
}

// fitGWF learns a factorization; the weights are the graphs' embeddings.
func fitGWF(ctx context.Context, t *Task) (*Result, error) {
	v := t.Params
	training, notes, err := trainGWF(ctx, t)
	if err != nil {
		return nil, err
	}
	out := &Result{Scores: map[string]float64{}, Notes: notes, EpochLoss: training.EpochLoss, Width: training.Model.K()}
	n := len(training.EpochLoss)
	out.Scores["loss_first"], out.Scores["loss_last"] = training.EpochLoss[0], training.EpochLoss[n-1]
	z, w, stats := training.Z, training.W, training.Stats
	out.Scores["objective"] = training.EpochLoss[n-1]
	if gwf.Keep(v.Text("keep")) == gwf.KeepBest {
		out.Scores["objective"] = slices.Min(training.EpochLoss)
	}
	if v.Text("embedding") == embeddingFresh {
		embeddings, err := training.Model.Embed(ctx, t.Spaces, &gwf.EmbedSettings{Transport: transport(v)}, 1)
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
		out.Scores["objective"] = loss / float64(len(embeddings))
	}
	largest := 0.0
	for row := range slices.Chunk(w, out.Width) {
		largest += slices.Max(row)
	}
	out.Scores["mean_max_weight"] = largest / float64(len(t.Spaces))
	out.Scores["max_marginal_error"] = stats.MaxMarginalError
	out.Embedding = z
	if v.Text("weights") == weightsAfter {
		out.Embedding = w
	}
	out.models = func() ([]*gw.Space, int, error) {
		tr := transport(v)
		spaces, err := training.Model.Reconstruct(ctx, t.Spaces, w, &tr, 1)
		return spaces, 0, err
	}
	out.Convergence = record.Convergence{Solves: stats.Couplings, CapHits: stats.CapHits, Iterations: stats.Steps}
	out.Arrays = append(training.Model.Arrays(),
		npz.Array{Name: artifact.Weights, Shape: []int{len(t.Spaces), out.Width}, Float: w},
		npz.Array{Name: "free_weights", Shape: []int{len(t.Spaces), out.Width}, Float: z})
	return out, nil
}
