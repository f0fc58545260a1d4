package gw_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

// Kinds of graphs: those of zeros and ones have many ties, the others none.
const (
	molecules = iota
	cliques
	noise
	weighted
)

// drawGraph draws a graph of a kind with d features, and weights of its own or uniform ones.
func drawGraph(t rapid.TB, rng *rand.Rand, kind, n, d int, uniform bool) *gw.Space {
	g := noisy(rng, n, d, uniform)
	c := gwtest.Structure(g)
	switch kind {
	case molecules:
		c, _ = ring(rng, n, 0)
	case cliques:
		c = dense(rng, n)
	case weighted:
		c = gwtest.Symmetric(n, rng.Float64)
	}
	return space(t, c, g.A(), g.P(), d)
}

// drawGraphs draws between least and greatest graphs of one kind, with ties or of those
// without, and alpha.
func drawGraphs(t *rapid.T, least, greatest int, ties bool) (graphs []*gw.Space, alpha float64) {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 9))
	from, small := noise, 3 // two nodes may always be swapped
	if ties {
		from, small = molecules, 1
	}
	kind := rapid.IntRange(from, weighted).Draw(t, "kind")
	d := rapid.IntRange(0, 3).Draw(t, "d")
	if alpha = 1; d > 0 {
		alpha = float64(rapid.IntRange(0, 16).Draw(t, "alpha")) / 16
	}
	uniform := rapid.Bool().Draw(t, "uniform")
	for range rapid.IntRange(least, greatest).Draw(t, "graphs") {
		graphs = append(graphs, drawGraph(t, rng, kind, rapid.IntRange(small, 14).Draw(t, "n"), d, uniform))
	}
	return graphs, alpha
}

// powers draws a power of two, to the ends of what spaces take.
func powers(t *rapid.T) float64 {
	return math.Ldexp(1, rapid.OneOf(rapid.IntRange(-20, 20), rapid.IntRange(-300, 300)).Draw(t, "exponent"))
}

// sameBits fails unless got is want times by, entry by entry, to the last bit.
func sameBits(t rapid.TB, what string, got, want []float64, by float64) {
	t.Helper()
	must.Equal(t, len(got), len(want), "%s: entries", what)
	for k, x := range want {
		if got[k] != float64(by*x) {
			t.Fatalf("%s: entry %d is %v, expected %v times %v", what, k, got[k], by, x)
		}
	}
}

func one(x float64) []float64 { return []float64{x} }

// TestPowersOfTwo holds that scale changes nothing but the unit, to the last bit: ties are
// broken alike, and every tolerance follows.
func TestPowersOfTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, alpha := drawGraphs(t, 2, 2, true)
		s := powers(t)
		want := solve(t, gwtest.Changed(g[0], 1, nil), gwtest.Changed(g[1], 1, nil), alpha, nil, nil)
		got := solve(t, gwtest.Changed(g[0], s, nil), gwtest.Changed(g[1], s, nil), alpha, nil, nil)
		if got.Iterations != want.Iterations || got.Status != want.Status {
			t.Fatalf("scale %v: %v after %d iterations, expected %v after %d", s, got.Status, got.Iterations, want.Status, want.Iterations)
		}
		sameBits(t, "coupling", got.T, want.T, 1)
		sameBits(t, "value", one(got.Value), one(want.Value), s*s)
		sameBits(t, "gap", one(got.Gap), one(want.Gap), s*s)
		sameBits(t, "u", got.U, want.U, s*s)
		sameBits(t, "v", got.V, want.V, s*s)
	})
}

