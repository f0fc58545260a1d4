package gw

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"ogdl/internal/vec"
	"ogdl/ot"
)

// Result holds coupling, value, potentials and gap of a solve. Its slices are views into the
// solver, good until the solver's next call; [Result.Clone] keeps them.
type Result struct {
	// T is the coupling, n x m row-major.
	T []float64
	// Value is the objective at T (the squared distance), recomputed at the end.
	Value float64
	// U (n) and V (m) are optimal dual potentials of min <G, X> over U(p, q), G the
	// gradient at T with all its constants: u_i + v_j <= G_ij. If Gap is zero,
	// <u, p> + <v, q> = 2 alpha E(T) + (1 - alpha) F(T).
	U, V []float64
	// Gap is the Frank-Wolfe gap <G, T> - min <G, X> >= 0; zero at a stationary point.
	Gap float64
	// Iterations counts the iterations of all starts together.
	Iterations int
	// Status is the status of the start that was kept.
	Status Status
}

// Clone returns a result that owns its slices.
func (r Result) Clone() Result {
	r.T = append([]float64(nil), r.T...)
	r.U = append([]float64(nil), r.U...)
	r.V = append([]float64(nil), r.V...)
	return r
}

// Solver is a reusable workspace. The zero value is ready; once it has seen the largest problem it
// allocates nothing. It must not be used by two goroutines at once. Most callers need only
// [Solver.Solve]. Bind, Descend and Retarget serve block coordinate descents, where the target
// changes while coupling and basis are kept.
//
// Let D be the matrix of squared feature distances, D_ik = |a_i - at_k|^2. Up to terms that are
// constant over U(p, q), the gradient is K(T) = (1 - alpha) D - 4 alpha C T Ct. It is linear in T,
// so K is updated with T, and an iteration costs one linear problem and the product C X Ct for a
// vertex X with at most n + m - 1 entries. After eight steps in a row that end before their vertex,
// the solver also minimises over the convex hull of the vertices of such steps.
type Solver struct {
	x, y  *Space // graph and target minus the common offset
	alpha float64

	graph, target  *Space  // as given
	offset         float64 // see Offset
	shiftX, shiftY Space
	givenCT        []float64 // of the graph as given, where the offset is not 0

	n, m, ld int
	lp       ot.Solver

	t, k, kx []float64 // n rows of stride ld
	lin      []float64 // L, or empty
	ct       []float64 // C T
	work     []float64 // X Ct, or (C X)'

	fconst    float64 // alpha (p'(C o C)p + q'(Ct o Ct)q)
	kTT, linT float64 // <K, T>, <L, T>
	product   bool    // T = p q' still
	exact     bool    // K comes from T itself, not from a sum of steps
	settled   bool    // the last step found no way down: its linear solution is the certificate
	gap       float64 // <K, T> - <K, X> at the last step
	based     bool    // the linear solver's basis, if it has one, is of this problem
	sorted    bool    // the descent from p q' has been where StartSorted begins
	ctValid   bool
	listed    bool // entries hold the entries of T
	entries   entries
	hull      hull

	tight, best, u, v []float64 // for results
}

func grow[E any](x []E, n int) []E {
	if cap(x) < n {
		return make([]E, n)
	}
	return x[:n]
}

// Bind sets the problem of x against y with weight alpha on the structures and starts it at T = p
// q'. alpha must be in [0, 1], and 1 where the spaces have no features; anything else, a nil space
// and feature dimensions that differ are errors, which leave the solver as it was. Cost O(nmd).
func (s *Solver) Bind(x, y *Space, alpha float64) error {
	if err := checkPair("x", x, "y", y, alpha); err != nil {
		return err
	}
	s.graph, s.target, s.alpha, s.offset = x, y, alpha, 0
	s.see()
	x, y = s.x, s.y
	s.n, s.m, s.ld = x.n, y.n, y.ld
	size := s.n * s.ld
	s.t, s.k, s.kx, s.ct = grow(s.t, size), grow(s.k, size), grow(s.kx, size), grow(s.ct, size)
	s.hull.resize(s.n, s.m, s.ld)
	s.entries.resize(s.n * s.m / fewEntries)
	s.work = grow(s.work, max(size, s.m*x.ld))
	if x.d > 0 && alpha < 1 {
		s.lin = grow(s.lin, size)
	} else {
		s.lin = s.lin[:0]
	}
	if err := s.lp.Reset(x.p, y.p); err != nil {
		return err
	}
	s.based = true
	s.setProduct()
	return nil
}

// see sets x and y to graph and target minus their common offset.
func (s *Solver) see() {
	s.x, s.y = s.graph, s.target
	before := s.offset
	if s.offset = Offset(s.graph, s.target); s.offset != 0 {
		s.x, s.y = s.graph.Shift(s.offset, &s.shiftX), s.target.Shift(s.offset, &s.shiftY)
	}
	if s.offset != before {
		s.ctValid = false
	}
}

