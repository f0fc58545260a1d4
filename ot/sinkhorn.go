package ot

import (
	"cmp"
	"errors"
	"fmt"
	"math"

	"ogdl/internal/vec"
)

// SinkhornSettings are the tolerance, the cap and the start of [Sinkhorn.Solve]. A nil
// *SinkhornSettings means the defaults, and so does a field that is zero.
type SinkhornSettings struct {
	// Tol stops when the row sums are within Tol of a, in the sum of absolute differences, as a
	// fraction of the whole mass (the column sums are b). Default 1e-9. Never, or any negative
	// number: the tolerance stops nothing.
	Tol float64
	// MaxSweeps caps the sweeps (rows, then columns). Default 10000.
	MaxSweeps int
	// Start is Cold (potentials zero) or Warm (the last potentials of the call before). Warm helps
	// if costs and epsilon have changed little.
	Start Start
	// Direct begins at epsilon itself. Without Direct, a Cold solve whose costs differ by more than
	// 32 epsilon uses epsilon scaling: it starts at a larger epsilon and divides it by 4 until
	// epsilon is reached. All sweeps count. Sweeps at a small epsilon alone move the potentials by
	// about epsilon each.
	Direct bool
}

// limits returns the settings with defaults filled in.
func (s *SinkhornSettings) limits() (tol float64, sweeps int, start Start) {
	s = cmp.Or(s, &SinkhornSettings{})
	return cmp.Or(s.Tol, 1e-9), cmp.Or(s.MaxSweeps, 10000), s.Start
}

// SinkhornStatus says how a scaling ended.
type SinkhornStatus int

const (
	// Scaled means that the marginal error is within the tolerance.
	Scaled SinkhornStatus = iota
	// SweepLimit means that the cap on sweeps was reached first; MarginalError
	// says how far the plan is from the weights.
	SweepLimit
	// Unscalable means that a row or column with mass has a kernel of zeros: no
	// plan exists. It cannot happen with finite costs.
	Unscalable
)

// String returns "scaled", "sweep limit" or "unscalable".
func (s SinkhornStatus) String() string {
	switch s {
	case Scaled:
		return "scaled"
	case SweepLimit:
		return "sweep limit"
	case Unscalable:
		return "unscalable"
	}
	return fmt.Sprintf("SinkhornStatus(%d)", int(s))
}

// SinkhornResult holds cost, objective, dual value and marginal error of an entropic plan.
type SinkhornResult struct {
	// Value is the transport cost sum_ij M_ij T_ij.
	Value float64
	// Objective is Value + epsilon sum_ij T_ij (log T_ij - 1), with 0 log 0 = 0.
	Objective float64
	// DualValue is sum a_i u_i + sum b_j v_j - epsilon sum_ij T_ij, a lower bound
	// of the least objective over U(a, b).
	DualValue float64
	// MarginalError is sum_i |(T 1)_i - a_i|, relative to the whole mass. Columns
	// are met to rounding, unless epsilon is near the rounding of the costs.
	MarginalError float64
	// Sweeps counts the updates of rows and columns.
	Sweeps int
	// Status says how the solve ended.
	Status SinkhornStatus
}

// Sinkhorn solves the entropic transport problem
//
//	min  sum_ij M_ij T_ij + epsilon sum_ij T_ij (log T_ij - 1)   over   U(a, b)
//
// by Sinkhorn's algorithm (Cuturi, "Sinkhorn distances", 2013). The plan is
// T_ij = exp((u_i + v_j - M_ij) / epsilon) with the potentials u and v.
//
// Sweeps run on the kernel as long as its scaling factors stay within [1e-100, 1e100]. Larger or
// smaller factors are absorbed into the kernel's exponent (Schmitzer, "Stabilized sparse scaling
// algorithms", 2019), by a sweep in the log domain, which cannot over- or underflow. So any epsilon
// down to 1e-15 of the largest cost gives a plan; a small epsilon needs many sweeps.
//
// The zero value is ready for Reset; once it has seen the largest problem it
// allocates nothing. It must not be used by several goroutines at once.
type Sinkhorn struct {
	n, m, ld int
	total    float64
	wa, wb   []float64 // weights; the columns' are followed by zeros up to ld
	la, lb   []float64 // their logarithms

	l    []float64 // -M / epsilon, of Solve; stride ld
	k    []float64 // exp(L + f + g) while sweeping, then the plan; zeros in the padding
	f, g []float64 // potentials / epsilon, as far as they are in k
	a, b []float64 // scaling factors of k; zeros in the padding of b
	col  []float64 // column sums
	eps  float64   // epsilon of f and g: the potentials are eps f and eps g
	warm bool      // f and g come from a call since Reset
	u, v []float64
}

// Scaling factors outside of these bounds are taken into the exponent. Entries of
// the kernel that underflow are then below 1e-17 of any sum they belong to.
const (
	factorLow  = 1e-100
	factorHigh = 1e100
)

// exponentHigh bounds costs / epsilon: the digits of larger ones say nothing about
// their exponentials, which may then be anything.
const exponentHigh = 1e15

