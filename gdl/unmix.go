package gdl

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"ogdl/internal/initial"
	"ogdl/ot"
	"ogdl/ot/gw"
)

// WStep names a solver of the weights at a fixed coupling.
type WStep int

const (
	// Exact is an active-set method. At lambda = 0, where the problem is convex,
	// it ends in a global minimum; at lambda > 0 in the best local minimum over
	// several starts in the first round, and from the carried weights later.
	Exact WStep = iota
	// ConditionalGradient is the paper's method: Frank-Wolfe from the current
	// weights with exact line search, at most MaxInner steps. It is sublinear and
	// mostly stops short of the minimum.
	ConditionalGradient
	// FullyCorrective is Exact, and where atoms have node weights of their own
	// the conditional gradient of coupling and node weights goes in every step to
	// the best point of the hull of all its vertices (Holloway 1974), not along a
	// line. It ends in another local minimum, in fewer and dearer steps.
	FullyCorrective
)

// Defaults of UnmixSettings.
const (
	DefaultMaxOuter = 20
	DefaultMaxInner = 100
	DefaultTol      = 1e-5
	DefaultGWTolRel = 1e-6
)

// UnmixSettings are the penalties, the starts and the stopping rules of an unmixing. A nil
// *UnmixSettings means the defaults, and so does a field that is zero.
type UnmixSettings struct {
	// Lambda >= 0 is the weight of -|w|^2 in the objective. Default 0.
	Lambda float64
	// Mu >= 0 is the weight of -|v|^2 in the objective, 0 where atoms share node
	// weights. Default 0.
	Mu float64
	// MaxOuter caps the rounds of block coordinate descent. Default 20.
	MaxOuter int
	// Tol ends the rounds when one changes the objective by at most Tol times its absolute value.
	// Default 1e-5. gw.Never, or any negative number, never ends them.
	Tol float64
	// WStep is the solver of the weights. Default Exact.
	WStep WStep
	// MaxInner caps the steps of ConditionalGradient, which also stops by Tol.
	// Default 100.
	MaxInner int
	// Starts are the couplings to start from, all different, StartProduct first. The lowest end is
	// returned, and the first of equal ends. Default StartProduct alone.
	Starts []Start
	// GW has the stopping rules of the conditional gradient, over couplings or over couplings and
	// node weights together. A zero TolRel is 1e-6 here, a tenth of Tol's default, and a zero
	// TolAbs is 1e-7 of the graph's [gw.Space.Scale]. Tighter tolerances cost several times the
	// iterations and change the mean objective in the fourth digit, up or down. MaxIter is as in
	// package gw. Starts and Rand are ignored.
	GW gw.Settings
}

// resolve returns the settings with defaults filled in.
func (s *UnmixSettings) resolve() (UnmixSettings, error) {
	r := *cmp.Or(s, &UnmixSettings{})
	if !(r.Lambda >= 0) || math.IsInf(r.Lambda, 1) {
		return r, fmt.Errorf("gdl: lambda is %v, expected a finite number >= 0", r.Lambda)
	}
	if !(r.Mu >= 0) || math.IsInf(r.Mu, 1) {
		return r, fmt.Errorf("gdl: mu is %v, expected a finite number >= 0", r.Mu)
	}
	if r.WStep < Exact || r.WStep > FullyCorrective {
		return r, fmt.Errorf("gdl: unknown solver of the weights %d, expected Exact, ConditionalGradient or FullyCorrective", int(r.WStep))
	}
	if math.IsNaN(r.Tol + r.GW.TolRel + r.GW.TolAbs) {
		return r, fmt.Errorf("gdl: tolerances of %v, and of %v and %v for GW, expected numbers", r.Tol, r.GW.TolRel, r.GW.TolAbs)
	}
	if len(r.Starts) == 0 {
		r.Starts = allStarts[:1]
	}
	if err := checkStarts(r.Starts); err != nil {
		return r, err
	}
	if r.MaxOuter < 0 || r.MaxInner < 0 || r.GW.MaxIter < 0 {
		return r, fmt.Errorf("gdl: caps of %d rounds, %d steps of the weights, %d iterations of a coupling: expected numbers >= 1, or 0 for the default",
			r.MaxOuter, r.MaxInner, r.GW.MaxIter)
	}
	r.MaxOuter = cmp.Or(r.MaxOuter, DefaultMaxOuter)
	r.MaxInner = cmp.Or(r.MaxInner, DefaultMaxInner)
	r.Tol = cmp.Or(r.Tol, DefaultTol)
	r.GW.TolRel = cmp.Or(r.GW.TolRel, DefaultGWTolRel)
	return r, nil
}

// Status tells how an unmixing ended.
type Status int

const (
	// Converged: the last round changed the objective by at most the tolerance.
	Converged Status = iota
	// RoundLimit: the cap on rounds was reached first.
	RoundLimit
	// Cancelled: the context ended first.
	Cancelled
)

// String returns "converged", "round limit" or "cancelled".
func (s Status) String() string {
	if s < Converged || s > Cancelled {
		return fmt.Sprintf("Status(%d)", int(s))
	}
	return [...]string{"converged", "round limit", "cancelled"}[s]
}

