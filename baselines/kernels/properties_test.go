package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"pgregory.net/rapid"

	"ogdl/baselines/kernels"
)

// drawSet draws a set of graphs.
func drawSet(t *rapid.T) []kernels.Graph {
	return randomSet(rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 9)), rapid.IntRange(1, 6).Draw(t, "graphs"))
}

// near holds matrices to others: bit by bit, or within 1e-12 of the sizes of two graphs.
func near(t rapid.TB, what string, got, want []float64, n int, equal bool) {
	t.Helper()
	for i := range n {
		for j := range n {
			a, b := got[i*n+j], want[i*n+j]
			if size := math.Sqrt(want[i*n+i] * want[j*n+j]); equal && a != b || !(math.Abs(a-b) <= 1e-12*size) {
				t.Fatalf("%s: entry (%d, %d) is %v, was %v", what, i, j, a, b)
			}
		}
	}
}

// integral says that all of a kernel's numbers are integers, so that no order of sums plays a part.
func (k kernel) integral() bool {
	return !slices.Contains([]string{"RWK", "RWK-unlabelled", "HOPPERK", "HOPPERK-gaussian"}, k.name)
}

// each runs a property of all kernels: change makes of a set another, and says where its first graphs come from.
func each(t *testing.T, equal func(kernel) bool, change func(t *rapid.T, graphs []kernels.Graph) ([]kernels.Graph, []int)) {
	for _, k := range all {
		t.Run(k.name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) {
				graphs := drawSet(t)
				other, from := change(t, graphs)
				before, err := k.matrices(ctx, graphs)
				must(t, err, before)
				after, err := k.matrices(ctx, other)
				must(t, err, after)
				n, m := len(graphs), len(other)
				for s := range after {
					c := len(from)
					got, want := make([]float64, c*c), make([]float64, c*c)
					for i, a := range from {
						for j, b := range from {
							got[i*c+j], want[i*c+j] = after[s][i*m+j], before[s][a*n+b]
						}
					}
					near(t, fmt.Sprintf("%s, value %d", k.name, s), got, want, c, equal(k))
				}
			})
		})
	}
}

func identity(n int) []int {
	p := make([]int, n)
	for i := range p {
		p[i] = i
	}
	return p
}

// Another order of the graphs is another order of rows and columns.
func TestPermutedGraphs(t *testing.T) {
	// Two graphs in the other order may sum in another one.
	each(t, func(k kernel) bool { return k.integral() || k.name == "HOPPERK" }, func(t *rapid.T, graphs []kernels.Graph) ([]kernels.Graph, []int) {
		p := rapid.Permutation(identity(len(graphs))).Draw(t, "order")
		out := make([]kernels.Graph, len(p))
		for i, a := range p {
			out[i] = graphs[a]
		}
		return out, p
	})
}

// A graph whose nodes are listed in another order is the same.
func TestRelabelledNodes(t *testing.T) {
	each(t, kernel.integral, func(t *rapid.T, graphs []kernels.Graph) ([]kernels.Graph, []int) {
		out := make([]kernels.Graph, len(graphs))
		for i := range graphs {
			out[i] = relabelled(&graphs[i], rapid.Permutation(identity(graphs[i].Order())).Draw(t, "nodes"))
		}
		return out, identity(len(graphs))
	})
}

// relabelled is g with node u called p[u].
func relabelled(g *kernels.Graph, p []int) kernels.Graph {
	n := g.Order()
	out := kernels.Graph{Neighbors: make([][]int32, n), Labels: make([]int, n), Attributes: make([]float64, len(g.Attributes))}
	for u, list := range g.Neighbors {
		for _, v := range list {
			out.Neighbors[p[u]] = append(out.Neighbors[p[u]], int32(p[v]))
		}
		slices.Sort(out.Neighbors[p[u]])
		out.Labels[p[u]] = g.Labels[u]
		d := len(g.Attributes) / n
		copy(out.Attributes[p[u]*d:], g.Attributes[u*d:(u+1)*d])
	}
	return out
}

// What labels are called plays no part: neither their sizes nor their order.
func TestRenamedLabels(t *testing.T) {
	each(t, func(kernel) bool { return true }, func(t *rapid.T, graphs []kernels.Graph) ([]kernels.Graph, []int) {
		name := map[int]int{}
		for i, to := range rapid.SliceOfNDistinct(rapid.Int(), 4, 4, rapid.ID[int]).Draw(t, "names") {
			name[[]int{-4, 0, 7, 1 << 40}[i]] = to
		}
		out := slices.Clone(graphs)
		for i := range out {
			out[i].Labels = slices.Clone(out[i].Labels)
			for u, l := range out[i].Labels {
				out[i].Labels[u] = name[l]
			}
		}
		return out, identity(len(graphs))
	})
}

