package spectral_test

import (
	"context"
	"math/rand/v2"
)

var ctx = context.Background()

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }
