package ot

import (
	"fmt"
	"math"
)

// forbid replaces costs of +Inf by a finite cost: more than any plan over the allowed pairs, whose
// costs are at most most in magnitude, can save by using a forbidden one. Then the optimum uses as
// little of them as can be, and is optimal among such plans. settle, being exact, sees the small
// costs next to it.
func (s *Solver) forbid(M []float64, ld int, most float64) {
	t := &s.tree
	if !s.gathered {
		s.packed = grow(s.packed, s.rows*s.cols)
		s.gather(M, ld)
		t.c, t.ld = s.packed, s.cols
	}
	// A cycle has at most as many arcs as there are nodes.
	t.forbidden = 1
	if most > 0 {
		_, e := math.Frexp(most * float64(len(t.node)))
		t.forbidden = math.Ldexp(1, e+1)
	}
	for k, x := range t.c[:s.rows*s.cols] {
		if math.IsInf(x, 1) {
			t.c[k] = t.forbidden
		}
	}
}

// dropForbidden takes the arcs of forbidden pairs off the list of arcs. It returns
// ErrInfeasible if they carry more than the rounding of the weights.
func (s *Solver) dropForbidden(M []float64, ld int) error {
	rows, cols, mass := s.Arcs()
	kept, over, first := 0, 0.0, -1
	for k, x := range mass {
		i, j := rows[k], cols[k]
		if math.IsInf(M[int(i)*ld+int(j)], 1) {
			if first < 0 || x > mass[first] {
				first = k
			}
			over += x
		}
	}
	if over > float64(s.total*float64(s.n+s.m)*0x1p-49) {
		s.hasBasis, s.arcs, s.potentials = false, false, noPotentials
		return fmt.Errorf("%w: at least %.6g of the mass %.6g must go over them, as %.6g over M[%d,%d]",
			ErrInfeasible, over, s.total, mass[first], rows[first], cols[first])
	}
	for k, x := range mass {
		i, j := rows[k], cols[k]
		if !math.IsInf(M[int(i)*ld+int(j)], 1) {
			rows[kept], cols[kept], mass[kept] = i, j, x
			kept++
		}
	}
	s.arcRow, s.arcCol, s.arcMass = rows[:kept], cols[:kept], mass[:kept]
	return nil
}
