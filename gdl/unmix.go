package gdl

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ogdl/internal/vec"
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
)

// Defaults of UnmixSettings.
const (
	DefaultMaxOuter = 20
	DefaultMaxInner = 100
	DefaultTol      = 1e-5
	DefaultGWTolRel = 1e-6
)

// UnmixSettings says what an unmixing minimises and when it stops. A nil
// *UnmixSettings means the defaults, and so does a field that is zero.
type UnmixSettings struct {
	// Lambda >= 0 is the weight of -|w|^2 in the objective. Default 0.
	Lambda float64
	// MaxOuter caps the rounds of block coordinate descent. Default 20.
	MaxOuter int
	// Tol ends the rounds: when one changes the objective by at most Tol times
	// its absolute value. Default 1e-5; negative: never.
	Tol float64
	// WStep is the solver of the weights. Default Exact.
	WStep WStep
	// MaxInner caps the steps of ConditionalGradient, which also stops by Tol.
	// Default 100.
	MaxInner int
	// GW says when the coupling's conditional gradient stops. A zero TolRel is
	// 1e-6 here, a tenth of Tol's default, and a zero TolAbs is 1e-7 of the graph's
	// gw.Space.Scale; tighter ones cost several times the iterations and change the mean
	// objective in the fourth digit, either way. MaxIter is as in package gw. Starts
	// and Rand are not looked at.
	GW gw.Settings
}

