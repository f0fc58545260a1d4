package gwf

import (
	"context"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// What a graph is reconstructed as lies at the embedding's loss from it, under the
// identity coupling, with features and without, whatever the workers.
func TestReconstructionHasTheLoss(t *testing.T) {
	ctx := context.Background()
	for _, d := range []int{0, 2} {
		rng := source(60)
		alpha := 1.0
		if d > 0 {
			alpha = 0.4
		}
		graphs := randomGraphs(rng, 6, 4, 9, d)
		m := must.Get(InitRandomOrder(graphs, 3, alpha, rng))
		es := must.Get(m.Embed(ctx, graphs, nil, 1))
		var W []float64
		for _, e := range es {
			W = append(W, e.W...)
		}
		models := must.Get(m.Reconstruct(ctx, graphs, W, nil, 1))
		again := must.Get(m.Reconstruct(ctx, graphs, W, nil, 3))
		for i, g := range graphs {
			x := models[i]
			at, loss := gw.Objective(g, x, alpha, gwtest.Diagonal(g.P())), es[i].Loss
			must.Within(t, at, loss, 1e-9*(1+loss), "d %d, graph %d: objective, and loss", d, i)
			must.Same(t, again[i], x, "d %d, graph %d: with other workers", d, i)
		}
	}
}

func TestReconstructErrors(t *testing.T) {
	rng := source(61)
	graphs := randomGraphs(rng, 3, 4, 6, 0)
	m := must.Get(InitRandomOrder(graphs, 2, 1, rng))
	for want, W := range map[string][]float64{
		"sum to":   {0.5, 0.5, 0.5, 0.4, 1, 0},
		"weight 1": {0.5, 0.5, 1.5, -0.5, 1, 0},
	} {
		err := must.Err(m.Reconstruct(context.Background(), graphs, W, nil, 1))
		must.Fail(t, err, want, W)
		must.Fail(t, err, "graph 1", W)
	}
}
