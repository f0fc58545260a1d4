package gwf

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"ogdl/ot/gw"
)

// Reconstruct returns the model's approximation of every graph: the barycentre (B, f, p) of the
// atoms with the graph's weights, at the graph's own order and node weights ([Transport] says which
// barycentre). W holds the weights, one row of K per graph on the simplex, as in [Training].
// Couplings are computed anew, as in Embed. The result does not depend on workers (0 counts as 1).
//
// Errors: a W of the wrong length, a model that Check rejects, a nil context or graph, weights off
// the simplex by more than 1e-6, graphs whose features do not fit the atoms, and settings out of
// range. If several graphs fail, Reconstruct returns the error of the first, or the context's. Cost
// per graph: K couplings and O(K n^2).
func (m *Model) Reconstruct(ctx context.Context, graphs []*gw.Space, W []float64, set *Transport, workers int) ([]*gw.Space, error) {
	if m == nil {
		return nil, errNoModel
	}
	K := m.K()
	if len(W) != len(graphs)*K {
		return nil, fmt.Errorf("gwf: W has %d weights, expected one for each of %d graphs and %d atoms", len(W), len(graphs), K)
	}
	opt, err := (&EmbedSettings{Transport: *cmp.Or(set, &Transport{})}).resolve()
	if err != nil {
		return nil, err
	}
	return overGraphs(ctx, m, graphs, workers, func(e *Embedder, i int) (*gw.Space, error) {
		return e.fit.reconstruct(ctx, graphs[i], W[i*K:(i+1)*K], &opt.Transport)
	})
}

func (f *fit) reconstruct(ctx context.Context, g *gw.Space, w []float64, tr *Transport) (*gw.Space, error) {
	sum := 0.0
	for k, x := range w {
		if !(x >= 0) {
			return nil, fmt.Errorf("gwf: weight %d is %v, expected a number >= 0", k, x)
		}
		sum += x
	}
	if !(math.Abs(sum-1) <= 1e-6) {
		return nil, fmt.Errorf("gwf: weights sum to %v, expected 1 within 1e-6", sum)
	}
	if math.Abs(sum-1) > 1e-9 {
		w = slices.Clone(w)
		for k := range w {
			w[k] /= sum
		}
	}
	if err := f.prepare(ctx, g, w, tr, nil); err != nil {
		return nil, fmt.Errorf("gwf: %w", err)
	}
	return f.barycentre(w, true)
}
