package gdl

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"ogdl/internal/optim"
	"ogdl/ot/gw"
)

// Init names a way to start a dictionary.
type Init string

// Ways to start a dictionary.
const (
	SampleInit         Init = "sample"           // InitSample
	SamplePerClassInit Init = "sample_per_class" // InitSamplePerClass
	RandomInit         Init = "random"           // InitRandom
)

// Dictionary starts a dictionary for the graphs in this way. Only SamplePerClassInit uses classes.
// RandomInit takes the feature dimension from the graphs. An unknown name and no graphs are errors.
func (i Init) Dictionary(graphs []*gw.Space, classes []int, S, N int, alpha float64, rng *rand.Rand) (d *Dictionary, notes []string, err error) {
	switch i {
	case SampleInit:
		return InitSample(graphs, S, N, alpha, rng)
	case SamplePerClassInit:
		return InitSamplePerClass(graphs, classes, S, N, alpha, rng)
	case RandomInit:
		if len(graphs) == 0 {
			return nil, nil, errNoGraphs
		}
		if graphs[0] == nil {
			return nil, nil, errors.New("gdl: graph 0 is nil, expected one from gw.NewSpace")
		}
		d, err = InitRandom(S, N, graphs[0].D(), alpha, rng)
		return d, nil, err
	}
	return nil, nil, fmt.Errorf("gdl: unknown start of a dictionary %q, expected %q, %q or %q", i, SampleInit, SamplePerClassInit, RandomInit)
}

// InitSample starts a dictionary of S atoms of order N from graphs of that order, drawn from the
// whole set without replacement; no labels are used. Where fewer than S graphs have order N the
// nearest orders follow (at equal distance the larger graphs and the smaller ones are drawn
// together): a larger graph is cut to N of its nodes, drawn at random, and a smaller one is padded
// with isolated nodes that bear the mean of its features. notes describes such changes and is
// otherwise empty.
//
// Node weights of the atoms are uniform, alpha is the dictionary's. All graphs
// must have one feature dimension. Fewer graphs than atoms, a nil graph or rng, S or
// N below 1 and an alpha that does not fit are errors.
func InitSample(graphs []*gw.Space, S, N int, alpha float64, rng *rand.Rand) (d *Dictionary, notes []string, err error) {
	return InitSamplePerClass(graphs, make([]int, len(graphs)), S, N, alpha, rng)
}

// InitSamplePerClass is InitSample with the same number of atoms drawn from every
// class (the first S mod k classes give one more), as the paper has it. classes[i]
// in 0..k-1 is the class of graph i; atoms are in the order of classes.
func InitSamplePerClass(graphs []*gw.Space, classes []int, S, N int, alpha float64, rng *rand.Rand) (d *Dictionary, notes []string, err error) {
	if len(classes) != len(graphs) {
		return nil, nil, fmt.Errorf("gdl: %d classes for %d graphs, expected as many", len(classes), len(graphs))
	}
	d, err = blank(graphs, S, N, alpha, rng)
	if err != nil {
		return nil, nil, err
	}
	var members [][]int
	for i, c := range classes {
		if c < 0 || c >= len(graphs) {
			return nil, nil, fmt.Errorf("gdl: graph %d has class %d, expected 0..k-1", i, c)
		}
		for len(members) <= c {
			members = append(members, nil)
		}
		members[c] = append(members[c], i)
	}
	var picks []int
	for c, m := range members {
		share := S / len(members)
		if c < S%len(members) {
			share++
		}
		p, err := nearest(graphs, m, share, N, rng)
		if err != nil {
			return nil, nil, fmt.Errorf("gdl: class %d: %w", c, err)
		}
		picks = append(picks, p...)
	}
	notes = d.adopt(graphs, picks, rng)
	return d, notes, d.Check()
}

