package ot_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot"
	"ogdl/ot/ottest"
)

// BenchmarkSinkhorn runs 100 sweeps on random costs in [0, 1): with epsilon = 0.1
// in the kernel's own domain, with 1e-4 partly in that of logarithms.
func BenchmarkSinkhorn(b *testing.B) {
	for _, n := range []int{13, 32, 128} {
		for _, epsilon := range []float64{0.1, 1e-4} {
			b.Run(fmt.Sprintf("order=%d/epsilon=%v", n, epsilon), func(b *testing.B) {
				costs := ottest.RandomCosts(n, n, rand.New(rand.NewPCG(1, 2)))
				var s ot.Sinkhorn
				must.Do(b, s.Reset(ottest.Uniform(n), ottest.Uniform(n)))
				set := &ot.SinkhornSettings{Tol: -1, MaxSweeps: 100, Direct: true}
				b.ReportAllocs()
				for b.Loop() {
					must.Get(s.Solve(costs, n, epsilon, set))
				}
			})
		}
	}
}
