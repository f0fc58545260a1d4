package gw_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
	"ogdl/ot/ottest"

	"pgregory.net/rapid"
)

// TestProximalUsed holds that whatever a workspace solved before, states and all come out
// as in a fresh one.
func TestProximalUsed(t *testing.T) {
	var used gw.Proximal
	rapid.Check(t, func(t *rapid.T) {
		for range 3 {
			q := drawProblem(t, rapid.Bool().Draw(t, "features"), rapid.Bool().Draw(t, "uniform"))
			if rapid.Bool().Draw(t, "sparse") {
				c := gwtest.Structure(q.y)
				for k, x := range c {
					c[k] = max(0, math.Round(x))
				}
				q.y = space(t, c, q.y.A(), q.y.P(), q.d)
			}
			set := gw.ProximalSettings{Gamma: 0.1, Outer: rapid.IntRange(1, 4).Draw(t, "outer"), Tol: -1}
			steps := rapid.IntRange(0, 4).Draw(t, "steps")
			var fresh gw.Proximal
			want, err := fresh.Solve(must.EndAfter(steps), q.x, q.y, q.alpha, nil, &set)
			got, again := used.Solve(must.EndAfter(steps), q.x, q.y, q.alpha, nil, &set)
			if !errors.Is(err, again) || (err != nil) != (steps < set.Outer) {
				t.Fatalf("errors %v and %v", err, again)
			}
			must.Same(t, got, want, "a used workspace, and a fresh one")
		}
	})
}

// TestProximalEnds stops in the middle, and holds that the state is that of as many steps.
func TestProximalEnds(t *testing.T) {
	x, y := patterned(t, 9, 2, 0, nil), patterned(t, 6, 2, 1, ottest.Uneven(6, 1))
	var s gw.Proximal
	set := gw.ProximalSettings{Gamma: 0.1, Outer: 100, Tol: -1}
	r, err := s.Solve(must.EndAfter(32), x, y, 0.7, nil, &set)
	if !errors.Is(err, context.Canceled) || r.Status != gw.Cancelled || r.Iterations != 32 || r.Sweeps != 160 {
		t.Fatalf("%v, %v after %d steps of %d sweeps", err, r.Status, r.Iterations, r.Sweeps)
	}
	got := slices.Clone(r.T)
	set.Outer = 32
	want := proximal(t, &s, x, y, 0.7, nil, set)
	if !slices.Equal(got, want.T) || r.Value != want.Value || r.MarginalError != want.MarginalError {
		t.Errorf("value %v, row error %v, expected %v and %v", r.Value, r.MarginalError, want.Value, want.MarginalError)
	}
}

// TestProximalDigits holds that a gamma beyond the digits of the exponents is rejected, and
// that one just within gives a coupling.
func TestProximalDigits(t *testing.T) {
	x, y := patterned(t, 6, 2, 0, ottest.Uneven(6, 0)), patterned(t, 5, 2, 1, ottest.Uneven(5, 1))
	var s gw.Proximal
	for _, gamma := range []float64{1e-15, 1e-100, 1e-310} {
		must.Fail(t, must.Err(s.Solve(ctx, x, y, 0.5, nil, &gw.ProximalSettings{Gamma: gamma})), "Gamma is", "gamma ", gamma)
	}
	r := proximal(t, &s, x, y, 0.5, nil, gw.ProximalSettings{Gamma: 1e-13})
	if !finite(r.Value) || !finite(r.Change) || !(r.MarginalError <= 2) {
		t.Errorf("%+v", r)
	}
}

// TestBarycentreRounds holds that couplings are tried afresh exactly where the round before
// rested, and that the second such round in a row ends the descent.
func TestBarycentreRounds(t *testing.T) {
	const tol = 1e-3
	rapid.Check(t, func(t *rapid.T) {
		q := drawBary(t)
		r := barycentre(t, q, &gw.BarycentreSettings{Tol: tol})
		if r.Value < 1e-9 {
			t.Skip("rounding decides")
		}
		taking := 0
		for s := range q.graphs {
			if q.weight(s) > 0 {
				taking++
			}
		}
		want, rested, twice := 0, false, false
		for k := range r.Iterations {
			want += taking
			if rested {
				want += taking
			}
			still := r.Trace[2*k]-r.Trace[2*k+2] <= tol*r.Trace[2*k+2]
			if twice {
				t.Fatalf("round %d came after the end", k)
			}
			rested, twice = still, still && rested
		}
		if r.Solves != want || twice != (r.Status == gw.Converged) {
			t.Fatalf("%v with %d solves of %d, trace %v", r.Status, r.Solves, want, r.Trace)
		}
	})
}

// TestBarycentreEnds stops everywhere, and holds that the state is feasible, that the values
// are those of it and that no objective seen before was lower.
func TestBarycentreEnds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawBary(t)
		c, _ := q.start.C()
		before, weights := slices.Clone(c), slices.Clone(q.start.P())
		end := must.EndAfter(rapid.IntRange(0, 60).Draw(t, "asked"))
		r, err := gw.Barycentre(end, q.graphs, q.lambda, q.start, q.alpha, nil)
		if (err != nil) != (r.Status == gw.Cancelled) || (err != nil) != (end.Left < 0) {
			t.Fatalf("error %v with status %v", err, r.Status)
		}
		v := q.objective(r)
		must.Within(t, r.Value, v, 1e-11*(1+v), "value, and objective")
		if last := r.Trace[len(r.Trace)-1]; len(r.Trace) != 2*r.Iterations+1 || r.Value > last+1e-12*(1+last) {
			t.Fatalf("value %v after the trace %v", r.Value, r.Trace)
		}
		must.Do(t, r.Space.Reweigh(append([]float64{1}, make([]float64, r.Space.N()-1)...)))
		if !slices.Equal(c, before) || !slices.Equal(q.start.P(), weights) {
			t.Fatal("the start changed")
		}
	})
}

// TestBarycentreCounts holds the count of capped solves, and that a negative tolerance leaves
// nothing but rounding.
func TestBarycentreCounts(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 5))
	q := bary{alpha: 1}
	for range 4 {
		q.graphs = append(q.graphs, noisy(rng, 8, 0, true))
	}
	q.start = noisy(rng, 7, 0, true)
	r := barycentre(t, q, &gw.BarycentreSettings{MaxIter: 3, GW: gw.Settings{MaxIter: 1, TolAbs: -1, TolRel: -1}})
	if r.CapHits == 0 || r.CapHits > r.Solves || r.GWIterations != r.Solves {
		t.Errorf("%d of %d solves of %d iterations at the cap", r.CapHits, r.Solves, r.GWIterations)
	}
	r = barycentre(t, q, &gw.BarycentreSettings{Tol: -1, MaxIter: 1000, GW: gw.Settings{TolAbs: -1, TolRel: -1}})
	last := r.Trace[len(r.Trace)-1]
	if r.Status != gw.Converged || !(r.Trace[len(r.Trace)-3]-last <= 1e-14) {
		t.Errorf("%v after %d rounds, the last by %v", r.Status, r.Iterations, r.Trace[len(r.Trace)-3]-last)
	}
}
