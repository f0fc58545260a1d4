package gdl

import (
	"cmp"
	"math"
	"slices"

	"ogdl/internal/vec"
)

// simplexQP minimises over the simplex, for fixed M and lambda and a stream of
// vectors c (one per round of an unmixing),
//
//	J(w) = w'Mw - 2c'w - lambda |w|^2
//
// with M symmetric positive semi-definite of order s. It is an active-set
// method on corrals (Wolfe 1976, generalised to any quadratic): a corral is a
// list of atoms on whose face the reduced Hessian is positive definite, factored
// by Cholesky in the differences to the corral's first atom. Each round moves to
// the minimum of the face, dropping atoms that hit zero, and then admits the
// atom of lowest gradient until none is below the corral's.
//
// With lambda = 0 the result is a global minimum, for a singular M too: along a
// direction without curvature J is linear and the move ends on a smaller face.
// With lambda > 0 the same moves, now also along negative curvature, end in a
// local minimum; the first round after reset tries every vertex among the
// lowest maxStarts and keeps the best, later rounds continue from the last.
//
// The corral and its factor survive from one c to the next, as M does not
// change within an unmixing.
type simplexQP struct {
	s      int
	m      []float64 // s x s, shared, read only
	c      []float64 // of the current call
	lambda float64
	scale  float64 // of M's diagonal
	convex bool    // on the whole simplex

	corral []int
	in     []bool
	l      []float64 // factor of order len(corral)-1, rows of stride s
	w, g   []float64 // weights, and half the gradient Mw - c - lambda w
	step   []float64 // direction over the corral
	hd     []float64 // (M - lambda I) times the direction

	order   []int // vertices by value, for starts
	best    []float64
	corral2 []int
}

const (
	maxStarts = 8
	// A pivot of the factor below this share of M's diagonal counts as no
	// curvature.
	flat = 1e-12
	// An atom whose half gradient is not below the corral's by this share of
	// the scale does not enter: the value is off by at most twice that.
	entering = 1e-14
)

// reset sets M (order s, kept by reference), lambda, and drops the corral. M may be
// indefinite where semidefinite is false: that is as with lambda > 0.
func (q *simplexQP) reset(m []float64, s int, lambda float64, semidefinite bool) {
	q.in, q.l = vec.Grow(q.in, s), vec.Grow(q.l, s*s)
	q.w, q.g, q.step, q.hd, q.best = vec.Grow(q.w, s), vec.Grow(q.g, s), vec.Grow(q.step, s), vec.Grow(q.hd, s), vec.Grow(q.best, s)
	q.corral, q.corral2, q.order = slices.Grow(q.corral[:0], s), slices.Grow(q.corral2[:0], s), slices.Grow(q.order[:0], s)
	q.m, q.s, q.lambda = m, s, lambda
	q.scale = 0
	for i := range s {
		q.scale = max(q.scale, m[i*s+i])
	}
	q.convex = lambda == 0 && semidefinite
	if !q.convex {
		q.corral = q.corral[:0]
		for i := range s {
			q.corral = append(q.corral, i)
		}
		q.convex = q.factor(0)
	}
	q.restart()
}

// restart forgets the corral, so that the next solve starts from vertices.
func (q *simplexQP) restart() {
	q.corral = q.corral[:0]
	clear(q.in)
}

// h returns the Hessian entry M_ij - lambda [i = j].
func (q *simplexQP) h(i, j int) float64 {
	v := q.m[i*q.s+j]
	if i == j {
		v -= q.lambda
	}
	return v
}

// reduced returns the Hessian between the directions e_i - e_o and e_j - e_o.
func (q *simplexQP) reduced(i, j, o int) float64 {
	return (q.h(i, j) - q.h(i, o)) - (q.h(o, j) - q.h(o, o))
}

// factor recomputes the factor's rows from the given one on (row r belongs to
// corral[r+1]) and reports whether every pivot is positive. On a part of a
// corral they are; rounding is held off them by a floor.
func (q *simplexQP) factor(from int) bool {
	positive := true
	for r := from; r < len(q.corral)-1; r++ {
		pivot := q.factorRow(r, q.corral[r+1])
		floor := max(flat*q.scale, math.SmallestNonzeroFloat64)
		positive = positive && pivot > floor
		q.l[r*q.s+r] = math.Sqrt(max(pivot, floor))
	}
	return positive
}

