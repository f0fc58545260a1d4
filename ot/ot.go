// Package ot solves the linear optimal transport problem: exactly ([Solve]; [Solver] for many
// problems of one shape) and with entropic regularisation ([Sinkhorn]).
//
// Given weights a (n), b (m) of equal sum and costs M (n x m), it finds
//
//	min  sum_ij M_ij T_ij   over   U(a, b) = { T >= 0 : T 1 = a, T' 1 = b }
//
// together with potentials (u, v) that are optimal for the dual problem
//
//	max  sum_i a_i u_i + sum_j b_j v_j   subject to   u_i + v_j <= M_ij.
//
// The method is the network simplex on the bipartite transport graph with strongly feasible bases
// (Cunningham, "A network simplex method", 1976), which cannot cycle. A [Cold] solve with uniform
// weights and at least 64 rows and 64 columns starts from an assignment by shortest augmenting
// paths. The simplex then finishes it. Weights are turned into integers first, so flows carry no
// rounding error: a zero flow is exactly zero and a tie is exactly a tie. Where costs are of very
// different sizes, and at the end of every checked solve, costs become integers of 128 bits too. So
// a cost of 1e15 or +Inf may forbid a pair, and the other costs keep their digits.
//
// A [Solver] keeps its memory and its last optimal basis. As long as the weights stay the same,
// that basis is feasible for any costs, and a [Warm] solve starts from it. Conditional gradient
// methods, such as for Gromov-Wasserstein, solve many such problems. [Solve] is the one-shot form.
//
// All matrices are flat and row-major. Wrong shapes panic with a message that
// begins with "ot: "; bad values return errors.
package ot

import "errors"

// Never is a tolerance that never stops a solve. (Zero means the default.)
const Never = -1

// Start says where a solve begins.
type Start int

const (
	// Cold builds a basis from the weights and costs alone: the result depends
	// on nothing that the solver has done before.
	Cold Start = iota
	// Warm begins at the basis that the last solve since Reset ended with. If
	// there is none, it builds one from the weights and costs alone, as Cold does,
	// but never by solving an assignment.
	Warm
)

// String returns "cold" or "warm".
func (s Start) String() string {
	if s == Warm {
		return "warm"
	}
	return "cold"
}

// Status says how a solve ended.
type Status int

const (
	// Optimal means that no reduced cost is negative; see SolveUnchecked for its
	// tolerance.
	Optimal Status = iota
	// PivotLimit means that the safety limit on pivots was reached. The plan is
	// feasible, and Gap bounds how far it is from the optimum.
	PivotLimit
)

// String returns "optimal" or "pivot limit".
func (s Status) String() string {
	if s == PivotLimit {
		return "pivot limit"
	}
	return "optimal"
}

// Errors that Reset and Solve return, wrapped with the place and the value.
var (
	// ErrWeights: a weight is negative, NaN or infinite, all are zero, there are none, or their sum
	// is above 1e300.
	ErrWeights = errors.New("ot: weights must be finite, non-negative and not all zero")
	// ErrUnbalanced: the two weight vectors differ in their sums by more than
	// 1e-6, relatively, so that no plan exists.
	ErrUnbalanced = errors.New("ot: weight sums differ, the problem is infeasible")
	// ErrCost: a cost is NaN, -Inf, or finite and above 1e300 in magnitude, or its product with
	// masses overflows.
	ErrCost = errors.New("ot: costs must be at most 1e300 in magnitude, or +Inf for a forbidden pair")
	// ErrInfeasible: every plan between the weights needs pairs of cost +Inf.
	ErrInfeasible = errors.New("ot: no plan keeps to the allowed pairs")
)

// Result holds value, dual value, gap and status of a checked solve.
type Result struct {
	// Value is sum_ij M_ij T_ij, without the forbidden pairs (cost +Inf).
	Value float64
	// DualValue is sum a_i u_i + sum b_j v_j at potentials that are feasible
	// for all pairs (u is the c-transform of v), hence a lower bound of the
	// optimal value.
	DualValue float64
	// Gap is Value - DualValue: how far Value can be from the optimum. With status Optimal it is
	// rounding only: at most 1e-15 times the largest finite cost times the mass. If large costs
	// mark forbidden pairs, only costs that carry mass count.
	Gap float64
	// Pivots counts the basis changes.
	Pivots int
	// Status says how the solve ended.
	Status Status
}

// Solution is the answer of the one-shot [Solve].
type Solution struct {
	Result
	// Plan is the optimal T, n x m.
	Plan []float64
	// U (n) and V (m) are optimal potentials, finite, and feasible on the
	// allowed pairs. They are determined up to a constant that moves from one to
	// the other, and further where the plan is degenerate.
	U, V []float64
}

// Solve finds the optimal plan between the weights a (length n) and b (length m) for the costs M (n
// x m, row-major); +Inf forbids a pair. The weights are treated as by [Solver.Reset], the costs as
// by [Solver.Solve], and so are errors (ErrWeights, ErrUnbalanced, ErrCost, ErrInfeasible). It
// panics if len(M) is not n*m. To solve many problems, keep a [Solver] instead.
func Solve(a, b, M []float64) (*Solution, error) {
	if len(M) != len(a)*len(b) {
		panic("ot: Solve: len(M) is not len(a)*len(b)")
	}
	var s Solver
	if err := s.Reset(a, b); err != nil {
		return nil, err
	}
	r, err := s.Solve(M, len(b), Cold)
	if err != nil {
		return nil, err
	}
	u, v := s.Potentials()
	return &Solution{Result: r, Plan: s.Plan(nil), U: u, V: v}, nil
}
