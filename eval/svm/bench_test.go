package svm_test

import (
	"fmt"
	"testing"

	"ogdl/eval/svm"
	"ogdl/internal/test/must"
)

// BenchmarkFit is a fit of the sizes of the paper's data sets at three C, Q shared.
func BenchmarkFit(b *testing.B) {
	for _, size := range []struct{ n, classes int }{{150, 2}, {330, 2}, {540, 6}, {810, 2}} {
		K, labels := blobs(size.n, size.classes, .25, 1)
		var p svm.Problem
		must.Do(b, p.Reset(K, labels, nil))
		for _, c := range []float64{.1, 10, 1000} {
			b.Run(fmt.Sprintf("n=%d/classes=%d/C=%v", size.n, size.classes, c), func(b *testing.B) {
				b.ReportAllocs()
				iterations := 0
				for b.Loop() {
					p.Forget()
					m := must.Get(p.Fit(ctx, c, nil))
					iterations = 0
					for _, q := range m.Pairs {
						iterations += q.Iterations
					}
				}
				b.ReportMetric(float64(iterations), "iterations")
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(iterations), "ns/iteration")
			})
		}
	}
}
