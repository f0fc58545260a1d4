package gdl

import (
	"context"
	"fmt"
	"math"

	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// extendedDescent is one descent over weights, node weights and a coupling, from one
// start to its end.
type extendedDescent struct {
	model *extendedModel
	u     descent // structure, features, w and the couplings at fixed node weights
	j     joint   // couplings and node weights together
	fixed bool    // the node weights cannot matter

	gram  []float64 // of this graph's node weights
	sheet []float64 // their products, packed as the atoms are
	z     []float64 // an atom under them
	h     []float64
	trace []float64

	// free is the penalty of v, which the objective u.value lacks. It is kept apart,
	// since the stopping rule is relative to that value: where v cannot move, the rule is that
	// of an unmixing without node weights, whatever mu is.
	free float64
}

// use takes up a model.
func (x *extendedDescent) use(m *extendedModel) error {
	x.u.model = nil // the target's weights are not those of the last model
	if err := x.u.use(m.model); err != nil {
		return err
	}
	x.model = m
	if !m.equal {
		x.gram = room(x.gram, m.d.S*m.d.S)
		x.u.gram = x.gram
	}
	x.sheet, x.z = room(x.sheet, len(m.weight)), room(x.z, len(m.weight))
	x.h = room(x.h, m.d.N)
	return nil
}

// begin puts the descent of a graph, whose features are relative to the model's origin,
// at its start: uniform weights and node weights, and a coupling.
func (x *extendedDescent) begin(g *gw.Space, start Start, opt *ExtendedUnmixSettings) error {
	u, j, d := &x.u, &x.j, &x.model.d
	level(u.w)
	x.fixed = x.model.equal
	j.bind(g, u.target, x.model.h, d.Alpha, opt.Mu)
	if x.fixed {
		copy(x.h, u.target.P())
		if opt.Mu > 0 {
			clear(j.v)
			j.v[0] = 1
		}
		u.qp.reset(u.gram, d.S, opt.Lambda)
	} else if err := x.reweigh(opt.Lambda); err != nil {
		return err
	}
	if err := u.mix(); err != nil {
		return err
	}
	if err := u.bind(g, start); err != nil {
		return err
	}
	u.own = selfTerm(g, d.Alpha)
	if cap(x.trace) < 3*opt.MaxOuter+1 {
		x.trace, u.values = make([]float64, 0, 3*opt.MaxOuter+1), make([]float64, 0, opt.MaxOuter)
	}
	u.value, x.free = u.solver.Value()-penalty(opt.Lambda, u.w), penalty(opt.Mu, j.v)
	x.trace, u.values = append(x.trace[:0], u.value-x.free), u.values[:0]
	u.e = Embedding{Gap: math.NaN()}
	return nil
}

// round moves coupling, node weights and weights once, couplings by these rules, and reports whether that was the
// last one.
func (x *extendedDescent) round(ctx context.Context, g *gw.Space, opt *ExtendedUnmixSettings, rules gw.Settings) (done bool, err error) {
	u, j, d, e := &x.u, &x.j, &x.model.d, &x.u.e
	if x.fixed && e.Rounds > 0 {
		u.solver.Retarget()
	}
	e.Rounds++
	if e.Rounds == 1 || x.fixed {
		status, iterations := u.solver.Descend(ctx, &rules)
		e.count(status, iterations)
		x.trace = append(x.trace, u.solver.Value()-penalty(opt.Lambda, u.w)-x.free)
		if x.fixed {
			u.pull(g)
		} else {
			x.load()
		}
	}
	if !x.fixed {
		j.retarget()
		status, iterations := j.descend(ctx, float64(d.Alpha*g.SelfTerm())-penalty(opt.Lambda, u.w), &rules)
		e.count(status, iterations)
		x.trace = append(x.trace, float64(d.Alpha*g.SelfTerm())+j.value()-penalty(opt.Lambda, u.w))
		if err := x.reweigh(opt.Lambda); err != nil {
			return false, err
		}
		j.pull(u.model, u.tct, u.ta)
		u.linear()
	}
	before, freeBefore := u.value, x.free
	u.value, x.free = u.own+u.weigh(u.own, &opt.UnmixSettings), penalty(opt.Mu, j.v)
	x.trace, u.values = append(x.trace, u.value-x.free), append(u.values, u.value-x.free)
	if err := u.mix(); err != nil {
		return false, err
	}
	switch {
	case e.Status == Cancelled:
		return true, nil
	case math.Abs((before-u.value)-(freeBefore-x.free)) <= opt.Tol*math.Abs(u.value):
		return true, nil
	case e.Rounds >= opt.MaxOuter:
		e.Status = RoundLimit
		return true, nil
	}
	return false, nil
}

// load hands the coupling to the joint problem.
func (x *extendedDescent) load() {
	t, ld := x.u.solver.Coupling()
	ct, _ := x.u.solver.CT()
	x.j.load(t, ct, ld)
}

// end is the embedding of the last round, in views, with its coupling in t.
func (x *extendedDescent) end(t []float64, opt *ExtendedUnmixSettings) ExtendedEmbedding {
	e := ExtendedEmbedding{Embedding: x.u.e, V: x.j.v, H: x.h}
	if x.fixed {
		x.load()
	}
	x.j.coupling(t)
	e.W, e.Trace, e.T, e.TStride = x.u.w, x.trace, t, x.model.d.N
	e.end(x.u.value, penalty(opt.Lambda, x.u.w), x.free)
	return e
}

// reweigh takes up the node weights of v: the target's, and the Gram matrix
//
//	alpha sum_kl h_k h_l C_s,kl C_t,kl + (1 - alpha) sum_k h_k <A_s,k , A_t,k>
func (x *extendedDescent) reweigh(lambda float64) error {
	m := x.model
	d := &m.d
	x.j.weights(x.j.v, x.h)
	if err := x.u.target.Reweigh(x.h); err != nil {
		return fmt.Errorf("gdl: %w", err)
	}
	for k, hk := range x.h {
		at := m.row[k]
		for l := k; l < d.N; l++ {
			x.sheet[at+l] = float64(float64(hk*x.h[l]) * m.weight[at+l])
		}
	}
	for s := range d.S {
		for i, c := range m.packed[s] {
			x.z[i] = c * x.sheet[i]
		}
		for t := range s + 1 {
			v := float64(d.Alpha * vec.Dot(x.z, m.packed[t]))
			if d.D > 0 {
				v += float64((1 - d.Alpha) * featureProduct(m.atoms[s].A(), m.atoms[t].A(), x.h, d.D))
			}
			x.gram[s*d.S+t], x.gram[t*d.S+s] = v, v
		}
	}
	x.u.qp.reset(x.gram, d.S, lambda)
	return nil
}
