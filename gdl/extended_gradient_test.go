package gdl_test

import (
	"context"
	"fmt"
	"math"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// Where the best pair (T, v) is an isolated vertex the optimal value is
// differentiable in every h_s, and v_s times the potentials are its gradient along
// the simplex. Central differences move the weights of one atom, repair the
// coupling and settle anew. The potentials' sum is 2 alpha E + (1 - alpha) F.
func TestWeightGradientsByFiniteDifferences(t *testing.T) {
	checked := 0
	for seed := range uint64(60) {
		rng := source(200 + seed)
		dim := int(seed%2) * 2
		alpha := 1 - 0.6*float64(seed%2)
		d := far(rng, 3, 5, dim, alpha)
		for s := range d.S {
			copy(d.C[s], kernel(rng, d.N))
			d.H[s] = gwtest.Weights(rng, d.N, 0.2)
		}
		g := kernels(rng, 1, 4, 8, dim)[0]
		mu := 0.05 * float64(seed%3)
		e := must.Get(d.Embed(context.Background(), []*gw.Space{g}, &gdl.UnmixSettings{Mu: mu}, 1))[0]
		at := must.Get(gdl.Settle(d, g, gdl.ExtendedState{W: e.W, V: e.V, T: e.T}, mu))
		support := 0
		for _, x := range at.T {
			if x > 0 {
				support++
			}
		}
		for _, x := range at.V {
			if x > 0 {
				support++
			}
		}
		model := must.Get(d.Model(at.W, at.V))
		value := gw.Objective(g, model, alpha, at.T)
		must.Within(t, value-mu*square(at.V), at.Objective, 1e-12, "seed %d: the settled value, and the objective", seed)
		if at.Gap > 1e-13 || support > g.N()+d.N {
			continue
		}
		structure := gw.Objective(g, model, 1, at.T)
		if dim > 0 {
			structure = gw.Objective(without(g), without(model), 1, at.T)
		}
		must.Within(t, at.Sum, value+alpha*structure, 1e-11, "seed %d: <u, p> + <v, h>, and 2 alpha E + (1 - alpha) F", seed)
		for s := range d.S {
			direction, mean := normal(rng, d.N), 0.0
			for _, x := range direction {
				mean += x / float64(d.N)
			}
			want, got := 0.0, 0.0
			const step = 1e-6
			for _, f := range []float64{step, -step} {
				c := d.Clone()
				for k := range direction {
					c.H[s][k] += f * (direction[k] - mean)
				}
				want += must.Get(gdl.Settle(c, g, at, mu)).Objective / (2 * f)
			}
			for k, x := range direction {
				got += at.V[s] * at.Potentials[k] * (x - mean)
			}
			what := fmt.Sprintf("seed %d, dim %d, mu %v, atom %d (v = %v)", seed, dim, mu, s, at.V[s])
			must.Within(t, got, want, 1e-6*max(1, math.Abs(want)), "%s: slope, and finite difference", what)
			if at.V[s] > 0 {
				checked++
			}
		}
	}
	t.Logf("%d slopes with v_s > 0 checked", checked)
	if checked < 30 {
		t.Errorf("only %d slopes were checked", checked)
	}
}

// without drops a space's features.
func without(s *gw.Space) *gw.Space { return space(gwtest.Structure(s), nil, s.N(), 0, s.P()) }
