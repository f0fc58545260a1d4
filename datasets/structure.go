package datasets

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// StructureKind names a structure matrix, Unreachable a rule for the distance between nodes that no
// path joins.
type (
	StructureKind string
	Unreachable   string
)

// Kinds of structure matrix.
const (
	// KindAdjacency is the adjacency matrix, the default of the paper: 0/1, or the
	// weights of the edges.
	KindAdjacency StructureKind = "adjacency"
	// KindSelfLoops is the adjacency matrix with a diagonal of 1: each node has an
	// edge to itself.
	KindSelfLoops StructureKind = "adjacency_self_loops"
	// KindShortestPath is the matrix of shortest-path lengths: in edges, or where
	// edges have weights with those as their lengths.
	KindShortestPath StructureKind = "shortest_path"
	// KindLaplacian is the combinatorial Laplacian, degrees (sums of the weights)
	// minus adjacency.
	KindLaplacian StructureKind = "laplacian"
	// KindHeatKernel is exp(-t L) of the symmetric normalised Laplacian
	// L = I - D^{-1/2} A D^{-1/2}, the row of an isolated node being 0.
	KindHeatKernel StructureKind = "heat_kernel"
)

// Rules for the distance between nodes that no path joins. The largest finite
// distance of the graph counts as 1 where it is 0, so that a graph without edges
// still keeps its nodes apart.
const (
	// UnreachableTenTimesMax puts ten times the largest finite distance of
	// the graph, as the released code does.
	UnreachableTenTimesMax Unreachable = "10x_max"
	// UnreachableMaxPlusOne puts the largest finite distance plus 1.
	UnreachableMaxPlusOne Unreachable = "max_plus_one"
	// UnreachableError rejects disconnected graphs.
	UnreachableError Unreachable = "error"
)

// LongestTime bounds [Structure].Time.
const LongestTime = 1e6

// MaxDenseOrder bounds the order of a graph that is turned into a dense
// matrix: 2 GiB of float64.
const MaxDenseOrder = 1 << 14

// Structure says how a graph becomes its structure matrix C.
type Structure struct {
	// Kind is one of the Kind constants; "" means KindAdjacency.
	Kind StructureKind
	// Unreachable is one of the Unreachable constants, for
	// KindShortestPath; "" means UnreachableTenTimesMax.
	Unreachable Unreachable
	// Time is the diffusion time of KindHeatKernel, in (0, 1e6] (the paper tries 5,
	// 10 and 20). Longer ones would show the rounding of the Laplacian's eigenvalue 0.
	Time float64
}

// Validate reports a kind, a rule or a time that is not allowed.
func (s Structure) Validate() error {
	switch s.Kind {
	case "", KindAdjacency, KindSelfLoops, KindLaplacian:
		return nil
	case KindShortestPath:
		switch s.Unreachable {
		case "", UnreachableTenTimesMax, UnreachableMaxPlusOne, UnreachableError:
			return nil
		}
		return fmt.Errorf("datasets: unreachable rule %q, want %q, %q or %q",
			s.Unreachable, UnreachableTenTimesMax, UnreachableMaxPlusOne, UnreachableError)
	case KindHeatKernel:
		if !(s.Time > 0 && s.Time <= LongestTime) {
			return fmt.Errorf("datasets: heat kernel time %v, want a number above 0 and at most %g", s.Time, LongestTime)
		}
		return nil
	}
	return fmt.Errorf("datasets: structure %q, want %q, %q, %q, %q or %q",
		s.Kind, KindAdjacency, KindSelfLoops, KindShortestPath, KindLaplacian, KindHeatKernel)
}

// Matrix returns the symmetric structure matrix of the graph, n*n values row by row. It costs
// O(n^2) for adjacency and Laplacian, O(n (n + |E|)) for shortest paths (O(n |E| log n) with
// weights) and O(n^3) for the heat kernel. It returns an error for an invalid Structure, for a graph
// that [Graph.Check] rejects, for an order above MaxDenseOrder, for shortest paths over an edge of
// weight 0, for sums of weights that overflow and, under UnreachableError, for a disconnected graph.
func (s Structure) Matrix(g *Graph) ([]float64, error) {
	if err := s.Validate(); err != nil {
		return nil, err
	}
	if n := g.Order(); n > MaxDenseOrder {
		return nil, fmt.Errorf("datasets: a graph of %d nodes, more than the %d of a dense matrix", n, MaxDenseOrder)
	}
	if err := g.Check(); err != nil {
		return nil, err
	}
	switch s.Kind {
	case KindSelfLoops:
		m, n := g.Adjacency(), g.Order()
		for i := range n {
			m[i*n+i] = 1
		}
		return m, nil
	case KindShortestPath:
		return s.shortestPaths(g)
	case KindLaplacian:
		return laplacian(g)
	case KindHeatKernel:
		return heatKernel(g, s.Time)
	}
	return g.Adjacency(), nil
}

