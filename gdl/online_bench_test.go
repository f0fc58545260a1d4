package gdl_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// BenchmarkOnline is one step of the TRIANGLES stream: 4 atoms of order 17, batch
// 1, SGD with step 0.01, a detector, on graphs of like orders and edges.
// 30,000 steps in 60 s are 2 ms each.
func BenchmarkOnline(b *testing.B) {
	for _, c := range []struct {
		name string
		dim  int
	}{{"structures", 0}, {"features", 1}} {
		b.Run(c.name, func(b *testing.B) {
			rng := source(1)
			graphs := make([]*gw.Space, 500)
			for k := range graphs {
				graphs[k] = likeTriangles(rng, c.dim)
			}
			d := start(source(2), 4, 17, c.dim, 0.5)
			o := online(b, d, gdl.OnlineSettings{NonNegative: true, Detector: &gdl.ChangePointSettings{}}, nil)
			k := 0
			step := func() {
				must.Get(o.Step(context.Background(), graphs[k%len(graphs):][:1]))
				k++
			}
			for range graphs { // warms the workspace, and lets the atoms settle
				step()
			}
			b.ReportAllocs()
			for b.Loop() {
				step()
			}
			b.ReportMetric(float64(o.Stats().Iterations)/float64(o.Steps()), "iterations")
		})
	}
}

// likeTriangles draws a graph as TRIANGLES was made: uniform orders 4..25, and
// 26..100 for one in nine, between n and 2n edges; the feature is the number of
// triangles through the node.
func likeTriangles(rng *rand.Rand, dim int) *gw.Space {
	n := 4 + rng.IntN(22)
	if rng.IntN(9) == 0 {
		n = 26 + rng.IntN(75)
	}
	edges := min(int((1+rng.Float64())*float64(n)), n*(n-1)/2)
	c := make([]float64, n*n)
	for edges > 0 {
		if i, j := rng.IntN(n), rng.IntN(n); i != j && c[i*n+j] == 0 {
			c[i*n+j], c[j*n+i] = 1, 1
			edges--
		}
	}
	if dim == 0 {
		return must.Get(gw.NewSpace(c, nil, n, 0, nil))
	}
	a := make([]float64, n)
	for i := range n {
		for j := range n {
			for l := range j {
				a[i] += c[i*n+j] * c[j*n+l] * c[l*n+i]
			}
		}
	}
	return must.Get(gw.NewSpace(c, a, n, 1, nil))
}
