package kernels_test

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/baselines/kernels"
	"ogdl/internal/test/must"
)

// wantError asks for an error of the package that says all of these.
func wantError(t testing.TB, err error, says ...string) {
	t.Helper()
	if err == nil {
		t.Errorf("no error, want one with %q", says)
		return
	}
	must.Contain(t, err.Error(), append(says, "kernels: ")...)
}

// Every kernel rejects a bad set, and names the graph.
func TestBadGraphs(t *testing.T) {
	good := clique(3)
	with := func(lists ...[]int32) kernels.Graph {
		g := kernels.Graph{Neighbors: lists, Labels: make([]int, len(lists)), Attributes: make([]float64, len(lists))}
		return g
	}
	short, fewer := clique(3), clique(3)
	short.Labels = short.Labels[:2]
	fewer.Attributes = fewer.Attributes[:2]
	unlabelled, bare := clique(3), clique(3)
	unlabelled.Labels, bare.Attributes = nil, nil
	wide, nan, inf, ghost := clique(3), clique(3), clique(3), alone(0)
	wide.Attributes = make([]float64, 6)
	nan.Attributes = []float64{0, math.NaN(), 0}
	inf.Attributes = []float64{0, 0, math.Inf(-1)}
	ghost.Attributes = []float64{1}
	type needs int
	const everything, labels, attributes needs = 0, 1, 2
	for _, c := range []struct {
		name   string
		graphs []kernels.Graph
		of     needs
		says   []string
	}{
		{"none", nil, everything, []string{"graphs is empty"}},
		{"asymmetric", []kernels.Graph{good, with([]int32{1}, nil)}, everything, []string{"graph 1", "node 0 has the neighbour 1, but 1 not the neighbour 0"}},
		{"asymmetric late", []kernels.Graph{with(nil, []int32{0})}, everything, []string{"graph 0", "node 1 has the neighbour 0"}},
		{"loop", []kernels.Graph{with([]int32{0})}, everything, []string{"node 0 is its own neighbour"}},
		{"outside", []kernels.Graph{with([]int32{2}, nil)}, everything, []string{"neighbour 2, expected one of 2 nodes"}},
		{"negative", []kernels.Graph{with([]int32{-1}, nil)}, everything, []string{"neighbour -1"}},
		{"twice", []kernels.Graph{with([]int32{1, 1}, []int32{0, 0})}, everything, []string{"1 after 1, expected ascending"}},
		{"descending", []kernels.Graph{with([]int32{2, 1}, []int32{0}, []int32{0})}, everything, []string{"1 after 2"}},
		{"labels of some nodes", []kernels.Graph{short}, everything, []string{"graph 0 has 2 labels, expected one for each of its 3 nodes"}},
		{"no labels", []kernels.Graph{good, unlabelled}, labels, []string{"graph 1 has no labels"}},
		{"no attributes", []kernels.Graph{good, bare}, attributes, []string{"graph 1 has no attributes"}},
		{"attributes of some nodes", []kernels.Graph{good, fewer}, attributes, []string{"graph 1 has 2 attributes", "3 nodes"}},
		{"widths", []kernels.Graph{alone(0), good, wide}, attributes, []string{"graph 2 has 2 attributes a node and graph 1 has 1"}},
		{"not a number", []kernels.Graph{good, nan}, attributes, []string{"graph 1: attribute 0 of node 1 is NaN"}},
		{"infinite", []kernels.Graph{inf}, attributes, []string{"graph 0: attribute 0 of node 2 is -Inf"}},
		{"attributes of nothing", []kernels.Graph{ghost}, attributes, []string{"graph 0 has 1 attributes and no nodes"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, k := range all {
				_, err := k.matrices(ctx, c.graphs)
				if c.of == everything || c.of == labels && k.labels || c.of == attributes && k.attributes {
					if wantError(t, err, c.says...); t.Failed() {
						t.Fatal(k.name)
					}
				} else if err != nil {
					t.Errorf("%s does not need it: %v", k.name, err)
				}
			}
		})
	}
}

func TestBadParameters(t *testing.T) {
	graphs := []kernels.Graph{clique(3)}
	rng := rand.New(rand.NewPCG(1, 2))
	good := must.Get(kernels.NewDraws(2, 1, 4, rng))
	fail := func(err error, says ...string) { t.Helper(); wantError(t, err, says...) }

	fail(must.Err(kernels.WeisfeilerLehman(ctx, graphs, -1)), "depth is -1")
	fail(must.Err(kernels.SampledGraphlets(ctx, graphs, 0, rng)), "draws is 0")
	fail(must.Err(kernels.SampledGraphlets(ctx, graphs, 5, nil)), "rng is nil")
	for _, l := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		fail(must.Err(kernels.RandomWalk(ctx, graphs, []float64{1e-2, l}, kernels.WithLabels, 1)), "lambda is")
		fail(must.Err(kernels.GraphHopperGaussian(ctx, graphs, l, 1)), "mu is")
		fail(must.Err(kernels.NewDraws(1, 1, l, rng)), "w is")
		fail(must.Err(kernels.Propagation(ctx, graphs, &kernels.Draws{Width: l, U: good.U, B: good.B}, []int{1})), "bins of width")
	}
	fail(must.Err(kernels.RandomWalk(ctx, graphs, nil, kernels.WithLabels, 1)), "lambdas is empty")
	fail(must.Err(kernels.RandomWalk(ctx, graphs, []float64{1e-2}, kernels.WithLabels, -1)), "-1 workers")
	fail(must.Err(kernels.GraphHopperGaussian(ctx, graphs, 1, -1)), "-1 workers")
	fail(must.Err(kernels.NewDraws(0, 1, 4, rng)), "steps is 0")
	fail(must.Err(kernels.NewDraws(1, 0, 4, rng)), "attributes is 0")
	fail(must.Err(kernels.NewDraws(1, 1, 4, nil)), "rng is nil")
	for _, c := range []struct {
		draws *kernels.Draws
		steps []int
		says  string
	}{
		{nil, []int{1}, "draws is nil"},
		{good, nil, "steps is empty"},
		{good, []int{1, 3}, "steps are [1 3], expected numbers from 1 to the 2"},
		{good, []int{0}, "steps are [0]"},
		{&kernels.Draws{Width: 4, U: good.U, B: good.B[:1]}, []int{1}, "factors for 2 steps and shifts for 1"},
		{&kernels.Draws{Width: 4, U: [][]float64{{1, 2}}, B: [][]float64{{1, 2}}}, []int{1}, "2 factors and 2 shifts at step 0, expected one of each for 1 attributes"},
		{&kernels.Draws{Width: 4, U: [][]float64{{math.NaN()}}, B: [][]float64{{1}}}, []int{1}, "NaN"},
		{&kernels.Draws{Width: 1e-300, U: [][]float64{{1e10}}, B: [][]float64{{1}}}, []int{1}, "too large for a bin of width 1e-300"},
	} {
		fail(must.Err(kernels.Propagation(ctx, graphs, c.draws, c.steps)), c.says)
	}
}

// A context that is over, or none, ends every kernel.
func TestContext(t *testing.T) {
	graphs := randomSet(rand.New(rand.NewPCG(1, 2)), 9)
	over, cancel := context.WithCancel(ctx)
	cancel()
	for _, k := range all {
		if _, err := k.matrices(over, graphs); err != context.Canceled {
			t.Errorf("%s: error %v of a context that is over", k.name, err)
		}
		var none context.Context
		_, err := k.matrices(none, graphs)
		wantError(t, err, "ctx is nil")
	}
}
