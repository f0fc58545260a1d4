package kernels

import (
	"context"
	"fmt"
	"math"

	"ogdl/internal/parallel"
	"ogdl/internal/vec"
)

// GraphHopper computes the GraphHopper kernel (Feragen et al., "Scalable kernels for graphs
// with continuous attributes", NIPS 2013) with the inner product of attributes x:
//
//	K(G, G') = sum over v in G, v' in G' of <M_v, M_v'> <x_v, x_v'>,
//
// M_v(a, b) being the number of shortest paths of b edges whose node at place a is v, paths of no
// edges included, and each path in both directions. So it compares shortest paths of equal length
// node by node. Attributes are taken as they are, without any scaling.
//
// With this inner product K is the Gram matrix of the features sum_v M_v(a, b) x_v: the cost is O(n
// e D) for the paths of a graph of n nodes, e edges and diameter D, O(n D^2 d) for its features
// with d attributes, and O(D^2 d) for two graphs, which is also the memory of each. Numbers of
// paths can grow beyond 2^53 on large dense graphs; they and K are float64.
//
// Attributes that are missing or not finite, widths that differ and a K beyond float64 are errors.
func GraphHopper(ctx context.Context, graphs []Graph) ([]float64, error) {
	d, err := width(ctx, graphs)
	if err != nil {
		return nil, err
	}
	n := len(graphs)
	features := make([][]float64, n) // (a, b) at the place of M, d each
	var p paths
	for i := range graphs {
		if features[i], err = p.features(ctx, &graphs[i], d); err != nil {
			return nil, err
		}
	}
	K := make([]float64, n*n)
	for i, x := range features {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for j, y := range features[:i+1] {
			short := min(len(x), len(y))
			K[j*n+i] = vec.Dot(x[:short], y)
		}
	}
	mirror(K, n)
	return K, finite(K, n)
}

// GraphHopperGaussian is [GraphHopper] with exp(-mu |x_v - x_v'|^2) in place of <x_v, x_v'>. It
// goes through all pairs of nodes: O(n n' (D^2 + d)) for two graphs, on the given number of
// goroutines (0 counts as 1), and O(n D^2) memory for each. The result does not depend on the number
// of workers. A mu that is not finite and above 0 and a negative number of workers are errors too.
func GraphHopperGaussian(ctx context.Context, graphs []Graph, mu float64, workers int) ([]float64, error) {
	if !(mu > 0) || math.IsInf(mu, 1) {
		return nil, fmt.Errorf("kernels: mu is %v, expected a finite number above 0", mu)
	}
	workers, err := parallel.Workers(workers)
	if err != nil {
		return nil, fmt.Errorf("kernels: %w", err)
	}
	d, err := width(ctx, graphs)
	if err != nil {
		return nil, err
	}
	n := len(graphs)
	M, size := make([][]float64, n), make([]int, n)
	var p paths
	for i := range graphs {
		if err := p.count(ctx, &graphs[i]); err != nil {
			return nil, err
		}
		M[i], size[i] = append([]float64(nil), p.m...), p.size
	}
	K := make([]float64, n*n)
	err = parallel.Each(workers, n, func(_, i int) error {
		for j := i; j < n; j++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			x, y, short := graphs[i].Attributes, graphs[j].Attributes, min(size[i], size[j])
			for u := range graphs[i].Order() {
				row := M[i][u*size[i]:][:short]
				for v := range graphs[j].Order() {
					near := vec.Exp(-mu * vec.SquaredDistance(x[u*d:(u+1)*d], y[v*d:]))
					K[i*n+j] += float64(near * vec.Dot(row, M[j][v*size[j]:]))
				}
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	mirror(K, n)
	return K, finite(K, n)
}

// finite returns an error if a sum of products has left float64.
func finite(K []float64, n int) error {
	for i, x := range K {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("kernels: the kernel of graphs %d and %d is %v: attributes are too large, or paths too many", i/n, i%n, x)
		}
	}
	return nil
}

// paths counts the shortest paths of a graph by the places of its nodes in them.
type paths struct {
	// m has a row of size numbers for each node: M(a, b) for 0 <= a <= b <= diameter, at b (b + 1)
	// / 2 + a, so that graphs of smaller diameter have a beginning of the row.
	m    []float64
	size int

	b         bfs
	from      []float64 // from[v]: the shortest paths from the root to v
	on        []float64 // on[v*wide+l]: the paths of l edges that lead on from v, away from the root
	wide, top int
}

func (p *paths) count(ctx context.Context, g *Graph) error {
	n := g.Order()
	p.top = 0
	for root := range n {
		p.b.from(g, root)
		p.top = max(p.top, int(p.b.dist[p.b.order[len(p.b.order)-1]]))
	}
	p.wide = p.top + 1
	p.size = p.wide * (p.wide + 1) / 2
	p.m = vec.Grow(p.m, n*p.size)
	clear(p.m)
	p.from, p.on = vec.Grow(p.from, n), vec.Grow(p.on, n*p.wide)
	for root := range n {
		if err := ctx.Err(); err != nil {
			return err
		}
		p.root(g, root)
	}
	return nil
}

// root adds the paths that begin at a node.
func (p *paths) root(g *Graph, root int) {
	p.b.from(g, root)
	dist := p.b.dist
	clear(p.from)
	p.from[root] = 1
	for _, v := range p.b.order {
		for _, w := range g.Neighbors[v] {
			if dist[w] == dist[v]+1 {
				p.from[w] += p.from[v]
			}
		}
	}
	for k := len(p.b.order) - 1; k >= 0; k-- {
		v := int(p.b.order[k])
		a := int(dist[v])
		on := p.on[v*p.wide : v*p.wide+p.wide-a]
		clear(on)
		on[0] = 1
		for _, w := range g.Neighbors[v] {
			if int(dist[w]) == a+1 {
				for l, x := range p.on[int(w)*p.wide:][:len(on)-1] {
					on[l+1] += x
				}
			}
		}
		row := p.m[v*p.size : (v+1)*p.size]
		for l, x := range on {
			b := a + l
			row[b*(b+1)/2+a] += float64(p.from[v] * x)
		}
	}
}

// features returns sum_v M_v(a, b) x_v, d numbers for each (a, b).
func (p *paths) features(ctx context.Context, g *Graph, d int) ([]float64, error) {
	if err := p.count(ctx, g); err != nil {
		return nil, err
	}
	out := make([]float64, p.size*d)
	for v := range g.Order() {
		x := g.Attributes[v*d : (v+1)*d]
		for k, times := range p.m[v*p.size : (v+1)*p.size] {
			if times != 0 {
				vec.Axpy(times, x, out[k*d:])
			}
		}
	}
	return out, nil
}
