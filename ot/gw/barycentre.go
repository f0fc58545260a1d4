package gw

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"ogdl/internal/vec"
)

// Defaults of BarycentreSettings.
const (
	DefaultBarycentreTol     = 1e-5
	DefaultBarycentreMaxIter = 100
)

// BarycentreSettings says when a barycentre's descent stops. A nil
// *BarycentreSettings means the defaults, and so does a field that is zero.
type BarycentreSettings struct {
	// Tol ends the descent: when a round (couplings, then structure and features)
	// lowers the objective by at most Tol times its value, and so does one more, in
	// which every coupling is also tried from the product of the weights. Default
	// 1e-5; negative: only when rounds change nothing but rounding.
	Tol float64
	// MaxIter caps the rounds. Default 100.
	MaxIter int
	// GW says when the conditional gradient of one coupling stops. Starts and Rand
	// are not looked at.
	GW Settings
	// Order is the number of nodes of the barycentre where its start is nil. The start is then the
	// graph whose order comes nearest, the first of equals, resized (see [Space.Resized]) with
	// uniform node weights.
	Order int
	// Couplings are the couplings to start from, one per graph, n_s x N row-major;
	// nil, and a nil entry, mean the product of the weights.
	Couplings [][]float64
}

func (s *BarycentreSettings) resolve() (BarycentreSettings, error) {
	r := *cmp.Or(s, &BarycentreSettings{})
	if math.IsNaN(r.Tol + r.GW.TolRel + r.GW.TolAbs) {
		return r, fmt.Errorf("gw: tolerances of %v, and of %v and %v for couplings, expected numbers", r.Tol, r.GW.TolRel, r.GW.TolAbs)
	}
	r.Tol = cmp.Or(r.Tol, DefaultBarycentreTol)
	if r.MaxIter < 0 || r.GW.MaxIter < 0 || r.Order < 0 {
		return r, fmt.Errorf("gw: %d rounds, %d iterations of a coupling, order %d of a barycentre: expected no negative number",
			r.MaxIter, r.GW.MaxIter, r.Order)
	}
	r.MaxIter = cmp.Or(r.MaxIter, DefaultBarycentreMaxIter)
	return r, nil
}

// BarycentreResult holds the barycentre, its couplings and the trace of the descent.
type BarycentreResult struct {
	// Space is the barycentre: structure, features and the weights it was given.
	Space *Space
	// Value is sum_s lambda_s FGW_s at Couplings and Space, evaluated there.
	Value float64
	// Trace holds the objective at the start and after every half round (couplings, structure and
	// features, couplings, ...). It does not rise, except by rounding.
	Trace []float64
	// Couplings are the final couplings, n_s x N row-major; nil for a graph of weight zero. Values
	// are the objectives at them, zero for a graph of weight zero. Both are views into a
	// BarycentreSolver, valid until its next call; after Barycentre they belong to the caller.
	Couplings [][]float64
	Values    []float64
	// Iterations counts the rounds, Solves the couplings' solves, GWIterations the
	// conditional gradient iterations in them, CapHits the solves that ended at
	// GW.MaxIter.
	Iterations, Solves, GWIterations, CapHits int
	// Status is Converged, MaxIterations or Cancelled.
	Status Status
}

// Barycentre finds a barycentre of the graphs (C_s, A_s, p_s) under fixed weights
// lambda_s: it minimises
//
//	sum_s lambda_s FGW(C_s, A_s, p_s; C, A, p)
//
// over the structure C (N x N) and the features A (N x d) of a graph of given order N
// and node weights p, by block coordinate descent (Peyre, Cuturi and Solomon,
// "Gromov-Wasserstein averaging of kernel and distance matrices", ICML 2016,
// proposition 3; with features Vayer et al., ICML 2019, equation 9): conditional
// gradient in each coupling T_s from the carried one, then in closed form
//
//	C = sum_s lambda_s T_s' C_s T_s / (p p'),   A = sum_s lambda_s diag(1/p) T_s' A_s.
//
// Rows of a node of weight zero (below 2^-51) are unchanged. No step raises the objective. It is
// not convex, so the end depends on the start. Carried couplings get stuck sooner than fresh ones:
// where the descent stops, each is also solved from p_s p', and the lower end is taken.
//
// weights holds one lambda_s >= 0 per graph, summing to 1 within 1e-6 (they are renormalised); nil
// means uniform. A graph of weight zero takes no part. start, or where it is nil Order of the
// settings, gives order, node weights and the first C and A; it is not changed, and nothing is
// drawn at random. A start with equal off-diagonal and equal diagonal entries is a saddle point. If
// it has no couplings of its own, Barycentre adds a fixed pattern, a tenth as large as the graphs'
// entries. [BarycentreSolver.Solve] adds nothing. alpha is as in [Solver.Solve].
//
// A nil context, no graphs, a nil one, feature dimensions that differ, bad weights, a bad alpha or
// an invalid start coupling are errors; the context's error is returned, with the state reached,
// when it ends first. Slices of the wrong length panic. A round costs one solve per graph (two
// where the descent rests), mostly of few iterations, and O(n_s N (N + d)); memory is about six n_s
// x N matrices per graph.
func Barycentre(ctx context.Context, graphs []*Space, weights []float64, start *Space, alpha float64, set *BarycentreSettings) (BarycentreResult, error) {
	var b BarycentreSolver
	if start == nil && set != nil && set.Order > 0 {
		var err error
		if start, err = nearest(graphs, set.Order); err != nil {
			return BarycentreResult{}, err
		}
	}
	if start != nil && start.even() && (set == nil || set.Couplings == nil) {
		size := 0.0
		for _, g := range graphs {
			if g != nil {
				size = max(size, g.pc2p-float64(g.mean()*g.mean()))
			}
		}
		start = start.uneven(0.1 * math.Sqrt(size))
	}
	return b.Solve(ctx, graphs, weights, start, alpha, set)
}

