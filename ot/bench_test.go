package ot_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot"
	"ogdl/ot/ottest"
)

// Shapes of the benchmarks: square ones, and a large graph against an atom.
var benchShapes = [][2]int{{8, 8}, {16, 16}, {20, 20}, {32, 32}, {64, 64}, {128, 128}, {256, 256}, {620, 620}, {620, 26}, {26, 620}}

// BenchmarkCold solves random costs between uniform weights from nothing.
func BenchmarkCold(b *testing.B) {
	for _, shape := range benchShapes {
		n, m := shape[0], shape[1]
		b.Run(fmt.Sprintf("order=%dx%d", n, m), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			// Many enough that branch predictors do not learn them.
			problems := make([][]float64, min(max(8, 100_000/(n*m)), 200))
			for k := range problems {
				problems[k] = ottest.RandomCosts(n, m, rng)
			}
			bench(b, n, m, problems, ot.Cold)
		})
	}
}

// BenchmarkWarm follows costs that drift by about 1 % a step, from basis to
// basis.
func BenchmarkWarm(b *testing.B) {
	for _, shape := range benchShapes {
		n, m := shape[0], shape[1]
		b.Run(fmt.Sprintf("order=%dx%d", n, m), func(b *testing.B) {
			rng := rand.New(rand.NewPCG(1, 2))
			problems := make([][]float64, min(max(8, 100_000/(n*m)), 200)&^1)
			at, to := ottest.RandomCosts(n, m, rng), ottest.RandomCosts(n, m, rng)
			for k := range problems {
				// There and back again.
				step := 0.01 * float64(min(k, len(problems)-k))
				problems[k] = make([]float64, n*m)
				for l := range problems[k] {
					problems[k][l] = (1-step)*at[l] + step*to[l]
				}
			}
			bench(b, n, m, problems, ot.Warm)
		})
	}
}

func bench(b *testing.B, n, m int, problems [][]float64, start ot.Start) {
	var s ot.Solver
	must.Do(b, s.Reset(ottest.Uniform(n), ottest.Uniform(m)))
	s.SolveUnchecked(problems[len(problems)-1], m, start)
	pivots, k := 0, 0
	b.ReportAllocs()
	for b.Loop() {
		s.SolveUnchecked(problems[k], m, start)
		pivots += s.Pivots()
		if k++; k == len(problems) {
			k = 0
		}
	}
	b.ReportMetric(float64(pivots)/float64(b.N), "pivots/op")
}