func (s *Solver) setProduct() {
	s.fill()
	s.kTT, s.linT = 0, 0
	f := 4 * s.alpha
	for i := range s.n {
		t, k := s.t[i*s.ld:(i+1)*s.ld], s.k[i*s.ld:(i+1)*s.ld]
		p, c := s.x.p[i], f*s.x.cp[i]
		clear(t[s.m:])
		clear(k[s.m:])
		for j, q := range s.y.p {
			t[j] = p * q
			k[j] = -float64(c * s.y.cp[j])
		}
		if len(s.lin) > 0 {
			l := s.lin[i*s.ld : (i+1)*s.ld]
			vec.Add(l, k)
			s.linT += vec.Dot(l, t)
		}
		s.kTT += vec.Dot(k, t)
	}
	s.product, s.exact, s.settled, s.sorted = true, true, false, false
	s.moved()
	s.hull.forget()
}

// fill computes what depends on the target alone: L and the constant.
func (s *Solver) fill() {
	s.fconst = s.alpha * (s.x.pc2p + s.y.pc2p)
	if len(s.lin) == 0 {
		return
	}
	featureCost(s.x, s.y, 1-s.alpha, s.lin)
}

// Start replaces the coupling by T (n x m, row-major). A T whose marginals are
// not p and q within 1e-9, or with an entry below -1e-12, is an error and leaves
// the solver at T = p q'. So is a solver that was not bound; a wrong length panics.
func (s *Solver) Start(T []float64) error {
	if s.x == nil {
		return fmt.Errorf("gw: Start before Bind")
	}
	if len(T) != s.n*s.m {
		panic(fmt.Sprintf("gw: start of length %d for a problem of %d x %d", len(T), s.n, s.m))
	}
	if err := s.checkCoupling(T); err != nil {
		s.setProduct()
		return err
	}
	for i := range s.n {
		copy(s.t[i*s.ld:], T[i*s.m:(i+1)*s.m])
	}
	s.product = false
	s.moved()
	s.Retarget()
	return nil
}

func (s *Solver) checkCoupling(T []float64) error {
	col := grow(s.v, s.m)
	s.v = col
	clear(col)
	for i := range s.n {
		row := 0.0
		for j, x := range T[i*s.m : (i+1)*s.m] {
			if !(x >= -1e-12) {
				return fmt.Errorf("gw: start coupling has entry (%d, %d) = %v, expected a number >= 0", i, j, x)
			}
			row += x
			col[j] += x
		}
		if !(math.Abs(row-s.x.p[i]) <= 1e-9) {
			return fmt.Errorf("gw: start coupling has row sum %v at %d, expected the weight %v", row, i, s.x.p[i])
		}
	}
	for j, c := range col {
		if !(math.Abs(c-s.y.p[j]) <= 1e-9) {
			return fmt.Errorf("gw: start coupling has column sum %v at %d, expected the weight %v", c, j, s.y.p[j])
		}
	}
	return nil
}

// Retarget takes up changes of the structure or features of the target since Bind (its order and
// weights must not have changed): costs are recomputed at the carried coupling, which stays, as
// does the linear solver's basis. Cost O(nm(m + d)) once CT is known. It panics before Bind.
func (s *Solver) Retarget() {
	s.mustBeBound("Retarget")
	s.see()
	if s.product {
		s.setProduct()
		return
	}
	s.settled = false
	s.fill()
	s.refresh()
}

// refresh recomputes K and its products with T from T.
func (s *Solver) refresh() {
	s.exact = true
	s.hull.forget()
	if rows, cols, mass, few := s.Entries(); few && !s.y.sparse && 2*(len(mass)*s.m+s.x.work(s.m)) < s.n*s.m*s.m {
		s.cost(rows, cols, mass, s.k)
		s.linT, s.kTT = s.inner(s.k)
		return
	}
	ct := s.structureT()
	w := s.work[:s.n*s.ld]
	clear(w)
	s.y.addProduct(ct, s.n, w)
	s.kTT, s.linT = 0, 0
	f := 4 * s.alpha
	for i := range w {
		s.k[i] = -float64(f * w[i])
	}
	if len(s.lin) > 0 {
		vec.Add(s.lin, s.k)
		s.linT = vec.Dot(s.lin, s.t)
	}
	s.kTT = vec.Dot(s.k, s.t)
}

// Coupling returns the current coupling, a view: entry (i, j) is at T[i*ld+j].
func (s *Solver) Coupling() (T []float64, ld int) { return s.t, s.ld }

// CT returns the product C T of the graph's structure with the current coupling, n x m with stride
// ld; a view. T'CT = T'(CT) is the structure that an atom sees. It panics before Bind.
func (s *Solver) CT() (ct []float64, ld int) {
	s.mustBeBound("CT")
	if s.offset != 0 {
		s.givenCT = grow(s.givenCT, len(s.ct))
		clear(s.givenCT)
		s.graph.mulStructure(s.t, s.givenCT, s.ld)
		return s.givenCT, s.ld
	}
	return s.structureT(), s.ld
}

// structureT returns C T for the graph as the solver sees it.
func (s *Solver) structureT() []float64 {
	if !s.ctValid {
		clear(s.ct)
		s.x.mulStructure(s.t, s.ct, s.ld)
		s.ctValid = true
	}
	return s.ct
}