func laplacian(g *Graph) ([]float64, error) {
	n := g.Order()
	m := make([]float64, n*n)
	for i, nb := range g.Neighbors {
		for e, j := range nb {
			m[i*n+int(j)] = -g.weight(i, e)
		}
		if m[i*n+i] = g.strength(i, 1); math.IsInf(m[i*n+i], 1) {
			return nil, fmt.Errorf("datasets: the weights of the edges add up beyond float64 at node %d", i)
		}
	}
	return m, nil
}

func (s Structure) shortestPaths(g *Graph) ([]float64, error) {
	m, largest, unreachable, err := distances(g)
	if err != nil {
		return nil, err
	}
	if !unreachable {
		return m, nil
	}
	if largest == 0 {
		largest = 1
	}
	far := 10 * largest
	switch s.Unreachable {
	case UnreachableMaxPlusOne:
		far = largest + 1
	case UnreachableError:
		count, _ := g.Components()
		return nil, fmt.Errorf("datasets: shortest paths of a disconnected graph (%d nodes, %d components) under the rule %q",
			g.Order(), count, UnreachableError)
	}
	for i := range m {
		if m[i] < 0 {
			m[i] = far
		}
	}
	return m, nil
}

// distances returns the lengths of the shortest paths, -1 where there is none, the largest of them,
// and whether some pair has none.
func distances(g *Graph) (m []float64, largest float64, unreachable bool, err error) {
	if g.Weights != nil {
		return weightedDistances(g)
	}
	n := g.Order()
	m = make([]float64, n*n)
	for i := range m {
		m[i] = -1
	}
	queue := make([]int32, 0, n)
	for i := range n {
		row := m[i*n : (i+1)*n]
		row[i] = 0
		queue = append(queue[:0], int32(i))
		for head := 0; head < len(queue); head++ {
			k := queue[head]
			for _, j := range g.Neighbors[k] {
				if row[j] < 0 {
					row[j] = row[k] + 1
					queue = append(queue, j)
				}
			}
		}
		largest = max(largest, row[queue[len(queue)-1]])
		unreachable = unreachable || len(queue) < n
	}
	return m, largest, unreachable, nil
}

// heatKernel works component by component: exp(-tL) is block diagonal, the
// blocks are cheaper, and the zeros between them come out exact.
func heatKernel(g *Graph, t float64) ([]float64, error) {
	n := g.Order()
	m := make([]float64, n*n)
	scale := scaleOf(g)
	count, of := g.Components()
	members := make([][]int32, count)
	place := make([]int, n) // of a node within its component
	for i, c := range of {
		place[i] = len(members[c])
		members[c] = append(members[c], int32(i))
	}
	for _, nodes := range members {
		k := len(nodes)
		if k == 1 {
			m[int(nodes[0])*n+int(nodes[0])] = 1 // L = 0
			continue
		}
		l := mat.NewSymDense(k, nil)
		for a, i := range nodes {
			at := g.strength(int(i), scale)
			if at == 0 {
				continue // edges of weight 0 alone: as if it had none
			}
			l.SetSym(a, a, 1)
			for e, j := range g.Neighbors[i] {
				if b := place[j]; a < b && g.weight(int(i), e) > 0 {
					l.SetSym(a, b, -g.weight(int(i), e)*scale/rootOfProduct(at, g.strength(int(j), scale)))
				}
			}
		}
		var eig mat.EigenSym
		if !eig.Factorize(l, true) {
			return nil, fmt.Errorf("datasets: the eigenvalues of a normalised Laplacian of order %d did not converge", k)
		}
		var v mat.Dense
		eig.VectorsTo(&v)
		// K = (V e^{-t lambda/2}) (V e^{-t lambda/2})', symmetric by construction.
		for b, lambda := range eig.Values(nil) {
			f := math.Exp(-t * max(lambda, 0) / 2)
			for a := range k {
				v.Set(a, b, f*v.At(a, b))
			}
		}
		var kernel mat.SymDense
		kernel.SymOuterK(1, &v)
		for a, i := range nodes {
			for b, j := range nodes {
				// Every entry is >= 0 in exact arithmetic.
				m[int(i)*n+int(j)] = max(kernel.At(a, b), 0)
			}
		}
	}
	return m, nil
}
