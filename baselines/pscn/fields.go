package pscn

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"ogdl/internal/adjacency"
	"ogdl/internal/nn"
)

// Graph is an undirected graph without loops. Nodes are 0..Order()-1.
type Graph struct {
	Neighbors [][]int32 // of each node: ascending, distinct, without the node itself, and symmetric
	Inputs    []float64 // inputs of the nodes, row by row: Order() rows of one width, which all graphs share
}

// Order returns the number of nodes.
func (g *Graph) Order() int { return len(g.Neighbors) }

// Labelling names the order of the nodes of a graph whose fields are seen.
type Labelling string

// Labellings. Ties go to the higher Weisfeiler-Lehman rank.
const (
	Betweenness      Labelling = "betweenness"       // higher betweenness centrality first
	WeisfeilerLehman Labelling = "weisfeiler_lehman" // by the ranks alone
)

// Set is a list of graphs as the network sees them: sequences of fields, which are sparse matrices.
type Set struct {
	inputs, width, field int
	graphs               int
	rowPtr, col          []int32   // a row for each field, width of them for each graph
	val                  []float64 // entries; column field place times inputs plus input
}

// NewSet makes the fields of the graphs. No graphs with nodes, inputs that do not fit or are not
// finite, lists of neighbours that are not as Graph says and bad settings are errors.
func NewSet(graphs []Graph, set *Settings) (*Set, error) {
	s, err := set.resolve()
	if err != nil {
		return nil, err
	}
	nodes, inputs := 0, 0
	for i := range graphs {
		if n := graphs[i].Order(); n > 0 {
			nodes, inputs = nodes+n, max(inputs, len(graphs[i].Inputs)/n)
		}
	}
	if inputs == 0 {
		return nil, errors.New("pscn: no graph has nodes with inputs")
	}
	out := &Set{inputs: inputs, width: s.Width, field: s.Field, graphs: len(graphs), rowPtr: []int32{0}}
	if out.width == 0 {
		out.width = max(1, (2*nodes+len(graphs))/(2*len(graphs)))
	}
	for i := range graphs {
		g := &graphs[i]
		if err := cmp.Or(adjacency.Check(g.Neighbors), nn.CheckInputs(g.Inputs, g.Order(), inputs)); err != nil {
			return nil, fmt.Errorf("pscn: graphs[%d]: %w", i, err)
		}
		fields := sequence(g, inputs, s.Field, s.Labelling)
		for p := range out.width {
			if at := p * s.Stride; at < len(fields) {
				for k, v := range fields[at] {
					for j, x := range g.Inputs[int(v)*inputs : (int(v)+1)*inputs] {
						if x != 0 {
							out.col, out.val = append(out.col, int32(k*inputs+j)), append(out.val, x)
						}
					}
				}
			}
			if len(out.col) > math.MaxInt32 {
				return nil, errors.New("pscn: the fields of the graphs are too many")
			}
			out.rowPtr = append(out.rowPtr, int32(len(out.col)))
		}
	}
	return out, nil
}

// sequence returns the fields of all nodes of a graph, of at most so many nodes each, in the order
// of a labelling. Each place of it has the same inputs whatever the order of the graph's nodes:
// nodes of one rank have the same inputs, and fields of one rank are told apart by the ranks in
// them.
func sequence(g *Graph, inputs, field int, by Labelling) [][]int32 {
	ranks := ranksOf(g, inputs)
	central := make([]float64, g.Order())
	if by == Betweenness {
		central = betweenness(g)
	}
	fields := make([][]int32, g.Order())
	for v := range fields {
		fields[v] = fieldOf(g, ranks, int32(v), field)
	}
	slices.SortFunc(fields, func(a, b []int32) int {
		if c := cmp.Or(cmp.Compare(central[b[0]], central[a[0]]), cmp.Compare(ranks[a[0]], ranks[b[0]])); c != 0 {
			return c
		}
		return slices.CompareFunc(a, b, func(u, v int32) int { return cmp.Compare(ranks[u], ranks[v]) })
	})
	return fields
}

// fieldOf returns the first nodes around a root: by distance, and by rank within one. The search
// ends with the layer that has enough.
func fieldOf(g *Graph, ranks []int, root int32, field int) []int32 {
	found, seen := []int32{root}, map[int32]bool{root: true}
	for from := 0; from < len(found) && len(found) < field; {
		to := len(found)
		for _, v := range found[from:to] {
			for _, u := range g.Neighbors[v] {
				if !seen[u] {
					seen[u] = true
					found = append(found, u)
				}
			}
		}
		layer := found[to:]
		slices.SortFunc(layer, func(a, b int32) int { return cmp.Compare(ranks[a], ranks[b]) })
		from = to
	}
	return found[:min(len(found), field)]
}

// ranksOf returns the Weisfeiler-Lehman ranks of the nodes, from 0: by degree, the largest first,
// then by inputs, then, as often as that tells more apart, by their neighbours' ranks.
func ranksOf(g *Graph, inputs int) []int {
	n := g.Order()
	order, ranks, around := make([]int, n), make([]int, n), make([][]int, n)
	for i := range order {
		order[i] = i
	}
	count := 0
	rank := func(compare func(a, b int) int) {
		slices.SortFunc(order, compare)
		next, r := make([]int, n), 0
		for k, i := range order {
			if k > 0 && compare(order[k-1], i) != 0 {
				r++
			}
			next[i] = r
		}
		ranks, count = next, r+1
	}
	row := func(i int) []float64 { return g.Inputs[i*inputs : (i+1)*inputs] }
	rank(func(a, b int) int {
		return cmp.Or(cmp.Compare(len(g.Neighbors[b]), len(g.Neighbors[a])), slices.Compare(row(a), row(b)))
	})
	for before := 0; count > before; {
		before = count
		for i, list := range g.Neighbors {
			around[i] = around[i][:0]
			for _, j := range list {
				around[i] = append(around[i], ranks[j])
			}
			slices.Sort(around[i])
		}
		old := ranks
		rank(func(a, b int) int { return cmp.Or(cmp.Compare(old[a], old[b]), slices.Compare(around[a], around[b])) })
	}
	return ranks
}

// betweenness returns how many shortest paths of other nodes lead through each, as shares (Brandes
// 2001), rounded to multiples of 2^-30, so that the order of sums plays no part.
func betweenness(g *Graph) []float64 {
	n := g.Order()
	out, paths, back, distance := make([]float64, n), make([]float64, n), make([]float64, n), make([]int, n)
	for s := range n {
		clear(paths)
		clear(back)
		for i := range distance {
			distance[i] = -1
		}
		queue := []int32{int32(s)}
		paths[s], distance[s] = 1, 0
		for k := 0; k < len(queue); k++ {
			v := queue[k]
			for _, u := range g.Neighbors[v] {
				if distance[u] < 0 {
					distance[u] = distance[v] + 1
					queue = append(queue, u)
				}
				if distance[u] == distance[v]+1 {
					paths[u] += paths[v]
				}
			}
		}
		for _, v := range slices.Backward(queue[1:]) {
			for _, u := range g.Neighbors[v] {
				if distance[u] == distance[v]-1 {
					back[u] += float64(paths[u] / paths[v] * (1 + back[v]))
				}
			}
			out[v] += back[v]
		}
	}
	for i, x := range out {
		out[i] = math.Round(math.Ldexp(x, 30))
	}
	return out
}
