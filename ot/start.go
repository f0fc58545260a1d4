package ot

import (
	"math"
	"slices"

	"ogdl/internal/vec"
)

// greedy builds a strongly feasible basis: rows take what they need from their
// cheapest columns that still have room, where cheap means above the price of
// the column, a value between the column's least and its mean cost. Rows that are
// expensive on the whole choose first: they lose most by what the others leave.
// On squared distances between features that leaves less than half of the
// pivots that plain costs leave, and three quarters on random costs.
//
// Each line that closes becomes a child of the line that is still open. Where a
// row and a column close at once the column is closed and the row stays with
// nothing left, so that an arc without flow always points from a row up to its
// parent: that is what makes the basis strongly feasible.
func (s *Solver) greedy() {
	t := &s.tree
	t.clear()
	// Open columns have demand left, and prices; closed ones have neither, and
	// their -Inf keeps them from being the cheapest.
	rest := s.restB[:s.cols]
	copy(rest, s.demand)
	v := t.pi[s.rows : s.rows+s.cols]
	order := s.survey(v)
	open := s.cols
	for _, key := range order {
		i := int(key.id)
		row := t.c[i*t.ld : i*t.ld+s.cols]
		left := s.supply[i]
		for {
			l := -1
			if open > 1 {
				l = vec.Least(row, v, math.Inf(1))
			}
			if l < 0 { // the only one, or costs that are not finite
				l = firstPositive(rest)
			}
			if open == 1 || rest[l] > left {
				// The row closes, under column l. The last column keeps its
				// demand, as it stays open.
				if open > 1 {
					rest[l] -= left
				}
				t.hang(i, s.rows+l, left)
				break
			}
			left -= rest[l]
			t.hang(s.rows+l, i, rest[l])
			rest[l], v[l] = 0, math.Inf(-1)
			open--
		}
	}
	t.finish(s.rows + firstPositive(rest))
}

// firstPositive returns the first index of a positive entry; there must be one.
func firstPositive(w []int64) int {
	l := 0
	for w[l] <= 0 {
		l++
	}
	return l
}

// survey writes the price of each column into v and returns the rows in falling
// order of their sums. Prices move with the costs when a constant is added to a
// column, or when all are scaled.
func (s *Solver) survey(v []float64) []sortKey {
	t := &s.tree
	v = v[:s.cols]
	sums := s.sums[:len(v)]
	clear(sums)
	for j := range v {
		v[j] = math.Inf(1)
	}
	keys := s.keys[:s.rows]
	for i := range keys {
		row := t.c[i*t.ld:]
		row = row[:len(v)]
		var s0, s1 float64
		j := 0
		for ; j+4 <= len(v); j += 4 {
			x, y, z := (*[4]float64)(row[j:]), (*[4]float64)(v[j:]), (*[4]float64)(sums[j:])
			x0, x1, x2, x3 := x[0], x[1], x[2], x[3]
			y[0], y[1], y[2], y[3] = min(y[0], x0), min(y[1], x1), min(y[2], x2), min(y[3], x3)
			z[0] += x0
			z[1] += x1
			z[2] += x2
			z[3] += x3
			s0 += x0 + x1
			s1 += x2 + x3
		}
		for ; j < len(v); j++ {
			x := row[j]
			v[j] = min(v[j], x)
			sums[j] += x
			s0 += x
		}
		keys[i] = sortKey{-(s0 + s1), int32(i)}
	}
	t.mixed = mixed(v, sums, s.rows)
	share := float64(meanShare * min(1, 2*float64(s.rows)/float64(s.cols)))
	c := share / float64(s.rows)
	for j := range v {
		v[j] = float64((1-share)*v[j]) + float64(c*sums[j])
	}
	sortKeys(keys)
	return keys
}

// mixed reports whether the least costs of some columns are tiny compared with the mean cost of
// others, as with costs of forbidden pairs among them. Even smaller costs count as the rounding of
// a zero.
func mixed(least, sums []float64, rows int) bool {
	most := 0.0
	for _, x := range sums {
		most = max(most, math.Abs(x))
	}
	most /= float64(rows)
	low, high := float64(most*0x1p-51), float64(most*0x1p-26)
	for _, x := range least {
		if x = math.Abs(x); x < high && x > low {
			return true
		}
	}
	return false
}

// meanShare is the weight of a column's mean cost in its price; the rest is the weight of its least
// cost. Costs of features need the fewest pivots from 0.4 to 0.6,
// random ones from 0 to 0.4; where columns are more than twice as many as rows,
// both need less the more there are.
const meanShare = 0.4

type sortKey struct {
	x  float64
	id int32
}

// sortKeys sorts by x, ties by id.
func sortKeys(k []sortKey) {
	if len(k) > 64 {
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
func (s *Solver) SolveRankOne(x, y []float64) {
	if s.n == 0 {
		panic("ot: SolveRankOne without a successful Reset")
	}
	if len(x) != s.n || len(y) != s.m {
		panic("ot: SolveRankOne: wrong length of x or y")
	}
	s.pivots, s.arcs, s.mixed = 0, false, false
	if s.swapped {
		s.northWest(y, x)
	} else {
		s.northWest(x, y)
	}
	s.hasBasis = true
	s.keepPotentials(func(i, j int) float64 { return -float64(x[i] * y[j]) })
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
	t.pi[root], t.scale = 0, 0
	for _, k := range t.order[1:] {
		k, p := int(k), int(t.node[k].Parent)
		var cost, v float64
		if k < s.rows {
			cost = -float64(x[s.rowID[k]] * y[s.colID[p-s.rows]])
			v = t.pi[p] - cost
		} else {
			cost = -float64(x[s.rowID[p]] * y[s.colID[k-s.rows]])
			v = t.pi[p] + cost
		}
		t.pi[k] = v
		t.scale = max(t.scale, math.Abs(cost), math.Abs(v))
	}
}