// The kernel of two graphs does not depend on which others there are.
func TestMoreGraphs(t *testing.T) {
	each(t, func(kernel) bool { return true }, func(t *rapid.T, graphs []kernels.Graph) ([]kernels.Graph, []int) {
		return append(slices.Clone(graphs), drawSet(t)...), identity(len(graphs))
	})
}

// Equal graphs have equal rows, and after Normalize a kernel of one.
func TestEqualGraphs(t *testing.T) {
	graphs := randomSet(rand.New(rand.NewPCG(1, 2)), 5)
	for _, k := range all {
		matrices, err := k.matrices(ctx, append(slices.Clone(graphs), graphs...))
		must(t, err, matrices)
		for _, K := range matrices {
			unit, err := kernels.Normalize(K, 10)
			must(t, err, unit)
			for i := range 5 {
				if x := unit[i*10+i+5]; math.Abs(x-1) > 1e-15 && K[i*10+i] > 0 {
					t.Errorf("%s: graph %d and its copy: %v, want 1", k.name, i, x)
				}
				for j := range 10 {
					if K[i*10+j] != K[(i+5)*10+j] && k.name != "RWK" && k.name != "RWK-unlabelled" && k.name != "HOPPERK-gaussian" {
						t.Errorf("%s: rows %d and %d differ at %d: %v, %v", k.name, i, i+5, j, K[i*10+j], K[(i+5)*10+j])
					}
				}
			}
		}
	}
}

// Kernels are positive semidefinite.
func TestPositiveSemidefinite(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, k := range all {
		graphs := randomSet(rng, 30)
		matrices, err := k.matrices(ctx, graphs)
		must(t, err, matrices)
		for s, K := range matrices {
			unit, err := kernels.Normalize(K, 30)
			must(t, err, unit)
			var eig mat.EigenSym
			if !eig.Factorize(mat.NewSymDense(30, unit), false) {
				t.Fatal("no eigenvalues")
			}
			if least := slices.Min(eig.Values(nil)); least < -1e-12 {
				t.Errorf("%s, value %d: eigenvalue %v", k.name, s, least)
			}
		}
	}
}

// The same bytes for any number of workers, and on every run.
func TestWorkers(t *testing.T) {
	graphs := randomSet(rand.New(rand.NewPCG(5, 6)), 40)
	for workers := 1; workers <= 4; workers++ {
		walks, err := kernels.RandomWalk(ctx, graphs, []float64{1e-2}, kernels.WithLabels, workers)
		must(t, err, walks)
		first, err := kernels.RandomWalk(ctx, graphs, []float64{1e-2}, kernels.WithLabels, 1)
		must(t, err, first)
		hops, err := kernels.GraphHopperGaussian(ctx, graphs, 1, workers)
		must(t, err, hops)
		one, err := kernels.GraphHopperGaussian(ctx, graphs, 1, 1)
		must(t, err, one)
		if !slices.Equal(walks[0], first[0]) || !slices.Equal(hops, one) {
			t.Errorf("%d workers: other bytes than one", workers)
		}
	}
}

// Several values of a parameter in one run are what they are one by one.
func TestOneRun(t *testing.T) {
	graphs := randomSet(rand.New(rand.NewPCG(7, 8)), 12)
	lambdas := []float64{1e-4, 2e-2, 1e-6, 1e-2}
	together, err := kernels.RandomWalk(ctx, graphs, lambdas, kernels.WithLabels, 1)
	must(t, err, together)
	for s, l := range lambdas {
		alone, err := kernels.RandomWalk(ctx, graphs, []float64{l}, kernels.WithLabels, 1)
		must(t, err, alone)
		near(t, fmt.Sprint("lambda ", l), together[s], alone[0], 12, false)
	}
	deep, err := kernels.WeisfeilerLehman(ctx, graphs, 5)
	must(t, err, deep)
	for h := range 6 {
		alone, err := kernels.WeisfeilerLehman(ctx, graphs, h)
		if must(t, err, alone); len(alone) != h+1 || !slices.Equal(alone[h], deep[h]) {
			t.Errorf("depth %d is not what it is among five", h)
		}
	}
	draws, err := kernels.NewDraws(6, 3, 4, rand.New(rand.NewPCG(1, 1)))
	must(t, err, draws)
	few, err := kernels.NewDraws(2, 3, 4, rand.New(rand.NewPCG(1, 1)))
	must(t, err, few)
	long, err := kernels.Propagation(ctx, graphs, draws, []int{6, 2})
	must(t, err, long)
	short, err := kernels.Propagation(ctx, graphs, few, []int{2})
	if must(t, err, short); !slices.Equal(long[1], short[0]) {
		t.Error("two steps of few draws are not two steps of many")
	}
}
