package gw_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

func normals(rng *rand.Rand, n int, by float64) []float64 {
	a := make([]float64, n)
	for i := range a {
		a[i] = by * rng.NormFloat64()
	}
	return a
}

// molecule draws a molecule-like graph without features.
func molecule(rng *rand.Rand, n int) []float64 {
	c, _ := ring(rng, n, 0)
	return c
}

// BenchmarkProximal solves an atom against a graph: 50 steps of 5 sweeps, or
// fewer where T stops to change by 1e-5.
func BenchmarkProximal(b *testing.B) {
	for _, q := range []struct {
		name  string
		n, d  int
		by    float64
		draw  func(*rand.Rand, int) []float64
		alpha float64
	}{
		{"imdb", 10, 0, 0, dense, 1},
		{"imdb", 13, 0, 0, dense, 1},
		{"mutag", 17, 7, 1, molecule, 0.9},
		{"enzymes", 32, 18, 1, molecule, 0.5},
		{"protein", 39, 29, 1, molecule, 0.5},
		{"raw", 32, 18, 100, molecule, 0.5},
	} {
		for _, gamma := range []float64{1, 0.1, 0.01, 0.001} {
			for _, tol := range []float64{-1, 1e-5} {
				b.Run(fmt.Sprintf("%s/order=%d/gamma=%v/tol=%v", q.name, q.n, gamma, tol), func(b *testing.B) {
					rng := rand.New(rand.NewPCG(1, 2))
					var xs, ys []*gw.Space
					for range 30 {
						xs = append(xs, space(b, dense(rng, q.n), normals(rng, q.n*q.d, q.by), nil, q.d))
						ys = append(ys, space(b, q.draw(rng, q.n), normals(rng, q.n*q.d, q.by), nil, q.d))
					}
					var s gw.Proximal
					set := &gw.ProximalSettings{Gamma: gamma, Tol: tol}
					steps, k := 0, 0
					b.ReportAllocs()
					for b.Loop() {
						r := must.Get(s.Solve(ctx, xs[k%len(xs)], ys[k%len(ys)], q.alpha, nil, set))
						steps += r.Iterations
						k++
					}
					b.ReportMetric(float64(steps)/float64(b.N), "steps/op")
				})
			}
		}
	}
}
