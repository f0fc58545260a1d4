package classify

import (
	"context"
	"slices"

	"ogdl/baselines/gwf"
	"ogdl/eval/nested"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/reports/summary"
)

// Values of class_weights: how graphs count in the loss of supervised GWF's classifier.
const (
	weightsEqual    = "equal"
	weightsBalanced = "balanced"
)

// gwfMLP is supervised GWF: the factorization is learned with a network of two layers on the graphs' free weights.
func gwfMLP(name string, start gwf.Init) method.Row {
	r := method.GWF(name, start)
	r.Fit, r.Name, r.Version = fitSupervised, name+" + MLP", 1
	r.Doc = "supervised " + name + " (Xu 2020): a network on the free weights learns with the atoms"
	r.Tables, r.Protocol = []string{summary.TableClassification}, classifiedBy()
	r.Check = spec.Rules(method.CheckAtoms, method.CheckAlpha, method.CheckSize)
	r.Params = slices.DeleteFunc(r.Params, func(q spec.Param) bool { return q.Name == "weights" || q.Name == "embedding" })
	for i := range r.Params {
		if r.Params[i].Name == "keep" {
			r.Params[i].Doc = "the state of the last epoch with the highest accuracy on the graphs learned from, or of the last epoch"
		}
	}
	r.Params = append(r.Params,
		spec.Above("loss_weight", "weight of the classifier's cross-entropy beside the dictionary's loss", gwf.DefaultWeight, 0, 1e6),
		spec.Int("hidden", "width of the classifier's hidden layer", gwf.DefaultHidden, 1, 4096),
		spec.Above("step_classifier", "step size on the classifier", gwf.DefaultStep, 0, 1e6),
		spec.Choice("class_weights", "training graphs count alike in the cross-entropy, or classes do", weightsEqual, weightsBalanced))
	return r
}

// fitSupervised predicts the classes of the test part of the cell's split.
func fitSupervised(ctx context.Context, t *method.Task) (*method.Result, error) {
	split, err := Split(t, t.Cell.Repetition)
	if err != nil {
		return nil, err
	}
	return supervise(ctx, t, split)
}

// supervise learns on all graphs, with the classes of the training part but its first inner fold. The accuracy on that fold is
// the inner one, which chooses among settings.
func supervise(ctx context.Context, t *method.Task, split *nested.Split) (*method.Result, error) {
	v := t.Params
	classes := slices.Repeat([]int{gwf.Unlabelled}, len(t.Spaces))
	learned, held := innerParts(split)
	for _, i := range learned {
		classes[i] = t.Data.Classes[i]
	}
	got, notes, err := method.TrainGWF(ctx, t, &gwf.Supervision{Classes: classes, Hidden: v.Integer("hidden"), Weight: v.Number("loss_weight"),
		Step: v.Number("step_classifier"), Balanced: v.Text("class_weights") == weightsBalanced})
	if err != nil {
		return nil, err
	}
	n, of, last := float64(Right(method.At(got.Predicted, held), t.Data.Classes, held)), float64(len(held)), len(got.EpochLoss)-1
	out := &method.Result{EpochLoss: got.EpochLoss, Notes: notes, Scores: map[string]float64{
		artifact.InnerAccuracy: n / of, artifact.InnerNumerator: n, artifact.InnerDenominator: of, artifact.Epoch: float64(got.Epoch + 1),
		artifact.LossFirst: got.EpochLoss[0], artifact.LossLast: got.EpochLoss[last], artifact.MaxMarginalError: got.Stats.MaxMarginalError,
	}, Convergence: record.Convergence{Solves: got.Stats.Couplings, CapHits: got.Stats.CapHits, Iterations: got.Stats.Steps}}
	out.Predictions = method.At(got.Predicted, split.Test)
	out.Arrays = append(got.Model.Arrays(),
		npz.Array{Name: artifact.FreeWeights, Shape: []int{len(t.Spaces), got.Model.K()}, Float: got.Z},
		npz.Array{Name: artifact.InnerByEpoch, Shape: []int{len(got.Right)}, Int: got.Right})
	return out, nil
}
