package gdl

import (
	"context"

	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// joint minimises the objective over couplings and the embedding of the node
// weights together, at fixed structure Ct and features At,
//
//	J(T, v) = alpha E(T) + (1 - alpha) F(T) - mu |v|^2
//	over T >= 0, v on the simplex, T 1 = p, T'1 = sum_s v_s h_s
//
// by conditional gradient with exact line search. With the second marginal h =
// T'1 put in, J is quadratic on a polytope: half of <L + K(T), T> plus the graph's
// own term, where L = (1 - alpha) D and
//
//	K(T) = L - 4 alpha C T Ct + 2 alpha 1 ((Ct o Ct) h)'
//
// is the gradient but for terms that T 1 = p makes constant. So every point is
// feasible for its own weights, a step can only lower J, and the gap of the
// linear problem over the polytope certifies the end.
//
// Matrices are transposed: line k, of stride ld, belongs to node k of the model.
type joint struct {
	x, y  *gw.Space
	h     [][]float64
	alpha float64
	mu    float64
	n, m  int
	ld    int

	lp   flexible
	hull *hull // nil before the first fully corrective descent
	v    []float64
	f    []float64 // the gradient in v, -2 mu v

	t, k, kx, ct, ctx, lin []float64 // T', K', K(X)', (C T)', (C X)', L'
	c2                     []float64 // Ct o Ct, m lines of stride ldc
	hx, shift              []float64 // of the vertex: h, and 2 alpha (Ct o Ct) h
	yv                     []float64 // of the vertex: y

	kTT, linT float64
	gap       float64 // of the last linear problem
}

// bind sets a graph and a model space, which Ct and At are read from, with v uniform. The linear
// problem starts anew.
func (j *joint) bind(x, y *gw.Space, h [][]float64, alpha, mu float64) {
	j.x, j.y, j.h, j.alpha, j.mu = x, y, h, alpha, mu
	j.n, j.m, j.ld = x.N(), y.N(), (x.N()+3)&^3
	size := j.m * j.ld
	j.t, j.k, j.kx = vec.Grow(j.t, size), vec.Grow(j.k, size), vec.Grow(j.kx, size)
	j.ct, j.ctx = vec.Grow(j.ct, size), vec.Grow(j.ctx, size)
	j.lin = j.lin[:0]
	if x.D() > 0 && alpha < 1 {
		j.lin = vec.Grow(j.lin, size)
	}
	c, _ := y.C()
	j.c2 = vec.Grow(j.c2, len(c))
	j.hx, j.shift = vec.Grow(j.hx, j.m), vec.Grow(j.shift, j.m)
	s := len(h)
	j.v, j.f, j.yv = vec.Grow(j.v, s), vec.Grow(j.f, s), vec.Grow(j.yv, s)
	level(j.v)
	j.lp.bind(x.P(), h, j.ld)
}

// load takes a coupling (n lines of stride ldt) and the product C T over.
func (j *joint) load(t, ct []float64, ldt int) {
	clear(j.t)
	clear(j.ct)
	for i := range j.n {
		for k, x := range t[i*ldt : i*ldt+j.m] {
			j.t[k*j.ld+i] = x
		}
		for k, x := range ct[i*ldt : i*ldt+j.m] {
			j.ct[k*j.ld+i] = x
		}
	}
}

// retarget computes everything that Ct and At enter, at the current T and v.
func (j *joint) retarget() {
	c, _ := j.y.C()
	for i, x := range c {
		j.c2[i] = x * x
	}
	j.fillLinear()
	mix(j.hx, j.h, j.v)
	j.gradient(j.ct, j.k)
	j.kTT = vec.Dot(j.k, j.t)
	j.linT = 0
	if len(j.lin) > 0 {
		j.linT = vec.Dot(j.lin, j.t)
	}
}

func (j *joint) fillLinear() {
	if len(j.lin) == 0 {
		return
	}
	d, beta := j.x.D(), 1-j.alpha
	a, b := j.x.A(), j.y.A()
	for k := range j.m {
		l := j.lin[k*j.ld : (k+1)*j.ld]
		clear(l[j.n:])
		at := b[k*d : (k+1)*d]
		for i := range j.n {
			l[i] = beta * vec.SquaredDistance(a[i*d:(i+1)*d], at)
		}
	}
}

// gradient writes K for the product C X in cx and the weights in hx.
func (j *joint) gradient(cx, k []float64) {
	c, ldc := j.y.C()
	f := -4 * j.alpha
	for r := range j.m {
		shift := 2 * j.alpha * vec.Dot(j.c2[r*ldc:r*ldc+j.m], j.hx)
		out := k[r*j.ld : (r+1)*j.ld]
		for i := range j.n {
			out[i] = shift
		}
		clear(out[j.n:])
		if len(j.lin) > 0 {
			vec.Axpy(1, j.lin[r*j.ld:(r+1)*j.ld], out)
		}
		for l, x := range c[r*ldc : r*ldc+j.m] {
			if x != 0 {
				vec.Axpy(f*x, cx[l*j.ld:(l+1)*j.ld], out)
			}
		}
	}
}

// value returns J without the graph's own term, alpha p'(C o C)p.
func (j *joint) value() float64 { return float64((j.linT+j.kTT)/2) - penalty(j.mu, j.v) }

// direction solves the linear problem at the current point and sets the gap.
func (j *joint) direction() {
	for s, x := range j.v {
		j.f[s] = -2 * j.mu * x
	}
	j.lp.solve(j.k, j.f)
	j.gap = j.kTT - 2*penalty(j.mu, j.v) + j.lp.slack
	for r, v := range j.lp.basis {
		j.gap -= float64(j.lp.x[r] * j.lp.costOf(v))
	}
}

// descend runs the conditional gradient until a rule of set stops it, as
// gw.Solver.Descend does, along lines or fully corrective; rest is the part of
// the objective that stays.
func (j *joint) descend(ctx context.Context, rest float64, set *gw.Settings, corrective bool) (gw.Status, int) {
	if corrective {
		if j.hull == nil {
			j.hull = new(hull)
		}
		j.hull.restart(j)
	}
	return set.Iterate(ctx, rest+j.value(), func() (float64, bool) {
		j.direction()
		if corrective && j.hull.move(j) {
			return rest + j.value(), false
		}
		full := j.step()
		if corrective { // a plateau, or nothing to be gained but by rounding
			j.hull.restart(j)
		}
		return rest + j.value(), full
	})
}

// step moves along the last direction with the exact step length and reports
// whether it went all the way to the vertex.
func (j *joint) step() (full bool) {
	linX := j.vertex(j.ctx, j.kx, j.yv)
	kTX, kXX := 0.0, 0.0
	for r, e := range j.lp.basis {
		if int(e) < j.n*j.m {
			x, at := j.lp.x[r], int(e)/j.n*j.ld+int(e)%j.n
			kTX += float64(x * j.k[at])
			kXX += float64(x * j.kx[at])
		}
	}
	kXT := j.linT + (kTX - linX)
	b := kTX - j.kTT
	a := ((kXX - kXT) + (j.kTT - kTX)) / 2
	for s, v := range j.v {
		z := j.yv[s] - v
		b -= float64(2 * j.mu * float64(v*z))
		a -= float64(j.mu * float64(z*z))
	}
	gamma := 0.0
	switch {
	case a > 0:
		gamma = min(1, max(0, -b/(2*a)))
	case a+b < 0:
		gamma = 1
	}
	if gamma == 0 {
		return false
	}
	rest := 1 - gamma
	vec.Lerp(gamma, j.kx, j.k)
	vec.Lerp(gamma, j.ctx, j.ct)
	for i := range j.t {
		j.t[i] *= rest
	}
	j.add(gamma, j.t)
	for s := range j.v {
		j.v[s] = float64(rest*j.v[s]) + float64(gamma*j.yv[s])
	}
	j.kTT = float64(rest*rest*j.kTT) + float64(gamma*rest*(kTX+kXT)) + float64(gamma*gamma*kXX)
	j.linT = float64(rest*j.linT) + float64(gamma*linX)
	return gamma == 1
}

// vertex writes (C X)', K(X)' and y of the last direction's vertex, and returns <L, X>.
func (j *joint) vertex(cx, k, y []float64) (lin float64) {
	clear(cx)
	clear(y)
	c, ldx := j.x.C()
	arcs := j.n * j.m
	for r, e := range j.lp.basis {
		x := j.lp.x[r]
		if x == 0 {
			continue
		}
		if int(e) >= arcs {
			y[int(e)-arcs] = x
			continue
		}
		i, k := int(e)%j.n, int(e)/j.n
		vec.Axpy(x, c[i*ldx:(i+1)*ldx], cx[k*j.ld:(k+1)*j.ld])
		if len(j.lin) > 0 {
			lin += float64(x * j.lin[k*j.ld+i])
		}
	}
	mix(j.hx, j.h, y)
	j.gradient(cx, k)
	return lin
}

// add adds gamma X of the last direction's vertex to t, which is transposed as T is.
func (j *joint) add(gamma float64, t []float64) {
	for r, e := range j.lp.basis {
		if int(e) < j.n*j.m {
			t[int(e)/j.n*j.ld+int(e)%j.n] += float64(gamma * j.lp.x[r])
		}
	}
}

// pull writes T'CT, packed as the model has it, and T'A.
func (j *joint) pull(m *model, tct, ta []float64) {
	for k := range j.m {
		from := k &^ 3
		at := m.row[k]
		clear(tct[at+from : at+k])
		for l := k; l < j.m; l++ {
			tct[at+l] = vec.Dot(j.t[k*j.ld:(k+1)*j.ld], j.ct[l*j.ld:(l+1)*j.ld])
		}
	}
	d := j.x.D()
	if d == 0 {
		return
	}
	clear(ta)
	a := j.x.A()
	for k := range j.m {
		out := ta[k*d : (k+1)*d]
		for i, x := range j.t[k*j.ld : k*j.ld+j.n] {
			if x != 0 {
				vec.Axpy(x, a[i*d:(i+1)*d], out)
			}
		}
	}
}

// coupling writes T, n lines of m entries.
func (j *joint) coupling(t []float64) {
	for k := range j.m {
		for i, x := range j.t[k*j.ld : k*j.ld+j.n] {
			t[i*j.m+k] = x
		}
	}
}

// potentials writes the potentials of the model's nodes in the last linear problem,
// centred.
func (j *joint) potentials(out []float64) {
	mean := 0.0
	for k, x := range j.lp.dual[j.n:j.lp.lines] {
		out[k] = x
		mean += x
	}
	mean /= float64(j.m)
	for k := range out {
		out[k] -= mean
	}
}