// Value returns the objective at the current coupling, carried along; Solve recomputes it.
func (s *Solver) Value() float64 { return s.fconst + float64((s.linT+s.kTT)/2) }

// Descend runs the conditional gradient from the current coupling until a rule of
// set stops it, and returns how it stopped and the number of iterations, see
// [Settings.Iterate]. It ignores Starts, and a nil ctx never ends. No iteration
// raises the objective (rounding apart). It panics before Bind.
func (s *Solver) Descend(ctx context.Context, set *Settings) (Status, int) {
	s.mustBeBound("Descend")
	rules := *cmp.Or(set, &Settings{})
	if rules.TolAbs == 0 {
		rules.TolAbs = 1e-9 * s.scale()
	}
	return rules.Iterate(ctx, s.Value(), func() (float64, bool) {
		s.direction()
		full := s.step()
		return s.Value(), full
	})
}

// scale returns the size of the two graphs in the unit of the objective, where at most 1000 times
// the structures' size counts: labels so large that no mass may change them say nothing of the
// structures' objective.
func (s *Solver) scale() float64 {
	size := s.x.Scale(s.alpha) + s.y.Scale(s.alpha)
	if s.fconst > 0 {
		size = min(size, 1000*s.fconst)
	}
	return size
}

func (s *Solver) mustBeBound(method string) {
	if s.x == nil {
		panic("gw: " + method + " before Bind")
	}
}

// direction solves the linear problem in the current gradient.
func (s *Solver) direction() {
	switch {
	case s.product && len(s.lin) == 0:
		s.lp.SolveRankOne(s.x.cp, s.y.cp)
	case s.based:
		s.lp.SolveUnchecked(s.k, s.ld, ot.Warm)
	default:
		s.lp.SolveUnchecked(s.k, s.ld, ot.Cold)
	}
	s.based = true
}

// step moves along the linear solver's vertex with the exact step length, and within the hull of
// the last vertices where there is one. It reports whether it went all the way to the vertex.
func (s *Solver) step() (full bool) {
	rows, cols, mass := s.lp.Arcs()
	s.cost(rows, cols, mass, s.kx)
	kTX, kXX, linX := 0.0, 0.0, 0.0
	for e, x := range mass {
		at := int(rows[e])*s.ld + int(cols[e])
		kTX += float64(x * s.k[at])
		kXX += float64(x * s.kx[at])
	}
	if len(s.lin) > 0 {
		for e, x := range mass {
			linX += float64(x * s.lin[int(rows[e])*s.ld+int(cols[e])])
		}
	}
	s.gap, s.settled = s.kTT-kTX, false
	kXT := s.linT + (kTX - linX)
	b := kTX - s.kTT
	a := float64(((kXX - kXT) + (s.kTT - kTX)) / 2)
	gamma := 0.0
	switch {
	case a > 0:
		gamma = min(1, max(0, -b/(2*a)))
	case a+b < 0: // also leaves a saddle, where b = 0
		gamma = 1
	}
	if gamma == 0 {
		s.settled = true
		return false
	}
	if gamma == 1 {
		s.sorted = s.product && len(s.lin) == 0
		s.toVertex(rows, cols, mass, kXX, linX)
		return true
	}
	s.product, s.exact = false, false
	s.moved()
	if h := &s.hull; h.after == hullAfter {
		if h.size == 0 || h.size == h.room {
			h.begin(s.t, s.k, s.linT, s.kTT)
		}
		s.kx = h.join(gamma, rows, cols, mass, s.kx, linX, kXX)
		h.descend(-hullGap * b)
		h.prune()
		s.linT, s.kTT = h.mix(s.t, s.k)
		return false
	}
	s.hull.after++
	rest := 1 - gamma
	vec.Lerp(gamma, s.kx, s.k)
	vec.Scale(rest, s.t)
	for e, x := range mass {
		s.t[int(rows[e])*s.ld+int(cols[e])] += float64(gamma * x)
	}
	s.kTT = float64(rest*rest*s.kTT) + float64(gamma*rest*(kTX+kXT)) + float64(gamma*gamma*kXX)
	s.linT = float64(rest*s.linT) + float64(gamma*linX)
	return false
}

// cost sets out to K(X) = L - 4 alpha C X Ct for an X of few entries, by the cheaper order of
// the two products.
func (s *Solver) cost(rows, cols []int32, mass, out []float64) {
	if len(s.lin) > 0 {
		copy(out, s.lin)
	} else {
		clear(out)
	}
	if s.alpha == 0 {
		return
	}
	f, n, m := -4*s.alpha, s.n, s.m
	if !s.y.sparse && len(mass)*n+n*m*m < len(mass)*m+s.x.work(m) {
		ldn := s.x.ld
		w := s.work[:m*ldn]
		clear(w)
		s.x.addRows(f, mass, rows, cols, w)
		vec.MulDense(w, 1, ldn, n, m, s.y.c, s.ld, out, s.ld, s.ld)
		return
	}
	w := s.work[:n*s.ld]
	clear(w)
	s.y.addRows(f, mass, cols, rows, w)
	s.x.mulStructure(w, out, s.ld)
}
