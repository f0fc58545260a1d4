package ot

import (
	"math"
	"slices"
)

// greedy builds a strongly feasible basis: rows in order take what they need
// from their cheapest columns that still have room. Where there are many more
// columns than rows, cheapest means above the column's least cost: that halves
// the pivots of such problems, and gains nothing on square ones.
//
// Each line that closes becomes a child of the line that is still open. Where a
// row and a column close at once the column is closed and the row stays with
// nothing left, so that an arc without flow always points from a row up to its
// parent: that is what makes the basis strongly feasible.
func (s *Solver) greedy() {
	t := &s.tree
	t.clear()
	copy(s.restB, s.demand)
	open := s.open[:s.cols]
	for l := range open {
		open[l] = int32(l)
	}
	v := t.pi[s.rows : s.rows+s.cols]
	clear(v)
	if s.cols >= 2*s.rows {
		columnMinima(v, t.c, t.ld, s.rows)
	}
	for i := range s.rows {
		row := t.c[i*t.ld : i*t.ld+s.cols]
		left := s.supply[i]
		for {
			best, at := math.Inf(1), 0
			for k, l := range open {
				if x := row[l] - v[l]; x < best {
					best, at = x, k
				}
			}
			l := int(open[at])
			if s.restB[l] > left || len(open) == 1 {
				// The row closes, under column l.
				s.restB[l] -= left
				t.hang(i, s.rows+l, left)
				break
			}
			left -= s.restB[l]
			t.hang(s.rows+l, i, s.restB[l])
			open[at] = open[len(open)-1]
			open = open[:len(open)-1]
		}
	}
	t.finish(s.rows + int(open[0]))
}

// columnMinima writes the least cost of each column into v.
func columnMinima(v, c []float64, ld, rows int) {
	copy(v, c)
	for i := 1; i < rows; i++ {
		row := c[i*ld:]
		row = row[:len(v)]
		for j, x := range row {
			if x < v[j] {
				v[j] = x
			}
		}
	}
}

type sortKey struct {
	x  float64
	id int32
}

// sortKeys sorts by x, ties by id.
func sortKeys(k []sortKey) {
	if len(k) > 32 {
		slices.SortFunc(k, func(p, q sortKey) int {
			switch {
			case p.x < q.x:
				return -1
			case p.x > q.x:
				return 1
			}
			return int(p.id - q.id)
		})
		return
	}
	// Insertion, twice as fast on few; it is stable and ids come in order.
	for i := 1; i < len(k); i++ {
		x, j := k[i], i
		for ; j > 0 && x.x < k[j-1].x; j-- {
			k[j] = k[j-1]
		}
		k[j] = x
	}
}

// SolveRankOne solves the problem with costs M_ij = -x_i*y_j, with x of length n
// and y of length m, by sorting both and walking from the north-west corner:
// O((n+m) log(n+m)) without a pivot. Adding f_i + g_j to the costs changes the
// potentials only, so the plan is also optimal for -x_i*y_j + f_i + g_j. The
// basis it leaves serves later Warm solves. x and y must be finite (not
// checked). It panics on wrong lengths, or without a Reset.
func (s *Solver) SolveRankOne(x, y []float64) Status {
	if s.n == 0 {
		panic("ot: SolveRankOne without a successful Reset")
	}
	if len(x) != s.n || len(y) != s.m {
		panic("ot: SolveRankOne: wrong length of x or y")
	}
	s.pivots, s.arcs = 0, false
	if s.swapped {
		s.northWest(y, x)
	} else {
		s.northWest(x, y)
	}
	s.hasBasis = true
	s.keepPotentials(func(i, j int) float64 { return -float64(x[i] * y[j]) })
	return Optimal
}

// northWest builds the monotone basis for core rows ordered by x and columns by
// y, with its potentials.
func (s *Solver) northWest(x, y []float64) {
	t := &s.tree
	t.clear()
	rows, cols := s.keys[:s.rows], s.keys[s.rows:s.rows+s.cols]
	for k, i := range s.rowID {
		rows[k] = sortKey{x[i], int32(k)}
	}
	for l, j := range s.colID {
		cols[l] = sortKey{y[j], int32(l)}
	}
	sortKeys(rows)
	sortKeys(cols)
	i, j := 0, 0
	left, room := s.supply[rows[0].id], s.demand[cols[0].id]
	for {
		k, l := int(rows[i].id), s.rows+int(cols[j].id)
		if room > left || j == s.cols-1 {
			t.hang(k, l, left)
			room -= left
			if i++; i == s.rows {
				break
			}
			left = s.supply[rows[i].id]
			continue
		}
		t.hang(l, k, room)
		left -= room
		j++
		room = s.demand[cols[j].id]
	}
	root := s.rows + int(cols[s.cols-1].id)
	t.finish(root)
	for k := range s.rows + s.cols {
		if k == root {
			continue
		}
		r, c := k, int(t.node[k].parent)
		if k >= s.rows {
			r, c = c, k
		}
		t.arcCost[k] = -float64(x[s.rowID[r]] * y[s.colID[c-s.rows]])
	}
	t.propagate()
}
