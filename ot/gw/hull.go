package gw

import "ogdl/internal/vec"

const (
	// hullAfter is how many steps in a row end before their vertex until the solver keeps a hull.
	// Earlier steps are plain conditional gradient. Most solves end before, so their local minima
	// do not change.
	hullAfter = 8
	// hullMax and hullEntries limit what a hull holds: couplings, and entries of all their
	// gradients.
	hullMax     = 8
	hullEntries = 1 << 20
	// hullGap times the gap of the step is the gap that weights may be left with. They are moved
	// hullMoves times at most.
	hullGap   = 0.1
	hullMoves = 32
	// hullStep is the share that is taken of a move to where two gradients are equal: the next
	// linear problem would have these two couplings for solutions, and rounding would choose.
	// hullTie is what counts as equal for the same reason.
	hullStep = 0.95
	hullTie  = 1e-3
)

// hull is a set of couplings whose convex combination is the current coupling: the one it began
// with, and later vertices. A conditional gradient that heads for a point between few vertices
// zigzags for hundreds of iterations. Between couplings whose gradients are kept the objective is a
// quadratic of their weights, cheap to lower further.
type hull struct {
	after int // steps in a row that ended before their vertex
	room  int // couplings that it may hold
	size  int
	ld    int
	all   []point
	t     []float64

	w, g []float64 // weights, of sum 1, and the objective's gradient in them
	l    []float64 // <L, V>
	s    []float64 // <K(V) - L, V'>, rows of hullMax entries
}

// point is a coupling V of the hull.
type point struct {
	k          []float64 // K(V)
	vertex     bool      // with entries mass, else V is the hull's t
	rows, cols []int32
	mass       []float64
}

// forget empties the hull.
func (h *hull) forget() { h.after, h.size = 0, 0 }

// resize empties the hull and gives it room for couplings of n x m, of rows of stride ld.
func (h *hull) resize(n, m, ld int) {
	h.forget()
	if h.all == nil {
		h.all = make([]point, hullMax)
		h.w, h.g, h.l = make([]float64, hullMax), make([]float64, hullMax), make([]float64, hullMax)
		h.s = make([]float64, hullMax*hullMax)
	}
	h.room, h.ld = max(3, min(hullMax, hullEntries/(n*ld))), ld
	for i := range h.all[:h.room] {
		v := &h.all[i]
		v.k, v.rows, v.cols, v.mass = grow(v.k, n*ld), grow(v.rows, n+m), grow(v.cols, n+m), grow(v.mass, n+m)
	}
	h.t = grow(h.t, n*ld)
}

// begin makes the coupling t, with gradient k, all of the hull.
func (h *hull) begin(t, k []float64, linT, kTT float64) {
	v := &h.all[0]
	v.vertex = false
	copy(v.k, k)
	copy(h.t, t)
	h.size = 1
	h.w[0], h.l[0], h.s[0] = 1, linT, kTT-linT
}

// join steps towards a vertex, which gets weight gamma. It keeps kx, the vertex's gradient, and
// returns another slice of that size.
func (h *hull) join(gamma float64, rows, cols []int32, mass, kx []float64, linX, kXX float64) []float64 {
	e := h.size
	h.size++
	x := &h.all[e]
	x.k, kx = kx, x.k
	x.vertex = true
	x.rows, x.cols, x.mass = append(x.rows[:0], rows...), append(x.cols[:0], cols...), append(x.mass[:0], mass...)
	for i := range e {
		v, sum := &h.all[i], 0.0
		if v.vertex {
			sum = v.inner(x.k, h.ld) - h.l[i]
		} else {
			sum = x.inner(v.k, h.ld) - linX
		}
		h.s[i*hullMax+e], h.s[e*hullMax+i] = sum, sum
		h.w[i] *= 1 - gamma
	}
	h.w[e], h.l[e], h.s[e*hullMax+e] = gamma, linX, kXX-linX
	return kx
}

// inner returns <k, V> for a vertex.
func (v *point) inner(k []float64, ld int) float64 {
	sum := 0.0
	rows, cols := v.rows[:len(v.mass)], v.cols[:len(v.mass)]
	for e, x := range v.mass {
		sum += float64(x * k[int(rows[e])*ld+int(cols[e])])
	}
	return sum
}

// descend moves weight to the coupling of lowest gradient from that where it lowers the objective
// most, until no gradient of a coupling with weight is above the lowest by the given gap. Of
// couplings that are equal but for rounding, as on a line where the objective is at its lowest, the
// first is taken.
func (h *hull) descend(gap float64) {
	n := h.size
	w, g := h.w[:n], h.g[:n]
	for i := range g {
		g[i] = h.l[i] + vec.Dot(h.s[i*hullMax:i*hullMax+n], w)
	}
	for range hullMoves {
		to := 0
		for i, x := range g {
			if x < g[to]-float64(hullTie*gap) {
				to = i
			}
		}
		row := h.s[to*hullMax : to*hullMax+n]
		from, step, fall, most := -1, 0.0, 0.0, 0.0
		for i, x := range w {
			d := g[i] - g[to]
			if x == 0 || !(d > 0) {
				continue
			}
			most = max(most, d)
			bend := (row[to] - row[i]) + (h.s[i*hullMax+i] - row[i])
			if float64(bend*x) > d {
				x = float64(hullStep*d) / bend
			}
			if f := float64(x * (d - float64(bend*x/2))); f > float64((1+hullTie)*fall) {
				from, step, fall = i, x, f
			}
		}
		if from < 0 || most < gap {
			return
		}
		w[from] -= step
		w[to] += step
		other := h.s[from*hullMax : from*hullMax+n]
		for i := range g {
			g[i] += float64(step * (row[i] - other[i]))
		}
	}
}

// prune drops the couplings without weight.
func (h *hull) prune() {
	for i := 0; i < h.size; {
		if h.w[i] != 0 {
			i++
			continue
		}
		h.size--
		e := h.size
		h.all[i], h.all[e] = h.all[e], h.all[i]
		h.w[i], h.l[i] = h.w[e], h.l[e]
		copy(h.s[i*hullMax:(i+1)*hullMax], h.s[e*hullMax:(e+1)*hullMax])
		for j := range h.size {
			h.s[j*hullMax+i] = h.s[j*hullMax+e]
		}
	}
}

// mix writes the mix to t and its gradient to k, and returns <L, T> and <K, T>.
func (h *hull) mix(t, k []float64) (linT, kTT float64) {
	clear(t)
	clear(k)
	all, w := h.all[:h.size], h.w[:h.size]
	for i := range all {
		v := &all[i]
		vec.Axpy(w[i], v.k, k)
		if v.vertex {
			for e, x := range v.mass {
				t[int(v.rows[e])*h.ld+int(v.cols[e])] += float64(w[i] * x)
			}
		} else {
			vec.Axpy(w[i], h.t, t)
		}
		linT += float64(w[i] * h.l[i])
		kTT += float64(w[i] * vec.Dot(h.s[i*hullMax:i*hullMax+h.size], w))
	}
	return linT, kTT + linT
}
