package gw

import (
	"context"
	"errors"
	"fmt"
	"math"

	"ogdl/internal/vec"
	"ogdl/ot"
)

// Solve runs proximal steps on x against y with weight alpha on the structures
// (1 for spaces without features), from the matrix start (n x m, row-major; nil
// means p q'). The start must be non-negative and finite with a positive entry in
// every row and column that has weight. Its marginals need not be the weights, to
// which the first step scales it. A start whose total differs from 1 by more than 1e-6 is divided
// by the total. Settings are required for their Gamma.
//
// Without features p q' is a stationary point if Ct q or C p is constant, as for a
// complete graph with uniform weights; a solve from there stays there.
//
// A nil context or space, feature dimensions that differ, bad settings, alpha or start
// are errors; the context's error is returned, with the state reached, when it ends
// first. A start of the wrong length panics. A step costs O(nnz(C) m + nnz(Ct) n +
// Sweeps n m) and n m exponentials.
func (s *Proximal) Solve(ctx context.Context, x, y *Space, alpha float64, start []float64, set *ProximalSettings) (ProximalResult, error) {
	if ctx == nil {
		return ProximalResult{}, errNoContext
	}
	if err := s.bind(x, y, alpha, start, set); err != nil {
		return ProximalResult{}, err
	}
	outer, sweeps, tol := set.limits()
	r := ProximalResult{Status: MaxIterations}
	for r.Iterations < outer {
		if ctx.Err() != nil {
			r.Status = Cancelled
			break
		}
		from := ot.Warm
		if r.Iterations == 0 {
			from = ot.Cold
		}
		if alpha > 0 {
			s.product()
		}
		// The logarithm of T is l from the step before plus the factors that scaled it.
		step, change := s.scaling.Step(s.l, s.p, s.base, 2*alpha/set.Gamma, s.t, sweeps, from)
		if step.Status == ot.Unscalable {
			return ProximalResult{}, fmt.Errorf("gw: the start coupling has too few positive entries to be scaled to the weights")
		}
		r.Change = change
		r.Iterations++
		r.Sweeps += step.Sweeps
		if r.Change <= tol && step.MarginalError <= tol {
			r.Status = Converged
			break
		}
	}
	if set.Round {
		s.scaling.Round(s.t, s.ld)
	}
	s.certify(&r)
	if r.Status == Cancelled {
		return r, ctx.Err()
	}
	return r, nil
}

// bind checks and takes up a problem.
func (s *Proximal) bind(x, y *Space, alpha float64, start []float64, set *ProximalSettings) error {
	if err := checkPair("x", x, "y", y, alpha); err != nil {
		return err
	}
	switch {
	case start != nil && len(start) != x.n*y.n:
		panic(fmt.Sprintf("gw: start of length %d for a problem of %d x %d", len(start), x.n, y.n))
	case set == nil:
		return fmt.Errorf("gw: set is nil, expected settings with Gamma > 0")
	case !(set.Gamma > 0) || math.IsInf(set.Gamma, 1) || math.IsInf(2/set.Gamma, 1):
		return fmt.Errorf("gw: Gamma is %v, expected a finite number > 0 with a finite inverse", set.Gamma)
	case math.IsNaN(set.Tol):
		return errors.New("gw: Tol is NaN, expected a number")
	case set.Outer < 0 || set.Sweeps < 0:
		return fmt.Errorf("gw: %d outer steps of %d sweeps, expected numbers >= 0", set.Outer, set.Sweeps)
	}
	if by := Offset(x, y); by != 0 {
		x, y = x.Shift(by, &s.shiftX), y.Shift(by, &s.shiftY)
	}
	s.x, s.y, s.alpha, s.n, s.ld = x, y, alpha, x.n, y.ld
	size := x.ld * s.ld // whole blocks, for their transposition
	s.t, s.l, s.base = grow(s.t, size), grow(s.l, size), grow(s.base, size)
	s.half, s.p = grow(s.half, size), grow(s.p, size)
	s.tt, s.ht = grow(s.tt, size), grow(s.ht, size)
	if err := s.scaling.Reset(x.p, y.p); err != nil {
		return err
	}
	clear(s.t)
	clear(s.l)
	clear(s.base)
	if err := s.setStart(start); err != nil {
		return err
	}
	s.setBase(1 / set.Gamma)
	// By Cauchy's inequality no other term of the kernel's exponents is larger.
	for _, x := range s.base {
		if !(x <= exponentHigh) {
			return fmt.Errorf("gw: Gamma is %v, expected at least 1e-15 of the costs, %v", set.Gamma, x*set.Gamma)
		}
	}
	return nil
}

const exponentHigh = 1e15

