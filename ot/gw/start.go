package gw

import "math"

// StartSorted replaces the coupling by the vertex that matches the nodes of the two
// graphs in the order of their strengths C p and Ct q, the weakest with the weakest;
// nodes of equal strength (to 2^-32 of the largest) keep their order. Features are not
// looked at. It panics before Bind. Cost O(n log n + m log m) and one product C X Ct.
func (s *Solver) StartSorted() {
	s.mustBeBound("StartSorted")
	s.match(1)
}

// StartReverse is StartSorted with the order of the second graph's strengths turned round:
// the weakest of the first with the strongest of the second.
func (s *Solver) StartReverse() {
	s.mustBeBound("StartReverse")
	s.match(-1)
}

// PassedSorted reports whether the descent from p q' passed the coupling of StartSorted. Without
// features its first step goes towards that coupling, often all the way. A descent from there would
// find nothing new.
func (s *Solver) PassedSorted() bool { return s.sorted }

// match sets the coupling to the vertex that matches x's nodes by strength with y's by strength
// times sign, smallest with smallest.
func (s *Solver) match(sign float64) {
	s.u, s.v = grow(s.u, s.n), grow(s.v, s.m)
	ranks(s.x.cp[:s.n], 1, s.u)
	ranks(s.y.cp[:s.m], sign, s.v)
	s.lp.SolveRankOne(s.u, s.v)
	s.based = true
	rows, cols, mass := s.lp.Arcs()
	s.cost(rows, cols, mass, s.kx)
	kXX, linX := 0.0, 0.0
	for e, x := range mass {
		at := int(rows[e])*s.ld + int(cols[e])
		kXX += float64(x * s.kx[at])
		if len(s.lin) > 0 {
			linX += float64(x * s.lin[at])
		}
	}
	s.toVertex(rows, cols, mass, kXX, linX)
}

// ranks writes strengths as whole shares of the largest, so that those which are equal but
// for the rounding of their sums become equal.
func ranks(strengths []float64, sign float64, out []float64) {
	largest := 0.0
	for _, x := range strengths {
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		largest = 1
	}
	for i, x := range strengths {
		out[i] = sign * math.Round(x/largest*(1<<32))
	}
}

// toVertex moves the coupling to a vertex whose cost is in kx.
func (s *Solver) toVertex(rows, cols []int32, mass []float64, kXX, linX float64) {
	s.product, s.exact, s.settled = false, true, false
	s.moved()
	s.k, s.kx = s.kx, s.k
	clear(s.t)
	for e, x := range mass {
		s.t[int(rows[e])*s.ld+int(cols[e])] = x
	}
	s.kTT, s.linT = kXX, linX
	s.hull.forget()
}
