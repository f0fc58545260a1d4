package gdl_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

// far draws a dictionary whose node weights differ widely; some are zero.
func far(rng *rand.Rand, s, n, dim int, alpha float64) *gdl.Dictionary {
	d := must.Get(gdl.Extend(start(rng, s, n, dim, alpha), rng))
	for s := range d.H {
		d.H[s] = gwtest.Weights(rng, n, 0.2)
		if n > 2 && rng.IntN(2) == 0 {
			k, l := rng.IntN(n-1), n-1
			d.H[s][l] += d.H[s][k]
			d.H[s][k] = 0
		}
	}
	return d
}

// binary draws 0/1 graphs with node weights, where most costs tie.
func binary(rng *rand.Rand, count, low, high, dim int) []*gw.Space {
	graphs := make([]*gw.Space, count)
	for k := range graphs {
		n := low + rng.IntN(high-low+1)
		c := gwtest.Symmetric(n, gwtest.ZeroOne(rng))
		a := gwtest.Slice(n*dim, gwtest.ZeroOne(rng))
		var p []float64
		if k%3 == 1 {
			p = gwtest.Weights(rng, n, 0.2)
			p[0] += p[n-1]
			p[n-1] = 0
		}
		graphs[k] = space(c, a, n, dim, p)
	}
	return graphs
}

// What an unmixing returns is what it says: a coupling, weights on the simplex,
// their objective, and a trace that never rises.
func TestUnmixHoldsItsContract(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		rng := source(rapid.Uint64().Draw(t, "seed"))
		s, n, dim := rapid.IntRange(1, 6).Draw(t, "S"), rapid.IntRange(1, 9).Draw(t, "N"), rapid.IntRange(0, 2).Draw(t, "D")
		alpha := rapid.SampledFrom([]float64{0, 1e-3, 0.5, 0.9, 1}).Draw(t, "alpha")
		draw := rapid.SampledFrom([]func(*rand.Rand, int, int, int, int) []*gw.Space{noisy, binary, kernels}).Draw(t, "graphs")
		graphs := draw(rng, 3, 2, 12, dim)
		d := far(rng, s, n, dim, alpha)
		switch rapid.IntRange(0, 3).Draw(t, "weights") {
		case 1:
			d = must.Get(gdl.Extend(start(rng, s, n, dim, alpha), rng))
		case 2:
			for k := range d.H {
				d.H[k] = d.H[0]
			}
		case 3:
			d.Q, d.H = d.H[0], nil
		}
		set := &gdl.UnmixSettings{
			Lambda: rapid.SampledFrom([]float64{0, 1e-3, 0.1, 0.3}).Draw(t, "lambda"),
			WStep:  rapid.SampledFrom([]gdl.WStep{gdl.Exact, gdl.ConditionalGradient, gdl.FullyCorrective}).Draw(t, "step"),
			Starts: gdl.Starts()[:rapid.IntRange(0, 3).Draw(t, "starts")],
		}
		if d.H != nil {
			set.Mu = rapid.SampledFrom([]float64{0, 1e-3, 0.1}).Draw(t, "mu")
		}
		for k, e := range must.Get(d.Embed(ctx, graphs, set, 1)) {
			g := graphs[k]
			ofNodes, digits, ofValue := d.Q, 1e-13, 1e-12 // shared node weights cost no digits
			if d.H == nil && (e.V != nil || e.H != nil || len(e.Trace) != 2*e.Rounds+1) {
				t.Fatalf("shared node weights: %+v", e)
			} else if d.H != nil {
				ofNodes, digits, ofValue = e.H, 1e-12, 1e-10
				h := make([]float64, n)
				for s, v := range e.V {
					for k, x := range d.H[s] {
						h[k] += v * x
					}
				}
				must.Near(t, "h", e.H, h, 1e-12)
			}
			for name, x := range map[string][]float64{"w": e.W, "v": e.V, "h": ofNodes} {
				if x != nil {
					must.Simplex(t, name, x, 1e-12)
				}
			}
			T := tight(&e, g.N(), n)
			must.Coupling(t, T, g.P(), ofNodes, digits)
			value := gw.Objective(g, must.Get(d.Model(e.W, e.V)), d.Alpha, T)
			scale := 1 + math.Abs(e.Trace[0])
			penalty := set.Lambda*square(e.W) + set.Mu*square(e.V)
			must.Within(t, e.Reconstruction, value, ofValue*scale, "reconstruction, and at the coupling")
			must.Within(t, e.Objective, value-penalty, ofValue*scale, "objective, and at the coupling")
			for i, x := range e.Trace[1:] {
				if !(x <= e.Trace[i]+digits*scale) {
					t.Fatalf("the objective rises: %v", e.Trace)
				}
			}
			must.Equal(t, e.Trace[len(e.Trace)-1], e.Objective, "the end of the trace, and the objective")
			if !(e.Gap >= 0) || e.Solves < e.Rounds || e.Iterations < e.Solves {
				t.Fatalf("%+v", e)
			}
			// A T-step from the pair returned starts at its value and cannot rise.
			var solver gw.Solver
			again := must.Get(solver.Solve(ctx, g, must.Get(d.Model(e.W, e.V)), d.Alpha, T, nil)).Value
			if !(again <= e.Reconstruction+1e-10*scale) {
				t.Fatalf("solved again from T: %v, above %v", again, e.Reconstruction)
			}
		}
	})
}

