package ot_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot"
	"ogdl/ot/ottest"
)

// TestSinkhornForbidden: a cost of +Inf gives the plan that a cost does whose
// exponential is zero.
func TestSinkhornForbidden(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	for _, epsilon := range []float64{1, 0.1, 1e-3} {
		const n, m = 12, 9
		M, far := ottest.RandomCosts(n, m, rng), make([]float64, n*m)
		for k := range M {
			far[k] = M[k]
			if k/m%3 != k%m%3 {
				M[k], far[k] = math.Inf(1), 1e4
			}
		}
		var x, y ot.Sinkhorn
		for _, s := range []*ot.Sinkhorn{&x, &y} {
			must.Do(t, s.Reset(ottest.Uniform(n), ottest.Uniform(m)))
		}
		got := must.Get(x.Solve(M, m, epsilon, nil))
		want := must.Get(y.Solve(far, m, epsilon, &ot.SinkhornSettings{Direct: true, MaxSweeps: 200000}))
		if got.Status != ot.Scaled || want.Status != ot.Scaled {
			t.Errorf("epsilon %v: status %v, with finite costs %v", epsilon, got.Status, want.Status)
		}
		if d := got.Value - want.Value; !(math.Abs(d) <= 1e-6) || !(math.Abs(got.Objective-got.DualValue) <= 1e-6) {
			t.Errorf("epsilon %v: %+v, with finite costs %+v", epsilon, got, want)
		}
		T, ld := x.Plan()
		for k, c := range M {
			if math.IsInf(c, 1) && T[k/m*ld+k%m] != 0 {
				t.Errorf("epsilon %v: mass %v over a forbidden pair", epsilon, T[k/m*ld+k%m])
			}
		}
	}
	inf := math.Inf(1)
	for _, M := range [][]float64{{inf, inf, 0, 1}, {inf, 1, inf, 0}, {inf, inf, inf, inf}} {
		var s ot.Sinkhorn
		must.Do(t, s.Reset(ottest.Uniform(2), ottest.Uniform(2)))
		if r, err := s.Solve(M, 2, 0.1, nil); !errors.Is(err, ot.ErrInfeasible) || r.Status != ot.Unscalable {
			t.Errorf("%v: %+v, %v, want ErrInfeasible", M, r, err)
		}
		if r, err := s.Solve([]float64{0, inf, inf, 0}, 2, 0.1, nil); err != nil || r.Status != ot.Scaled || r.Value != 0 {
			t.Errorf("after an error: %+v, %v", r, err)
		}
	}
	// Each line has an allowed pair, and yet there is no plan.
	var s ot.Sinkhorn
	must.Do(t, s.Reset(ottest.Uniform(3), ottest.Uniform(3)))
	r, err := s.Solve([]float64{0, inf, inf, 0, inf, inf, inf, 0, 0}, 3, 0.1, &ot.SinkhornSettings{MaxSweeps: 300})
	if err != nil || r.Status == ot.Scaled || !(r.MarginalError > 0.1) || math.IsNaN(r.Value) {
		t.Errorf("no plan: %+v, %v", r, err)
	}
	if _, err := s.Solve([]float64{0, 0, 0, 0, 0, 0, 0, 0, math.Inf(-1)}, 3, 0.1, nil); !errors.Is(err, ot.ErrCost) {
		t.Errorf("-Inf: error %v", err)
	}
}
