package gw_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// TestLargeLabels: one-hot labels so large that no mass may change its label. Where
// both graphs have as many nodes of each label the size of the labels does not
// matter: couplings, values and gaps are those of labels of size 1000.
// With the default tolerances they are so to 1e-5.
func TestLargeLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 2))
	var s gw.Solver
	off := 0
	const pairs, labels, alpha = 100, 4, 0.5
	for pair := range pairs {
		n := 12 + rng.IntN(20)
		solve := func(c1, c2 []float64, l1, l2 []int, size float64, set *gw.Settings) gw.Result {
			space := func(c []float64, label []int) *gw.Space {
				a := make([]float64, n*labels)
				for i, l := range label {
					a[i*labels+l] = size
				}
				return must.Get(gw.NewSpace(c, a, n, labels, nil))
			}
			r := must.Get(s.Solve(ctx, space(c1, l1), space(c2, l2), alpha, nil, set))
			return r.Clone()
		}
		c1, c2 := gwtest.Symmetric(n, rng.Float64), gwtest.Symmetric(n, rng.Float64)
		l1, l2 := make([]int, n), make([]int, n)
		for i, j := range rng.Perm(n) {
			l1[i] = rng.IntN(labels)
			l2[j] = l1[i]
		}
		exact := &gw.Settings{TolRel: 1e-12, TolAbs: -1}
		want, got := solve(c1, c2, l1, l2, 1e3, exact), solve(c1, c2, l1, l2, 1e6, exact)
		if quick := solve(c1, c2, l1, l2, 1e6, nil); !(math.Abs(quick.Value-want.Value) <= 1e-5*want.Value) {
			t.Errorf("pair %d: value %v with the default tolerances, %v without", pair, quick.Value, want.Value)
		}
		if !(math.Abs(got.Value-want.Value) <= 1e-12) || !(got.Gap <= 1e-9+want.Gap) {
			off++
			t.Logf("pair %d: value %v, gap %v; with labels of size 1000 %v, %v", pair, got.Value, got.Gap, want.Value, want.Gap)
		}
		for k, x := range got.T {
			if x > 0 && l1[k/n] != l2[k%n] {
				t.Fatalf("pair %d: mass %v changes its label", pair, x)
			}
		}
	}
	if off > 0 {
		t.Errorf("%d of %d pairs differ", off, pairs)
	}
}
