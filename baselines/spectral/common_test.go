package spectral_test

import (
	"context"
	"math/rand/v2"

	"pgregory.net/rapid"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

var ctx = context.Background()

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func space(t rapid.TB, c, a []float64, n, d int) *gw.Space {
	t.Helper()
	return must.Get(gw.NewSpace(c, a, n, d, nil))
}

// random draws a graph of order n with d real features and weighted edges, so that
// the linear problems have no ties.
func random(rng *rand.Rand, n, d int) (c, a []float64) {
	c, a = make([]float64, n*n), make([]float64, n*d)
	for i := range n {
		for j := range i {
			c[i*n+j] = rng.Float64()
			c[j*n+i] = c[i*n+j]
		}
	}
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	return c, a
}
