package gdl_test

import (
	"context"
	"math"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/sharedtest"
	"ogdl/ot/gw"
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
			d.H[s] = gdl.RandomWeights(rng, d.N)
		}
		g := kernels(rng, 1, 4, 8, dim)[0]
		mu := 0.05 * float64(seed%3)
		e := must(d.Embed(context.Background(), []*gw.Space{g}, &gdl.UnmixSettings{Mu: mu}, 1))[0]
		at := must(gdl.Settle(d, g, gdl.ExtendedState{W: e.W, V: e.V, T: e.T}, mu))
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
		model := must(d.Model(at.W, at.V))
		value := gw.Objective(g, model, alpha, at.T)
		if math.Abs(value-mu*square(at.V)-at.Objective) > 1e-12 {
			t.Errorf("seed %d: settled at %v, objective %v", seed, at.Objective, value-mu*square(at.V))
		}
		if at.Gap > 1e-13 || support > g.N()+d.N {
			continue
		}
		structure := gw.Objective(g, model, 1, at.T)
		if dim > 0 {
			structure = gw.Objective(without(g), without(model), 1, at.T)
		}
		if want := value + alpha*structure; math.Abs(at.Sum-want) > 1e-11 {
			t.Errorf("seed %d: <u, p> + <v, h> = %v, want 2 alpha E + (1 - alpha) F = %v", seed, at.Sum, want)
		}
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
				want += must(gdl.Settle(c, g, at, mu)).Objective / (2 * f)
			}
			for k, x := range direction {
				got += at.V[s] * at.Potentials[k] * (x - mean)
			}
			if math.Abs(got-want) > 1e-6*max(1, math.Abs(want)) {
				t.Errorf("seed %d, dim %d, mu %v, atom %d (v = %v): slope %v, finite difference %v", seed, dim, mu, s, at.V[s], got, want)
			}
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
func without(s *gw.Space) *gw.Space {
	c, ld := s.C()
	n := s.N()
	var flat []float64
	for i := range n {
		flat = append(flat, c[i*ld:i*ld+n]...)
	}
	return space(flat, nil, n, 0, s.P())
}

// With one atom the potentials are those of proposition 3, doubled.
func TestReferenceWeightGradient(t *testing.T) {
	var f extendedFile
	sharedtest.JSON(t, "misc.json", &f)
	for i, e := range f.Gradient.Examples {
		n, m := len(e.P), len(e.Q)
		d := must(gdl.Extend(must(gdl.NewDictionary(1, m, 0, 1)), source(1)))
		d.C[0], d.H[0] = e.C2.flat(), e.Q
		g := space(e.C1.flat(), nil, n, 0, e.P)
		at := must(gdl.Settle(d, g, gdl.ExtendedState{W: []float64{1}, V: []float64{1}, T: e.T.flat()}, 0))
		if math.Abs(at.Objective-e.GW) > 1e-9 || math.Abs(at.Sum-2*e.GW) > 1e-9 {
			t.Errorf("example %d: objective %v, want %v; sum of potentials %v", i, at.Objective, e.GW, at.Sum)
		}
		near(t, "potentials", at.Potentials, e.V, 1e-9)
		slope := 0.0
		for k, x := range e.Direction {
			slope += x * at.Potentials[k]
		}
		if math.Abs(slope-e.FiniteDifference) > 1e-7 {
			t.Errorf("example %d: slope %v, finite difference %v", i, slope, e.FiniteDifference)
		}
	}
}
