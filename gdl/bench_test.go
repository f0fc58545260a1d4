package gdl_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/spaces"
	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// BenchmarkUnmix embeds graphs one after the other in 12 atoms: adjacency
// matrices, default settings; GW, or FGW on the node attributes; shared node weights,
// or the atoms' own, far apart as a trained dictionary has them. The time is that of one graph.
func BenchmarkUnmix(b *testing.B) {
	for _, c := range []struct {
		name, set string
		order     int
		features  datasets.FeatureKind
		own       bool
	}{
		{"IMDBx10", "IMDB-MULTI", 10, "", false},
		{"IMDBx17", "IMDB-BINARY", 17, "", false},
		{"MUTAGx17", "MUTAG", 17, "", false},
		{"ENZYMESx32", "ENZYMES", 32, "", false},
		{"BZRx35/FGW", "BZR", 35, datasets.KindAttributes, false},
		{"ENZYMESx32/FGW", "ENZYMES", 32, datasets.KindAttributes, false},
		{"SBMx10", "", 10, "", false},
		{"IMDBx10/own", "IMDB-MULTI", 10, "", true},
		{"MUTAGx17/own", "MUTAG", 17, "", true},
		{"ENZYMESx32/own", "ENZYMES", 32, "", true},
	} {
		b.Run(c.name, func(b *testing.B) {
			rng := rand.New(rand.NewPCG(7, 7))
			var graphs []*gw.Space
			if c.set == "" {
				graphs = must.First(spaces.Of(must.Get(datasets.D1(nil, rand.New(rand.NewPCG(1, 1)))), nil))
			} else {
				graphs, _ = gwtest.Load(b, c.set, datasets.KindAdjacency, c.features)
			}
			alpha := 1.0
			if c.features != "" {
				alpha = 0.5
			}
			d := must.First(gdl.InitSample(graphs, 12, c.order, alpha, rng))
			if c.own {
				d = must.Get(gdl.Extend(d, rng))
				for s := range d.H {
					d.H[s] = gwtest.Weights(rng, c.order, 0)
				}
			}
			rng.Shuffle(len(graphs), func(i, j int) { graphs[i], graphs[j] = graphs[j], graphs[i] })
			graphs = graphs[:min(len(graphs), 100)]
			u := must.Get(gdl.NewUnmixer(d))
			var objective, iterations, rounds float64
			for _, g := range graphs { // warms the workspace
				e := must.Get(u.Unmix(context.Background(), g, nil))
				objective += e.Objective
				iterations += float64(e.Iterations)
				rounds += float64(e.Rounds)
			}
			b.ReportAllocs()
			for k := 0; b.Loop(); k++ {
				must.Get(u.Unmix(context.Background(), graphs[k%len(graphs)], nil))
			}
			n := float64(len(graphs))
			b.ReportMetric(objective/n, "objective")
			b.ReportMetric(iterations/n, "iterations")
			b.ReportMetric(rounds/n, "rounds")
		})
	}
}

// BenchmarkOnline is one step of a stream of graphs of 4 to 25 nodes: 4 atoms of order 17, batch
// 1, SGD with step 0.01, a detector. 30,000 steps in 60 s are 2 ms each.
func BenchmarkOnline(b *testing.B) {
	for _, dim := range []int{0, 1} {
		b.Run([]string{"structures", "features"}[dim], func(b *testing.B) {
			graphs := binary(source(1), 500, 4, 25, dim)
			o := online(b, start(source(2), 4, 17, dim, 0.5), gdl.OnlineSettings{NonNegative: true, Detector: &gdl.ChangePointSettings{}}, nil)
			for k := range graphs { // warms the workspace, and lets the atoms settle
				must.Get(o.Step(context.Background(), graphs[k:k+1]))
			}
			b.ReportAllocs()
			for k := 0; b.Loop(); k++ {
				must.Get(o.Step(context.Background(), graphs[k%len(graphs):][:1]))
			}
			b.ReportMetric(float64(o.Stats().Iterations)/float64(o.Steps()), "iterations")
		})
	}
}
