package method

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/ot/gw"
	"ogdl/reports/summary"
)

// onlineMethod learns from a stream whose classes change: the paper's experiment on
// subspace tracking and change detection.
func onlineMethod() Row {
	return Row{Fit: fitOnline, Method: spec.Method{
		Name:    "GDL-online",
		Version: 3,
		Doc:     "learning from a stream whose classes change, held-out losses and change points",
		Tables:  []string{summary.FigureOnline},
		Input:   spec.InputStream,
		Params:  onlineParams(),
		Check:   spec.Rules(checkOnline, CheckAlpha, CheckSize),
	}}
}

// checkpointEvery is the least time between two checkpoints; a kill loses about this much work.
const checkpointEvery = 5 * time.Second

// StepsBetween is how many steps are made between two looks at the clock.
const StepsBetween = 32

// onlineParams returns GDL's parameters of unmixing and of atoms' steps, and the stream's.
func onlineParams() []spec.Param {
	var ps []spec.Param
	of := []string{"lambda", "alpha", "atoms", "order", "step_structure", "step_features", "optimizer", "non_negative",
		"unmix_rounds", "unmix_tol", "unmix_starts", "w_step", "w_steps", "gw_tol_rel", "gw_tol_abs", "gw_iterations"}
	for _, q := range gdlParams() {
		if !slices.Contains(of, q.Name) {
			continue
		}
		switch q.Name {
		case "atoms":
			q.Doc = "number of atoms, which start at random"
		case "order":
			q.Def, q.Words = nil, nil
		case "step_structure":
			q.Def = 0.01
		case "step_features":
			q.Def, q.Words, q.Doc = 0.01, nil, "step size on the atoms' features"
		case "optimizer":
			q.Def = string(gdl.SGD)
		}
		ps = append(ps, q)
	}
	return append(ps,
		spec.Int("batch", "graphs of a step", 1, 1, 1e6),
		spec.Int("segment_graphs",
			"graphs of each segment of the stream, drawn with replacement where there are fewer; class = all there are, once",
			10000, 1, 1e8, source.WordClass),
		spec.Int("held_out_graphs", "graphs of each segment's classes that are not learned from", 200, 1, 1e5),
		spec.Int("held_out_every", "steps between two looks at them", 1000, 1, 1e9),
		spec.Int("mean_over", "steps of the running mean of the losses", gdl.DefaultMeanOver, 1, 1e9),
		spec.Num("alarm_run_length", "least mean number of steps to a false alarm", gdl.DefaultRunLength, 1, 1e15),
		spec.Int("alarm_window", "steps after which the detector's baseline begins afresh; even", gdl.DefaultWindow, 4, 1<<20),
		spec.Param{Name: "alarm_two_sided", Kind: spec.Boolean, Def: true, Doc: "falls of the loss are changes too"},
		spec.Int("alarm_burn_in", "steps before the detector starts, while losses fall because atoms are new", 0, 0, 1e9),
		spec.Int("alarm_within", "steps after a switch in which an alarm is its detection; all others are false alarms", 1000, 1, 1e9),
	)
}

func checkOnline(v spec.Values) (key, want string) {
	for _, key := range []string{"atoms", "order"} {
		if !v.Has(key) {
			return key, "missing; a stream has no median order and no known number of classes"
		}
	}
	if v.Integer("alarm_window")%2 != 0 {
		return "alarm_window", "must be even"
	}
	if v.Text(spec.DatasetKey) == spec.NameDrawn && v.Text("segment_graphs") == source.WordClass {
		return "segment_graphs", "must be a number for " + spec.NameDrawn + ", which has no end"
	}
	return "", ""
}

// onlineSettings reads the settings of the learner off the parameters.
func onlineSettings(v spec.Values) gdl.OnlineSettings {
	return gdl.OnlineSettings{
		Batch: v.Integer("batch"), StepC: v.Number("step_structure"), StepA: v.Number("step_features"),
		Optimizer: gdl.Optimizer(v.Text("optimizer")), NonNegative: v.Flag("non_negative"), Workers: 1,
		Unmix: UnmixSettings(v), MeanOver: v.Integer("mean_over"), HeldOutEvery: v.Integer("held_out_every"),
		Detector: &gdl.ChangePointSettings{
			RunLength: v.Number("alarm_run_length"), Window: v.Integer("alarm_window"),
			TwoSided: v.Flag("alarm_two_sided"), BurnIn: int64(v.Integer("alarm_burn_in")),
		},
	}
}

// fitOnline streams the segments, with a checkpoint every 5 s and at interrupts, to resume from.
func fitOnline(ctx context.Context, t *Task) (*Result, error) {
	saved := time.Now()
	return FitOnline(ctx, t, func(_ int64, save func()) {
		if time.Since(saved) >= checkpointEvery {
			save()
			saved = time.Now()
		}
	})
}

