package gwf

import (
	"context"
	"math"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// A permuted copy of an atom is found again.
func TestCopiesOfAtomsAreFound(t *testing.T) {
	rng := source(41)
	m := must.Get(InitRandomOrder(randomGraphs(rng, 4, 6, 9, 2), 4, 0.5, rng))
	for k, y := range must.Get(m.spaces()) {
		e := must.Get(m.Embed(context.Background(), []*gw.Space{gwtest.Relabelled(y, rng.Perm(y.N()))}, &EmbedSettings{Transport: Transport{Gamma: 0.02, Outer: 200}}, 1))[0]
		if !(e.W[k] >= 0.97) || !(e.Loss <= 1e-3) {
			t.Errorf("copy of atom %d: weights %v, loss %v", k, e.W, e.Loss)
		}
	}
}

func TestEmbedding(t *testing.T) {
	rng := source(42)
	graphs := randomGraphs(rng, 12, 3, 9, 2)
	m := must.Get(InitRandomOrder(graphs, 4, 0.5, rng))
	one := must.Get(m.Embed(context.Background(), graphs, nil, 1))
	three := must.Get(m.Embed(context.Background(), graphs, nil, 3))
	embedder := must.Get(NewEmbedder(m))
	for i, e := range one {
		if !slices.Equal(e.W, three[i].W) || e.Loss != three[i].Loss {
			t.Errorf("graph %d: another embedding with three workers", i)
		}
		if r := must.Get(embedder.Embed(context.Background(), graphs[i], nil)); !slices.Equal(r.W, e.W) || !slices.Equal(r.Z, e.Z) {
			t.Errorf("graph %d: another embedding one at a time", i)
		}
		if !(e.Bound <= e.Loss) || e.Loss-e.Bound > 1e-4*e.Loss+1e-13 {
			t.Errorf("graph %d: loss %v, bound %v", i, e.Loss, e.Bound)
		}
		w, sum := make([]float64, 4), 0.0
		softmax(e.Z, w)
		for k := range w {
			sum += e.Z[k]
			must.Within(t, w[k], e.W[k], 1e-12, "graph %d: softmax of z, and weight %d", i, k)
		}
		must.Within(t, sum, 0, 1e-9, "graph %d: sum of z", i)
		must.Check(t, e.Stats.Couplings, 4, "couplings")
		// The loss is that of the couplings and weights.
		f := prepared(t, m, graphs[i], e.W, Transport{})
		v, _, _ := byDefinition(m, graphs[i], e.W, f.couplings())
		must.Within(t, e.Loss, v, 1e-12, "graph %d: loss, and by definition", i)
	}
}

// The full barycentre is nearer to the atoms, which is what it minimises, and an
// embedding with it is within its precision of the graph's best weights.
func TestFullBarycentreIsNearerToTheAtoms(t *testing.T) {
	rng := source(43)
	graphs := randomGraphs(rng, 15, 5, 8, 0)
	m := must.Get(InitRandomOrder(graphs, 3, 1, rng))
	w := []float64{0.5, 0.3, 0.2}
	total := func(barycentre Barycentre) (sum float64) {
		for _, g := range graphs {
			f := prepared(t, m, g, w, Transport{Gamma: 0.01, Barycentre: barycentre})
			x := must.Get(f.barycentre(w, false))
			for k, T := range f.couplings() {
				sum += w[k] * gw.Objective(x, f.atoms.spaces[k], 1, T)
			}
		}
		return sum
	}
	if one, full := total(OneStep), total(Full); !(full < 0.98*one) {
		t.Errorf("weighted objectives to the atoms: full barycentres %v, one-step %v", full, one)
	}
	for i, e := range must.Get(m.Embed(context.Background(), graphs, &EmbedSettings{Transport: Transport{Gamma: 0.01, Barycentre: Full}}, 2)) {
		if !(e.Loss-e.Bound <= 1e-4*e.Loss+1e-13) {
			t.Errorf("graph %d: loss %v, bound %v", i, e.Loss, e.Bound)
		}
	}
}

func TestEmbedErrors(t *testing.T) {
	m := must.Get(InitRandomOrder(randomGraphs(source(44), 3, 3, 5, 0), 2, 1, source(45)))
	g := randomGraph(source(46), 4, 0, false)
	e := must.Get(NewEmbedder(m))
	for want, set := range map[string]EmbedSettings{
		"precision 2":   {Precision: 2},
		"gamma is +Inf": {Transport: Transport{Gamma: math.Inf(1)}},
	} {
		must.Fail(t, must.Err(e.Embed(context.Background(), g, &set)), want)
	}
	m.Alpha = 0.5
	must.Fail(t, must.Err(NewEmbedder(m)), "alpha is 0.5 without features")
}

func TestWarmEmbedderAllocatesNothing(t *testing.T) {
	rng := source(48)
	graphs := randomGraphs(rng, 6, 4, 9, 2)
	e := must.Get(NewEmbedder(must.Get(InitRandomOrder(graphs, 4, 0.5, rng))))
	all := func() {
		for _, g := range graphs {
			must.Get(e.Embed(context.Background(), g, nil))
		}
	}
	all()
	must.Check(t, testing.AllocsPerRun(5, all), 0, "allocations")
}
