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
	gap := 0.0
	for _, p := range ottest.Problems() {
		r := ottest.Verify(t, &s, p, ot.Cold)
		most := 0.0
		for _, x := range p.M {
			most = max(most, math.Abs(x))
		}
		if most > 0 {
			gap = max(gap, math.Abs(r.Gap)/most)
		}
		ottest.CheckMarginals(t, p, s.Plan(nil), 1.5e-15) // as Arcs promises
	}
	t.Logf("largest gap: %.3g of the largest cost", gap)
	if !(gap <= 1e-15) {
		t.Errorf("a gap of %.3g times the largest cost, Result.Gap promises 1e-15", gap)
	}
}
