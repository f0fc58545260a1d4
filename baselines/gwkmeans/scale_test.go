package gwkmeans_test

import (
	"math"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

// cloud draws some graphs, of zeros and ones (with ties) or of weighted edges, and returns them with
// structure and features s times as large and features moved by offset. Features have
// 16 binary places, so that a move rounds nothing.
func cloud(t *rapid.T, ties bool) (at func(s, offset float64) []*gw.Space, k int, alpha float64, seed uint64) {
	seed = rapid.Uint64().Draw(t, "seed")
	d := rapid.IntRange(0, 2).Draw(t, "d")
	if alpha = 1; d > 0 {
		alpha = float64(rapid.IntRange(0, 16).Draw(t, "alpha")) / 16
	}
	rng := source(seed)
	var cs, as [][]float64
	var orders []int
	one := rapid.IntRange(3, 14).Draw(t, "order")
	for range rapid.IntRange(2, 8).Draw(t, "graphs") {
		n := one // a graph spread over more nodes has equal ones
		if ties {
			n = rapid.IntRange(1, 8).Draw(t, "n")
		}
		draw := rng.Float64
		if ties {
			draw = gwtest.ZeroOne(rng)
		}
		c, a := gwtest.Symmetric(n, draw), gwtest.Slice(n*d, func() float64 { return float64(rng.IntN(1<<18)) / (1 << 16) })
		cs, as, orders = append(cs, c), append(as, a), append(orders, n)
	}
	at = func(s, offset float64) (graphs []*gw.Space) {
		for i := range cs {
			a := slices.Clone(as[i])
			for k := range a {
				a[k] = s * (a[k] + offset)
			}
			graphs = append(graphs, space(t, gwtest.Times(cs[i], s), a, orders[i], d, nil))
		}
		return graphs
	}
	return at, rapid.IntRange(1, len(cs)).Draw(t, "k"), alpha, seed
}

// TestPowersOfTwo holds that scale changes nothing but the unit, to the last bit.
func TestPowersOfTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, k, alpha, seed := cloud(t, rapid.Bool().Draw(t, "ties"))
		s := math.Ldexp(1, rapid.OneOf(rapid.IntRange(-20, 20), rapid.IntRange(-250, 250)).Draw(t, "exponent"))
		want, got := cluster(t, at(1, 0), k, alpha, nil, seed), cluster(t, at(s, 0), k, alpha, nil, seed)
		if !slices.Equal(got.Labels, want.Labels) || got.Iterations != want.Iterations || got.Solves != want.Solves ||
			got.GWIterations != want.GWIterations || got.BarycentreRounds != want.BarycentreRounds || got.Refills != want.Refills {
			t.Fatalf("scale %v: another course: labels %v, %d solves, expected %v, %d", s, got.Labels, got.Solves, want.Labels, want.Solves)
		}
		must.Equal(t, got.Inertia, float64(s*s*want.Inertia), "scale %v: inertia %v s^2", s, want.Inertia)
		must.Near(t, "trace", got.Trace, gwtest.Times(want.Trace, s*s), 0)
		for i, x := range want.Centroids {
			must.Near(t, "centroid", gwtest.Structure(got.Centroids[i]), gwtest.Times(gwtest.Structure(x), s), 0)
		}
	})
}

// TestFarFeatures moves all features far from zero: no tolerance follows them there.
func TestFarFeatures(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		at, k, alpha, seed := cloud(t, false)
		offset := rapid.SampledFrom([]float64{1, 1e4, 1e6, 1e8}).Draw(t, "offset")
		want, got := cluster(t, at(1, 0), k, alpha, nil, seed), cluster(t, at(1, offset), k, alpha, nil, seed)
		if !slices.Equal(got.Labels, want.Labels) || !(math.Abs(got.Inertia-want.Inertia) <= 1e-9*(want.Inertia+1e-3)) {
			t.Fatalf("features moved by %v: inertia %v and labels %v, expected %v and %v", offset, got.Inertia, got.Labels, want.Inertia, want.Labels)
		}
	})
}
