package gw_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/ot/gw"
)

func TestProximalValue(t *testing.T) {
	for _, gamma := range []float64{1, .1, .01, .001} {
		for seed := range uint64(3) {
			rng := rand.New(rand.NewPCG(seed, 1))
			c, a, p := noisy(rng, 13, 2, true)
			c2, a2, p2 := noisy(rng, 10, 2, false)
			x, y := space(t, c, a, p, 2), space(t, c2, a2, p2, 2)
			var s gw.Proximal
			r, err := s.Solve(ctx, x, y, 0.5, nil, &gw.ProximalSettings{Gamma: gamma})
			if err != nil {
				t.Fatal(err)
			}
			if v := gw.Objective(x, y, 0.5, r.T); math.Abs(v-r.Value) > 1e-12*(1+v) {
				t.Errorf("gamma %v: value %v, objective at the coupling %v", gamma, r.Value, v)
			}
		}
	}
}
