package datasets

import (
	"math"
	"math/bits"
	"math/rand/v2"
)

// triangleDraw is one random graph as rows of bits, and the room to draw the
// next: most draws are thrown away.
type triangleDraw struct {
	n, words  int      // words of 64 bits in a row
	rows      []uint64 // n rows
	edges     []int32  // the pairs i < j drawn, as (i, j)
	triangles int
}

func newTriangleDraw(maxOrder int) *triangleDraw {
	words := (maxOrder + 63) / 64
	return &triangleDraw{words: words, rows: make([]uint64, maxOrder*words)}
}

// graph draws the order, the edges, and counts the triangles.
func (d *triangleDraw) graph(minOrder, maxOrder int, rng *rand.Rand) {
	d.n = minOrder + rng.IntN(maxOrder-minOrder+1)
	pairs := d.n * (d.n - 1) / 2
	edges := min(int((1+float64(rng.Float64()))*float64(d.n)), pairs)
	clear(d.rows[:d.n*d.words])
	d.edges = d.edges[:0]
	// Floyd's algorithm: each set of that many pairs is as likely as any other.
	for last := pairs - edges; last < pairs; last++ {
		i, j := pair(rng.IntN(last + 1))
		if d.has(i, j) {
			i, j = pair(last)
		}
		d.rows[i*d.words+j/64] |= 1 << (j % 64)
		d.rows[j*d.words+i/64] |= 1 << (i % 64)
		d.edges = append(d.edges, int32(i), int32(j))
	}
	thrice := 0
	for e := 0; e < len(d.edges); e += 2 {
		thrice += d.common(int(d.edges[e]), int(d.edges[e+1]))
	}
	d.triangles = thrice / 3
}

// pair returns the pair i < j of that number in the order (0,1), (0,2), (1,2),
// (0,3), ...
func pair(number int) (i, j int) {
	// Correct rounding suffices: a root is an integer exactly where j begins.
	j = int((1 + math.Sqrt(float64(8*number+1))) / 2)
	return number - j*(j-1)/2, j
}

func (d *triangleDraw) row(i int) []uint64 { return d.rows[i*d.words : (i+1)*d.words] }

func (d *triangleDraw) has(i, j int) bool {
	return d.rows[i*d.words+j/64]>>(j%64)&1 != 0
}

// common counts the neighbours that two nodes share.
func (d *triangleDraw) common(i, j int) int {
	count := 0
	other := d.row(j)
	for w, bitsOf := range d.row(i) {
		count += bits.OnesCount64(bitsOf & other[w])
	}
	return count
}

// build returns the graph, with the triangles through each node as attribute.
func (d *triangleDraw) build() Graph {
	g := Graph{Neighbors: make([][]int32, d.n), Attributes: make([]float64, d.n)}
	all := make([]int32, 0, len(d.edges))
	for i := range d.n {
		first, twice := len(all), 0
		for w, rest := range d.row(i) {
			for ; rest != 0; rest &= rest - 1 {
				j := 64*w + bits.TrailingZeros64(rest)
				all = append(all, int32(j))
				twice += d.common(i, j)
			}
		}
		g.Neighbors[i] = all[first:len(all):len(all)]
		g.Attributes[i] = float64(twice / 2)
	}
	return g
}
