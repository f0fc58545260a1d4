package gwf

import (
	"bytes"
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/spaces"
	"ogdl/internal/npz"
	"ogdl/internal/optim"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

func archive(t testing.TB, m *Model) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, npz.Write(&b, m.Arrays()))
	return b.Bytes()
}

func TestTrainingDoesNotDependOnWorkers(t *testing.T) {
	graphs := randomGraphs(source(1), 20, 4, 9, 2)
	init := must.Get(InitRandomOrder(graphs, 4, 0.5, source(2)))
	before := archive(t, init)
	for _, set := range []Settings{
		{}, {Warm: true}, {NonNegative: Sigmoid, ZAdam: Visited, ZSteps: 3, Keep: KeepLast},
		{Transport: Transport{Barycentre: Full, Gamma: 0.05, Rounds: 2}},
	} {
		set.Epochs, set.Batch, set.Outer = 3, 7, 10
		var first *Training
		for _, workers := range []int{1, 2, 5} {
			set.Workers = workers
			r := must.Get(Train(context.Background(), graphs, init, &set, source(3)))
			if first == nil {
				first = r
				continue
			}
			must.Same(t, r, first, "%+v: training with %d workers", set, workers)
			must.Same(t, archive(t, r.Model), archive(t, first.Model), "%+v: bytes with %d workers", set, workers)
		}
		// Batches of 7, 7 and 6 in each of three epochs.
		if len(first.BatchLoss) != 9 || len(first.EpochLoss) != 3 || first.Stats.Couplings < 3*20*4 {
			t.Errorf("%d batches, %d epochs, %d couplings", len(first.BatchLoss), len(first.EpochLoss), first.Stats.Couplings)
		}
		b := first.BatchLoss[3:6]
		mean := (7*b[0] + 7*b[1] + 6*b[2]) / 20
		must.Within(t, first.EpochLoss[1], mean, 1e-12*mean, "epoch loss, and mean of its graphs")
		w := make([]float64, 4)
		softmax(first.Z[4:8], w)
		must.Same(t, w, first.W[4:8], "softmax of z, and the weights")
	}
	must.Same(t, archive(t, init), before, "the start afterwards")
}

func TestLossFalls(t *testing.T) {
	set := must.Get(datasets.D1(&datasets.SimulationSettings{Graphs: 10}, source(5)))
	graphs := must.First(spaces.Of(set, nil))
	for name, set := range map[string]Settings{
		"cold":    {Transport: Transport{Outer: 20}},
		"warm":    {Transport: Transport{Outer: 5}, Warm: true},
		"sigmoid": {Transport: Transport{Outer: 20}, NonNegative: Sigmoid},
		"full":    {Transport: Transport{Outer: 10, Rounds: 1, Barycentre: Full}, Epochs: 5},
	} {
		t.Run(name, func(t *testing.T) {
			init := must.Get(InitRandomOrder(graphs, 3, 1, source(6)))
			r := must.Get(Train(context.Background(), graphs, init, &set, source(7)))
			set.StepC, set.StepZ = 1e-12, DefaultStep
			weights := must.Get(Train(context.Background(), graphs, init, &set, source(7)))
			first, last, still := r.EpochLoss[0], r.EpochLoss[len(r.EpochLoss)-1], weights.EpochLoss[len(r.EpochLoss)-1]
			if !(last < 0.8*first && last < 0.98*still) {
				t.Errorf("loss from %v to %v, %v with atoms that stay", first, last, still)
			}
			must.Do(t, r.Model.Check())
		})
	}
}

func TestLossFallsWithFeatures(t *testing.T) {
	rng := source(8)
	graphs := randomGraphs(rng, 30, 4, 8, 3)
	for _, alpha := range []float64{0, 1e-3, 0.5, 0.999, 1} {
		init := must.Get(InitRandomOrder(graphs, 4, alpha, source(9)))
		set := Settings{Transport: Transport{Gamma: 0.05, Outer: 20}, StepC: 0.03}
		r := must.Get(Train(context.Background(), graphs, init, &set, source(10)))
		set.StepC, set.StepA, set.StepZ = 1e-12, 1e-12, 0.03
		weights := must.Get(Train(context.Background(), graphs, init, &set, source(10)))
		if first, last, still := r.EpochLoss[0], r.EpochLoss[9], weights.EpochLoss[9]; !(last < 0.9*first && last < 0.9*still) {
			t.Errorf("alpha %v: loss from %v to %v, %v with atoms that stay", alpha, first, last, still)
		}
		if alpha == 1 && !slices.Equal(r.Model.Atoms[0].A, init.Atoms[0].A) {
			t.Error("features moved at alpha 1")
		}
	}
}

