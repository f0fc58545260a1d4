package protocol

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/datasets"
	"ogdl/experiments/internal/classify"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/test/must"
)

var ctx = context.Background()

// points are n points of two classes on a line, which mostly tell the classes, and their distances.
func points(rng *rand.Rand, n int) (classes []int, distances []float64) {
	classes, distances = make([]int, n), make([]float64, n*n)
	x := make([]float64, n)
	for i := range x {
		classes[i] = i % 2
		x[i] = float64(classes[i]) + 0.6*rng.NormFloat64()
	}
	for i := range x {
		for j := range x {
			distances[i*n+j] = math.Abs(x[i] - x[j])
		}
	}
	return classes, distances
}

func task(classes []int, repetition int, scale string) *method.Task {
	return &method.Task{
		Params: spec.Values{"C": "0.1 1 10 1000", "gamma": "0.25 1 4", "svm_iterations": int64(1e6), "distance_scale": scale, "folds": "released"},
		Data:   &datasets.Dataset{Graphs: make([]datasets.Graph, len(classes)), Classes: classes, ClassValues: []int{0, 1}},
		Cell:   &spec.Cell{Dataset: "POINTS", Repetition: repetition},
	}
}

// classified evaluates the distances.
func classified(t *testing.T, of *method.Task, distances []float64) *method.Result {
	t.Helper()
	out := &method.Result{Distances: distances, Scores: map[string]float64{}}
	must.Do(t, predict(ctx, of, out))
	return out
}

// TestTestLabelsAreNotSeen: other classes of the test part change no prediction, no choice and no inner accuracy.
func TestTestLabelsAreNotSeen(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	classes, distances := points(rng, 120)
	of := task(classes, 3, classify.ScaleNone)
	split := must.Get(classify.Split(of, of.Cell.Repetition))
	var before *method.Result
	var predictions []int
	for round := range 4 {
		out := &method.Result{Distances: distances, Scores: map[string]float64{}}
		got := must.Get(search(ctx, of, split, out))
		if before == nil {
			before, predictions = out, got
		}
		must.Same(t, got, predictions, "round %d: other predictions", round)
		for name, v := range before.Scores {
			must.Check(t, out.Scores[name], v, "round %d: %s", round, name)
		}
		must.Same(t, out.Arrays[0].Int, before.Arrays[0].Int, "round %d: other inner accuracies", round)
		of.Data.Classes = slices.Clone(classes)
		for _, i := range split.Test {
			of.Data.Classes[i] = rng.IntN(2)
		}
	}
}

// TestLabelsWithoutMeaning: classes that are dealt anew are predicted no better than by chance.
func TestLabelsWithoutMeaning(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 2))
	classes, distances := points(rng, 120)
	mean := func(deal bool) (sum float64) {
		const rounds = 20
		for r := range rounds {
			if deal {
				rng.Shuffle(len(classes), func(i, j int) { classes[i], classes[j] = classes[j], classes[i] })
			}
			sum += classified(t, task(classes, r, classify.ScaleNone), distances).Scores[artifact.Accuracy] / rounds
		}
		return sum
	}
	if a := mean(false); a < 0.7 {
		t.Errorf("accuracy %v with classes that the points tell", a)
	}
	// 240 predictions: a standard error of 0.032 at 0.5.
	if a := mean(true); a < 0.4 || a > 0.6 {
		t.Errorf("accuracy %v with classes that nothing tells, the majority's is 0.5", a)
	}
}

// TestDistanceScale: a scale that divides by the maximum or the median takes the unit of distances away; without one a power of two moves gamma.
func TestDistanceScale(t *testing.T) {
	classes, distances := points(rand.New(rand.NewPCG(3, 3)), 100)
	far := make([]float64, len(distances))
	for i, d := range distances {
		far[i] = 4 * d
	}
	for _, scale := range []string{classify.ScaleNone, classify.ScaleMax, classify.ScaleMedian} {
		of := task(classes, 0, scale)
		near := classified(t, of, distances)
		if scale == classify.ScaleNone {
			of.Params["gamma"] = "0.0625 0.25 1"
			near.Scores[artifact.ChosenGamma] /= 4
		}
		got := classified(t, of, far)
		for name, v := range near.Scores {
			must.Check(t, got.Scores[name], v, "%s: %s", scale, name)
		}
	}
	if d := scaled([]float64{0, 2, 6, 2, 0, 3, 6, 3, 0}, 3, classify.ScaleMedian); d[2] != 2 {
		t.Errorf("by the median: %v", d)
	}
	if d := scaled(make([]float64, 9), 3, classify.ScaleMax); d[1] != 0 {
		t.Errorf("equal graphs: %v", d)
	}
}

// TestBadKernels: what no SVM takes is an error that says what is wrong.
func TestBadKernels(t *testing.T) {
	classes, _ := points(rand.New(rand.NewPCG(4, 4)), 60)
	n := len(classes)
	with := func(i, j int, x float64) []float64 {
		K := make([]float64, n*n)
		K[i*n+j] = x
		return K
	}
	for want, out := range map[string]*method.Result{
		"K[3,4] is NaN, expected a finite number":  {Kernel: with(3, 4, math.NaN())},
		"D[5,6] is +Inf, expected a finite number": {Distances: with(5, 6, math.Inf(1))},
		"expected a symmetric matrix":              {Distances: with(7, 1, 2)},
		"expected 60 x 60":                         {Kernel: make([]float64, 9)},
		"the classes of 2 of 6 test graphs":        {Predictions: []int{0, 1}},
		"D[1,0] is -1, expected":                   {Distances: func() []float64 { D := with(0, 1, -1); D[n] = -1; return D }()},
	} {
		must.Fail(t, predict(ctx, task(classes, 0, classify.ScaleNone), out), want)
	}
	few := task([]int{0, 0, 0, 1, 1}, 0, classify.ScaleNone)
	must.Fail(t, predict(ctx, few, &method.Result{}), "POINTS: ")
	few.Data.Classes = nil
	must.Fail(t, predict(ctx, few, &method.Result{}), "no classes")
}

// TestMajority: the levels are those of the training part's and of the data's largest class.
func TestMajority(t *testing.T) {
	classes := make([]int, 100)
	for i := range 30 {
		classes[3*i] = 1
	}
	of := task(classes, 1, classify.ScaleNone)
	split := must.Get(classify.Split(of, of.Cell.Repetition))
	out := &method.Result{Predictions: make([]int, len(split.Test)), Scores: map[string]float64{}}
	must.Do(t, predict(ctx, of, out))
	for name, want := range map[string]float64{artifact.Accuracy: 0.7, artifact.Majority: 0.7, artifact.MajorityAll: 0.7, artifact.TestSize: 10} {
		must.Check(t, out.Scores[name], want, "%s", name)
	}
}
