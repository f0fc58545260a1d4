package kernels

import (
	"context"
	"fmt"
	"math/bits"

	"ogdl/internal/vec"
)

// ShortestPath computes the shortest-path kernel (Borgwardt & Kriegel, "Shortest-path
// kernels on graphs", ICDM 2005) with equality of labels and lengths:
//
//	K(G, G') = sum over l, m, d of N_G(l, m, d) N_G'(l, m, d),
//
// N_G(l, m, d) being the number of ordered pairs (u, v) of distinct nodes of G with labels l
// and m and a shortest path of d edges. Pairs that no path joins do not count. Without labels
// the lengths alone are compared.
//
// Entries are integers, exact below 2^53. The cost is O(n (n + e)) for a graph of n nodes and
// e edges, a sort of its n^2 pairs, and then a sum for every two graphs that share a
// triple (l, m, d).
func ShortestPath(ctx context.Context, graphs []Graph, labels Labels) ([]float64, error) {
	if err := check(ctx, graphs, labels); err != nil {
		return nil, err
	}
	rank, first, distinct := labelRanks(graphs, labels)
	order := 0
	for i := range graphs {
		order = max(order, graphs[i].Order())
	}
	// A key is (label, label, distance) as digits of a number.
	if high, low := bits.Mul64(uint64(distinct)*uint64(distinct), uint64(order)); high > 0 || low>>63 > 0 || distinct >= 1<<31 {
		return nil, fmt.Errorf("kernels: %d distinct labels with %d nodes in a graph, expected a product of labels, labels and nodes below 2^63", distinct, order)
	}
	var (
		c    counts
		b    bfs
		keys []uint64
	)
	for i := range graphs {
		g, label := &graphs[i], rank[first[i]:first[i+1]]
		keys = keys[:0]
		for u := range g.Order() {
			if u&63 == 0 && ctx.Err() != nil {
				return nil, ctx.Err()
			}
			b.from(g, u)
			for _, v := range b.order[1:] {
				keys = append(keys, (uint64(label[u])*uint64(distinct)+uint64(label[v]))*uint64(order)+uint64(b.dist[v]))
			}
		}
		c = c.add(i, keys)
	}
	n := len(graphs)
	K := make([]float64, n*n)
	c.gram(K, n)
	mirror(K, n)
	return K, nil
}

// bfs is a workspace of breadth-first search.
type bfs struct {
	order []int32 // the nodes that were reached, nearest first
	dist  []int32 // of each node, -1 where it was not reached
}

// from finds the nodes that paths from root reach, and their distances.
func (b *bfs) from(g *Graph, root int) {
	b.dist = vec.Grow(b.dist, g.Order())
	for i := range b.dist {
		b.dist[i] = -1
	}
	b.dist[root] = 0
	b.order = append(b.order[:0], int32(root))
	for head := 0; head < len(b.order); head++ {
		u := b.order[head]
		for _, v := range g.Neighbors[u] {
			if b.dist[v] < 0 {
				b.dist[v] = b.dist[u] + 1
				b.order = append(b.order, v)
			}
		}
	}
}
