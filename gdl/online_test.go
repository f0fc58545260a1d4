package gdl_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// stream gives out graphs one after the other, from the first on.
func stream(graphs []*gw.Space) gdl.Source {
	return gdl.SourceFunc(func(context.Context) (*gw.Space, error) {
		if len(graphs) == 0 {
			return nil, io.EOF
		}
		g := graphs[0]
		graphs = graphs[1:]
		return g, nil
	})
}

func online(t testing.TB, d *gdl.Dictionary, set gdl.OnlineSettings, events *[]gdl.Event) *gdl.Online {
	t.Helper()
	if events != nil {
		set.OnEvent = func(e gdl.Event) { *events = append(*events, e) }
	}
	return must.Get(gdl.NewOnline(d, &set))
}

func run(t testing.TB, o *gdl.Online, src gdl.Source, limit, want int64) {
	t.Helper()
	must.Equal(t, must.Get(o.Run(context.Background(), src, limit)), want, "steps")
}

func checkpoint(t testing.TB, o *gdl.Online) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Do(t, o.WriteCheckpoint(&b))
	return b.Bytes()
}

func TestOnlineResumesBitForBit(t *testing.T) {
	for _, c := range []struct {
		optimizer  gdl.Optimizer
		batch, dim int
		own        bool // node weights of the atoms' own
		adam       *gdl.AdamSettings
	}{{gdl.SGD, 1, 0, false, nil}, {gdl.SGD, 2, 2, true, nil}, {gdl.Adam, 1, 2, true, nil}, {gdl.Adam, 2, 0, false, &gdl.AdamSettings{Beta1: 0.5, Beta2: 0.9, Epsilon: 1e-8}}} {
		set := gdl.OnlineSettings{
			Batch: c.batch, Optimizer: c.optimizer, Adam: c.adam, StepC: 0.02, StepA: 0.03, NonNegative: true, MeanOver: 50, Every: 7,
			Detector: &gdl.ChangePointSettings{RunLength: 20, Window: 24, TwoSided: c.dim > 0, BurnIn: int64(80 * (c.batch - 1))},
			HeldOut:  []gdl.HeldOut{{Name: "A", Graphs: noisy(source(5), 3, 4, 6, c.dim)}, {Name: "B", Graphs: noisy(source(6), 2, 4, 6, c.dim)}}, HeldOutEvery: 25,
			Unmix: gdl.UnmixSettings{Lambda: 0.01},
		}
		graphs := noisy(source(1), 200*c.batch, 3, 8, c.dim)
		d := start(source(2), 3, 4, c.dim, 0.5)
		if c.own {
			d, set.StepH, set.Unmix.Mu = must.Get(gdl.Extend(d, source(7))), 0.002, 0.001
		}
		var whole, parts []gdl.Event
		o := online(t, d, set, &whole)
		run(t, o, stream(graphs), 200, 200)
		run(t, o, stream(nil), 0, 0)
		want := checkpoint(t, o)

		p := online(t, d, set, &parts)
		run(t, p, stream(graphs), 0+73, 73)
		for _, upTo := range []int64{75, 100, 101, 200} { // 75 and 100 end before a held-out loss is reported
			saved := checkpoint(t, p)
			again := set
			again.OnEvent = func(e gdl.Event) { parts = append(parts, e) }
			again.Workers = 2
			p = must.Get(gdl.ReadCheckpoint(bytes.NewReader(saved), int64(len(saved)), &again))
			if !bytes.Equal(checkpoint(t, p), saved) {
				t.Fatal("a checkpoint changes by being read")
			}
			src := stream(graphs)
			must.Do(t, gdl.Skip(context.Background(), src, p.Graphs()))
			run(t, p, src, upTo-p.Steps(), upTo-p.Steps())
		}
		if !bytes.Equal(checkpoint(t, p), want) || p.Stats() != o.Stats() || p.Mean() != o.Mean() {
			t.Errorf("%s, batch %d: another end after checkpoints", c.optimizer, c.batch)
		}
		must.Same(t, whole, parts, "%s, batch %d: other events after checkpoints", c.optimizer, c.batch)
		kinds := map[gdl.EventKind]int{}
		for _, e := range whole {
			kinds[e.Kind]++
		}
		if kinds[gdl.StepLoss] != 200/7 || kinds[gdl.HeldOutLoss] != 2*(200/25+1) {
			t.Errorf("%v", kinds)
		}
		if d2, meta, err := gdl.ReadNPZ(bytes.NewReader(want), int64(len(want))); err != nil || meta["optimizer"] != string(c.optimizer) || !bytes.Equal(archive(t, d2), archive(t, o.Dictionary())) {
			t.Errorf("the dictionary in the checkpoint: %v, %v", meta, err)
		}
		if c.adam != nil {
			if c.adam.Beta1 = 0; !bytes.Equal(checkpoint(t, o), want) {
				t.Error("a learner follows the caller's settings")
			}
		}
	}
}

