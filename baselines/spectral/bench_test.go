package spectral_test

import (
	"context"
	"fmt"
	"testing"

	"ogdl/baselines/spectral"
	"ogdl/internal/test/must"
)

// BenchmarkEmbed embeds distinct points; equal graphs would cost nothing.
func BenchmarkEmbed(b *testing.B) {
	for _, n := range []int{188, 705, 1000, 1500} {
		b.Run(fmt.Sprintf("n=%d", n), func(b *testing.B) {
			D, _ := blobs(newRand(1), n, 3, 2)
			for b.Loop() {
				must.Get(spectral.Embed(context.Background(), D, n, 3, 1))
			}
		})
	}
}

func BenchmarkLabels(b *testing.B) {
	const n, k = 1000, 6
	D, _ := blobs(newRand(1), n, k, 2)
	e := must.Get(spectral.Embed(context.Background(), D, n, k, 1))
	for _, labels := range all {
		b.Run(string(labels), func(b *testing.B) {
			rng := newRand(1)
			for b.Loop() {
				must.Get(e.Cluster(&spectral.Settings{Labels: labels}, rng))
			}
		})
	}
}
