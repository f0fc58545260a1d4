package gdl_test

import (
	"context"
	"testing"

	"ogdl/datasets/loader"
	"ogdl/datasets/spaces"
	"ogdl/gdl"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// The learning curve: on IMDB-M, at equal settings, node weights of their
// own leave half of the objective.
func TestExtendedLearningCurve(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	ctx := context.Background()
	set := must.Get(loader.Load(sharedtest.Data(t, "IMDB-MULTI"), "IMDB-MULTI"))
	rng := source(0)
	graphs := must.First(spaces.Of(set, nil))
	d, _ := must.Get2(gdl.InitSample(graphs, 12, 10, 1, rng))
	rng.Shuffle(len(graphs), func(i, j int) { graphs[i], graphs[j] = graphs[j], graphs[i] })
	graphs = graphs[:120]
	opt := gdl.TrainSettings{Epochs: 6, Batch: 16, StepC: 0.01, NonNegative: true, Workers: 2}
	plain := must.Get(gdl.Train(ctx, graphs, d, &opt, source(1)))
	extended := must.Get(gdl.Train(ctx, graphs, must.Get(gdl.Extend(d, rng)), &opt, source(1)))
	t.Logf("GDL %.5f, GDL_h %.5f", plain.EpochLoss, extended.EpochLoss)
	last := len(plain.EpochLoss) - 1
	if !(extended.EpochLoss[last] < 0.8*plain.EpochLoss[last]) || !(extended.EpochLoss[last] < extended.EpochLoss[0]) {
		t.Errorf("GDL ends at %v, GDL_h goes from %v to %v", plain.EpochLoss[last], extended.EpochLoss[0], extended.EpochLoss[last])
	}
}

// The gradients of structures and features are those of the mean objective at
// fixed couplings and embeddings, with shared node weights and with every graph's own.
func TestAtomGradients(t *testing.T) {
	for k := range 4 {
		rng, dim := source(11), k/2*2
		alpha := 1 - 0.3*float64(dim)
		d := far(rng, 3, 5, dim, alpha)
		if k%2 == 1 {
			d.Q, d.H = d.H[0], nil
		}
		graphs := noisy(rng, 3, 4, 7, dim)
		for s := range d.S {
			gradC, gradA, _, es, err := gdl.ExtendedGradients(d, graphs, &gdl.UnmixSettings{}, s)
			must.Do(t, err)
			mean := func(d *gdl.Dictionary) float64 {
				sum := 0.0
				for k, g := range graphs {
					sum += gw.Objective(g, must.Get(d.Model(es[k].W, es[k].V)), alpha, tight(&es[k], g.N(), d.N)) / float64(len(graphs))
				}
				return sum
			}
			// The objective is quadratic: central differences are exact.
			check := func(what string, got float64, move func(d *gdl.Dictionary, f float64)) {
				const step = 1e-2
				a, b := d.Clone(), d.Clone()
				move(a, step)
				move(b, -step)
				must.Within(t, got, (mean(a)-mean(b))/(2*step), 1e-11, "case %d, atom %d, %s, and the difference", k, s, what)
			}
			for i := range d.N {
				for j := range i + 1 {
					got := gradC[i*d.N+j]
					if i != j {
						got += gradC[j*d.N+i]
					}
					check("structure", got, func(d *gdl.Dictionary, f float64) {
						d.C[s][i*d.N+j] += f
						d.C[s][j*d.N+i] = d.C[s][i*d.N+j]
					})
				}
			}
			for i, got := range gradA {
				check("feature", got, func(d *gdl.Dictionary, f float64) { d.A[s][i] += f })
			}
		}
	}
}
