package kernels

import (
	"context"
	"errors"
	"fmt"
	"math"

	"ogdl/internal/adjacency"
)

// Graph is an undirected graph without loops and weights of edges. Nodes are 0..Order()-1.
type Graph struct {
	// Neighbors holds, for each node, its neighbours: ascending, distinct, without the
	// node itself, and symmetric (j in Neighbors[i] exactly when i in Neighbors[j]).
	Neighbors [][]int32
	// Labels holds a label for each node, any integers; nil where there are none.
	Labels []int
	// Attributes holds the real attributes of the nodes, row by row: Order() rows of one
	// width, which all graphs of a set share. Nil where there are none.
	Attributes []float64
}

// Order returns the number of nodes.
func (g *Graph) Order() int { return len(g.Neighbors) }

// Labels says whether a kernel looks at the labels of the nodes.
type Labels bool

const (
	// WithoutLabels treats all nodes alike; labels need not be there.
	WithoutLabels Labels = false
	// WithLabels needs a label for every node.
	WithLabels Labels = true
)

// check returns an error for graphs that cannot be used.
func check(ctx context.Context, graphs []Graph, labels Labels) error {
	switch {
	case ctx == nil:
		return errors.New("kernels: ctx is nil, expected a context")
	case len(graphs) == 0:
		return errors.New("kernels: graphs is empty, expected one at least")
	}
	for i := range graphs {
		g := &graphs[i]
		n := g.Order()
		if n > math.MaxInt32 {
			return fmt.Errorf("kernels: graph %d has %d nodes, expected at most %d", i, n, math.MaxInt32)
		}
		if err := adjacency.Check(g.Neighbors); err != nil {
			return fmt.Errorf("kernels: graph %d: %w", i, err)
		}
		switch {
		case g.Labels != nil && len(g.Labels) != n:
			return fmt.Errorf("kernels: graph %d has %d labels, expected one for each of its %d nodes", i, len(g.Labels), n)
		case g.Labels == nil && n > 0 && labels == WithLabels:
			return fmt.Errorf("kernels: graph %d has no labels, which this kernel needs", i)
		}
	}
	return nil
}

// width checks graphs without labels and their attributes, and returns how many a node has.
func width(ctx context.Context, graphs []Graph) (int, error) {
	if err := check(ctx, graphs, WithoutLabels); err != nil {
		return 0, err
	}
	d, first := 0, -1
	for i := range graphs {
		g := &graphs[i]
		n := g.Order()
		if n == 0 {
			if len(g.Attributes) > 0 {
				return 0, fmt.Errorf("kernels: graph %d has %d attributes and no nodes", i, len(g.Attributes))
			}
			continue
		}
		if len(g.Attributes) == 0 {
			return 0, fmt.Errorf("kernels: graph %d has no attributes, which this kernel needs", i)
		}
		if len(g.Attributes)%n != 0 {
			return 0, fmt.Errorf("kernels: graph %d has %d attributes, expected as many for each of its %d nodes", i, len(g.Attributes), n)
		}
		w := len(g.Attributes) / n
		if first < 0 {
			d, first = w, i
		}
		if w != d {
			return 0, fmt.Errorf("kernels: graph %d has %d attributes a node and graph %d has %d, expected the same", i, w, first, d)
		}
		for k, x := range g.Attributes {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return 0, fmt.Errorf("kernels: graph %d: attribute %d of node %d is %v, expected a finite number", i, k%d, k/d, x)
			}
		}
	}
	return d, nil
}
