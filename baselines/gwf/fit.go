package gwf

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// atoms is a model made ready: what fits of many graphs share.
type atoms struct {
	spaces []*gw.Space // their features are relative to the origin, their structures to the offset
	a      [][]float64 // these features, rows of stride vec.Pad(d)
	origin []float64   // see gw.Origin
	offset float64     // see gw.Offset
	back   []float64   // less the origin: from where it sees the features as given
	d      int
	alpha  float64
}

func newAtoms(m *Model) (*atoms, error) {
	s, err := m.spaces()
	if err != nil {
		return nil, err
	}
	a := &atoms{spaces: s, d: m.D, alpha: m.Alpha, offset: gw.Offset(s...)}
	if a.offset != 0 {
		for _, x := range s {
			x.Shift(a.offset, x)
		}
	}
	if m.D > 0 {
		var features, weights [][]float64
		for k := range m.Atoms {
			features, weights = append(features, m.Atoms[k].A), append(weights, m.Atoms[k].P)
		}
		a.origin, a.back = slices.Clone(gw.Origin(features, weights, m.D)), make([]float64, m.D)
		for j, x := range a.origin {
			a.back[j] = -x
		}
		for _, x := range s {
			x.Relative(a.origin, x)
			rows := make([]float64, x.N()*vec.Pad(m.D))
			padRows(x.A(), m.D, rows)
			a.a = append(a.a, rows)
		}
	}
	return a, nil
}

// fit is the workspace of one graph against the atoms: the couplings, and the loss
// as a quadratic in the weights at these couplings.
//
// With t_k = diag(p)^(-1/2) T_k the loss is a plain least squares problem:
// b_k = t_k C_k t_k', f_k = t_k A_k and y = diag(p)^(1/2) C diag(p)^(1/2),
// v = diag(p)^(1/2) A give
//
//	loss = alpha |y - sum_k w_k b_k|^2 + (1 - alpha) |v - sum_k w_k f_k|^2
//
// in Frobenius norms. Symmetric matrices are kept as packed lower triangles. Off-diagonal entries
// have a factor sqrt 2, so that the inner product of two packed vectors is the matrices' inner
// product. Rows of nodes without weight are zero.
type fit struct {
	atoms *atoms
	prox  gw.Proximal

	graph *gw.Space // relative to the origin and the offset
	seen  gw.Space  // its room, where there are features
	moved gw.Space  // its room, where there is an offset
	n     int
	root  []float64   // sqrt p
	inv   []float64   // 1/sqrt p, 0 where p is
	t     [][]float64 // t_k, n rows of stride vec.Pad(N_k), and of zeros up to a multiple of four
	b     [][]float64 // b_k, packed
	f     [][]float64 // f_k, n rows of stride vec.Pad(D)
	y, v  []float64   // packed; n rows of stride vec.Pad(D)
	gram  []float64   // G, K x K
	c     []float64   // c
	own   float64     // r
	work  []float64   // scratch of matrices
	out   []float64   // of their products
	flip  []float64   // of their transposes

	res, resF []float64 // sum_k w_k b_k - y and its like of features

	start []float64 // of a warm coupling
	full  fullWork
	stats Stats
}

func (f *fit) use(a *atoms) {
	f.atoms = a
	K := len(a.spaces)
	for len(f.t) < K {
		f.t, f.b, f.f = append(f.t, nil), append(f.b, nil), append(f.f, nil)
	}
	f.t, f.b, f.f = f.t[:K], f.b[:K], f.f[:K]
	f.gram, f.c = vec.Grow(f.gram, K*K), vec.Grow(f.c, K)
}

// packed returns the length of a packed lower triangle.
func packed(n int) int { return n * (n + 1) / 2 }

// prepare finds the couplings between g and the atoms and the loss at them. The full barycentre
// depends on the weights w. If warm is not nil, it holds the couplings of the previous call (empty
// the first time), and prepare replaces them by the new ones.
func (f *fit) prepare(ctx context.Context, g *gw.Space, w []float64, tr *Transport, warm [][]float32) error {
	f.stats = Stats{}
	f.bind(g)
	if _, err := f.couple(ctx, f.graph, w, tr, warm); err != nil {
		return err
	}
	f.assemble()
	if tr.Barycentre == Full {
		if err := f.settle(ctx, w, tr); err != nil {
			return err
		}
	}
	f.quadratic()
	return nil
}

