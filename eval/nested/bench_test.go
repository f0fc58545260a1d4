package nested_test

import (
	"math/rand/v2"
	"testing"

	"ogdl/eval/nested"
	"ogdl/internal/test/must"
)

// BenchmarkSearch is a search of the paper's size, 3150 fits on 188 examples.
func BenchmarkSearch(b *testing.B) {
	const n = 188
	rng := rand.New(rand.NewPCG(1, 1))
	labels, x := make([]int, n), make([][4]float64, n)
	for i := range n {
		labels[i] = i % 3 / 2
		for k := range x[i] {
			x[i][k] = rng.NormFloat64() + float64(labels[i])
		}
	}
	D := make([]float64, n*n)
	for i := range n {
		for j := range n {
			for k := range x[i] {
				D[i*n+j] += (x[i][k] - x[j][k]) * (x[i][k] - x[j][k])
			}
		}
	}
	kernel := must.Get(nested.Exponential(D, n))
	s := released(b, labels, 0)
	for b.Loop() {
		search(b, kernel, labels, s, nil)
	}
}
