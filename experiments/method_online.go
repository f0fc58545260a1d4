package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"time"

	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// onlineMethod learns from a stream whose classes change: the paper's experiment on
// subspace tracking and change detection.
func onlineMethod() row {
	return row{fit: fitOnline, method: method{
		name:    "GDL-online",
		version: 3,
		doc:     "learning from a stream whose classes change, held-out losses and change points",
		tables:  []string{summary.FigureOnline},
		input:   inputStream,
		params:  onlineParams(),
		check:   checkOnline,
		cost:    costStream,
		disk:    diskStream,
	}}
}

// checkpointEvery is the least time between two checkpoints: what a kill can cost.
const checkpointEvery = 5 * time.Second

// stepsBetween is how many steps are made between two looks at the clock.
const stepsBetween = 32

// onlineParams are those of GDL that say how a graph is unmixed and atoms move, and those
// of the stream.
func onlineParams() []param {
	var ps []param
	of := []string{"lambda", "alpha", "atoms", "order", "step_structure", "step_features", "optimizer", "non_negative",
		"unmix_rounds", "unmix_tol", "unmix_starts", "w_step", "w_steps", "gw_tol_rel", "gw_tol_abs", "gw_iterations"}
	for _, q := range gdlParams() {
		if !slices.Contains(of, q.name) {
			continue
		}
		switch q.name {
		case "atoms":
			q.doc = "number of atoms, which start at random"
		case "order":
			q.def, q.words = nil, nil
		case "step_structure":
			q.def = 0.01
		case "step_features":
			q.def, q.words, q.doc = 0.01, nil, "step size on the atoms' features"
		case "optimizer":
			q.def = string(gdl.SGD)
		}
		ps = append(ps, q)
	}
	return append(ps, []param{
		{name: "batch", kind: integer, def: int64(1), min: 1, max: 1e6, doc: "graphs of a step"},
		{name: "segment_graphs", kind: integer, def: int64(10000), min: 1, max: 1e8, words: []string{wordClass},
			doc: "graphs of each segment of the stream, drawn with replacement where there are fewer; class = all there are, once"},
		{name: "held_out_graphs", kind: integer, def: int64(200), min: 1, max: 1e5, doc: "graphs of each segment's classes that are not learned from"},
		{name: "held_out_every", kind: integer, def: int64(1000), min: 1, max: 1e9, doc: "steps between two looks at them"},
		{name: "mean_over", kind: integer, def: int64(gdl.DefaultMeanOver), min: 1, max: 1e9, doc: "steps of the running mean of the losses"},
		{name: "alarm_run_length", kind: number, def: gdl.DefaultRunLength, min: 1, max: 1e15, doc: "least mean number of steps to a false alarm"},
		{name: "alarm_window", kind: integer, def: int64(gdl.DefaultWindow), min: 4, max: 1 << 20, doc: "steps after which the detector's baseline begins afresh; even"},
		{name: "alarm_two_sided", kind: flagged, def: true, doc: "falls of the loss are changes too"},
		{name: "alarm_burn_in", kind: integer, def: int64(0), min: 0, max: 1e9, doc: "steps before the detector starts, while losses fall because atoms are new"},
		{name: "alarm_within", kind: integer, def: int64(1000), min: 1, max: 1e9, doc: "steps after a switch in which an alarm is its detection; all others are false alarms"},
	}...)
}

func checkOnline(v values) (key, want string) {
	for _, key := range []string{"atoms", "order"} {
		if !v.has(key) {
			return key, "missing; a stream has no median order and no known number of classes"
		}
	}
	if key, want = checkAlpha(v); key != "" {
		return key, want
	}
	if v.integer("alarm_window")%2 != 0 {
		return "alarm_window", "must be even"
	}
	if v.text(datasetKey) == nameDrawn && v.text("segment_graphs") == wordClass {
		return "segment_graphs", "must be a number for " + nameDrawn + ", which has no end"
	}
	if err := checkSize(v); err != nil {
		return "order", err.Error()
	}
	return "", ""
}