// bind sets the graph: the target of the least squares problem.
func (f *fit) bind(g *gw.Space) {
	n, d, alpha := g.N(), f.atoms.d, f.atoms.alpha
	if f.atoms.offset != 0 {
		g = g.Shift(f.atoms.offset, &f.moved)
	}
	if d > 0 {
		g.Relative(f.atoms.origin, &f.seen)
		g = &f.seen
	}
	f.graph, f.n = g, n
	f.root, f.inv = vec.Grow(f.root, n), vec.Grow(f.inv, n)
	for i, p := range g.P() {
		f.root[i], f.inv[i] = math.Sqrt(p), 0
		if p > 0 {
			f.inv[i] = 1 / f.root[i]
		}
	}
	f.own = alpha * g.SelfTerm()
	f.y = vec.Grow(f.y, packed(n))
	c, ld := g.C()
	at := 0
	for i := range n {
		r := math.Sqrt2 * f.root[i]
		for j := range i {
			f.y[at] = float64(r*f.root[j]) * c[i*ld+j]
			at++
		}
		f.y[at] = float64(f.root[i]*f.root[i]) * c[i*ld+i]
		at++
	}
	if d == 0 || alpha == 1 {
		f.v = f.v[:0]
		return
	}
	ld = vec.Pad(d)
	f.v = vec.Grow(f.v, n*ld)
	padRows(g.A(), d, f.v)
	for i, r := range f.root {
		vec.Scale(r, f.v[i*ld:(i+1)*ld])
	}
	f.own += float64((1 - alpha) * vec.Dot(f.v, f.v))
}

// couple finds couplings between x, of the bound graph's order and weights, and
// the atoms, and returns the sum of w_k times their objectives.
func (f *fit) couple(ctx context.Context, x *gw.Space, w []float64, tr *Transport, warm [][]float32) (float64, error) {
	set := gw.ProximalSettings{Gamma: tr.Gamma, Outer: tr.Outer, Sweeps: tr.Sweeps, Tol: tr.Tol, Round: true}
	sum := 0.0
	for k, y := range f.atoms.spaces {
		var start []float64
		if warm != nil && warm[k] != nil {
			start = f.warmStart(x, y, warm[k])
		}
		r, err := f.prox.Solve(ctx, x, y, f.atoms.alpha, start, &set)
		if err != nil {
			return 0, fmt.Errorf("coupling with atom %d: %w", k, err)
		}
		f.count(&r)
		sum += float64(w[k] * r.Value)
		if warm != nil {
			warm[k] = keep(r.T, warm[k])
		}
		m := y.N()
		ld := vec.Pad(m)
		f.t[k] = vec.Grow(f.t[k], vec.Pad(f.n)*ld)
		f.scaleRows(r.T, m, f.t[k], ld)
	}
	return sum, nil
}

// scaleRows sets t (stride ld, whole blocks of four rows) to diag(p)^(-1/2) T, T of m columns.
func (f *fit) scaleRows(T []float64, m int, t []float64, ld int) {
	for i := range f.n {
		row := t[i*ld : (i+1)*ld]
		for j, x := range T[i*m : (i+1)*m] {
			row[j] = float64(f.inv[i] * x)
		}
		clear(row[m:])
	}
	clear(t[f.n*ld : vec.Pad(f.n)*ld])
}

func (f *fit) count(r *gw.ProximalResult) {
	one := Stats{Couplings: 1, Steps: int64(r.Iterations), MaxMarginalError: r.MarginalError}
	if r.Status == gw.MaxIterations {
		one.CapHits = 1
	}
	f.stats.Add(&one)
}

// warmShare is the share of the coupling before in a warm start; the rest is the
// product coupling, without which an entry at zero stays there.
const warmShare = 0.9

// keep narrows a coupling to half its room, enough for a start.
func keep(T []float64, into []float32) []float32 {
	if len(into) != len(T) {
		into = make([]float32, len(T))
	}
	for e, x := range T {
		into[e] = float32(x)
	}
	return into
}

func (f *fit) warmStart(x, y *gw.Space, before []float32) []float64 {
	f.start = vec.Grow(f.start, len(before))
	q := y.P()
	for i, p := range x.P() {
		row := f.start[i*len(q) : (i+1)*len(q)]
		for j := range row {
			row[j] = float64(warmShare*float64(before[i*len(q)+j])) + float64((1-warmShare)*float64(p*q[j]))
		}
	}
	return f.start
}

// assemble computes b_k and f_k from the couplings.
func (f *fit) assemble() {
	ldf, alpha := vec.Pad(f.atoms.d), f.atoms.alpha
	for k, y := range f.atoms.spaces {
		m, ld := y.N(), vec.Pad(y.N())
		if alpha > 0 {
			c, ldc := y.C()
			f.b[k] = vec.Grow(f.b[k], packed(f.n))
			f.congruence(f.t[k], ld, m, c, ldc, f.b[k])
		}
		if len(f.v) > 0 {
			f.f[k] = vec.Grow(f.f[k], f.n*ldf)
			mul(f.t[k], ld, f.n, m, f.atoms.a[k], f.f[k], ldf)
		}
	}
}

