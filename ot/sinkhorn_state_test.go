package ot_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot"
	"ogdl/ot/ottest"

	"pgregory.net/rapid"
)

// TestSinkhornMass holds that the whole mass is a unit, and that sums within 1e-9 of
// each other count as equal.
func TestSinkhornMass(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	p := ottest.Problem{A: ottest.Uneven(9, 0), B: ottest.Uneven(7, 1), M: ottest.RandomCosts(9, 7, rng)}
	var s ot.Sinkhorn
	want := entropic(t, &s, p, 0.05, nil)
	plan := tight(&s, 9, 7)
	for _, by := range []float64{1024, 1.0 / 1024} {
		q := ottest.Problem{M: p.M}
		for _, x := range p.A {
			q.A = append(q.A, by*x)
		}
		for _, x := range p.B {
			q.B = append(q.B, by*(1-5e-10)*x)
		}
		r := entropic(t, &s, q, 0.05, nil)
		if r.Status != ot.Scaled || r.Sweeps != want.Sweeps ||
			!(math.Abs(r.MarginalError-want.MarginalError) <= 1e-3*want.MarginalError) {
			t.Errorf("mass %v: %v with error %v after %d sweeps, expected %v after %d", by, r.Status, r.MarginalError, r.Sweeps, want.MarginalError, want.Sweeps)
		}
		must.Within(t, r.Value, by*want.Value, 1e-12*by, "mass %v: value", by)
		must.Within(t, r.Objective, r.DualValue, 1e-8*by, "mass %v: objective, and dual", by)
		got, col := tight(&s, 9, 7), make([]float64, 7)
		for k, x := range got {
			col[k%7] += x
			must.Within(t, x, by*plan[k], 1e-12*by, "mass %v: entry %d", by, k)
		}
		for j, x := range p.B {
			must.Within(t, col[j], by*x, 1e-14*by, "mass %v: column %d sums to", by, j)
		}
	}
}

// TestSinkhornCounts holds sweeps, those of larger epsilons included, against the cap, and
// status against the marginal error.
func TestSinkhornCounts(t *testing.T) {
	var s ot.Sinkhorn
	ended := map[ot.SinkhornStatus]int{}
	rapid.Check(t, func(t *rapid.T) {
		p := drawEntropic(t, 1)
		set := &ot.SinkhornSettings{Tol: 1e-6, MaxSweeps: rapid.IntRange(1, 200).Draw(t, "sweeps"), Direct: rapid.Bool().Draw(t, "direct")}
		r := entropic(t, &s, p, math.Pow(10, -rapid.Float64Range(0, 5).Draw(t, "epsilon")), set)
		ended[r.Status]++
		switch {
		case r.Status == ot.SweepLimit && r.MarginalError > set.Tol && r.Sweeps == set.MaxSweeps:
		case r.Status == ot.Scaled && r.MarginalError <= set.Tol && r.Sweeps <= set.MaxSweeps:
		default:
			t.Fatalf("%v with error %v after %d of %d sweeps", r.Status, r.MarginalError, r.Sweeps, set.MaxSweeps)
		}
		if !(r.DualValue <= r.Objective+100*r.MarginalError+1e-12) || math.IsInf(r.DualValue, 0) {
			t.Fatalf("objective %v, dual %v", r.Objective, r.DualValue)
		}
	})
	if ended[ot.Scaled] == 0 || ended[ot.SweepLimit] == 0 {
		t.Errorf("ends: %v", ended)
	}
	// A costly row leaves the kernel's domain at once; one sweep settles it.
	p := ottest.Problem{A: []float64{.5, .5}, B: []float64{.25, .75}, M: []float64{0, 0, 2000, 2000}}
	if r := entropic(t, &s, p, 1, &ot.SinkhornSettings{Direct: true}); r.Status != ot.Scaled || r.Sweeps > 2 ||
		!(math.Abs(r.Value-1000) <= 1e-9) {
		t.Errorf("%v, value %v after %d sweeps", r.Status, r.Value, r.Sweeps)
	}
}

