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

// GWF is Gromov-Wasserstein factorization: GWF-r has atoms of random orders, GWF-f of one order.
func GWF(name string, start gwf.Init) Row {
	m := Row{Fit: fitGWF, Method: spec.Method{
		Name:     name,
		Version:  4,
		Doc:      "Gromov-Wasserstein factorization (Xu 2020), atoms of the graphs' own orders",
		Tables:   []string{summary.TableClustering, summary.TableGWKMeans},
		Params:   gwfParams(),
		Protocol: clusteredBy(embeddedClustering()),
		Check:    spec.Rules(CheckAtoms, CheckAlpha, CheckSize, checkCentroids),
		Counts:   checkClasses,
		Resolve:  resolveGWF,
		Work: func(v spec.Values) float64 { // of learning the atoms
			return float64(max(1, v.Integer("atoms"), v.Integer("atoms_per_class")) * max(1, v.Integer("epochs")) * max(1, v.Integer("prox_steps")))
		},
	}}
	if start == gwf.FixedOrder {
		m.Doc = "Gromov-Wasserstein factorization (Xu 2020), atoms of one order"
		m.Params = append(m.Params, spec.Int("order", "number of nodes of an atom", wordMedian, 1, 10000, wordMedian))
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
		AlphaParam(),
		spec.Int("atoms", "number of atoms; or atoms_per_class", nil, 1, 10000),
		spec.Int("atoms_per_class", "number of atoms as a multiple of the number of classes", nil, 1, 1000),
		spec.Above("gamma", "proximal coefficient, the method's regularisation", gwf.DefaultGamma, 0, 1e6),
		spec.Int("epochs", "passes over the data; by_features = 10, or 20 with node features", wordByFeatures, 1, 1e6, wordByFeatures),
		spec.Int("batch", "graphs per minibatch", gwf.DefaultBatch, 1, 1e6),
		spec.Above("step_structure", "step size on the atoms' structures", gwf.DefaultStep, 0, 1e6),
		spec.WithFeatures(spec.Above("step_features", "step size on the atoms' features", gwf.DefaultStep, 0, 1e6)),
		spec.Above("step_weights", "step size on the graphs' free weights", gwf.DefaultStep, 0, 1e6),
		spec.Choice("weights_adam", "one Adam on the weights of all graphs, whose momentum moves them between visits (as released), or one per graph",
			gwf.Dense, gwf.Visited),
		spec.Only(spec.Int("weight_steps", "steps on a graph's weights at every visit", 1, 1, 1e6), "weights_adam", string(gwf.Visited)),
		spec.Int("prox_steps", "proximal steps of one coupling at most", gwf.DefaultOuter, 1, 1e6),
		spec.Int("prox_sweeps", "Sinkhorn sweeps in each", gwf.DefaultSweeps, 1, 1e6),
		spec.Num("prox_tol", "relative change that ends a coupling; 0 = never, as released", gwf.DefaultTol, 0, 1),
		{Name: "warm", Kind: spec.Boolean, Def: false, Doc: "start a coupling where it ended in the epoch before"},
		spec.Choice("barycentre", "a graph's model: the released single step, or the barycentre of the atoms", gwf.OneStep, gwf.Full),
		spec.Only(spec.Int("barycentre_steps", "averaging steps of the full barycentre at most", gwf.DefaultRounds, 1, 1e6),
			"barycentre", string(gwf.Full)),
		spec.Choice("positive", "how structures stay non-negative", gwf.ReLU, gwf.Sigmoid),
		spec.Choice("keep", "the state of the epoch with the lowest loss, or of the last", gwf.KeepBest, gwf.KeepLast),
		spec.Only(spec.Choice("weights", "what k-means clusters: the weights before or after the softmax", weightsBefore, weightsAfter),
			"cluster_by", byEmbedding),
		spec.Choice("embedding", "weights as learned with the atoms, or found afresh in the final atoms", embeddingTrained, embeddingFresh),
	}
}

// checkCentroids rejects centroid_weights = "mean": GWF's models have different orders.
func checkCentroids(v spec.Values) (key, want string) {
	if v.Text("centroid_weights") == centroidsMean {
		return "centroid_weights",
			`must be "uniform": what GWF makes of a graph has the graph's own order, and weights of several orders have no mean`
	}
	return "", ""
}

func resolveGWF(v spec.Values, d *datasets.Dataset) error {
	if v.Text("epochs") == wordByFeatures {
		v["epochs"] = int64(10) // of the paper's comparison
		if v.Text("features") != string(datasets.KindNone) {
			v["epochs"] = int64(20)
		}
	}
	return ResolveSizes(v, d)
}

// transport returns the settings of GWF's couplings.
func transport(v spec.Values) gwf.Transport {
	t := gwf.Transport{Gamma: v.Number("gamma"), Outer: v.Integer("prox_steps"), Sweeps: v.Integer("prox_sweeps"),
		Tol: v.Number("prox_tol"), Barycentre: gwf.Barycentre(v.Text("barycentre")), Rounds: v.Integer("barycentre_steps")}
	if t.Tol == 0 {
		t.Tol = gw.Never // gwf reads 0 as its default
	}
	return t
}

// TrainGWF learns atoms and weights, and a classifier where there is one.
func TrainGWF(ctx context.Context, t *Task, classifier *gwf.Supervision) (*gwf.Training, []string, error) {
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
		StepC: v.Number("step_structure"), StepA: v.Number("step_features"), StepZ: v.Number("step_weights"),
		ZAdam: gwf.ZAdam(v.Text("weights_adam")), ZSteps: v.Integer("weight_steps"),
		NonNegative: gwf.NonNegative(v.Text("positive")), Keep: gwf.Keep(v.Text("keep")), Warm: v.Flag("warm"),
		Supervision: classifier,
	}, t.Rand("batches"))
	if err != nil {
		return nil, nil, fmt.Errorf("training: %w", err)
	}
	return training, notes, nil
}

// fitGWF learns a factorization; the weights are the graphs' embeddings.
func fitGWF(ctx context.Context, t *Task) (*Result, error) {
	v := t.Params
	training, notes, err := TrainGWF(ctx, t, nil)
	if err != nil {
		return nil, err
	}
	out := &Result{Scores: map[string]float64{}, Notes: notes, EpochLoss: training.EpochLoss, Width: training.Model.K()}
	n := len(training.EpochLoss)
	out.Scores[artifact.LossFirst], out.Scores[artifact.LossLast] = training.EpochLoss[0], training.EpochLoss[n-1]
	z, w, stats := training.Z, training.W, training.Stats
	out.Scores[artifact.Objective] = training.EpochLoss[n-1]
	if gwf.Keep(v.Text("keep")) == gwf.KeepBest {
		out.Scores[artifact.Objective] = slices.Min(training.EpochLoss)
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
		out.Scores[artifact.Objective] = loss / float64(len(embeddings))
	}
	largest := 0.0
	for row := range slices.Chunk(w, out.Width) {
		largest += slices.Max(row)
	}
	out.Scores[artifact.MeanMaxWeight] = largest / float64(len(t.Spaces))
	out.Scores[artifact.MaxMarginalError] = stats.MaxMarginalError
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
		npz.Array{Name: artifact.FreeWeights, Shape: []int{len(t.Spaces), out.Width}, Float: z})
	return out, nil
}
