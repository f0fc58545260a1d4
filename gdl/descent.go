package gdl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// descent is one block coordinate descent over weights and a coupling, from one start
// to its end. It allocates nothing once it has seen the largest graph.
type descent struct {
	model  *model
	gram   []float64 // the model's Gram matrix, or the one of this graph's node weights
	lambda float64   // that qp was reset with

	target *gw.Space
	solver gw.Solver
	qp     simplexQP
	fw     frankWolfe

	w, old, c []float64
	tct       []float64 // T'CT, packed like the atoms but for the doubling
	ta        []float64 // T'A, N x D
	ca        []float64 // the features' part of c
	trace     []float64

	nodes *nodeWeights // where the atoms have their own; else nil

	own    float64   // the part of the objective that depends on the graph alone
	value  float64   // the objective but for free
	values []float64 // the whole objective after every round
	e      Embedding

	// free is the penalty of v, 0 without one. It is kept apart, since the stopping rule is
	// relative to the rest: where v cannot move, the rule is the one of an unmixing without node
	// weights, whatever mu is.
	free float64
}

// use prepares the descent for a model.
func (u *descent) use(m *model) {
	d := &m.d
	if u.model == nil || u.target.N() != d.N || u.target.D() != d.D || len(u.w) != d.S ||
		!slices.Equal(u.target.P(), m.atoms[0].P()) {
		u.target, _ = gw.NewTarget(d.N, d.D, m.atoms[0].P()) // sizes and weights of a space
		u.w, u.old, u.c, u.ca = make([]float64, d.S), make([]float64, d.S), make([]float64, d.S), make([]float64, d.S)
		u.tct, u.ta = make([]float64, len(m.packed[0])), make([]float64, d.N*d.D)
	}
	u.model, u.gram, u.lambda = m, m.gram, math.NaN()
	if m.h == nil {
		u.nodes = nil
		return
	}
	if u.nodes == nil {
		u.nodes = new(nodeWeights)
	}
	u.nodes.use(m)
	if m.uneven {
		u.gram = u.nodes.gram
	}
}

// begin sets the descent of a graph, whose features are relative to the model's origin, at its
// start: uniform weights (of nodes too) and a coupling.
func (u *descent) begin(g *gw.Space, start Start, opt *UnmixSettings) error {
	if cap(u.trace) < 3*opt.MaxOuter+1 {
		u.trace, u.values = make([]float64, 0, 3*opt.MaxOuter+1), make([]float64, 0, opt.MaxOuter)
	}
	copy(u.w, u.model.even)
	u.free = 0
	if u.nodes != nil {
		u.nodes.begin(g, u.target, u.model, opt.Mu)
		u.free = penalty(opt.Mu, u.nodes.v)
	}
	if u.model.uneven {
		if err := u.reweigh(opt.Lambda); err != nil {
			return err
		}
		if err := u.mix(); err != nil {
			return err
		}
	} else {
		if u.lambda != opt.Lambda {
			u.qp.reset(u.gram, u.model.d.S, opt.Lambda, true)
			u.lambda = opt.Lambda
		}
		u.qp.restart()
		_ = u.target.Copy(u.model.level) // of the same sizes and weights
	}
	u.bind(g, start)
	u.own = selfTerm(g, u.model.d.Alpha)
	u.value = u.solver.Value() - penalty(opt.Lambda, u.w)
	u.trace, u.values = append(u.trace[:0], u.value-u.free), u.values[:0]
	u.e = Embedding{Gap: math.NaN()}
	return nil
}

// level makes the weights uniform.
func level(w []float64) {
	for s := range w {
		w[s] = 1 / float64(len(w))
	}
}

// bind sets the coupling problem of a graph against the target, at the given start.
func (u *descent) bind(g *gw.Space, start Start) {
	_ = u.solver.Bind(g, u.target, u.model.d.Alpha) // graph and alpha are checked
	switch start {
	case StartSorted:
		u.solver.StartSorted()
	case StartReverse:
		u.solver.StartReverse()
	}
}

// round moves coupling and weights once (node weights together with the coupling), the coupling by
// these rules, and reports whether that was the last one.
func (u *descent) round(ctx context.Context, g *gw.Space, opt *UnmixSettings, rules gw.Settings) (done bool, err error) {
	e := &u.e
	moving := u.model.uneven
	if e.Rounds > 0 && !moving {
		u.solver.Retarget()
	}
	e.Rounds++
	if e.Rounds == 1 || !moving {
		status, iterations := u.solver.Descend(ctx, &rules)
		e.count(status, iterations)
		u.trace = append(u.trace, u.solver.Value()-penalty(opt.Lambda, u.w)-u.free)
	}
	if moving {
		if err := u.moveNodes(ctx, g, opt, &rules); err != nil {
			return false, err
		}
	} else {
		u.pull(g)
	}
	before, freeBefore := u.value, u.free
	u.value = u.own + u.weigh(u.own, opt)
	if moving {
		u.free = penalty(opt.Mu, u.nodes.v)
	}
	u.trace, u.values = append(u.trace, u.value-u.free), append(u.values, u.value-u.free)
	if err := u.mix(); err != nil {
		return false, err
	}
	switch {
	case e.Status == Cancelled:
		return true, nil
	case math.Abs((before-u.value)-(freeBefore-u.free)) <= opt.Tol*math.Abs(u.value):
		return true, nil
	case e.Rounds >= opt.MaxOuter:
		e.Status = RoundLimit
		return true, nil
	}
	return false, nil
}

