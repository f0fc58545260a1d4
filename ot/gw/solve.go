package gw

import (
	"context"
	"fmt"
	"math"

	"ogdl/ot"
)

// Solve minimises the (F)GW objective of x against y by conditional gradient with
// exact line search, from the coupling start (n x m, row-major; nil means p q'),
// and certifies the end: value, gap and potentials are computed afresh there.
//
// alpha weighs the structures and must be 1 for spaces without features. A nil
// context or space, feature dimensions that differ, a bad alpha, a start that is no
// coupling of the weights, negative caps, tolerances that are NaN and several starts without Rand are errors; the context's
// error is returned, with the state reached, when it ends first. A start of the wrong
// length panics. An iteration costs one warm linear problem plus
// O(nnz(C) m + (n + m) m).
func (s *Solver) Solve(ctx context.Context, x, y *Space, alpha float64, start []float64, set *Settings) (Result, error) {
	if ctx == nil {
		return Result{}, errNoContext
	}
	if err := set.check(); err != nil {
		return Result{}, err
	}
	starts := 1
	if set != nil && set.Starts > 1 {
		if starts = set.Starts; set.Rand == nil {
			return Result{}, fmt.Errorf("gw: %d starts need Settings.Rand", starts)
		}
	}
	if err := s.Bind(x, y, alpha); err != nil {
		return Result{}, err
	}
	if start != nil {
		if err := s.Start(start); err != nil {
			return Result{}, err
		}
	}
	status, iterations := s.Descend(ctx, set)
	if starts > 1 {
		best := s.Value()
		s.keep()
		for k := 1; k < starts && status != Cancelled; k++ {
			s.randomStart(set)
			st, it := s.Descend(ctx, set)
			iterations += it
			if v := s.Value(); v < best {
				best, status = v, st
				s.keep()
			}
			if st == Cancelled {
				status = st
			}
		}
		copy(s.t, s.best)
		s.product, s.exact, s.settled = false, false, false
		s.moved()
	}
	r := s.certify()
	r.Status, r.Iterations = status, iterations
	if status == Cancelled {
		return r, ctx.Err()
	}
	return r, nil
}

func (s *Solver) keep() {
	s.best = grow(s.best, len(s.t))
	copy(s.best, s.t)
}

// randomStart sets T half way between p q' and the vertex of a random linear problem.
func (s *Solver) randomStart(set *Settings) {
	for i := range s.n {
		for j := range s.m {
			s.k[i*s.ld+j] = set.Rand.Float64()
		}
	}
	s.lp.SolveUnchecked(s.k, s.ld, ot.Cold)
	rows, cols, mass := s.lp.Arcs()
	for i, p := range s.x.p {
		for j, q := range s.y.p {
			s.t[i*s.ld+j] = p * q / 2
		}
	}
	for e, x := range mass {
		s.t[int(rows[e])*s.ld+int(cols[e])] += float64(x / 2)
	}
	s.product, s.based, s.settled = false, false, false
	s.moved()
	s.refresh()
}

// certify computes value, gap and potentials at the current coupling, from it alone.
func (s *Solver) certify() Result {
	if !s.exact {
		s.refresh()
	}
	value := max(0, s.Value())
	if !s.settled || s.product {
		s.lp.SolveUnchecked(s.k, s.ld, ot.Warm)
		rows, cols, mass := s.lp.Arcs()
		kTX := 0.0
		for e, x := range mass {
			kTX += float64(x * s.k[int(rows[e])*s.ld+int(cols[e])])
		}
		s.gap = s.kTT - kTX
	}
	u, v := s.lp.Potentials()
	s.u, s.v = grow(s.u, s.n), grow(s.v, s.m)
	for i := range s.u {
		s.u[i] = u[i] + float64(2*s.alpha*s.x.c2p[i])
	}
	for j := range s.v {
		s.v[j] = v[j] + float64(2*s.alpha*s.y.c2p[j])
	}
	return Result{T: s.copyCoupling(), Value: value, U: s.u, V: s.v, Gap: max(0, s.gap)}
}

// Objective evaluates the (F)GW objective of any non-negative n x m matrix T
// (row-major) from the definition, with T's own marginals. Where [Solver.Bind] would
// return an error for x, y and alpha there is none, and it is NaN; a T of the wrong
// length panics. Cost O(nm(n + m + d)), with allocation: for checks, not for inner
// loops.
func Objective(x, y *Space, alpha float64, T []float64) float64 {
	if checkPair("x", x, "y", y, alpha) != nil {
		return math.NaN()
	}
	if c := Offset(x, y); c != 0 { // squares of large numbers would lose their difference
		x, y = x.Shift(c, nil), y.Shift(c, nil)
	}
	n, m := x.n, y.n
	if len(T) != n*m {
		panic(fmt.Sprintf("gw: Objective: len(T) = %d for %d x %d", len(T), n, m))
	}
	row, col := make([]float64, n), make([]float64, m)
	for i := range n {
		for j := range m {
			row[i] += T[i*m+j]
			col[j] += T[i*m+j]
		}
	}
	e := 0.0
	for i := range n {
		for k := range n {
			e += float64(x.c[i*x.ld+k] * x.c[i*x.ld+k] * row[i] * row[k])
		}
	}
	for j := range m {
		for l := range m {
			e += float64(y.c[j*y.ld+l] * y.c[j*y.ld+l] * col[j] * col[l])
		}
	}
	ct := make([]float64, n*m)
	for i := range n {
		for k := range n {
			if c := x.c[i*x.ld+k]; c != 0 {
				for j := range m {
					ct[i*m+j] += float64(c * T[k*m+j])
				}
			}
		}
	}
	for i := range n {
		for j := range m {
			sum := 0.0
			for l := range m {
				sum += float64(ct[i*m+l] * y.c[l*y.ld+j])
			}
			e -= float64(2 * sum * T[i*m+j])
		}
	}
	f := 0.0
	if x.d > 0 && alpha < 1 {
		for i := range n {
			for j := range m {
				d2 := 0.0
				for k := range x.d {
					e := x.a[i*x.d+k] - y.a[j*x.d+k]
					d2 += float64(e * e)
				}
				f += float64(d2 * T[i*m+j])
			}
		}
	}
	return float64(alpha*e) + float64((1-alpha)*f)
}
