package gin

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"ogdl/internal/adjacency"
	"ogdl/internal/nn"
	"ogdl/internal/vec"
)

// Graph is an undirected graph without loops and without weights of edges. Nodes are 0..Order()-1.
type Graph struct {
	// Neighbors holds, for each node, its neighbours: ascending, distinct, without the node itself,
	// and symmetric (j in Neighbors[i] exactly when i in Neighbors[j]).
	Neighbors [][]int32
	// Inputs are the inputs of the nodes, row by row: Order() rows of one width, which all graphs
	// share. The published network has one-hot codes of labels, or else of degrees.
	Inputs []float64
}

// Order returns the number of nodes.
func (g *Graph) Order() int { return len(g.Neighbors) }

// check returns an error for a graph whose nodes do not have that many inputs.
func (g *Graph) check(width int) error {
	return cmp.Or(adjacency.Check(g.Neighbors), nn.CheckInputs(g.Inputs, g.Order(), width))
}

// widthOf returns how many inputs a node has in the first graph with nodes.
func widthOf(graphs []Graph) (int, error) {
	for i := range graphs {
		if n := graphs[i].Order(); n > 0 {
			if w := len(graphs[i].Inputs) / n; w > 0 {
				return w, nil
			}
			return 0, fmt.Errorf("gin: graph %d has %d inputs for its %d nodes, expected one at least for each", i, len(graphs[i].Inputs), n)
		}
	}
	return 0, errors.New("gin: no graph has nodes")
}

// set is a list of graphs as batches are made of them. Rows are padded with zeros to vec.Pad.
type set struct {
	name   string    // of the argument, for errors
	first  []int32   // first node of graph i; one more at the end
	rowPtr []int32   // as CSR matrices have it, over all nodes
	col    []int32   // a node and its neighbours, counted from the first node of the graph
	z      []float64 // (A + I) X
	sums   []float64 // of the rows of X, per graph
}

// newSet checks the graphs of an argument.
func newSet(name string, graphs []Graph, width int) (*set, error) {
	s := &set{name: name, first: []int32{0}, rowPtr: []int32{0}}
	nodes := 0
	for i := range graphs {
		if err := graphs[i].check(width); err != nil {
			return nil, fmt.Errorf("gin: %s[%d]: %w", name, i, err)
		}
		if nodes += graphs[i].Order(); nodes > math.MaxInt32/4 {
			return nil, fmt.Errorf("gin: %s has more than %d nodes", name, math.MaxInt32/4)
		}
		s.first = append(s.first, int32(nodes))
		for k, list := range graphs[i].Neighbors {
			s.col = append(append(s.col, int32(k)), list...)
			if len(s.col) > math.MaxInt32 {
				return nil, fmt.Errorf("gin: %s has more than %d edges", name, math.MaxInt32/2)
			}
			s.rowPtr = append(s.rowPtr, int32(len(s.col)))
		}
	}
	ld := vec.Pad(width)
	s.z, s.sums = make([]float64, nodes*ld), make([]float64, len(graphs)*ld)
	for i := range graphs {
		for k, list := range graphs[i].Neighbors {
			x := graphs[i].Inputs[k*width : (k+1)*width]
			vec.Add(x, s.sums[i*ld:])
			row := s.z[(int(s.first[i])+k)*ld:]
			vec.Add(x, row)
			for _, j := range list {
				vec.Add(graphs[i].Inputs[int(j)*width:(int(j)+1)*width], row)
			}
		}
	}
	return s, nil
}

func (s *set) len() int { return len(s.first) - 1 }

// largest returns how many nodes and entries of (A + I) a batch of so many graphs has at most.
func (s *set) largest(batch int) (nodes, entries int) {
	n, e := make([]int, s.len()), make([]int, s.len())
	for i := range n {
		n[i], e[i] = int(s.first[i+1]-s.first[i]), int(s.rowPtr[s.first[i+1]]-s.rowPtr[s.first[i]])
	}
	most := func(x []int) (sum int) {
		slices.Sort(x)
		for _, v := range x[max(0, len(x)-batch):] {
			sum += v
		}
		return sum
	}
	return most(n), most(e)
}
