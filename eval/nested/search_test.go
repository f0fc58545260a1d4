package nested_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ogdl/eval/nested"
	"ogdl/eval/svm"
	"ogdl/internal/test/must"
)

var ctx = context.Background()

// rational is the kernel s / (s + |x - z|^2), s one of widths, of the points of testdata/nested.json; gamma is the place in widths.
func rational(points [][]int, widths ...float64) nested.Kernel {
	n := len(points)
	return func(gamma float64) ([]float64, error) {
		K, s := make([]float64, n*n), widths[int(gamma)]
		for i, x := range points {
			for j, z := range points {
				d := 0
				for l := range x {
					d += (x[l] - z[l]) * (x[l] - z[l])
				}
				K[i*n+j] = s / (s + float64(d))
			}
		}
		return K, nil
	}
}

func released(t testing.TB, labels []int, seed uint32) *nested.Split {
	t.Helper()
	return must.Get(nested.Released(labels, seed, nested.Folds))
}

func search(t testing.TB, kernel nested.Kernel, labels []int, s *nested.Split, set *nested.Settings) *nested.Result {
	t.Helper()
	return must.Get(nested.Search(ctx, kernel, labels, s, set))
}

// same reports whether two results agree but for what the test labels say.
func same(a, b *nested.Result) bool {
	return a.C == b.C && a.Gamma == b.Gamma && a.Inner.Cmp(b.Inner) == 0 && a.Fits == b.Fits && a.Capped == b.Capped &&
		slices.Equal(a.Predictions, b.Predictions) && slices.Equal(a.Table, b.Table)
}

// TestSearch compares with nested searches through scikit-learn: choices, the exact inner accuracies of all settings, predictions. The
// first has a tie between kernels and between C.
func TestSearch(t *testing.T) {
	ref := load(t)
	for _, want := range ref.Searches {
		s := released(t, ref.Labels, want.Seed)
		r := search(t, rational(ref.Points, 4, 32, 256), ref.Labels, s, &nested.Settings{C: ref.C, Gamma: []float64{0, 1, 2}})
		if r.C != want.C || r.Gamma != float64(want.Kernel) || r.Inner.RatString() != want.Inner {
			t.Errorf("seed %d: C %v, kernel %v, inner accuracy %v; want %v, %v, %v", want.Seed, r.C, r.Gamma, r.Inner, want.C, want.Kernel, want.Inner)
		}
		must.Same(t, r.Predictions, want.Predictions, "seed %d: predictions", want.Seed)
		correct := 0
		for k, i := range s.Test {
			if want.Predictions[k] == ref.Labels[i] {
				correct++
			}
		}
		if r.Correct != correct || r.Accuracy != float64(correct)/float64(len(s.Test)) || r.Fits != len(want.Table)*nested.Folds+1 {
			t.Errorf("seed %d: %d right, accuracy %v, %d fits", want.Seed, r.Correct, r.Accuracy, r.Fits)
		}
		for k, text := range want.Table {
			inner, ok := new(big.Rat).SetString(text)
			if f, _ := inner.Float64(); !ok || r.Table[k] != f {
				t.Errorf("seed %d, setting %d: %v, want %v", want.Seed, k, r.Table[k], text)
			}
		}
		// The order of the lists plays no part in the choice.
		back := search(t, rational(ref.Points, 4, 32, 256), ref.Labels, s,
			&nested.Settings{C: backwards(ref.C), Gamma: []float64{2, 0, 1}})
		if back.C != r.C || back.Gamma != r.Gamma || !slices.Equal(back.Predictions, r.Predictions) {
			t.Errorf("seed %d: C %v, gamma %v where the lists run backwards", want.Seed, back.C, back.Gamma)
		}
	}
}

// TestTestLabels: the labels of the test part change no choice and no prediction.
func TestTestLabels(t *testing.T) {
	ref := load(t)
	kernel, set := rational(ref.Points, 4, 32), &nested.Settings{C: ref.C, Gamma: []float64{0, 1}}
	rng := rand.New(rand.NewPCG(1, 1))
	for seed := range uint32(3) {
		s := released(t, ref.Labels, seed)
		want := search(t, kernel, ref.Labels, s, set)
		for round := range 4 {
			labels := slices.Clone(ref.Labels)
			rng.Shuffle(len(s.Test), func(i, j int) {
				labels[s.Test[i]], labels[s.Test[j]] = labels[s.Test[j]], labels[s.Test[i]]
			})
			if round == 3 {
				for _, i := range s.Test {
					labels[i] = 1000 + i // classes that are nowhere else
				}
			}
			got := search(t, kernel, labels, s, set)
			if !same(got, want) {
				t.Fatalf("seed %d: other test labels, another choice or prediction", seed)
			}
			if round == 3 && got.Correct != 0 {
				t.Errorf("%d right of classes that are nowhere else", got.Correct)
			}
		}
	}
}

