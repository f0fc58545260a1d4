package spectral

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw/gwtest"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/lapack/gonum"
)

// Distances at which affinities all but vanish leave blocks of entries near 1e-200 in the
// Laplacian.
func TestBlocksOfTinyNorm(t *testing.T) {
	const n, k = 12, 3
	for _, far := range []float64{300, 345, 400, 460, 700} {
		dist := make([]float64, n*n)
		for i := range n {
			for j := range n {
				switch {
				case i == j:
				case i/4 == j/4:
					dist[i*n+j] = far + float64(i+j)
				default:
					dist[i*n+j] = 1e4
				}
			}
		}
		e := must.Get(Embed(context.Background(), dist, n, k, 1))
		for _, x := range append(e.Vectors, e.Eigenvalues...) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("distance %v: %v", far, e)
			}
		}
	}
}

// randomSymmetric is the lower triangle of an n x n matrix; what is above it is not
// to be looked at.
func randomSymmetric(n int) []float64 {
	rng := rand.New(rand.NewPCG(uint64(n), 1))
	a := make([]float64, n*n)
	for i := range n {
		for j := range n {
			a[i*n+j] = math.NaN()
			if j <= i {
				a[i*n+j] = rng.NormFloat64()
			}
		}
	}
	return a
}

// TestReduce: going block by block changes no bit of what LAPACK gives.
func TestReduce(t *testing.T) {
	for _, n := range []int{1, 2, 5, 31, 32, 33, 63, 64, 65, 96, 97, 150} {
		run := func(of func(a, d, e, tau []float64)) []float64 {
			a, d, e, tau := randomSymmetric(n), make([]float64, n), make([]float64, n-1), make([]float64, max(1, n-1))
			of(a, d, e, tau)
			for i := range n { // the lower triangle
				d = append(d, a[i*n:i*n+i+1]...)
			}
			return slices.Concat(d, e, tau)
		}
		got := run(func(a, d, e, tau []float64) {
			must.Do(t, reduce(context.Background(), n, a, d, e, tau))
		})
		want := run(func(a, d, e, tau []float64) {
			work := make([]float64, 64*n)
			gonum.Implementation{}.Dsytrd(blas.Lower, n, a, n, d, e, tau, work, len(work))
		})
		for i := range want {
			if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
				t.Fatalf("n = %d: number %d is %v, want %v", n, i, got[i], want[i])
			}
		}
	}
}

// TestEmbedStops: wherever the context ends, its error comes back, and it is asked
// once in 32 columns and once for each vector.
func TestEmbedStops(t *testing.T) {
	const n, k = 200, 3
	rng := rand.New(rand.NewPCG(1, 1))
	dist := gwtest.Symmetric(n, func() float64 { return 1 + rng.Float64() })
	const asked = (n-32+31)/32 + 1 + k
	for left := range asked {
		if _, err := Embed(must.EndAfter(left), dist, n, k, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("after %d: %v", left, err)
		}
	}
	must.Do(t, must.Err(Embed(must.EndAfter(asked), dist, n, k, 1)))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Cluster(ctx, dist, n, k, 1, nil, rng); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

// TestFullStops: whoever waits for the full decomposition need not.
func TestFullStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	hold, over := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(over)
		if _, _, err := full(ctx, 1, 1, func([]float64) { <-hold }); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}()
	cancel()
	<-over
	close(hold)
	must.Panic(t, "no", map[string]func(){"full": func() { full(context.Background(), 1, 1, func([]float64) { panic("no") }) }})
}

// TestEigenvalues: a matrix of equal entries has one eigenvalue other than 0, in every order and at every scale.
func TestEigenvalues(t *testing.T) {
	for n, entry := range map[int]float64{1: 1, 2: 1, 5: 1e-300, 6: 1e307, 40: 1e-40, 70: 1} {
		values, err := Eigenvalues(context.Background(), slices.Repeat([]float64{entry}, n*n), n)
		if err != nil || len(values) != n {
			t.Fatal(values, err)
		}
		for k, v := range values {
			want := 0.0
			if k == n-1 {
				want = float64(n)
			}
			must.Within(t, v/entry, want, 1e-12*float64(n), "n = %d: eigenvalue %d", n, k)
		}
	}
	var none context.Context
	must.Fail(t, must.Err(Eigenvalues(none, []float64{1}, 1)), "ctx is nil")
	for text, A := range map[string][]float64{"order 0": nil, "overflows": {1.7e308, 0, 1.7e308, 1.7e308}, "size NaN": {math.NaN()}, "size +Inf": {0, 0, math.Inf(1), 0}} {
		must.Fail(t, must.Err(Eigenvalues(context.Background(), A, int(math.Sqrt(float64(len(A)))))), text)
	}
}
