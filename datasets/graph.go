package datasets

// Graph is an undirected graph without loops or edge weights, with optional
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
	// Labels[c][i] is the raw value of label column c at node i; nil where the
	// data set has no node labels or the graph no nodes.
	Labels [][]int
	// Attributes holds the real attributes row by row, Order() rows of
	// Dataset.AttributeDim values; nil where there are none.
	Attributes []float64
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

// Adjacency returns the symmetric 0/1 adjacency matrix with a zero diagonal,
// n*n values row by row.
func (g *Graph) Adjacency() []float64 {
	n := g.Order()
	m := make([]float64, n*n)
	for i, nb := range g.Neighbors {
		row := m[i*n : (i+1)*n]
		for _, j := range nb {
			row[j] = 1
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
