package gdl

import (
	"math"
	"slices"

	"ogdl/internal/vec"
)

// flexible solves the linear problem of a coupling whose second marginal may
// move between given weights,
//
//	min  <G, X> + f'y   over   X >= 0, y >= 0,  X 1 = p,  X'1 = sum_s y_s h_s
//
// which makes y a point of the simplex, since p and every h_s sum to one. It is
// a transport problem with a side column for every h_s, solved by the primal
// simplex method with an explicit inverse of the basis, of order n + m. The
// constraints of one graph stay while its costs change, so that the last basis
// is always a feasible start.
//
// X is held transposed throughout: line k of G and X is column k of the coupling.
type flexible struct {
	n, m, s, ld int
	p           []float64
	h           [][]float64

	lines  int       // n + m: rows first, then columns
	basis  []int32   // arc (i, k) is k*n + i, column s is m*n + s
	inv    []float64 // inv[line*lines + place]: the inverse, column by column
	x      []float64 // values of the basis, >= 0
	cost   []float64
	dual   []float64 // u, then t: g_ik >= u_i + t_k and f_s + h_s't >= 0
	column []float64 // the inverse times the entering column
	swaps  []int     // of invert
	based  bool
	pivots int     // since inv was computed: rounding gathers in it
	banned []int32 // columns whose pivot would be too small
	slack  float64 // the most that the optimum can lie below the value, beyond rounding

	g, f  []float64 // of the current call
	scale float64

	// the greedy start
	order  []step
	rest   []float64
	closed []bool // columns
}

// step of the greedy start: arc (i, k) closes row i, or column k.
type step struct {
	i, k int32
	row  bool
}

// negligible is the bound below which a flow counts as 0. Noise in arcs to nodes without weight
// would otherwise steer optimizers that scale gradients.
const negligible = 1e-15

// bind sets the constraints. Slices are kept by reference.
func (l *flexible) bind(p []float64, h [][]float64, ld int) {
	l.n, l.m, l.s, l.ld = len(p), len(h[0]), len(h), ld
	l.p, l.h = p, h
	l.lines = l.n + l.m
	l.based = false
	l.basis, l.swaps, l.closed = vec.Grow(l.basis, l.lines), vec.Grow(l.swaps, l.lines), vec.Grow(l.closed, l.lines)
	l.inv, l.order = vec.Grow(l.inv, l.lines*l.lines), slices.Grow(l.order[:0], l.lines)
	l.x, l.cost, l.dual = vec.Grow(l.x, l.lines), vec.Grow(l.cost, l.lines), vec.Grow(l.dual, l.lines)
	l.column, l.rest = vec.Grow(l.column, l.lines), vec.Grow(l.rest, l.lines)
}

// solve finds an optimal vertex for the costs G (m lines of stride ld, n entries
// each) and f. The safety limit on pivots, or rounding, may leave a feasible vertex that
// is not optimal. slack covers that too.
func (l *flexible) solve(g, f []float64) {
	l.g, l.f = g, f
	l.scale = 0
	for k := range l.m {
		for _, x := range g[k*l.ld : k*l.ld+l.n] {
			l.scale = max(l.scale, math.Abs(x))
		}
	}
	for _, x := range f {
		l.scale = max(l.scale, math.Abs(x))
	}
	for try := range 2 {
		if try > 0 || !l.based {
			l.start()
		}
		l.optimise()
		l.refine()
		if l.refine() <= 1e-13 {
			return
		}
	}
	// Rounding prevented a solution, which happens for nearly equal weights. Return a feasible
	// start.
	l.start()
	l.price()
	l.slack = l.shortfall()
}

func (l *flexible) optimise() {
	l.price()
	l.banned, l.slack = l.banned[:0], 0
	stalled, fresh := 0, true
	for range 100 + 20*(l.lines+l.s) {
		enter, reduced := l.entering(stalled > l.lines)
		if enter < 0 {
			if fresh {
				if len(l.banned) > 0 {
					l.slack = l.shortfall()
				}
				return
			}
			l.duals() // those carried along have gathered rounding
			fresh = true
			continue
		}
		fresh = false
		switch l.pivot(enter, reduced, stalled > l.lines) {
		case moved:
			stalled = 0
			l.banned = l.banned[:0]
		case still:
			stalled++
		case rejected:
			if l.pivots == 0 {
				l.banned = append(l.banned, enter)
				continue
			}
			// The pivot may be small, or the column basic already, by rounding alone.
			if l.invert() {
				l.refine()
			} else {
				l.start()
			}
			l.price()
			l.banned, fresh = l.banned[:0], true
		}
	}
	l.duals()
	l.slack = l.shortfall()
}

