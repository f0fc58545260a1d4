package gdl_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/gdl"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// BenchmarkExtendedUnmix is BenchmarkUnmix with node weights for every atom, from
// U(0.9, 1) ("near", as training starts) or from U(0, 1) ("far", as a trained
// dictionary may look), and, beside them, with the same atoms and shared weights.
func BenchmarkExtendedUnmix(b *testing.B) {
	for _, c := range []struct {
		name, set string
		order     int
	}{
		{"IMDBx10", "IMDB-MULTI", 10},
		{"MUTAGx17", "MUTAG", 17},
		{"ENZYMESx32", "ENZYMES", 32},
	} {
		set := must.Get(loader.Load(sharedtest.Data(b, c.set), c.set))
		rng := rand.New(rand.NewPCG(7, 7))
		graphs := adjacencies(b, set)
		d, _ := must.Get2(gdl.InitSample(graphs, 12, c.order, 1, rng))
		rng.Shuffle(len(graphs), func(i, j int) { graphs[i], graphs[j] = graphs[j], graphs[i] })
		graphs = graphs[:min(len(graphs), 100)]
		near := must.Get(gdl.Extend(d, rng))
		far := near.Clone()
		for _, h := range far.H {
			sum := 0.0
			for k := range h {
				h[k] = rng.Float64()
				sum += h[k]
			}
			for k := range h {
				h[k] /= sum
			}
		}
		u := must.Get(gdl.NewUnmixer(d))
		b.Run(c.name+"/shared", func(b *testing.B) {
			benchmarkEmbed(b, graphs, func(g *gw.Space) gdl.Embedding {
				return must.Get(u.Unmix(context.Background(), g, nil))
			})
		})
		for name, d := range map[string]*gdl.Dictionary{"near": near, "far": far} {
			u := must.Get(gdl.NewUnmixer(d))
			for steps, set := range map[string]*gdl.UnmixSettings{"": nil, "/corrective": {WStep: gdl.FullyCorrective}} {
				b.Run(c.name+"/"+name+steps, func(b *testing.B) {
					benchmarkEmbed(b, graphs, func(g *gw.Space) gdl.Embedding {
						return must.Get(u.Unmix(context.Background(), g, set))
					})
				})
			}
		}
	}
}

func adjacencies(t testing.TB, set *datasets.Dataset) []*gw.Space {
	graphs := make([]*gw.Space, len(set.Graphs))
	for k := range graphs {
		g := &set.Graphs[k]
		graphs[k] = must.Get(gw.NewSpace(g.Adjacency(), nil, g.Order(), 0, nil))
	}
	return graphs
}

func benchmarkEmbed(b *testing.B, graphs []*gw.Space, unmix func(*gw.Space) gdl.Embedding) {
	var objective, iterations, rounds float64
	for _, g := range graphs { // warms the workspace
		e := unmix(g)
		objective += e.Objective
		iterations += float64(e.Iterations)
		rounds += float64(e.Rounds)
	}
	b.ReportAllocs()
	for k := 0; b.Loop(); k++ {
		unmix(graphs[k%len(graphs)])
	}
	n := float64(len(graphs))
	b.ReportMetric(objective/n, "objective")
	b.ReportMetric(iterations/n, "iterations")
	b.ReportMetric(rounds/n, "rounds")
}
