package ot

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/internal/vec"
)

// TestWidePivots compares the kernel for wide masks with pivotWide, pivot by pivot.
func TestWidePivots(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, shape := range [][2]int{{64, 65}, {100, 40}, {40, 100}, {126, 126}, {128, 128}, {11, 245}} {
		n, m := shape[0], shape[1]
		a, b, ld := uniform(n), uniform(m), (m+3)&^3
		M := make([]float64, n*ld)
		for k := range M {
			M[k] = float64(rng.IntN(1000)) / 7 // with ties
		}
		var x, y Solver
		for _, s := range []*Solver{&x, &y} {
			must.Do(t, s.Reset(a, b))
			s.setCosts(M, ld)
			s.northWest(a, b)
			s.initPi()
		}
		v, pivots := y.prices(), 0
		for i, clean := 0, 0; clean < n; pivots++ {
			var row, done int
			row, clean, done = vec.Pivots(x.tree.c, x.ld, n, len(x.prices()), x.pi, x.node, x.wide, &x.path, 1e-9, math.Inf(1), i, 1)
			j := 0
			if i, j, _ = vec.Price(y.tree.c, y.ld, v, y.pi[:n], 1e-9, i, 0); j >= 0 {
				if done == 0 && clean == 0 {
					t.Skip("no kernel here")
				}
				y.pivotWide(i, n+j, y.tree.c[i*y.ld+j]-v[j]+y.pi[i])
				i = (i + 1) % n
			}
			if done != 1 && clean < n || (clean < n && row != i) && done == 0 {
				t.Fatalf("%d x %d: %d pivots, %d clean", n, m, done, clean)
			}
			for k := range x.node {
				if x.node[k].Parent != y.node[k].Parent || x.node[k].Flow != y.node[k].Flow || !slices.Equal(x.mask(k), y.mask(k)) ||
					math.Float64bits(x.pi[k]) != math.Float64bits(y.pi[k]) {
					t.Fatalf("%d x %d: node %d differs after %d pivots", n, m, k, pivots)
				}
			}
		}
		if pivots < 50 {
			t.Errorf("%d x %d: only %d pivots", n, m, pivots)
		}
	}
}