// FitOnline streams the segments one after the other. pause is called every [StepsBetween] steps,
// with their number. It may save the state in the store, as an interrupted run does; the cell then
// continues from that state.
func FitOnline(ctx context.Context, t *Task, pause func(steps int64, save func())) (*Result, error) {
	r, err := newOnlineRun(t)
	if err != nil {
		return nil, err
	}
	if err := r.stream(ctx, func() { pause(r.learner.Steps(), r.save) }); err != nil {
		if ctx.Err() != nil {
			r.save()
		}
		return nil, err
	}
	return r.fitted()
}

// onlineRun is a stream under way.
type onlineRun struct {
	t        *Task
	segments []source.Segment
	set      gdl.OnlineSettings
	learner  *gdl.Online
	trace    *artifact.Trace
}

// newOnlineRun lays out the stream, and begins it or resumes it from its checkpoint.
func newOnlineRun(t *Task) (*onlineRun, error) {
	r := &onlineRun{t: t, set: onlineSettings(t.Params)}
	var err error
	if t.Features, err = t.Stream.FeatureMap(t.Params); err != nil {
		return nil, err
	}
	if r.segments, err = t.Stream.Segments(t.Cell, t.Rand); err != nil {
		return nil, err
	}
	for i := range r.segments {
		s := &r.segments[i]
		spaces := make([]*gw.Space, len(s.Held))
		for k, g := range s.Held {
			if spaces[k], err = t.Stream.Space(t.Cell, t.Features, g); err != nil {
				return nil, err
			}
		}
		s.Held = nil
		r.set.HeldOut = append(r.set.HeldOut, gdl.HeldOut{Name: s.Name, Graphs: spaces})
	}
	r.trace, r.set.OnEvent = &artifact.Trace{Segments: len(r.segments)}, r.event
	if r.resume() {
		return r, nil
	}
	v := t.Params
	start, err := gdl.InitRandom(v.Integer("atoms"), v.Integer("order"), t.Features.Dim, v.Number("alpha"), t.Rand("init"))
	if err != nil {
		return nil, err
	}
	r.learner, err = gdl.NewOnline(start, &r.set)
	return r, err
}

// ends returns the total graphs and steps at the end of segment i.
func (r *onlineRun) ends(i int) (graphs, steps int64) {
	batch := int64(r.set.Batch)
	for _, s := range r.segments[:i+1] {
		graphs += int64(s.Graphs)
		steps += (int64(s.Graphs) + batch - 1) / batch
	}
	return graphs, steps
}

