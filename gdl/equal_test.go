package gdl_test

import (
	"context"
	"slices"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// repeated is a list in which graphs come back: as the same Space, and as another of the same numbers.
func repeated(dim int) []*gw.Space {
	g := noisy(source(3), 4, 4, 9, dim)
	again := func(g *gw.Space) *gw.Space {
		return space(gwtest.Structure(g), slices.Clone(g.A()), g.N(), dim, slices.Clone(g.P()))
	}
	return []*gw.Space{g[0], g[1], again(g[0]), g[2], g[1], again(g[0]), g[3], again(g[2])}
}

// Equal graphs are embedded once, and each has an embedding of its own, as if it were alone.
func TestEqualGraphsEmbedAlike(t *testing.T) {
	ctx := context.Background()
	for _, dim := range []int{0, 2} {
		graphs := repeated(dim)
		d := far(source(5), 3, 5, dim, 0.5)
		plain := &gdl.Dictionary{S: d.S, N: d.N, D: d.D, Alpha: d.Alpha, C: d.C, A: d.A, Q: d.H[0]}
		all := must.Get(plain.Embed(ctx, graphs, nil, 2))
		allH := must.Get(d.Embed(ctx, graphs, nil, 2))
		for k := range graphs {
			alone, aloneH := must.Get(plain.Embed(ctx, graphs[k:k+1], nil, 1)), must.Get(d.Embed(ctx, graphs[k:k+1], nil, 1))
			must.Same(t, all[k], alone[0], "dim %d: graph %d among others, and alone", dim, k)
			must.Same(t, allH[k], aloneH[0], "dim %d, own node weights: graph %d among others, and alone", dim, k)
			for _, x := range [][]float64{all[k].W, all[k].T, all[k].Trace, allH[k].W, allH[k].V, allH[k].H, allH[k].T, allH[k].Trace} {
				for i := range x {
					x[i] = -1 // must not reach an equal graph's
				}
			}
		}
	}
}

// A graph that differs in one number, or in what the numbers are, is not equal.
func TestAlmostEqualGraphsEmbedApart(t *testing.T) {
	c := []float64{0, 1, 0.5, 1, 0, 0.25, 0.5, 0.25, 0}
	other := slices.Clone(c)
	other[1], other[3] = 0.75, 0.75
	p := []float64{0.5, 0.25, 0.25}
	graphs := []*gw.Space{space(c, nil, 3, 0, nil), space(other, nil, 3, 0, nil), space(c, nil, 3, 0, p)}
	es := must.Get(start(source(1), 2, 4, 0, 1).Embed(context.Background(), graphs, nil, 1))
	for k := range es {
		for l := range k {
			if es[k].Objective == es[l].Objective {
				t.Errorf("graphs %d and %d have one objective, %v", l, k, es[k].Objective)
			}
		}
	}
}

// Training unmixes equal graphs of a batch once, and nothing of what it leaves changes.
func TestTrainingOnEqualGraphs(t *testing.T) {
	for _, dim := range []int{0, 2} {
		graphs := repeated(dim)
		init := start(source(5), 3, 5, dim, 0.5)
		for _, workers := range []int{1, 3} {
			set := &gdl.TrainSettings{Epochs: 4, Batch: 6, NonNegative: true, Workers: workers}
			got := must.Get(gdl.Train(context.Background(), graphs, init, set, source(7)))
			want := must.Get(gdl.TrainEach(graphs, init, set, source(7)))
			must.Same(t, got, want, "dim %d, %d workers: training, and without equal graphs", dim, workers)
		}
	}
}