// A stream of a training's batches is that training.
func TestOnlineStepsAreThoseOfTrain(t *testing.T) {
	graphs := noisy(source(1), 9, 4, 8, 2)
	shared := start(source(2), 3, 5, 2, 0.4)
	for _, d := range []*gdl.Dictionary{shared, must.Get(gdl.Extend(shared, source(4)))} {
		for _, optimizer := range []gdl.Optimizer{gdl.SGD, gdl.Adam} {
			trained := must.Get(gdl.Train(context.Background(), graphs, d, &gdl.TrainSettings{Epochs: 4, Batch: 3, Optimizer: optimizer}, source(3)))
			o := online(t, d, gdl.OnlineSettings{Batch: 3, Optimizer: optimizer}, nil)
			rng, index := source(3), []int{0, 1, 2, 3, 4, 5, 6, 7, 8}
			for k, want := range trained.BatchLoss {
				batch := make([]*gw.Space, 3)
				for i := range batch {
					j := i + rng.IntN(len(index)-i)
					index[i], index[j] = index[j], index[i]
					batch[i] = graphs[index[i]]
				}
				loss, err := o.Step(context.Background(), batch)
				if err != nil || !(math.Abs(loss-want) <= 1e-14) {
					t.Fatalf("%s, step %d: loss %v (%v), in training %v", optimizer, k, loss, err, want)
				}
			}
			must.Same(t, archive(t, o.Dictionary()), archive(t, trained.Dictionary), "%s: another dictionary", optimizer)
			s := o.Stats()
			if trained.Stats.MaxGap = 0; s != trained.Stats {
				t.Errorf("%s: %+v, in training %+v", optimizer, s, trained.Stats)
			}
		}
	}
}

func TestEventsTellWhatHappened(t *testing.T) {
	ctx := context.Background()
	graphs := noisy(source(1), 40, 4, 8, 0)
	sample := noisy(source(4), 5, 4, 8, 0)
	d := start(source(2), 2, 5, 0, 1)
	set := gdl.OnlineSettings{
		Batch: 3, MeanOver: 5, Every: 4, Unmix: gdl.UnmixSettings{Lambda: 0.1},
		HeldOut: []gdl.HeldOut{{Name: "sample", Graphs: sample}}, HeldOutEvery: 7,
	}
	var events []gdl.Event
	o := online(t, d, set, &events)
	mean, sum := 0.0, 0.0
	var want []gdl.Event
	heldOut := func(step, graphs int64) {
		loss := 0.0
		for _, e := range must.Get(o.Dictionary().Embed(ctx, sample, &set.Unmix, 1)) {
			loss += e.Reconstruction
		}
		want = append(want, gdl.Event{Kind: gdl.HeldOutLoss, Step: step, Graphs: graphs, Loss: loss / 5, Sample: "sample"})
	}
	heldOut(0, 0)
	src := stream(graphs)
	for step := int64(1); step <= 14; step++ { // the last batch is one graph
		n := min(3*step, 40)
		loss := 0.0
		for _, e := range must.Get(o.Dictionary().Embed(ctx, graphs[3*(step-1):n], &set.Unmix, 1)) {
			loss += e.Reconstruction
		}
		loss /= float64(n - 3*(step-1))
		run(t, o, src, 1, 1)
		mean += (loss - mean) / float64(min(step, 5))
		if sum += loss; step%4 == 0 {
			want = append(want, gdl.Event{Kind: gdl.StepLoss, Step: step, Graphs: n, Loss: sum / 4, Mean: mean})
			sum = 0
		}
		if step%7 == 0 {
			heldOut(step, n)
		}
	}
	must.Same(t, events, want, "events")
	run(t, o, src, 0, 0)
	if o.Steps() != 14 || o.Graphs() != 40 || o.Stats().Unmixings != 40 {
		t.Errorf("%d steps, %d graphs, %+v", o.Steps(), o.Graphs(), o.Stats())
	}
}

