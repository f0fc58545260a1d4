// Package svm trains support vector machines for classification (C-SVC) on kernel matrices that are
// given.
//
// [Fit] answers for one matrix and one C; a [Problem] holds what all C of one matrix share. For two
// classes a fit solves
//
//	min 1/2 a'Qa - 1'a,  0 <= a_i <= C,  y'a = 0,  Q_ij = y_i y_j K_ij
//
// and classifies by the sign of f(x) = sum a_i y_i K(x_i, x) - rho. For more classes, one machine
// is trained for each pair of classes, and each votes.
//
// The algorithm is LIBSVM's (Chang & Lin 2011; working sets: Fan, Chen & Lin 2005; its source is
// under the BSD licence), step by step and sum by sum: a fit takes as many iterations as the LIBSVM
// of scikit-learn 1.2 and ends at the same numbers. K need not be positive semidefinite. If it is
// not, as with kernels of Gromov-Wasserstein distances, a fit ends at a stationary point that
// depends on the order of the examples.
package svm

import (
	"cmp"
	"context"
	"fmt"
	"math"
)

// Settings are the stopping rules of a fit; nil means all defaults.
type Settings struct {
	// Tol ends a fit when no pair of examples violates the optimality conditions by Tol or more.
	// Default: 1e-3.
	Tol float64
	// MaxIter caps the iterations of each pair of classes. Default: 5,000,000, as in the paper's
	// released code; Uncapped for no cap.
	MaxIter int
	// NoShrinking keeps examples at a bound in every iteration. It is slower in long fits, and ends
	// elsewhere within Tol.
	NoShrinking bool
}

// Uncapped is a MaxIter that no fit reaches.
const Uncapped = math.MaxInt

func (s *Settings) resolve() (Settings, error) {
	r := *cmp.Or(s, &Settings{})
	r.Tol = cmp.Or(r.Tol, 1e-3)
	r.MaxIter = cmp.Or(r.MaxIter, 5_000_000)
	switch {
	case !(r.Tol > 0):
		return r, fmt.Errorf("svm: Tol is %v, expected a positive number", r.Tol)
	case r.MaxIter < 0:
		return r, fmt.Errorf("svm: MaxIter is %d, expected a positive number", r.MaxIter)
	}
	return r, nil
}

// Status says how a fit ended.
type Status int

const (
	// Converged: no pair of examples violates optimality by Tol.
	Converged Status = iota
	// Capped: the iterations ended at MaxIter. The machine is their last state.
	Capped
)

// String returns "converged" or "capped".
func (s Status) String() string {
	if s == Capped {
		return "capped"
	}
	return "converged"
}

// Fit trains on the examples 0..n-1: K is their n x n kernel matrix row by row, labels[i] the class
// of example i, any integer, and C > 0 the bound on a. It is [Problem.Reset] and [Problem.Fit] of a
// new Problem; their errors are its own.
func Fit(ctx context.Context, K []float64, labels []int, C float64, set *Settings) (*Model, error) {
	var p Problem
	if err := p.Reset(K, labels, nil); err != nil {
		return nil, err
	}
	return p.Fit(ctx, C, set)
}