// Embedding is the result of unmixing a graph: weights, coupling and objective. Unmix returns views
// into the Unmixer, good until its next call (see Clone); Dictionary.Embed returns slices of their
// own.
type Embedding struct {
	// W are the S weights, on the simplex.
	W []float64
	// Where atoms have node weights of their own: V is the embedding of these, S entries on the
	// simplex, and H the model's node weights, sum_s V_s H_s; some may be zero. Else nil.
	V, H []float64
	// T is the coupling of graph and model, n rows of stride TStride; the
	// columns from N on are padding and zero.
	T       []float64
	TStride int
	// Objective is FGW^2 at (W, V, T) minus lambda |W|^2 minus mu |V|^2: it may be negative.
	// Reconstruction is the objective without the penalties.
	Objective, Reconstruction float64
	// Trace holds the objective at the start and after every half round (coupling, weights,
	// coupling, ...). It does not rise, except by rounding. With movable node weights the entries
	// are: the first coupling, then in every round coupling and node weights, then w.
	Trace []float64
	// Rounds of block coordinate descent, of the start that was kept.
	Rounds int
	// Solves counts the couplings' solves (with node weights or without), Iterations the
	// conditional gradient iterations in them, CapHits the solves that ended at gw's MaxIter: all
	// starts together.
	Solves, Iterations, CapHits int
	// Gap is the Frank-Wolfe gap of the coupling at the end, >= 0: to first order, how far T (and
	// V) are from stationary for W. Dictionary.Embed computes it; Unmix leaves it NaN (see
	// Unmixer.Gap).
	Gap    float64
	Status Status
}

// Unmixer is a workspace that embeds graphs in one dictionary (algorithm 1). It
// must not be used by two goroutines at once, and allocates nothing once it has
// seen the largest graph. Nothing is carried from one graph to the next.
type Unmixer struct {
	model *model
	seen  seen       // the graph relative to the model's origin
	runs  []*descent // one per start, made when it is first asked for
	won   *descent   // the one that the last Unmix returned

	order int // of the graph that was unmixed last, 0 for none

	lp   ot.Solver // for Gap
	cost []float64
}

// NewUnmixer returns a workspace for a copy of the dictionary; only Reset takes later changes of d.
// It returns the error of [Dictionary.Check].
func NewUnmixer(d *Dictionary) (*Unmixer, error) {
	u := new(Unmixer)
	if err := u.Reset(d); err != nil {
		return nil, err
	}
	return u, nil
}

// Reset copies another dictionary, or a changed one. Cost O(S^2 N (N + D)). A dictionary that [Dictionary.Check] rejects is an
// error and leaves u as it was.
func (u *Unmixer) Reset(d *Dictionary) error {
	if u == nil {
		return errNoUnmixer
	}
	m, err := newModel(d)
	if err != nil {
		return err
	}
	u.use(m)
	return nil
}

func (u *Unmixer) use(m *model) {
	u.model, u.order = m, 0
	for _, r := range u.runs {
		r.use(m)
	}
	u.ready(1)
}

// ready makes sure that there are descents for n starts.
func (u *Unmixer) ready(n int) {
	for len(u.runs) < n {
		r := new(descent)
		r.use(u.model)
		u.runs = append(u.runs, r)
	}
	u.won = u.runs[0]
}

// Unmix embeds a graph: it minimises
//
//	alpha E(T) + (1 - alpha) F(T) - lambda |w|^2
//
// over weights w on the simplex and couplings T in U(p, q) (E and F are the structure and feature
// parts of package gw's objective, against the model Ct(w), At(w)) by block coordinate descent from
// uniform w and T = p q', or the lowest end from several starts (see Starts; those after the first
// are dropped once they fall behind). Neither half of a round raises the objective, so the last
// pair (w, T) is the best one. It is a local minimum at best.
//
// Where atoms have node weights of their own it minimises
//
//	alpha E(T) + (1 - alpha) F(T) - lambda |w|^2 - mu |v|^2
//
// over v on the simplex too and T in U(p, ht(v)), from uniform w and v. The first round begins with
// the coupling at fixed (w, v). A round then moves coupling and v together, by conditional gradient
// over the polytope of all pairs of a v and a coupling of its weights, so that every point on the
// way is feasible and its value the true one, and takes the step in w. If all atoms have the same
// node weights, v has no effect on the model. The result is then the same as with shared weights,
// and v is uniform (for mu > 0 it is the first vertex, which is optimal).
//
// Adding one vector to all features of atoms and graph changes only rounding. Scaling structures
// and features by f and lambda by f^2 multiplies the objective by f^2 and leaves the embedding
// unchanged, exactly if f is a power of two.
//
// A nil context, a graph that is nil or whose feature dimension is not the dictionary's, and
// settings out of range are errors. When the context ends first its error is returned with the
// state reached. A round costs a GW solve and O(nN(n + N + D) + S N (N + D)). With movable node
// weights a step of the coupling costs a linear problem with an explicit inverse of order n + N,
// warm except for the first. A round then costs O(S^2 N (N + D)) more, for its Gram matrix.
func (u *Unmixer) Unmix(ctx context.Context, g *gw.Space, set *UnmixSettings) (Embedding, error) {
	opt, err := set.resolve()
	if err != nil {
		return Embedding{}, err
	}
	if u == nil || u.model == nil {
		return Embedding{}, errNoUnmixer
	}
	if ctx == nil {
		return Embedding{}, errNoContext
	}
	if err := initial.Check(g, u.model.d.D, "the dictionary's"); err != nil {
		return Embedding{}, fmt.Errorf("gdl: the graph %w", err)
	}
	if err := checkMu(opt.Mu, u.model.h != nil); err != nil {
		return Embedding{}, err
	}
	u.order = 0
	u.ready(len(opt.Starts))
	g = u.model.see(g, &u.seen)
	if opt.GW.TolAbs == 0 {
		opt.GW.TolAbs = 1e-7 * g.Scale(u.model.d.Alpha)
	}
	best, err := race(ctx, u.runs, g, &opt)
	if err != nil {
		return Embedding{}, err
	}
	u.won, u.order = u.runs[best], g.N()
	e := u.won.end(&opt)
	if e.Status == Cancelled {
		return e, ctx.Err()
	}
	return e, nil
}