// even reports whether all entries off the diagonal are equal, and all on it.
func (s *Space) even() bool {
	for i := range s.n {
		for j := range s.n {
			at := 0
			if i != j {
				at = 1
			}
			if s.c[i*s.ld+j] != s.c[min(at, s.n-1)] {
				return false
			}
		}
	}
	return s.n > 1
}

// uneven returns s with a symmetric pattern of numbers between -by and by added to its structure.
func (s *Space) uneven(by float64) *Space {
	t := s.Shift(0, nil)
	for i := range t.n {
		for j := range i + 1 {
			part := float64(float64(i*t.n+j+1) * math.Phi)
			part = float64(2*(part-math.Floor(part))) - 1
			t.c[i*t.ld+j] += float64(by * part)
			t.c[j*t.ld+i] = t.c[i*t.ld+j]
		}
	}
	t.moments()
	return t
}

// BarycentreSolver is a workspace for [Barycentre]. The zero value is ready. It must
// not be used by two goroutines at once.
type BarycentreSolver struct {
	solvers   []Solver // one per graph, so that each keeps its coupling and its basis
	lambda    []float64
	couplings [][]float64
	values    []float64
	c, a      []float64 // the next structure, rows of stride ld, and features
}

// Solve is [Barycentre] in the workspace b, from the start as it is. A nil start is an error, also with an Order.
func (b *BarycentreSolver) Solve(ctx context.Context, graphs []*Space, weights []float64, start *Space, alpha float64, set *BarycentreSettings) (BarycentreResult, error) {
	if ctx == nil {
		return BarycentreResult{}, errNoContext
	}
	r, err := set.resolve()
	if err != nil {
		return BarycentreResult{}, err
	}
	y, err := b.bind(graphs, weights, start, alpha, r.Couplings)
	if err != nil {
		return BarycentreResult{}, err
	}
	out := BarycentreResult{Space: y, Status: MaxIterations}
	// Below rounding a relative change says nothing.
	floor := 0.0
	for s, l := range b.lambda {
		if l > 0 {
			floor += float64(1e-15 * l * b.solvers[s].x.Scale(alpha))
		}
	}
	value := b.value()
	out.Trace = append(out.Trace, value)
	for again := false; out.Iterations < r.MaxIter; {
		if !b.couple(ctx, &r.GW, again, &out) {
			out.Status = Cancelled
			break
		}
		out.Iterations++
		out.Trace = append(out.Trace, b.value())
		b.average(y)
		for s, l := range b.lambda {
			if l > 0 {
				b.solvers[s].Retarget()
			}
		}
		old := value
		value = b.value()
		out.Trace = append(out.Trace, value)
		change := math.Abs(old - value)
		still := change <= floor || change <= r.Tol*value
		if still && again {
			out.Status = Converged
			break
		}
		again = still
	}
	b.results(&out)
	if out.Status == Cancelled {
		return out, ctx.Err()
	}
	return out, nil
}

// bind checks the problem and takes it up: every solver at its start coupling, against
// a copy of start, which it returns.
func (b *BarycentreSolver) bind(graphs []*Space, given []float64, start *Space, alpha float64, couplings [][]float64) (*Space, error) {
	S := len(graphs)
	if S == 0 {
		return nil, fmt.Errorf("gw: graphs is empty, expected one at least")
	}
	for s, g := range graphs {
		if err := checkPair(fmt.Sprintf("graphs[%d]", s), g, "start", start, alpha); err != nil {
			return nil, err
		}
	}
	if (given != nil && len(given) != S) || (couplings != nil && len(couplings) != S) {
		panic(fmt.Sprintf("gw: Barycentre: %d graphs with %d weights and %d couplings", S, len(given), len(couplings)))
	}
	lambda, err := weights(given, S)
	if err != nil {
		return nil, fmt.Errorf("graphs of the barycentre: %w", err)
	}
	y := newSpace(start.n, start.d, append([]float64(nil), start.p...))
	copy(y.c, start.c)
	copy(y.a, start.a)
	y.derive()
	for len(b.solvers) < S {
		b.solvers = append(b.solvers, Solver{})
	}
	b.lambda, b.values = lambda, grow(b.values, S)
	b.c, b.a = grow(b.c, len(y.c)), grow(b.a, len(y.a))
	for s, l := range lambda {
		if l == 0 {
			continue
		}
		if err := b.solvers[s].Bind(graphs[s], y, alpha); err != nil {
			return nil, err
		}
		if couplings != nil && couplings[s] != nil {
			if err := b.solvers[s].Start(couplings[s]); err != nil {
				return nil, fmt.Errorf("graph %d of the barycentre: %w", s, err)
			}
		}
	}
	return y, nil
}

