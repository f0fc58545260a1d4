package run

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/disk"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/summary"
)

// syncingFiles is the system's file system with something done at every sync of a file; syncing also at those
// of folders.
type syncingFiles struct {
	disk.OS
	sync func()
}

type syncing struct{ syncingFiles }

type syncingFile struct {
	disk.File
	sync func()
}

func (s syncingFiles) Create(path string) (disk.File, error) {
	f, err := s.OS.Create(path)
	return syncingFile{f, s.sync}, err
}

func (s syncing) SyncDir(path string) error {
	s.sync()
	return s.OS.SyncDir(path)
}

func (f syncingFile) Sync() error {
	f.sync()
	return f.File.Sync()
}

// trivial is a method whose cells take no time and leave one small array.
func trivial() method.Row {
	return method.Row{Method: spec.Method{Name: "trivial", Version: 1, Doc: "x", Tables: []string{summary.TableRuntimes}},
		Fit: func(context.Context, *method.Task) (*method.Result, error) {
			return &method.Result{Arrays: []npz.Array{{Name: "x", Shape: []int{1}, Float: []float64{1}}}}, nil
		}}
}

// trivialRun makes a run of 16 trivial cells on that file system.
func trivialRun(t testing.TB, fsys disk.FS, workers int) (*Run, []*spec.Cell) {
	t.Helper()
	const config = "table = \"runtimes\"\nrepetitions = 16\n[[grid]]\ndataset = \"D1\"\nsbm_graphs = 1\nsbm_order_max = 10\nmethod = \"trivial\"\n"
	c := must.Get(grid.Parse([]byte(config), "grid.toml", append(protocol.Methods(), trivial()).Described()))
	cells := c.Cells()
	store := must.Get(record.OpenOn(fsys, t.TempDir()))
	lib := source.NewLibrary(t.TempDir(), "")
	lib.Expect(cells)
	run := &Run{Env: protocol.Env{Store: store, Methods: append(protocol.Methods(), trivial()), Data: lib, Absent: map[string]bool{}},
		Options:  Options{Workers: workers},
		progress: newProgress(io.Discard, 0, len(cells), newForecast(cells, Needs(cells, nil), workers))}
	run.init()
	return run, cells
}

// TestNoSyncUnderTheLock: with one worker nobody else holds the schedule's lock while that one
// syncs, so it must be free.
func TestNoSyncUnderTheLock(t *testing.T) {
	t.Parallel()
	var run *Run
	syncs, locked := 0, 0
	run, cells := trivialRun(t, syncing{syncingFiles{sync: func() {
		syncs++
		if run == nil || !run.mu.TryLock() {
			locked++
			return
		}
		run.mu.Unlock()
	}}}, 1)
	must.Do(t, run.run(t.Context(), cells))
	if run.Counts[record.OK] != 16 || syncs < 16*3 || locked > 0 {
		t.Errorf("%v cells, %d syncs, %d of them under the lock", run.Counts, syncs, locked)
	}
}

// TestSyncsSideBySide: 16 workers sync 16 cells at once.
func TestSyncsSideBySide(t *testing.T) {
	t.Parallel()
	var most, now atomic.Int64
	var all sync.Once
	met := make(chan struct{}) // closed when 16 are at it, or by the first that has waited for nothing
	run, cells := trivialRun(t, syncingFiles{sync: func() {
		n := now.Add(1)
		defer now.Add(-1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		if n == 16 {
			all.Do(func() { close(met) })
		}
		select {
		case <-met:
		case <-time.After(20 * time.Second):
			all.Do(func() { close(met) })
		}
	}}, 16)
	must.Do(t, run.run(t.Context(), cells))
	if run.Counts[record.OK] != 16 || most.Load() != 16 {
		t.Errorf("%v cells, at most %d syncs at once, want 16", run.Counts, most.Load())
	}
}

// TestInterruptedSurvey: a run that ends while it looks cells up counts none of them as still to compute.
func TestInterruptedSurvey(t *testing.T) {
	t.Parallel()
	run, cells := trivialRun(t, disk.OS{}, 1)
	var out strings.Builder
	run.Stderr = &out
	ctx, stop := context.WithTimeout(t.Context(), 0)
	defer stop()
	if err := run.Round(ctx, "", cells); !errors.Is(err, context.DeadlineExceeded) || out.Len() > 0 || run.Before+len(run.Counts) > 0 {
		t.Errorf("%v, %d done, %v; it says %q", err, run.Before, run.Counts, out.String())
	}
}
