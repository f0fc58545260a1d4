package gwf

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"ogdl/datasets/loader"
	"ogdl/internal/sharedtest"
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

func movies(b *testing.B) []*gw.Space {
	set := must.Get(loader.Load(sharedtest.Data(b, "IMDB-MULTI"), "IMDB-MULTI"))
	var graphs []*gw.Space
	for k := range set.Graphs {
		graphs = append(graphs, must.Get(gw.NewSpace(set.Graphs[k].Adjacency(), nil, set.Graphs[k].Order(), 0, nil)))
	}
	rng := source(60)
	rng.Shuffle(len(graphs), func(i, j int) { graphs[i], graphs[j] = graphs[j], graphs[i] })
	return graphs
}

// BenchmarkEmbed embeds graphs one after the other in 12 learned atoms, to relative
// precision 1e-4 of the loss, with 50 outer steps for each coupling as released. The
// time is that of one graph; median_ms is the median over graphs.
func BenchmarkEmbed(b *testing.B) {
	for _, c := range []struct {
		name   string
		graphs func(b *testing.B) []*gw.Space
		fixed  bool
	}{
		{"generated/random", func(*testing.B) []*gw.Space { return actors(source(61), 300) }, false},
		{"IMDB-M/random", movies, false},
		{"IMDB-M/fixed", movies, true},
	} {
		b.Run(c.name, func(b *testing.B) {
			graphs := c.graphs(b)
			graphs = graphs[:300]
			init := must.Get(InitRandomOrder(graphs, 12, 1, source(62)))
			if c.fixed {
				init, _, _ = InitFixedOrder(graphs, 12, 10, 1, source(62))
			}
			set := Settings{Transport: Transport{Outer: 5}, Warm: true, Epochs: 2}
			r := must.Get(Train(context.Background(), graphs[100:], init, &set, source(63)))
			e := must.Get(NewEmbedder(r.Model))
			graphs = graphs[:100]
			times := make([]float64, len(graphs))
			loss, steps := 0.0, 0.0
			for pass := range 2 { // the first warms the workspace
				for k, g := range graphs {
					begin := time.Now()
					out := must.Get(e.Embed(context.Background(), g, nil))
					times[k] = time.Since(begin).Seconds() * 1e3
					if pass == 1 {
						loss += out.Loss / float64(len(graphs))
						steps += float64(out.Stats.Steps) / float64(out.Stats.Couplings) / float64(len(graphs))
					}
				}
			}
			b.ReportAllocs()
			for k := 0; b.Loop(); k++ {
				must.Get(e.Embed(context.Background(), graphs[k%len(graphs)], nil))
			}
			slices.Sort(times)
			b.ReportMetric(times[len(times)/2], "median_ms")
			b.ReportMetric(times[len(times)*9/10], "p90_ms")
			b.ReportMetric(loss, "loss")
			b.ReportMetric(steps, "steps/coupling")
		})
	}
}

// BenchmarkTrain is one epoch over 100 generated graphs and 6 atoms of random order.
func BenchmarkTrain(b *testing.B) {
	graphs := actors(source(64), 100)
	init := must.Get(InitRandomOrder(graphs, 6, 1, source(65)))
	for name, set := range map[string]Settings{
		"cold": {Epochs: 1}, "warm5": {Epochs: 1, Warm: true, Transport: Transport{Outer: 5}},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				must.Get(Train(context.Background(), graphs, init, &set, source(66)))
			}
		})
	}
}
