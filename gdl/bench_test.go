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

// BenchmarkUnmix embeds graphs one after the other in 12 atoms: adjacency
// matrices, default settings; GW, or FGW on the node attributes. The time is that of one graph.
func BenchmarkUnmix(b *testing.B) {
	for _, c := range []struct {
		name, set string
		order     int
		features  string
		alpha     float64
	}{
		{"IMDBx10", "IMDB-MULTI", 10, "", 1},
		{"IMDBx17", "IMDB-BINARY", 17, "", 1},
		{"MUTAGx10", "MUTAG", 10, "", 1},
		{"MUTAGx17", "MUTAG", 17, "", 1},
		{"ENZYMESx32", "ENZYMES", 32, "", 1},
		{"BZRx35/FGW", "BZR", 35, "attributes", 0.5},
		{"ENZYMESx32/FGW", "ENZYMES", 32, "attributes", 0.5},
	} {
		b.Run(c.name, func(b *testing.B) {
			set := must.Get(loader.Load(sharedtest.Data(b, c.set), c.set))
			benchmarkUnmix(b, set, c.features, c.alpha, c.order)
		})
	}
	b.Run("SBMx10", func(b *testing.B) {
		benchmarkUnmix(b, must.Get(datasets.D1(nil, rand.New(rand.NewPCG(1, 1)))), "", 1, 10)
	})
}

func benchmarkUnmix(b *testing.B, set *datasets.Dataset, features string, alpha float64, order int) {
	rng := rand.New(rand.NewPCG(7, 7))
	rows, dim, err := datasets.Features{Kind: datasets.FeatureKind(features)}.Of(set)
	if err != nil {
		b.Fatal(err)
	}
	graphs := make([]*gw.Space, len(set.Graphs))
	for k := range graphs {
		g := &set.Graphs[k]
		var a []float64
		if dim > 0 {
			a = rows[k]
		}
		graphs[k] = must.Get(gw.NewSpace(g.Adjacency(), a, g.Order(), dim, nil))
	}
	d, _ := must.Get2(gdl.InitSample(graphs, 12, order, alpha, rng))
	u := must.Get(gdl.NewUnmixer(d))
	rng.Shuffle(len(graphs), func(i, j int) { graphs[i], graphs[j] = graphs[j], graphs[i] })
	graphs = graphs[:min(len(graphs), 100)]
	benchmarkEmbed(b, graphs, func(g *gw.Space) gdl.Embedding { return must.Get(u.Unmix(context.Background(), g, nil)) })
}