// setStart sets T and its logarithm.
func (s *Proximal) setStart(start []float64) error {
	n, m := s.n, s.y.n
	if start == nil {
		s.rows, s.cols = grow(s.rows, n), grow(s.cols, m)
		clear(s.rows)
		clear(s.cols)
		vec.LogAdd(s.x.p, s.rows)
		vec.LogAdd(s.y.p, s.cols)
	}
	total := 0.0
	for _, x := range start {
		total += x
	}
	if total == 0 || math.Abs(total-1) <= 1e-6 { // starts in float32 are as they were
		total = 1
	}
	for i, p := range s.x.p {
		t, l := s.t[i*s.ld:i*s.ld+m], s.l[i*s.ld:i*s.ld+m]
		if start == nil {
			for j, q := range s.y.p {
				t[j], l[j] = p*q, s.rows[i]+s.cols[j]
			}
			continue
		}
		for j, x := range start[i*m : (i+1)*m] {
			if !(x >= 0) || math.IsInf(x, 1) {
				return fmt.Errorf("gw: start coupling has entry (%d, %d) = %v, expected a finite number >= 0", i, j, x)
			}
			t[j] = x / total
		}
		vec.LogAdd(t, l)
	}
	return nil
}

// setBase computes what the kernel holds of constants and features.
func (s *Proximal) setBase(by float64) {
	m := s.y.n
	if s.x.d > 0 && s.alpha < 1 {
		s.lin = grow(s.lin, s.n*s.ld)
		featureCost(s.x, s.y, 1-s.alpha, s.lin)
	} else {
		s.lin = s.lin[:0]
	}
	for i, k := range s.x.c2p {
		row := s.base[i*s.ld : i*s.ld+m]
		for j, l := range s.y.c2p {
			row[j] = float64(by * (s.alpha * (k + l)))
		}
		if len(s.lin) > 0 {
			for j, x := range s.lin[i*s.ld : i*s.ld+m] {
				row[j] += float64(by / 2 * x)
			}
		}
	}
}

// product sets p to C T Ct, the side of the target first.
func (s *Proximal) product() {
	n, m := s.n, s.y.n
	clear(s.p)
	if !s.y.sparse {
		clear(s.half)
		// Of a small coefficient most entries of T are zero.
		vec.MulFew(s.t, s.ld, n, m, s.y.c, s.ld, s.half, s.ld, s.ld)
	} else {
		// Sparse rows are sums of rows of the transposed coupling.
		ldn := s.x.ld
		vec.Transpose(s.t, s.ld, ldn, s.ld, s.tt, ldn)
		clear(s.ht)
		s.y.mulStructure(s.tt, s.ht, ldn)
		vec.Transpose(s.ht, ldn, s.ld, ldn, s.half, s.ld)
	}
	s.x.mulStructure(s.half, s.p, s.ld)
}

// certify computes value and row error at T, from it alone.
func (s *Proximal) certify(r *ProximalResult) {
	n, m := s.n, s.y.n
	s.tight, s.rows, s.cols = grow(s.tight, n*m), grow(s.rows, n), grow(s.cols, s.ld)
	clear(s.cols)
	r.MarginalError = 0
	for i, p := range s.x.p {
		t := s.t[i*s.ld : (i+1)*s.ld]
		copy(s.tight[i*m:(i+1)*m], t)
		s.rows[i] = vec.Sum(t)
		vec.Add(t, s.cols)
		r.MarginalError += math.Abs(s.rows[i] - p)
	}
	r.T = s.tight
	r.Value = 0
	if s.alpha > 0 {
		s.product()
		r.Value = s.alpha * ((s.selfTerm(s.x, s.rows) + s.selfTerm(s.y, s.cols[:m])) - float64(2*vec.Dot(s.p, s.t)))
	}
	if len(s.lin) > 0 {
		r.Value += vec.Dot(s.lin, s.t)
	}
	r.Value = max(0, r.Value)
}

// selfTerm returns w'(C o C)w for the structure of x.
func (s *Proximal) selfTerm(x *Space, w []float64) float64 {
	s.cw, s.c2w = grow(s.cw, x.ld), grow(s.c2w, x.ld)
	vec.Moments(x.c, x.ld, w, s.cw, s.c2w)
	return vec.Dot(w, s.c2w)
}

// featureCost sets out to by |a_i - at_j|^2, rows of stride y.ld with zeros in
// the padding.
func featureCost(x, y *Space, by float64, out []float64) {
	d, m := x.d, y.n
	for i := range x.n {
		l := out[i*y.ld : (i+1)*y.ld]
		vec.Distances(by, x.a[i*d:(i+1)*d], y.at, y.ld, l)
		clear(l[m:])
	}
}
