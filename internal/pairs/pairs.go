// Package pairs cuts the pairs of n things into blocks that do not depend on one another, so that whoever computes a value
// for every pair can do so block by block, in any order and place.
package pairs

import (
	"iter"
	"sort"
)

// Pairs holds the pairs of different things among n, the upper triangle row by row, cut into
// blocks. Things with equal keys count as one; the first represents all. It is immutable and may be
// used by any number of goroutines.
type Pairs struct {
	first []int // first[g] is the first thing of group g, ascending
	group []int // group[i] is the group of thing i
	cut   []int // block b has the pairs cut[b] to cut[b+1]-1 of the groups' upper triangle
}

// New cuts the pairs of the things with these keys into so many blocks of equal estimated work, at most one per pair and at
// least one; below 1: into blocks of the work of unit. work estimates the pair of things i < j. The same keys and work
// always give the same blocks.
func New[K comparable](keys []K, work func(i, j int) float64, blocks int, unit float64) *Pairs {
	p := &Pairs{group: make([]int, len(keys))}
	seen := make(map[K]int, len(keys))
	for i, key := range keys {
		g, ok := seen[key]
		if !ok {
			g = len(p.first)
			seen[key] = g
			p.first = append(p.first, i)
		}
		p.group[i] = g
	}
	n := len(p.first)
	pairs := n * (n - 1) / 2
	total := 0.0
	for i, j := range p.from(0, pairs) {
		total += work(i, j)
	}
	if blocks < 1 {
		blocks = 1 + int(total/unit)
	}
	blocks = max(1, min(blocks, pairs))
	p.cut = make([]int, 1, blocks+1)
	done, at := 0.0, 0
	for i, j := range p.from(0, pairs) {
		done += work(i, j)
		at++
		// Cut where the work is done, and where each block left must have a pair.
		b := len(p.cut)
		if b < blocks && (done >= total*float64(b)/float64(blocks) || pairs-at == blocks-b) {
			p.cut = append(p.cut, at)
		}
	}
	p.cut = append(p.cut, pairs)
	return p
}

// from yields the pairs of things at the places from lo to hi-1 of the groups' upper triangle.
func (p *Pairs) from(lo, hi int) iter.Seq2[int, int] {
	return func(yield func(i, j int) bool) {
		n := len(p.first)
		start := func(i int) int { return i * (2*n - i - 1) / 2 } // of row i
		i := sort.Search(n, func(i int) bool { return start(i+1) > lo })
		for j, at := i+1+lo-start(i), lo; at < hi; at++ {
			if !yield(p.first[i], p.first[j]) {
				return
			}
			if j++; j == n {
				i++
				j = i + 1
			}
		}
	}
}

// Len is the number of things.
func (p *Pairs) Len() int { return len(p.group) }

// Distinct is the number of different things.
func (p *Pairs) Distinct() int { return len(p.first) }

// Blocks is the number of blocks, at least 1.
func (p *Pairs) Blocks() int { return len(p.cut) - 1 }

// BlockLen is the number of pairs of block b, 0 where there is no such block.
func (p *Pairs) BlockLen(b int) int {
	if b < 0 || b >= p.Blocks() {
		return 0
	}
	return p.cut[b+1] - p.cut[b]
}

// Of yields the pairs i < j of block b, 0 <= b < Blocks(), in their order.
func (p *Pairs) Of(b int) iter.Seq2[int, int] { return p.from(p.cut[b], p.cut[b+1]) }

// Matrix is the symmetric n x n matrix, row by row, of the values of all pairs, of each block in its order, with zeros for
// equal things and on the diagonal. A block without a value for every pair panics.
func (p *Pairs) Matrix(values func(b int) []float64) []float64 {
	m, n := len(p.first), len(p.group)
	small := make([]float64, m*m)
	for b := range p.Blocks() {
		block, at := values(b), 0
		for i, j := range p.Of(b) {
			g, h, v := p.group[i], p.group[j], block[at]
			small[g*m+h], small[h*m+g] = v, v
			at++
		}
	}
	out := make([]float64, n*n)
	for i, g := range p.group {
		row := small[g*m : (g+1)*m]
		for j, h := range p.group {
			out[i*n+j] = row[h]
		}
	}
	return out
}
