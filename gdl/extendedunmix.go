package gdl

import (
	"context"
	"fmt"
	"math"

	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// ExtendedUnmixSettings are those of an unmixing with node weights. A nil
// *ExtendedUnmixSettings means the defaults.
type ExtendedUnmixSettings struct {
	// UnmixSettings has the weight Lambda of -|w|^2 and the stopping rules; GW
	// also rules the steps of couplings and node weights together.
	UnmixSettings
	// Mu >= 0 is the weight of -|v|^2 in the objective. Default 0.
	Mu float64
}

func (s *ExtendedUnmixSettings) resolve() (ExtendedUnmixSettings, error) {
	var r ExtendedUnmixSettings
	if s != nil {
		r = *s
	}
	if !(r.Mu >= 0) || math.IsInf(r.Mu, 1) {
		return r, fmt.Errorf("gdl: mu is %v, expected a finite number >= 0", r.Mu)
	}
	var err error
	r.UnmixSettings, err = r.UnmixSettings.resolve()
	return r, err
}

// ExtendedEmbedding is a graph seen through a dictionary with node weights. As
// with Embedding, those that Unmix returns hold views into the workspace.
type ExtendedEmbedding struct {
	// Embedding holds W, the coupling T in U(p, H), and the counts. Objective is
	// FGW's objective at (W, V, T) less lambda |W|^2 + mu |V|^2, Reconstruction
	// that without the penalties. Trace holds the objective at the start, after the
	// first coupling, and in every round after coupling with node weights (where
	// these cannot move: coupling) and after w; it never rises but by rounding. Iterations counts both kinds
	// of coupling steps, and Solves and CapHits the runs of either. Gap is that of
	// coupling and node weights together: how far (T, V) is from being stationary
	// for W, to first order.
	Embedding
	// V is the embedding of the node weights, S entries on the simplex.
	V []float64
	// H are the model's node weights, sum_s V_s H_s: N entries on the simplex, of
	// which some may be zero.
	H []float64
}

// ExtendedUnmixer is a workspace that embeds graphs in one dictionary with node
// weights. It must not be used by two goroutines at once, and allocates nothing
// once it has seen the largest graph. Nothing is carried from one graph to the
// next.
type ExtendedUnmixer struct {
	model *extendedModel
	u     Unmixer // structure, features, w and the couplings at fixed node weights
	j     joint   // couplings and node weights together

	gram  []float64 // of this graph's node weights
	sheet []float64 // their products, packed as the atoms are
	z     []float64 // an atom under them
	h     []float64
	t     []float64 // T, n lines of N entries
	trace []float64
}

// NewExtendedUnmixer returns a workspace for the dictionary, which it copies:
// later changes of d are taken up by Reset only. The error is that of d.Check.
func NewExtendedUnmixer(d *ExtendedDictionary) (*ExtendedUnmixer, error) {
	x := new(ExtendedUnmixer)
	if err := x.Reset(d); err != nil {
		return nil, err
	}
	return x, nil
}

// Reset takes up another dictionary, or a changed one. Cost O(S^2 N (N + D)).
func (x *ExtendedUnmixer) Reset(d *ExtendedDictionary) error {
	if x == nil {
		return errNoUnmixer
	}
	m, err := newExtendedModel(d)
	if err != nil {
		return err
	}
	return x.use(m)
}

func (x *ExtendedUnmixer) use(m *extendedModel) error {
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

// Unmix embeds a graph: it minimises
//
//	alpha E(T) + (1 - alpha) F(T) - lambda |w|^2 - mu |v|^2
//
// over w and v on the simplex and couplings T in U(p, ht(v)) (E and F as in
// package gw, against the model Ct(w), At(w), ht(v)) from uniform w and v and
// T = p ht(v)'. The first round begins with the coupling at fixed (w, v). A round
// moves coupling and v together, by conditional gradient over the polytope of all
// pairs of a v and a coupling of its weights, so that every point on the way is
// feasible and its value the true one; and takes the step in w at fixed (T, v). No part can raise the
// objective, so the last (w, v, T) is the best one seen, and the value returned is
// the objective there. It ends in a local minimum at best.
//
// Where all atoms have the same node weights h, v cannot matter to the model, and
// the result is that of Unmixer for shared weights h, with v uniform (for mu > 0
// the first vertex, which is then optimal).
//
// Errors are those of Unmixer.Unmix, and a mu out of range. A step of coupling and
// node weights costs a linear problem with an explicit inverse of order n + N,
// warm but for the first, and O(nN(n + N)); a round whose node weights moved
// O(S^2 N (N + D)) for its Gram matrix.
func (x *ExtendedUnmixer) Unmix(ctx context.Context, g *gw.Space, set *ExtendedUnmixSettings) (ExtendedEmbedding, error) {
	opt, err := set.resolve()
	if err != nil {
		return ExtendedEmbedding{}, err
	}
	if x == nil {
		return ExtendedEmbedding{}, errNoUnmixer
	}
	if err := x.u.check(ctx, g); err != nil {
		return ExtendedEmbedding{}, err
	}
	u, j, d := &x.u, &x.j, &x.model.d
	g = u.model.see(g, &u.seen)
	for s := range u.w {
		u.w[s] = 1 / float64(d.S)
	}
	fixed := x.model.equal
	j.bind(g, u.target, x.model.h, d.Alpha, opt.Mu)
	if fixed {
		copy(x.h, u.target.P())
		if opt.Mu > 0 {
			clear(j.v)
			j.v[0] = 1
		}
		u.qp.reset(u.gram, d.S, opt.Lambda)
	} else if err := x.reweigh(opt.Lambda); err != nil {
		return ExtendedEmbedding{}, err
	}
	if err := u.mix(); err != nil {
		return ExtendedEmbedding{}, err
	}
	if err := u.solver.Bind(g, u.target, d.Alpha); err != nil {
		return ExtendedEmbedding{}, fmt.Errorf("gdl: %w", err)
	}
	own := selfTerm(g, d.Alpha)
	if opt.GW.TolAbs == 0 {
		opt.GW.TolAbs = 1e-7 * g.Scale(d.Alpha)
	}
	if cap(x.trace) < 3*opt.MaxOuter+1 {
		x.trace = make([]float64, 0, 3*opt.MaxOuter+1)
	}
	// The objective is value less free, the penalty of v. It is kept apart, since
	// the stopping rule is relative to value: where v cannot move, the rule is that of
	// an unmixing without node weights, whatever mu is.
	value, free := u.solver.Value()-penalty(opt.Lambda, u.w), penalty(opt.Mu, j.v)
	x.trace = append(x.trace[:0], value-free)

	var e ExtendedEmbedding
	e.Gap = math.NaN()
	for {
		e.Rounds++
		if e.Rounds == 1 || fixed {
			status, iterations := u.solver.Descend(ctx, &opt.GW)
			e.count(status, iterations)
			x.trace = append(x.trace, u.solver.Value()-penalty(opt.Lambda, u.w)-free)
			if fixed {
				u.pull(g)
			} else {
				t, ld := u.solver.Coupling()
				ct, _ := u.solver.CT()
				j.load(t, ct, ld)
			}
		}
		if !fixed {
			j.retarget()
			status, iterations := j.descend(ctx, float64(d.Alpha*g.SelfTerm())-penalty(opt.Lambda, u.w), &opt.GW)
			e.count(status, iterations)
			x.trace = append(x.trace, float64(d.Alpha*g.SelfTerm())+j.value()-penalty(opt.Lambda, u.w))
			if err := x.reweigh(opt.Lambda); err != nil {
				return ExtendedEmbedding{}, err
			}
			j.pull(u.model, u.tct, u.ta)
			u.linear()
		}
		before, freeBefore := value, free
		value, free = own+u.weigh(own, &opt.UnmixSettings), penalty(opt.Mu, j.v)
		x.trace = append(x.trace, value-free)
		if err := u.mix(); err != nil {
			return ExtendedEmbedding{}, err
		}
		if e.Status == Cancelled {
			break
		}
		if change := math.Abs((before - value) - (freeBefore - free)); change <= opt.Tol*math.Abs(value) {
			break
		}
		if e.Rounds >= opt.MaxOuter {
			e.Status = RoundLimit
			break
		}
		if fixed {
			u.solver.Retarget()
		}
	}
	e.W, e.V, e.H, e.Trace = u.w, j.v, x.h, x.trace
	if fixed {
		t, ld := u.solver.Coupling()
		ct, _ := u.solver.CT()
		j.load(t, ct, ld)
	}
	x.t = room(x.t, g.N()*d.N)
	j.coupling(x.t)
	e.T, e.TStride = x.t, d.N
	e.end(value, penalty(opt.Lambda, u.w), free)
	if e.Status == Cancelled {
		return e, ctx.Err()
	}
	return e, nil
}

// count takes a run of coupling steps into account.
func (e *ExtendedEmbedding) count(status gw.Status, iterations int) {
	e.Solves++
	e.Iterations += iterations
	switch status {
	case gw.MaxIterations:
		e.CapHits++
	case gw.Cancelled:
		e.Status = Cancelled
	}
}

// reweigh takes up the node weights of v: the target's, and the Gram matrix
//
//	alpha sum_kl h_k h_l C_s,kl C_t,kl + (1 - alpha) sum_k h_k <A_s,k , A_t,k>
func (x *ExtendedUnmixer) reweigh(lambda float64) error {
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

// certify computes the gap of coupling and node weights at the end of the last
// Unmix, >= 0, and writes the potentials of the model's nodes, centred: the
// objective's subgradient in h, where it has one (section "extended model";
// proposition 3 for the potentials of the whole gradient). potentials may be nil.
func (x *ExtendedUnmixer) certify(potentials []float64) float64 {
	x.j.retarget()
	x.j.direction()
	if potentials != nil {
		x.j.potentials(potentials)
	}
	return max(x.j.gap, 0)
}
