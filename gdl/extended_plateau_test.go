package gdl_test

import (
	"context"
	"math"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// cycle is the adjacency of the cycle through these nodes, in their order.
func cycle(nodes ...int) []float64 {
	n := len(nodes)
	c := make([]float64, n*n)
	for i, a := range nodes {
		b := nodes[(i+1)%n]
		c[a*n+b], c[b*n+a] = 1, 1
	}
	return c
}

// A hexagon folds onto a square whose sides, the pairs of nodes that do not touch,
// weigh 1/2 each, at 1/3 + 1/2 - 2/3. The objective is flat, at 1/2, from the product
// coupling to the vertex that the first step of coupling and node weights goes to.
func TestExtendedLeavesPlateaus(t *testing.T) {
	hexagon := must.Get(gw.NewSpace(cycle(0, 1, 2, 3, 5, 4), nil, 6, 0, nil))
	square := cycle(0, 1, 3, 2)
	d := &gdl.Dictionary{S: 2, N: 4, Alpha: 1, C: [][]float64{square, square},
		H: [][]float64{{0.25, 0, 0.5, 0.25}, {0.25, 0.5, 0, 0.25}}}
	x := must.Get(gdl.NewUnmixer(d))
	for _, step := range []gdl.WStep{gdl.Exact, gdl.FullyCorrective} {
		e := must.Get(x.Unmix(context.Background(), hexagon, &gdl.UnmixSettings{WStep: step}))
		if e.Status != gdl.Converged || !(math.Abs(e.Objective-1.0/6) <= 1e-9) {
			t.Errorf("objective %v, %v after %d iterations, trace %v; the fold has 1/6", e.Objective, e.Status, e.Iterations, e.Trace)
		}
		at := gw.Objective(hexagon, must.Get(d.Model(e.W, e.V)), 1, e.T)
		must.Within(t, e.Objective, at, 1e-12, "objective, and at the coupling")
	}
}