// dense and sparse are two subspaces: graphs of blocks, and nearly empty ones.
func dense(seed uint64, count int) []*gw.Space { return noisy(source(seed), count, 6, 10, 0) }

func sparse(seed uint64, count int) []*gw.Space {
	rng := source(seed)
	graphs := make([]*gw.Space, count)
	for k := range graphs {
		n := 6 + rng.IntN(5)
		c := make([]float64, n*n)
		for i := 1; i < n; i++ { // a star
			v := 2 + 0.5*rng.Float64()
			c[i], c[i*n] = v, v
		}
		graphs[k] = must.Get(gw.NewSpace(c, nil, n, 0, nil))
	}
	return graphs
}

// The paper's statements about streams: the loss falls within a segment, jumps at
// the switch, where the detector raises its only alarm, and the first segment is
// forgotten in the second.
func TestOnlineTracksTheSubspace(t *testing.T) {
	var events []gdl.Event
	o := online(t, start(source(2), 2, 6, 0, 1), gdl.OnlineSettings{
		StepC: 0.1, MeanOver: 50, Detector: &gdl.ChangePointSettings{Window: 200},
		HeldOut: []gdl.HeldOut{{"dense", dense(7, 10)}, {"sparse", sparse(8, 10)}}, HeldOutEvery: 600,
	}, &events)
	run(t, o, stream(slices.Concat(dense(1, 600), sparse(3, 600))), 0, 1200)
	held := map[string][]float64{}
	mean := map[int64]float64{}
	var changes []gdl.Event
	for _, e := range events {
		switch e.Kind {
		case gdl.HeldOutLoss:
			held[e.Sample] = append(held[e.Sample], e.Loss)
		case gdl.StepLoss:
			mean[e.Step] = e.Mean
		case gdl.ChangePoint:
			changes = append(changes, e)
		}
	}
	if h := held["dense"]; len(h) != 3 || !(h[1] < 0.8*h[0] && h[2] > 1.3*h[1]) {
		t.Errorf("held-out losses of the first segment: %v", h)
	}
	if h := held["sparse"]; len(h) != 3 || !(h[2] < 0.5*h[1]) {
		t.Errorf("held-out losses of the second segment: %v", h)
	}
	if !(mean[600] < mean[50] && mean[620] > 1.5*mean[600] && mean[1200] < 0.8*mean[650]) {
		t.Errorf("running means %v, %v, %v, %v, %v", mean[50], mean[600], mean[620], mean[650], mean[1200])
	}
	if len(changes) != 1 || changes[0].Step < 601 || changes[0].Step > 620 || changes[0].Onset < 595 || changes[0].Onset > 605 {
		t.Errorf("alarms: %+v, expected one soon after 600", changes)
	}
}

