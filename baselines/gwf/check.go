package gwf

import (
	"context"
	"errors"
	"fmt"

	"ogdl/ot/gw"
)

// What comes from outside is checked where it comes in: a nil argument, or a
// graph that does not fit, is an error that names it.

var (
	errNoContext  = errors.New("gwf: the context is nil")
	errNoModel    = errors.New("gwf: the model is nil")
	errNoRand     = errors.New("gwf: the source of randomness is nil")
	errNoGraphs   = errors.New("gwf: the list of graphs is empty, expected at least 1")
	errNoEmbedder = errors.New("gwf: the embedder has no model, expected one from NewEmbedder")
)

// checkGraph returns an error where a graph is none, or has features of another
// dimension than the atoms'. The error names no package and follows the graph's name.
func checkGraph(g *gw.Space, dim int) error {
	switch {
	case g == nil:
		return errors.New("is nil, expected one from gw.NewSpace")
	case g.N() < 1:
		return errors.New("has no nodes, expected one from gw.NewSpace")
	case g.D() != dim:
		return fmt.Errorf("has features of dimension %d, expected the atoms' %d", g.D(), dim)
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
			return fmt.Errorf("gwf: graph %d %w", k, err)
		}
	}
	return nil
}
