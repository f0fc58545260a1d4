package gwf

import (
	"context"
	"strings"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// What cannot be is an error that names the argument, wherever it comes in.
func TestBadArgumentsAreErrors(t *testing.T) {
	var (
		ctx    = context.Background()
		none   context.Context // nil
		rng    = source(70)
		graphs = randomGraphs(rng, 3, 3, 5, 0)
		wide   = randomGraphs(rng, 1, 4, 4, 2)
		hole   = []*gw.Space{graphs[0], nil}
		empty  = []*gw.Space{graphs[0], new(gw.Space)}
		m      = must.Get(InitRandomOrder(graphs, 2, 1, rng))
		e      = must.Get(NewEmbedder(m))
		noM    *Model
		noE    *Embedder
	)
	changed := func(f func(*Model)) *Model {
		c := m.Clone()
		f(c)
		return c
	}
	check := func(name, want string, err error) {
		t.Helper()
		must.Fail(t, err, want, name)
	}
	check("nil", "the model is nil", noM.Check())
	check("no atoms", "without atoms", new(Model).withAlpha().Check())
	check("order", "atom 1: N, its order, is 0", changed(func(m *Model) { m.Atoms[1] = Atom{} }).Check())
	check("dimension", "D, the feature dimension, is -1", changed(func(m *Model) { m.D = -1 }).Check())
	for _, v := range []float64{1e154, 1e160, 1e300} {
		check("large", "atom 1: gw: structure entry (0, 0)", changed(func(m *Model) { m.Atoms[1].C[0] = v }).Check())
	}
	if noM.K() != 0 || noM.Arrays() != nil || noM.Clone() != nil {
		t.Error("a nil model has atoms, arrays or a copy")
	}
	check("embedder", "the model is nil", must.Err(NewEmbedder(nil)))
	check("embed", "the model is nil", must.Err(noM.Embed(ctx, graphs, nil, 1)))
	check("reconstruct", "the model is nil", must.Err(noM.Reconstruct(ctx, graphs, nil, nil, 1)))

	for name, c := range map[string]struct {
		ctx    context.Context
		graphs []*gw.Space
		want   string
	}{
		"nil context":       {none, graphs, "the context is nil"},
		"nil graph":         {ctx, hole, "graph 1 is nil"},
		"zero space":        {ctx, empty, "graph 1 has no nodes"},
		"another dimension": {ctx, wide, "graph 0 has features of dimension 2, expected the atoms' 0"},
	} {
		check("embed: "+name, c.want, must.Err(m.Embed(c.ctx, c.graphs, nil, 2)))
		check("train: "+name, c.want, must.Err(Train(c.ctx, c.graphs, m, nil, rng)))
		W := make([]float64, 2*len(c.graphs))
		for i := range c.graphs {
			W[2*i] = 1
		}
		check("reconstruct: "+name, c.want, must.Err(m.Reconstruct(c.ctx, c.graphs, W, nil, 2)))
		check("embedder: "+name, strings.NewReplacer("graph 0", "the graph", "graph 1", "the graph").Replace(c.want), must.Err(e.Embed(c.ctx, c.graphs[len(c.graphs)-1], nil)))
	}
	check("zero embedder", "embedder", must.Err(new(Embedder).Embed(ctx, graphs[0], nil)))
	check("nil embedder", "embedder", must.Err(noE.Embed(ctx, graphs[0], nil)))
	check("train on nothing", "the list of graphs is empty", must.Err(Train(ctx, nil, m, nil, rng)))
	check("train from nil", "the model is nil", must.Err(Train(ctx, graphs, nil, nil, rng)))
	check("train without rng", "the source of randomness is nil", must.Err(Train(ctx, graphs, m, nil, nil)))

	for name, c := range map[string]struct {
		graphs []*gw.Space
		k      int
		want   string
	}{
		"no atoms":  {graphs, 0, "K, the number of atoms, is 0"},
		"nothing":   {nil, 2, "2 atoms cannot be drawn from 0 graphs"},
		"nil graph": {hole, 2, "graph 1 is nil"},
		"zero":      {empty, 2, "graph 1"},
		"dimension": {append(graphs[:2:2], wide...), 2, "graph 2 has features of dimension 2"},
	} {
		check("random: "+name, c.want, must.Err(InitRandomOrder(c.graphs, c.k, 1, rng)))
		check("fixed: "+name, c.want, must.Err2(InitFixedOrder(c.graphs, c.k, 4, 1, rng)))
	}
	check("order 0", "the order of the atoms is 0", must.Err2(InitFixedOrder(graphs, 2, 0, 1, rng)))
	check("start without rng", "the source of randomness is nil", must.Err(InitRandomOrder(graphs, 2, 1, nil)))
}

// withAlpha makes alpha that of a model without features.
func (m *Model) withAlpha() *Model {
	m.Alpha = 1
	return m
}
