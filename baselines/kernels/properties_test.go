package kernels_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/baselines/kernels"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
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
				before := must.Get(k.matrices(ctx, graphs))
				after := must.Get(k.matrices(ctx, other))
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

// The kernel of two graphs does not depend on which others there are.
func TestMoreGraphs(t *testing.T) {
	each(t, func(kernel) bool { return true }, func(t *rapid.T, graphs []kernels.Graph) ([]kernels.Graph, []int) {
		return append(slices.Clone(graphs), drawSet(t)...), identity(len(graphs))
	})
}

// The same bytes for any number of workers, and on every run.
func TestWorkers(t *testing.T) {
	graphs := randomSet(rand.New(rand.NewPCG(5, 6)), 40)
	compute := func(workers int) [][]float64 {
		walks := must.Get(kernels.RandomWalk(ctx, graphs, []float64{1e-2}, kernels.WithLabels, workers))
		return append(walks, must.Get(kernels.GraphHopperGaussian(ctx, graphs, 1, workers)))
	}
	want := compute(1)
	for workers := 1; workers <= 4; workers++ {
		must.Same(t, compute(workers), want, "%d workers", workers)
	}
}

// Several values of a parameter in one run are what they are one by one.
func TestOneRun(t *testing.T) {
	graphs := randomSet(rand.New(rand.NewPCG(7, 8)), 12)
	lambdas := []float64{1e-4, 2e-2, 1e-6, 1e-2}
	together := must.Get(kernels.RandomWalk(ctx, graphs, lambdas, kernels.WithLabels, 1))
	for s, l := range lambdas {
		alone := must.Get(kernels.RandomWalk(ctx, graphs, []float64{l}, kernels.WithLabels, 1))
		near(t, fmt.Sprint("lambda ", l), together[s], alone[0], 12, false)
	}
	deep := must.Get(kernels.WeisfeilerLehman(ctx, graphs, 5))
	for h := range 6 {
		alone := must.Get(kernels.WeisfeilerLehman(ctx, graphs, h))
		if len(alone) != h+1 || !slices.Equal(alone[h], deep[h]) {
			t.Errorf("depth %d is not what it is among five", h)
		}
	}
	draws := must.Get(kernels.NewDraws(6, 3, 4, rand.New(rand.NewPCG(1, 1))))
	few := must.Get(kernels.NewDraws(2, 3, 4, rand.New(rand.NewPCG(1, 1))))
	long := must.Get(kernels.Propagation(ctx, graphs, draws, []int{6, 2}))
	short := must.Get(kernels.Propagation(ctx, graphs, few, []int{2}))
	must.Same(t, long[1], short[0], "two steps of many draws, and of few")
}
