package spectral_test

import (
	"math"
	"testing"

	"ogdl/baselines/spectral"
	"ogdl/internal/test/must"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

// TestScale holds that distances count in units of 1/gamma, to the last bit for a power of two.
func TestScale(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "graphs")
		k := rapid.IntRange(1, n).Draw(t, "clusters")
		s := math.Ldexp(1, rapid.IntRange(-300, 300).Draw(t, "exponent"))
		D, _ := blobs(newRand(rapid.Uint64().Draw(t, "seed")), n, k, 1)
		want := must.Get(spectral.Embed(ctx, D, n, k, 3))
		got := must.Get(spectral.Embed(ctx, gwtest.Times(D, s), n, k, 3/s))
		must.Same(t, got, want, "scale %v", s)
	})
}
