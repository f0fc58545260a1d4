package gdl

import (
	"context"
	"math"
	"slices"

	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// Flexible is the linear problem of the extended model.
type Flexible struct{ l flexible }

// Slack bounds how far the value may lie above the optimum.
func (f *Flexible) Slack() float64 { return f.l.slack }

// Twice reports whether the basis has a column twice.
func (f *Flexible) Twice() bool {
	b := slices.Sorted(slices.Values(f.l.basis))
	return len(slices.Compact(b)) < len(f.l.basis)
}

// Bind takes up the constraints for costs of n entries a line.
func (f *Flexible) Bind(p []float64, h [][]float64) { f.l.bind(p, h, (len(p)+3)&^3) }

// Solve returns X transposed (m x n), y, and the duals of rows and columns.
func (f *Flexible) Solve(g [][]float64, c []float64) (x [][]float64, y, u, t []float64) {
	l := &f.l
	flat := make([]float64, l.m*l.ld)
	for k, row := range g {
		copy(flat[k*l.ld:], row)
	}
	l.solve(flat, c)
	x, y = make([][]float64, l.m), make([]float64, l.s)
	for k := range x {
		x[k] = make([]float64, l.n)
	}
	for r, v := range l.basis {
		if int(v) < l.n*l.m {
			x[int(v)/l.n][int(v)%l.n] += l.x[r]
		} else {
			y[int(v)-l.n*l.m] += l.x[r]
		}
	}
	return x, y, l.dual[:l.n], l.dual[l.n:l.lines]
}

// ExtendedState is a point of the joint problem at fixed w.
type ExtendedState struct {
	W, V, T, Potentials []float64 // potentials centred
	Objective, Gap      float64
	// Sum is <u, p> + <t, h> for the uncentred potentials of the whole gradient.
	Sum float64
}

// Settle descends over couplings and node weights alone, from a point whose
// coupling is repaired to the weights of d, until nothing moves.
func Settle(d *Dictionary, g *gw.Space, at ExtendedState, mu float64) (ExtendedState, error) {
	x, err := NewUnmixer(d)
	if err != nil {
		return at, err
	}
	g = x.model.see(g, &x.seen)
	won := x.won
	copy(won.w, at.W)
	if err := won.mix(); err != nil {
		return at, err
	}
	j := &won.nodes.joint
	j.bind(g, won.target, x.model.h, d.Alpha, mu)
	copy(j.v, at.V)
	h := make([]float64, d.N)
	mix(h, j.h, j.v)
	t := repair(at.T, g.P(), h)
	ct := make([]float64, len(t))
	c, ld := g.C()
	for i := range g.N() {
		for a := range g.N() {
			vec.Axpy(c[i*ld+a], t[a*d.N:(a+1)*d.N], ct[i*d.N:(i+1)*d.N])
		}
	}
	j.load(t, ct, d.N)
	j.retarget()
	rest := d.Alpha * g.SelfTerm()
	j.descend(context.Background(), rest, &gw.Settings{TolRel: -1, TolAbs: -1, MaxIter: 3000}, false)
	at.V = append([]float64(nil), j.v...)
	at.T = make([]float64, len(t))
	j.coupling(at.T)
	at.Potentials = make([]float64, d.N)
	at.Gap = x.certify(at.Potentials)
	at.Objective = rest + j.value()
	mix(h, j.h, j.v)
	at.Sum = vec.Dot(j.lp.dual[:g.N()], g.P()) + vec.Dot(j.lp.dual[g.N():j.lp.lines], h) + 2*rest
	return at, nil
}

// repair moves a coupling to the second marginal h.
func repair(t, p, h []float64) []float64 {
	n, m := len(p), len(h)
	out := append([]float64(nil), t...)
	row, col := append([]float64(nil), p...), append([]float64(nil), h...)
	for k := range m {
		sum := 0.0
		for i := range n {
			sum += t[i*m+k]
		}
		f := 1.0
		if sum > h[k] {
			f = h[k] / sum
		}
		for i := range n {
			out[i*m+k] *= f
			row[i] -= out[i*m+k]
			col[k] -= out[i*m+k]
		}
	}
	mass := 0.0
	for i := range row {
		row[i] = math.Max(row[i], 0)
		mass += row[i]
	}
	if mass > 0 {
		for i := range n {
			for k := range m {
				out[i*m+k] += row[i] * math.Max(col[k], 0) / mass
			}
		}
	}
	return out
}

// ExtendedGradients returns the gradients of the mean objective over graphs with
// respect to atom s as a batch of training has them, and the embeddings that they
// were taken at.
func ExtendedGradients(d *Dictionary, graphs []*gw.Space, set *UnmixSettings, s int) (gradC, gradA, gradH []float64, es []Embedding, err error) {
	opt, err := (&TrainSettings{Unmix: *set}).resolve()
	if err != nil {
		return
	}
	l, err := newLearner(d, len(graphs), &opt)
	if err != nil {
		return
	}
	for k, g := range graphs {
		if err = l.workers[0].unmix(context.Background(), g, &l.unmix, true, &l.slots[k]); err != nil {
			return
		}
	}
	gradC, gradA, gradH = make([]float64, d.N*d.N), make([]float64, d.N*d.D), make([]float64, d.N)
	l.gradient(gradC, s, d.Alpha, func(k *slot) []float64 { return k.structure })
	l.gradient(gradA, s, 1-d.Alpha, func(k *slot) []float64 { return k.features })
	if d.H != nil {
		l.weightGradient(gradH, s)
	}
	es, err = d.Embed(context.Background(), graphs, set, 1)
	return
}
