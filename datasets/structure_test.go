package datasets_test

import (
	"fmt"
	"math"
	"testing"

	"ogdl/datasets"
	"ogdl/internal/test/must"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"
)

func matrix(t testing.TB, s datasets.Structure, g *datasets.Graph) []float64 {
	t.Helper()
	return must.Get(s.Matrix(g))
}

func TestMatrices(t *testing.T) {
	path := graph(3, [2]int32{0, 1}, [2]int32{1, 2})
	split := graph(4, [2]int32{0, 1}, [2]int32{1, 2})
	loose := graph(2)
	single := graph(1)
	var empty datasets.Graph
	for _, c := range []struct {
		s    datasets.Structure
		g    datasets.Graph
		want []float64
	}{
		{datasets.Structure{}, path, []float64{0, 1, 0, 1, 0, 1, 0, 1, 0}},
		{datasets.Structure{Kind: "adjacency"}, loose, []float64{0, 0, 0, 0}},
		{datasets.Structure{Kind: "adjacency_self_loops"}, path, []float64{1, 1, 0, 1, 1, 1, 0, 1, 1}},
		{datasets.Structure{Kind: "adjacency_self_loops"}, loose, []float64{1, 0, 0, 1}},
		{datasets.Structure{Kind: "laplacian"}, path, []float64{1, -1, 0, -1, 2, -1, 0, -1, 1}},
		{datasets.Structure{Kind: "laplacian"}, loose, []float64{0, 0, 0, 0}},
		{datasets.Structure{Kind: "shortest_path"}, path, []float64{0, 1, 2, 1, 0, 1, 2, 1, 0}},
		{datasets.Structure{Kind: "shortest_path"}, split, []float64{0, 1, 2, 20, 1, 0, 1, 20, 2, 1, 0, 20, 20, 20, 20, 0}},
		{datasets.Structure{Kind: "shortest_path", Unreachable: "10x_max"}, loose, []float64{0, 10, 10, 0}},
		{datasets.Structure{Kind: "shortest_path", Unreachable: "max_plus_one"}, split, []float64{0, 1, 2, 3, 1, 0, 1, 3, 2, 1, 0, 3, 3, 3, 3, 0}},
		{datasets.Structure{Kind: "shortest_path", Unreachable: "max_plus_one"}, loose, []float64{0, 2, 2, 0}},
		{datasets.Structure{Kind: "shortest_path", Unreachable: "error"}, path, []float64{0, 1, 2, 1, 0, 1, 2, 1, 0}},
		{datasets.Structure{Kind: "shortest_path", Unreachable: "error"}, single, []float64{0}},
		{datasets.Structure{Kind: "shortest_path"}, empty, []float64{}},
		{datasets.Structure{Kind: "heat_kernel", Time: 5}, empty, []float64{}},
		{datasets.Structure{Kind: "heat_kernel", Time: 5}, loose, []float64{1, 0, 0, 1}},
	} {
		must.Same(t, matrix(t, c.s, &c.g), c.want, "%+v", c.s)
	}
}

func TestStructureErrors(t *testing.T) {
	loose := graph(3, [2]int32{0, 1})
	for _, s := range []datasets.Structure{
		{Kind: "sp"}, {Kind: "shortest_path", Unreachable: "infinity"}, {Kind: "heat_kernel"},
		{Kind: "heat_kernel", Time: -1}, {Kind: "heat_kernel", Time: math.NaN()}, {Kind: "heat_kernel", Time: math.Inf(1)},
	} {
		if m, err := s.Matrix(&loose); err == nil || s.Validate() == nil {
			t.Errorf("%+v gave %v", s, m)
		}
	}
	if m, err := (datasets.Structure{Kind: "shortest_path", Unreachable: "error"}).Matrix(&loose); err == nil {
		t.Errorf("a disconnected graph gave %v", m)
	}
	large := datasets.Graph{Neighbors: make([][]int32, datasets.MaxDenseOrder+1)}
	if _, err := (datasets.Structure{}).Matrix(&large); err == nil {
		t.Error("a matrix of more than 2 GiB")
	}
}

