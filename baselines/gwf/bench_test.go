package gwf

import (
	"context"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// actors are graphs like those of IMDB-M: a few cliques that share one actor,
// median order 10, up to 89.
func actors(rng *rand.Rand, count int) []*gw.Space {
	out := make([]*gw.Space, count)
	for k := range out {
		n := min(7+int(rng.ExpFloat64()*5), 89)
		c := make([]float64, n*n)
		for from := 1; from < n; {
			to := min(from+3+rng.IntN(8), n)
			clique := append([]int{0}, make([]int, 0, n)...)
			for i := from; i < to; i++ {
				clique = append(clique, i)
			}
			for _, i := range clique {
				for _, j := range clique {
					if i != j {
						c[i*n+j] = 1
					}
				}
			}
			from = to
		}
		out[k] = must.Get(gw.NewSpace(c, nil, n, 0, nil))
	}
	return out
}

// BenchmarkEmbed embeds graphs one after the other in 12 learned atoms, to relative
// precision 1e-4 of the loss, with 50 outer steps for each coupling as released. The
// time is that of one graph.
func BenchmarkEmbed(b *testing.B) {
	graphs := actors(source(61), 300)
	init := must.Get(InitRandomOrder(graphs, 12, 1, source(62)))
	set := Settings{Transport: Transport{Outer: 5}, Warm: true, Epochs: 2}
	e := must.Get(NewEmbedder(must.Get(Train(context.Background(), graphs[100:], init, &set, source(63))).Model))
	loss, steps := 0.0, 0.0
	for _, g := range graphs[:100] { // warms the workspace
		out := must.Get(e.Embed(context.Background(), g, nil))
		loss += out.Loss / 100
		steps += float64(out.Stats.Steps) / float64(out.Stats.Couplings) / 100
	}
	b.ReportAllocs()
	for k := 0; b.Loop(); k++ {
		must.Get(e.Embed(context.Background(), graphs[k%100], nil))
	}
	b.ReportMetric(loss, "loss")
	b.ReportMetric(steps, "steps/coupling")
}

// BenchmarkTrain is one epoch over 100 generated graphs and 6 atoms of random order.
func BenchmarkTrain(b *testing.B) {
	graphs := actors(source(64), 100)
	init := must.Get(InitRandomOrder(graphs, 6, 1, source(65)))
	for b.Loop() {
		must.Get(Train(context.Background(), graphs, init, &Settings{Epochs: 1, Warm: true, Transport: Transport{Outer: 5}}, source(66)))
	}
}
