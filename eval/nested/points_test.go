package nested_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/eval/nested"
	"ogdl/internal/test/must"
)

// clouds are points of three classes, in the plane, and behind them as many without labels, whose classes are known here.
func clouds(n int, apart float64, scale float64) (points []float64, labels, hidden []int) {
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range 2 * n {
		class := i % 3
		points = append(points, scale*(apart*float64(class)+rng.NormFloat64()), scale*rng.NormFloat64())
		if i < n {
			labels = append(labels, 10*class)
		} else {
			hidden = append(hidden, 10*class)
		}
	}
	return points, labels, hidden
}

func draws() *rand.Rand { return rand.New(rand.NewPCG(5, 6)) }

func share(a, b []int) float64 {
	n := 0
	for i := range a {
		if a[i] == b[i] {
			n++
		}
	}
	return float64(n) / float64(len(a))
}

// TestClassify: classes that are apart are told, with an interval that holds the accuracy on points that nobody has seen; those that
// are not apart are not; neither unlabelled points nor the scale of the coordinates plays a part.
func TestClassify(t *testing.T) {
	t.Parallel()
	few := &nested.Settings{C: []float64{0.1, 10, 1000}, Gamma: []float64{0.1, 1, 10}}
	points, labels, hidden := clouds(60, 2.5, 1)
	got := must.Get(nested.Classify(t.Context(), points, 2, labels, draws(), few))
	if got.Accuracy != share(got.HeldOut, labels) || got.Folds != 10 || !(math.Abs(got.Majority-1.0/3) <= 1e-12) {
		t.Errorf("%+v", got)
	}
	if seen := share(got.Unlabelled, hidden); got.Accuracy < 0.75 || seen < got.Low || seen > got.High || got.High-got.Low > 0.4 {
		t.Errorf("accuracy %v in [%v, %v], on the others %v", got.Accuracy, got.Low, got.High, seen)
	}
	apart, classes, _ := clouds(12, 100, 1)
	sure := must.Get(nested.Classify(t.Context(), apart[:24], 2, classes, draws(), few))
	if sure.Accuracy != 1 || !(math.Abs(sure.Low-0.735) < 0.001) || sure.High != 1 {
		t.Errorf("12 of 12 right have the interval [%v, %v]", sure.Low, sure.High)
	}
	alone, err := nested.Classify(t.Context(), points[:120], 2, labels, draws(), few)
	if err != nil || alone.Accuracy != got.Accuracy || !slices.Equal(alone.HeldOut, got.HeldOut) || alone.Unlabelled != nil {
		t.Errorf("without unlabelled points %+v, %v", alone, err)
	}
	scaled, _, _ := clouds(60, 2.5, 1<<20)
	large, err := nested.Classify(t.Context(), scaled, 2, labels, draws(), few)
	if err != nil || fmt.Sprint(large) != fmt.Sprint(got) {
		t.Errorf("in other units %+v, %v", large, err)
	}
	points, labels, _ = clouds(60, 0, 1)
	none, err := nested.Classify(t.Context(), points, 2, labels, draws(), few)
	if err != nil || none.Low > 1.0/3 || none.Accuracy > 0.55 {
		t.Errorf("nothing to tell: %+v, %v", none, err)
	}
	same, err := nested.Classify(t.Context(), make([]float64, 120), 2, labels, draws(), few)
	if err != nil || same.Accuracy > 0.4 {
		t.Errorf("equal points: %+v, %v", same, err)
	}
}

// TestClassifyRejects: what cannot be classified is an error that says why.
func TestClassifyRejects(t *testing.T) {
	t.Parallel()
	points, labels, _ := clouds(30, 1, 1)
	bad := slices.Clone(points)
	bad[3] = math.NaN()
	near := slices.Clone(points)
	for i := range near {
		near[i] *= 1e-170
	}
	for want, call := range map[string]func() error{
		"expected rows of 2":    func() error { return must.Err(nested.Classify(t.Context(), points[:9], 2, labels, draws(), nil)) },
		"1e-150 at least":       func() error { return must.Err(nested.Classify(t.Context(), near, 2, labels, draws(), nil)) },
		"no finite number":      func() error { return must.Err(nested.Classify(t.Context(), bad, 2, labels, draws(), nil)) },
		"two at least":          func() error { return must.Err(nested.Classify(t.Context(), points, 2, make([]int, 30), draws(), nil)) },
		"it has 3":              func() error { return must.Err(nested.Classify(t.Context(), points, 2, labels[:9], draws(), nil)) },
		"src is nil":            func() error { return must.Err(nested.Classify(t.Context(), points, 2, labels, nil, nil)) },
		"expected two at least": func() error { return must.Err(nested.Classify(t.Context(), points, 2, nil, draws(), nil)) },
	} {
		must.Fail(t, call(), want)
	}
}

// ExampleClassify tells two classes on a line apart.
func ExampleClassify() {
	points := []float64{0, 1, 2, 3, 4, 10, 11, 12, 13, 14, 2.5, 12.5}
	labels := []int{0, 0, 0, 0, 0, 1, 1, 1, 1, 1}
	c, err := nested.Classify(context.Background(), points, 1, labels, rand.New(rand.NewPCG(1, 1)), nil)
	if err != nil {
		panic(err)
	}
	fmt.Printf("%.0f %% right, the last two are of classes %v\n", 100*c.Accuracy, c.Unlabelled)
	// Output: 100 % right, the last two are of classes [0 1]
}
