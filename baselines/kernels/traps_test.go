package kernels_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/baselines/kernels"
	"ogdl/internal/test/must"
)

// alone are n nodes without edges.
func alone(n int) kernels.Graph {
	g := kernels.Graph{Neighbors: make([][]int32, n), Labels: make([]int, n)}
	for range n {
		g.Attributes = append(g.Attributes, 1)
	}
	return g
}

// clique has an edge between every two of n nodes.
func clique(n int) kernels.Graph {
	var edges [][2]int
	for i := range n {
		for j := range i {
			edges = append(edges, [2]int{i, j})
		}
	}
	g := fromEdges(n, edges)
	g.Labels, g.Attributes = alone(n).Labels, alone(n).Attributes
	return g
}

// Without a pair of joined nodes the shortest-path kernel is 0, and the graph like none but itself.
func TestZeroDiagonal(t *testing.T) {
	graphs := []kernels.Graph{clique(3), alone(3), alone(4), alone(0)}
	K := must.Get(kernels.ShortestPath(ctx, graphs, kernels.WithLabels))
	if !slices.Equal(K, []float64{36, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}) {
		t.Fatalf("K = %v", K)
	}
	unit := must.Get(kernels.Normalize(K, 4))
	must.Same(t, unit, []float64{1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, "normalised")
}

// A graph of fewer than three nodes is one graphlet, of its own kind.
func TestSmallGraphlets(t *testing.T) {
	graphs := []kernels.Graph{alone(0), alone(1), alone(2), clique(2), clique(2), alone(3), clique(3)}
	K := must.Get(kernels.Graphlets(ctx, graphs))
	draws := 17
	S := must.Get(kernels.SampledGraphlets(ctx, graphs, draws, rand.New(rand.NewPCG(1, 2))))
	for i := range graphs {
		for j := range graphs {
			want := 0.0
			if i == j || i == 3 && j == 4 || i == 4 && j == 3 {
				want = 1
			}
			if K[i*7+j] != want || S[i*7+j] != want*float64(draws*draws) {
				t.Errorf("graphs %d and %d: %v, sampled %v", i, j, K[i*7+j], S[i*7+j])
			}
		}
	}
}

// Sampled counts add up to the draws: none is counted twice. They are uniform over sets of three nodes.
func TestSampled(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 50 {
		g := randomSet(rng, 1)[0]
		if g.Order() < 3 {
			continue
		}
		const draws = 20000
		got, exact := kernels.Sample(&g, draws, rng), share(kernels.Census(&g))
		must.Equal(t, got[0]+got[1]+got[2]+got[3], draws, "draws in all of %v", got)
		for k, x := range share(got) {
			sigma := math.Sqrt(exact[k] * (1 - exact[k]) / draws)
			must.Within(t, x, exact[k], 5*sigma, "%d edges: frequency, and exact", k)
		}
	}
}

// Random walks converge below the limit, which is what it is known to be, and nowhere above.
func TestRandomWalkLimit(t *testing.T) {
	star := fromEdges(5, [][2]int{{0, 1}, {0, 2}, {0, 3}, {0, 4}})
	star.Labels = []int{1, 0, 0, 0, 0}
	var ring [][2]int
	for i := range 12 {
		ring = append(ring, [2]int{i, (i + 1) % 12})
	}
	long := fromEdges(24, nil) // a path of 24 nodes
	for i := range 23 {
		long.Neighbors[i] = append(long.Neighbors[i], int32(i+1))
		long.Neighbors[i+1] = append(long.Neighbors[i+1], int32(i))
	}
	slow := 2 * math.Cos(math.Pi/25)
	for _, c := range []struct {
		name   string
		graphs []kernels.Graph
		labels kernels.Labels
		want   float64
	}{
		{"no edges", []kernels.Graph{alone(3), alone(0)}, kernels.WithLabels, math.Inf(1)},
		{"triangle", []kernels.Graph{clique(3)}, kernels.WithoutLabels, 1. / 4},
		{"the largest", []kernels.Graph{clique(3), clique(6), alone(2)}, kernels.WithoutLabels, 1. / 25},
		{"star", []kernels.Graph{star}, kernels.WithoutLabels, 1. / 4},
		// From the centre with itself there are 16 ways to two ends, from there one: rho^2 = 16.
		{"star with labels", []kernels.Graph{star}, kernels.WithLabels, 1. / 4},
		{"ring", []kernels.Graph{fromEdges(12, ring)}, kernels.WithoutLabels, 1. / 4},
		{"path", []kernels.Graph{long}, kernels.WithoutLabels, 1 / (slow * slow)},
	} {
		t.Run(c.name, func(t *testing.T) {
			limit := must.Get(kernels.RandomWalkLimit(ctx, c.graphs, c.labels))
			if limit != c.want && !(math.Abs(limit-c.want) <= 1e-7*c.want) {
				t.Fatalf("limit %v, want %v", limit, c.want)
			}
			if math.IsInf(limit, 1) {
				K := must.Get(kernels.RandomWalk(ctx, c.graphs, []float64{1e6}, c.labels, 1))
				must.Check(t, K[0][0], 9, "the first entry, without edges, of %v", K)
				return
			}
			K := must.Get(kernels.RandomWalk(ctx, c.graphs, []float64{.999 * c.want}, c.labels, 1))
			for i := range c.graphs { // far more than the pairs of nodes
				if n := float64(c.graphs[i].Order()); n > 2 && i == len(c.graphs)-1 && K[0][i*len(c.graphs)+i] < 50*n {
					t.Errorf("just below the limit: %v", K[0])
				}
			}
			for _, above := range []float64{1.0000001, 1.01, 2, 1e6, 1e300} {
				wantError(t, must.Err(kernels.RandomWalk(ctx, c.graphs, []float64{above * c.want, 1e-9}, c.labels, 2)), "lambda is", "expected a number below 0.")
			}
		})
	}
}

// Just below the limit the series is still summed to the end: on a clique of n nodes K = n^2 / (1 - lambda (n-1)^2).
func TestNearTheLimit(t *testing.T) {
	for _, share := range []float64{.1, .9, .99, .999} {
		K := must.Get(kernels.RandomWalk(ctx, []kernels.Graph{clique(5)}, []float64{share / 16}, kernels.WithoutLabels, 1))
		want := 25 / (1 - share)
		must.Within(t, K[0][0], want, 1e-12*want, "%v of the limit", share)
	}
}

// Numbers of shortest paths beyond 2^53 and beyond 64 bits stay what they are, as float64.
func TestManyPaths(t *testing.T) {
	const layers, wide = 30, 10 // 10^30 ways through
	var edges [][2]int
	for l := range layers - 1 {
		for i := range wide {
			for j := range wide {
				edges = append(edges, [2]int{l*wide + i, (l+1)*wide + j})
			}
		}
	}
	g := fromEdges(layers*wide, edges)
	M := kernels.HopCounts(&g, 0)
	want := math.Pow(wide, layers-1)
	must.Within(t, M[layers-1][0], want, 1e-12*want, "paths through all layers")
	g.Attributes = make([]float64, layers*wide)
	for i := range g.Attributes {
		g.Attributes[i] = 1
	}
	K := must.Get(kernels.GraphHopper(ctx, []kernels.Graph{g}))
	if !(K[0] > 1e60) || math.IsInf(K[0], 0) {
		t.Errorf("K = %v", K)
	}
	for i := range g.Attributes {
		g.Attributes[i] = 1e200
	}
	wantError(t, must.Err(kernels.GraphHopper(ctx, []kernels.Graph{g})), "graphs 0 and 0 is +Inf", "attributes are too large")
}

// One root of the product decides the last bits.
func TestNormalize(t *testing.T) {
	K := []float64{2, 1, 1, 3}
	unit := must.Get(kernels.Normalize(K, 2))
	if !slices.Equal(unit, []float64{1, 1 / math.Sqrt(6), 1 / math.Sqrt(6), 1}) {
		t.Errorf("%v", unit)
	}
	must.Same(t, K, []float64{2, 1, 1, 3}, "the argument afterwards")
	for _, scale := range []float64{1e-300, 1e300} { // whose product leaves float64
		unit := must.Get(kernels.Normalize([]float64{4 * scale, scale, scale, scale}, 2))
		if !(math.Abs(unit[1]-.5) <= 1e-15) || unit[1] != unit[2] {
			t.Errorf("scale %v: %v", scale, unit)
		}
	}
	if unit, err := kernels.Normalize(nil, 0); err != nil || len(unit) != 0 {
		t.Errorf("no graphs: %v, %v", unit, err)
	}
	for _, c := range []struct {
		K    []float64
		want string
	}{
		{[]float64{1, math.NaN(), math.NaN(), 1}, "entry (0, 1) is NaN"},
		{[]float64{math.Inf(1), 0, 0, 1}, "entry (0, 0) is +Inf"},
		{[]float64{1, 0, 0, -1}, "entry (1, 1) is -1"},
		{[]float64{1, 2, 2, 0}, "entry (0, 1) is 2, expected 0"},
		{[]float64{1e-300, 1e300, 1e300, 1e-300}, "entry (0, 1) is 1e+300, too large"},
	} {
		wantError(t, must.Err(kernels.Normalize(c.K, 2)), c.want)
	}
	must.Panic(t, "", map[string]func(){"wrong shape": func() { _, _ = kernels.Normalize(K, 3) }})
}
