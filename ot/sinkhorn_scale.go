package ot

import (
	"math"

	"ogdl/internal/vec"
)

// scale runs at most the given number of sweeps on exp(L), less where the row
// error falls to tol, and leaves the plan in k and its potentials in f and g.
func (s *Sinkhorn) scale(l []float64, ld, sweeps int, tol float64, start Start) SinkhornResult {
	if start == Cold {
		clear(s.f)
		clear(s.g)
	}
	s.warm = false
	r := SinkhornResult{Status: Unscalable}
	if !s.begin(l, ld) {
		return r
	}
	for r.Sweeps < sweeps {
		err, ok := s.sweep()
		if !ok && !s.logSweep(l, ld) {
			return r
		}
		r.Sweeps++
		if ok && err <= tol {
			break
		}
	}
	r.MarginalError = s.finish() / s.total
	r.Status = SweepLimit
	if r.MarginalError <= max(tol/s.total, 1e-15) {
		r.Status = Scaled
	}
	s.warm = true
	return r
}

// begin computes the kernel and the column factors that belong to row factors of
// one. It reports whether there are any.
func (s *Sinkhorn) begin(l []float64, ld int) bool {
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
	s.fill(l, ld)
	clear(s.col)
	for i := range s.n {
		vec.Add(s.k[i*s.ld:(i+1)*s.ld], s.col)
	}
	if s.columns() {
		return true
	}
	if !s.logColumns(l, ld) {
		return false
	}
	s.fill(l, ld)
	return true
}

// fill computes the kernel exp(L + f + g) and sets its factors to one.
func (s *Sinkhorn) fill(l []float64, ld int) {
	for i := range s.n {
		vec.ExpRow(s.k[i*s.ld:i*s.ld+s.m], l[i*ld:i*ld+s.m], s.g, s.f[i])
		s.a[i] = 1
	}
	for j := range s.m {
		s.b[j] = 1
	}
}

// sweep updates the row factors, then the column factors. It returns the row
// error before the update, and reports whether all factors stayed within bounds:
// if not, the column factors are the old ones.
func (s *Sinkhorn) sweep() (err float64, ok bool) {
	clear(s.col)
	err, rows := vec.Sweep(s.k, s.ld, s.wa, s.a, s.b, s.col, factorLow, factorHigh)
	if rows < len(s.wa) {
		return 0, false
	}
	return err, s.columns()
}

// columns sets the column factors from the column sums in col, unless one is out
// of bounds; then it returns false.
func (s *Sinkhorn) columns() bool {
	col := s.col[:s.m]
	for j, w := range s.wb {
		if w == 0 {
			col[j] = 0
			continue
		}
		x := w / col[j]
		if !(x >= factorLow && x <= factorHigh) {
			return false
		}
		col[j] = x
	}
	s.b, s.col = s.col, s.b
	return true
}

// logSweep takes the column factors into the potentials, sweeps rows and columns
// in the log domain and computes the kernel afresh. It reports whether every line
// with mass has a kernel entry above zero.
func (s *Sinkhorn) logSweep(l []float64, ld int) bool {
	for j, w := range s.wb {
		if w > 0 {
			s.g[j] += vec.Log(s.b[j])
		}
	}
	if !s.logRows(l, ld) || !s.logColumns(l, ld) {
		return false
	}
	s.fill(l, ld)
	return true
}

// logRows sets f so that the rows of exp(L + f + g) have the sums a.
func (s *Sinkhorn) logRows(l []float64, ld int) bool {
	x := s.col[:s.m]
	for i, la := range s.la {
		if s.wa[i] == 0 {
			continue
		}
		top := math.Inf(-1)
		for j, y := range l[i*ld : i*ld+s.m] {
			x[j] = y + s.g[j]
			if x[j] > top {
				top = x[j]
			}
		}
		if math.IsInf(top, -1) {
			return false
		}
		sum := 0.0
		for _, y := range x {
			sum += vec.Exp(y - top)
		}
		s.f[i] = la - (top + vec.Log(sum))
	}
	return true
}

// logColumns sets g so that the columns of exp(L + f + g) have the sums b. The
// kernel serves as working memory.
func (s *Sinkhorn) logColumns(l []float64, ld int) bool {
	top := s.b[:s.m]
	for j := range top {
		top[j] = math.Inf(-1)
	}
	for i, f := range s.f {
		k := s.k[i*s.ld : i*s.ld+s.m]
		for j, y := range l[i*ld : i*ld+s.m] {
			k[j] = y + f
			if k[j] > top[j] {
				top[j] = k[j]
			}
		}
	}
	sum := s.col[:s.m]
	clear(sum)
	for i := range s.f {
		for j, y := range s.k[i*s.ld : i*s.ld+s.m] {
			// A column of -Inf alone gives NaN here, and is found below.
			sum[j] += vec.Exp(y - top[j])
		}
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

// finish turns the kernel into the plan and takes the factors into the
// potentials. It returns the row error of the plan.
func (s *Sinkhorn) finish() float64 {
	for j, w := range s.wb {
		if w > 0 {
			s.g[j] += vec.Log(s.b[j])
		}
	}
	err := 0.0
	for i, w := range s.wa {
		if w == 0 {
			continue // its row of the kernel is zero
		}
		s.f[i] += vec.Log(s.a[i])
		err += math.Abs(vec.MulSum(s.a[i], s.b, s.k[i*s.ld:(i+1)*s.ld]) - w)
	}
	return err
}
