package gdl_test

import (
	"context"
	"slices"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

func TestExtendedCapsAreCounted(t *testing.T) {
	rng := source(6)
	d := far(rng, 3, 6, 0, 1)
	set := new(gdl.UnmixSettings)
	set.GW = gw.Settings{MaxIter: 1, TolAbs: -1, TolRel: -1}
	e := must.Get(d.Embed(context.Background(), noisy(rng, 1, 8, 9, 0), set, 1))[0]
	if e.CapHits == 0 || e.CapHits > e.Solves || e.Iterations != e.Solves {
		t.Errorf("%d of %d solves at the cap, %d iterations", e.CapHits, e.Solves, e.Iterations)
	}
}

// Gradients are means over the batch: a graph twice is a graph once.
func TestExtendedBatchIsAMean(t *testing.T) {
	rng := source(7)
	d := far(rng, 2, 5, 0, 1)
	g := noisy(rng, 1, 6, 8, 0)[0]
	var h [2][][]float64
	for k, graphs := range [][]*gw.Space{{g}, {g, g}} {
		set := &gdl.TrainSettings{StepH: 0.01}
		set.Epochs, set.Batch, set.Optimizer, set.StepC = 1, len(graphs), gdl.SGD, 0.01
		h[k] = must.Get(gdl.Train(context.Background(), graphs, d, set, source(1))).Dictionary.H
	}
	for s := range h[0] {
		must.Near(t, "node weights", h[1][s], h[0][s], 1e-14)
	}
	if slices.Equal(h[0][0], d.H[0]) && slices.Equal(h[0][1], d.H[1]) {
		t.Error("no node weight moved")
	}
}
