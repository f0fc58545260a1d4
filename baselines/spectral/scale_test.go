package spectral_test

import (
	"math"
	"slices"
	"testing"

	"ogdl/baselines/spectral"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

// TestScale holds that distances go with the scale of structures and features, to the last
// bit for a power of two, and up to rounding for others where there are no ties; and that
// clusters follow, if gamma goes with its inverse.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := newRand(rapid.Uint64().Draw(t, "seed"))
		ties := rapid.Bool().Draw(t, "ties")
		d := rapid.IntRange(0, 2).Draw(t, "d")
		alpha := 1.0
		if d > 0 {
			alpha = float64(rapid.IntRange(0, 16).Draw(t, "alpha")) / 16
		}
		power := ties || rapid.Bool().Draw(t, "power of two")
		var s float64
		if power {
			s = math.Ldexp(1, rapid.OneOf(rapid.IntRange(-20, 20), rapid.IntRange(-300, 300)).Draw(t, "exponent"))
		} else {
			s = math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "power of ten"))
		}
		n := rapid.IntRange(2, 8).Draw(t, "graphs")
		var graphs, scaled []*gw.Space
		for range n {
			order := 3 + rng.IntN(6)
			c, a := gwtest.Symmetric(order, rng.Float64), gwtest.Slice(order*d, rng.NormFloat64)
			if ties {
				for k, x := range c {
					c[k] = math.Round(x)
				}
			}
			g := must.Get(gw.NewSpace(c, a, order, d, nil))
			graphs, scaled = append(graphs, g), append(scaled, must.Get(gw.NewSpace(gwtest.Times(c, s), gwtest.Times(a, s), order, d, nil)))
		}
		want, _ := must.Get2(gw.Pairwise(ctx, graphs, alpha, nil, 1))
		got, _ := must.Get2(gw.Pairwise(ctx, scaled, alpha, nil, 1))
		for k, v := range want {
			off := math.Abs(got[k]/s*(got[k]/s) - v*v)
			if power && got[k] != float64(s*v) || off > 1e-9*(v*v+1e-3) {
				t.Fatalf("scale %v: distance %v s, expected %v", s, got[k]/s, v)
			}
		}
		if !power {
			return
		}
		label := func(dist []float64, gamma float64) []int {
			r := must.Get(spectral.Cluster(ctx, dist, n, 2, gamma, nil, newRand(1)))
			return r.Labels
		}
		if a, b := label(want, 3), label(got, 3/s); !slices.Equal(a, b) {
			t.Fatalf("scale %v: labels %v, expected %v", s, b, a)
		}
	})
}
