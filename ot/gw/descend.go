package gw

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"ogdl/ot"
)

// Never is a tolerance that never stops a solve. (Zero means the default.)
const Never = ot.Never

// Settings says when a conditional gradient stops and how often it starts. A nil
// *Settings means the defaults, and so does a field that is zero.
type Settings struct {
	// TolRel stops when an iteration changes the objective by less than TolRel times its value, the
	// first three steps to a vertex excepted (see Iterate). Default 1e-9. Never, or any negative
	// number: it stops nothing.
	TolRel float64
	// TolAbs stops when an iteration changes the objective by less than TolAbs, with the same
	// exceptions. Zero: 1e-9 of the sum of both graphs' [Space.Scale], where at most 1000 times the
	// structures' share counts; Never, and all below 0: never. A number given here is in the unit
	// of the objective, and does not follow the graphs' scale.
	TolAbs float64
	// MaxIter >= 0 caps the iterations of one start. Default 10000.
	MaxIter int
	// Starts >= 0 is the number of starting couplings; the best end is returned. The
	// first is the given one (p q' if none is), the others lie half way between
	// p q' and a random vertex. Default 1; more need Rand.
	Starts int
	// Rand draws the starts after the first. It is not used for one start.
	Rand *rand.Rand
}

// check returns an error if MaxIter or Starts is negative, or a tolerance NaN.
func (s *Settings) check() error {
	if s != nil && (math.IsNaN(s.TolRel) || math.IsNaN(s.TolAbs)) {
		return fmt.Errorf("gw: tolerances of %v and %v, expected numbers", s.TolRel, s.TolAbs)
	}
	if s != nil && (s.MaxIter < 0 || s.Starts < 0) {
		return fmt.Errorf("gw: a cap of %d iterations, %d starts: expected numbers >= 0", s.MaxIter, s.Starts)
	}
	return nil
}

// limits returns the settings with defaults filled in, but for a TolAbs of zero.
func (s *Settings) limits() (rel, abs float64, iter int) {
	s = cmp.Or(s, &Settings{})
	return cmp.Or(s.TolRel, 1e-9), s.TolAbs, cmp.Or(max(0, s.MaxIter), 10000)
}

// Status tells how a conditional gradient ended.
type Status int

const (
	// Converged: the last iteration changed the objective by less than a tolerance.
	Converged Status = iota
	// MaxIterations: the cap was reached first; Result.Gap says how far it got.
	MaxIterations
	// Cancelled: the context ended first.
	Cancelled
)

// String returns "converged", "iteration cap" or "cancelled".
func (s Status) String() string {
	switch s {
	case Converged:
		return "converged"
	case MaxIterations:
		return "iteration cap"
	case Cancelled:
		return "cancelled"
	}
	return fmt.Sprintf("Status(%d)", int(s))
}

// maxPlateaus is how many full steps without descent Iterate takes before it calls
// that convergence.
const maxPlateaus = 3

// Iterate runs a conditional gradient by the rules of s, until one of them stops
// it, and returns how it stopped and the number of iterations: what
// [Solver.Descend] does, for solvers that move more than a coupling. f is the
// objective at the start. step makes one iteration, and returns the objective after
// it and whether it was full, that is whether it went all the way to a vertex.
//
// A change below a tolerance is convergence, and so is none at all, whatever the
// tolerances. But the first three full steps along such a plateau are not: each
// ends at another vertex, from where there may be a way down. A TolAbs of zero stops
// nothing here, where no graphs are known. Iterate ignores Starts, and a MaxIter below 0
// counts as 0. A nil ctx never ends. Nothing is allocated.
func (s *Settings) Iterate(ctx context.Context, f float64, step func() (f float64, full bool)) (Status, int) {
	rel, abs, maxIter := s.limits()
	plateaus := 0
	for it := 1; ; it++ {
		if ctx != nil && ctx.Err() != nil {
			return Cancelled, it - 1
		}
		old, full := f, false
		f, full = step()
		change := math.Abs(f - old)
		if change < abs || change < rel*math.Abs(f) || f == old {
			if !full || plateaus == maxPlateaus {
				return Converged, it
			}
			plateaus++
		}
		if it >= maxIter {
			return MaxIterations, it
		}
	}
}
