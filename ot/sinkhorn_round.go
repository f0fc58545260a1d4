package ot

import (
	"math"

	"ogdl/internal/vec"
)

// Round moves a non-negative matrix T (n x m, entry (i, j) at T[i*ld+j]) onto U(a, b) for the
// weights of the last Reset, in place: rows and then columns that are too heavy are scaled down,
// and the mass that is missing is added as a matrix of rank one (Altschuler, Weed and Rigollet,
// "Near-linear time approximation algorithms for optimal transport via Sinkhorn iteration", 2017,
// algorithm 2). T moves by at most twice the sum of its marginal errors, in the sum of absolute
// differences; marginals are then met to rounding. T may be a copy of [Sinkhorn.Plan], or that view
// itself. It does not allocate and costs O(nm). It panics if there was no Reset or the shape does
// not fit.
func (s *Sinkhorn) Round(T []float64, ld int) {
	s.checkShape(T, ld)
	// Factors are free between calls: a and col hold the missing mass.
	short := 0.0
	for i, w := range s.wa {
		row := T[i*ld : i*ld+s.m]
		sum := vec.Sum(row)
		if math.IsInf(sum, 1) { // only the proportions of a row that is too heavy count
			vec.Scale(0x1p-64, row)
			sum = vec.Sum(row)
		}
		if s.a[i] = w - sum; s.a[i] < 0 {
			c := w / sum
			for j := range row {
				row[j] *= c
			}
			s.a[i] = 0
		}
	}
	clear(s.col)
	for i := range s.n {
		vec.Add(T[i*ld:i*ld+s.m], s.col[:s.m])
	}
	for j, w := range s.wb {
		sum := s.col[j]
		if s.col[j] = w - sum; s.col[j] < 0 {
			c := w / sum
			for i := range s.n {
				x := T[i*ld+j]
				T[i*ld+j] = float64(c * x)
				s.a[i] += x - float64(c*x)
			}
			s.col[j] = 0
		}
		short += s.col[j]
	}
	if short == 0 {
		return
	}
	for i := range s.n {
		vec.Axpy(s.a[i]/short, s.col[:s.m], T[i*ld:i*ld+s.m])
	}
}