// value returns the objective at the carried couplings.
func (b *BarycentreSolver) value() float64 {
	sum := 0.0
	for s, l := range b.lambda {
		b.values[s] = 0
		if l > 0 {
			b.values[s] = max(0, b.solvers[s].Value())
			sum += float64(l * b.values[s])
		}
	}
	return sum
}

// couple lowers the objective in every coupling, from the carried one and, if again is
// set, from the product of the weights too; false if the context ended.
func (b *BarycentreSolver) couple(ctx context.Context, set *Settings, again bool, out *BarycentreResult) bool {
	for s, l := range b.lambda {
		if l == 0 {
			continue
		}
		v := &b.solvers[s]
		if !v.descend(ctx, set, out) {
			return false
		}
		if !again {
			continue
		}
		value, T := v.Value(), v.copyCoupling()
		v.setProduct()
		ok := v.descend(ctx, set, out)
		if v.Value() >= value {
			v.restore(T)
		}
		if !ok {
			return false
		}
	}
	return true
}

// descend runs Descend and counts its iterations in out. It returns false if the context ended.
func (s *Solver) descend(ctx context.Context, set *Settings, out *BarycentreResult) bool {
	status, iterations := s.Descend(ctx, set)
	out.GWIterations += iterations
	switch status {
	case Cancelled:
		return false
	case MaxIterations:
		out.CapHits++
	}
	out.Solves++
	return true
}

// copyCoupling copies the coupling to s.tight, without padding.
func (s *Solver) copyCoupling() []float64 {
	s.tight = grow(s.tight, s.n*s.m)
	for i := range s.n {
		copy(s.tight[i*s.m:(i+1)*s.m], s.t[i*s.ld:])
	}
	return s.tight
}

// restore is Start for a coupling that this solver held.
func (s *Solver) restore(T []float64) {
	for i := range s.n {
		copy(s.t[i*s.ld:], T[i*s.m:(i+1)*s.m])
	}
	s.product, s.settled = false, false
	s.moved()
	s.refresh()
}

// average sets structure and features of y to the minimisers at the couplings.
func (b *BarycentreSolver) average(y *Space) {
	clear(b.c)
	clear(b.a)
	for s, l := range b.lambda {
		if l > 0 {
			b.solvers[s].pull(l, b.c, b.a)
		}
	}
	p, n, d, ld := y.p, y.n, y.d, y.ld
	for i := range n {
		if p[i] < negligible {
			continue
		}
		for j := range i + 1 {
			if p[j] < negligible {
				continue
			}
			v := (float64(b.c[i*ld+j]/2) + float64(b.c[j*ld+i]/2)) / p[i] / p[j]
			y.c[i*ld+j], y.c[j*ld+i] = v, v
		}
		for k := range d {
			y.a[i*d+k] = b.a[i*d+k] / p[i]
		}
	}
	y.derive()
}

// negligible is the weight from which on package ot sends mass to a node.
const negligible = 0x1p-51

// pull adds l T'CT to c (rows of the target's stride) and l T'A to a.
func (s *Solver) pull(l float64, c, a []float64) {
	ct, _ := s.CT()
	d := s.x.d
	for i := range s.n {
		row := ct[i*s.ld : (i+1)*s.ld]
		from := s.x.a[i*d : (i+1)*d]
		for j, t := range s.t[i*s.ld : i*s.ld+s.m] {
			if t == 0 {
				continue
			}
			f := l * t
			vec.Axpy(f, row, c[j*s.ld:(j+1)*s.ld])
			to := a[j*d : (j+1)*d]
			for k, x := range from {
				to[k] += float64(f * x)
			}
		}
	}
}

// results fills in the value of the end, and the couplings.
func (b *BarycentreSolver) results(out *BarycentreResult) {
	for len(b.couplings) < len(b.lambda) {
		b.couplings = append(b.couplings, nil)
	}
	b.couplings = b.couplings[:len(b.lambda)]
	for s, l := range b.lambda {
		b.couplings[s] = nil
		if l == 0 {
			continue
		}
		v := &b.solvers[s]
		if !v.exact {
			v.refresh()
		}
		b.couplings[s] = v.copyCoupling()
	}
	out.Value = b.value()
	out.Couplings, out.Values = b.couplings, b.values
}
