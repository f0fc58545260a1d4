package gdl

import (
	"context"
	"errors"
	"fmt"

	"ogdl/internal/initial"
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
	for _, c := range []struct {
		what               string
		size, least, limit int
	}{
		{"S, the number of atoms,", S, 1, maxAtoms}, {"N, the order of the atoms,", N, 1, maxOrder}, {"D, the feature dimension,", D, 0, maxDimension},
	} {
		if c.size < c.least {
			return fmt.Errorf("gdl: %s is %d, expected at least %d", c.what, c.size, c.least)
		}
		if c.size > c.limit {
			return fmt.Errorf("gdl: %s is %d, expected at most %d", c.what, c.size, c.limit)
		}
	}
	return nil
}

// checkCall checks the context and the graphs of a call.
func checkCall(ctx context.Context, graphs []*gw.Space, dim int) error {
	if ctx == nil {
		return errNoContext
	}
	for k, g := range graphs {
		if err := initial.Check(g, dim, "the dictionary's"); err != nil {
			return fmt.Errorf("gdl: graph %d %w", k, err)
		}
	}
	return nil
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
