package datasets_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/datasets"
	"ogdl/internal/test/must"
)

// weigh gives the edges of a graph weights, symmetric.
func weigh(g *datasets.Graph, weight func() float64) *datasets.Graph {
	out := *g
	out.Weights = make([][]float64, g.Order())
	for i, nb := range g.Neighbors {
		out.Weights[i] = make([]float64, len(nb))
		for e, j := range nb {
			if int(j) > i {
				out.Weights[i][e] = weight()
				continue
			}
			back, _ := slices.BinarySearch(g.Neighbors[j], int32(i))
			out.Weights[i][e] = out.Weights[j][back]
		}
	}
	return &out
}

func drawnGraph(r *rand.Rand, n int, p float64) *datasets.Graph {
	g := must.Get(datasets.BlockModel{Within: p}.Sample([]int{n}, r))
	return &g
}

var structures = []datasets.Structure{
	{Kind: datasets.KindAdjacency}, {Kind: datasets.KindLaplacian}, {Kind: datasets.KindHeatKernel, Time: 2},
	{Kind: datasets.KindShortestPath}, {Kind: datasets.KindShortestPath, Unreachable: datasets.UnreachableMaxPlusOne},
}

// TestWeightsOfOne: weights of 1 give the matrices of no weights, bit for bit.
func TestWeightsOfOne(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 40 {
		g := drawnGraph(r, 1+r.IntN(14), 0.25)
		one := weigh(g, func() float64 { return 1 })
		for _, s := range structures {
			want, err1 := s.Matrix(g)
			got, err2 := s.Matrix(one)
			if err1 != nil || err2 != nil || !slices.Equal(want, got) {
				t.Fatalf("%+v: %v %v\n%v\n%v", s, err1, err2, want, got)
			}
		}
	}
}

// TestWeightedShortestPaths compares with Floyd and Warshall.
func TestWeightedShortestPaths(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 40 {
		n := 1 + r.IntN(12)
		g := weigh(drawnGraph(r, n, 0.3), func() float64 { return 0.01 + r.Float64() })
		m := slices.Repeat([]float64{math.Inf(1)}, n*n)
		for i, nb := range g.Neighbors {
			for e, j := range nb {
				m[i*n+int(j)] = g.Weights[i][e]
			}
			m[i*n+i] = 0
		}
		for k := range n {
			for i := range n {
				for j := range n {
					m[i*n+j] = min(m[i*n+j], m[i*n+k]+m[k*n+j])
				}
			}
		}
		largest := 0.0
		for _, x := range m {
			if !math.IsInf(x, 1) {
				largest = max(largest, x)
			}
		}
		if largest == 0 {
			largest = 1
		}
		got := must.Get(datasets.Structure{Kind: datasets.KindShortestPath}.Matrix(g))
		for i, x := range m {
			if math.IsInf(x, 1) {
				x = 10 * largest
			}
			if !(math.Abs(got[i]-x) <= 1e-12*x) || got[i] != got[i%n*n+i/n] {
				t.Fatalf("distance %d is %v, and %v back, want %v", i, got[i], got[i%n*n+i/n], x)
			}
		}
	}
}

// TestWeightedMatrices checks a small graph by hand: a path with weights 2 and 3, and a node apart.
func TestWeightedMatrices(t *testing.T) {
	g := &datasets.Graph{Neighbors: [][]int32{{1}, {0, 2}, {1}, {}}, Weights: [][]float64{{2}, {2, 3}, {3}, {}}}
	for kind, want := range map[datasets.StructureKind][]float64{
		datasets.KindAdjacency:    {0, 2, 0, 0, 2, 0, 3, 0, 0, 3, 0, 0, 0, 0, 0, 0},
		datasets.KindLaplacian:    {2, -2, 0, 0, -2, 5, -3, 0, 0, -3, 3, 0, 0, 0, 0, 0},
		datasets.KindShortestPath: {0, 2, 5, 50, 2, 0, 3, 50, 5, 3, 0, 50, 50, 50, 50, 0},
	} {
		must.Same(t, must.Get((datasets.Structure{Kind: kind}).Matrix(g)), want, "%s", kind)
	}
	// L = I - D^-1/2 A D^-1/2 has the eigenvalue 0 with the vector D^1/2, so the kernel keeps it.
	kernel := must.Get(datasets.Structure{Kind: datasets.KindHeatKernel, Time: 3}.Matrix(g))
	root := []float64{math.Sqrt(2), math.Sqrt(5), math.Sqrt(3), 0}
	for i := range 4 {
		sum := 0.0
		for j := range 4 {
			sum += float64(kernel[i*4+j] * root[j])
		}
		must.Within(t, sum, root[i], 1e-12, "row %d of the kernel takes D^1/2 to", i)
	}
	must.Check(t, kernel[15], 1, "heat that a node apart keeps")
	// The normalised Laplacian does not change with the scale of the weights, however large.
	for _, scale := range []float64{0x1p-1000, 0x1p-30, 0x1p20, 0x1p1000} {
		scaled := weigh(g, func() float64 { return 0 })
		for i := range scaled.Weights {
			for e := range scaled.Weights[i] {
				scaled.Weights[i][e] = scale * g.Weights[i][e]
			}
		}
		if got, err := (datasets.Structure{Kind: datasets.KindHeatKernel, Time: 3}).Matrix(scaled); err != nil || !slices.Equal(got, kernel) {
			t.Errorf("scaled by %v: %v (%v), want %v", scale, got, err, kernel)
		}
	}
	// A weight of 0 is no strength, and no length.
	none := &datasets.Graph{Neighbors: [][]int32{{1}, {0, 2}, {1}}, Weights: [][]float64{{0}, {0, 3}, {3}}}
	if got, err := (datasets.Structure{Kind: datasets.KindHeatKernel, Time: 3}).Matrix(none); err != nil || got[0] != 1 || got[1] != 0 {
		t.Errorf("heat over an edge of weight 0: %v (%v)", got, err)
	}
	must.Fail(t, must.Err((datasets.Structure{Kind: datasets.KindShortestPath}).Matrix(none)), "above 0", "a length of 0")
	long := &datasets.Graph{Neighbors: [][]int32{{1}, {0, 2}, {1}}, Weights: [][]float64{{1e308}, {1e308, 1e308}, {1e308}}}
	must.Fail(t, must.Err((datasets.Structure{Kind: datasets.KindShortestPath}).Matrix(long)), "beyond float64", "lengths that overflow")
	must.Fail(t, must.Err((datasets.Structure{Kind: datasets.KindLaplacian}).Matrix(long)), "beyond float64", "strengths that overflow")
}
