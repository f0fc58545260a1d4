package gwf

import (
	"context"
	"fmt"
	"math"
	"slices"

	"ogdl/internal/initial"
	"ogdl/internal/parallel"
	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// Embed finds the weights of every graph in the model's atoms on the given number of workers (0
// counts as 1) and returns the embeddings in the order of the graphs, each owning its slices.
// Graphs are embedded independently of each other: the result does not depend on workers. A model
// that Check rejects and a nil context are errors. If several graphs fail, Embed returns the error
// of the first, or the context's. No graphs give no embeddings.
func (m *Model) Embed(ctx context.Context, graphs []*gw.Space, set *EmbedSettings, workers int) ([]Embedding, error) {
	return overGraphs(ctx, m, graphs, workers, func(e *Embedder, k int) (Embedding, error) {
		out, err := e.Embed(ctx, graphs[k], set)
		out.W, out.Z = slices.Clone(out.W), slices.Clone(out.Z)
		return out, err
	})
}

// overGraphs returns what f makes of every graph, on workers that share the atoms of the model.
func overGraphs[T any](ctx context.Context, m *Model, graphs []*gw.Space, workers int, f func(e *Embedder, k int) (T, error),
) ([]T, error) {
	a, err := newAtoms(m)
	if err != nil {
		return nil, err
	}
	if err := checkCall(ctx, graphs, m.D); err != nil {
		return nil, err
	}
	if workers, err = parallel.Workers(workers); err != nil {
		return nil, fmt.Errorf("gwf: %w", err)
	}
	out := make([]T, len(graphs))
	es := make([]Embedder, min(workers, max(len(graphs), 1)))
	for i := range es {
		es[i].use(a)
	}
	err = parallel.Each(len(es), len(graphs), func(worker, k int) (err error) {
		if out[k], err = f(&es[worker], k); err != nil {
			return fmt.Errorf("graph %d: %w", k, err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Embedder embeds graphs one at a time. Once it has seen the largest graph it allocates nothing
// with the one-step barycentre. Two goroutines must not share it.
type Embedder struct {
	fit    fit
	weigh  weigher
	w, z   []float64
	before []float64
}

// NewEmbedder makes an embedder with its own copy of the model. It returns the errors of [Model.Check].
func NewEmbedder(m *Model) (*Embedder, error) {
	a, err := newAtoms(m)
	if err != nil {
		return nil, err
	}
	e := new(Embedder)
	e.use(a)
	return e, nil
}

func (e *Embedder) use(a *atoms) {
	e.fit.use(a)
	K := len(a.spaces)
	e.w, e.z, e.before = vec.Grow(e.w, K), vec.Grow(e.z, K), vec.Grow(e.before, K)
}

// maxFull caps how often the full barycentre and the weights of an embedding alternate.
const maxFull = 20

// Embed finds the couplings between g and the atoms and then the weights that minimise the loss at
// them, from uniform weights on; nothing is drawn at random. With the one-step barycentre the
// couplings do not depend on the weights, the problem is convex, and the result is its minimum
// within set.Precision, unless 200 steps or rounding end the search first: the loss then exceeds
// Bound by more. With the full barycentre couplings and weights alternate until the loss
// changes by less than set.Precision of itself (at most 20 times). The lowest loss seen counts.
//
// A common shift of all features, of atoms and graph, changes the result only by rounding. A change
// of scale (structures and features by f, Gamma by f^2) changes the loss by the factor f^2, to the
// last bit if f is a power of two.
//
// The slices of the embedding are views, good until the next call. A nil context, a graph that is
// nil or whose features do not fit the atoms and settings out of range are errors, and so is the
// end of the context. Cost: K couplings, O(K n^2 (N_k + K)) and about ten K x K factorizations.
func (e *Embedder) Embed(ctx context.Context, g *gw.Space, set *EmbedSettings) (Embedding, error) {
	opt, err := set.resolve()
	if err != nil {
		return Embedding{}, err
	}
	switch {
	case e == nil || e.fit.atoms == nil:
		return Embedding{}, errNoEmbedder
	case ctx == nil:
		return Embedding{}, errNoContext
	}
	if err := initial.Check(g, e.fit.atoms.d, "the atoms'"); err != nil {
		return Embedding{}, fmt.Errorf("gwf: the graph %w", err)
	}
	for k := range e.w {
		e.w[k] = 1 / float64(len(e.w))
	}
	rounds := 1
	if opt.Barycentre == Full {
		rounds = maxFull
	}
	out := Embedding{Loss: math.Inf(1)}
	for range rounds {
		if err := e.fit.prepare(ctx, g, e.w, &opt.Transport, nil); err != nil {
			return Embedding{}, fmt.Errorf("gwf: %w", err)
		}
		out.Stats.Add(&e.fit.stats)
		loss, bound, _ := e.weigh.solve(&e.fit, e.w, opt.Precision)
		old := out.Loss
		if loss < out.Loss {
			out.Loss, out.Bound = loss, bound
			copy(e.before, e.w)
		}
		if math.Abs(old-loss) <= opt.Precision*loss {
			break
		}
	}
	copy(e.w, e.before)
	mean := 0.0
	for k, w := range e.w {
		e.z[k] = math.Log(w)
		mean += e.z[k] / float64(len(e.z))
	}
	for k := range e.z {
		e.z[k] -= mean
	}
	out.W, out.Z = e.w, e.z
	return out, nil
}
