package gwf

import (
	"context"
	"errors"
	"fmt"

	"ogdl/internal/initial"
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

// checkCall checks the context and the graphs of a call.
func checkCall(ctx context.Context, graphs []*gw.Space, dim int) error {
	if ctx == nil {
		return errNoContext
	}
	for k, g := range graphs {
		if err := initial.Check(g, dim, "the atoms'"); err != nil {
			return fmt.Errorf("gwf: graph %d %w", k, err)
		}
	}
	return nil
}
