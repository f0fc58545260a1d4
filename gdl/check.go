package gdl

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"ogdl/ot/gw"
)

// Exported functions check their arguments. The errors name the argument.

var (
	errNoContext    = errors.New("gdl: the context is nil")
	errNoDictionary = errors.New("gdl: the dictionary is nil")
	errNoRand       = errors.New("gdl: the source of randomness is nil")
	errNoGraphs     = errors.New("gdl: the list of graphs is empty, expected at least 1")
	errNoLearner    = errors.New("gdl: the learner has no dictionary, expected one from NewOnline or ReadCheckpoint")
	errNoUnmixer    = errors.New("gdl: the unmixer has no dictionary yet, expected one from NewUnmixer or Reset")
)

// checkSizes returns an error where a dictionary cannot have these.
func checkSizes(S, N, D int) error {
	switch {
	case S < 1:
		return fmt.Errorf("gdl: S, the number of atoms, is %d, expected at least 1", S)
	case S > maxAtoms:
		return fmt.Errorf("gdl: S, the number of atoms, is %d, expected at most %d", S, maxAtoms)
	case N < 1:
		return fmt.Errorf("gdl: N, the order of the atoms, is %d, expected at least 1", N)
	case N > maxOrder:
		return fmt.Errorf("gdl: N, the order of the atoms, is %d, expected at most %d", N, maxOrder)
	case D < 0:
		return fmt.Errorf("gdl: D, the feature dimension, is %d, expected at least 0", D)
	case D > maxDimension:
		return fmt.Errorf("gdl: D, the feature dimension, is %d, expected at most %d", D, maxDimension)
	}
	return nil
}

// checkGraph returns an error where a graph is none, or has features of another
// dimension than the dictionary's. The error names no package and follows the graph's name.
func checkGraph(g *gw.Space, dim int) error {
	switch {
	case g == nil:
		return errors.New("is nil, expected one from gw.NewSpace")
	case g.N() < 1:
		return errors.New("has no nodes, expected one from gw.NewSpace")
	case g.D() != dim:
		return fmt.Errorf("has features of dimension %d, expected the dictionary's %d", g.D(), dim)
	}
	return nil
}

// checkUnmix checks the context and the graph of a call.
func checkUnmix(ctx context.Context, g *gw.Space, dim int) error {
	if ctx == nil {
		return errNoContext
	}
	if err := checkGraph(g, dim); err != nil {
		return fmt.Errorf("gdl: the graph %w", err)
	}
	return nil
}

// checkCall checks the context and the graphs of a call.
func checkCall(ctx context.Context, graphs []*gw.Space, dim int) error {
	if ctx == nil {
		return errNoContext
	}
	for k, g := range graphs {
		if err := checkGraph(g, dim); err != nil {
			return fmt.Errorf("gdl: graph %d %w", k, err)
		}
	}
	return nil
}

// checkTraining checks the arguments of calls that learn from a start of the given dimension.
func checkTraining(ctx context.Context, graphs []*gw.Space, rng *rand.Rand, dim int) error {
	if rng == nil {
		return errNoRand
	}
	if len(graphs) == 0 {
		return errNoGraphs
	}
	return checkCall(ctx, graphs, dim)
}

// checkMu rejects Mu above 0 where atoms share node weights.
func checkMu(mu float64, own bool) error {
	if mu != 0 && !own {
		return fmt.Errorf("gdl: mu is %v, expected 0: the dictionary's atoms share their node weights", mu)
	}
	return nil
}

// checkSource checks the context and the source of a call that draws graphs.
func checkSource(ctx context.Context, src Source) error {
	switch {
	case ctx == nil:
		return errNoContext
	case src == nil:
		return errors.New("gdl: the source of graphs is nil")
	}
	return nil
}
