package gdl_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/gdl"
	"ogdl/internal/sharedtest"
	"ogdl/ot/gw"
)

// BenchmarkUnmix embeds graphs one after the other in 12 atoms: adjacency
// matrices, GW, default settings. The time is that of one graph.
func BenchmarkUnmix(b *testing.B) {
	for _, c := range []struct {
		name, set string
		order     int
	}{
		{"IMDBx10", "IMDB-MULTI", 10},
		{"IMDBx17", "IMDB-BINARY", 17},
		{"MUTAGx10", "MUTAG", 10},
		{"MUTAGx17", "MUTAG", 17},
		{"ENZYMESx32", "ENZYMES", 32},
	} {
		b.Run(c.name, func(b *testing.B) {
			set, err := loader.Load(sharedtest.Data(b, c.set), c.set)
			if err != nil {
				b.Fatal(err)
			}
			benchmarkUnmix(b, set, c.order)
		})
	}
	b.Run("SBMx10", func(b *testing.B) {
		benchmarkUnmix(b, datasets.D1(nil, rand.New(rand.NewPCG(1, 1))), 10)
	})
}

func benchmarkUnmix(b *testing.B, set *datasets.Dataset, order int) {
	rng := rand.New(rand.NewPCG(7, 7))
	graphs := make([]*gw.Space, len(set.Graphs))
	for k := range graphs {
		g := &set.Graphs[k]
		var err error
		if graphs[k], err = gw.NewSpace(g.Adjacency(), nil, g.Order(), 0, nil); err != nil {
			b.Fatal(err)
		}
	}
	d, _, err := gdl.InitSample(graphs, 12, order, 1, rng)
	if err != nil {
		b.Fatal(err)
	}
	u, err := gdl.NewUnmixer(d)
	if err != nil {
		b.Fatal(err)
	}
	rng.Shuffle(len(graphs), func(i, j int) { graphs[i], graphs[j] = graphs[j], graphs[i] })
	graphs = graphs[:min(len(graphs), 100)]
	unmix := func(k int) gdl.Embedding {
		e, err := u.Unmix(context.Background(), graphs[k%len(graphs)], nil)
		if err != nil {
			b.Fatal(err)
		}
		return e
	}
	var objective, iterations, rounds float64
	for k := range graphs { // warms the workspace
		e := unmix(k)
		objective += e.Objective
		iterations += float64(e.Iterations)
		rounds += float64(e.Rounds)
	}
	b.ReportAllocs()
	for k := 0; b.Loop(); k++ {
		unmix(k)
	}
	n := float64(len(graphs))
	b.ReportMetric(objective/n, "objective")
	b.ReportMetric(iterations/n, "iterations")
	b.ReportMetric(rounds/n, "rounds")
}