// TestSinkhornPotentials says when potentials are taken over, and when they are forgotten.
func TestSinkhornPotentials(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	p := ottest.Problem{A: ottest.Uneven(6, 0), B: ottest.Uneven(5, 1), M: ottest.RandomCosts(6, 5, rng)}
	few := &ot.SinkhornSettings{Tol: -1, MaxSweeps: 3, Direct: true}
	var fresh, s ot.Sinkhorn
	entropic(t, &fresh, p, 0.1, few)
	want := tight(&fresh, 6, 5)
	warm := *few
	warm.Start = ot.Warm
	solve := func(M []float64, epsilon float64, set *ot.SinkhornSettings) ot.SinkhornResult {
		return must.Get(s.Solve(M, 5, epsilon, set))
	}
	cold := func(after string) {
		solve(p.M, 0.1, &warm)
		must.Same(t, tight(&s, 6, 5), want, "%s: the plan, and from the start", after)
	}
	entropic(t, &s, p, 0.02, nil)
	must.Do(t, s.Reset(p.A, p.B))
	cold("Reset")

	// Kernels without a plan leave no potentials.
	solve(p.M, 1, few)
	gap := slices.Clone(p.M)
	for j := range 5 {
		gap[10+j] = math.Inf(1)
	}
	if r, err := s.Solve(gap, 5, 1, few); r.Status != ot.Unscalable || !errors.Is(err, ot.ErrInfeasible) {
		t.Errorf("%v, %v", r.Status, err)
	}
	cold("an unscalable kernel")

	// Nor does what is out of proportion.
	big := make([]float64, 30)
	for k := range big {
		big[k] = 1e200 * p.M[k]
	}
	solve(big, 1e190, nil)
	cold("huge costs")

	// Potentials of one epsilon serve it again.
	solve(p.M, 0.02, nil)
	if r := solve(p.M, 1, &ot.SinkhornSettings{Tol: ot.Never, MaxSweeps: 1000, Direct: true}); !(r.MarginalError <= 1e-12) {
		t.Fatalf("row error %v", r.MarginalError)
	}
	if r := solve(p.M, 1, &ot.SinkhornSettings{Start: ot.Warm}); r.Sweeps != 1 || r.Status != ot.Scaled {
		t.Errorf("warm: %v in %d sweeps", r.Status, r.Sweeps)
	}
}

// TestSinkhornDigits holds that costs beyond the digits of their exponents are rejected, and
// those below give plans.
func TestSinkhornDigits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	var s ot.Sinkhorn
	p := ottest.Problem{A: ottest.Uneven(6, 0), B: ottest.Uneven(5, 1), M: ottest.RandomCosts(6, 5, rng)}
	must.Do(t, s.Reset(p.A, p.B))
	top := slices.Max(p.M)
	if _, err := s.Solve(p.M, 5, top*0.9e-15, nil); !errors.Is(err, ot.ErrCost) {
		t.Errorf("error %v", err)
	}
	for _, set := range []*ot.SinkhornSettings{nil, {Direct: true, MaxSweeps: 7}} {
		r := entropic(t, &s, p, top*1.1e-15, set)
		if !(r.MarginalError <= 2) || !finite(r.Value) || !finite(r.Objective) || !finite(r.DualValue) {
			t.Errorf("%+v", r)
		}
		col := make([]float64, 5)
		for k, x := range tight(&s, 6, 5) {
			col[k%5] += x
		}
		for j, x := range p.B {
			must.Within(t, col[j], x, x, "column %d sums to", j)
		}
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// TestRoundAny rounds matrices whose rows and columns are off both ways, and leaves one of
// the right sums as it is.
func TestRoundAny(t *testing.T) {
	var s ot.Sinkhorn
	rapid.Check(t, func(t *rapid.T) {
		p := drawEntropic(t, 1)
		n, m := len(p.A), len(p.B)
		must.Do(t, s.Reset(p.A, p.B))
		T, off := make([]float64, n*m), 0.0
		rng := rand.New(rand.NewPCG(9, rapid.Uint64().Draw(t, "matrix")))
		for k := range T {
			if rng.IntN(3) > 0 {
				T[k] = 2 * rng.Float64() / float64(n*m)
			}
		}
		rows, cols := make([]float64, n), make([]float64, m)
		for k, x := range T {
			rows[k/m] += x
			cols[k%m] += x
		}
		for i, x := range rows {
			off += math.Abs(x - p.A[i])
		}
		for j, x := range cols {
			off += math.Abs(x - p.B[j])
		}
		before := slices.Clone(T)
		s.Round(T, m)
		moved := 0.0
		for k, x := range T {
			moved += math.Abs(x - before[k])
		}
		if moved > 2*off+1e-12 {
			t.Fatalf("moved by %v, the sums were off by %v", moved, off)
		}
		must.Coupling(t, T, p.A, p.B, 1e-14)
	})
	must.Do(t, s.Reset([]float64{.5, .5}, []float64{.25, .75}))
	T := []float64{.25, .25, 0, .5}
	if s.Round(T, 2); !slices.Equal(T, []float64{.25, .25, 0, .5}) {
		t.Errorf("a coupling became %v", T)
	}
	T = []float64{1e308, 1e308, 0, .5}
	if s.Round(T, 2); !slices.Equal(T, []float64{.25, .25, 0, .5}) {
		t.Errorf("a matrix whose row sum overflows became %v", T)
	}
}
