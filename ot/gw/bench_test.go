package gw_test

import (
	"fmt"
	"math/rand/v2"
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

func benchmark(b *testing.B, xs, ys []*gw.Space, alpha float64) {
	var s gw.Solver
	value, iterations := 0.0, 0
	for k := range xs { // warm the workspace
		r := must.Get(s.Solve(ctx, xs[k], ys[k], alpha, nil, nil))
		value += r.Value
		iterations += r.Iterations
	}
	b.ReportAllocs()
	k := 0
	for b.Loop() {
		s.Solve(ctx, xs[k], ys[k], alpha, nil, nil)
		k = (k + 1) % len(xs)
	}
	b.ReportMetric(value/float64(len(xs)), "objective")
	b.ReportMetric(float64(iterations)/float64(len(xs)), "iterations")
}

func pool(b *testing.B, count int, draw func() *gw.Space) []*gw.Space {
	out := make([]*gw.Space, count)
	for k := range out {
		out[k] = draw()
	}
	return out
}

// BenchmarkGW solves pairs of graphs of equal order: sparse as molecules, and
// dense as collaboration networks.
func BenchmarkGW(b *testing.B) {
	for _, n := range []int{10, 17, 20, 32, 40, 60, 126, 300} {
		rng := rand.New(rand.NewPCG(uint64(n), 1))
		count := max(2, 400/n)
		b.Run(fmt.Sprintf("sparse/order=%d", n), func(b *testing.B) {
			draw := func() *gw.Space { c, _ := ring(rng, n, 0); return space(b, c, nil, nil, 0) }
			benchmark(b, pool(b, count, draw), pool(b, count, draw), 1)
		})
		if n <= 60 {
			b.Run(fmt.Sprintf("dense/order=%d", n), func(b *testing.B) {
				draw := func() *gw.Space { return space(b, dense(rng, n), nil, nil, 0) }
				benchmark(b, pool(b, count, draw), pool(b, count, draw), 1)
			})
		}
	}
}

// BenchmarkFGW has the shapes of BZR (3 real features) and ENZYMES (18).
func BenchmarkFGW(b *testing.B) {
	for _, c := range []struct {
		name string
		n, d int
	}{{"BZR", 35, 3}, {"ENZYMES", 32, 18}} {
		b.Run(c.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(uint64(c.n), 2))
			draw := func() *gw.Space { g, a := ring(rng, c.n, c.d); return space(b, g, a, nil, c.d) }
			benchmark(b, pool(b, 20, draw), pool(b, 20, draw), 0.5)
		})
	}
}
