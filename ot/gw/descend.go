package gw

import (
	"context"
	"math"
)

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
// ends at another vertex, from where there may be a way down. Starts is not looked
// at, and ctx only now and then. Nothing is allocated.
func (s *Settings) Iterate(ctx context.Context, f float64, step func() (f float64, full bool)) (Status, int) {
	rel, abs, maxIter := s.limits()
	plateaus := 0
	for it := 1; ; it++ {
		if it&15 == 1 && ctx.Err() != nil {
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
