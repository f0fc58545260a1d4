package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/methods"
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
	s.wantOut("Switches of the streams", "tables and figures in ")
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
		if s.methods[i].Name == "GDL-online" {
			s.methods[i].Fit = func(ctx context.Context, t *method.Task) (*method.Result, error) {
				first := true
				return method.FitOnline(ctx, t, func(at int64, save func()) {
					if first {
						first = false
						mu.Lock()
						steps = append(steps, at-method.StepsBetween)
						mu.Unlock()
					}
					save()
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
	if steps := began(); !slices.Equal(steps, []int64{0, 7 * method.StepsBetween, 14 * method.StepsBetween}) {
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
	s.wantOut("the same bytes as before")
	if steps := began(); steps[len(steps)-1] != 0 {
		t.Errorf("-cell began at step %d", steps[len(steps)-1])
	}
	s.same(want)
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
		{"features = \"attributes\"\n", "", []string{"step_features = 0.1", "needs"}},
		{"alarm_burn_in = 30", "scaling = \"standardise\"", []string{"scaling", "unknown key for method GDL-online"}},
	} {
		_, err := grid.Parse([]byte(strings.Replace(streams, c.old, c.new, 1)), "bad.toml", methods.All().Described())
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
	if _, err := grid.Parse([]byte("table = \"clustering\"\n[[grid]]\ndataset = \"TRIANGLES-simulated\"\nmethod = \"GDL\"\natoms = 2\n"), "bad.toml", methods.All().Described()); err == nil || !strings.Contains(err.Error(), "unknown data set") {
		t.Errorf("a stream without end for a method that holds its graphs: %v", err)
	}
}
