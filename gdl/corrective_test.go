package gdl_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// Steps to the best point of a hull reach objectives as low as steps along lines do, in a fifth of their number at most.
func TestFullyCorrective(t *testing.T) {
	for _, dim := range []int{0, 2} {
		rng := source(uint64(dim))
		graphs := slices.Concat(noisy(rng, 4, 6, 14, dim), binary(rng, 4, 6, 14, dim), kernels(rng, 4, 6, 14, dim))
		var iterations, objective [2]float64
		u := must.Get(gdl.NewUnmixer(far(rng, 5, 9, dim, 0.7)))
		for _, g := range graphs {
			for i, step := range []gdl.WStep{gdl.Exact, gdl.FullyCorrective} {
				e := must.Get(u.Unmix(context.Background(), g, &gdl.UnmixSettings{WStep: step, MaxOuter: 1, GW: gw.Settings{TolRel: 1e-9, TolAbs: 1e-12}}))
				iterations[i] += float64(e.Iterations)
				objective[i] += e.Objective
			}
		}
		if iterations[1]*5 > iterations[0] || objective[1] > objective[0]*(1+1e-3) {
			t.Errorf("dim %d: %v iterations, objectives %v: along lines, fully corrective", dim, iterations, objective)
		}
	}
}

// Kernels of 60 nodes need more points than a hull holds: it starts anew, and the descent goes on to its end.
func TestFullHull(t *testing.T) {
	rng := source(3)
	g := kernels(rng, 1, 60, 60, 0)[0]
	d := far(rng, 2, 60, 0, 1)
	u := must.Get(gdl.NewUnmixer(d))
	last := math.Inf(1)
	for _, tol := range []float64{1e-6, 1e-8, 1e-10} {
		set := &gdl.UnmixSettings{WStep: gdl.FullyCorrective, MaxOuter: 1, GW: gw.Settings{TolRel: tol, TolAbs: 1e-14}}
		e := must.Get(u.Unmix(context.Background(), g, set))
		if at := gw.Objective(g, must.Get(d.Model(e.W, e.V)), 1, e.T); !(math.Abs(at-e.Objective) <= 1e-12) ||
			!(e.Trace[1] < last) {
			t.Errorf("tolerance %v: objective %v, that of what is returned %v, trace %v, at the tolerance before %v", tol, e.Objective, at, e.Trace, last)
		}
		if e.Iterations > 3000 { // steps along lines need ten thousand
			t.Errorf("tolerance %v: %d iterations", tol, e.Iterations)
		}
		last = e.Trace[1] // of the one descent; the weights move afterwards
	}
}
