package gdl_test

import (
	"context"
	"slices"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/spaces"
	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

// from are settings with these starts.
func from(starts ...gdl.Start) *gdl.UnmixSettings { return &gdl.UnmixSettings{Starts: starts} }

// More starts never end higher, and one start is the default.
func TestStartsEndNoHigher(t *testing.T) {
	ctx := context.Background()
	rapid.Check(t, func(t *rapid.T) {
		rng := source(rapid.Uint64().Draw(t, "seed"))
		dim := rapid.SampledFrom([]int{0, 2}).Draw(t, "dim")
		lambda := rapid.SampledFrom([]float64{0, 0.01, 1}).Draw(t, "lambda")
		x := far(rng, 4, 7, dim, 0.5)
		d := &gdl.Dictionary{S: x.S, N: x.N, D: x.D, Alpha: x.Alpha, C: x.C, A: x.A, Q: x.H[0]}
		graphs := slices.Concat(noisy(rng, 1, 1, 12, dim), binary(rng, 1, 3, 12, dim))
		var before, beforeH []float64
		for k := range gdl.Starts() {
			set := gdl.UnmixSettings{Lambda: lambda, Starts: gdl.Starts()[:k+1]}
			es := must.Get(d.Embed(ctx, graphs, &set, 1))
			set.Mu = lambda
			esH := must.Get(x.Embed(ctx, graphs, &set, 1))
			for i := range es {
				if k > 0 && (es[i].Objective > before[i] || esH[i].Objective > beforeH[i]) {
					t.Fatalf("%v: objectives %v and %v, from one start less %v and %v", set.Starts, es[i].Objective, esH[i].Objective, before[i], beforeH[i])
				}
			}
			before, beforeH = before[:0], beforeH[:0]
			for i := range es {
				before, beforeH = append(before, es[i].Objective), append(beforeH, esH[i].Objective)
			}
		}
		one, none := must.Get(d.Embed(ctx, graphs, from(gdl.StartProduct), 1)), must.Get(d.Embed(ctx, graphs, nil, 1))
		must.Same(t, none, one, "embeddings by default, and from the product")
	})
}

// A graph that is an atom is found at that atom's corner more often from more starts.
func TestStartsFindAtoms(t *testing.T) {
	ctx := context.Background()
	found := make([]int, len(gdl.Starts()))
	for seed := range uint64(60) {
		atoms := labelled(seed, 4, 12)
		d := must.First(gdl.InitSample(atoms, 4, 12, 0.9, source(seed)))
		for k := range found {
			for _, e := range must.Get(d.Embed(ctx, atoms, from(gdl.Starts()[:k+1]...), 1)) {
				if e.Objective < 1e-9 && slices.Max(e.W) > 1-1e-6 {
					found[k]++
				}
			}
		}
	}
	t.Logf("found of 240: %v", found)
	if found[0] == 0 || found[1] <= found[0] || found[2] <= found[1] {
		t.Errorf("graphs that are atoms, found from one, two and three starts: %v of 240, expected more each time", found)
	}
}

// trees draws graphs of n nodes and 0/1 edges: a tree with some edges more.
func trees(seed uint64, count, n int) []*gw.Space {
	rng := source(seed)
	graphs := make([]*gw.Space, count)
	for k := range graphs {
		c := make([]float64, n*n)
		edge := func(i, j int) { c[i*n+j], c[j*n+i] = 1, 1 }
		for i := 1; i < n; i++ {
			edge(i, rng.IntN(i))
		}
		for range n / 3 {
			if i, j := rng.IntN(n), rng.IntN(n); i != j {
				edge(i, j)
			}
		}
		graphs[k] = space(c, nil, n, 0, nil)
	}
	return graphs
}

// labelled are trees whose nodes have one of three labels.
func labelled(seed uint64, count, n int) []*gw.Space {
	rng := source(seed)
	graphs := trees(seed, count, n)
	for k, g := range graphs {
		a := make([]float64, 3*n)
		for i := range n {
			a[3*i+rng.IntN(3)] = 1
		}
		graphs[k] = space(gwtest.Structure(g), a, n, 3, nil)
	}
	return graphs
}

// One start more takes at most half as many iterations more.
func TestStartsAreDroppedEarly(t *testing.T) {
	ctx := context.Background()
	for name, graphs := range map[string][]*gw.Space{
		"blocks":        must.First(spaces.Of(must.Get(datasets.D1(&datasets.SimulationSettings{Graphs: 10}, source(1))), nil)),
		"trees":         trees(1, 30, 17),
		"with features": labelled(1, 30, 17),
	} {
		d := must.First(gdl.InitSample(graphs, 6, 12, alphaOf(graphs[0]), source(2)))
		var iterations []int
		for k := range gdl.Starts() {
			sum := 0
			for _, e := range must.Get(d.Embed(ctx, graphs, from(gdl.Starts()[:k+1]...), 1)) {
				sum += e.Iterations
			}
			iterations = append(iterations, sum)
		}
		t.Logf("%s: iterations %v", name, iterations)
		for k, n := range iterations[1:] {
			if more := n - iterations[k]; more <= 0 || 2*more > iterations[0] {
				t.Errorf("%s: %d iterations with %d starts, %d with one less, %d with one: expected at most half of those more", name, n, k+2, iterations[k], iterations[0])
			}
		}
	}
}

func alphaOf(g *gw.Space) float64 {
	if g.D() > 0 {
		return 0.99
	}
	return 1
}

func TestStartsAreChecked(t *testing.T) {
	d, g := start(source(1), 2, 3, 0, 1), noisy(source(1), 1, 3, 3, 0)
	for want, starts := range map[string][]gdl.Start{
		`unknown start "sortd"`:      {gdl.StartProduct, "sortd"},
		`start "sorted" is listed`:   {gdl.StartProduct, gdl.StartSorted, gdl.StartSorted},
		`the first start is "sorted`: {gdl.StartSorted, gdl.StartProduct},
	} {
		must.Fail(t, must.Err(d.Embed(context.Background(), g, from(starts...), 1)), want, starts)
		set := &gdl.TrainSettings{Unmix: *from(starts...)}
		must.Fail(t, must.Err(gdl.Train(context.Background(), g, d, set, source(1))), want, "training with ", starts)
		must.Fail(t, must.Err(gdl.NewOnline(d, &gdl.OnlineSettings{Unmix: *from(starts...)})), want, "a stream with ", starts)
	}
}

// Training, of either model and from a stream, uses the starts, whatever the workers.
func TestTrainingFromStarts(t *testing.T) {
	ctx := context.Background()
	graphs := labelled(3, 60, 14)
	init := must.First(gdl.InitSample(graphs, 4, 12, 0.98, source(1)))
	extended := must.Get(gdl.Extend(init, source(2)))
	losses := func(workers int, starts ...gdl.Start) []float64 {
		set := gdl.TrainSettings{Epochs: 2, Batch: len(graphs), Workers: workers, Unmix: *from(starts...)}
		a := must.Get(gdl.Train(ctx, graphs, init, &set, source(5)))
		b := must.Get(gdl.Train(ctx, graphs, extended, &set, source(5)))
		var steps []gdl.Event
		o := online(t, init, gdl.OnlineSettings{Batch: len(graphs), Workers: workers, Unmix: *from(starts...)}, &steps)
		run(t, o, stream(graphs), 0, 1)
		return []float64{a.BatchLoss[0], b.BatchLoss[0], steps[0].Loss, a.BatchLoss[1], b.BatchLoss[1]}
	}
	one, all := losses(1), losses(1, gdl.Starts()...)
	must.Same(t, all, losses(3, gdl.Starts()...), "losses with other workers")
	for k := range 3 { // the first batches, at the same dictionaries
		if !(all[k] < one[k]) {
			t.Errorf("loss %d is %v from all starts, %v from one: expected lower", k, all[k], one[k])
		}
	}
}
