package svm_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ogdl/eval/svm"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

var ctx = context.Background()

var manyC = []float64{1e-7, 1e-3, .1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6, 1e7}

// blobs is a kernel exp(-gamma |x - z|) of n points in k overlapping classes 0..k-1.
func blobs(n, k int, gamma float64, seed uint64) (K []float64, labels []int) {
	rng := rand.New(rand.NewPCG(seed, 2))
	const d = 6
	x := make([]float64, n*d)
	labels = make([]int, n)
	for i := range n {
		labels[i] = i % k
		for j := range d {
			x[i*d+j] = rng.NormFloat64()
		}
		x[i*d+labels[i]%d] += 2
	}
	K = make([]float64, n*n)
	for i := range n {
		for j := range n {
			sum := 0.0
			for l := range d {
				e := x[i*d+l] - x[j*d+l]
				sum += e * e
			}
			K[i*n+j] = math.Exp(-gamma * math.Sqrt(sum))
		}
	}
	return K, labels
}

func fit(t testing.TB, K []float64, labels []int, C float64) *svm.Model {
	t.Helper()
	return must.Get(svm.Fit(ctx, K, labels, C, nil))
}

func predict(t testing.TB, m *svm.Model, K []float64) []int {
	t.Helper()
	return must.Get(m.Predict(K))
}

// same reports whether two models agree in every bit.
func same(a, b *svm.Model) bool {
	return slices.Equal(a.Labels, b.Labels) && slices.EqualFunc(a.Pairs, b.Pairs, func(p, q svm.Pair) bool {
		return p.First == q.First && p.Second == q.Second && slices.Equal(p.Support, q.Support) && slices.Equal(p.Coef, q.Coef) &&
			p.Rho == q.Rho && p.Iterations == q.Iterations && p.Status == q.Status
	})
}

// TestShared: a problem that fits many C, in any order, and that held other kernels before, gives the models of fresh fits. It
// takes no other way where the bound plays a part, and does not work where it plays none.
func TestShared(t *testing.T) {
	var p svm.Problem
	known := 0
	for _, size := range []struct {
		n, classes int
		gamma      float64
	}{{60, 2, 4}, {90, 4, .5}, {40, 2, .01}, {80, 2, .2}} {
		K, labels := blobs(size.n, size.classes, size.gamma, 1)
		must.Do(t, p.Reset(K, labels, nil))
		order := append(slices.Clone(manyC), 1e7, 1e-3, 1e6, 10, 1e4)
		for _, C := range order {
			got := must.Get(p.Fit(ctx, C, nil))
			if !same(got, fit(t, K, labels, C)) {
				t.Errorf("%d examples, C %v: not the model of a fresh fit", size.n, C)
			}
			known += p.Known(10 * C)
		}
	}
	if known < 10 {
		t.Errorf("only %d fits were known beforehand", known)
	}
}

// TestOptimal holds machines to the conditions of optimality, with Q in single precision.
func TestOptimal(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 60).Draw(t, "n")
		K, labels := blobs(n, 2, rapid.SampledFrom([]float64{.01, .3, 5}).Draw(t, "gamma"), rapid.Uint64().Draw(t, "seed"))
		C := rapid.SampledFrom(manyC[:8]).Draw(t, "C")
		m := must.Get(svm.Fit(ctx, K, labels, C, nil))
		pair, a := &m.Pairs[0], make([]float64, n)
		sum, scale := 0.0, 0.0
		for k, r := range pair.Support {
			a[r] = pair.Coef[k]
			sum += a[r]
			scale += math.Abs(a[r])
		}
		if !(math.Abs(sum) <= 1e-12*scale) {
			t.Errorf("y'a is %v", sum)
		}
		slack := 1e-3 + 1e-7*scale // of Tol, and of K in single precision
		for i := range n {
			f, y := pair.Decision(K[i*n:(i+1)*n]), 1-2*float64(labels[i])
			switch a := a[i] * y; {
			case a < 0 || a > C:
				t.Errorf("a is %v, C %v", a, C)
			case a < C && y*f < 1-slack:
				t.Errorf("y f is %v at a = %v, which could grow to %v", y*f, a, C)
			case a > 0 && y*f > 1+slack:
				t.Errorf("y f is %v at a = %v, which could shrink", y*f, a)
			}
		}
	})
}