// A tight unmixing ends where neither (T, v) nor w can be improved to first order.
func TestExtendedUnmixConverges(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(6) {
		rng := source(seed)
		dim := int(seed%2) * 2
		alpha := 1 - 0.5*float64(seed%2)
		d := far(rng, 4, 6, dim, alpha)
		set := &gdl.UnmixSettings{
			Tol: 1e-6, MaxOuter: 100, GW: gw.Settings{TolRel: 1e-8, TolAbs: 1e-12},
		}
		graphs := noisy(rng, 4, 4, 10, dim)
		for k, e := range must.Get(d.Embed(ctx, graphs, set, 1)) {
			if e.Status != gdl.Converged || !(e.Gap <= 1e-4*e.Trace[0]) {
				t.Errorf("seed %d, graph %d: %v after %d rounds and %d iterations with gap %v", seed, k, e.Status, e.Rounds, e.Iterations, e.Gap)
			}
		}
	}
}

// With one vector of weights for all atoms the extended model is the plain one.
func TestEqualWeightsArePlain(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(12) {
		rng := source(seed)
		dim := int(seed % 3)
		d := start(rng, 4, 6, dim, 0.5)
		if seed >= 6 {
			copy(d.Q, gwtest.Weights(rng, 6, 0.2))
		}
		x := must.Get(gdl.Extend(d, rng))
		for s := range x.H {
			x.H[s] = d.Q
		}
		graphs := slices.Concat(noisy(rng, 3, 3, 9, dim), binary(rng, 3, 3, 9, dim))
		for _, lambda := range []float64{0, 0.01} {
			plain := gdl.UnmixSettings{Lambda: lambda}
			a := must.Get(d.Embed(ctx, graphs, &plain, 1))
			set := plain
			for k, e := range must.Get(x.Embed(ctx, graphs, &set, 1)) {
				must.Near(t, "weights", e.W, a[k].W, 0)
				must.Near(t, "coupling", tight(&e, graphs[k].N(), 6), tight(&a[k], graphs[k].N(), 6), 0)
				if e.Objective != a[k].Objective || e.Rounds != a[k].Rounds || !(math.Abs(e.Gap-a[k].Gap) <= 1e-12) {
					t.Errorf("seed %d, graph %d: %v with gap %v, plain %v with %v", seed, k, e.Objective, e.Gap, a[k].Objective, a[k].Gap)
				}
			}
			for _, set.Mu = range []float64{0.1, 1, 10} { // best at a vertex
				for k, e := range must.Get(x.Embed(ctx, graphs, &set, 1)) {
					at := fmt.Sprintf("seed %d, graph %d, mu %v: ", seed, k, set.Mu)
					must.Near(t, at+"weights", e.W, a[k].W, 0)
					must.Near(t, at+"coupling", tight(&e, graphs[k].N(), 6), tight(&a[k], graphs[k].N(), 6), 0)
					if slices.Max(e.V) != 1 || e.Objective != a[k].Objective-set.Mu || e.Reconstruction != a[k].Reconstruction || e.Rounds != a[k].Rounds {
						t.Errorf("%sobjective %v and reconstruction %v at v = %v after %d rounds, plain %v and %v after %d",
							at, e.Objective, e.Reconstruction, e.V, e.Rounds, a[k].Objective, a[k].Reconstruction, a[k].Rounds)
					}
				}
			}
		}
	}
}

// A node that no atom gives weight to does not exist, whatever its structure.
func TestVanishedNode(t *testing.T) {
	ctx := context.Background()
	for seed := range uint64(10) {
		rng := source(seed)
		dim := int(seed%2) * 2
		alpha := 1 - 0.4*float64(seed%2)
		d := far(rng, 3, 5, dim, alpha)
		x := must.Get(gdl.Extend(must.Get(gdl.NewDictionary(3, 6, dim, alpha)), rng))
		for s := range x.H {
			for k := range 6 {
				for l := range k + 1 {
					v := rng.NormFloat64()
					if k < 5 {
						v = d.C[s][k*5+l]
					}
					x.C[s][k*6+l], x.C[s][l*6+k] = v, v
				}
			}
			if dim > 0 {
				copy(x.A[s], d.A[s])
			}
			x.H[s] = append(slices.Clone(d.H[s]), 0)
		}
		graphs := noisy(rng, 4, 4, 8, dim)
		a, b := must.Get(d.Embed(ctx, graphs, nil, 1)), must.Get(x.Embed(ctx, graphs, nil, 1))
		for k := range a {
			must.Within(t, b[k].Objective, a[k].Objective, 1e-10, "seed %d, graph %d: with the node, and without", seed, k)
			must.Near(t, "w", b[k].W, a[k].W, 1e-6)
			must.Near(t, "v", b[k].V, a[k].V, 1e-6)
		}
		for s := range x.S {
			gradC, gradA, gradH, _, err := gdl.ExtendedGradients(x, graphs, &gdl.UnmixSettings{}, s)
			if err != nil {
				t.Fatal(err)
			}
			for k := range 6 {
				if gradC[5*6+k] != 0 || gradC[k*6+5] != 0 {
					t.Errorf("a structure entry of the vanished node has a gradient")
				}
			}
			for _, v := range gradA[5*dim:] {
				must.Check(t, v, 0, "a feature of the vanished node has a gradient")
			}
			for _, v := range gradH {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Errorf("weight gradient %v", gradH)
				}
			}
		}
	}
}