// factorRow fills row r of the factor for atom j but for its diagonal, and
// returns the square of that.
func (q *simplexQP) factorRow(r, j int) float64 {
	o := q.corral[0]
	lr := q.l[r*q.s : r*q.s+r+1]
	pivot := q.reduced(j, j, o)
	for k := range r {
		lk := q.l[k*q.s : k*q.s+k+1]
		v := q.reduced(j, q.corral[k+1], o)
		for t, x := range lk[:k] {
			v -= float64(x * lr[t])
		}
		v /= lk[k]
		lr[k] = v
		pivot -= float64(v * v)
	}
	return pivot
}

// solveLower and solveUpper solve with the factor and its transpose, in place.
func (q *simplexQP) solveLower(x []float64) {
	for r := range x {
		v := x[r]
		for t, y := range q.l[r*q.s : r*q.s+r] {
			v -= float64(y * x[t])
		}
		x[r] = v / q.l[r*q.s+r]
	}
}

func (q *simplexQP) solveUpper(x []float64) {
	for r := len(x) - 1; r >= 0; r-- {
		v := x[r] / q.l[r*q.s+r]
		x[r] = v
		vec.Axpy(-v, q.l[r*q.s:r*q.s+r], x)
	}
}

// value returns J(w) from w and the half gradient: w'g - c'w.
func (q *simplexQP) value() float64 {
	v := 0.0
	for i, x := range q.w {
		v += float64(x * (q.g[i] - q.c[i]))
	}
	return v
}

func (q *simplexQP) gradient() {
	for i := range q.g {
		q.g[i] = float64(-q.lambda*q.w[i]) - q.c[i]
	}
	for j, x := range q.w {
		if x != 0 {
			vec.Axpy(x, q.m[j*q.s:j*q.s+q.s], q.g)
		}
	}
}

// solve writes a minimiser for the linear term c to w.
func (q *simplexQP) solve(c, w []float64) {
	q.c = c
	if len(q.corral) > 0 {
		q.gradient()
		q.descend()
		copy(w, q.w)
		return
	}
	q.sortVertices()
	starts := 1
	if !q.convex {
		starts = min(maxStarts, q.s)
	}
	low := math.Inf(1)
	for _, v := range q.order[:starts] {
		q.vertex(v)
		q.descend()
		if x := q.value(); x < low {
			low = x
			copy(q.best, q.w)
			q.corral2 = append(q.corral2[:0], q.corral...)
		}
	}
	if starts > 1 {
		q.restart()
		q.corral = append(q.corral, q.corral2...)
		for _, i := range q.corral {
			q.in[i] = true
		}
		q.factor(0)
		copy(q.w, q.best)
	}
	copy(w, q.w)
}

// sortVertices orders the atoms by J(e_i), lowest first, ties by index.
func (q *simplexQP) sortVertices() {
	q.order = q.order[:0]
	for i := range q.s {
		q.order = append(q.order, i)
	}
	value := func(i int) float64 { return q.h(i, i) - 2*q.c[i] }
	slices.SortStableFunc(q.order, func(i, j int) int { return cmp.Compare(value(i), value(j)) })
}

func (q *simplexQP) vertex(v int) {
	q.restart()
	clear(q.w)
	q.w[v] = 1
	q.corral = append(q.corral, v)
	q.in[v] = true
	q.gradient()
}

// descend runs the active-set method from a point of the corral's face.
func (q *simplexQP) descend() {
	q.face()
	// Every admission lowers J; the bound only guards against rounding.
	for range 50 + 20*q.s {
		level := q.level()
		j, low, size := -1, math.Inf(1), q.scale
		for i, x := range q.g {
			size = max(size, math.Abs(q.c[i]))
			if !q.in[i] && x < low {
				j, low = i, x
			}
		}
		if j < 0 || low >= level-float64(entering*size) {
			break
		}
		q.admit(j)
		q.face()
	}
	q.normalise()
}