// TestScale: K times a power of two and C over it is the same problem, to the last bit.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, classes := rapid.IntRange(6, 50).Draw(t, "n"), rapid.IntRange(2, 4).Draw(t, "classes")
		K, labels := blobs(n, classes, rapid.Float64Range(.01, 5).Draw(t, "gamma"), rapid.Uint64().Draw(t, "seed"))
		C, s := rapid.SampledFrom(manyC).Draw(t, "C"), math.Ldexp(1, rapid.IntRange(-20, 20).Draw(t, "power"))
		scaled := slices.Clone(K)
		for i := range scaled {
			scaled[i] *= s
		}
		a, errA := svm.Fit(ctx, K, labels, C, &svm.Settings{MaxIter: 20000})
		b, errB := svm.Fit(ctx, scaled, labels, C/s, &svm.Settings{MaxIter: 20000})
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		for k := range a.Pairs {
			p, q := &a.Pairs[k], &b.Pairs[k]
			if p.Iterations != q.Iterations || p.Rho != q.Rho || !slices.Equal(p.Support, q.Support) {
				t.Fatalf("pair %d: %d and %d iterations, offsets %v and %v", k, p.Iterations, q.Iterations, p.Rho, q.Rho)
			}
		}
		x, errA := a.Predict(K)
		y, errB := b.Predict(scaled)
		if errA != nil || errB != nil || !slices.Equal(x, y) {
			t.Errorf("predictions %v and %v %v %v", x, y, errA, errB)
		}
	})
}

// TestPermuted: another order of the examples gives the same answers, within Tol; the same order by rows the same bits.
func TestPermuted(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, classes := rapid.IntRange(6, 50).Draw(t, "n"), rapid.IntRange(2, 3).Draw(t, "classes")
		K, labels := blobs(n, classes, rapid.Float64Range(.1, 5).Draw(t, "gamma"), rapid.Uint64().Draw(t, "seed"))
		order := rapid.Permutation(upTo(n)).Draw(t, "order")
		permuted, names := make([]float64, n*n), make([]int, n)
		for i, r := range order {
			names[i] = labels[r]
			for j, c := range order {
				permuted[i*n+j] = K[r*n+c]
			}
		}
		var byRows, original, other svm.Problem
		must.Do(t, errors.Join(byRows.Reset(K, labels, order), other.Reset(permuted, names, nil), original.Reset(K, labels, nil)))
		const C = 3
		a, errA := byRows.Fit(ctx, C, nil)
		b, errB := other.Fit(ctx, C, nil)
		c, errC := original.Fit(ctx, C, nil)
		must.Do(t, errors.Join(errA, errB, errC))
		for k := range a.Pairs {
			if a.Pairs[k].Rho != b.Pairs[k].Rho || !slices.Equal(a.Pairs[k].Coef, b.Pairs[k].Coef) {
				t.Fatalf("pair %d: rows in an order and a permuted matrix differ", k)
			}
			for i := range n {
				row := K[i*n : (i+1)*n]
				if f, g := a.Pairs[k].Decision(row), c.Pairs[k].Decision(row); !(math.Abs(f-g) <= .02) {
					t.Errorf("pair %d, example %d: %v and %v in another order", k, i, f, g)
				}
			}
		}
	})
}

// TestExtremes: where all examples look alike, or none like another, the answer is the larger class; equal
// examples get one answer.
func TestExtremes(t *testing.T) {
	const n = 30
	K, labels := blobs(n, 2, 1, 1)
	for i := range 20 {
		labels[i] = 0
	}
	rows := upTo(n - 2)
	labels[n-1], labels[n-2] = 0, 1
	for _, power := range []float64{1e-12, 1e3} {
		kernel := slices.Clone(K)
		for i, x := range kernel {
			kernel[i] = math.Pow(x, power)
		}
		var p svm.Problem
		must.Do(t, p.Reset(kernel, labels, rows))
		for _, C := range []float64{1e-7, .1, 1} {
			m := must.Get(p.Fit(ctx, C, nil))
			if got := predict(t, m, kernel[(n-2)*n:]); got[0] != 0 || got[1] != 0 {
				t.Errorf("gamma %v, C %v: %v, want the larger class", power, C, got)
			}
		}
	}
	// Two equal examples, one of them in training with either label.
	K, labels = blobs(n, 2, 1, 2)
	for j := range n {
		K[(n-1)*n+j] = K[(n-2)*n+j]
		K[j*n+n-1] = K[j*n+n-2]
	}
	K[n*n-1] = 1
	for range 2 {
		labels[n-1] = 1 - labels[n-1]
		if got := predict(t, fit(t, K, labels, 10), K[(n-2)*n:]); got[0] != got[1] {
			t.Errorf("equal examples are of classes %v", got)
		}
	}
}

