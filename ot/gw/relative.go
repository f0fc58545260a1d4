package gw

import (
	"fmt"

	"ogdl/internal/vec"
)

// Relative sets dst to s with from subtracted from every feature row. dst shares everything else
// with s, which must not change while dst is used; dst is read-only. Objectives between graphs are
// the same relative to any common point. But a solver that multiplies features out loses no digits
// to a common offset, if the point lies among the features. dst may be s itself, or a space that Relative
// returned before; a nil one is allocated. dst must not be a space that [Space.Shift] returned: that
// one shares its features, which would be overwritten. It returns dst. Nothing is allocated once dst
// has held as many features. Cost O(nD). A from of another length panics.
func (s *Space) Relative(from []float64, dst *Space) *Space {
	if dst == nil {
		dst = new(Space)
	}
	if len(from) != s.d {
		panic(fmt.Sprintf("gw: Relative: a point of dimension %d for features of dimension %d", len(from), s.d))
	}
	a, at, of := grow(dst.a, len(s.a)), grow(dst.at, len(s.at)), s.a
	*dst = *s
	dst.a, dst.at = a, at
	for i := 0; i < len(of); i += s.d {
		for j, x := range from {
			a[i+j] = of[i+j] - x
		}
	}
	clear(at)
	vec.Transpose(a, s.d, s.n, s.d, at, s.ld)
	return dst
}