// Reset sets the weights a (length n) and b (length m), both copied, and forgets the potentials.
// Weights must be finite, non-negative and not all zero (ErrWeights), their sums equal within 1e-6,
// relatively (ErrUnbalanced); b is then scaled to the sum of a. Rows and columns of weight zero are
// legal.
func (s *Sinkhorn) Reset(a, b []float64) error {
	s.n, s.m = 0, 0
	sa, sb, err := checkMarginals(a, b)
	if err != nil {
		return err
	}
	s.n, s.m, s.ld, s.total = len(a), len(b), (len(b)+3)&^3, sa
	s.wa, s.la, s.f, s.a = grow(s.wa, s.n), grow(s.la, s.n), grow(s.f, s.n), grow(s.a, s.n)
	s.wb, s.lb, s.g = grow(s.wb, s.ld), grow(s.lb, s.m), grow(s.g, s.ld)
	for j := s.m; j < s.ld; j++ {
		s.g[j] = math.Inf(-1) // Step goes over the padding too
	}
	s.g = s.g[:s.m]
	clear(s.wb[s.m:])
	s.wb = s.wb[:s.m]
	s.b, s.col, s.k = grow(s.b, s.ld), grow(s.col, s.ld), grow(s.k, s.n*s.ld)
	for i, x := range a {
		s.wa[i], s.la[i] = x, vec.Log(x)
	}
	for j, x := range b {
		if sa != sb {
			x *= sa / sb
		}
		s.wb[j], s.lb[j] = x, vec.Log(x)
	}
	clear(s.b)
	clear(s.k)
	s.warm = false
	return nil
}

// Solve finds the entropic plan for the costs M, where M[i*ld+j] belongs to row i and column j and
// ld >= m, and epsilon > 0, in the unit of the costs. An epsilon that is not positive and finite, a
// cost that is NaN, -Inf or above 1e15 epsilon in size and finite, an objective that overflows (ErrCost), a
// Tol that is NaN and a negative MaxSweeps are errors. A cost of +Inf forbids its pair: T_ij is
// zero. A row or column with mass and forbidden pairs only is ErrInfeasible; whether the allowed
// pairs leave a plan is not checked beyond that: if they do not, the status is SweepLimit and MarginalError reports the missing mass.
// It panics if there was no Reset or the shape does not fit. Cost O(nm) a sweep.
func (s *Sinkhorn) Solve(M []float64, ld int, epsilon float64, set *SinkhornSettings) (SinkhornResult, error) {
	s.checkShape(M, ld)
	if !(epsilon > 0) || math.IsInf(epsilon, 1) {
		return SinkhornResult{}, fmt.Errorf("ot: epsilon is %v, expected a positive number", epsilon)
	}
	if set != nil && math.IsNaN(set.Tol) {
		return SinkhornResult{}, errors.New("ot: Tol is NaN, expected a number")
	}
	if set != nil && set.MaxSweeps < 0 {
		return SinkhornResult{}, fmt.Errorf("ot: MaxSweeps is %d, expected a number >= 0", set.MaxSweeps)
	}
	tol, sweeps, start := set.limits()
	lo, hi := math.Inf(1), math.Inf(-1)
	for i := range s.n {
		for j, x := range M[i*ld : i*ld+s.m] {
			if math.IsInf(x, 1) {
				continue
			}
			if !(math.Abs(x/epsilon) <= exponentHigh) {
				return SinkhornResult{}, fmt.Errorf("%w; here at most 1e15 epsilon: M[%d,%d] = %v with epsilon %v", ErrCost, i, j, x, epsilon)
			}
			lo, hi = min(lo, x), max(hi, x)
		}
	}
	s.l = grow(s.l, s.n*s.ld)
	spent := 0
	if start == Cold || !s.warm {
		start, s.eps = Cold, epsilon
		if set == nil || !set.Direct {
			spent = s.anneal(M, ld, epsilon, hi-lo, max(tol, 1e-4), sweeps)
		}
		if spent > 0 {
			start = Warm
		}
	}
	r := s.at(M, ld, epsilon, sweeps-spent, tol, start)
	r.Sweeps += spent
	if r.Status == Unscalable {
		s.warm = false
		return SinkhornResult{Status: Unscalable}, fmt.Errorf("%w: all pairs of a row or column with mass are forbidden", ErrInfeasible)
	}
	s.u, s.v = grow(s.u, s.n), grow(s.v, s.m)
	for i, x := range s.f {
		s.u[i] = float64(epsilon * x)
		if s.wa[i] > 0 {
			r.DualValue += float64(s.wa[i] * s.u[i])
		}
	}
	for j, x := range s.g {
		s.v[j] = float64(epsilon * x)
		if s.wb[j] > 0 {
			r.DualValue += float64(s.wb[j] * s.v[j])
		}
	}
	mass, inner := 0.0, 0.0
	for i := range s.n {
		t := s.k[i*s.ld : i*s.ld+s.m]
		for j, c := range M[i*ld : i*ld+s.m] {
			if t[j] == 0 {
				continue
			}
			r.Value += float64(c * t[j])
			mass += t[j]
			// epsilon log T, without its logarithm.
			inner += float64(t[j] * ((s.u[i] + s.v[j]) - c))
		}
	}
	r.Objective = r.Value + (inner - float64(epsilon*mass))
	r.DualValue -= float64(epsilon * mass)
	if !(math.Abs(r.Objective)+math.Abs(r.DualValue) <= math.MaxFloat64) {
		s.warm = false
		return SinkhornResult{}, fmt.Errorf("%w: the objective overflows", ErrCost)
	}
	return r, nil
}