// TestAllocations: nothing is allocated after the first fit of a size.
func TestAllocations(t *testing.T) {
	K, labels := blobs(90, 3, .3, 1)
	var p svm.Problem
	row, at := K[:90], 0
	step := func() {
		must.Do(t, p.Reset(K, labels, nil))
		m := must.Get(p.Fit(ctx, manyC[at%len(manyC)], nil))
		must.Get(m.Label(row))
		at++
	}
	must.Check(t, testing.AllocsPerRun(2*len(manyC), step), 0, "allocations a fit")
}

// TestErrors: what is wrong is named.
func TestErrors(t *testing.T) {
	good := []float64{1, .5, .2, .5, 1, .1, .2, .1, 1}
	with := func(i int, x float64) []float64 {
		K := slices.Clone(good)
		K[i] = x
		return K
	}
	y := []int{0, 1, 1}
	for _, c := range []struct {
		K      []float64
		labels []int
		rows   []int
		C      float64
		set    *svm.Settings
		want   string
	}{
		{good[:8], y, nil, 1, nil, "has 8 entries, expected 3 x 3"},
		{good, y[:2], nil, 1, nil, "has 9 entries, expected 2 x 2"},
		{nil, nil, nil, 1, nil, "no examples"},
		{good, y, []int{}, 1, nil, "no examples"},
		{good, y, []int{0, 3}, 1, nil, "rows[1] is 3"},
		{good, y, []int{-1}, 1, nil, "rows[0] is -1"},
		{good, []int{4, 4, 4}, nil, 1, nil, "all examples (3) are of class 4"},
		{good, y, []int{1, 2}, 1, nil, "all examples (2) are of class 1"},
		{with(5, math.NaN()), y, nil, 1, nil, "K[1,2] is NaN"},
		{with(6, math.Inf(-1)), y, nil, 1, nil, "K[2,0] is -Inf"},
		{with(0, 1e39), y, nil, 1, nil, "K[0,0] is 1e+39"},
		{with(1, .4), y, nil, 1, nil, "symmetric"},
		{good, y, nil, 0, nil, "C is 0"},
		{good, y, nil, -1, nil, "C is -1"},
		{good, y, nil, math.NaN(), nil, "C is NaN"},
		{good, y, nil, math.Inf(1), nil, "C is +Inf"},
		{good, y, nil, 1, &svm.Settings{Tol: -1}, "Tol is -1"},
		{good, y, nil, 1, &svm.Settings{Tol: math.NaN()}, "Tol is NaN"},
		{good, y, nil, 1, &svm.Settings{MaxIter: -1}, "MaxIter is -1"},
	} {
		var p svm.Problem
		err := p.Reset(c.K, c.labels, c.rows)
		if err == nil {
			_, err = p.Fit(ctx, c.C, c.set)
		} else if _, later := p.Fit(ctx, 1, nil); later == nil {
			t.Errorf("%q: a fit after the failed Reset", c.want)
		}
		if err == nil || !strings.HasPrefix(err.Error(), "svm: ") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", err, c.want)
		}
	}
	// What rows leave out is not looked at.
	var p svm.Problem
	must.Do(t, p.Reset(with(8, math.NaN()), []int{0, 1, 7}, []int{0, 1}))
	// Numbers that leave their range.
	must.Do(t, must.Err(svm.Fit(ctx, []float64{1, .5, .5, 1}, []int{0, 1}, math.MaxFloat64, nil)))
	big := []float64{-3e38, 3e38, 3e38, -3e38}
	var none context.Context
	must.Fail(t, must.Err(svm.Fit(none, []float64{1, 0, 0, 1}, []int{0, 1}, 1, nil)), "ctx is nil")
	if m, err := svm.Fit(ctx, big, []int{0, 1}, 1e300, nil); err == nil {
		t.Errorf("no error, rho %v", m.Pairs[0].Rho)
	}
	m := fit(t, good, y, 1)
	must.Fail(t, must.Err(m.Label([]float64{math.NaN(), 1, 1})), "example 0 is NaN")
	must.Fail(t, must.Err(m.Predict(append(slices.Clone(good), 0, 0, math.Inf(1)))), "row 3: ")
	must.Panic(t, "", map[string]func(){"a row too short": func() { _, _ = m.Label(good[:2]) }})
}

// TestStops: a context that ends stops a fit, a long one soon.
func TestStops(t *testing.T) {
	K, labels := blobs(40, 2, 1e-6, 1)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := svm.Fit(ended, K, labels, 1, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	var p svm.Problem
	must.Do(t, p.Reset(K, labels, nil))
	if _, err := p.Fit(must.EndAfter(3), 1e7, &svm.Settings{Tol: 1e-12, MaxIter: svm.Uncapped}); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	m, err := p.Fit(ctx, 1, nil)
	if err != nil || !same(m, fit(t, K, labels, 1)) {
		t.Errorf("after a fit that was stopped: %v, or another model", err)
	}
}