// level returns the corral's half gradient, equal on all of it at a face minimum up to rounding.
func (q *simplexQP) level() float64 {
	sum := 0.0
	for _, i := range q.corral {
		sum += float64(q.w[i] * q.g[i])
	}
	return sum
}

// admit adds atom j, whose half gradient is below the corral's, to the corral.
// While the face has no curvature towards j it moves to the border, which drops
// an atom.
func (q *simplexQP) admit(j int) {
	for {
		r := len(q.corral) - 1
		pivot := q.factorRow(r, j)
		if pivot > max(flat*q.scale, math.SmallestNonzeroFloat64) {
			q.l[r*q.s+r] = math.Sqrt(pivot)
			q.corral = append(q.corral, j)
			q.in[j] = true
			return
		}
		// d = e_j - e_o - sum_k x_k (e_k - e_o) with L'x = the factor's row.
		x := q.step[:r]
		copy(x, q.l[r*q.s:r*q.s+r])
		q.solveUpper(x)
		first := -1.0
		t, out := math.Inf(1), -1
		for k := range x {
			first += x[k]
			if x[k] > 0 {
				if u := q.w[q.corral[k+1]] / x[k]; u < t {
					t, out = u, k+1
				}
			}
		}
		if first < 0 {
			if u := q.w[q.corral[0]] / -first; u <= t {
				t, out = u, 0
			}
		}
		clear(q.hd)
		q.addColumn(j, 1)
		q.addColumn(q.corral[0], first)
		for k := range x {
			q.addColumn(q.corral[k+1], -x[k])
			q.w[q.corral[k+1]] -= float64(t * x[k])
		}
		q.w[j] += t
		q.w[q.corral[0]] += float64(t * first)
		vec.Axpy(t, q.hd, q.g)
		if !q.drop(out) { // j alone is left
			q.corral = append(q.corral, j)
			q.in[j] = true
			clear(q.w)
			q.w[j] = 1
			return
		}
	}
}

// addColumn adds f times column i of the Hessian to hd.
func (q *simplexQP) addColumn(i int, f float64) {
	if f == 0 {
		return
	}
	vec.Axpy(f, q.m[i*q.s:i*q.s+q.s], q.hd)
	q.hd[i] -= float64(f * q.lambda)
}

// drop takes the atom at place k out of the corral, with weight zero, and
// reports whether any is left.
func (q *simplexQP) drop(k int) bool {
	i := q.corral[k]
	q.in[i], q.w[i] = false, 0
	q.corral = append(q.corral[:k], q.corral[k+1:]...)
	if len(q.corral) == 0 {
		return false
	}
	q.factor(max(k-1, 0))
	return true
}

// face moves to the minimum of J on the corral's face, dropping the atoms that
// reach zero on the way.
func (q *simplexQP) face() {
	for len(q.corral) > 1 {
		o := q.corral[0]
		x := q.step[:len(q.corral)-1]
		for k := range x {
			x[k] = q.g[o] - q.g[q.corral[k+1]]
		}
		q.solveLower(x)
		q.solveUpper(x)
		first := 0.0
		t, out := 1.0, -1
		for k := range x {
			first -= x[k]
			if i := q.corral[k+1]; x[k] < 0 && q.w[i] <= -float64(t*x[k]) {
				t, out = q.w[i]/-x[k], k+1
			}
		}
		if first < 0 && q.w[o] <= -float64(t*first) {
			t, out = q.w[o]/-first, 0
		}
		if t > 0 {
			clear(q.hd)
			q.addColumn(o, first)
			q.w[o] += float64(t * first)
			for k := range x {
				i := q.corral[k+1]
				q.addColumn(i, x[k])
				q.w[i] += float64(t * x[k])
			}
			vec.Axpy(t, q.hd, q.g)
		}
		if out < 0 {
			return
		}
		q.drop(out)
	}
	if len(q.corral) == 1 {
		q.w[q.corral[0]] = 1
	}
}

// normalise takes rounding out of w: no negative weight, sum one.
func (q *simplexQP) normalise() {
	sum := 0.0
	for i, x := range q.w {
		q.w[i] = max(x, 0)
		sum += q.w[i]
	}
	for i := range q.w {
		q.w[i] /= sum
	}
}
