package gw

// StartSorted replaces the coupling by the vertex that matches the nodes of the two
// graphs in the order of their strengths C p and Ct q, the weakest with the weakest;
// nodes of equal strength keep their order. Without features it is where the first
// step from p q' points to; features are not looked at. It panics before Bind. Cost
// O(n log n + m log m) and one product C X Ct.
func (s *Solver) StartSorted() {
	s.mustBeBound("StartSorted")
	s.match(s.y.cp[:s.m])
}

// StartReverse is StartSorted with the order of the second graph's nodes turned round:
// the weakest of the first with the strongest of the second.
func (s *Solver) StartReverse() {
	s.mustBeBound("StartReverse")
	s.v = grow(s.v, s.m)
	for j, x := range s.y.cp[:s.m] {
		s.v[j] = -x
	}
	s.match(s.v)
}

// match puts the coupling at the vertex that matches x's nodes by strength with y's by
// key, smallest with smallest.
func (s *Solver) match(key []float64) {
	s.lp.SolveRankOne(s.x.cp[:s.n], key)
	s.based = true
	rows, cols, mass := s.lp.Arcs()
	s.vertexCost(rows, cols, mass)
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

// toVertex moves the coupling to a vertex whose cost is in kx.
func (s *Solver) toVertex(rows, cols []int32, mass []float64, kXX, linX float64) {
	s.product, s.ctValid, s.exact, s.settled = false, false, true, false
	s.k, s.kx = s.kx, s.k
	clear(s.t)
	for e, x := range mass {
		s.t[int(rows[e])*s.ld+int(cols[e])] = x
	}
	s.kTT, s.linT = kXX, linX
	s.hull.forget()
}