// shortfall bounds how far the optimum lies below the value at the duals: as X and
// y each sum to one, by the most negative reduced cost of either.
func (l *flexible) shortfall() float64 {
	u, t := l.dual[:l.n], l.dual[l.n:l.lines]
	arc, side := 0.0, 0.0
	for k, tk := range t {
		for i, ui := range u {
			arc = max(arc, ui+tk-l.g[k*l.ld+i])
		}
	}
	for s := range l.h {
		side = max(side, -l.sideCost(s))
	}
	return arc + side
}

// sideCost returns the reduced cost of side column s.
func (l *flexible) sideCost(s int) float64 {
	r := l.f[s]
	for k, x := range l.h[s] {
		r += float64(x * l.dual[l.n+k])
	}
	return r
}

// How a pivot ends.
const (
	moved    = iota
	still    // a degenerate one
	rejected // the element is too small, and nothing has changed
)

// price computes the basis' costs and its duals.
func (l *flexible) price() {
	for place, v := range l.basis[:l.lines] {
		l.cost[place] = l.costOf(v)
	}
	l.duals()
}

func (l *flexible) duals() {
	for j := range l.lines {
		l.dual[j] = vec.Dot(l.inv[j*l.lines:(j+1)*l.lines], l.cost)
	}
}

func (l *flexible) costOf(v int32) float64 {
	if int(v) >= l.n*l.m {
		return l.f[int(v)-l.n*l.m]
	}
	return l.g[int(v)/l.n*l.ld+int(v)%l.n]
}

// entering finds the column of lowest reduced cost, or by Bland's rule, which cannot
// cycle, the first below zero; -1 if there is none. Of columns that differ by no more
// than rounding the first is taken: after an exact line search vertices tie, and
// rounding must not choose among them.
func (l *flexible) entering(bland bool) (enter int32, reduced float64) {
	enter, reduced = -1, 0
	tie := float64(1e-12 * l.scale)
	u, t := l.dual[:l.n], l.dual[l.n:l.lines]
	for k, tk := range t {
		row := l.g[k*l.ld : k*l.ld+l.n]
		for i, ui := range u {
			if r := row[i] - tk - ui; r < reduced-tie && !slices.Contains(l.banned, int32(k*l.n+i)) {
				enter, reduced = int32(k*l.n+i), r
				if bland {
					return
				}
			}
		}
	}
	for s := range l.h {
		r := l.sideCost(s)
		if r < reduced-tie && !slices.Contains(l.banned, int32(l.n*l.m+s)) {
			enter, reduced = int32(l.n*l.m+s), r
			if bland {
				return
			}
		}
	}
	return
}

// pivot lets a column enter. A pivot element near zero, as nearly equal h_s give it, would spoil
// the inverse: the column is rejected, as is one of the basis, whose reduced cost is below zero by
// rounding.
func (l *flexible) pivot(enter int32, reduced float64, bland bool) int {
	q := l.lines
	if slices.Contains(l.basis, enter) {
		return rejected
	}
	d := l.column[:q]
	if v := int(enter); v < l.n*l.m {
		copy(d, l.inv[v%l.n*q:][:q])
		for r, x := range l.inv[(l.n+v/l.n)*q:][:q] {
			d[r] += x
		}
	} else {
		clear(d)
		for k, x := range l.h[v-l.n*l.m] {
			if x != 0 {
				vec.Axpy(-x, l.inv[(l.n+k)*q:][:q], d)
			}
		}
	}
	// Among equal ratios the largest pivot leaves, which keeps the inverse sound;
	// under Bland's rule the first variable.
	out, theta := -1, math.Inf(1)
	for r, x := range d {
		if x <= 1e-13 {
			continue
		}
		ratio := l.x[r] / x
		switch {
		case ratio < theta:
		case ratio > theta:
			continue
		case bland && l.basis[r] > l.basis[out]:
			continue
		case !bland && x <= d[out]:
			continue
		}
		out, theta = r, ratio
	}
	if out < 0 || d[out] < 1e-8 {
		return rejected
	}
	for r, x := range d {
		l.x[r] = max(0, l.x[r]-float64(theta*x))
	}
	l.x[out] = theta
	l.basis[out] = enter
	l.cost[out] = l.costOf(enter)
	pivot := 1 / d[out]
	d[out] = 0
	for j := range q {
		c := l.inv[j*q : (j+1)*q]
		if c[out] == 0 {
			continue
		}
		y := c[out] * pivot
		vec.Axpy(-y, d, c)
		c[out] = y
		l.dual[j] += float64(reduced * y)
	}
	l.pivots++
	if theta > 0 {
		return moved
	}
	return still
}