// count takes a run of coupling steps into account.
func (e *Embedding) count(status gw.Status, iterations int) {
	e.Solves++
	e.Iterations += iterations
	switch status {
	case gw.MaxIterations:
		e.CapHits++
	case gw.Cancelled:
		e.Status = Cancelled
	}
}

// end returns the embedding of the last round; its slices are views.
func (u *descent) end(opt *UnmixSettings) Embedding {
	e := u.e
	e.W, e.Trace = u.w, u.trace
	if u.nodes != nil {
		e.V, e.H = u.nodes.v, u.nodes.ht
		e.T, e.TStride = u.nodeCoupling(), u.model.d.N
	} else {
		e.T, e.TStride = u.solver.Coupling()
	}
	// The last value has the penalty of w in it; a reconstruction below zero is rounding.
	ofW := penalty(opt.Lambda, u.w)
	e.Reconstruction = max(u.value+ofW, 0)
	e.Objective = max(u.value, -ofW) - u.free
	e.Trace[len(e.Trace)-1] = e.Objective
	return e
}

// mix sets the target to the model at the current weights.
func (u *descent) mix() error {
	if err := u.target.Mix(u.model.atoms, u.w); err != nil {
		return fmt.Errorf("gdl: %w", err)
	}
	return nil
}

// pull computes T'CT, T'A and from them the linear term of the weights.
func (u *descent) pull(g *gw.Space) {
	d := &u.model.d
	t, ld := u.solver.Coupling()
	ct, _ := u.solver.CT()
	clear(u.tct)
	clear(u.ta)
	if rows, cols, mass, few := u.solver.Entries(); few {
		for e, x := range mass {
			k := int(cols[e])
			from := k &^ 3
			vec.Axpy(x, ct[int(rows[e])*ld+from:][:ld-from], u.tct[u.model.row[k]+from:])
		}
		if d.D > 0 {
			vec.Scatter(1, mass, rows, cols, g.A(), d.D, u.ta, d.D, d.D)
		}
		u.linear()
		return
	}
	for k := 0; k < d.N; k += 4 { // four rows of the triangle have one width
		width := ld - k
		vec.MulDense(t[k:], 1, ld, min(4, d.N-k), g.N(), ct[k:], ld, u.tct[u.model.row[k]+k:], width, width)
	}
	if d.D > 0 {
		a := g.A()
		for i := range g.N() {
			for k, x := range t[i*ld : i*ld+d.N] {
				vec.Axpy(x, a[i*d.D:(i+1)*d.D], u.ta[k*d.D:])
			}
		}
	}
	u.linear()
}

// linear computes the linear term of the weights, c_s = alpha <C_s, T'CT> + (1 - alpha) <A_s, T'A>.
func (u *descent) linear() {
	d := &u.model.d
	vec.Dots(u.model.packed, u.tct, u.c)
	vec.Scale(d.Alpha, u.c)
	if d.D == 0 {
		return
	}
	vec.Dots(u.model.a, u.ta, u.ca)
	vec.Axpy(1-d.Alpha, u.ca, u.c)
}

// weigh takes the step in w at the fixed coupling and returns its objective
// without the graph's own term. Where rounding would raise it, w stays.
func (u *descent) weigh(own float64, opt *UnmixSettings) float64 {
	copy(u.old, u.w)
	stay := u.quadratic(u.old, opt.Lambda)
	if opt.WStep == ConditionalGradient {
		u.fw.solve(u.gram, u.c, u.w, own, opt)
	} else {
		u.qp.solve(u.c, u.w)
	}
	value := u.quadratic(u.w, opt.Lambda)
	if value > stay {
		copy(u.w, u.old)
		return stay
	}
	return value
}

// quadratic returns J(w) = w'Mw - 2c'w - lambda |w|^2.
func (u *descent) quadratic(w []float64, lambda float64) float64 {
	s, sum := len(w), 0.0
	for i, x := range w {
		if x != 0 {
			sum += float64(x * (vec.Dot(u.gram[i*s:i*s+s], w) - float64(2*u.c[i])))
		}
	}
	return sum - penalty(lambda, w)
}

// selfTerm returns the part of the objective that depends on the graph alone.
func selfTerm(g *gw.Space, alpha float64) float64 {
	k := float64(alpha * g.SelfTerm())
	if d := g.D(); d > 0 {
		a, sum := g.A(), 0.0
		for i, p := range g.P() {
			row := 0.0
			for _, x := range a[i*d : i*d+d] {
				row += float64(x * x)
			}
			sum += float64(p * row)
		}
		k += float64((1 - alpha) * sum)
	}
	return k
}

func penalty(lambda float64, w []float64) float64 {
	if lambda == 0 {
		return 0
	}
	sum := 0.0
	for _, x := range w {
		sum += float64(x * x)
	}
	return float64(lambda * sum)
}
