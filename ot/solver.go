package ot

import (
	"fmt"
	"math"
)

// Solver solves transport problems and keeps its workspace between them. The
// zero value is ready for Reset. It allocates only when it meets a larger
// problem than before. A Solver must not be used by several goroutines at once.
type Solver struct {
	n, m   int     // as the caller sees the problem
	total  float64 // mass of the plan
	units  int64   // the same, in integer units
	wa, wb []int64 // integer weights, n and m

	// The core problem: lines without mass dropped, and rows and columns
	// swapped where that is faster. Node k < rows is a row (source), node
	// rows+l is column l (sink).
	rows, cols     int
	rowID, colID   []int32   // core line -> the caller's line of that side
	swapped        bool      // core rows are the caller's columns
	gathered       bool      // core costs are copied into packed
	packed         []float64 // core costs if gathered
	droppedA       []int32   // caller's rows and columns without mass
	droppedB       []int32
	supply, demand []int64 // core weights

	tree
	pairs    assignment
	hasBasis bool
	pivots   int

	// Working memory of starts, and what the accessors return.
	restA, restB []int64
	sums         []float64
	keys         []sortKey
	u, v         []float64
	potentials   potentialState
	arcRow       []int32
	arcCol       []int32
	arcMass      []float64
	arcs         bool // the arcs are the current basis
}

// potentialState says what u and v hold.
type potentialState int

const (
	noPotentials potentialState = iota
	inTree                      // potentials of core lines are still in the tree's pi
	inVectors
)

// Reset sets the weights a (length n) and b (length m), both copied, and drops
// the basis. Weights must be finite, non-negative and not all zero, or it
// returns ErrWeights; sums that differ by more than 1e-6, relatively, give
// ErrUnbalanced. Within that, b is scaled to the sum of a, and a sum of a within
// 1e-9 of 1 counts as 1. A row or column of weight zero is legal; a weight below
// 2^-51 of the total counts as zero. After an error
// the solver must be Reset again before use.
func (s *Solver) Reset(a, b []float64) error {
	s.n, s.m = 0, 0
	s.hasBasis, s.arcs, s.potentials = false, false, noPotentials
	sa, sb, err := checkMarginals(a, b)
	if err != nil {
		return err
	}
	s.n, s.m = len(a), len(b)
	s.total = sa
	if math.Abs(sa-1) <= 1e-9 {
		s.total = 1
	}
	s.wa, s.wb = grow(s.wa, s.n), grow(s.wb, s.m)
	s.units = integerMasses(a, b, sa, sb, s.wa, s.wb)
	s.setCore()
	return nil
}

// setCore lays out the core problem for the current weights.
func (s *Solver) setCore() {
	s.swapped = swapPays(s.n, s.m)
	s.u, s.v = grow(s.u, s.n), grow(s.v, s.m)
	wr, wc := s.wa, s.wb
	if s.swapped {
		wr, wc = wc, wr
	}
	s.rowID, s.supply = keepPositive(wr, s.rowID, s.supply)
	s.colID, s.demand = keepPositive(wc, s.colID, s.demand)
	s.rows, s.cols = len(s.rowID), len(s.colID)
	s.droppedA = listZero(s.wa, s.droppedA)
	s.droppedB = listZero(s.wb, s.droppedB)
	s.gathered = s.swapped || s.rows < len(wr) || s.cols < len(wc)
	if s.gathered {
		s.packed = grow(s.packed, s.rows*s.cols)
	}
	nodes := s.rows + s.cols
	s.tree.resize(s.rows, s.cols)
	s.restA, s.restB = grow(s.restA, s.rows), grow(s.restB, s.cols)
	s.sums = grow(s.sums, s.cols)
	s.keys = grow(s.keys, nodes)
	s.arcRow, s.arcCol = grow(s.arcRow, nodes), grow(s.arcCol, nodes)
	s.arcMass = grow(s.arcMass, nodes)
}

// swapPays reports whether an n x m problem is solved faster transposed.
func swapPays(n, m int) bool { return n > 4*m }