// invert computes the inverse of the basis anew, by elimination with row exchanges, and reports
// whether the basis has one; if not, inv is spoilt.
func (l *flexible) invert() bool {
	q := l.lines
	a := l.inv[:q*q]
	clear(a)
	for r, v := range l.basis { // its transpose, since inv is the inverse's transpose
		row := a[r*q : (r+1)*q]
		if int(v) < l.n*l.m {
			row[int(v)%l.n], row[l.n+int(v)/l.n] = 1, 1
			continue
		}
		for k, x := range l.h[int(v)-l.n*l.m] {
			row[l.n+k] = -x
		}
	}
	for c := range q {
		at := c
		for i := c; i < q; i++ {
			if math.Abs(a[i*q+c]) > math.Abs(a[at*q+c]) {
				at = i
			}
		}
		row := a[c*q : (c+1)*q]
		if l.swaps[c] = at; at != c {
			for k, x := range a[at*q : (at+1)*q] {
				a[at*q+k], row[k] = row[k], x
			}
		}
		if math.Abs(row[c]) < 1e-10 {
			return false
		}
		scale := 1 / row[c]
		row[c] = 1
		vec.Scale(scale, row)
		for i := range q {
			if y := a[i*q+c]; i != c && y != 0 {
				a[i*q+c] = 0
				vec.Axpy(-y, row, a[i*q:(i+1)*q])
			}
		}
	}
	for c := q - 1; c >= 0; c-- {
		if at := l.swaps[c]; at != c {
			for i := range q {
				a[i*q+c], a[i*q+at] = a[i*q+at], a[i*q+c]
			}
		}
	}
	l.pivots = 0
	return true
}

// refine takes one step of iterative refinement of the values and returns the
// largest residual before it.
func (l *flexible) refine() float64 {
	q := l.lines
	rest := l.rest[:q]
	copy(rest, l.p)
	clear(rest[l.n:])
	for r, v := range l.basis {
		x := l.x[r]
		if int(v) < l.n*l.m {
			rest[int(v)%l.n] -= x
			rest[l.n+int(v)/l.n] -= x
			continue
		}
		for k, y := range l.h[int(v)-l.n*l.m] {
			rest[l.n+k] += float64(x * y)
		}
	}
	worst := 0.0
	for j, y := range rest {
		worst = max(worst, math.Abs(y))
		if y != 0 {
			vec.Axpy(y, l.inv[j*q:(j+1)*q], l.x)
		}
	}
	for r, x := range l.x {
		if x < negligible {
			l.x[r] = 0
		}
	}
	return worst
}

// start builds a feasible basis: the h_s whose columns look cheapest, and a
// spanning tree of arcs by the rule of row minima.
func (l *flexible) start() {
	l.based, l.pivots = true, 0
	low := l.column[:l.m]
	for k := range low {
		low[k] = math.Inf(1)
		for _, x := range l.g[k*l.ld : k*l.ld+l.n] {
			low[k] = min(low[k], x)
		}
	}
	first, best := 0, math.Inf(1)
	for s, h := range l.h {
		v := l.f[s]
		for k, x := range h {
			v += float64(x * low[k])
		}
		if v < best {
			first, best = s, v
		}
	}
	l.tree(l.h[first])
	side := l.lines - 1
	for place, e := range l.order {
		l.basis[place] = e.k*int32(l.n) + e.i
	}
	l.basis[side] = int32(l.n*l.m + first)

	// The basis is triangular in the tree's order once y is known, and that is
	// what the rows hold more than the columns.
	for j := range l.lines {
		clear(l.rest)
		l.rest[j] = 1
		y := 1.0
		if j >= l.n {
			y = -1
		}
		l.back(y, l.h[first], l.inv[j*l.lines:(j+1)*l.lines])
	}
	clear(l.rest)
	copy(l.rest, l.p)
	l.back(1, l.h[first], l.x)
	for r, x := range l.x {
		l.x[r] = max(0, x)
	}
}

// back solves with the starting basis for the right side in rest, whose rows
// exceed its columns by y.
func (l *flexible) back(y float64, h, out []float64) {
	for k, x := range h {
		l.rest[l.n+k] += float64(y * x)
	}
	for place, e := range l.order {
		from := l.n + int(e.k)
		if e.row {
			from = int(e.i)
		}
		x := l.rest[from]
		l.rest[e.i] -= x
		l.rest[l.n+int(e.k)] -= x
		out[place] = x
	}
	out[l.lines-1] = y
}

// tree fills order with n + m - 1 arcs that form a spanning tree and carry p to h.
func (l *flexible) tree(h []float64) {
	l.order = l.order[:0]
	rest := l.rest[l.n:l.lines]
	copy(rest, h)
	closed := l.closed[:l.m]
	clear(closed)
	open := l.m
	for i := range l.n {
		left := l.p[i]
		for {
			k, low := -1, math.Inf(1)
			for c, done := range closed {
				if x := l.g[c*l.ld+i]; !done && (k < 0 || x < low) {
					k, low = c, x
				}
			}
			row := open == 1 || (i < l.n-1 && left <= rest[k])
			l.order = append(l.order, step{int32(i), int32(k), row})
			if row {
				rest[k] -= left
				break
			}
			left -= rest[k]
			closed[k] = true
			open--
		}
	}
}
