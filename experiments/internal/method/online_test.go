package method

import (
	"context"
	"math/rand/v2"
	"os"
	"testing"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// Checkpoints of other data, or of another stream, are rejected.
func TestOnlineCheckpointsThatDoNotFit(t *testing.T) {
	t.Parallel()
	store := must.Get(record.Open(t.TempDir()))
	make := func() *onlineRun {
		config := must.Get(os.ReadFile("../exptest/testdata/streams.toml"))
		c := must.Get(grid.Parse(config, "grid.toml", Rows().Described()))
		x := c.Cells()[0]
		lib := source.NewLibrary(t.TempDir(), "")
		tk := &Task{Params: x.Params, Cell: x, Checkpoint: Checkpoint{Store: store, Resume: true, Logf: t.Logf}}
		tk.Rand = func(stage string) *rand.Rand { return source.Rand(x.Seed, x.Dataset, x.Repetition, stage) }
		tk.Stream = must.Get(lib.Open(t.Context(), x))
		return must.Get(newOnlineRun(tk))
	}
	r := make()
	pauses := 0
	ctx, cancel := context.WithCancel(t.Context())
	err := r.stream(ctx, func() {
		if pauses++; pauses == 3 {
			r.save()
			cancel()
		}
	})
	if err == nil || ctx.Err() == nil {
		t.Fatalf("not interrupted: %v", err)
	}
	if again := make(); again.learner.Steps() != 3*StepsBetween {
		t.Fatalf("goes on at step %d", again.learner.Steps())
	}
	packed := must.Get(store.Checkpoint(r.t.Cell.ID))
	for what, change := range map[string]func(*onlineRun){
		"digest":   func(r *onlineRun) { r.t.Stream = &source.Stream{Digest: "other"} },
		"setting":  func(r *onlineRun) { r.set.StepC *= 2 },
		"shorter":  func(r *onlineRun) { r.segments = r.segments[:1]; r.segments[0].Graphs = 10 },
		"segments": func(r *onlineRun) { r.trace.Segments = 2 },
	} {
		r := make()
		change(r)
		if err := r.restore(packed); err == nil {
			t.Errorf("another %s was not noticed", what)
		}
	}
}

// TestOnlineScores counts delays and false alarms of a trace that is known.
func TestOnlineScores(t *testing.T) {
	r := &onlineRun{segments: []source.Segment{{Name: "A", Graphs: 100}, {Name: "B", Graphs: 100}, {Name: "C", Graphs: 50}},
		trace: &artifact.Trace{Segments: 3}}
	r.set.Batch = 1
	r.t = &Task{Params: spec.Values{"alarm_within": int64(30), "alarm_burn_in": int64(50), "alarm_run_length": 1000.0, "mean_over": int64(1000)}}
	held := func(step int64, losses ...float64) {
		for _, x := range losses {
			r.event(gdl.Event{Kind: gdl.HeldOutLoss, Step: step, Loss: x})
		}
	}
	held(0, 9, 9, 9)
	alarms := map[int64]bool{60: true, 100: true, 107: false, 120: true, 131: true, 249: true}
	for k := int64(1); k <= 250; k++ {
		r.event(gdl.Event{Kind: gdl.StepLoss, Step: k, Loss: float64(k), Mean: float64(k)})
		if down, is := alarms[k]; is {
			r.event(gdl.Event{Kind: gdl.ChangePoint, Step: k, Down: down})
		}
		if k%100 == 0 || k == 250 {
			held(k, float64(k), float64(k+1), float64(k+2))
		}
	}
	d := must.Get(gdl.NewDictionary(1, 1, 0, 1))
	r.learner = must.Get(gdl.NewOnline(d, nil))
	got := r.scores()
	for name, want := range map[string]float64{
		"steps": 250, "alarms": 6, "false_alarms_up": 0, "false_alarms_down": 4, "end_B": 200, "false_alarm_bound": 0.1, "delay_B": 7, "down_B": 0,
		"loss_begin_A": 5.5, "loss_end_B": 195.5, "loss_begin_C": 203, "held_out_A_start": 9, "held_out_C_after_B": 202, "held_out_B_after_C": 251,
	} {
		if x, ok := got[name]; !ok || x != want {
			t.Errorf("%s is %v, want %v", name, x, want)
		}
	}
	if _, ok := got["delay_C"]; ok {
		t.Error("a switch that raised no alarm in time has a delay")
	}
}