// stream makes the steps that are left; pause is called every now and then, between two
// of them. A step never holds graphs of two segments.
func (r *onlineRun) stream(ctx context.Context, pause func()) error {
	for i, s := range r.segments {
		end, last := r.ends(i)
		next := s.Graphs - int(end-r.learner.Graphs())
		source := gdl.SourceFunc(func(ctx context.Context) (*gw.Space, error) {
			if next >= s.Graphs {
				return nil, io.EOF
			}
			g, err := s.At(next)
			if err != nil {
				return nil, err
			}
			next++
			return r.t.Stream.Space(r.t.Cell, r.t.Features, g)
		})
		for r.learner.Graphs() < end {
			if _, err := r.learner.Run(ctx, source, StepsBetween); err != nil {
				return fmt.Errorf("segment %s: %w", s.Name, err)
			}
			pause()
		}
		// Held-out losses are taken where a segment ends, too.
		if held := r.trace.HeldStep; len(held) == 0 || int64(held[len(held)-1]) < last {
			if err := r.learner.LookAtHeldOut(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}

// fitted returns the result of a finished stream.
func (r *onlineRun) fitted() (*Result, error) {
	stats := r.learner.Stats()
	stats.MaxGap = 0 // checkpoints do not keep it
	out := &Result{Scores: r.scores()}
	out.learned(r.t, nil, &stats)
	var err error
	if out.Arrays, err = r.learner.Dictionary().Arrays(); err != nil {
		return nil, err
	}
	out.Arrays = append(out.Arrays, r.layout()...)
	out.Arrays = append(out.Arrays, r.trace.Arrays()...)
	return out, nil
}

// Names of the texts in a checkpoint that identify its cell.
const (
	arrayCheckpointDigest = "checkpoint_digest" // of the data set
	arrayCheckpointArch   = "checkpoint_goarch" // sums may be fused elsewhere
)

// save stores a checkpoint. A failure is reported and does not stop the stream.
func (r *onlineRun) save() {
	kept := &r.t.Checkpoint
	arrays, err := r.learner.Arrays()
	if err == nil {
		var packed []byte
		arrays = append(arrays, npz.Scalar(arrayCheckpointDigest, r.t.Stream.Digest), npz.Scalar(arrayCheckpointArch, runtime.GOARCH))
		if packed, err = npz.Pack(append(arrays, r.trace.Arrays()...)); err == nil {
			err = kept.Store.PutCheckpoint(r.t.Cell.ID, packed)
		}
	}
	if err != nil {
		kept.Logf("%s: its state could not be kept: %v", r.t.Cell, err)
	}
}

// resume loads the checkpoint of a run that did not end, if there is one that fits. A cell with a
// result is computed from the beginning.
func (r *onlineRun) resume() bool {
	kept := &r.t.Checkpoint
	if !kept.Resume {
		return false
	}
	packed, err := kept.Store.Checkpoint(r.t.Cell.ID)
	if packed == nil && err == nil {
		return false
	}
	if err == nil {
		err = r.restore(packed)
	}
	if err != nil {
		kept.Logf("%s: begins afresh, its checkpoint cannot be used: %v", r.t.Cell, err)
		return false
	}
	return true
}

func (r *onlineRun) restore(packed []byte) error {
	arrays, err := npz.Read(bytes.NewReader(packed), int64(len(packed)))
	if err != nil {
		return err
	}
	for name, want := range map[string]string{arrayCheckpointDigest: r.t.Stream.Digest, arrayCheckpointArch: runtime.GOARCH} {
		a, err := npz.Find(arrays, name)
		if err != nil {
			return err
		}
		if len(a.Text) != 1 || a.Text[0] != want {
			return fmt.Errorf("array %q is %q, expected %q", name, a.Text, want)
		}
	}
	learner, err := gdl.OnlineFromArrays(arrays, &r.set)
	if err != nil {
		return err
	}
	graphs, steps := r.ends(len(r.segments) - 1)
	if learner.Graphs() > graphs || learner.Steps() > steps {
		return errors.New("it is ahead of the stream")
	}
	f := npz.Among(arrays, "the trace of a checkpoint")
	tr := artifact.ReadTrace(f, r.trace.Segments, int(learner.Steps()))
	if err := f.Err(); err != nil {
		return err
	}
	r.learner, r.trace = learner, tr
	return nil
}

// event takes note of an event of the learner, in its order.
func (r *onlineRun) event(e gdl.Event) {
	switch tr := r.trace; e.Kind {
	case gdl.StepLoss:
		tr.Loss, tr.Mean = append(tr.Loss, e.Loss), append(tr.Mean, e.Mean)
	case gdl.HeldOutLoss:
		if len(tr.HeldLoss)%tr.Segments == 0 {
			tr.HeldStep = append(tr.HeldStep, int(e.Step))
		}
		tr.HeldLoss = append(tr.HeldLoss, e.Loss)
	case gdl.ChangePoint:
		down := 0
		if e.Down {
			down = 1
		}
		tr.AlarmStep, tr.AlarmOnset = append(tr.AlarmStep, int(e.Step)), append(tr.AlarmOnset, int(e.Onset))
		tr.AlarmDown, tr.AlarmOver = append(tr.AlarmDown, down), append(tr.AlarmOver, e.Statistic)
	}
}

// layout returns the arrays that describe the segments.
func (r *onlineRun) layout() []npz.Array {
	var out artifact.Segments
	for i, s := range r.segments {
		labels := spec.Texts(s.Labels, strconv.Itoa)
		_, steps := r.ends(i)
		out.Names, out.Labels, out.Ends = append(out.Names, s.Name), append(out.Labels, strings.Join(labels, ", ")), append(out.Ends, int(steps))
	}
	return out.Arrays()
}

// scores sum the trace up.
func (r *onlineRun) scores() map[string]float64 {
	tr, v := r.trace, r.t.Params
	steps := len(tr.Loss)
	out := map[string]float64{artifact.Steps: float64(steps), "graphs": float64(r.learner.Graphs()), artifact.Alarms: float64(len(tr.AlarmStep)),
		artifact.FalseAlarmsUp: 0, artifact.FalseAlarmsDown: 0}
	watched := max(0, steps-v.Integer("alarm_burn_in"))
	out[artifact.FalseAlarmBound] = min(1, float64(watched)/(2*v.Number("alarm_run_length")))
	begin, explained := 0, make([]bool, len(tr.AlarmStep))
	for i, s := range r.segments {
		_, last := r.ends(i)
		end := int(last)
		out[artifact.SegmentEnd+s.Name] = float64(end)
		// The mean over a tenth of the segment where it begins and where it ends.
		part := min((end-begin+9)/10, v.Integer("mean_over"))
		out[artifact.SegmentLossIn+s.Name] = meanOf(tr.Loss[begin : begin+part])
		out[artifact.SegmentLossOut+s.Name] = meanOf(tr.Loss[end-part : end])
		for k, at := range tr.HeldStep {
			if at == 0 || at == end {
				for j, of := range r.segments {
					name := artifact.HeldOutAfter(of.Name, s.Name)
					if at == 0 {
						name = artifact.HeldOutStart(of.Name)
					}
					out[name] = tr.HeldLoss[k*tr.Segments+j]
				}
			}
		}
		if i > 0 {
			for k, at := range tr.AlarmStep {
				if at <= begin || at > min(end, begin+v.Integer("alarm_within")) {
					continue
				}
				explained[k] = true
				if _, found := out[artifact.SegmentDelay+s.Name]; !found {
					out[artifact.SegmentDelay+s.Name], out[artifact.SegmentDown+s.Name] = float64(at-begin), float64(tr.AlarmDown[k])
				}
			}
		}
		begin = end
	}
	for k, known := range explained {
		switch {
		case known:
		case tr.AlarmDown[k] == 1:
			out[artifact.FalseAlarmsDown]++
		default:
			out[artifact.FalseAlarmsUp]++
		}
	}
	return out
}

func meanOf(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
