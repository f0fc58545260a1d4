package ot

import (
	"math"

	"ogdl/internal/vec"
)

// sweep runs sweeps from the column factors on and leaves the plan in out. change is the sum of
// absolute differences to what was there.
func (s *Sinkhorn) sweep(l, out []float64, sweeps int, tol float64) (r SinkhornResult, change float64) {
	r.Status = Unscalable
	for r.Sweeps < sweeps {
		err, ok := vec.Sweep(s.k, s.ld, s.wa, s.wb[:s.ld], s.a, s.b, s.col, factorLow, factorHigh)
		if ok {
			s.b, s.col = s.col, s.b
		} else if !s.logSweep(l) {
			return r, 0
		}
		r.Sweeps++
		if ok && err <= tol {
			break
		}
	}
	err, change := vec.Plan(s.k, s.ld, s.wa, s.a, s.b, out)
	r.MarginalError = err / s.total
	vec.LogAdd(s.b[:s.m], s.g)
	vec.LogAdd(s.a, s.f)
	r.Status = SweepLimit
	if r.MarginalError <= max(tol/s.total, 1e-15) {
		r.Status = Scaled
	}
	s.warm = true
	return r, change
}

// exclude takes lines without weight out of the potentials.
func (s *Sinkhorn) exclude() {
	for i, w := range s.wa {
		if w == 0 {
			s.f[i] = math.Inf(-1)
		}
	}
	for j, w := range s.wb {
		if w == 0 {
			s.g[j] = math.Inf(-1)
		}
	}
}

// settle ends the half sweep over the columns of a kernel that has just been computed.
func (s *Sinkhorn) settle(l []float64) bool {
	if vec.Quotients(s.wb[:s.ld], s.col, factorLow, factorHigh) {
		s.b, s.col = s.col, s.b
		return true
	}
	if !s.logColumns(l) {
		return false
	}
	s.fill(l)
	return true
}

// fill computes the kernel exp(L + f + g) and its column sums, and sets its factors to one.
func (s *Sinkhorn) fill(l []float64) {
	vec.ExpRows(l, s.ld, s.f, s.g, s.k, s.col, s.ld)
	s.unit()
}

// unit sets the factors to one.
func (s *Sinkhorn) unit() {
	for i := range s.a {
		s.a[i] = 1
	}
	for j := range s.m {
		s.b[j] = 1
	}
}

// logSweep takes the column factors into the potentials, sweeps rows and columns
// in the log domain and computes the kernel afresh. It reports whether every line
// with mass has a kernel entry above zero.
func (s *Sinkhorn) logSweep(l []float64) bool {
	vec.LogAdd(s.b[:s.m], s.g)
	if !s.logRows(l) || !s.logColumns(l) {
		return false
	}
	s.fill(l)
	return true
}

// logRows sets f so that the rows of exp(L + f + g) have the sums a.
func (s *Sinkhorn) logRows(l []float64) bool {
	for i, la := range s.la {
		if s.wa[i] == 0 {
			continue
		}
		top, sum := vec.ExpSum(l[i*s.ld:i*s.ld+s.m], s.g, s.col)
		if math.IsInf(top, -1) {
			return false
		}
		s.f[i] = la - (top + vec.Log(sum))
	}
	return true
}

// logColumns sets g so that the columns of exp(L + f + g) have the sums b. The
// kernel serves as working memory.
func (s *Sinkhorn) logColumns(l []float64) bool {
	top := s.b[:s.m]
	for j := range top {
		top[j] = math.Inf(-1)
	}
	for i, f := range s.f {
		vec.AddMax(f, l[i*s.ld:i*s.ld+s.m], s.k[i*s.ld:i*s.ld+s.m], top)
	}
	sum := s.col[:s.m]
	clear(sum)
	for i := range s.f {
		// A column of -Inf alone gives NaN here, and is found below.
		vec.ExpLess(s.k[i*s.ld:i*s.ld+s.m], top, sum)
	}
	for j, lb := range s.lb {
		if s.wb[j] == 0 {
			continue
		}
		if math.IsInf(top[j], -1) {
			return false
		}
		s.g[j] = lb - (top[j] + vec.Log(sum[j]))
	}
	return true
}
