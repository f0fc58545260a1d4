package figures

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

// blockMatrix has within on the blocks and between elsewhere, its nodes shuffled; block[i]
// is that of node i.
func blockMatrix(within, between float64, rng *rand.Rand, sizes ...int) (m artifact.Matrix, block []int) {
	for b, size := range sizes {
		for range size {
			block = append(block, b)
		}
	}
	rng.Shuffle(len(block), func(i, j int) { block[i], block[j] = block[j], block[i] })
	m = artifact.Matrix{N: len(block), V: make([]float64, 0, len(block)*len(block))}
	for _, a := range block {
		for _, b := range block {
			if a == b {
				m.V = append(m.V, within)
			} else {
				m.V = append(m.V, between)
			}
		}
	}
	return m, block
}

// runs are the lengths of the stretches of equal numbers.
func runs(x []int) (out []int) {
	for i := range x {
		if i == 0 || x[i] != x[i-1] {
			out = append(out, 0)
		}
		out[len(out)-1]++
	}
	return out
}

func TestArrangeBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		sizes := rapid.SliceOfN(rapid.IntRange(2, 6), 1, 4).Draw(t, "sizes")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		m, want := blockMatrix(0.9, 0.1, rng, sizes...)
		for e := range m.V {
			m.V[e] += 0.05 * rng.Float64()
		}
		order, block := arrange(m)
		sorted := slices.Sorted(slices.Values(order))
		for i := range sorted {
			must.Equal(t, sorted[i], i, "nodes in the order %v of %d", order, m.N)
		}
		var seen []int
		for _, i := range order {
			seen = append(seen, want[i])
		}
		if got := runs(seen); len(got) != len(sizes) {
			t.Fatalf("blocks %v come in the stretches %v", sizes, got)
		}
		for i := range want {
			for j := range want {
				if (want[i] == want[j]) != (block[i] == block[j]) {
					t.Fatalf("nodes %d and %d: blocks %v, found %v", i, j, want, block)
				}
			}
		}
		must.Equal(t, block[order[0]], 0, "the first block in the order of the nodes: %v in %v", block, order)
		again, _ := arrange(m)
		if !slices.Equal(order, again) {
			t.Fatal("another order for the same matrix")
		}
	})
}

// TestArrangePath: a path is laid out end to end.
func TestArrangePath(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 12).Draw(t, "n")
		at := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1)).Perm(n)
		m := artifact.Matrix{N: n, V: make([]float64, n*n)}
		for i := range n - 1 {
			m.V[at[i]*n+at[i+1]], m.V[at[i+1]*n+at[i]] = 1, 1
		}
		order, _ := arrange(m)
		p := permuted(m, order)
		for i := range n - 1 {
			must.Equal(t, p.At(i, i+1), 1, "path %v in the order %v: nodes %d and %d", at, order, i, i+1)
		}
	})
}

func TestArrangeDenserEndFirst(t *testing.T) {
	m := artifact.Matrix{N: 5, V: make([]float64, 25)}
	for _, e := range [][2]int{{0, 1}, {2, 3}, {3, 4}, {2, 4}} {
		m.V[e[0]*5+e[1]], m.V[e[1]*5+e[0]] = 1, 1
	}
	order, block := arrange(m)
	if got := slices.Sorted(slices.Values(order[:3])); !slices.Equal(got, []int{2, 3, 4}) || !slices.Equal(block, []int{1, 1, 0, 0, 0}) {
		t.Errorf("order %v, blocks %v", order, block)
	}
	if order, block := arrange(artifact.Matrix{}); len(order)+len(block) != 0 {
		t.Error("nodes in an empty graph")
	}
	if order, block := arrange(artifact.Matrix{N: 1, V: []float64{0}}); !slices.Equal(order, []int{0}) || !slices.Equal(block, []int{0}) {
		t.Error(order, block)
	}
	must.Check(t, density(m), 0.4, "density, 8 of 20")
}

// TestShareByDensity: block models have the share that they were made with, and are cut where
// their blocks end.
func TestShareByDensity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(4, 30).Draw(t, "n")
		first := rapid.IntRange(1, n/2).Draw(t, "first")
		within, between := rapid.Float64Range(0.6, 1).Draw(t, "within"), rapid.Float64Range(0, 0.4).Draw(t, "between")
		m := artifact.Matrix{N: n, V: make([]float64, n*n)}
		for i := range n {
			for j := range n {
				m.V[i*n+j] = between
				if (i < first) == (j < first) {
					m.V[i*n+j] = within
				}
			}
		}
		want := float64(first) / float64(n)
		// Close to 1/2 the root magnifies rounding.
		must.Within(t, shareByDensity(m, within, between), want, 1e-6, "share")
		if from, small := smallPart(m); from != 0 || small != first {
			t.Errorf("a part of %d from %d, want the first %d of %d", small, from, first, n)
		}
	})
}
