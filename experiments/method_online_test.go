package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/gdl"
	"ogdl/internal/record"
)

// streams is a grid of two short streams; the second has batches that segments do not fill
// and takes held-out losses between their ends.
const streams = `table = "figure_online"
repetitions = 1
[[grid]]
dataset = "TRIANGLES-simulated"
method = "GDL-online"
features = "attributes"
alpha = 0.5
atoms = 2
order = 6
step_structure = 0.1
step_features = 0.1
segment_graphs = 600
held_out_graphs = 5
held_out_every = 70
mean_over = 50
alarm_run_length = 50
alarm_window = 40
alarm_burn_in = 30
optimizer = ["sgd", "adam"]
batch = [1, 7]
pair = ["optimizer", "batch"]
`

// TestOnlineEndToEnd: streams leave what their figure and table need, whatever the number
// of workers.
func TestOnlineEndToEnd(t *testing.T) {
	t.Parallel()
	s := newSession(t, streams)
	if testing.Short() { // pictures take long under the race detector
		s.run(exitOK, "-workers", "2")
	} else {
		s = equalForWorkers(t, streams)
	}
	s.wantOut("Switches of the streams", "figure_online_held_out", "figures: ")
	for _, name := range []string{"online-triangles-simulated-1-sgd.svg", "online-triangles-simulated-7-adam.csv"} {
		if _, err := os.Stat(filepath.Join(s.dir, "out", "grid", "figures", name)); err != nil {
			t.Error(err)
		}
	}
	for _, r := range s.records() {
		batch, _ := r.Number("batch")
		each := int(math.Ceil(600 / batch))
		if r.Status != record.OK || len(r.Digest) != 64 || r.Scores["steps"] != float64(3*each) || r.Scores["graphs"] != 1800 || r.Convergence.Solves < 1800 {
			t.Fatalf("record %+v", r)
		}
		a := s.arraysOf(r)
		ends := a["segment_ends"].Int
		if !slices.Equal(ends, []int{each, 2 * each, 3 * each}) || !slices.Equal(a["segment_labels"].Text, []string{"4, 5, 6, 7", "8, 9, 10", "1, 2, 3"}) {
			t.Errorf("ends %v of %v", ends, a["segment_labels"].Text)
		}
		var looks []int
		for step := 0; step <= 3*each; step++ {
			if step%70 == 0 || slices.Contains(ends, step) {
				looks = append(looks, step)
			}
		}
		held := a["held_out_loss"]
		if !slices.Equal(a["held_out_step"].Int, looks) || !slices.Equal(held.Shape, []int{len(looks), 3}) {
			t.Errorf("held-out losses %v at %v", held.Shape, a["held_out_step"].Int)
		}
		if got, want := r.Scores["held_out_B_after_C"], held.Float[len(held.Float)-2]; got != want {
			t.Errorf("held-out loss of B at the end %v, want %v", got, want)
		}
		if got, want := r.Scores["held_out_C_start"], held.Float[2]; got != want || !(want > r.Scores["held_out_C_after_C"]) {
			t.Errorf("held-out loss of C at the start %v, want %v, above that at the end", got, want)
		}
		mean := 0.0
		for k, loss := range a["stream_loss"].Float {
			mean += (loss - mean) / float64(min(k+1, 50))
			if got := a["stream_mean"].Float[k]; got != mean {
				t.Fatalf("running mean %v at step %d, want %v", got, k+1, mean)
			}
		}
		if n := len(a["alarm_step"].Int); n == 0 || float64(n) != r.Scores["alarms"] || a["alarm_step"].Int[0] <= 30 {
			t.Errorf("alarms at %v", a["alarm_step"].Int)
		}
		if d := a["C"]; !slices.Equal(d.Shape, []int{2, 6, 6}) {
			t.Errorf("a dictionary of shape %v", d.Shape)
		}
	}
}

