package run

import (
	"bytes"
	"context"
	"testing"
	"time"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/methods"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
	"ogdl/reports/summary"
)

// runAgain computes the cells, and then once more as a run that began before they were stored. change is made in
// between.
func runAgain(t *testing.T, methods method.Table, cells []*spec.Cell, change func(store *record.Store)) *Run {
	t.Helper()
	store, err := record.Open(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	absent := map[string]bool{}
	var again *Run
	for range 2 {
		lib := source.NewLibrary(t.TempDir())
		lib.Expect(cells)
		var progress bytes.Buffer
		again = &Run{Env: protocol.Env{Store: store, Data: lib, Methods: methods, Absent: absent}, Options: Options{Workers: 2},
			progress: newProgress(&progress, 0, len(cells), nil)}
		err := again.run(context.Background(), cells)
		again.progress.stop()
		if err != nil {
			t.Fatal(err)
		}
		if len(absent) == 0 {
			change(store)
		}
		for _, x := range cells {
			absent[x.ID] = true // as it was when this run began
		}
	}
	return again
}

// TestRunsShareAFolder: a cell that another run has stored since this run began is
// taken, not computed again.
func TestRunsShareAFolder(t *testing.T) {
	t.Parallel()
	cells := exptest.Parse(t, exptest.Tiny).Cells()
	again := runAgain(t, methods.All(), cells, func(*record.Store) {})
	if again.shared != len(cells) || len(again.Counts) != 0 {
		t.Errorf("%d of %d cells taken from the other run, computed %v", again.shared, len(cells), again.Counts)
	}
}

// TestTimesOfAnotherRun: a cell that another run on the same folder has stored meanwhile
// is taken if it was timed here, and timed if not.
func TestTimesOfAnotherRun(t *testing.T) {
	for name, elsewhere := range map[string]bool{"here": false, "elsewhere": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			calls := 0
			timed := method.Row{Method: spec.Method{Name: "stopwatch", Version: 1, Tables: []string{summary.TableRuntimes}, Alone: true},
				Fit: func(context.Context, *method.Task) (*method.Result, error) {
					calls++
					time.Sleep(time.Millisecond)
					return &method.Result{Times: &record.EmbedTimes{Graphs: 1, MeanMS: 1, MedianMS: 1, P90MS: 1}}, nil
				}}
			all := method.Table{timed, trivial()}
			const block = "[[grid]]\ndataset = \"D1\"\nsbm_graphs = 1\nsbm_order_max = 10\nmethod = "
			c, err := grid.Parse([]byte("table = \"runtimes\"\nrepetitions = 2\n"+block+"\"stopwatch\"\n"+block+"\"trivial\"\n"), "grid.toml", all.Described())
			if err != nil {
				t.Fatal(err)
			}
			cells := c.Cells()
			again := runAgain(t, all, cells, func(store *record.Store) {
				for _, x := range cells {
					if r, _, _ := store.Get(x.ID); elsewhere && x.Method.Alone {
						timing, _, err := store.Timing(x.ID)
						if err != nil {
							t.Fatal(err)
						}
						timing.Host += "x"
						arrays, err := store.NPZ(x.ID)
						if err == nil {
							err = store.Put(r, timing, arrays)
						}
						if err != nil {
							t.Fatal(err)
						}
					}
				}
			})
			wantShared, wantCalls := 4, 2
			if elsewhere {
				wantShared, wantCalls = 2, 4
			}
			if again.shared != wantShared || calls != wantCalls {
				t.Errorf("%d cells taken, want %d; %d timed fits, want %d", again.shared, wantShared, calls, wantCalls)
			}
		})
	}
}