// onlineSettings reads the settings of the learner off the parameters.
func onlineSettings(v values) gdl.OnlineSettings {
	return gdl.OnlineSettings{
		Batch: v.integer("batch"), StepC: v.number("step_structure"), StepA: v.number("step_features"),
		Optimizer: gdl.Optimizer(v.text("optimizer")), NonNegative: v.flag("non_negative"), Workers: 1,
		Unmix: unmixSettings(v), MeanOver: v.integer("mean_over"), HeldOutEvery: v.integer("held_out_every"),
		Detector: &gdl.ChangePointSettings{
			RunLength: v.number("alarm_run_length"), Window: v.integer("alarm_window"),
			TwoSided: v.flag("alarm_two_sided"), BurnIn: int64(v.integer("alarm_burn_in")),
		},
	}
}

// fitOnline streams the segments one after the other and keeps what is there so far in the store,
// every few seconds and where the run is interrupted; the cell goes on from there.
func fitOnline(ctx context.Context, t *task) (*fitted, error) {
	saved := time.Now()
	return runOnline(ctx, t, func(r *onlineRun) {
		if time.Since(saved) >= checkpointEvery {
			r.save()
			saved = time.Now()
		}
	})
}

// runOnline is fitOnline with what happens every few steps.
func runOnline(ctx context.Context, t *task, pause func(r *onlineRun)) (*fitted, error) {
	r, err := newOnlineRun(t)
	if err != nil {
		return nil, err
	}
	if err := r.stream(ctx, func() { pause(r) }); err != nil {
		if ctx.Err() != nil {
			r.save()
		}
		return nil, err
	}
	return r.fitted()
}

// onlineRun is a stream under way.
type onlineRun struct {
	t        *task
	segments []segment
	held     [][]*gw.Space // of each segment
	set      gdl.OnlineSettings
	learner  *gdl.Online
	trace    *trace
}

// newOnlineRun lays out the stream and begins it, or goes on from its checkpoint.
func newOnlineRun(t *task) (*onlineRun, error) {
	r := &onlineRun{t: t, set: onlineSettings(t.params)}
	var err error
	if t.features, err = t.stream.featureMap(t.params); err != nil {
		return nil, err
	}
	if r.segments, err = t.stream.segments(t.cell, t.rng); err != nil {
		return nil, err
	}
	for i := range r.segments {
		s := &r.segments[i]
		spaces := make([]*gw.Space, len(s.held))
		for k, g := range s.held {
			if spaces[k], err = t.stream.space(t.cell, t.features, g); err != nil {
				return nil, err
			}
		}
		s.held = nil
		r.held = append(r.held, spaces)
		r.set.HeldOut = append(r.set.HeldOut, gdl.HeldOut{Name: s.name, Graphs: spaces})
	}
	r.trace = newTrace(len(r.segments))
	r.set.OnEvent = r.trace.event
	if r.resume() {
		return r, nil
	}
	v := t.params
	start, err := gdl.InitRandom(v.integer("atoms"), v.integer("order"), t.features.Dim, v.number("alpha"), t.rng("init"))
	if err != nil {
		return nil, err
	}
	r.learner, err = gdl.NewOnline(start, &r.set)
	return r, err
}

// ends returns the graphs and the steps that are made when segment i ends.
func (r *onlineRun) ends(i int) (graphs, steps int64) {
	batch := int64(r.set.Batch)
	for _, s := range r.segments[:i+1] {
		graphs += int64(s.graphs)
		steps += (int64(s.graphs) + batch - 1) / batch
	}
	return graphs, steps
}

