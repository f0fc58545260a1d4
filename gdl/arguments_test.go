package gdl_test

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// What cannot be is an error that names the argument, wherever it comes in.
func TestBadArgumentsAreErrors(t *testing.T) {
	var (
		ctx    = context.Background()
		none   context.Context // nil
		rng    = source(1)
		d      = start(rng, 2, 4, 0, 1)
		x      = must.Get(gdl.Extend(d, rng))
		graphs = noisy(rng, 3, 3, 5, 0)
		wide   = noisy(rng, 1, 4, 4, 2)
		hole   = []*gw.Space{graphs[0], nil}
		empty  = []*gw.Space{graphs[0], new(gw.Space)}
		u      = must.Get(gdl.NewUnmixer(d))
		o      = must.Get(gdl.NewOnline(d, nil))
		noD    *gdl.Dictionary
		noU    *gdl.Unmixer
	)
	sized := func(change func(d *gdl.Dictionary)) *gdl.Dictionary {
		c := d.Clone()
		change(c)
		return c
	}
	large := func(v float64) *gdl.Dictionary {
		return sized(func(d *gdl.Dictionary) { d.C[1][5] = v })
	}
	largeA := start(rng, 2, 4, 2, 0.5)
	largeA.A[0][3] = 1e200
	largeX := x.Clone()
	largeX.C[1][5] = 1e160
	orderless := x.Clone()
	orderless.N = 0

	check := func(name, want string, err error) {
		t.Helper()
		must.Fail(t, err, want, name)
	}
	check("no atoms", "S, the number of atoms, is 0", must.Err(gdl.NewDictionary(0, 4, 0, 1)))
	check("order 0", "N, the order of the atoms, is 0", must.Err(gdl.NewDictionary(2, 0, 0, 1)))
	check("dimension", "D, the feature dimension, is -1", must.Err(gdl.NewDictionary(2, 4, -1, 1)))
	check("check order 0", "N, the order of the atoms, is 0", sized(func(d *gdl.Dictionary) { d.N = 0 }).Check())
	check("check no atoms", "S, the number of atoms, is 0", new(gdl.Dictionary).Check())
	check("check nil", "the dictionary is nil", noD.Check())
	check("check extended order 0", "N, the order of the atoms, is 0", orderless.Check())
	for _, v := range []float64{1e154, 1e160, 1e300} {
		check("large structure", "atom 1: gw: structure entry (1, 1)", large(v).Check())
	}
	check("large feature", "atom 0: gw: feature (1, 1)", largeA.Check())
	check("large extended", "atom 1: gw: structure entry (1, 1)", largeX.Check())
	check("reconstruct of nil", "the dictionary is nil", must.Err2(noD.Reconstruct([]float64{1})))
	check("short weights", "w has 1 weights, expected one for each of the 2 atoms", must.Err2(d.Reconstruct([]float64{1})))
	if noD.Clone() != nil {
		t.Error("a nil dictionary has a copy")
	}
	check("write nil", "the dictionary is nil", noD.WriteNPZ(new(bytes.Buffer), nil))

	check("unmixer of nil", "the dictionary is nil", must.Err(gdl.NewUnmixer(nil)))
	check("unmixer of large", "atom 1", must.Err(gdl.NewUnmixer(large(1e160))))
	check("reset", "the dictionary is nil", u.Reset(nil))
	check("reset of nil", "unmixer", noU.Reset(d))

	for name, c := range map[string]struct {
		ctx    context.Context
		graphs []*gw.Space
		want   string
	}{
		"nil context":       {none, graphs, "the context is nil"},
		"nil graph":         {ctx, hole, "graph 1 is nil"},
		"zero space":        {ctx, empty, "graph 1 has no nodes"},
		"another dimension": {ctx, wide, "graph 0 has features of dimension 2, expected the dictionary's 0"},
	} {
		check("embed: "+name, c.want, must.Err(d.Embed(c.ctx, c.graphs, nil, 2)))
		check("extended embed: "+name, c.want, must.Err(x.Embed(c.ctx, c.graphs, nil, 2)))
		check("train: "+name, c.want, must.Err(gdl.Train(c.ctx, c.graphs, d, nil, rng)))
		last, want := c.graphs[len(c.graphs)-1], strings.NewReplacer("graph 0", "the graph", "graph 1", "the graph").Replace(c.want)
		check("unmix: "+name, want, must.Err(u.Unmix(c.ctx, last, nil)))
		check("step: "+name, want, must.Err(o.Step(c.ctx, []*gw.Space{last})))
		check("run: "+name, want, must.Err(o.Run(c.ctx, stream([]*gw.Space{last}), 0)))
	}
	must.Get(o.Run(ctx, stream(graphs), 0)) // the graphs that were rejected are not kept
	check("zero unmixer", "unmixer", must.Err(new(gdl.Unmixer).Unmix(ctx, graphs[0], nil)))
	check("nil unmixer", "unmixer", must.Err(noU.Unmix(ctx, graphs[0], nil)))
	check("embed in nil", "the dictionary is nil", must.Err(noD.Embed(ctx, graphs, nil, 1)))

	check("train on nothing", "the list of graphs is empty", must.Err(gdl.Train(ctx, nil, d, nil, rng)))
	check("train from nil", "the dictionary is nil", must.Err(gdl.Train(ctx, graphs, nil, nil, rng)))
	check("train without rng", "the source of randomness is nil", must.Err(gdl.Train(ctx, graphs, d, nil, nil)))
	check("extend nil", "the dictionary is nil", must.Err(gdl.Extend(nil, rng)))
	check("extend without rng", "the source of randomness is nil", must.Err(gdl.Extend(d, nil)))
	check("model of nil", "the dictionary is nil", must.Err(noD.Model(nil, nil)))

	check("online from nil", "the dictionary is nil", must.Err(gdl.NewOnline(nil, nil)))
	for want, held := range map[string][]*gw.Space{"graph 1 of held-out sample 0 (\"a\") is nil": hole, "dimension 2": wide} {
		check("held out", want, must.Err(gdl.NewOnline(d, &gdl.OnlineSettings{HeldOut: []gdl.HeldOut{{Name: "a", Graphs: held}}, HeldOutEvery: 1})))
	}
	check("step of nothing", "a step with 0 graphs", must.Err(o.Step(ctx, nil)))
	check("step of a zero learner", "the learner has no dictionary", must.Err(new(gdl.Online).Step(ctx, graphs[:1])))
	check("run of a nil learner", "the learner has no dictionary", must.Err((*gdl.Online)(nil).Run(ctx, stream(graphs), 0)))
	if new(gdl.Online).Dictionary() != nil {
		t.Error("a zero learner has a dictionary")
	}
	check("checkpoint of a zero learner", "the learner has no dictionary", new(gdl.Online).WriteCheckpoint(new(bytes.Buffer)))
	check("a batch too large", "expected at most", must.Err(gdl.NewOnline(d, &gdl.OnlineSettings{Batch: 1 << 50})))
	check("read from nil", "the reader is nil", must.Err2(gdl.ReadNPZ(nil, 8)))
	check("metric of nil", "the dictionary is nil", must.Err(noD.Mahalanobis()))
	check("metric of node weights that differ", "different node weights", must.Err(far(rng, 2, 4, 0, 1).Mahalanobis()))
	fresh := must.Get(gdl.NewUnmixer(d))
	for name, gap := range map[string]float64{"of nil": noU.Gap(graphs[0]), "of zero": new(gdl.Unmixer).Gap(graphs[0]), "before an unmixing": fresh.Gap(graphs[0])} {
		if !math.IsNaN(gap) {
			t.Errorf("gap %s: %v, expected NaN", name, gap)
		}
	}
	must.Get(fresh.Unmix(ctx, graphs[0], nil))
	if gap := fresh.Gap(nil); !math.IsNaN(gap) {
		t.Errorf("gap of a nil graph: %v, expected NaN", gap)
	}
	if _, alarm := new(gdl.ChangePointDetector).Add(1); alarm {
		t.Error("an alarm at the first value")
	}
	check("run of nil", "the source of graphs is nil", must.Err(o.Run(ctx, nil, 0)))
	check("skip of nil", "the source of graphs is nil", gdl.Skip(ctx, nil, 1))
	check("look without context", "the context is nil", o.LookAtHeldOut(none))
	check("look of a zero learner", "the learner has no dictionary", new(gdl.Online).LookAtHeldOut(ctx))
	check("skip without context", "the context is nil", gdl.Skip(none, stream(graphs), 1))

	for name, c := range map[string]struct {
		graphs []*gw.Space
		s, n   int
		want   string
	}{
		"no atoms":  {graphs, 0, 4, "S, the number of atoms, is 0"},
		"order":     {graphs, 2, 0, "N, the order of the atoms, is 0"},
		"nothing":   {nil, 2, 4, "2 atoms cannot be drawn from 0 graphs"},
		"nil graph": {hole, 2, 4, "graph 1 is nil"},
		"zero":      {empty, 2, 4, "graph 1"},
		"dimension": {append(graphs[:2:2], wide...), 2, 4, "graph 2 has features of dimension 2"},
	} {
		check("sample: "+name, c.want, must.Err2(gdl.InitSample(c.graphs, c.s, c.n, 1, rng)))
		check("sample per class: "+name, c.want, must.Err2(gdl.InitSamplePerClass(c.graphs, make([]int, len(c.graphs)), c.s, c.n, 1, rng)))
	}
	check("sample without rng", "the source of randomness is nil", must.Err2(gdl.InitSample(graphs, 2, 4, 1, nil)))
	check("classes", "1 classes for 3 graphs", must.Err2(gdl.InitSamplePerClass(graphs, []int{0}, 2, 4, 1, rng)))
	check("unknown start", `unknown start of a dictionary "zeros"`, must.Err2(gdl.Init("zeros").Dictionary(graphs, nil, 2, 4, 1, rng)))
	check("random start for nothing", "the list of graphs is empty", must.Err2(gdl.RandomInit.Dictionary(nil, nil, 2, 4, 1, rng)))
	check("random start for a hole", "graph 0 is nil", must.Err2(gdl.RandomInit.Dictionary(hole[1:], nil, 2, 4, 1, rng)))
	check("too many atoms", "S, the number of atoms, is", must.Err(gdl.NewDictionary(1<<40, 4, 0, 1)))
	check("too large", "N, the order of the atoms, is", must.Err(gdl.NewDictionary(2, 1<<40, 0, 1)))
	check("random without rng", "the source of randomness is nil", must.Err(gdl.InitRandom(2, 4, 0, 1, nil)))
	check("random of order 0", "N, the order of the atoms, is 0", must.Err(gdl.InitRandom(2, 0, 0, 1, rng)))
	check("random of dimension -2", "D, the feature dimension, is -2", must.Err(gdl.InitRandom(2, 4, -2, 1, rng)))

	check("distance of short weights", "w1 has 1 weights", must.Err(d.Distance([]float64{1}, []float64{1, 0})))
	for _, w := range [][]float64{{7, -6}, {0, 0}, {math.NaN(), 1}, {math.Inf(1), 0}} {
		check("distance off the simplex", "w2: weight", must.Err(d.Distance([]float64{1, 0}, w)))
		check("coordinates off the simplex", "embedding 0: weight", must.Err(d.Coordinates([]gdl.Embedding{{W: w}})))
		check("model off the simplex", "w", must.Err(d.Model(w, nil)))
	}
	bad := d.Clone()
	bad.Alpha = 9
	check("model of a bad dictionary", "alpha is 9", must.Err(bad.Model([]float64{1, 0}, nil)))
	check("reconstruction that overflows", "overflows", must.Err2(d.Reconstruct([]float64{1.7e308, 1.7e308})))
	check("reconstruction of a number that is none", "w[0] is NaN", must.Err2(d.Reconstruct([]float64{math.NaN(), 1})))
	check("coordinates of short weights", "embedding 0 has 1 weights", must.Err(d.Coordinates([]gdl.Embedding{{W: []float64{1}}})))
	check("learn from nothing", "2 atoms cannot be drawn from 0 graphs", must.Err(gdl.Learn(ctx, nil, 2, 4, nil, rng)))
	check("load what is not there", "none.npz", must.Err2(gdl.LoadNPZ(t.TempDir()+"/none.npz")))
	// Negative numbers are errors, also of workers, of whom 0 count as 1.
	check("workers of Embed", "-1 workers", must.Err(d.Embed(ctx, graphs, nil, -1)))
	check("workers of Train", "-1 workers", must.Err(gdl.Train(ctx, graphs, d, &gdl.TrainSettings{Workers: -1}, rng)))
	check("workers of Online", "-2 workers", must.Err(gdl.NewOnline(d, &gdl.OnlineSettings{Workers: -2})))
	for _, set := range []gdl.UnmixSettings{{MaxOuter: -1}, {MaxInner: -1}, {GW: gw.Settings{MaxIter: -1}}} {
		check("caps", "-1", must.Err(d.Embed(ctx, graphs, &set, 1)))
	}
	check("tolerance", "NaN and 0 for GW", must.Err(d.Embed(ctx, graphs, &gdl.UnmixSettings{GW: gw.Settings{TolRel: math.NaN()}}, 1)))
	check("limit of Run", "a limit of -1 steps", must.Err(o.Run(ctx, stream(graphs), -1)))
	check("skip backwards", "-1 graphs to skip", gdl.Skip(ctx, stream(graphs), -1))

	if es, err := d.Embed(ctx, nil, nil, 1); len(es) != 0 || err != nil {
		t.Errorf("embedding nothing: %v, %v", es, err)
	}
}