// anneal comes down to epsilon from the costs' range and returns the sweeps that it
// took, 0 if there was no need. It leaves sweeps for epsilon itself.
func (s *Sinkhorn) anneal(M []float64, ld int, epsilon, span, tol float64, sweeps int) int {
	const ratio, factor, most = 32, 4, 500
	spent, start := 0, Cold
	for e := span / 8; e > epsilon && span > ratio*epsilon && spent < sweeps/2; e /= factor {
		spent += s.at(M, ld, e, min(most, sweeps/2-spent), tol, start).Sweeps
		start = Warm
	}
	return spent
}

// at scales the kernel of one epsilon by at most the given number of sweeps. It stops where the row
// error falls to tol, a share of the whole mass. It leaves the plan in k and its potentials in f and g. Warm potentials are
// taken over as they are, unless they are out of all proportion to epsilon.
func (s *Sinkhorn) at(M []float64, ld int, epsilon float64, sweeps int, tol float64, start Start) SinkhornResult {
	for i := range s.n {
		l := s.l[i*s.ld : i*s.ld+s.m]
		for j, x := range M[i*ld : i*ld+s.m] {
			l[j] = -x / epsilon
		}
	}
	if start == Warm {
		if !rescale(s.f, s.wa, s.eps/epsilon) || !rescale(s.g, s.wb, s.eps/epsilon) {
			start = Cold
		}
	}
	s.eps = epsilon
	if start == Cold {
		clear(s.f)
		clear(s.g)
	}
	s.warm = false
	s.exclude()
	s.fill(s.l)
	if !s.settle(s.l) {
		return SinkhornResult{Status: Unscalable}
	}
	r, _ := s.sweep(s.l, s.k, sweeps, tol*s.total)
	return r
}

// rescale multiplies f and reports whether that stays within bounds where there is weight.
func rescale(f, w []float64, ratio float64) bool {
	for i := range f {
		if f[i] *= ratio; w[i] > 0 && !(math.Abs(f[i]) <= 100*exponentHigh) {
			return false
		}
	}
	return true
}

// Step makes a step of the proximal point algorithm. It adds f_i + g_j + (times P_ij - B_ij) to
// L_ij, where f and g are the logarithms of the factors that the last call ended with (Warm) or
// zero (Cold), and scales exp(L) by half a sweep, over the columns, and the given number of sweeps.
// L may hold -Inf for a kernel of zero; entries above 1e15 in size leave no digits for the plan. T
// becomes the plan; change is the sum of absolute differences from what it was. [Sinkhorn.Plan] is
// then not the plan. Value, Objective and DualValue of the result are not computed, and it is
// Scaled only where the row sums are met to 1e-15.
// The four matrices have n rows of stride m rounded up to a multiple of four, with zeros in the
// padding of P, B and T. Step may write to the padding of L. It does not allocate and keeps none of
// the matrices.
func (s *Sinkhorn) Step(L, P, B []float64, times float64, T []float64, sweeps int, start Start) (r SinkhornResult, change float64) {
	s.checkShape(L, s.ld)
	for _, x := range [][]float64{L, P, B, T} {
		if len(x) < s.n*s.ld {
			panic(fmt.Sprintf("ot: Sinkhorn: a matrix of length %d for %d rows of stride %d", len(x), s.n, s.ld))
		}
	}
	if start == Cold || !s.warm {
		clear(s.f)
		clear(s.g)
	}
	s.eps, s.warm = 1, false
	s.exclude()
	vec.TiltExp(L, P, B, times, s.f, s.g[:s.ld], s.k, s.col)
	s.unit()
	if !s.settle(L) {
		return SinkhornResult{Status: Unscalable}, 0
	}
	return s.sweep(L, T, sweeps, -1)
}

func (s *Sinkhorn) checkShape(M []float64, ld int) {
	if s.n == 0 {
		panic("ot: Sinkhorn without a successful Reset")
	}
	if ld < s.m || len(M) < (s.n-1)*ld+s.m {
		panic(fmt.Sprintf("ot: Sinkhorn: length %d with stride %d for a problem of %d x %d", len(M), ld, s.n, s.m))
	}
}

// Plan returns the plan of the last call, a view: entry (i, j) is at T[i*ld+j], and the padding of
// a row, up to ld, holds zeros. Entries below about 1e-108 may be zero.
func (s *Sinkhorn) Plan() (T []float64, ld int) { return s.k, s.ld }

// Potentials returns the potentials of the last Solve, views: T_ij = exp((u_i + v_j - M_ij) /
// epsilon). They are determined up to a constant that moves from one to the other,
// and -Inf where the weight is zero.
func (s *Sinkhorn) Potentials() (u, v []float64) { return s.u, s.v }
