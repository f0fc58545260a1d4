package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/method"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

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
	return s.stored("*/*.checkpoint")
}

// TestOnlineResumes: streams that are interrupted again and again, and that find a damaged
// checkpoint, leave the same bytes in the end.
func TestOnlineResumes(t *testing.T) {
	t.Parallel()
	whole := newSession(t, exptest.Streams)
	whole.run(exitOK)
	want := whole.results()

	s := newSession(t, exptest.Streams)
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
	must.Same(t, began(), []int64{0, 7 * method.StepsBetween, 14 * method.StepsBetween}, "steps at which runs began")
	stop = func() {}
	path := s.checkpoints()[0]
	data := must.Get(os.ReadFile(path))
	must.Do(t, os.WriteFile(path, data[:len(data)-1], 0o666))
	s.run(exitOK, "-workers", "1").wantErr("begins afresh, its checkpoint cannot be used", "corrupt")
	s.same(want)

	// A result that is computed again is no stream to go on with.
	id := filepath.Base(path)[:16]
	must.Do(t, os.WriteFile(path, data, 0o666))
	s.run(exitOK, "-cell", id).wantOut("the same bytes as before")
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
	s.run(exitOK).wantErr("skipped 1 cell: ", "TRIANGLES")
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
	must.Check(t, ok, 3, "cells are ok")
	// Changed data are noticed.
	s.writeTU("OWN", 4, 12)
	s.run(exitOK).wantErr("0 done already, 5 to compute")
}