// keepsAll makes the session's streams keep their state after every few steps, call pause, and
// tell where they began.
func keepsAll(s *session, pause func()) (began func() []int64) {
	var mu sync.Mutex
	var steps []int64
	for i := range s.methods {
		if s.methods[i].name == "GDL-online" {
			s.methods[i].fit = func(ctx context.Context, t *task) (*fitted, error) {
				first := true
				return runOnline(ctx, t, func(r *onlineRun) {
					if first {
						first = false
						mu.Lock()
						steps = append(steps, r.learner.Steps()-stepsBetween)
						mu.Unlock()
					}
					r.save()
					pause()
				})
			}
		}
	}
	return func() []int64 { mu.Lock(); defer mu.Unlock(); return steps }
}

func (s *session) checkpoints() []string {
	s.t.Helper()
	m, err := filepath.Glob(filepath.Join(s.dir, "out", "store", "*", "*.checkpoint"))
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// TestOnlineResumes: streams that are interrupted again and again, and that find a damaged
// checkpoint, leave the same bytes in the end.
func TestOnlineResumes(t *testing.T) {
	t.Parallel()
	whole := newSession(t, streams)
	whole.run(exitOK)
	want := whole.results()

	s := newSession(t, streams)
	pauses, stop := 0, func() {}
	began := keepsAll(s, func() {
		if pauses++; pauses%7 == 0 {
			stop()
		}
	})
	for range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		stop = cancel
		s.runContext(ctx, exitInterrupted, "-workers", "1", "-filter", "batch=1") // the longer stream
		cancel()
		if len(s.checkpoints()) == 0 {
			t.Fatal("nothing was kept")
		}
	}
	if steps := began(); !slices.Equal(steps, []int64{0, 7 * stepsBetween, 14 * stepsBetween}) {
		t.Errorf("runs began at steps %v", steps)
	}
	stop = func() {}
	path := s.checkpoints()[0]
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data[:len(data)-1], 0o666); err != nil {
		t.Fatal(err)
	}
	s.run(exitOK, "-workers", "1")
	s.wantErr("begins afresh, its checkpoint cannot be used", "corrupt")
	s.same(want)

	// A result that is computed again is no stream to go on with.
	id := filepath.Base(path)[:16]
	if err := os.WriteFile(path, data, 0o666); err != nil {
		t.Fatal(err)
	}
	s.run(exitOK, "-cell", id)
	s.wantErr("the same bytes as before")
	if steps := began(); steps[len(steps)-1] != 0 {
		t.Errorf("-cell began at step %d", steps[len(steps)-1])
	}
	s.same(want)
}