// stream makes the steps that are left; pause is called every now and then, between two
// of them. A step never holds graphs of two segments.
func (r *onlineRun) stream(ctx context.Context, pause func()) error {
	for i, s := range r.segments {
		end, last := r.ends(i)
		next := s.graphs - int(end-r.learner.Graphs())
		source := gdl.SourceFunc(func(ctx context.Context) (*gw.Space, error) {
			if next >= s.graphs {
				return nil, io.EOF
			}
			g, err := s.at(next)
			if err != nil {
				return nil, err
			}
			next++
			return r.t.stream.space(r.t.cell, r.t.features, g)
		})
		for r.learner.Graphs() < end {
			if _, err := r.learner.Run(ctx, source, stepsBetween); err != nil {
				return fmt.Errorf("segment %s: %w", s.name, err)
			}
			pause()
		}
		// Held-out losses are taken where a segment ends, too.
		if steps := r.trace.lastHeld(); steps < last {
			if err := r.lookAtHeldOut(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// lookAtHeldOut takes the held-out losses now.
func (r *onlineRun) lookAtHeldOut(ctx context.Context) error {
	d := r.learner.Dictionary()
	losses := make([]float64, len(r.held))
	for i, spaces := range r.held {
		embeddings, err := d.Embed(ctx, spaces, &r.set.Unmix, 1)
		if err != nil {
			return fmt.Errorf("held-out graphs of %s: %w", r.segments[i].name, err)
		}
		sum := 0.0
		for k := range embeddings {
			sum += embeddings[k].Reconstruction
		}
		losses[i] = sum / float64(len(embeddings))
	}
	for _, loss := range losses {
		r.trace.event(gdl.Event{Kind: gdl.HeldOutLoss, Step: r.learner.Steps(), Loss: loss})
	}
	return nil
}

// fitted is what the cell leaves behind.
func (r *onlineRun) fitted() (*fitted, error) {
	stats := r.learner.Stats()
	out := &fitted{scores: r.scores()}
	out.convergence = record.Convergence{Solves: stats.Solves, CapHits: stats.CapHits, Iterations: stats.Iterations}
	if stats.RoundCaps > 0 {
		out.notes = append(out.notes, fmt.Sprintf("%d of %d unmixings stopped at unmix_rounds = %d", stats.RoundCaps, stats.Unmixings, r.t.params.integer("unmix_rounds")))
	}
	var err error
	if out.arrays, err = dictionaryArrays(r.learner.Dictionary().WriteNPZ); err != nil {
		return nil, err
	}
	out.arrays = append(out.arrays, r.layout()...)
	out.arrays = append(out.arrays, r.trace.Arrays()...)
	return out, nil
}

// Names of the texts in a checkpoint that say what it belongs to.
const (
	arrayCheckpointDigest = "checkpoint_digest" // of the data set
	arrayCheckpointArch   = "checkpoint_goarch" // sums may be fused elsewhere
)

// save keeps the state in the store. It is a convenience: what cannot be kept is told, and
// the stream goes on.
func (r *onlineRun) save() {
	kept := &r.t.checkpoint
	if kept.store == nil {
		return
	}
	err := func() error {
		var learner bytes.Buffer
		if err := r.learner.WriteCheckpoint(&learner); err != nil {
			return err
		}
		arrays, err := npz.Read(bytes.NewReader(learner.Bytes()), int64(learner.Len()))
		if err != nil {
			return err
		}
		arrays = append(arrays, npz.Scalar(arrayCheckpointDigest, r.t.stream.digest), npz.Scalar(arrayCheckpointArch, runtime.GOARCH))
		packed, err := npz.Pack(append(arrays, r.trace.Arrays()...))
		if err != nil {
			return err
		}
		return kept.store.PutCheckpoint(r.t.cell.id, packed)
	}()
	if err != nil {
		kept.note("%s: its state could not be kept: %v", r.t.cell, err)
	}
}

// resume goes on from the checkpoint of a run that did not end, if there is one that fits.
// A cell that has a result is computed from its beginning.
func (r *onlineRun) resume() bool {
	kept := &r.t.checkpoint
	if kept.store == nil || !kept.resume {
		return false
	}
	packed, err := kept.store.Checkpoint(r.t.cell.id)
	if packed == nil && err == nil {
		return false
	}
	if err == nil {
		err = r.restore(packed)
	}
	if err != nil {
		kept.note("%s: begins afresh, its checkpoint cannot be used: %v", r.t.cell, err)
		return false
	}
	return true
}

func (r *onlineRun) restore(packed []byte) error {
	arrays, err := npz.Read(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return err
	}
	for name, want := range map[string]string{arrayCheckpointDigest: r.t.stream.digest, arrayCheckpointArch: runtime.GOARCH} {
		a, err := npz.Find(arrays, name)
		if err != nil {
			return err
		}
		if len(a.Text) != 1 || a.Text[0] != want {
			return fmt.Errorf("array %q is %q, expected %q", name, a.Text, want)
		}
	}
	learner, err := gdl.ReadCheckpoint(bytes.NewReader(packed), int64(len(packed)), &r.set)
	if err != nil {
		return err
	}
	graphs, steps := r.ends(len(r.segments) - 1)
	if learner.Graphs() > graphs || learner.Steps() > steps {
		return errors.New("it is ahead of the stream")
	}
	tr, err := artifact.ReadTrace(arrays, r.trace.Segments, int(learner.Steps()))
	if err != nil {
		return err
	}
	r.trace.Trace = tr
	r.learner = learner
	return nil
}