// TestPermutedExamples: naming the examples otherwise changes nothing.
func TestPermutedExamples(t *testing.T) {
	ref := load(t)
	n := len(ref.Labels)
	order := rand.New(rand.NewPCG(3, 1)).Perm(n) // example i becomes order[i]
	points, labels := make([][]int, n), make([]int, n)
	for i, p := range order {
		points[p], labels[p] = ref.Points[i], ref.Labels[i]
	}
	s := released(t, ref.Labels, 1)
	renamed := &nested.Split{Fold: s.Fold}
	for _, i := range s.Train {
		renamed.Train = append(renamed.Train, order[i])
	}
	for _, i := range s.Test {
		renamed.Test = append(renamed.Test, order[i])
	}
	set := &nested.Settings{C: ref.C, Gamma: []float64{0, 1}}
	a, b := search(t, rational(ref.Points, 4, 32), ref.Labels, s, set), search(t, rational(points, 4, 32), labels, renamed, set)
	if !same(a, b) || a.Correct != b.Correct {
		t.Error("renamed examples, another answer")
	}
}

// TestExact: of settings whose mean shares are equal fractions the smaller C wins, though sums of floats tell them apart.
func TestExact(t *testing.T) {
	right, size := []int{1, 2, 3}, []int{10, 10, 10}
	mean := func() int {
		d, err := nested.Denominator(size)
		if err != nil || d != 30 {
			t.Fatalf("denominator %d, %v", d, err)
		}
		return nested.Numerator(right, size, d)
	}
	a := mean()
	forward := floatMean(right, size)
	slices.Reverse(right)
	slices.Reverse(size)
	b := mean()
	if forward == floatMean(right, size) {
		t.Error("the sums of floats do not differ, this example shows nothing")
	}
	if a != 6 || b != 6 {
		t.Errorf("means %d/30 and %d/30, want 1/5", a, b)
	}
	if d, err := nested.Denominator([]int{1e7 + 19, 1e7 + 79}); err != nil || d != 2*(1e7+19)*(1e7+79) {
		t.Errorf("denominator of large folds %d, %v", d, err)
	}
	if _, err := nested.Denominator([]int{1e9 + 9, 1e9 + 21}); err == nil {
		t.Error("a denominator that float64 does not hold")
	}
}

// TestCapped: fits at the cap are counted, the last one too.
func TestCapped(t *testing.T) {
	ref := load(t)
	r := search(t, rational(ref.Points, 4), ref.Labels, released(t, ref.Labels, 0),
		&nested.Settings{C: []float64{1, 1000}, Gamma: []float64{0}, SVM: svm.Settings{MaxIter: 5}})
	if r.Fits != 21 || r.Capped != 21 {
		t.Errorf("%d of %d fits at the cap", r.Capped, r.Fits)
	}
}