// Checkpoints of other data, or of another stream, are refused.
func TestOnlineCheckpointsThatDoNotFit(t *testing.T) {
	t.Parallel()
	s := newSession(t, streams)
	make := func() *onlineRun {
		x := mustParse(t, streams).cells()[0]
		lib := newLibrary(s.dir)
		tk := &task{params: x.params, cell: x, checkpoint: checkpoint{store: s.store(), resume: true}}
		tk.rng = func(stage string) *rand.Rand { return rng(x.seed, x.dataset, x.repetition, stage) }
		var err error
		if tk.stream, err = lib.open(t.Context(), x); err != nil {
			t.Fatal(err)
		}
		r, err := newOnlineRun(tk)
		if err != nil {
			t.Fatal(err)
		}
		return r
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
	if again := make(); again.learner.Steps() != 3*stepsBetween {
		t.Fatalf("goes on at step %d", again.learner.Steps())
	}
	packed, err := r.t.checkpoint.store.Checkpoint(r.t.cell.id)
	if err != nil {
		t.Fatal(err)
	}
	for what, change := range map[string]func(*onlineRun){
		"digest":   func(r *onlineRun) { r.t.stream = &opened{digest: "other"} },
		"setting":  func(r *onlineRun) { r.set.StepC *= 2 },
		"shorter":  func(r *onlineRun) { r.segments = r.segments[:1]; r.segments[0].graphs = 10 },
		"segments": func(r *onlineRun) { r.trace.Segments = 2 },
	} {
		r := make()
		change(r)
		if err := r.restore(packed); err == nil {
			t.Errorf("another %s was not noticed", what)
		}
	}
}

// TestSegmentsOfFiles: what is held out is not streamed, segments hold their classes alone,
// and graphs repeat only where there are too few.
func TestSegmentsOfFiles(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	s.writeTU("OWN", 3, 12)
	files, err := loader.OpenStream(filepath.Join(s.dir, "OWN"))
	if err != nil {
		t.Fatal(err)
	}
	defer files.Close()
	text := func(g *datasets.Graph) string { return fmt.Sprint(g.Neighbors, g.Attributes) }
	class := map[string]int{}
	for k := range files.Len() {
		g, c, err := files.Next()
		if err != nil {
			t.Fatal(k, err)
		}
		class[text(g)] = c
	}
	for _, c := range []struct {
		graphs any
		want   int
		repeat bool
	}{{int64(5), 5, false}, {int64(8), 8, false}, {int64(40), 40, true}, {wordClass, 8, false}} {
		x := &cell{dataset: "OWN", params: values{"segment_graphs": c.graphs, "held_out_graphs": int64(4)}}
		got, err := (&opened{files: files}).segments(x, func(stage string) *rand.Rand { return rng(1, "OWN", 0, stage) })
		if err != nil || len(got) != 3 {
			t.Fatalf("%d segments, %v", len(got), err)
		}
		for i, seg := range got {
			if seg.name != string("ABC"[i]) || seg.graphs != c.want || len(seg.held) != 4 {
				t.Errorf("segment %s: %d graphs, %d held out", seg.name, seg.graphs, len(seg.held))
			}
			seen := map[string]bool{}
			for _, g := range seg.held {
				seen[text(g)] = true
			}
			repeated := false
			streamed := map[string]bool{}
			for k := range seg.graphs {
				g, err := seg.at(k)
				if err != nil {
					t.Fatal(err)
				}
				if seen[text(g)] || class[text(g)] != i {
					t.Fatalf("segment %s streams a graph that is held out, or of class %d", seg.name, class[text(g)])
				}
				repeated = repeated || streamed[text(g)]
				streamed[text(g)] = true
			}
			if repeated != c.repeat {
				t.Errorf("%v graphs of 8: repeated %v", c.graphs, repeated)
			}
		}
	}
	stages := func(stage string) *rand.Rand { return rng(1, "OWN", 0, stage) }
	params := values{"segment_graphs": int64(5), "held_out_graphs": int64(12)}
	if _, err := (&opened{files: files}).segments(&cell{dataset: "OWN", params: params}, stages); err == nil || !strings.Contains(err.Error(), "held_out_graphs = 12") {
		t.Errorf("nothing is left to stream: %v", err)
	}
	if _, err := (&opened{files: files}).segments(&cell{dataset: nameTriangles, params: params}, stages); err == nil || !strings.Contains(err.Error(), "expected 45000") {
		t.Errorf("36 graphs as TRIANGLES: %v", err)
	}
}

// TestOpenAfterItsContext: a data set whose opening was interrupted is opened by the next, one that
// is not there is not there for all.
func TestOpenAfterItsContext(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	s.writeTU("OWN", 3, 4)
	row := onlineMethod().method
	own, none := &cell{method: &row, dataset: "OWN", own: &own{folder: filepath.Join(s.dir, "OWN")}}, &cell{method: &row, dataset: nameTwitch}
	lib := newLibrary(s.dir)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		if o, err := lib.open(ended, own); !errors.Is(err, context.Canceled) {
			t.Fatalf("%v, %v", o, err)
		}
	}
	o, err := lib.open(t.Context(), own)
	if err != nil || o.files.Len() != 12 {
		t.Fatal(err)
	}
	if again, err := lib.open(t.Context(), own); err != nil || again != o {
		t.Errorf("opened twice: %v", err)
	}
	for range 2 {
		if _, err := lib.open(t.Context(), none); !errors.Is(err, loader.ErrMissing) {
			t.Errorf("error %v", err)
		}
	}
}

