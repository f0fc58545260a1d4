package figures

import (
	"math"
	"slices"

	"ogdl/internal/artifact"
)

// joined is the mean weight of the edges between two groups of nodes from which they count
// as one block: as likely joined as not.
const joined = 0.5

// arrange orders the nodes of a structure matrix so that its blocks are on the diagonal, and says
// which nodes form a block. Nodes of graphs and of atoms come in no order of their own.
//
// Groups of nodes are joined two by two, always the pair with the highest mean entry
// between them (average linkage); each group is a sequence, and of the four ways to put two
// sequences end to end the one is taken whose touching nodes have the highest entry.
// The denser end comes first. Blocks are the groups at the point where the next mean
// would be below 0.5; block[i] numbers the block of node i, from 0 in the order of the nodes. Ties
// go to the nodes that come first, so that the same matrix gives the same answer. m
// need not be symmetric: the means of both directions count. Cost O(n^3).
func arrange(m artifact.Matrix) (order, block []int) {
	n := m.N
	entry := func(i, j int) float64 { return (m.At(i, j) + m.At(j, i)) / 2 }
	groups := make([][]int, n)
	sum := make([][]float64, n) // of the entries between two groups
	for i := range n {
		groups[i] = []int{i}
		sum[i] = make([]float64, n)
		for j := range n {
			sum[i][j] = entry(i, j)
		}
	}
	block = make([]int, n)
	var blocks [][]int
	for len(groups) > 1 {
		a, b, best := -1, -1, 0.0
		for i := range groups {
			for j := i + 1; j < len(groups); j++ {
				mean := sum[i][j] / float64(len(groups[i])*len(groups[j]))
				if a < 0 || mean > best {
					a, b, best = i, j, mean
				}
			}
		}
		if blocks == nil && best < joined {
			blocks = slices.Clone(groups)
		}
		groups[a] = splice(groups[a], groups[b], entry)
		for j := range groups {
			sum[a][j] += sum[b][j]
			sum[j][a] = sum[a][j]
		}
		groups = slices.Delete(groups, b, b+1)
		sum = slices.Delete(sum, b, b+1)
		for j := range sum {
			sum[j] = slices.Delete(sum[j], b, b+1)
		}
	}
	if n == 0 {
		return nil, block
	}
	if blocks == nil {
		blocks = groups
	}
	order = groups[0]
	if head, tail := weightOf(order[:n/2], m), weightOf(order[(n+1)/2:], m); head < tail {
		slices.Reverse(order)
	}
	of := make([]int, n)
	for k, nodes := range blocks {
		for _, i := range nodes {
			of[i] = k
		}
	}
	for k, i := range order[1:] { // the nodes of a block are next to each other
		block[i] = block[order[k]]
		if of[i] != of[order[k]] {
			block[i]++
		}
	}
	return order, block
}

// splice puts two sequences of nodes end to end, either of them turned round if need be.
func splice(a, b []int, entry func(i, j int) float64) []int {
	turned := func(x []int) []int {
		x = slices.Clone(x)
		slices.Reverse(x)
		return x
	}
	var out []int
	best := 0.0
	for _, way := range [][2][]int{{a, b}, {a, turned(b)}, {turned(a), b}, {turned(a), turned(b)}} {
		if e := entry(way[0][len(a)-1], way[1][0]); out == nil || e > best {
			out, best = slices.Concat(way[0], way[1]), e
		}
	}
	return out
}

// weightOf is the sum of all entries in the rows of some nodes.
func weightOf(nodes []int, m artifact.Matrix) float64 {
	sum := 0.0
	for _, i := range nodes {
		for j := range m.N {
			sum += m.At(i, j)
		}
	}
	return sum
}

// permuted is the matrix with its nodes in this order.
func permuted(m artifact.Matrix, order []int) artifact.Matrix {
	out := artifact.Matrix{N: m.N, V: make([]float64, 0, len(m.V))}
	for _, i := range order {
		for _, j := range order {
			out.V = append(out.V, m.At(i, j))
		}
	}
	return out
}

// density returns the mean of the off-diagonal entries: for an adjacency matrix, the share of pairs
// of nodes that are joined. For one node it is 0.
func density(m artifact.Matrix) float64 { return meanEntry(m, func(i, j int) bool { return i != j }) }

// meanEntry returns the mean of the entries that are picked; 0 without any.
func meanEntry(m artifact.Matrix, pick func(i, j int) bool) float64 {
	sum, count := 0.0, 0
	for i := range m.N {
		for j := range m.N {
			if pick(i, j) {
				sum += m.At(i, j)
				count++
			}
		}
	}
	if count == 0 {
		return 0
	}
	return sum / float64(count)
}

// cutOf returns the number of leading nodes, 1 to n-1, after which a matrix in the order of its
// blocks is best cut into two parts. The best cut has the least sum of squared deviations of
// off-diagonal entries from the means inside the two parts and between them. Of equal cuts it takes
// the first; it returns 0 below two nodes.
func cutOf(m artifact.Matrix) int {
	best, least := 0, math.Inf(1)
	for k := 1; k < m.N; k++ {
		same := func(i, j int) bool { return (i < k) == (j < k) }
		inside := meanEntry(m, func(i, j int) bool { return i != j && same(i, j) })
		between := meanEntry(m, func(i, j int) bool { return !same(i, j) })
		sum := 0.0
		for i := range m.N {
			for j := range m.N {
				d := m.At(i, j) - between
				if same(i, j) {
					d = m.At(i, j) - inside
				}
				if i != j {
					sum += float64(d * d)
				}
			}
		}
		if sum < least {
			best, least = k, sum
		}
	}
	return best
}

// smallPart is the number of nodes in the smaller part of a model whose nodes are in the order
// of its blocks (see cut), and where it begins; of equal parts the first.
func smallPart(m artifact.Matrix) (from, nodes int) {
	k := cutOf(m)
	if 2*k > m.N {
		return k, m.N - k
	}
	return 0, k
}

// shareByDensity is the share x <= 1/2 of nodes in the smaller block that would give a block
// model of n nodes m's density d, with the probabilities within and between of an edge:
//
//	d = between + (within - between) (n q - 1) / (n - 1),   q = x^2 + (1-x)^2
//
// 1/2 where d is too small for any, 0 where it is too large.
func shareByDensity(m artifact.Matrix, within, between float64) float64 {
	n := float64(m.N)
	q := ((density(m)-between)/(within-between)*(n-1) + 1) / n
	return (1 - math.Sqrt(min(1, max(0, 2*q-1)))) / 2
}
