package ot

import (
	"math"
	"slices"

	"ogdl/internal/vec"
)

// assignment is the working memory of assign. Columns have prices v; a row wants the column with
// the least c_ij - v_j. Every assigned pair is wanted.
type assignment struct {
	v, d       []float64
	pred       []int64 // the row from which d_j was reached
	rowOf      []int32 // of a column; -1: free
	colOf      []int32 // of a row
	free       []int32 // rows
	scanned    []int32 // columns
	held, dist []float64
	turned     []float64 // costs, column by column
}

// uniform reports whether both sides have as many lines, all of one weight.
func (s *Solver) uniform() bool {
	unit := s.supply[0]
	other := func(x int64) bool { return x != unit }
	return s.rows == s.cols && !slices.ContainsFunc(s.supply, other) && !slices.ContainsFunc(s.demand, other)
}

// assignFrom is the number of rows from which assign is faster than greedy and its pivots, by 2 on
// random costs (4.4 at 256). On squared distances of features it gains from 200 rows on, and where
// many costs are equal it would lose.
const assignFrom = 64

// assign builds a basis that is optimal but for rounding, where all masses are
// equal: the shortest augmenting paths of Jonker and Volgenant (1987) give the
// assignment, and a tree of shortest paths the empty arcs of the basis. It reports
// false, and builds nothing, where rows are often as content with one column as with
// another: paths are long then, and pivots few.
func (s *Solver) assign() bool {
	a, t := &s.pairs, &s.tree
	n := s.rows
	wide := vec.Pad(n)
	a.v, a.d, a.held, a.pred = grow(a.v, wide), grow(a.d, wide), grow(a.held, wide), grow(a.pred, wide)
	for _, x := range [][]float64{a.v, a.held} {
		for j := n; j < wide; j++ {
			x[j] = math.Inf(-1)
		}
	}
	a.dist, a.rowOf, a.colOf = grow(a.dist, n), grow(a.rowOf, n), grow(a.colOf, n)
	a.free, a.scanned = grow(a.free, n), grow(a.scanned, n)
	sums := s.sums[:n]
	clear(sums)
	for j := range n {
		a.v[j], a.rowOf[j] = math.Inf(1), -1
	}
	for i := range n {
		vec.Survey(t.c[i*t.ld:i*t.ld+n], a.v, sums)
		a.free[i] = int32(i)
	}
	t.mixed = mixed(a.v[:n], sums, n)
	free, ties := a.free, n/8
	for range bidRounds {
		left := a.bid(t, free, &ties)
		if ties < 0 {
			return false
		}
		free = free[:left]
	}
	for _, i := range free {
		a.augment(t, int(i))
	}
	s.span()
	return true
}

// bidRounds is how often rows without a column bid before paths are searched.
const bidRounds = 2

// bid lets every row of free take the column it wants, from another row if need be, and lower its
// price to where the row wants its second choice as much. A row that lost its column bids next, or
// in the next round. It returns how many are left, at the beginning of free. A row that wants a
// taken column no more than another takes one off ties; below zero it ends.
func (a *assignment) bid(t *tree, free []int32, ties *int) (left int) {
	n, again := t.cols, 2*len(free)
	for at := 0; at < len(free) && *ties >= 0; {
		i := int(free[at])
		at++
		row := t.c[i*t.ld : i*t.ld+n]
		j := vec.Least(row, a.v, math.Inf(1))
		if j < 0 {
			free[left] = int32(i)
			left++
			continue
		}
		price := a.v[j]
		first := row[j] - price
		a.v[j] = math.Inf(-1)
		k := vec.Least(row, a.v, math.Inf(1))
		lowered := price
		if k >= 0 {
			lowered = price - (row[k] - a.v[k] - first)
		}
		a.v[j] = price
		old := a.rowOf[j]
		if lowered < price {
			a.v[j] = lowered
		} else if old >= 0 {
			*ties--
			if k >= 0 {
				j, old = k, a.rowOf[k]
			}
		}
		a.rowOf[j], a.colOf[i] = int32(i), int32(j)
		if old < 0 {
			continue
		}
		if lowered < price && again > 0 {
			again--
			at--
			free[at] = old
		} else {
			free[left] = old
			left++
		}
	}
	return left
}

// augment gives row i a column: it goes along the shortest path to a free one, on
// which every row passes its column on.
func (a *assignment) augment(t *tree, i int) {
	n := t.cols
	for j := range a.d {
		a.d[j] = math.Inf(1)
	}
	scanned := 0
	from, j, shift := i, -1, 0.0
	for {
		j = vec.Relax(t.c[from*t.ld:from*t.ld+n], a.v, a.d, a.pred, shift, int64(from))
		if j < 0 { // costs that are not finite: any will do
			j = 0
			for a.rowOf[j] >= 0 {
				j++
			}
			a.pred[j] = int64(i)
			break
		}
		if a.rowOf[j] < 0 {
			break
		}
		from = int(a.rowOf[j])
		a.scanned[scanned], a.held[scanned], a.dist[scanned] = int32(j), a.v[j], a.d[j]
		scanned++
		shift = t.c[from*t.ld+j] - a.v[j] - a.d[j]
		a.v[j], a.d[j] = math.Inf(-1), math.Inf(1)
	}
	end := a.d[j]
	for k, l := range a.scanned[:scanned] {
		a.v[l] = a.held[k]
		if x := a.dist[k] - end; x < 0 {
			a.v[l] += x
		}
	}
	for {
		k := int(a.pred[j])
		a.rowOf[j] = int32(k)
		a.colOf[k], j = int32(j), int(a.colOf[k])
		if k == i {
			break
		}
	}
}

// span completes the assignment to a strongly feasible basis: all rows but the root's
// have an empty arc up to a column, on shortest paths to the root in reduced costs.
func (s *Solver) span() {
	a, t := &s.pairs, &s.tree
	n, root := s.rows, 0
	t.clear()
	clear(t.done)
	// Distances are from the column of a row to the root: d of those that are not yet known.
	u, d, order := a.held, a.d, a.free[:n]
	for i, j := range a.colOf {
		u[i] = t.c[i*t.ld+int(j)] - a.v[j]
		a.pred[i] = int64(root)
	}
	for i := range d {
		d[i] = math.Inf(1)
	}
	ld := vec.Pad(n) | 4 // columns at a distance of a power of two would share lines of the cache
	a.turned = grow(a.turned, n*ld)
	vec.Transpose(t.c, t.ld, n, n, a.turned, ld)
	first := int(a.rowOf[root])
	for known, i, far := 0, first, 0.0; ; {
		order[known], t.done[i] = int32(i), true
		j := int(a.colOf[i])
		u[i], d[i] = math.Inf(-1), math.Inf(1)
		if known++; known == n {
			break
		}
		i = vec.Relax(a.turned[j*ld:j*ld+n], u, d, a.pred, a.v[j]-far, int64(j))
		if i < 0 { // costs that are not finite: any will do
			i = 0
			for t.done[i] {
				i++
			}
		}
		far = d[i]
	}
	for k := n - 1; k > 0; k-- {
		i := int(order[k])
		t.hang(n+int(a.colOf[i]), i, s.supply[i])
		t.hang(i, n+int(a.pred[i]), 0)
	}
	t.hang(first, n+root, s.supply[0])
	t.finish(n + root)
}
