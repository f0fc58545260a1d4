package gwf

import (
	"fmt"
	"math/rand/v2"

	"ogdl/internal/initial"
	"ogdl/ot/gw"
)

// maxOrder is the largest order that gw.NewSpace accepts.
const maxOrder = 1 << 17

// Init names a way to start a model.
type Init string

// Ways to start a model.
const (
	RandomOrder Init = "random" // InitRandomOrder, GWF-r
	FixedOrder  Init = "fixed"  // InitFixedOrder, GWF-f
)

// InitRandomOrder starts a model of K atoms (GWF-r) from K graphs drawn from the
// whole set without replacement, with their own orders, structures, features and
// node weights; no labels are used. Negative entries of a structure become 0.
//
// All graphs must have one feature dimension. Fewer graphs than atoms, a nil graph or
// rng, K below 1 and an alpha that does not fit are errors.
func InitRandomOrder(graphs []*gw.Space, K int, alpha float64, rng *rand.Rand) (*Model, error) {
	m, err := blank(graphs, K, alpha, rng)
	if err != nil {
		return nil, err
	}
	for k, pick := range rng.Perm(len(graphs))[:K] {
		g := graphs[pick]
		m.Atoms[k] = adopt(g, g.N(), nil)
		copy(m.Atoms[k].P, g.P())
	}
	return m, m.Check()
}

// InitFixedOrder starts a model of K atoms of the given order with uniform node weights (GWF-f; the
// order is usually the median of the set). They come from graphs of that order, drawn from the
// whole set without replacement. If fewer than K graphs have this order, the nearest orders follow
// (at equal distance larger and smaller graphs are drawn together). A larger graph is cut to
// randomly drawn nodes, and a smaller one is padded with isolated nodes that have the mean of its
// features. notes describes such changes and is otherwise empty. Negative entries of a structure
// become 0.
//
// It returns an error where [InitRandomOrder] does, and for an order below 1.
func InitFixedOrder(graphs []*gw.Space, K, order int, alpha float64, rng *rand.Rand) (m *Model, notes []string, err error) {
	if order < 1 || order > maxOrder {
		return nil, nil, fmt.Errorf("gwf: the order of the atoms is %d, expected 1 to %d", order, maxOrder)
	}
	if m, err = blank(graphs, K, alpha, rng); err != nil {
		return nil, nil, err
	}
	picks := rng.Perm(len(graphs))
	initial.Nearest(graphs, picks, order)
	for k, pick := range picks[:K] {
		m.Atoms[k] = adopt(graphs[pick], order, rng)
		for i := range order {
			m.Atoms[k].P[i] = 1 / float64(order)
		}
	}
	return m, initial.Notes(graphs, picks[:K], order), m.Check()
}

func blank(graphs []*gw.Space, K int, alpha float64, rng *rand.Rand) (*Model, error) {
	if rng == nil {
		return nil, errNoRand
	}
	if K < 1 {
		return nil, fmt.Errorf("gwf: K, the number of atoms, is %d, expected at least 1", K)
	}
	if err := initial.Enough(graphs, K); err != nil {
		return nil, fmt.Errorf("gwf: %w", err)
	}
	return &Model{D: graphs[0].D(), Alpha: alpha, Atoms: make([]Atom, K)}, nil
}

// adopt makes an atom of a graph, cut or padded to order N; its weights are left zero.
func adopt(g *gw.Space, N int, rng *rand.Rand) Atom {
	a := Atom{N: N, C: make([]float64, N*N), P: make([]float64, N)}
	if g.D() > 0 {
		a.A = make([]float64, N*g.D())
	}
	initial.Atom(g, N, a.C, a.A, rng)
	for i, x := range a.C {
		a.C[i] = max(x, 0)
	}
	return a
}