// resolve returns the settings with defaults filled in.
func (s *UnmixSettings) resolve() (UnmixSettings, error) {
	var r UnmixSettings
	if s != nil {
		r = *s
	}
	if !(r.Lambda >= 0) || math.IsInf(r.Lambda, 1) {
		return r, fmt.Errorf("gdl: lambda is %v, expected a finite number >= 0", r.Lambda)
	}
	if r.WStep != Exact && r.WStep != ConditionalGradient {
		return r, fmt.Errorf("gdl: unknown solver of the weights %d, expected Exact or ConditionalGradient", int(r.WStep))
	}
	if math.IsNaN(r.Tol) {
		return r, fmt.Errorf("gdl: Tol is NaN")
	}
	if r.MaxOuter <= 0 {
		r.MaxOuter = DefaultMaxOuter
	}
	if r.MaxInner <= 0 {
		r.MaxInner = DefaultMaxInner
	}
	if r.Tol == 0 {
		r.Tol = DefaultTol
	}
	if r.GW.TolRel == 0 {
		r.GW.TolRel = DefaultGWTolRel
	}
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

func (s Status) String() string {
	switch s {
	case Converged:
		return "converged"
	case RoundLimit:
		return "round limit"
	case Cancelled:
		return "cancelled"
	}
	return fmt.Sprintf("Status(%d)", int(s))
}

// Embedding is a graph seen through a dictionary. Those that Unmix returns hold
// views into the Unmixer, good until its next call; those of Dictionary.Embed own
// their slices.
type Embedding struct {
	// W are the S weights, on the simplex.
	W []float64
	// T is the coupling of graph and model, n rows of stride TStride; the
	// columns from N on are padding and zero.
	T       []float64
	TStride int
	// Objective is FGW's objective at (W, T) less lambda |W|^2: it may be
	// negative. Reconstruction is the objective without the penalty.
	Objective, Reconstruction float64
	// Trace holds the objective at the start and after every half round
	// (coupling, weights, coupling, ...); it never rises but by rounding.
	Trace []float64
	// Rounds of block coordinate descent.
	Rounds int
	// Solves counts the couplings' solves, Iterations the conditional gradient
	// iterations in them, CapHits the solves that ended at gw's MaxIter.
	Solves, Iterations, CapHits int
	// Gap is the Frank-Wolfe gap of the coupling at the end, >= 0: how far T is
	// from being stationary for W, to first order. Dictionary.Embed computes it;
	// Unmix leaves it NaN (see Unmixer.Gap).
	Gap    float64
	Status Status
}

// model is what a change of the dictionary changes: atoms as spaces, and the
// Gram matrix. Workers share it and only read it.
type model struct {
	d      Dictionary // its numbers; C and A are those of atoms
	atoms  []*gw.Space
	origin []float64   // what the atoms' features are relative to
	a      [][]float64 // these features, views
	gram   []float64

	// The upper triangles of the atoms' structures, rows one after the other from
	// the aligned start at or before their diagonal, entries above it doubled and
	// those before it zero: <C_s, X> = packed_s . X's triangle for symmetric X.
	packed [][]float64
	row    []int // where row k begins, less its first column
}

func newModel(d *Dictionary) (*model, error) {
	atoms, err := d.spaces()
	if err != nil {
		return nil, err
	}
	m := &model{
		d:      Dictionary{S: d.S, N: d.N, D: d.D, Alpha: d.Alpha},
		atoms:  atoms,
		origin: slices.Clone(d.origin()),
		gram:   make([]float64, d.S*d.S),
		packed: make([][]float64, d.S),
		row:    make([]int, d.N),
	}
	_, ld := atoms[0].C()
	size := 0
	for k := range d.N {
		from := k &^ 3
		m.row[k] = size - from
		size += ld - from
	}
	for s := range d.S {
		m.packed[s] = make([]float64, size)
		m.pack(s, d.C[s])
		atoms[s].Relative(m.origin, atoms[s])
		m.a = append(m.a, atoms[s].A())
	}
	d.gram(m.gram, nil, m.a)
	return m, nil
}

// see returns the graph with features relative to the origin, in the room of into.
func (m *model) see(g, into *gw.Space) *gw.Space {
	if m.d.D == 0 {
		return g
	}
	g.Relative(m.origin, into)
	return into
}

// pack takes up the structure of atom s.
func (m *model) pack(s int, c []float64) {
	x, n := m.packed[s], m.d.N
	for k := range n {
		x[m.row[k]+k] = c[k*n+k]
		row := x[m.row[k]:]
		for l := k + 1; l < n; l++ {
			row[l] = 2 * c[k*n+l]
		}
	}
}

// update takes up the atoms of d, a dictionary of the same sizes and weights, and
// is then what newModel would make of it. Atoms that are as they were cost a
// comparison, unless the origin has moved; changed (length S) is scratch. It
// allocates nothing.
func (m *model) update(d *Dictionary, changed []bool) error {
	origin := d.origin()
	moved := !equal(m.origin, origin)
	copy(m.origin, origin)
	for s, atom := range m.atoms {
		var a []float64
		if d.D > 0 {
			a = d.A[s]
		}
		if changed[s] = moved || !holds(atom, d.C[s], a, origin); !changed[s] {
			continue
		}
		if err := atom.Set(d.C[s], a); err != nil {
			return fmt.Errorf("gdl: atom %d: %w", s, err)
		}
		atom.Relative(m.origin, atom)
		m.pack(s, d.C[s])
	}
	d.gram(m.gram, changed, m.a)
	return nil
}

// holds says whether an atom is that of c and a, seen from the origin.
func holds(atom *gw.Space, c, a, origin []float64) bool {
	x, ld := atom.C()
	n := atom.N()
	for k := range n {
		if !equal(x[k*ld:k*ld+n], c[k*n:k*n+n]) {
			return false
		}
	}
	x = atom.A()
	for i := 0; i < len(a); i += len(origin) {
		for j, o := range origin {
			if x[i+j] != a[i+j]-o {
				return false
			}
		}
	}
	return true
}

// Unmixer is a workspace that embeds graphs in one dictionary (algorithm 1). It
// must not be used by two goroutines at once, and allocates nothing once it has
// seen the largest graph. Nothing is carried from one graph to the next.
type Unmixer struct {
	model  *model
	lambda float64 // that qp was reset with

	target *gw.Space
	seen   gw.Space // the graph relative to the model's origin
	solver gw.Solver
	qp     simplexQP
	fw     frankWolfe

	gram      []float64 // the model's, or that of this graph's node weights
	w, old, c []float64
	tct       []float64 // T'CT, packed like the atoms but for the doubling
	ta        []float64 // T'A, N x D
	trace     []float64

	lp   ot.Solver // for Gap
	cost []float64
}

// NewUnmixer returns a workspace for the dictionary, which it copies: later
// changes of d are taken up by Reset only. The error is that of d.Check.
func NewUnmixer(d *Dictionary) (*Unmixer, error) {
	u := new(Unmixer)
	if err := u.Reset(d); err != nil {
		return nil, err
	}
	return u, nil
}

// Reset takes up another dictionary, or a changed one. Cost O(S^2 N (N + D)).
func (u *Unmixer) Reset(d *Dictionary) error {
	if u == nil {
		return errNoUnmixer
	}
	m, err := newModel(d)
	if err != nil {
		return err
	}
	return u.use(m)
}

func (u *Unmixer) use(m *model) error {
	d := &m.d
	if u.model == nil || u.target.N() != d.N || u.target.D() != d.D || len(u.w) != d.S || !equal(u.target.P(), m.atoms[0].P()) {
		target, err := gw.NewTarget(d.N, d.D, m.atoms[0].P())
		if err != nil {
			return fmt.Errorf("gdl: %w", err)
		}
		u.target = target
		u.w, u.old, u.c = make([]float64, d.S), make([]float64, d.S), make([]float64, d.S)
		u.tct, u.ta = make([]float64, len(m.packed[0])), make([]float64, d.N*d.D)
	}
	u.model, u.gram, u.lambda = m, m.gram, math.NaN()
	return nil
}

func equal(x, y []float64) bool {
	if len(x) != len(y) {
		return false
	}
	for i, v := range x {
		if v != y[i] {
			return false
		}
	}
	return true
}

// Unmix embeds a graph: it minimises
//
//	alpha E(T) + (1 - alpha) F(T) - lambda |w|^2
//
// over weights w on the simplex and couplings T in U(p, q) (E and F as in package
// gw, against the model Ct(w), At(w)) by block coordinate descent from uniform w
// and T = p q'. Neither half of a round can raise the objective, so the last pair
// (w, T) is the best one seen. It ends in a local minimum at best.
//
// Nothing but rounding changes when all features, of atoms and graph, move together,
// and a change of scale (structures and features by f, lambda by f^2) changes the
// objective by f^2 alone; to the last bit where f is a power of two.
//
// A nil context, a graph that is nil or whose feature dimension is not the
// dictionary's, and settings out of range are errors. When the context ends first its error is returned with the
// state reached. A round costs a GW solve and O(nN(n + N + D) + S N (N + D)).
func (u *Unmixer) Unmix(ctx context.Context, g *gw.Space, set *UnmixSettings) (Embedding, error) {
	opt, err := set.resolve()
	if err != nil {
		return Embedding{}, err
	}
	if err := u.check(ctx, g); err != nil {
		return Embedding{}, err
	}
	d := &u.model.d
	g = u.model.see(g, &u.seen)
	if u.lambda != opt.Lambda {
		u.qp.reset(u.gram, d.S, opt.Lambda)
		u.lambda = opt.Lambda
	}
	u.qp.restart()
	if cap(u.trace) < 2*opt.MaxOuter+1 {
		u.trace = make([]float64, 0, 2*opt.MaxOuter+1)
	}
	for s := range u.w {
		u.w[s] = 1 / float64(d.S)
	}
	if err := u.mix(); err != nil {
		return Embedding{}, err
	}
	if err := u.solver.Bind(g, u.target, d.Alpha); err != nil {
		return Embedding{}, fmt.Errorf("gdl: %w", err)
	}
	own := selfTerm(g, d.Alpha)
	if opt.GW.TolAbs == 0 {
		opt.GW.TolAbs = 1e-7 * g.Scale(d.Alpha)
	}
	value := u.solver.Value() - penalty(opt.Lambda, u.w)
	u.trace = append(u.trace[:0], value)

	e := Embedding{Gap: math.NaN()}
	for {
		e.Rounds++
		status, iterations := u.solver.Descend(ctx, &opt.GW)
		e.Solves++
		e.Iterations += iterations
		switch status {
		case gw.MaxIterations:
			e.CapHits++
		case gw.Cancelled:
			e.Status = Cancelled
		}
		u.trace = append(u.trace, u.solver.Value()-penalty(opt.Lambda, u.w))
		u.pull(g)
		before := value
		value = own + u.weigh(own, &opt)
		u.trace = append(u.trace, value)
		if err := u.mix(); err != nil {
			return Embedding{}, err
		}
		if e.Status == Cancelled {
			break
		}
		if change := math.Abs(before - value); change <= opt.Tol*math.Abs(value) {
			break
		}
		if e.Rounds >= opt.MaxOuter {
			e.Status = RoundLimit
			break
		}
		u.solver.Retarget()
	}
	e.W, e.Trace = u.w, u.trace
	e.T, e.TStride = u.solver.Coupling()
	e.end(value, penalty(opt.Lambda, u.w), 0)
	if e.Status == Cancelled {
		return e, ctx.Err()
	}
	return e, nil
}

// mix sets the target to the model at the current weights.
func (u *Unmixer) mix() error {
	if err := u.target.Mix(u.model.atoms, u.w); err != nil {
		return fmt.Errorf("gdl: %w", err)
	}
	return nil
}

// check returns what is wrong with the arguments of an unmixing.
func (u *Unmixer) check(ctx context.Context, g *gw.Space) error {
	switch {
	case u == nil || u.model == nil:
		return errNoUnmixer
	case ctx == nil:
		return errNoContext
	}
	if err := checkGraph(g, u.model.d.D); err != nil {
		return fmt.Errorf("gdl: the graph %w", err)
	}
	return nil
}

// end takes up the last value of the objective, with the penalty of w in it and
// that of v to come. A reconstruction below zero is rounding.
func (e *Embedding) end(value, ofW, ofV float64) {
	e.Reconstruction = max(value+ofW, 0)
	e.Objective = max(value, -ofW) - ofV
	e.Trace[len(e.Trace)-1] = e.Objective
}

// selfTerm is the part of the objective that depends on the graph alone.
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

// pull computes T'CT, T'A and from them the linear term of the weights.
func (u *Unmixer) pull(g *gw.Space) {
	d := &u.model.d
	t, ld := u.solver.Coupling()
	ct, _ := u.solver.CT()
	clear(u.tct)
	for k := 0; k < d.N; k += 4 { // four rows of the triangle have one width
		width := ld - k
		vec.MulDense(t[k:], 1, ld, min(4, d.N-k), g.N(), ct[k:], ld, u.tct[u.model.row[k]+k:], width, width)
	}
	if d.D == 0 {
		u.linear()
		return
	}
	clear(u.ta)
	a := g.A()
	for i := range g.N() {
		row := a[i*d.D : (i+1)*d.D]
		for k, x := range t[i*ld : i*ld+d.N] {
			if x == 0 {
				continue
			}
			vec.Axpy(x, row, u.ta[k*d.D:])
		}
	}
	u.linear()
}

// linear is the linear term of the weights,
// c_s = alpha <C_s, T'CT> + (1 - alpha) <A_s, T'A>.
func (u *Unmixer) linear() {
	d := &u.model.d
	for s, c := range u.model.packed {
		u.c[s] = d.Alpha * vec.Dot(c, u.tct)
	}
	if d.D == 0 {
		return
	}
	for s, atom := range u.model.atoms {
		u.c[s] += float64((1 - d.Alpha) * vec.Dot(atom.A(), u.ta))
	}
}

// weigh takes the step in w at the fixed coupling and returns its objective
// without the graph's own term. Where rounding would raise it, w stays.
func (u *Unmixer) weigh(own float64, opt *UnmixSettings) float64 {
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

// quadratic is J(w) = w'Mw - 2c'w - lambda |w|^2.
func (u *Unmixer) quadratic(w []float64, lambda float64) float64 {
	s, sum := len(w), 0.0
	for i, x := range w {
		if x != 0 {
			sum += float64(x * (vec.Dot(u.gram[i*s:i*s+s], w) - float64(2*u.c[i])))
		}
	}
	return sum - penalty(lambda, w)
}
