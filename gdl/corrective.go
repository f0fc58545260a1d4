package gdl

import (
	"math"

	"ogdl/internal/vec"
)

// hull is what a fully corrective conditional gradient moves in: the convex hull of points of the polytope, of which each step adds the vertex
// that the linear problem gives. On it J is the quadratic
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
	place   []int // of the points that the last move needs
}

// mostPoints bounds the hull: where the best point needs as many, a hull starts anew there. Few descents come near it.
const mostPoints = 32

// point is a point of the polytope as joint has one.
type point struct {
	t, ct, k, v []float64
	lin         float64
}

// at is point i with room for those of j. Points change places, so that each has room for the largest problem yet.
func (h *hull) at(i int, j *joint) *point {
	h.size = max(h.size, len(j.t))
	x, n := &h.points[i], len(j.t)
	x.t, x.ct, x.k, x.v = room(x.t, h.size)[:n], room(x.ct, h.size)[:n], room(x.k, h.size)[:n], room(x.v, len(j.v))
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

// add takes up the products of point n with those before it.
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

// move adds the vertex of the last direction, and moves to the best point of the hull. It reports whether that is lower than the current one by
// more than rounding; else nothing has changed but the hull.
func (h *hull) move(j *joint) bool {
	if h.n == mostPoints {
		h.restart(j)
	}
	j.vertex(h.at(h.n, j))
	h.add()
	n := h.n
	h.m, h.c, h.b = room(h.m, n*n), room(h.c, n), room(h.b, n)
	scale := 0.0
	for i := range n {
		h.c[i] = -h.points[i].lin / 2
		for k := range n {
			x := float64(h.q[i*mostPoints+k]/2) - float64(j.mu*h.v[i*mostPoints+k])
			h.m[i*n+k] = x
			scale = max(scale, math.Abs(x))
		}
	}
	h.qp.reset(h.m, n, math.SmallestNonzeroFloat64) // not 0, which says that it is convex
	h.qp.solve(h.c, h.b)
	value := 0.0
	for i, x := range h.b {
		value += float64(x * (vec.Dot(h.m[i*n:i*n+n], h.b) - float64(2*h.c[i])))
	}
	if !(value < j.value()-float64(1e-13*scale)) {
		return false
	}
	h.place = h.place[:0]
	for i, x := range h.b {
		if x > 0 {
			h.place = append(h.place, i)
		}
	}
	h.take(j)
	return true
}

// take moves to the point of weights b, and keeps those points that it needs.
func (h *hull) take(j *joint) {
	clear(j.t)
	clear(j.ct)
	clear(j.k)
	clear(j.v)
	j.linT = 0
	for _, i := range h.place {
		x, b := &h.points[i], h.b[i]
		vec.Axpy(b, x.t, j.t)
		vec.Axpy(b, x.ct, j.ct)
		vec.Axpy(b, x.k, j.k)
		vec.Axpy(b, x.v, j.v)
		j.linT += float64(b * x.lin)
	}
	j.kTT = vec.Dot(j.k, j.t)
	for to, from := range h.place { // places rise, so that nothing is lost
		h.points[to], h.points[from] = h.points[from], h.points[to]
		for k, of := range h.place[:to+1] {
			for _, a := range []*[mostPoints * mostPoints]float64{&h.q, &h.v} {
				x := a[from*mostPoints+of]
				a[to*mostPoints+k], a[k*mostPoints+to] = x, x
			}
		}
	}
	h.n = len(h.place)
}

// vertex writes the vertex of the last direction.
func (j *joint) vertex(x *point) {
	clear(x.t)
	clear(x.ct)
	clear(x.v)
	x.lin = 0
	c, ldx := j.x.C()
	arcs := j.n * j.m
	for r, e := range j.lp.basis {
		w := j.lp.x[r]
		if w == 0 {
			continue
		}
		if int(e) >= arcs {
			x.v[int(e)-arcs] = w
			continue
		}
		i, k := int(e)%j.n, int(e)/j.n
		x.t[k*j.ld+i] = w
		vec.Axpy(w, c[i*ldx:(i+1)*ldx], x.ct[k*j.ld:(k+1)*j.ld])
		if len(j.lin) > 0 {
			x.lin += float64(w * j.lin[k*j.ld+i])
		}
	}
	j.weights(x.v, j.hx)
	j.gradient(x.ct, x.k)
}
