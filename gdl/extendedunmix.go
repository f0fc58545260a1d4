package gdl

import (
	"context"
	"fmt"
	"math"

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
	seen  gw.Space           // the graph relative to the model's origin
	runs  []*extendedDescent // one per start, made when it is first asked for
	won   *extendedDescent   // the one that the last Unmix returned
	t     []float64          // T, n lines of N entries
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
	x.model = m
	for _, r := range x.runs {
		if err := r.use(m); err != nil {
			return err
		}
	}
	return x.ready(1)
}

// ready makes sure that there are descents for n starts.
func (x *ExtendedUnmixer) ready(n int) error {
	for len(x.runs) < n {
		r := new(extendedDescent)
		if err := r.use(x.model); err != nil {
			return err
		}
		x.runs = append(x.runs, r)
	}
	x.won = x.runs[0]
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
	if x == nil || x.model == nil {
		return ExtendedEmbedding{}, errNoUnmixer
	}
	if err := checkUnmix(ctx, g, x.model.d.D); err != nil {
		return ExtendedEmbedding{}, err
	}
	if err := x.ready(len(opt.Starts)); err != nil {
		return ExtendedEmbedding{}, err
	}
	g = x.model.see(g, &x.seen)
	if opt.GW.TolAbs == 0 {
		opt.GW.TolAbs = 1e-7 * g.Scale(x.model.d.Alpha)
	}
	best, err := race(opt.Starts,
		func(k int) *descent { return &x.runs[k].u },
		func(k int) error { return x.runs[k].begin(g, opt.Starts[k], &opt) },
		func(k, steps int) (bool, error) { return x.runs[k].round(ctx, g, &opt, opt.upTo(steps)) })
	if err != nil {
		return ExtendedEmbedding{}, err
	}
	x.won = x.runs[best]
	x.t = room(x.t, g.N()*x.model.d.N)
	e := x.won.end(x.t, &opt)
	if e.Status == Cancelled {
		return e, ctx.Err()
	}
	return e, nil
}

// certify computes the gap of coupling and node weights at the end of the last
// Unmix, >= 0, and writes the potentials of the model's nodes, centred: the
// objective's subgradient in h, where it has one (section "extended model";
// proposition 3 for the potentials of the whole gradient). potentials may be nil.
func (x *ExtendedUnmixer) certify(potentials []float64) float64 {
	x.won.j.retarget()
	x.won.j.direction()
	if potentials != nil {
		x.won.j.potentials(potentials)
	}
	return max(x.won.j.gap, 0)
}