func keepPositive(w []int64, id []int32, mass []int64) ([]int32, []int64) {
	id, mass = grow(id, len(w))[:0], grow(mass, len(w))[:0]
	for i, x := range w {
		if x > 0 {
			id, mass = append(id, int32(i)), append(mass, x)
		}
	}
	return id, mass
}

func listZero(w []int64, id []int32) []int32 {
	id = id[:0]
	for i, x := range w {
		if x == 0 {
			id = append(id, int32(i))
		}
	}
	return id
}

// grow returns a slice of length n, s itself where it is large enough. What it
// holds is unspecified.
func grow[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// Solve finds the optimal plan for the costs M, where M[i*ld+j] belongs to row i
// and column j and ld >= m; what lies in the columns m..ld-1 is ignored. A cost of
// +Inf forbids its pair: the plan is the optimal one without it. If every plan
// needs forbidden pairs, Solve returns ErrInfeasible and keeps no solution (mass
// up to 2e-15 (n+m) of the total may be missing, the rounding of the weights). It
// returns ErrCost for a cost that is NaN, -Inf or finite and above 1e300 in
// magnitude.
//
// Beyond what [Solver.SolveUnchecked] does it ends in exact arithmetic, whatever
// the sizes of the costs, and certifies the answer by a dual feasible value. Costs
// are taken to 2^-100 of the largest finite one (up to 1000 nodes). It
// panics if there was no Reset, if ld < m or if M is too short.
func (s *Solver) Solve(M []float64, ld int, start Start) (Result, error) {
	s.checkShape(M, ld)
	most, forbidden := 0.0, false
	for i := range s.n {
		row := M[i*ld : i*ld+s.m]
		for j, x := range row {
			size := math.Abs(x)
			switch {
			case size <= 1e300:
				most = max(most, size)
			case math.IsInf(x, 1):
				forbidden = true
			default:
				return Result{}, fmt.Errorf("%w: M[%d,%d] = %v", ErrCost, i, j, x)
			}
		}
	}
	s.setCosts(M, ld)
	s.tree.forbidden = 0
	if forbidden {
		s.forbid(M, ld, most)
	}
	status := s.run(start)
	if status == Optimal {
		status = s.tree.settle(forbidden || s.tree.uneven(), &s.pivots)
	} else {
		s.tree.initPi()
	}
	if forbidden {
		if err := s.dropForbidden(M, ld); err != nil {
			return Result{}, err
		}
	}
	r := Result{Pivots: s.pivots, Status: status}
	s.certify(M, ld, &r)
	if !(math.Abs(r.Value) <= math.MaxFloat64 && math.Abs(r.DualValue) <= math.MaxFloat64) {
		return Result{}, fmt.Errorf("%w: M has costs of size up to %v, whose products with masses of sum %v overflow", ErrCost, most, s.total)
	}
	return r, nil
}

// SolveUnchecked is Solve without the checks of the costs and without the
// certificate: the entry for inner loops that know their costs to be finite. A
// cost that is not finite gives a feasible plan without meaning. It panics as
// Solve does, and does not allocate. The costs are not modified or kept.
//
// It ends in exact arithmetic only where costs are of very different sizes: where
// the cold start saw it, or where no cost that carries mass is above 1/1024 of
// those in the basis. Otherwise reduced costs above -2e-13 times the largest cost
// and potential in the basis count as zero. So forbidden pairs that need not carry
// mass do not matter, whatever their cost; where they must, a Warm solve after a
// cold one without them may stop within 2e-13 of their cost.
func (s *Solver) SolveUnchecked(M []float64, ld int, start Start) Status {
	s.checkShape(M, ld)
	s.setCosts(M, ld)
	s.tree.forbidden = 0
	status := s.run(start)
	if status == Optimal && s.tree.uneven() {
		status = s.tree.settle(true, &s.pivots)
	}
	s.keepPotentials(func(i, j int) float64 { return M[i*ld+j] })
	s.tree.c = nil
	return status
}

func (s *Solver) checkShape(M []float64, ld int) {
	if s.n == 0 {
		panic("ot: Solve without a successful Reset")
	}
	if ld < s.m {
		panic("ot: Solve: ld is below the number of columns")
	}
	if len(M) < (s.n-1)*ld+s.m {
		panic("ot: Solve: M is too short")
	}
}

// setCosts gives the tree the costs of the core problem.
func (s *Solver) setCosts(M []float64, ld int) {
	s.tree.c, s.tree.ld = M, ld
	if s.gathered {
		s.gather(M, ld)
		s.tree.c, s.tree.ld = s.packed, s.cols
	}
}

// run optimises from the given start, in floating point.
func (s *Solver) run(start Start) Status {
	s.pivots = 0
	s.arcs = false
	assigned := start == Cold && s.rows >= assignFrom && s.uniform() && s.assign()
	if (start == Cold || !s.hasBasis) && !assigned {
		s.greedy()
	}
	s.hasBasis = true
	s.tree.initPi()
	return s.tree.optimise(&s.pivots)
}

// gather copies the costs of the core problem together.
func (s *Solver) gather(M []float64, ld int) {
	if s.swapped {
		for l, i := range s.colID {
			row := M[int(i)*ld : int(i)*ld+s.m]
			at := l
			for _, j := range s.rowID {
				s.packed[at] = row[j]
				at += s.cols
			}
		}
		return
	}
	for k, i := range s.rowID {
		row := M[int(i)*ld : int(i)*ld+s.m]
		dst := s.packed[k*s.cols : k*s.cols+s.cols]
		for l, j := range s.colID {
			dst[l] = row[j]
		}
	}
}

// certify computes the value, and lifts the potentials to feasible ones.
func (s *Solver) certify(M []float64, ld int, r *Result) {
	cost := func(i, j int) float64 { return M[i*ld+j] }
	s.keepPotentials(cost)
	s.Potentials()
	var value, dual compensated
	rows, cols, mass := s.Arcs()
	for k, x := range mass {
		value.addProduct(M[int(rows[k])*ld+int(cols[k])], x)
	}
	unit := s.total / float64(s.units)
	for i := range s.n {
		row := M[i*ld : i*ld+s.m]
		u := math.Inf(1)
		for j, v := range s.v {
			if d := row[j] - v; d < u && s.wb[j] > 0 { // large costs without mass would round u
				u = d
			}
		}
		u = orZero(u)
		s.u[i] = u
		dual.addProduct(u, float64(s.wa[i])*unit)
	}
	s.extendColumns(cost)
	for j, v := range s.v {
		dual.addProduct(v, float64(s.wb[j])*unit)
	}
	s.tree.c = nil
	r.Value, r.DualValue = value.sum(), dual.sum()
	r.Gap = r.Value - r.DualValue
}

// compensated is Neumaier's sum, with products split by fused multiply-add (a
// correctly rounded operation everywhere, here called for by name).
type compensated struct{ s, c float64 }

func (k *compensated) addProduct(x, y float64) {
	p := float64(x * y)
	k.add(p)
	k.c += math.FMA(x, y, -p)
}

func (k *compensated) add(x float64) {
	t := k.s + x
	if math.Abs(k.s) >= math.Abs(x) {
		k.c += (k.s - t) + x
	} else {
		k.c += (x - t) + k.s
	}
	k.s = t
}

func (k *compensated) sum() float64 { return k.s + k.c }

// Potentials returns u (length n) and v (length m) of the last solve:
// u_i + v_j <= M_ij, with equality where mass flows, to rounding. They are
// determined up to a constant that moves between u and v, and are one choice of
// many where the plan is degenerate: the basis' potentials, or, where costs are of very
// different sizes or forbidden, some near zero, so that small costs keep their
// digits. Where mass flows at a large cost, potentials are rounded as that cost is.
// A line without mass has the largest feasible potential, or 0 if all its pairs are
// forbidden. The slices are valid until the next call that solves or resets. It
// panics if nothing was solved since Reset.
func (s *Solver) Potentials() (u, v []float64) {
	if s.potentials == noPotentials {
		panic("ot: Potentials: nothing solved since Reset")
	}
	if s.potentials == inTree {
		s.copyPotentials()
	}
	return s.u, s.v
}

// keepPotentials ends a solve: the potentials are in the tree until somebody asks
// for them, unless there are lines without mass, whose potentials need the costs.
func (s *Solver) keepPotentials(cost func(i, j int) float64) {
	s.potentials = inTree
	if len(s.droppedA)+len(s.droppedB) > 0 {
		s.copyPotentials()
		s.extendPotentials(cost)
	}
}

// copyPotentials takes the core lines' potentials from the tree.
func (s *Solver) copyPotentials() {
	s.potentials = inVectors
	rowPi, colPi := s.pi[:s.rows], s.pi[s.rows:s.rows+s.cols]
	if s.swapped {
		for k, i := range s.rowID {
			s.v[i] = -rowPi[k]
		}
		for l, i := range s.colID {
			s.u[i] = colPi[l]
		}
		return
	}
	for k, i := range s.rowID {
		s.u[i] = -rowPi[k]
	}
	for l, j := range s.colID {
		s.v[j] = colPi[l]
	}
}

// extendPotentials gives the lines without mass their c-transforms: rows over
// the columns that have mass, then columns over all rows.
func (s *Solver) extendPotentials(cost func(i, j int) float64) {
	for _, i := range s.droppedA {
		u := math.Inf(1)
		for j, w := range s.wb {
			if w > 0 {
				u = min(u, cost(int(i), j)-s.v[j])
			}
		}
		s.u[i] = orZero(u)
	}
	s.extendColumns(cost)
}

// extendColumns gives the columns without mass the largest potentials that the rows' allow.
func (s *Solver) extendColumns(cost func(i, j int) float64) {
	for _, j := range s.droppedB {
		v := math.Inf(1)
		for i := range s.wa {
			v = min(v, cost(i, int(j))-s.u[i])
		}
		s.v[j] = orZero(v)
	}
}

// orZero returns the potential of a line: any will do if all its pairs are forbidden.
func orZero(x float64) float64 {
	if math.IsInf(x, 1) {
		return 0
	}
	return x
}

// Arcs lists the pairs (rows[k], cols[k]) that carry mass in the last plan, at
// most n+m-1, each once, in an order that depends on the basis alone. Masses
// are integer multiples of one unit. They add up to the weights to rounding where
// these are fractions with a small common denominator, else to 1.5e-15 of the total
// (1.5 units of 2^-50, and rounding), unless nearly all weights are that tiny. These may
// round alike; the others then take the difference, half a unit at most for each tiny
// weight. The slices are valid until the next call that solves or resets. It panics if nothing was solved since Reset.
func (s *Solver) Arcs() (rows, cols []int32, mass []float64) {
	if !s.hasBasis {
		panic("ot: nothing solved since Reset")
	}
	if !s.arcs {
		s.listArcs()
	}
	return s.arcRow, s.arcCol, s.arcMass
}

func (s *Solver) listArcs() {
	s.arcs = true
	full := s.rows + s.cols
	ri, ci, ma := s.arcRow[:full], s.arcCol[:full], s.arcMass[:full]
	units := float64(s.units)
	at := 0
	for k := range full {
		nd := &s.node[k]
		if nd.Parent < 0 {
			continue
		}
		i, j := k, int(nd.Parent)-s.rows
		if k >= s.rows {
			i, j = int(nd.Parent), k-s.rows
		}
		// Written in any case: no processor foresees which arcs are empty.
		ri[at], ci[at] = s.rowID[i], s.colID[j]
		x := float64(nd.Flow) / units
		if s.total != 1 {
			x *= s.total
		}
		ma[at] = x
		if nd.Flow != 0 {
			at++
		}
	}
	if s.swapped {
		ri, ci = ci, ri
	}
	s.arcRow, s.arcCol, s.arcMass = ri[:at], ci[:at], ma[:at]
}

// Plan writes the last plan into dst as a dense n x m matrix and returns it. A
// nil dst is allocated; any other length than n*m panics, and so does a solver
// that has solved nothing since Reset.
func (s *Solver) Plan(dst []float64) []float64 {
	if dst == nil {
		dst = make([]float64, s.n*s.m)
	}
	if len(dst) != s.n*s.m {
		panic("ot: Plan: len(dst) is not n*m")
	}
	clear(dst)
	rows, cols, mass := s.Arcs()
	for k, x := range mass {
		dst[int(rows[k])*s.m+int(cols[k])] = x
	}
	return dst
}