// congruence packs t C t' into out, for t with n rows, in whole blocks of four, and stride ld, and
// C of order m with rows of the same stride.
func (f *fit) congruence(t []float64, ld, m int, c []float64, ldc int, out []float64) {
	if ldc != ld {
		panic("gwf: rows of a structure are not padded to four")
	}
	n, ldn := f.n, vec.Pad(f.n)
	f.work, f.out, f.flip = vec.Grow(f.work, n*ld), vec.Grow(f.out, n*ldn), vec.Grow(f.flip, ld*ldn)
	mul(t, ld, n, m, c, f.work, ld)
	vec.Transpose(t, ld, ldn, ld, f.flip, ldn)
	clear(f.out)
	for i := 0; i < n; i += 4 { // the lower triangle, in blocks
		vec.MulDense(f.work[i*ld:], ld, 1, min(4, n-i), m, f.flip, ldn, f.out[i*ldn:], ldn, i+4)
	}
	at := 0
	for i := range n {
		row := f.out[i*ldn:][:i+1]
		for j, x := range row {
			out[at+j] = math.Sqrt2 * x
		}
		out[at+i] = row[i]
		at += i + 1
	}
}

// quadratic computes G and c.
func (f *fit) quadratic() {
	K := len(f.atoms.spaces)
	for k := range K {
		f.c[k] = f.inner(k, f.y, f.v)
		for l := range k + 1 {
			v := f.inner(k, f.b[l], f.f[l])
			f.gram[k*K+l], f.gram[l*K+k] = v, v
		}
	}
}

// inner returns the inner product of b_k and f_k with others.
func (f *fit) inner(k int, b, features []float64) float64 {
	v, alpha := 0.0, f.atoms.alpha
	if alpha > 0 {
		v = float64(alpha * vec.Dot(f.b[k], b))
	}
	if len(f.v) > 0 {
		v += float64((1 - alpha) * vec.Dot(f.f[k], features))
	}
	return v
}

// loss returns w'Gw - 2c'w + r, and writes half its gradient Gw - c to half.
func (f *fit) loss(w, half []float64) float64 {
	K := len(w)
	sum := f.own
	for k, wk := range w {
		gw := vec.Dot(f.gram[k*K:(k+1)*K], w)
		half[k] = gw - f.c[k]
		sum += float64(wk * (half[k] - f.c[k]))
	}
	return max(sum, 0)
}

// residuals computes sum_k w_k b_k - y, unpacked to a symmetric matrix of stride
// vec.Pad(n), and sum_k w_k f_k - v.
func (f *fit) residuals(w []float64) {
	alpha, ld := f.atoms.alpha, vec.Pad(f.n)
	f.resF = vec.Grow(f.resF, len(f.v))
	for i, x := range f.v {
		f.resF[i] = -x
	}
	if len(f.v) > 0 {
		for k, wk := range w {
			vec.Axpy(wk, f.f[k], f.resF)
		}
	}
	if alpha == 0 {
		return
	}
	f.work = vec.Grow(f.work, len(f.y))
	for i, x := range f.y {
		f.work[i] = -x
	}
	for k, wk := range w {
		vec.Axpy(wk, f.b[k], f.work)
	}
	f.res = vec.Grow(f.res, f.n*ld)
	f.unpack(f.work, f.res, ld)
}

// unpack writes a packed symmetric matrix out in full.
func (f *fit) unpack(x, out []float64, ld int) {
	at := 0
	for i := range f.n {
		for j := range i {
			v := x[at] / math.Sqrt2
			out[i*ld+j], out[j*ld+i] = v, v
			at++
		}
		out[i*ld+i] = x[at]
		at++
		clear(out[i*ld+f.n : (i+1)*ld])
	}
}

// gradients writes the gradients of the loss in the atoms at the residuals of
// weights w, couplings held: 2 alpha w_k t_k' res t_k to c[k] (N_k x N_k) and
// 2 (1 - alpha) w_k t_k' resF to a[k] (N_k x D).
func (f *fit) gradients(w []float64, c, a [][]float64) {
	f.residuals(w)
	alpha, d, ldn := f.atoms.alpha, f.atoms.d, vec.Pad(f.n)
	for k, y := range f.atoms.spaces {
		m, ld, t := y.N(), vec.Pad(y.N()), f.t[k]
		if s := 2 * alpha * w[k]; s != 0 {
			f.work, f.out = vec.Grow(f.work, f.n*ld), vec.Grow(f.out, m*ld)
			mul(f.res, ldn, f.n, f.n, t, f.work, ld)
			mulT(t, ld, m, f.n, f.work, f.out, ld)
			writeScaled(s, f.out, ld, m, c[k])
		} else {
			clear(c[k])
		}
		if s := 2 * (1 - alpha) * w[k]; s != 0 && len(f.v) > 0 {
			ldf := vec.Pad(d)
			f.out = vec.Grow(f.out, m*ldf)
			mulT(t, ld, m, f.n, f.resF, f.out, ldf)
			writeScaled(s, f.out, ldf, d, a[k])
		} else {
			clear(a[k])
		}
	}
}