func TestBestIsTheEpochOfTheLowestLoss(t *testing.T) {
	graphs := randomGraphs(source(11), 12, 4, 8, 0)
	init := must.Get(InitRandomOrder(graphs, 3, 1, source(12)))
	for seed := range uint64(20) {
		// A step this wide makes the loss swing.
		set := Settings{Epochs: 8, Batch: 4, StepC: 1, Transport: Transport{Outer: 10}}
		r := must.Get(Train(context.Background(), graphs, init, &set, source(seed)))
		best := 0
		for e, v := range r.EpochLoss {
			if v < r.EpochLoss[best] {
				best = e
			}
		}
		if best == 7 {
			continue
		}
		set.Epochs, set.Keep = best+1, KeepLast
		last := must.Get(Train(context.Background(), graphs, init, &set, source(seed)))
		if !bytes.Equal(archive(t, r.Model), archive(t, last.Model)) || !slices.Equal(r.Z, last.Z) {
			t.Errorf("not the state at the end of epoch %d", best+1)
		}
		return
	}
	t.Error("the last epoch is always the best: the test shows nothing")
}

// Under C = max(x, 0) an entry at 0 could never leave it.
func TestZeroEntriesGrow(t *testing.T) {
	rng := source(14)
	full := randomGraphs(rng, 10, 5, 5, 0)
	empty := must.Get(gw.NewSpace(make([]float64, 25), nil, 5, 0, nil))
	init := must.Get(InitRandomOrder([]*gw.Space{empty}, 1, 1, rng))
	r := must.Get(Train(context.Background(), full, init, &Settings{Keep: KeepLast}, rng))
	for e, c := range r.Model.Atoms[0].C {
		if !(c > 0.05) {
			t.Errorf("entry %d stays at %v", e, c)
		}
	}
}

// slope fits a graph at the free weights z, and returns the fit, the weights, the loss and its gradient in z.
func slope(t *testing.T, m *Model, g *gw.Space, z []float64) (f *fit, w []float64, loss float64, dz []float64) {
	half := make([]float64, len(z))
	w, dz = make([]float64, len(z)), make([]float64, len(z))
	softmax(z, w)
	f = prepared(t, m, g, w, Transport{})
	loss = f.loss(w, half)
	pull(w, half, dz)
	return f, w, loss, dz
}

// Adam's first step moves every entry by the step size against its gradient.
func TestFirstStep(t *testing.T) {
	rng := source(15)
	graphs := randomGraphs(rng, 1, 6, 6, 2)
	init := must.Get(InitRandomOrder(randomGraphs(rng, 2, 5, 7, 2), 2, 0.5, rng))
	z := gwtest.Slice(2, source(16).NormFloat64)
	r := must.Get(Train(context.Background(), graphs, init, &Settings{Epochs: 1, StepC: 0.01, StepA: 0.02, StepZ: 0.03}, source(16)))
	f, w, loss, dz := slope(t, init, graphs[0], z)
	must.Check(t, loss, r.EpochLoss[0], "the graph's loss, and the epoch's")
	var gc, ga [][]float64
	for _, a := range init.Atoms {
		gc, ga = append(gc, make([]float64, len(a.C))), append(ga, make([]float64, len(a.A)))
	}
	f.gradients(w, gc, ga)
	step := func(x, g []float64, size float64) []float64 {
		x = slices.Clone(x)
		optim.NewAdam(len(x), size, 0.9, 0.999, 1e-8).Step(x, g)
		return x
	}
	must.Near(t, "z", r.Z, step(z, dz, 0.03), 1e-9)
	for k, a := range init.Atoms {
		c := step(a.C, gc[k], 0.01)
		optim.ProjectSymmetric(c, a.N, true)
		must.Near(t, "structure", r.Model.Atoms[k].C, c, 1e-9)
		must.Near(t, "features", r.Model.Atoms[k].A, step(a.A, ga[k], 0.02), 1e-9)
	}
}

