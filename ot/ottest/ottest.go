// Package ottest is the conformance suite of exact linear transport solvers:
// each one must pass [Run]. [Verify] checks a single answer and serves other
// tests too.
package ottest

import (
	"math"

	"ogdl/internal/test/must"
	"ogdl/ot"
)

// Solver is what the suite asks of a solver; see [ot.Solver] for the contract.
type Solver interface {
	Reset(a, b []float64) error
	Solve(M []float64, ld int, start ot.Start) (ot.Result, error)
	SolveUnchecked(M []float64, ld int, start ot.Start) ot.Status
	Arcs() (rows, cols []int32, mass []float64)
	Potentials() (u, v []float64)
	Plan(dst []float64) []float64
}

// Problem is a transport problem: weights A (n), B (m), costs M (n x m), +Inf where
// a pair is forbidden.
type Problem struct {
	Name string
	A, B []float64
	M    []float64
}

// scale returns the unit of tolerances on costs and values.
func (p *Problem) scale() float64 {
	s := 1.0
	for _, x := range p.M {
		if !math.IsInf(x, 1) {
			s = max(s, math.Abs(x))
		}
	}
	return s
}

// Sum adds up x without rounding error to speak of.
func Sum(x []float64) float64 {
	var s, c float64
	for _, v := range x {
		t := s + v
		if math.Abs(s) >= math.Abs(v) {
			c += (s - t) + v
		} else {
			c += (v - t) + s
		}
		s = t
	}
	return s + c
}

// Verify solves p with s and checks all that a solution must fulfil, against
// definitions only: marginals to 1e-14, a sparse non-negative plan that is the
// same as a matrix and as a list, the value, feasible potentials, complementary
// slackness, and a dual value and gap that prove the plan optimal. The weights
// of p must have sums that are equal to rounding. It returns the result.
func Verify(t must.TB, s Solver, p Problem, start ot.Start) ot.Result {
	t.Helper()
	if err := s.Reset(p.A, p.B); err != nil {
		t.Fatalf("%s: Reset: %v", p.Name, err)
	}
	return VerifyNext(t, s, p, start)
}

// VerifyNext is Verify without the Reset: s must have been Reset to p.A and p.B.
func VerifyNext(t must.TB, s Solver, p Problem, start ot.Start) ot.Result {
	t.Helper()
	r, err := s.Solve(p.M, len(p.B), start)
	if err != nil {
		t.Fatalf("%s: Solve: %v", p.Name, err)
	}
	must.Equal(t, r.Status, ot.Optimal, "%s: status", p.Name)
	n, m := len(p.A), len(p.B)
	scale := p.scale()
	total := Sum(p.A)

	plan := s.Plan(nil)
	CheckMarginals(t, p, plan, 1e-14*total)
	positive := 0
	products := make([]float64, len(plan))
	for k, x := range plan {
		if x < 0 {
			t.Errorf("%s: plan[%d,%d] = %v is negative", p.Name, k/m, k%m, x)
		}
		if x > 0 {
			positive++
			products[k] = p.M[k] * x
		}
	}
	if positive > n+m-1 {
		t.Errorf("%s: %d positive entries, a vertex has at most %d", p.Name, positive, n+m-1)
	}
	rows, cols, mass := s.Arcs()
	if len(rows) != positive || len(cols) != positive || len(mass) != positive {
		t.Errorf("%s: %d, %d, %d arcs, the plan has %d positive entries", p.Name, len(rows), len(cols), len(mass), positive)
	}
	for k, x := range mass {
		if got := plan[int(rows[k])*m+int(cols[k])]; got != x {
			t.Errorf("%s: arc (%d,%d) carries %v, the plan %v", p.Name, rows[k], cols[k], x, got)
		}
	}
	must.Within(t, r.Value, Sum(products), 1e-14*scale*total, "%s: Value", p.Name)

	u, v := s.Potentials()
	if len(u) != n || len(v) != m {
		t.Fatalf("%s: %d and %d potentials, want %d and %d", p.Name, len(u), len(v), n, m)
	}
	dual := make([]float64, 0, n+m)
	for i := range n {
		dual = append(dual, u[i]*p.A[i])
		for j := range m {
			slack := p.M[i*m+j] - u[i] - v[j]
			if !(slack >= -1e-12*scale) {
				t.Errorf("%s: u+v exceeds M[%d,%d] by %v", p.Name, i, j, -slack)
			}
			if plan[i*m+j] > 0 && !(slack <= 1e-12*scale) {
				t.Errorf("%s: slack %v where mass flows, at (%d,%d)", p.Name, slack, i, j)
			}
		}
	}
	for j := range m {
		dual = append(dual, v[j]*p.B[j])
	}
	must.Within(t, r.DualValue, Sum(dual), 1e-12*scale*total, "%s: DualValue", p.Name)
	if r.Gap != r.Value-r.DualValue || !(math.Abs(r.Gap) <= 1e-12*scale*total) {
		t.Errorf("%s: gap %v between %v and %v", p.Name, r.Gap, r.Value, r.DualValue)
	}
	return r
}

// CheckMarginals checks that rows and columns of a plan for p sum to the weights within tol.
func CheckMarginals(t must.TB, p Problem, plan []float64, tol float64) {
	t.Helper()
	n, m := len(p.A), len(p.B)
	column := make([]float64, n)
	for i := range n {
		must.Within(t, Sum(plan[i*m:i*m+m]), p.A[i], tol, "%s: sum of row %d", p.Name, i)
	}
	for j := range m {
		for i := range n {
			column[i] = plan[i*m+j]
		}
		must.Within(t, Sum(column), p.B[j], tol, "%s: sum of column %d", p.Name, j)
	}
}
