package ot_test

import (
	"math"
	"testing"

	"ogdl/ot"
	"ogdl/ot/ottest"
)

// TestGapAndMass measures what the comments of Result.Gap and Arcs promise.
func TestGapAndMass(t *testing.T) {
	var s ot.Solver
	gap, mass := 0.0, 0.0
	for _, p := range ottest.Problems() {
		r := ottest.Verify(t, &s, p, ot.Cold)
		most := 0.0
		for _, x := range p.M {
			most = max(most, math.Abs(x))
		}
		if most > 0 {
			gap = max(gap, math.Abs(r.Gap)/most)
		}
		n, m := len(p.A), len(p.B)
		plan := s.Plan(nil)
		for i, w := range p.A {
			mass = max(mass, math.Abs(ottest.Sum(plan[i*m:i*m+m])-w))
		}
		for j, w := range p.B {
			column := make([]float64, n)
			for i := range n {
				column[i] = plan[i*m+j]
			}
			mass = max(mass, math.Abs(ottest.Sum(column)-w))
		}
	}
	t.Logf("largest gap: %.3g of the largest cost; largest error of a line's mass: %.3g of the total", gap, mass)
	if gap > 1e-15 {
		t.Errorf("a gap of %.3g times the largest cost, Result.Gap promises 1e-15", gap)
	}
	if mass > 1.5e-15 {
		t.Errorf("a line's mass is off by %.3g of the total, Arcs promises 1.5e-15", mass)
	}
}