// With the dense Adam the momentum of a visit carries a graph's weights on through the
// batches of others; with one Adam per graph they rest.
func TestWeightsBetweenVisits(t *testing.T) {
	rng := source(17)
	graphs := randomGraphs(rng, 2, 6, 6, 0)
	init := must.Get(InitRandomOrder(randomGraphs(rng, 2, 5, 7, 0), 2, 1, rng))
	draws := source(18)
	z := gwtest.Slice(4, draws.NormFloat64)
	first := draws.Perm(2)[0]
	_, _, _, dz := slope(t, init, graphs[first], z[2*first:2*first+2])
	for _, c := range []struct {
		adam  ZAdam
		steps int
	}{{Dense, 2}, {Visited, 1}} {
		want := slices.Clone(z[2*first : 2*first+2])
		a := optim.NewAdam(2, 0.1, 0.9, 0.999, 1e-8)
		for step := range c.steps {
			g := make([]float64, 2)
			if step == 0 {
				copy(g, dz)
			}
			a.Step(want, g)
		}
		r := must.Get(Train(context.Background(), graphs, init, &Settings{Epochs: 1, Batch: 1, ZAdam: c.adam}, source(18)))
		must.Near(t, string(c.adam), r.Z[2*first:2*first+2], want, 1e-9)
	}
}

func TestTrainErrors(t *testing.T) {
	graphs := randomGraphs(source(30), 5, 3, 5, 0)
	init := must.Get(InitRandomOrder(graphs, 2, 1, source(32)))
	bad := init.Clone()
	bad.Atoms[1].C[0] = -1
	for _, c := range []struct {
		name string
		init *Model
		set  Settings
		want string
	}{
		{"gamma", init, Settings{Transport: Transport{Gamma: -1}}, "gamma is -1"},
		{"gamma NaN", init, Settings{Transport: Transport{Gamma: math.NaN()}}, "gamma is NaN"},
		{"outer", init, Settings{Transport: Transport{Outer: -1}}, "-1 outer steps"},
		{"tol", init, Settings{Transport: Transport{Tol: math.NaN()}}, "tolerance NaN"},
		{"barycentre", init, Settings{Transport: Transport{Barycentre: "half"}}, `barycentre "half"`},
		{"epochs", init, Settings{Epochs: -2}, "-2 epochs"},
		{"step", init, Settings{StepA: -1}, "step size -1"},
		{"relu", init, Settings{NonNegative: "abs"}, `"abs"`},
		{"keep", init, Settings{Keep: "first"}, `"first"`},
		{"adam", init, Settings{Adam: &AdamSettings{Beta1: 1}}, "Adam"},
		{"negative atom", bad, Settings{}, "atom 1: structure entry (0, 0) is -1"},
		{"no atoms", &Model{Alpha: 1}, Settings{}, "without atoms"},
		{"step too large", init, Settings{StepC: 1e300, Epochs: 3}, "too large"},
	} {
		must.Fail(t, must.Err(Train(context.Background(), graphs, c.init, &c.set, source(33))), c.want, c.name)
	}
	must.Panic(t, "gwf: ", map[string]func(){
		"slices": func() {
			m := init.Clone()
			m.Atoms[0].P = m.Atoms[0].P[1:]
			_ = m.Check()
		},
	})
}

func TestCancel(t *testing.T) {
	graphs := randomGraphs(source(34), 5, 3, 5, 0)
	init := must.Get(InitRandomOrder(graphs, 2, 1, source(35)))
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Train(ctx, graphs, init, nil, source(36)); !errors.Is(err, context.Canceled) {
		t.Errorf("training: %v", err)
	}
	if _, err := init.Embed(ctx, graphs, nil, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("embedding: %v", err)
	}
	if _, err := init.Reconstruct(ctx, graphs, slices.Repeat([]float64{1, 0}, 5), nil, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("reconstruction: %v", err)
	}
}
