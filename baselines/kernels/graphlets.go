package kernels

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
)

// The places of a graphlet count: sets of three nodes by the number of edges between
// them, then whole graphs of fewer than three nodes.
const (
	noNode = 4 + iota
	oneNode
	twoNodes
	twoJoined
	places
)

// Graphlets computes the graphlet kernel for k = 3 (Shervashidze et al., "Efficient graphlet
// kernels for large graph comparison", AISTATS 2009) from the exact census: the inner
// product of the numbers of induced subgraphs of three nodes with 0, 1, 2 and 3 edges,
// disconnected ones included. Labels play no part. A graph of fewer than three nodes is one
// graphlet by itself, equal to graphs of its order and edges only.
//
// Entries are integers, exact below 2^53. With m edges, t triangles and s = sum of deg (deg - 1) /
// 2 the four numbers are C(n, 3) less the others, m (n - 2) - 2 (s - 3t) - 3t, s - 3t and t: the
// cost is counting triangles, O(sum of deg^2) for a graph, and O(1) for two graphs.
func Graphlets(ctx context.Context, graphs []Graph) ([]float64, error) {
	return graphlets(ctx, graphs, census)
}

// SampledGraphlets is [Graphlets] with sampled counts, as in the paper of 2009: for each graph in
// turn draws sets of three nodes come from rng, uniform and independent, and are counted by their
// edges. A graph of fewer than three nodes counts draws times. Published code takes
// 2 (4 log10 2 + log10(1 / delta)) / epsilon^2 draws, so that frequencies are meant to be within
// epsilon with probability 1 - delta; the paper's bound has the natural logarithm, and 2.3 times as
// many. The exact census is cheaper. Fewer than one draw and a nil rng are errors.
func SampledGraphlets(ctx context.Context, graphs []Graph, draws int, rng *rand.Rand) ([]float64, error) {
	switch {
	case draws < 1:
		return nil, fmt.Errorf("kernels: draws is %d, expected at least 1", draws)
	case rng == nil:
		return nil, errors.New("kernels: rng is nil, expected a source of random numbers")
	}
	return graphlets(ctx, graphs, func(g *Graph) [places]float64 { return sample(g, draws, rng) })
}

func graphlets(ctx context.Context, graphs []Graph, features func(*Graph) [places]float64) ([]float64, error) {
	if err := check(ctx, graphs, WithoutLabels); err != nil {
		return nil, err
	}
	n := len(graphs)
	phi := make([][places]float64, n)
	for i := range graphs {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		phi[i] = features(&graphs[i])
	}
	K := make([]float64, n*n)
	for i := range n {
		for j := i; j < n; j++ {
			for k, x := range phi[i] {
				K[i*n+j] += float64(x * phi[j][k])
			}
		}
	}
	mirror(K, n)
	return K, nil
}

// small returns the place of a graph of fewer than three nodes, -1 for others.
func small(g *Graph) int {
	switch n := g.Order(); {
	case n == 0:
		return noNode
	case n == 1:
		return oneNode
	case n == 2 && len(g.Neighbors[0]) == 0:
		return twoNodes
	case n == 2:
		return twoJoined
	}
	return -1
}

func census(g *Graph) (phi [places]float64) {
	if k := small(g); k >= 0 {
		phi[k] = 1
		return phi
	}
	var ends, wedges, triangles int // of edges, of two edges at a node; each triangle counted once
	for u, list := range g.Neighbors {
		ends += len(list)
		wedges += len(list) * (len(list) - 1) / 2
		for k, v := range list {
			if int(v) > u {
				triangles += common(list[k+1:], g.Neighbors[v])
			}
		}
	}
	n, m := float64(g.Order()), float64(ends/2)
	t := float64(triangles)
	two := float64(wedges) - float64(3*t)
	one := float64(m*(n-2)) - float64(2*two) - float64(3*t)
	all := float64(float64(n*(n-1)/2) * (n - 2) / 3)
	phi[0], phi[1], phi[2], phi[3] = all-one-two-t, one, two, t
	return phi
}

// common counts what two ascending lists share.
func common(a, b []int32) (shared int) {
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] < b[j]:
			i++
		case a[i] > b[j]:
			j++
		default:
			shared++
			i++
			j++
		}
	}
	return shared
}

func sample(g *Graph, draws int, rng *rand.Rand) (phi [places]float64) {
	if k := small(g); k >= 0 {
		phi[k] = float64(draws)
		return phi
	}
	joined := func(u, v int) int {
		if _, ok := slices.BinarySearch(g.Neighbors[u], int32(v)); ok {
			return 1
		}
		return 0
	}
	n := g.Order()
	for range draws {
		u, v, w := rng.IntN(n), rng.IntN(n-1), rng.IntN(n-2)
		// v and w are places among the nodes that are left.
		if v >= u {
			v++
		}
		if w >= min(u, v) {
			w++
		}
		if w >= max(u, v) {
			w++
		}
		phi[joined(u, v)+joined(u, w)+joined(v, w)]++
	}
	return phi
}