// TestSearchErrors: what is wrong is named.
func TestSearchErrors(t *testing.T) {
	ref := load(t)
	good := rational(ref.Points, 4, 32)
	with := func(gamma float64, at int, x float64) nested.Kernel {
		return func(g float64) ([]float64, error) {
			K, err := good(g)
			if g == gamma {
				K[at] = x
			}
			return K, err
		}
	}
	n := len(ref.Labels)
	s := released(t, ref.Labels, 0)
	change := func(f func(*nested.Split)) *nested.Split {
		c := &nested.Split{Train: slices.Clone(s.Train), Test: slices.Clone(s.Test), Fold: slices.Clone(s.Fold)}
		f(c)
		return c
	}
	oneClass := slices.Clone(ref.Labels)
	for _, i := range s.Train {
		oneClass[i] = 3
	}
	boom := errors.New("boom")
	ended, cancel := context.WithCancel(ctx)
	cancel()
	set := func(C, gamma []float64) *nested.Settings { return &nested.Settings{C: C, Gamma: gamma} }
	grid := set([]float64{1, 10}, []float64{0, 1})
	for _, c := range []struct {
		ctx    context.Context
		kernel nested.Kernel
		labels []int
		split  *nested.Split
		set    *nested.Settings
		want   string
	}{
		{ctx, with(1, 3*n+5, math.NaN()), ref.Labels, s, grid, "the kernel of gamma 1: K[3,5] is NaN"},
		{ctx, with(0, 0, math.Inf(1)), ref.Labels, s, grid, "the kernel of gamma 0: K[0,0] is +Inf"},
		{ctx, with(0, s.Train[0]*n+s.Train[1], 2), ref.Labels, s, grid, "symmetric"},
		{ctx, func(float64) ([]float64, error) { return nil, boom }, ref.Labels, s, grid, "the kernel of gamma 0: boom"},
		{ctx, func(float64) ([]float64, error) { return make([]float64, 4), nil }, ref.Labels, s, grid, "has 4 entries, expected 90 x 90"},
		{ctx, good, nil, s, grid, "no labels"},
		{ctx, good, ref.Labels[:50], s, grid, "expected an example below 50"},
		{ctx, good, oneClass, s, grid, "gamma 0, inner fold 0: svm: all examples (72) are of class 3"},
		{ctx, good, ref.Labels, change(func(s *nested.Split) { s.Test[0] = s.Train[0] }), grid, "Test[0] is " + fmt.Sprint(s.Train[0])},
		{ctx, good, ref.Labels, change(func(s *nested.Split) { s.Train[2] = -1 }), grid, "Train[2] is -1"},
		{ctx, good, ref.Labels, change(func(s *nested.Split) { s.Fold[1] = -1 }), grid, "Fold[1] is -1"},
		{ctx, good, ref.Labels, change(func(s *nested.Split) { s.Fold = s.Fold[1:] }), grid, "Fold has 80 entries"},
		{ctx, good, ref.Labels, change(func(s *nested.Split) { clear(s.Fold) }), grid, "1 inner folds in Fold"},
		{ctx, good, ref.Labels, change(func(s *nested.Split) { s.Fold[0] = 12 }), grid, "inner fold 10 is empty"},
		{ctx, good, ref.Labels, change(func(s *nested.Split) { s.Test = nil }), grid, "the test part is empty"},
		{ctx, good, ref.Labels, s, set([]float64{1, 0}, nil), "C[1] is 0"},
		{ctx, good, ref.Labels, s, set([]float64{1, 2, 1}, nil), "C[2] is 1, which C has already"},
		{ctx, good, ref.Labels, s, set([]float64{}, nil), "C is empty"},
		{ctx, good, ref.Labels, s, set(nil, []float64{math.NaN()}), "Gamma[0] is NaN"},
		{ctx, good, ref.Labels, s, set(nil, []float64{}), "Gamma is empty"},
		{ctx, good, ref.Labels, s, &nested.Settings{C: []float64{1}, Gamma: []float64{0}, SVM: svm.Settings{Tol: -1}}, "Tol is -1"},
		{ended, good, ref.Labels, s, grid, "context canceled"},
		{ctx, nil, ref.Labels, s, grid, "kernel is nil"},
		{ctx, good, ref.Labels, nil, grid, "split is nil"},
	} {
		_, err := nested.Search(c.ctx, c.kernel, c.labels, c.split, c.set)
		if err == nil || !strings.HasPrefix(err.Error(), "nested: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	if _, err := nested.Search(ctx, func(float64) ([]float64, error) { return nil, boom }, ref.Labels, s, grid); !errors.Is(err, boom) {
		t.Errorf("%v is not the kernel's error", err)
	}
}

// TestExponential: exp(-gamma D), with 0 for what is nearly 0.
func TestExponential(t *testing.T) {
	kernel := must.Get(nested.Exponential([]float64{0, 2, 1e-15, 2, -1e-16, 4, 1e-15, 4, 0}, 3))
	K, err := kernel(.5)
	if want := []float64{1, math.Exp(-1), 1, math.Exp(-1), 1, math.Exp(-2), 1, math.Exp(-2), 1}; err != nil || !slices.Equal(K, want) {
		t.Errorf("%v %v, want %v", K, err, want)
	}
	if _, err := kernel(0); err == nil {
		t.Error("no error of gamma 0")
	}
	for _, c := range []struct {
		D    []float64
		want string
	}{
		{[]float64{0, 1, 1}, "has 3 entries"},
		{[]float64{0, 1, math.NaN(), 0}, "D[1,0] is NaN"},
		{[]float64{0, 1, 2, 0}, "symmetric"},
		{[]float64{0, -1, -1, 0}, "D[1,0] is -1"},
	} {
		must.Fail(t, must.Err(nested.Exponential(c.D, 2)), strings.Replace(c.want, "has", "have", 1))
	}
}

func backwards(x []float64) []float64 {
	x = slices.Clone(x)
	slices.Reverse(x)
	return x
}

func floatMean(right, size []int) float64 {
	sum := 0.0
	for k, n := range right {
		sum += float64(n) / float64(size[k])
	}
	return sum / float64(len(size))
}