// TestOnlineOnFiles: a folder of one's own, class by class, with every kind of features; and data
// that are not there are skipped, not replaced.
func TestOnlineOnFiles(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	s.writeTU("OWN", 3, 12)
	s.write("grid.toml", fmt.Sprintf(`table = "figure_online"
repetitions = 1
[[grid]]
path = %q
method = "GDL-online"
features = ["labels", "attributes", "degree"]
atoms = 2
order = 5
segment_graphs = "class"
held_out_graphs = 2
[[grid]]
dataset = ["TRIANGLES", "twitch_egos"]
method = "GDL-online"
atoms = 2
order = 5
`, filepath.Join(s.dir, "OWN")))
	s.run(exitOK)
	s.wantErr("skipped 1 cell: ", "TRIANGLES")
	ok := 0
	for _, r := range s.records() {
		if r.Status == record.OK {
			ok++
			d, err := loader.LoadFolder(filepath.Join(s.dir, "OWN"))
			if err != nil || r.Digest != d.Digest || r.Scores["graphs"] != 30 {
				t.Errorf("%v: digest %s, %v graphs", err, r.Digest, r.Scores["graphs"])
			}
		}
	}
	if ok != 3 {
		t.Errorf("%d cells are ok", ok)
	}
	// Changed data are noticed.
	s.writeTU("OWN", 4, 12)
	s.run(exitOK)
	s.wantErr("0 done already, 5 to compute")
}

// TestOnlineScores counts delays and false alarms of a trace that is known.
func TestOnlineScores(t *testing.T) {
	r := &onlineRun{segments: []segment{{name: "A", graphs: 100}, {name: "B", graphs: 100}, {name: "C", graphs: 50}}, trace: newTrace(3)}
	r.set.Batch = 1
	r.t = &task{params: values{"alarm_within": int64(30), "alarm_burn_in": int64(50), "alarm_run_length": 1000.0, "mean_over": int64(1000)}}
	held := func(step int64, losses ...float64) {
		for _, x := range losses {
			r.trace.event(gdl.Event{Kind: gdl.HeldOutLoss, Step: step, Loss: x})
		}
	}
	held(0, 9, 9, 9)
	alarms := map[int64]bool{60: true, 100: true, 107: false, 120: true, 131: true, 249: true}
	for k := int64(1); k <= 250; k++ {
		r.trace.event(gdl.Event{Kind: gdl.StepLoss, Step: k, Loss: float64(k), Mean: float64(k)})
		if down, is := alarms[k]; is {
			r.trace.event(gdl.Event{Kind: gdl.ChangePoint, Step: k, Down: down})
		}
		if k%100 == 0 || k == 250 {
			held(k, float64(k), float64(k+1), float64(k+2))
		}
	}
	d, err := gdl.NewDictionary(1, 1, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if r.learner, err = gdl.NewOnline(d, nil); err != nil {
		t.Fatal(err)
	}
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

func TestBadStreams(t *testing.T) {
	for _, c := range []struct {
		old, new string
		want     []string
	}{
		{`"TRIANGLES-simulated"`, `"D1"`, []string{`dataset = "D1"`, "unknown data set", "TRIANGLES-simulated", "TWITCH-EGOS"}},
		{"GDL-online", "GDL", []string{`method = "GDL"`, `allowed here: `, `"GDL-online"`}},
		{"atoms = 2\n", "", []string{"atoms: missing", "a stream"}},
		{"order = 6\n", "", []string{"order: missing"}},
		{"order = 6\n", "order = \"median\"\n", []string{`order = "median"`, "an integer"}},
		{"= 600", `= "class"`, []string{`segment_graphs = "class"`, "must be a number for TRIANGLES-simulated"}},
		{"alarm_window = 40", "alarm_window = 41", []string{"alarm_window = 41", "must be even"}},
		{"features = \"attributes\"\n", "", []string{"step_features = 0.1", "has a meaning only with"}},
		{"alarm_burn_in = 30", "scaling = \"standardise\"", []string{"scaling", "unknown key for method GDL-online"}},
	} {
		_, err := parseConfig([]byte(strings.Replace(streams, c.old, c.new, 1)), "bad.toml", methods().described())
		if err == nil {
			t.Errorf("%s: accepted", c.new)
			continue
		}
		for _, w := range append(c.want, "bad.toml:") {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: the message lacks %q:\n%v", c.new, w, err)
			}
		}
	}
	if _, err := parseConfig([]byte("table = \"clustering\"\n[[grid]]\ndataset = \"TRIANGLES-simulated\"\nmethod = \"GDL\"\natoms = 2\n"), "bad.toml", methods().described()); err == nil || !strings.Contains(err.Error(), "unknown data set") {
		t.Errorf("a stream without end for a method that holds its graphs: %v", err)
	}
}
