package classify

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/baselines/gwf"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/test/must"
)

// TestSupervisedGWFSeesNoTestLabel: other classes of the test graphs change nothing that is predicted or chosen by; those of the
// first inner fold, of 4 graphs, change the inner accuracy alone, and those of the other folds all. Rings and stars are told apart.
func TestSupervisedGWFSeesNoTestLabel(t *testing.T) {
	d := labelled(40)
	m := gwfMLP("GWF-r", gwf.RandomOrder).Method
	v, unused := m.Complete(spec.Values{"atoms": int64(3), "epochs": int64(8), "batch": int64(8)})
	if len(unused) > 0 {
		t.Fatal(unused)
	}
	spaces := must.First(source.BuildSpaces(d, v, nil))
	task := &method.Task{Params: v, Data: d, Spaces: spaces, Cell: &spec.Cell{Method: &m, Dataset: d.Name, Params: v, Seed: 1},
		Rand: func(stage string) *rand.Rand { return source.Rand(1, d.Name, 0, stage) }}
	split := must.Get(Split(task, 0))
	fit := func() *method.Result {
		return must.Get(supervise(context.Background(), task, split))
	}
	first := fit()
	right := first.Arrays[len(first.Arrays)-1].Int
	for k, i := range split.Test {
		must.Check(t, first.Predictions[k], d.Classes[i], "graph %d: class", i)
	}
	if e := int(first.Scores[artifact.Epoch]); right[e-1] != slices.Max(right) {
		t.Errorf("epoch %d of %v, %v", e, right, first.Scores)
	}
	for _, i := range split.Test {
		d.Classes[i] = 1 - d.Classes[i]
	}
	if again := fit(); !slices.Equal(again.Predictions, first.Predictions) || !slices.Equal(again.EpochLoss, first.EpochLoss) ||
		!slices.Equal(again.Arrays[len(again.Arrays)-1].Int, right) {
		t.Error("classes of test graphs matter")
	}
	for k, i := range split.Train {
		if split.Fold[k] == 0 {
			d.Classes[i] = 1 - d.Classes[i]
		}
	}
	if held := fit(); !slices.Equal(held.Predictions, first.Predictions) || held.Scores[artifact.InnerNumerator] != 4-first.Scores[artifact.InnerNumerator] {
		t.Errorf("with other classes of the first fold: inner accuracy %v", held.Scores[artifact.InnerAccuracy])
	}
	for i := range d.Classes {
		d.Classes[i] = i % 3 / 2
	}
	if other := fit(); slices.Equal(other.EpochLoss, first.EpochLoss) {
		t.Error("classes of training graphs do not matter")
	}
}
