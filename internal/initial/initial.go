// Package initial checks the graphs of dictionaries and factorizations, and makes atoms of some. Its errors name no package.
package initial

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"ogdl/ot/gw"
)

// Check returns an error where a graph is none, or has features of another
// dimension than the owner's. The error follows the graph's name.
func Check(g *gw.Space, dim int, owner string) error {
	switch {
	case g == nil:
		return errors.New("is nil, expected one from gw.NewSpace")
	case g.N() < 1:
		return errors.New("has no nodes, expected one from gw.NewSpace")
	case g.D() != dim:
		return fmt.Errorf("has features of dimension %d, expected %s %d", g.D(), owner, dim)
	}
	return nil
}

// Enough returns an error where so many atoms cannot be drawn from graphs, or graphs differ in features.
func Enough(graphs []*gw.Space, count int) error {
	if len(graphs) < count {
		return fmt.Errorf("%d atoms cannot be drawn from %d graphs without replacement", count, len(graphs))
	}
	for i, g := range graphs {
		switch {
		case g == nil || g.N() < 1:
			return fmt.Errorf("graph %d is nil or has no nodes, expected one from gw.NewSpace", i)
		case g.D() != graphs[0].D():
			return fmt.Errorf("graph %d has features of dimension %d, expected graph 0's %d", i, g.D(), graphs[0].D())
		}
	}
	return nil
}

// Nearest moves the picked graphs whose orders come nearest to an order to the front. Equal ones stay as they are.
func Nearest(graphs []*gw.Space, picks []int, order int) {
	distance := func(k int) int { return max(graphs[k].N()-order, order-graphs[k].N()) }
	slices.SortStableFunc(picks, func(i, j int) int { return distance(i) - distance(j) })
}

// Atom writes structure and features of a graph, cut or padded to an order, to c and a, which are zero.
func Atom(g *gw.Space, order int, c, a []float64, rng *rand.Rand) {
	n, d := g.N(), g.D()
	nodes := make([]int, n)
	for i := range nodes {
		nodes[i] = i
	}
	if n > order {
		nodes = rng.Perm(n)[:order]
		slices.Sort(nodes)
	}
	from, ld := g.C()
	for k, i := range nodes {
		for l, j := range nodes {
			c[k*order+l] = from[i*ld+j]
		}
		copy(a[k*d:(k+1)*d], g.A()[i*d:])
	}
	for k := len(nodes); k < order; k++ {
		for i := range n * d {
			a[k*d+i%d] += g.A()[i] / float64(n)
		}
	}
}

// Notes describes how many of the picked graphs were cut or padded to an order.
func Notes(graphs []*gw.Space, picks []int, order int) []string {
	var cut, padded int
	for _, pick := range picks {
		switch n := graphs[pick].N(); {
		case n > order:
			cut++
		case n < order:
			padded++
		}
	}
	if cut+padded == 0 {
		return nil
	}
	return []string{fmt.Sprintf("only %d of %d atoms start from graphs of order %d: %d larger graphs were cut to it and %d smaller ones padded",
		len(picks)-cut-padded, len(picks), order, cut, padded)}
}
