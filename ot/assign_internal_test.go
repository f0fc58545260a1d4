package ot

import (
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

// TestAssign: the basis of an assignment is one, and optimal to rounding.
func TestAssign(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 90).Draw(t, "n")
		kind := rapid.SampledFrom([]string{"real", "ties", "constant", "far apart", "rubbish"}).Draw(t, "costs")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		w, M := uniform(n), make([]float64, n*n)
		scale := 1.0
		for k := range M {
			switch kind {
			case "real":
				M[k] = rng.NormFloat64()
			case "ties":
				M[k] = float64(rng.IntN(4) - 1)
			case "far apart":
				M[k] = math.Pow(10, 12*rng.Float64())
				scale = 1e12
			case "rubbish":
				M[k] = []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e300, -1e300, 1}[rng.IntN(6)]
			}
		}
		var s Solver
		must.Do(t, s.Reset(w, w))
		s.tree.c, s.tree.ld = M, n
		if !s.assign() {
			// Rounding makes ties of what is far below the largest cost: one or two, which end it where there are few rows.
			if kind == "real" || kind == "far apart" && n >= assignFrom {
				t.Fatal("no ties, and yet no assignment")
			}
			return
		}
		checkTree(t, &s)
		if kind == "rubbish" {
			return
		}
		s.initPi()
		for i := range n {
			for j := range n {
				if rc := M[i*n+j] + s.pi[i] - s.pi[n+j]; rc < -1e-13*float64(n)*scale {
					t.Fatalf("row %d and column %d: reduced cost %v", i, j, rc)
				}
			}
		}
	})
}

// TestAssignmentsAreCold: an assignment is where a cold solve begins, unless there are many ties; Warm never
// does, not even without a basis.
func TestAssignmentsAreCold(t *testing.T) {
	const n = assignFrom
	rng := rand.New(rand.NewPCG(3, 4))
	w, M, ties := uniform(n), make([]float64, n*n), make([]float64, n*n)
	for k := range M {
		M[k], ties[k] = rng.Float64(), float64(rng.IntN(3))
	}
	for _, c := range []struct {
		costs  []float64
		start  Start
		pivots bool
	}{{M, Cold, false}, {M, Warm, true}, {ties, Cold, true}} {
		var s Solver
		must.Do(t, s.Reset(w, w))
		r, err := s.Solve(c.costs, n, c.start)
		if err != nil || r.Status != Optimal {
			t.Fatal(r, err)
		}
		must.Check(t, r.Pivots > n/8, c.pivots, "%v: %d pivots", c.start, r.Pivots)
	}
}
