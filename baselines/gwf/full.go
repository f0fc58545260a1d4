package gwf

import (
	"context"
	"fmt"
	"math"

	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// fullTol ends the averaging of the full barycentre.
const fullTol = 1e-5

// fullWork is the room of the full barycentre.
type fullWork struct {
	c, a   []float64 // B and f as a graph
	packed []float64 // sum_k w_k b_k
	start  []float64
	t      []float64 // diag(p)^(-1/2) P
}

// settle averages on: couplings between the atoms and the barycentre of weights w,
// the barycentre again, until it settles. Then it finds a coupling P between the
// barycentre and g and turns the target into what the barycentre sees of g through
// it, P C P' and P A, in place of C and A under the identity. The loss is the
// (F)GW objective at P then. Where P does not beat the identity it is dropped.
func (f *fit) settle(ctx context.Context, w []float64, tr *Transport) error {
	last := math.Inf(1)
	for range tr.Rounds {
		x, err := f.barycentre(w, false)
		if err != nil {
			return err
		}
		value, err := f.couple(ctx, x, w, tr, nil)
		if err != nil {
			return err
		}
		f.assemble()
		if math.Abs(last-value) <= fullTol*value {
			break
		}
		last = value
	}
	x, err := f.barycentre(w, false)
	if err != nil {
		return err
	}
	g := f.graph
	n, p := f.n, g.P()
	h := &f.full
	h.start = vec.Grow(h.start, n*n)
	for i := range n {
		for j := range n {
			h.start[i*n+j] = p[i] * p[j] / 2
		}
		h.start[i*n+i] += float64(p[i] / 2)
	}
	set := gw.ProximalSettings{Gamma: tr.Gamma, Outer: tr.Outer, Sweeps: tr.Sweeps, Tol: tr.Tol, Round: true}
	r, err := f.prox.Solve(ctx, x, g, f.atoms.alpha, h.start, &set)
	if err != nil {
		return fmt.Errorf("coupling with the barycentre: %w", err)
	}
	f.count(&r)
	f.quadratic()
	if r.Value >= f.loss(w, vec.Grow(f.work, len(w))) {
		return nil
	}
	ld := vec.Pad(n)
	h.t = vec.Grow(h.t, vec.Pad(n)*ld)
	f.scaleRows(r.T, n, h.t, ld)
	c, ldc := g.C()
	f.congruence(h.t, ld, n, c, ldc, f.y)
	if len(f.v) > 0 {
		d := f.atoms.d
		h.a = vec.Grow(h.a, n*vec.Pad(d))
		padRows(g.A(), d, h.a)
		mul(h.t, ld, n, n, h.a, f.v, vec.Pad(d))
	}
	return nil
}

// barycentre returns the graph (B, f, p) of weights w at the couplings held, seen from the atoms'
// origin and offset, or as the atoms are given.
func (f *fit) barycentre(w []float64, given bool) (*gw.Space, error) {
	h, n, d := &f.full, f.n, f.atoms.d
	ldf := vec.Pad(d)
	h.c, h.a, h.packed = vec.Grow(h.c, n*n), vec.Grow(h.a, n*d), vec.Grow(h.packed, packed(n))
	clear(h.packed)
	clear(h.a)
	for k, wk := range w {
		if f.atoms.alpha > 0 {
			vec.Axpy(wk, f.b[k], h.packed)
		}
		if len(f.v) > 0 {
			for i := range n {
				vec.Axpy(wk, f.f[k][i*ldf:][:d], h.a[i*d:])
			}
		}
	}
	f.unpack(h.packed, h.c, n)
	for i := range n {
		for j := range n {
			h.c[i*n+j] *= float64(f.inv[i] * f.inv[j])
		}
	}
	for k := range h.a {
		h.a[k] *= f.inv[k/d]
	}
	x, err := gw.NewSpace(h.c, h.a, n, d, f.graph.P())
	if err != nil {
		return nil, fmt.Errorf("barycentre of the atoms: %w", err)
	}
	if given && d > 0 {
		x.Relative(f.atoms.back, x)
	}
	if given && f.atoms.offset != 0 {
		x.Shift(-f.atoms.offset, x)
	}
	return x, nil
}
