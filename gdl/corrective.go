package gdl

import (
	"math"

	"ogdl/internal/vec"
)

// hull is the convex hull of points of the polytope, in which the fully corrective conditional
// gradient moves. Each step adds the vertex that the linear problem gives. On it J is the quadratic
//
//	b' Q b / 2 + lin' b - mu |sum_i b_i v_i|^2,   Q_ij = <K(X_i) - L, X_j>,   lin_i = <L, X_i>
//
// in weights b on the simplex, since K is affine; it need not be convex.
type hull struct {
	n, size int // points in use, and the most entries that one has had
	points  [mostPoints]point
	q       [mostPoints * mostPoints]float64
	v       [mostPoints * mostPoints]float64 // <v_i, v_j>
	m, c, b []float64
	qp      simplexQP
}

// mostPoints bounds the hull: where the best point needs as many, a hull starts anew there. Few
// descents come near it.
const mostPoints = 32

// point is a point of the polytope: T, C T, K and v, as in [joint].
type point struct {
	t, ct, k, v []float64
	lin         float64
}

// at returns point i, resized for the problem j. Points are swapped, so each gets room for the
// largest problem so far.
func (h *hull) at(i int, j *joint) *point {
	h.size = max(h.size, len(j.t))
	x, n := &h.points[i], len(j.t)
	x.t, x.ct, x.k, x.v = vec.Grow(x.t, h.size)[:n], vec.Grow(x.ct, h.size)[:n], vec.Grow(x.k, h.size)[:n], vec.Grow(x.v, len(j.v))
	return x
}

// restart makes the current point the only one.
func (h *hull) restart(j *joint) {
	h.n = 0
	x := h.at(0, j)
	copy(x.t, j.t)
	copy(x.ct, j.ct)
	copy(x.k, j.k)
	copy(x.v, j.v)
	x.lin = j.linT
	h.add()
}

// add computes the products of point n with the points before it.
func (h *hull) add() {
	x := &h.points[h.n]
	for i := range h.n + 1 {
		y := &h.points[i]
		// Both products are equal but for rounding.
		q := ((vec.Dot(x.k, y.t) - y.lin) + (vec.Dot(y.k, x.t) - x.lin)) / 2
		v := vec.Dot(x.v, y.v)
		h.q[i*mostPoints+h.n], h.q[h.n*mostPoints+i] = q, q
		h.v[i*mostPoints+h.n], h.v[h.n*mostPoints+i] = v, v
	}
	h.n++
}

// move adds the vertex of the last direction, and moves to the best point of the hull. It reports
// whether that is lower than the current one by more than rounding; else nothing has changed but
// the hull.
func (h *hull) move(j *joint) bool {
	if h.n == mostPoints {
		h.restart(j)
	}
	x := h.at(h.n, j)
	x.lin = j.vertex(x.ct, x.k, x.v)
	clear(x.t)
	j.add(1, x.t)
	h.add()
	n := h.n
	h.m, h.c, h.b = vec.Grow(h.m, n*n), vec.Grow(h.c, n), vec.Grow(h.b, n)
	scale := 0.0
	for i := range n {
		h.c[i] = -h.points[i].lin / 2
		scale = max(scale, math.Abs(h.c[i]))
		for k := range n {
			x := float64(h.q[i*mostPoints+k]/2) - float64(j.mu*h.v[i*mostPoints+k])
			h.m[i*n+k] = x
			scale = max(scale, math.Abs(x))
		}
	}
	h.qp.reset(h.m, n, 0, false)
	h.qp.solve(h.c, h.b)
	value := 0.0
	for i, x := range h.b {
		value += float64(x * (vec.Dot(h.m[i*n:i*n+n], h.b) - float64(2*h.c[i])))
	}
	if !(value < j.value()-float64(1e-13*scale)) {
		return false
	}
	h.take(j)
	return true
}

// take moves to sum_i b_i x_i and drops the points with b_i = 0.
func (h *hull) take(j *joint) {
	clear(j.t)
	clear(j.ct)
	clear(j.k)
	clear(j.v)
	j.linT = 0
	place := make([]int, 0, mostPoints)
	for i, b := range h.b {
		if !(b > 0) {
			continue
		}
		place = append(place, i)
		x := &h.points[i]
		vec.Axpy(b, x.t, j.t)
		vec.Axpy(b, x.ct, j.ct)
		vec.Axpy(b, x.k, j.k)
		vec.Axpy(b, x.v, j.v)
		j.linT += float64(b * x.lin)
	}
	j.kTT = vec.Dot(j.k, j.t)
	for to, from := range place { // places rise, so that nothing is lost
		h.points[to], h.points[from] = h.points[from], h.points[to]
		for k, of := range place[:to+1] {
			for _, a := range []*[mostPoints * mostPoints]float64{&h.q, &h.v} {
				x := a[from*mostPoints+of]
				a[to*mostPoints+k], a[k*mostPoints+to] = x, x
			}
		}
	}
	h.n = len(place)
}
