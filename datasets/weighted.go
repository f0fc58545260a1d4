package datasets

import (
	"container/heap"
	"fmt"
	"math"
)

// weightedDistances returns the lengths of the shortest paths with the weights as lengths
// (Dijkstra's algorithm from every node), as distances has them. Sums are made from the node with
// the smaller number on, so that the matrix is symmetric to the last bit.
func weightedDistances(g *Graph) (m []float64, largest float64, unreachable bool, err error) {
	n := g.Order()
	m = make([]float64, n*n)
	for i, weights := range g.Weights {
		for e, w := range weights {
			if !(w > 0) {
				return nil, 0, false, fmt.Errorf("datasets: the edge from node %d to %d has weight %v; a length must be above 0", i, g.Neighbors[i][e], w)
			}
		}
	}
	row := make([]float64, n)
	var front frontier
	for i := range n {
		for j := range row {
			row[j] = math.Inf(1)
		}
		row[i] = 0
		front = append(front[:0], reached{int32(i), 0})
		for len(front) > 0 {
			at := heap.Pop(&front).(reached)
			if at.length > row[at.node] {
				continue // a shorter path has come since
			}
			for e, j := range g.Neighbors[at.node] {
				d := at.length + g.Weights[at.node][e]
				if math.IsInf(d, 1) {
					return nil, 0, false, fmt.Errorf("datasets: the lengths of the edges add up beyond float64 at node %d", at.node)
				}
				if d < row[j] {
					row[j] = d
					heap.Push(&front, reached{j, d})
				}
			}
		}
		for j := i; j < n; j++ {
			d := row[j]
			if math.IsInf(d, 1) {
				unreachable = true
				d = -1
			}
			largest = max(largest, d)
			m[i*n+j], m[j*n+i] = d, d
		}
	}
	return m, largest, unreachable, nil
}

// reached is a node with the length of a path to it.
type reached struct {
	node   int32
	length float64
}

// frontier is a heap of nodes, the nearest first.
type frontier []reached

func (f frontier) Len() int           { return len(f) }
func (f frontier) Less(a, b int) bool { return f[a].length < f[b].length }
func (f frontier) Swap(a, b int)      { f[a], f[b] = f[b], f[a] }
func (f *frontier) Push(x any)        { *f = append(*f, x.(reached)) }
func (f *frontier) Pop() any {
	old := *f
	last := old[len(old)-1]
	*f = old[:len(old)-1]
	return last
}

// scaleOf returns the power of two that brings the largest weight of a graph between 1/2 and 1. The
// normalised Laplacian does not change under it, and its products stay in range.
func scaleOf(g *Graph) float64 {
	if g.Weights == nil {
		return 1
	}
	largest := 0.0
	for _, weights := range g.Weights {
		for _, w := range weights {
			largest = max(largest, w)
		}
	}
	if largest == 0 {
		return 1
	}
	_, exponent := math.Frexp(largest)
	return math.Ldexp(1, min(-exponent, 1023))
}

// rootOfProduct returns the root of a*b, both above 0, also where the product is out of range.
func rootOfProduct(a, b float64) float64 {
	if ab := a * b; ab > 0x1p-1000 {
		return math.Sqrt(ab)
	}
	return math.Sqrt(a) * math.Sqrt(b)
}
