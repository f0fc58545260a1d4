package vec

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"
)

// randomTree hangs rows and columns from each other with random flows; no column's arc is empty.
func randomTree(rng *rand.Rand, rows, cols int) []Node {
	nodes := make([]Node, rows+cols, 1<<8)
	order := rng.Perm(len(nodes))
	var in []int
	for {
		for _, k := range order {
			if slices.Contains(in, k) {
				continue
			}
			var others []int
			for _, p := range in {
				if (p < rows) != (k < rows) {
					others = append(others, p)
				}
			}
			nd := &nodes[k]
			nd.Parent = -1
			if len(in) > 0 {
				if len(others) == 0 {
					continue
				}
				nd.Parent = int32(others[rng.IntN(len(others))])
				nd.Flow = int64(rng.IntN(4))
				if k >= rows {
					nd.Flow++
				}
			}
			in = append(in, k)
		}
		if len(in) == len(nodes) {
			break
		}
	}
	for k := range nodes {
		for p := k; p >= 0; p = int(nodes[p].Parent) {
			nodes[p].Mask[k>>6] |= 1 << (k & 63)
		}
	}
	return nodes
}

// TestConformPivots compares trees, potentials and where the kernel stops.
func TestConformPivots(t *testing.T) {
	total := 0
	each(t, 250, func(t *testing.T, rng *rand.Rand, n int, wild bool) {
		rows, cols := 1+rng.IntN(64), 1+rng.IntN(64)
		width := (cols + 3) &^ 3
		c, pi := page(t, (rows-1)*(width+n%3)+width), page(t, (rows+width+7)&^7)
		ld := width + n%3
		draw(rng, c, wild)
		draw(rng, pi, wild && n%4 == 0)
		for k := rows + cols; k < len(pi); k++ {
			pi[k] = math.Inf(-1)
		}
		if rng.IntN(2) == 0 { // ties
			for k := range c {
				c[k] = math.Round(c[k])
			}
			for k := range pi {
				pi[k] = math.Round(pi[k])
			}
		}
		scale := []float64{math.Inf(1), 2}[rng.IntN(2)]
		i, most := rng.IntN(rows), rng.IntN(30)
		want := randomTree(rng, rows, cols)
		got := unsafe.Slice((*Node)(unsafe.Pointer(&page(t, 4*len(want))[0])), len(want))
		copy(got, want)
		plain := append(append([]float64(nil), pi...), make([]float64, 128)...)

		// The kernel for wide masks, on the same tree.
		apart := unsafe.Slice((*Node)(unsafe.Pointer(&page(t, 4*len(want))[0])), len(want))
		copy(apart, want)
		masks := unsafe.Slice((*uint64)(unsafe.Pointer(&page(t, WideMask*len(want))[0])), WideMask*len(want))
		for k, nd := range want {
			copy(masks[WideMask*k:], nd.Mask[:])
		}
		pi3 := page(t, len(pi))
		copy(pi3, pi)

		var path, path2 Path
		r, seen, done := Pivots(c, ld, rows, width, pi, got, nil, &path, 0.01, scale, i, most)
		r2, seen2, done2 := pivots(c, ld, rows, width, plain, want, &path2, 0.01, scale, i, most)
		if seen != seen2 || done != done2 || seen < rows && r != r2 {
			t.Fatalf("%d x %d: row %d, %d seen, %d pivots; in Go %d, %d, %d", rows, cols, r, seen, done, r2, seen2, done2)
		}
		total += done
		if !slices.Equal(got, want) {
			t.Fatalf("%d x %d: another tree after %d pivots", rows, cols, done)
		}
		sameBits(t, "Pivots", pi, plain[:len(pi)])

		r, seen, done = Pivots(c, ld, rows, width, pi3, apart, masks, &path, 0.01, scale, i, most)
		for k := range apart {
			if m := masks[WideMask*k:]; m[2] != 0 || m[3] != 0 {
				t.Fatalf("%d x %d: a wide mask has nodes that are not there", rows, cols)
			}
			copy(apart[k].Mask[:], masks[WideMask*k:])
		}
		if seen != seen2 || done != done2 || seen < rows && r != r2 || !slices.Equal(apart, want) {
			t.Fatalf("%d x %d: wide masks give another tree after %d pivots", rows, cols, done)
		}
		sameBits(t, "Pivots, wide", pi3, plain[:len(pi)])
	})
	if total < 2000 {
		t.Errorf("only %d pivots were compared", total)
	}
}
