package kernels_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"ogdl/baselines/kernels"
	"ogdl/datasets"
	"ogdl/internal/test/must"
)

// kernel is a kernel with settings of the paper, all values of its parameter at once.
type kernel struct {
	name       string
	labels     bool // it needs labels
	attributes bool
	matrices   func(ctx context.Context, graphs []kernels.Graph) ([][]float64, error)
}

// one makes a list of one matrix.
func one(K []float64, err error) ([][]float64, error) { return [][]float64{K}, err }

// all are the kernels that the properties are tested on, and whose time is taken.
var all = []kernel{
	{"SPK", true, false, func(ctx context.Context, g []kernels.Graph) ([][]float64, error) {
		return one(kernels.ShortestPath(ctx, g, kernels.WithLabels))
	}},
	{"SPK-unlabelled", false, false, func(ctx context.Context, g []kernels.Graph) ([][]float64, error) {
		return one(kernels.ShortestPath(ctx, g, kernels.WithoutLabels))
	}},
	{"WLK", true, false, func(ctx context.Context, g []kernels.Graph) ([][]float64, error) {
		return kernels.WeisfeilerLehman(ctx, g, 9)
	}},
	{"GK", false, false, func(ctx context.Context, g []kernels.Graph) ([][]float64, error) {
		return one(kernels.Graphlets(ctx, g))
	}},
	{"RWK", true, false, func(ctx context.Context, g []kernels.Graph) ([][]float64, error) {
		return kernels.RandomWalk(ctx, g, []float64{1e-6, 1e-2, 1e-3, 1e-4, 1e-5}, kernels.WithLabels, 1)
	}},
	{"RWK-unlabelled", false, false, func(ctx context.Context, g []kernels.Graph) ([][]float64, error) {
		return kernels.RandomWalk(ctx, g, []float64{1e-5, 1e-6}, kernels.WithoutLabels, 1)
	}},
	{"HOPPERK", false, true, func(ctx context.Context, g []kernels.Graph) ([][]float64, error) {
		return one(kernels.GraphHopper(ctx, g))
	}},
	{"HOPPERK-gaussian", false, true, func(ctx context.Context, g []kernels.Graph) ([][]float64, error) {
		return one(kernels.GraphHopperGaussian(ctx, g, .5, 1))
	}},
	{"PROPAK", false, true, func(ctx context.Context, g []kernels.Graph) ([][]float64, error) {
		draws, err := kernels.NewDraws(20, attributes(g), 4, rand.New(rand.NewPCG(1, 2)))
		if err != nil {
			return nil, err
		}
		return kernels.Propagation(ctx, g, draws, []int{1, 3, 5, 8, 10, 15, 20})
	}},
}

// attributes is how many a node has.
func attributes(graphs []kernels.Graph) int {
	for i := range graphs {
		if n := graphs[i].Order(); n > 0 {
			return len(graphs[i].Attributes) / n
		}
	}
	return 1
}

// BenchmarkSimulated computes the matrices of 189 sparse graphs of 10 to 25 nodes, the size of MUTAG, with three labels and
// two attributes.
func BenchmarkSimulated(b *testing.B) {
	rng := rand.New(rand.NewPCG(3, 4))
	d := must.Get(datasets.D1(&datasets.SimulationSettings{MinOrder: 10, MaxOrder: 25, Graphs: 63, Model: &datasets.BlockModel{Within: .25, Between: .05}}, rng))
	graphs := make([]kernels.Graph, len(d.Graphs))
	for i := range graphs {
		g := kernels.Graph{Neighbors: d.Graphs[i].Neighbors}
		for range g.Order() {
			g.Labels = append(g.Labels, rng.IntN(3))
			g.Attributes = append(g.Attributes, rng.NormFloat64(), rng.NormFloat64())
		}
		graphs[i] = g
	}
	for _, k := range all {
		b.Run(k.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				must.Get(k.matrices(ctx, graphs))
			}
		})
	}
}
