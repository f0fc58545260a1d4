package gdl

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"ogdl/internal/initial"
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
		if len(m) < share {
			return nil, nil, fmt.Errorf("gdl: class %d: %d atoms cannot be drawn from %d graphs without replacement", c, share, len(m))
		}
		rng.Shuffle(len(m), func(i, j int) { m[i], m[j] = m[j], m[i] })
		initial.Nearest(graphs, m, N)
		picks = append(picks, m[:share]...)
	}
	for s, pick := range picks {
		var a []float64
		if d.D > 0 {
			a = d.A[s]
		}
		initial.Atom(graphs[pick], N, d.C[s], a, rng)
	}
	return d, initial.Notes(graphs, picks, N), d.Check()
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
	if err := initial.Enough(graphs, S); err != nil {
		return nil, fmt.Errorf("gdl: %w", err)
	}
	return NewDictionary(S, N, graphs[0].D(), alpha)
}