// InitRandom starts a dictionary of S atoms of order N from entries uniform on
// [0, 1), structures symmetrised by (C + C')/2, features (N x D each) as drawn.
// Node weights are uniform. A nil rng, S or N below 1, D below 0 and an alpha that
// does not fit are errors.
func InitRandom(S, N, D int, alpha float64, rng *rand.Rand) (*Dictionary, error) {
	if rng == nil {
		return nil, errNoRand
	}
	d, err := NewDictionary(S, N, D, alpha)
	if err != nil {
		return nil, err
	}
	for s := range S {
		c := d.C[s]
		for k := range c {
			c[k] = rng.Float64()
		}
		optim.ProjectSymmetric(c, N, false)
		if D > 0 {
			for k := range d.A[s] {
				d.A[s][k] = rng.Float64()
			}
		}
	}
	return d, d.Check()
}

func blank(graphs []*gw.Space, S, N int, alpha float64, rng *rand.Rand) (*Dictionary, error) {
	if rng == nil {
		return nil, errNoRand
	}
	if err := checkSizes(S, N, 0); err != nil {
		return nil, err
	}
	if len(graphs) < S {
		return nil, fmt.Errorf("gdl: %d atoms cannot be drawn from %d graphs without replacement", S, len(graphs))
	}
	for i, g := range graphs {
		switch {
		case g == nil || g.N() < 1:
			return nil, fmt.Errorf("gdl: graph %d is nil or has no nodes, expected one from gw.NewSpace", i)
		case g.D() != graphs[0].D():
			return nil, fmt.Errorf("gdl: graph %d has features of dimension %d, expected graph 0's %d", i, g.D(), graphs[0].D())
		}
	}
	return NewDictionary(S, N, graphs[0].D(), alpha)
}

// nearest draws count of the candidates: the ones of order N in random order, then
// the ones of the next orders, and so on.
func nearest(graphs []*gw.Space, candidates []int, count, N int, rng *rand.Rand) ([]int, error) {
	if len(candidates) < count {
		return nil, fmt.Errorf("%d atoms cannot be drawn from %d graphs without replacement", count, len(candidates))
	}
	order := slices.Clone(candidates)
	rng.Shuffle(len(order), func(i, j int) { order[i], order[j] = order[j], order[i] })
	distance := func(k int) int {
		return max(graphs[k].N()-N, N-graphs[k].N())
	}
	slices.SortStableFunc(order, func(i, j int) int { return distance(i) - distance(j) })
	return order[:count], nil
}

// adopt makes the picked graphs the atoms, cut or padded to order N.
func (d *Dictionary) adopt(graphs []*gw.Space, picks []int, rng *rand.Rand) (notes []string) {
	var cut, padded int
	for s, pick := range picks {
		g := graphs[pick]
		n := g.N()
		nodes := make([]int, n)
		for i := range nodes {
			nodes[i] = i
		}
		switch {
		case n > d.N:
			cut++
			rng.Shuffle(n, func(i, j int) { nodes[i], nodes[j] = nodes[j], nodes[i] })
			nodes = nodes[:d.N]
			slices.Sort(nodes)
		case n < d.N:
			padded++
		}
		c, ld := g.C()
		for k, i := range nodes {
			for l, j := range nodes {
				d.C[s][k*d.N+l] = c[i*ld+j]
			}
		}
		if d.D == 0 {
			continue
		}
		for k := range d.N {
			row := d.A[s][k*d.D : (k+1)*d.D]
			if k < len(nodes) {
				copy(row, g.A()[nodes[k]*d.D:])
				continue
			}
			for i := range n {
				for j := range row {
					row[j] += g.A()[i*d.D+j] / float64(n)
				}
			}
		}
	}
	if cut+padded > 0 {
		notes = append(notes, fmt.Sprintf("only %d of %d atoms start from graphs of order %d: %d larger graphs were cut to it and %d smaller ones padded",
			d.S-cut-padded, d.S, d.N, cut, padded))
	}
	return notes
}
