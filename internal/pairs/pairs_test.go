package pairs_test

import (
	"testing"

	"ogdl/internal/pairs"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

// TestBlocks: blocks have every pair of different things once, row by row, none of them is empty but where there is no pair,
// and the matrix has the values of the pairs' first things in all places of equal ones.
func TestBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		keys := rapid.SliceOfN(rapid.IntRange(0, 6), 0, 12).Draw(t, "keys")
		want := rapid.IntRange(0, 9).Draw(t, "blocks")
		p := pairs.New(keys, func(i, j int) float64 { return float64(1 + i + j) }, want, 20)
		var distinct []int
		first := map[int]int{}
		for i, k := range keys {
			if _, seen := first[k]; !seen {
				first[k] = i
				distinct = append(distinct, i)
			}
		}
		n := len(distinct) * (len(distinct) - 1) / 2
		if p.Len() != len(keys) || p.Distinct() != len(distinct) || p.Blocks() < 1 || want > 0 && p.Blocks() != max(1, min(want, n)) {
			t.Fatalf("%d things, %d different ones, %d blocks of %d asked for", p.Len(), p.Distinct(), p.Blocks(), want)
		}
		var got [][2]int
		values := make([][]float64, p.Blocks())
		for b := range p.Blocks() {
			if p.BlockLen(b) == 0 && n > 0 {
				t.Errorf("block %d is empty", b)
			}
			for i, j := range p.Of(b) {
				got = append(got, [2]int{i, j})
				values[b] = append(values[b], float64(100*i+j))
			}
			must.Check(t, len(values[b]), p.BlockLen(b), "pairs of block %d", b)
		}
		at := 0
		for x, i := range distinct {
			for _, j := range distinct[x+1:] {
				if at >= len(got) || got[at] != [2]int{i, j} {
					t.Fatalf("pairs %v, want %d,%d at %d", got, i, j, at)
				}
				at++
			}
		}
		m := p.Matrix(func(b int) []float64 { return values[b] })
		for i, k := range keys {
			for j, l := range keys {
				x, y := min(first[k], first[l]), max(first[k], first[l])
				want := float64(100*x + y)
				if k == l {
					want = 0
				}
				must.Equal(t, m[i*len(keys)+j], want, "entry %d,%d", i, j)
			}
		}
	})
}