func TestOnlineErrorsLeaveTheStateAlone(t *testing.T) {
	ctx := context.Background()
	graphs, wrong := noisy(source(1), 20, 4, 7, 0), noisy(source(1), 1, 4, 7, 2)
	o := online(t, start(source(2), 2, 5, 0, 1), gdl.OnlineSettings{Batch: 2}, nil)
	run(t, o, stream(graphs[:6]), 0, 3)
	before := checkpoint(t, o)
	ended, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := o.Step(ended, graphs[:2]); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
	must.Fail(t, must.Err(o.Step(ctx, []*gw.Space{graphs[0], wrong[0]})), "step 4: graph 1", "features")
	broken := errors.New("broken")
	calls := 0
	src := gdl.SourceFunc(func(context.Context) (*gw.Space, error) {
		if calls++; calls == 2 {
			return nil, broken
		}
		return graphs[5+min(calls, 2)+max(calls-3, 0)], nil
	})
	if n, err := o.Run(ctx, src, 0); n != 0 || !errors.Is(err, broken) || !strings.Contains(err.Error(), "graph 7 (from 0) of the stream") {
		t.Errorf("a broken source: %d steps, %v", n, err)
	}
	must.Same(t, checkpoint(t, o), before, "the state after errors")
	// The graph that was drawn before the source broke is not lost.
	run(t, o, src, 2, 2)
	whole := online(t, start(source(2), 2, 5, 0, 1), gdl.OnlineSettings{Batch: 2}, nil)
	run(t, whole, stream(graphs[:10]), 0, 5)
	must.Same(t, checkpoint(t, o), checkpoint(t, whole), "the state after the last graph")
	if err := gdl.Skip(ctx, stream(graphs[:2]), 3); !errors.Is(err, io.ErrUnexpectedEOF) {
		t.Errorf("skipping beyond the end: %v", err)
	}
}

func TestHeldOutLossesThatAreDueAreMadeUpFor(t *testing.T) {
	graphs := noisy(source(1), 4, 4, 7, 0)
	set := gdl.OnlineSettings{HeldOut: []gdl.HeldOut{{"x", graphs}}, HeldOutEvery: 2}
	var events, want []gdl.Event
	run(t, online(t, start(source(2), 2, 5, 0, 1), set, &want), stream(graphs), 0, 4)
	ctx, cancel := context.WithCancel(context.Background())
	set.OnEvent = func(e gdl.Event) {
		if events = append(events, e); e.Kind == gdl.StepLoss && e.Step == 2 {
			cancel()
		}
	}
	o, src := must.Get(gdl.NewOnline(start(source(2), 2, 5, 0, 1), &set)), stream(graphs)
	if n, err := o.Run(ctx, src, 0); n != 2 || !errors.Is(err, context.Canceled) {
		t.Fatalf("%d steps, %v", n, err)
	}
	run(t, o, src, 0, 2)
	must.Same(t, events, want, "events")
	// Asked for, they are taken once more.
	if err := o.LookAtHeldOut(t.Context()); err != nil || !slices.Equal(events, append(want, want[len(want)-1])) {
		t.Errorf("%v, %v", events, err)
	}
}

func TestTooLargeAStepEndsTheStream(t *testing.T) {
	graphs := noisy(source(1), 300, 4, 7, 0)
	o := online(t, start(source(2), 2, 5, 0, 1), gdl.OnlineSettings{StepC: 1e300}, nil)
	_, first := o.Run(context.Background(), stream(graphs), 0)
	if first == nil || !strings.Contains(first.Error(), "is the step too large?") {
		t.Fatalf("%v", first)
	}
	if _, err := o.Step(context.Background(), graphs[:1]); err != first {
		t.Errorf("a later step: %v", err)
	}
	must.Check(t, o.WriteCheckpoint(io.Discard), first, "a checkpoint")
}

