package gw_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// TestEntries holds the list of entries against the coupling, and a target taken up from the list against the problem bound
// anew: at vertices, which are few entries, at p q', which is not, and where a descent stops between them.
func TestEntries(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var s gw.Solver
	few, many := 0, 0
	for trial := range 60 {
		n, m, d := 2+rng.IntN(20), 2+rng.IntN(20), rng.IntN(3)
		alpha := 1.0
		if d > 0 {
			alpha = rng.Float64()
		}
		x := drawGraph(t, rng, molecules, n, d, true)
		y := must.Get(gw.NewTarget(m, d, nil))
		atoms := []*gw.Space{drawGraph(t, rng, molecules, m, d, true), drawGraph(t, rng, molecules, m, d, true)}
		mix := func(w ...float64) {
			must.Do(t, y.Mix(atoms, w))
		}
		mix(0.5, 0.5)
		must.Do(t, s.Bind(x, y, alpha))
		for round := range 4 {
			if round > 0 {
				s.Descend(context.Background(), &gw.Settings{MaxIter: 1 + trial%3})
				mix(rng.Float64(), rng.Float64())
				s.Retarget()
			}
			T := tight(&s, n, m)
			rows, cols, mass, ok := s.Entries()
			count, at := 0, 0
			for k, v := range T {
				if v == 0 {
					continue
				}
				count++
				if ok {
					if i, j := k/m, k%m; at == len(mass) || int(rows[at]) != i || int(cols[at]) != j || mass[at] != v {
						t.Fatalf("trial %d, round %d: entry %d of the list is not (%d, %d) = %v", trial, round, at, i, j, v)
					}
					at++
				}
			}
			if ok != (4*count <= n*m) || ok && at != len(mass) {
				t.Fatalf("trial %d, round %d: few is %v and %d are listed, of %d of %d x %d", trial, round, ok, at, count, n, m)
			}
			if ok {
				few++
			} else {
				many++
			}
			want := gw.Objective(x, y, alpha, T)
			must.Within(t, s.Value(), want, 1e-11*(1+math.Abs(want)), "trial %d, round %d: value, and defined", trial, round)
		}
	}
	if few < 20 || many < 20 {
		t.Errorf("%d lists, %d couplings of too many entries: both are to be tried", few, many)
	}
}

// TestCopy holds a copy against a mix of one atom, to the last bit of what a solver makes of it.
func TestCopy(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, d := range []int{0, 2} {
		x, atom := drawGraph(t, rng, molecules, 9, d, true), drawGraph(t, rng, molecules, 7, d, true)
		mixed, _ := gw.NewTarget(7, d, nil)
		copied, _ := gw.NewTarget(7, d, nil)
		must.Do(t, mixed.Mix([]*gw.Space{atom}, []float64{1}))
		must.Do(t, copied.Copy(mixed))
		alpha := 1.0
		if d > 0 {
			alpha = 0.5
		}
		var s gw.Solver
		a := must.Get(s.Solve(context.Background(), x, mixed, alpha, nil, nil))
		a = a.Clone()
		b := must.Get(s.Solve(context.Background(), x, copied, alpha, nil, nil))
		must.Same(t, b, a, "d = %d: of the copy, and of the mix", d)
	}
}
