package datasets

import (
	"fmt"
	"math"
	"slices"

	"ogdl/internal/adjacency"
)

// Graph is an undirected graph without loops, with optional weights on its edges, and
// discrete labels and real attributes on its nodes. Nodes are 0..Order()-1, in
// the order in which the data list them.
//
// A Graph is data: fill it, then share it between goroutines as long as nobody
// writes to it.
type Graph struct {
	// Neighbors holds, for each node, its neighbours: ascending, distinct,
	// without the node itself, and symmetric (j in Neighbors[i] exactly when i
	// in Neighbors[j]).
	Neighbors [][]int32
	// Weights[i][e] >= 0, finite, is the weight of the edge to Neighbors[i][e], the same from
	// both ends; nil where every edge weighs 1.
	Weights [][]float64
	// Labels[c][i] is the raw value of label column c at node i; nil where the
	// data set has no node labels or the graph no nodes.
	Labels [][]int
	// Attributes holds the real attributes row by row, Order() rows of
	// Dataset.AttributeDim values; nil where there are none.
	Attributes []float64
}

// Check returns an error where neighbours or weights break the rules of their fields, for graphs that a
// program makes. [Structure.Matrix] calls it. Cost O(|E| log n).
func (g *Graph) Check() error {
	if err := adjacency.Check(g.Neighbors); err != nil {
		return fmt.Errorf("datasets: %w", err)
	}
	if g.Weights == nil {
		return nil
	}
	if len(g.Weights) != g.Order() {
		return fmt.Errorf("datasets: edge weights of %d nodes, expected %d", len(g.Weights), g.Order())
	}
	for i, nb := range g.Neighbors {
		if len(g.Weights[i]) != len(nb) {
			return fmt.Errorf("datasets: node %d has %d edge weights, expected one for each of its %d neighbours", i, len(g.Weights[i]), len(nb))
		}
	}
	for i, nb := range g.Neighbors {
		for e, j := range nb {
			w := g.Weights[i][e]
			back, _ := slices.BinarySearch(g.Neighbors[j], int32(i))
			if !(w >= 0 && w <= math.MaxFloat64) || g.Weights[j][back] != w {
				return fmt.Errorf("datasets: the edge from node %d to %d has weight %v, and back %v; expected one finite number >= 0",
					i, j, w, g.Weights[j][back])
			}
		}
	}
	return nil
}

// Order returns the number of nodes.
func (g *Graph) Order() int { return len(g.Neighbors) }

// Edges returns the number of undirected edges, in O(n).
func (g *Graph) Edges() int {
	half := 0
	for _, nb := range g.Neighbors {
		half += len(nb)
	}
	return half / 2
}

// Degree returns the number of neighbours of node i; it panics where i is not
// a node.
func (g *Graph) Degree(i int) int { return len(g.Neighbors[i]) }

// weight returns the weight of the edge from i to its e-th neighbour.
func (g *Graph) weight(i, e int) float64 {
	if g.Weights == nil {
		return 1
	}
	return g.Weights[i][e]
}

// strength returns the sum of the weights of a node's edges, times scale.
func (g *Graph) strength(i int, scale float64) float64 {
	if g.Weights == nil {
		return float64(g.Degree(i))
	}
	sum := 0.0
	for _, w := range g.Weights[i] {
		sum += float64(w * scale)
	}
	return sum
}

// Adjacency returns the symmetric adjacency matrix with a zero diagonal, n*n values row
// by row: the weights of the edges, 1 where there are none.
func (g *Graph) Adjacency() []float64 {
	n := g.Order()
	m := make([]float64, n*n)
	for i, nb := range g.Neighbors {
		row := m[i*n : (i+1)*n]
		for e, j := range nb {
			row[j] = g.weight(i, e)
		}
	}
	return m
}

// Components returns the number of connected components and the component of
// each node, numbered by the smallest node they hold. An empty graph has none.
func (g *Graph) Components() (count int, of []int32) {
	n := g.Order()
	of = make([]int32, n)
	for i := range of {
		of[i] = -1
	}
	queue := make([]int32, 0, n)
	for s := range n {
		if of[s] >= 0 {
			continue
		}
		of[s] = int32(count)
		queue = append(queue[:0], int32(s))
		for head := 0; head < len(queue); head++ {
			for _, j := range g.Neighbors[queue[head]] {
				if of[j] < 0 {
					of[j] = int32(count)
					queue = append(queue, j)
				}
			}
		}
		count++
	}
	return count, of
}
