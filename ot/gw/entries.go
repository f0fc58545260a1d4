package gw

import "math"

// A coupling is sparse if at most 1/fewEntries of its entries are not zero.
const fewEntries = 4

// entries are the entries of a coupling that are not zero, row by row.
type entries struct {
	rows, cols []int32
	mass       []float64
}

// resize empties the list and gives it room for so many.
func (e *entries) resize(room int) {
	e.rows, e.cols, e.mass = grow(e.rows, room)[:0], grow(e.cols, room)[:0], grow(e.mass, room)[:0]
}

// Entries lists the entries of the current coupling that are not zero, row by row: mass[e] at
// (rows[e], cols[e]); views, good until the coupling moves. few is false, and the list must not be
// used, if more than a quarter of all entries are not zero. A vertex of the polytope of couplings
// has at most n + m - 1, and most descents end near vertices. Cost O(nm).
func (s *Solver) Entries() (rows, cols []int32, mass []float64, few bool) {
	e := &s.entries
	if !s.listed {
		s.listed = true
		e.list(s.t, s.n, s.m, s.ld)
	}
	return e.rows, e.cols, e.mass, len(e.mass) > 0
}

// list sets e to the entries of an n x m matrix with rows of stride ld, or to none if they are too
// many.
func (e *entries) list(t []float64, n, m, ld int) {
	room := n * m / fewEntries
	rows, cols, mass := e.rows[:room], e.cols[:room], e.mass[:room]
	k := 0
	for i := range n {
		row := t[i*ld : (i+1)*ld] // zeros in the padding
		for j := 0; j+4 <= len(row); j += 4 {
			x := (*[4]float64)(row[j:])
			if math.Float64bits(x[0])|math.Float64bits(x[1])|math.Float64bits(x[2])|math.Float64bits(x[3]) == 0 {
				continue
			}
			for l, v := range x {
				if v == 0 {
					continue
				}
				if k == room {
					e.resize(room)
					return
				}
				rows[k], cols[k], mass[k] = int32(i), int32(j+l), v
				k++
			}
		}
	}
	e.rows, e.cols, e.mass = rows[:k], cols[:k], mass[:k]
}

// inner returns <L, T> and <k, T> for a coupling of few entries.
func (s *Solver) inner(k []float64) (linT, kT float64) {
	e := &s.entries
	rows, cols := e.rows[:len(e.mass)], e.cols[:len(e.mass)]
	for i, x := range e.mass {
		at := int(rows[i])*s.ld + int(cols[i])
		kT += float64(x * k[at])
		if len(s.lin) > 0 {
			linT += float64(x * s.lin[at])
		}
	}
	return linT, kT
}

// moved invalidates all values that are derived from the coupling.
func (s *Solver) moved() { s.ctValid, s.listed = false, false }
