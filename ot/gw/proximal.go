package gw

import (
	"cmp"

	"ogdl/ot"
)

// ProximalSettings says how [Proximal.Solve] steps and when it stops. Gamma must
// be given; any other field that is zero means its default.
type ProximalSettings struct {
	// Gamma > 0 weighs the Kullback-Leibler divergence from one coupling to the next. It has the
	// unit of the objective and no default. A small Gamma takes long steps, a large Gamma short
	// ones. If graphs are scaled by s, scale Gamma by s^2. One below 1e-15 of the costs is an
	// error: exponents have no digits left.
	Gamma float64
	// Outer caps the proximal steps. Default 50.
	Outer int
	// Sweeps is the number of Sinkhorn sweeps (rows, then columns) in a step.
	// Default 5.
	Sweeps int
	// Tol stops when a step changes the coupling by at most Tol, and its row sums
	// are within Tol of p, both in the sum of absolute differences (a coupling's
	// mass is 1, so that both are relative). Default 1e-6; Never, and all below 0: never.
	Tol float64
	// Round moves the last coupling onto U(p, q), see [ot.Sinkhorn.Round]; without it the
	// columns are exact and the rows are off by MarginalError.
	Round bool
}

// limits returns the caps and the tolerance, with defaults filled in.
func (s *ProximalSettings) limits() (outer, sweeps int, tol float64) {
	return cmp.Or(s.Outer, 50), cmp.Or(s.Sweeps, 5), cmp.Or(s.Tol, 1e-6)
}

// ProximalResult is the end of a proximal solve.
type ProximalResult struct {
	// T is the coupling, n x m row-major: a view, good until the next call.
	T []float64
	// Value is the (F)GW objective at T, with T's own marginals (the same number
	// as [Objective] gives).
	Value float64
	// MarginalError is the sum over rows of |(T 1)_i - p_i|; columns are exact.
	MarginalError float64
	// Change is the sum of absolute differences between the last two couplings.
	Change float64
	// Iterations counts the proximal steps, Sweeps the Sinkhorn sweeps of all of
	// them together.
	Iterations, Sweeps int
	// Status says why it stopped: Converged, MaxIterations or Cancelled.
	Status Status
}

// Proximal is a reusable workspace of the proximal point algorithm for (F)GW (Xu
// et al., "Gromov-Wasserstein learning for graph matching and node embedding",
// 2019), the solver of Gromov-Wasserstein factorization. The zero value is ready;
// once it has seen the largest problem it allocates nothing. It must not be used
// by two goroutines at once.
//
// A step replaces T by the minimiser X over U(p, q) of
//
//	<G / 2, X> + gamma KL(X || T),   with G the gradient of the objective at T:
//	G = alpha (2K - 4 C T Ct) + (1 - alpha) D,
//
// which is the kernel T o exp(-G / (2 gamma)), scaled to the weights; for pure GW
// that is T o exp(-(K - 2 C T Ct) / gamma). It is scaled by a few Sinkhorn sweeps,
// which begin with the row factors of the step before.
//
// Scaled to the end, a step cannot raise the objective if gamma is at least
// alpha r s / 2, with r and s the differences between the largest and the least
// entry of C and Ct; for less it seldom does. With five sweeps it can, a little.
// The smaller gamma is, the more sweeps the weights need: of five, at structures
// near 0 and 1, the row error is about 1e-4 for gamma = 1, 3e-3 for 0.1, 0.15 for
// 0.01 and 0.3 for 0.001, and 50 steps end before the coupling has settled.
//
// Logarithms of T are carried, in [ot.Sinkhorn]'s safe way, so any gamma that is not rejected gives
// a plan without NaN. Entries of T may underflow to exactly zero, but they are not lost: they come
// back when their cost falls. Only a zero of the start stays zero.
type Proximal struct {
	x, y  *Space // less their common offset
	alpha float64

	shiftX, shiftY Space

	scaling ot.Sinkhorn
	n, ld   int

	t       []float64 // T, n rows of stride ld, and of zeros up to a multiple of four
	l       []float64 // log T, then the logarithm of the kernel
	lin     []float64 // (1 - alpha) D, or empty
	base    []float64 // (alpha K + (1 - alpha) D / 2) / gamma
	half, p []float64 // T Ct, C T Ct
	tt, ht  []float64 // T', (T Ct)', rows of stride x.ld

	tight, rows, cols []float64 // for the result: T and its marginals
	cw, c2w           []float64 // C w and (C o C) w of them
}