// TestHeatKernel compares with the exponential of the whole normalised
// Laplacian by scaling and squaring, and checks that the kernel is symmetric,
// non-negative and keeps the vector of root degrees.
func TestHeatKernel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := randomGraph(t, 1)
		n := g.Order()
		time := rapid.Float64Range(.01, 20).Draw(t, "t")
		got := must.Get(datasets.Structure{Kind: "heat_kernel", Time: time}.Matrix(&g))
		l := mat.NewDense(n, n, nil)
		for i := range n {
			if g.Degree(i) > 0 {
				l.Set(i, i, -time)
			}
			for _, j := range g.Neighbors[i] {
				l.Set(i, int(j), time/math.Sqrt(float64(g.Degree(i))*float64(g.Degree(int(j)))))
			}
		}
		var want mat.Dense
		want.Exp(l)
		for i := range n {
			kept := 0.0
			for j := range n {
				x := got[i*n+j]
				if !(math.Abs(x-want.At(i, j)) <= 1e-12) || x != got[j*n+i] || x < 0 {
					t.Fatalf("entry %d, %d is %v and %v, want %v", i, j, x, got[j*n+i], want.At(i, j))
				}
				kept += x * math.Sqrt(float64(g.Degree(j)))
			}
			if root := math.Sqrt(float64(g.Degree(i))); !(math.Abs(kept-root) <= 1e-12*float64(n)) {
				t.Fatalf("the root degree %v of node %d became %v", root, i, kept)
			}
		}
	})
}

// TestGraphByHand: a graph or features that break the rules of their fields are errors.
func TestGraphByHand(t *testing.T) {
	weighted := func(weights ...[]float64) datasets.Graph {
		return datasets.Graph{Neighbors: [][]int32{{1}, {0}}, Weights: weights}
	}
	for want, g := range map[string]datasets.Graph{
		"neighbour 5":                {Neighbors: [][]int32{{5}, {}}},
		"its own neighbour":          {Neighbors: [][]int32{{0}}},
		"not the neighbour 0":        {Neighbors: [][]int32{{1}, {}}},
		"1 nodes, expected 2":        weighted([]float64{1}),
		"node 1 has 0 edge weights":  weighted([]float64{1}, nil),
		"has weight 1, and back 2":   weighted([]float64{1}, []float64{2}),
		"has weight NaN":             weighted([]float64{math.NaN()}, []float64{math.NaN()}),
		"has weight -1, and back -1": weighted([]float64{-1}, []float64{-1}),
	} {
		must.Fail(t, must.Err(datasets.Structure{}.Matrix(&g)), want)
	}
	d := datasets.Dataset{Name: "mine", Graphs: []datasets.Graph{graph(2, [2]int32{0, 1})}, AttributeDim: 2, LabelValues: [][]int{{3, 8}}}
	d.Graphs[0].Attributes, d.Graphs[0].Labels = []float64{1, 2}, [][]int{{3}}
	for kind, want := range map[datasets.FeatureKind]string{
		datasets.KindAttributes: "2 attributes, expected 2 of each of 2 nodes", datasets.KindLabels: "1 labels of 2 nodes",
	} {
		_, _, err := datasets.Features{Kind: kind}.Of(&d)
		must.Fail(t, err, want)
	}
	must.Fail(t, datasets.Structure{Kind: datasets.KindHeatKernel, Time: 1e7}.Validate(), "at most 1e+06")
}

func ExampleStructure() {
	g := graph(4, [2]int32{0, 1}, [2]int32{1, 2}) // node 3 is alone
	c, err := datasets.Structure{Kind: datasets.KindShortestPath, Unreachable: datasets.UnreachableTenTimesMax}.Matrix(&g)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 4 {
		fmt.Println(c[4*i : 4*i+4])
	}
	// Output:
	// [0 1 2 20]
	// [1 0 1 20]
	// [2 1 0 20]
	// [20 20 20 0]
}
