package gw_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ogdl/ot/gw"
)

// raw is a graph as numbers, before it is a space.
type raw struct {
	c, a, p []float64
	d       int
}

// times is the graph with structure and features s times as large.
func (g raw) times(t rapid.TB, s float64) *gw.Space {
	c, a := make([]float64, len(g.c)), make([]float64, len(g.a))
	for k, x := range g.c {
		c[k] = s * x
	}
	for k, x := range g.a {
		a[k] = s * x
	}
	return space(t, c, a, g.p, g.d)
}

// Kinds of graphs: those of zeros and ones have many ties, the others none.
const (
	molecules = iota
	cliques
	noise
	weighted
)

// drawRaw draws a graph of a kind with d features, and weights of its own or uniform ones.
func drawRaw(rng *rand.Rand, kind, n, d int, uniform bool) raw {
	c, a, p := noisy(rng, n, d, uniform)
	switch kind {
	case molecules:
		c, _ = ring(rng, n, 0)
	case cliques:
		c = dense(rng, n)
	case weighted:
		for i := range n {
			for j := range i {
				c[i*n+j] = rng.Float64()
				c[j*n+i] = c[i*n+j]
			}
		}
	}
	return raw{c, a, p, d}
}

// drawGraphs draws between least and greatest graphs of one kind, with ties or of those
// without, and alpha.
func drawGraphs(t *rapid.T, least, greatest int, ties bool) (graphs []raw, alpha float64) {
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
		graphs = append(graphs, drawRaw(rng, kind, rapid.IntRange(small, 14).Draw(t, "n"), d, uniform))
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
	if len(got) != len(want) {
		t.Fatalf("%s: %d entries, expected %d", what, len(got), len(want))
	}
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
		want := solve(t, g[0].times(t, 1), g[1].times(t, 1), alpha, nil, nil)
		got := solve(t, g[0].times(t, s), g[1].times(t, s), alpha, nil, nil)
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

// ended are rules that stop where nothing is left to gain: coarser ones may stop one step earlier at another scale, since
// rounding decides at their threshold.
var ended = gw.Settings{TolRel: 1e-13, TolAbs: -1}

// TestAnyScale holds it up to rounding where there are no ties, for one start and for
// several.
func TestAnyScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g, alpha := drawGraphs(t, 2, 2, false)
		s := math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "power of ten"))
		starts := rapid.IntRange(1, 3).Draw(t, "starts")
		set := func() *gw.Settings {
			s := ended
			s.Starts, s.Rand = starts, rand.New(rand.NewPCG(1, 2))
			return &s
		}
		want := solve(t, g[0].times(t, 1), g[1].times(t, 1), alpha, nil, set())
		got := solve(t, g[0].times(t, s), g[1].times(t, s), alpha, nil, set())
		if v := got.Value / (s * s); math.Abs(v-want.Value) > 1e-9*(want.Value+1e-3) {
			t.Fatalf("scale %v: value %v of s^2, expected %v", s, v, want.Value)
		}
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
		want := proximal(t, &p, g[0].times(t, 1), g[1].times(t, 1), alpha, nil, set)
		got := proximal(t, &q, g[0].times(t, s), g[1].times(t, s), alpha, nil, by)
		if got.Iterations != want.Iterations || got.Sweeps != want.Sweeps || got.Status != want.Status {
			t.Fatalf("scale %v: %v after %d steps, expected %v after %d", s, got.Status, got.Iterations, want.Status, want.Iterations)
		}
		sameBits(t, "coupling", got.T, want.T, 1)
		sameBits(t, "value", one(got.Value), one(want.Value), s*s)
	})
}

// baryTimes is the barycentre of all graphs but the last, from the last, all s times as
// large.
func baryTimes(t rapid.TB, g []raw, alpha, s float64, set *gw.BarycentreSettings) gw.BarycentreResult {
	q := bary{alpha: alpha, start: g[len(g)-1].times(t, s)}
	for _, x := range g[:len(g)-1] {
		q.graphs = append(q.graphs, x.times(t, s))
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
		var g []raw
		for range 4 {
			x := drawRaw(rng, weighted, 3+rng.IntN(8), 2, false)
			for k := range x.a {
				x.a[k] = float64(rng.IntN(64)) / 16
			}
			g = append(g, x)
		}
		value, bary := 0.0, 0.0
		for _, offset := range []float64{0, 1, 1e4, 1e6, 1e8} {
			moved := make([]raw, len(g))
			for i, x := range g {
				moved[i] = x
				moved[i].a = make([]float64, len(x.a))
				for k, v := range x.a {
					moved[i].a[k] = v + offset
				}
			}
			v := solve(t, moved[0].times(t, 1), moved[1].times(t, 1), 0.5, nil, nil).Value
			b := baryTimes(t, moved, 0.5, 1, nil).Value
			if offset == 0 {
				value, bary = v, b
				continue
			}
			if v != value {
				t.Errorf("features moved by %v: value %v, expected %v", offset, v, value)
			}
			if math.Abs(b-bary) > 1e-9*bary {
				t.Errorf("features moved by %v: barycentre at %v, expected %v", offset, b, bary)
			}
		}
	}
}