// TestProximalPowersOfTwo is TestPowersOfTwo with gamma in the unit of the objective.
func TestProximalPowersOfTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, alpha := drawGraphs(t, 2, 2, true)
		s := powers(t)
		set := gw.ProximalSettings{Gamma: math.Pow(10, rapid.Float64Range(-4, 1).Draw(t, "log gamma")), Round: rapid.Bool().Draw(t, "round")}
		by := set
		by.Gamma *= s * s
		var p, q gw.Proximal
		want := proximal(t, &p, gwtest.Changed(g[0], 1, nil), gwtest.Changed(g[1], 1, nil), alpha, nil, set)
		got := proximal(t, &q, gwtest.Changed(g[0], s, nil), gwtest.Changed(g[1], s, nil), alpha, nil, by)
		if got.Iterations != want.Iterations || got.Sweeps != want.Sweeps || got.Status != want.Status {
			t.Fatalf("scale %v: %v after %d steps, expected %v after %d", s, got.Status, got.Iterations, want.Status, want.Iterations)
		}
		sameBits(t, "coupling", got.T, want.T, 1)
		sameBits(t, "value", one(got.Value), one(want.Value), s*s)
	})
}

// TestPairwisePowersOfTwo is TestPowersOfTwo for the distances of all pairs.
func TestPairwisePowersOfTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, alpha := drawGraphs(t, 2, 8, true)
		s := powers(t)
		var once, scaled []*gw.Space
		for _, x := range g {
			once, scaled = append(once, gwtest.Changed(x, 1, nil)), append(scaled, gwtest.Changed(x, s, nil))
		}
		want, _ := must.Get2(gw.Pairwise(ctx, once, alpha, nil, 1))
		got, _ := must.Get2(gw.Pairwise(ctx, scaled, alpha, nil, 1))
		sameBits(t, "distances", got, want, s)
	})
}

// baryTimes is the barycentre of all graphs but the last, from the last, all s times as
// large.
func baryTimes(t rapid.TB, g []*gw.Space, alpha, s float64, set *gw.BarycentreSettings) gw.BarycentreResult {
	q := bary{alpha: alpha, start: gwtest.Changed(g[len(g)-1], s, nil)}
	for _, x := range g[:len(g)-1] {
		q.graphs = append(q.graphs, gwtest.Changed(x, s, nil))
	}
	return barycentre(t, q, set)
}

func TestBarycentrePowersOfTwo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, alpha := drawGraphs(t, 2, 4, true)
		s := powers(t)
		want, got := baryTimes(t, g, alpha, 1, nil), baryTimes(t, g, alpha, s, nil)
		if got.Iterations != want.Iterations || got.GWIterations != want.GWIterations || got.Status != want.Status {
			t.Fatalf("scale %v: %v after %d rounds, expected %v after %d", s, got.Status, got.Iterations, want.Status, want.Iterations)
		}
		sameBits(t, "trace", got.Trace, want.Trace, s*s)
		sameBits(t, "value", one(got.Value), one(want.Value), s*s)
		c, _ := got.Space.C()
		d, _ := want.Space.C()
		sameBits(t, "structure", c, d, s)
		sameBits(t, "features", got.Space.A(), want.Space.A(), s)
		for k := range want.Couplings {
			sameBits(t, "coupling", got.Couplings[k], want.Couplings[k], 1)
		}
	})
}

// TestFarFeatures moves all features far from zero: no tolerance follows them there.
func TestFarFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 9))
	for range 20 {
		var g []*gw.Space
		for range 4 {
			x := drawGraph(t, rng, weighted, 3+rng.IntN(8), 2, false)
			g = append(g, gwtest.Changed(x, 1, func(a []float64) []float64 {
				return gwtest.Slice(len(a), func() float64 { return float64(rng.IntN(64)) / 16 })
			}))
		}
		value, bary := 0.0, 0.0
		for _, offset := range []float64{0, 1, 1e4, 1e6, 1e8} {
			moved := make([]*gw.Space, len(g))
			for i, x := range g {
				moved[i] = gwtest.Changed(x, 1, func(a []float64) []float64 {
					b := slices.Clone(a)
					for k := range b {
						b[k] += offset
					}
					return b
				})
			}
			v := solve(t, gwtest.Changed(moved[0], 1, nil), gwtest.Changed(moved[1], 1, nil), 0.5, nil, nil).Value
			b := baryTimes(t, moved, 0.5, 1, nil).Value
			if offset == 0 {
				value, bary = v, b
				continue
			}
			must.Check(t, v, value, "features moved by %v: value", offset)
			must.Within(t, b, bary, 1e-9*bary, "features moved by %v: barycentre at", offset)
		}
	}
}