func TestOnlineSettingsOutOfRange(t *testing.T) {
	d := start(source(2), 2, 5, 0, 1)
	sample := noisy(source(1), 2, 4, 7, 0)
	for name, s := range map[string]gdl.OnlineSettings{
		"batch":            {Batch: -1},
		"step":             {StepC: -1},
		"step of features": {StepA: math.NaN()},
		"optimizer":        {Optimizer: "momentum"},
		"adam":             {Adam: &gdl.AdamSettings{Beta1: 1}},
		"lambda":           {Unmix: gdl.UnmixSettings{Lambda: -1}},
		"mean":             {MeanOver: -1},
		"every":            {Every: -1},
		"held-out every":   {HeldOutEvery: -1},
		"never held out":   {HeldOut: []gdl.HeldOut{{"a", sample}}},
		"nothing held out": {HeldOut: []gdl.HeldOut{{"a", nil}}, HeldOutEvery: 1},
		"features":         {HeldOut: []gdl.HeldOut{{"a", noisy(source(1), 1, 4, 7, 2)}}, HeldOutEvery: 1},
		"detector":         {Detector: &gdl.ChangePointSettings{Window: 1}},
	} {
		if _, err := gdl.NewOnline(d, &s); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	broken := d.Clone()
	broken.C[0][1]++
	if _, err := gdl.NewOnline(broken, nil); err == nil {
		t.Error("an asymmetric atom: no error")
	}
	o := must.Get(gdl.NewOnline(d, nil))
	for _, graphs := range [][]*gw.Space{nil, sample} {
		must.Fail(t, must.Err(o.Step(context.Background(), graphs)), "expected 1 to 1", len(graphs))
	}
}

func TestUpdatedModelIsANewOne(t *testing.T) {
	rng := source(1)
	for n := 1; n < 11; n++ {
		dim := n % 3
		before := start(rng, 5, n, dim, 0.3)
		after := before.Clone()
		after.C[1][0]++
		after.C[4][n*n-1] -= 2
		want := 2
		if dim > 0 {
			after.A[2][n*dim-1] = 7
			want++
		}
		same, changed, err := gdl.UpdateIsNew(before, after)
		if err != nil || !same || changed != want {
			t.Errorf("order %d: %d atoms changed, expected %d; as a new one: %v, %v", n, changed, want, same, err)
		}
		after.C[3][0] = math.Inf(1)
		must.Fail(t, must.Err2(gdl.UpdateIsNew(before, after)), "atom 3", "an infinite atom")
	}
}

// A step allocates only what its closures need, however long the stream.
func TestOnlineStepsAllocateLittle(t *testing.T) {
	graphs := noisy(source(1), 50, 8, 20, 0)
	o := online(t, start(source(2), 4, 12, 0, 1), gdl.OnlineSettings{Detector: &gdl.ChangePointSettings{}}, nil)
	run(t, o, stream(graphs), 0, 50)
	k := 0
	if n := testing.AllocsPerRun(49, func() {
		must.Get(o.Step(context.Background(), graphs[k:k+1]))
		k++
	}); n > 4 {
		t.Errorf("%v allocations a step", n)
	}
}

// TestOnlineKeepsItsSettings: a learner does not see what its caller makes of the settings' slices.
func TestOnlineKeepsItsSettings(t *testing.T) {
	graphs := noisy(source(4), 6, 4, 6, 0)
	var names []string
	set := gdl.OnlineSettings{
		Unmix: gdl.UnmixSettings{Starts: gdl.Starts()}, HeldOutEvery: 1,
		HeldOut: []gdl.HeldOut{{Name: "a", Graphs: graphs[:1:1]}},
		OnEvent: func(e gdl.Event) {
			if e.Kind == gdl.HeldOutLoss {
				names = append(names, e.Sample)
			}
		},
	}
	o := must.Get(gdl.NewOnline(start(source(8), 2, 5, 0, 1), &set))
	slices.Reverse(set.Unmix.Starts)
	set.HeldOut[0] = gdl.HeldOut{Name: "b", Graphs: graphs}
	must.Get(o.Step(context.Background(), graphs[:1]))
	must.Same(t, names, []string{"a", "a"}, "held-out samples")
}
