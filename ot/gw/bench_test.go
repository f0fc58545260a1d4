package gw_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// ring draws a molecule-like graph: a path with rings, degree about 2.2, and d
// features per node.
func ring(rng *rand.Rand, n, d int) (c, a []float64) {
	c = make([]float64, n*n)
	link := func(i, j int) { c[i*n+j], c[j*n+i] = 1, 1 }
	for i := 1; i < n; i++ {
		link(i, i-1-rng.IntN(min(i, 2)))
	}
	for i := 5; i < n; i += 6 {
		link(i, i-5)
	}
	a = make([]float64, n*d)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	return c, a
}

// dense draws a graph like those of IMDB: a few overlapping cliques.
func dense(rng *rand.Rand, n int) []float64 {
	c := make([]float64, n*n)
	for range 3 {
		var in []int
		for i := range n {
			if rng.Float64() < 0.55 {
				in = append(in, i)
			}
		}
		for _, i := range in {
			for _, j := range in {
				if i != j {
					c[i*n+j] = 1
				}
			}
		}
	}
	return c
}

// cases are the shapes of benchmarks: sparse as molecules, dense as collaboration networks, and with the
// real features of BZR (3) and ENZYMES (18).
func cases(b *testing.B, run func(b *testing.B, x, y *gw.Space, alpha float64)) {
	for _, c := range []struct {
		name string
		n, d int
	}{
		{"sparse/order=17", 17, 0}, {"sparse/order=32", 32, 0}, {"sparse/order=126", 126, 0}, {"sparse/order=300", 300, 0},
		{"dense/order=10", 10, 0}, {"dense/order=60", 60, 0}, {"BZR", 35, 3}, {"ENZYMES", 32, 18},
	} {
		b.Run(c.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(uint64(c.n), 1))
			alpha, graphs := 1.0, make([]*gw.Space, max(4, 800/c.n))
			for k := range graphs {
				structure, a := ring(rng, c.n, c.d)
				if strings.HasPrefix(c.name, "dense") {
					structure = dense(rng, c.n)
				}
				graphs[k] = space(b, structure, a, nil, c.d)
			}
			if c.d > 0 {
				alpha = 0.5
			}
			b.ReportAllocs()
			for k := 0; b.Loop(); k++ {
				run(b, graphs[k%len(graphs)], graphs[(k+1)%len(graphs)], alpha)
			}
		})
	}
}

// BenchmarkGW solves pairs of graphs of equal order.
func BenchmarkGW(b *testing.B) {
	var s gw.Solver
	cases(b, func(b *testing.B, x, y *gw.Space, alpha float64) { must.Get(s.Solve(ctx, x, y, alpha, nil, nil)) })
}

// BenchmarkProximal solves the same pairs by 50 proximal steps of 5 sweeps, or fewer where T stops to change by 1e-5.
func BenchmarkProximal(b *testing.B) {
	var s gw.Proximal
	set := &gw.ProximalSettings{Gamma: 0.1, Tol: 1e-5}
	cases(b, func(b *testing.B, x, y *gw.Space, alpha float64) { must.Get(s.Solve(ctx, x, y, alpha, nil, set)) })
}
