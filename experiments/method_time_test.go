package main

import (
	"bytes"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ogdl/internal/record"
	"ogdl/reports/summary"
)

// timeProbe is a method that measures time: it counts the fits that run at once, with
// one another or with others', and how many there were.
type timeProbe struct {
	running, together, calls atomic.Int64
	timed                    atomic.Bool // a fit of it has begun
	late                     atomic.Int64
}

func (p *timeProbe) enter() func() {
	if n := p.running.Add(1); n > 1 {
		p.together.Add(1)
	}
	return func() { p.running.Add(-1) }
}

// methods are the measuring one, "stopwatch", and one that runs beside others, "crowd".
func (p *timeProbe) methods() methodTable {
	fit := func(t *task) *fitted { return &fitted{scores: map[string]float64{"objective": 1}} }
	return methodTable{
		{
			method: method{name: "stopwatch", version: 1, tables: []string{summary.TableRuntimes}, alone: true},
			fit: func(_ context.Context, t *task) (*fitted, error) {
				defer p.enter()()
				p.timed.Store(true)
				p.calls.Add(1)
				time.Sleep(5 * time.Millisecond)
				out := fit(t)
				out.times = timesOf([]float64{1, 2, 4})
				return out, nil
			},
		},
		{
			method: method{name: "crowd", version: 1, tables: []string{summary.TableRuntimes}},
			fit: func(_ context.Context, t *task) (*fitted, error) {
				if p.timed.Load() {
					p.late.Add(1)
				}
				time.Sleep(20 * time.Millisecond)
				return fit(t), nil
			},
		},
	}
}

// timeGrid is a grid of two cells of each.
const timeGrid = `table = "runtimes"
repetitions = 2
[[grid]]
dataset = "D1"
sbm_graphs = 1
sbm_order_max = 10
method = "stopwatch"
[[grid]]
dataset = "D1"
sbm_graphs = 1
sbm_order_max = 10
method = "crowd"
`

// TestTimedCellsRunAlone: however many workers there are, cells that measure time run
// one after the other when all others are done.
func TestTimedCellsRunAlone(t *testing.T) {
	t.Parallel()
	p := &timeProbe{}
	s := newSession(t, strings.Replace(timeGrid, "repetitions = 2", "repetitions = 4", 1))
	s.methods = append(s.methods, p.methods()...)
	s.run(exitOK, "-workers", "8")
	if p.calls.Load() != 4 || p.together.Load() != 0 || p.late.Load() != 0 {
		t.Errorf("%d timed fits, %d of them beside another, %d other fits behind the first", p.calls.Load(), p.together.Load(), p.late.Load())
	}
}

// tamper stores the timing of a timed cell again, changed.
func (s *session) tamper(change func(*record.Timing)) {
	s.t.Helper()
	store := s.store()
	for _, r := range s.records() {
		if r.Method != "stopwatch" {
			continue
		}
		timing, _, err := store.Timing(r.ID)
		if err != nil || timing == nil {
			s.t.Fatal(timing, err)
		}
		change(timing)
		npz, err := os.ReadFile(store.NPZPath(r))
		if err == nil {
			err = store.Put(r, timing, npz)
		}
		if err != nil {
			s.t.Fatal(err)
		}
	}
}

// TestTimesAreOfThisMachine: what was timed here is never timed again, what was timed on
// another machine always, and other numbers of that machine are kept.
func TestTimesAreOfThisMachine(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*record.Timing)
		again  bool
	}{
		"this machine":      {func(*record.Timing) {}, false},
		"earlier":           {func(x *record.Timing) { x.Started = x.Started.Add(-24 * time.Hour) }, false},
		"another host":      {func(x *record.Timing) { x.Host += "x" }, true},
		"another processor": {func(x *record.Timing) { x.CPU += "x" }, true},
		"no times":          {func(x *record.Timing) { x.Embed = nil }, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &timeProbe{}
			s := newSession(t, timeGrid)
			s.methods = append(s.methods, p.methods()...)
			s.run(exitOK)
			want := s.results()
			s.tamper(c.change)
			done, calls, told := "4 done already, 0 to compute", int64(2), false
			if c.again {
				done, calls, told = "2 done already, 2 to compute", 4, true
			}
			s.run(exitOK, "-list")
			s.wantOut(map[bool]string{false: "4 done, 0 pending", true: "2 done, 2 pending"}[c.again])
			s.run(exitOK)
			s.wantErr(done)
			if got := strings.Contains(s.stderr, "no times that were measured on this machine"); got != told {
				t.Errorf("told %v, want %v:\n%s", got, told, s.stderr)
			}
			if p.calls.Load() != calls {
				t.Errorf("%d timed fits, want %d", p.calls.Load(), calls)
			}
			s.same(want)
			s.run(exitOK)
			s.wantErr("4 done already, 0 to compute")
		})
	}
}

// TestTimesOfAnotherRun: a cell that another run on the same folder has stored meanwhile
// is taken if it was timed here, and timed if not.
func TestTimesOfAnotherRun(t *testing.T) {
	for name, elsewhere := range map[string]bool{"here": false, "elsewhere": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &timeProbe{}
			s := newSession(t, timeGrid)
			s.methods = append(s.methods, p.methods()...)
			s.run(exitOK)
			if elsewhere {
				s.tamper(func(x *record.Timing) { x.Host += "x" })
			}
			c, err := parseConfig([]byte(timeGrid), "grid.toml", s.methods.described())
			if err != nil {
				t.Fatal(err)
			}
			cells := c.cells()
			lib := newLibrary(t.TempDir())
			lib.expect(cells)
			absent := map[string]bool{}
			for _, x := range cells {
				absent[x.id] = true
			}
			var progress bytes.Buffer
			run := &schedule{env: env{store: s.store(), data: lib, methods: s.methods, absent: absent}, workers: 2, progress: newProgress(&progress, 0, len(cells), nil)}
			err = run.run(context.Background(), cells)
			run.progress.stop()
			wantShared, wantCalls := 4, int64(2)
			if elsewhere {
				wantShared, wantCalls = 2, 4
			}
			if err != nil || run.shared != wantShared || p.calls.Load() != wantCalls {
				t.Errorf("%d cells taken, want %d; %d timed fits, want %d; %v", run.shared, wantShared, p.calls.Load(), wantCalls, err)
			}
		})
	}
}

// TestTimeMethods: GDL-time and GWF-time end to end. What does not hang on the clock is
// the same for any number of workers.
func TestTimeMethods(t *testing.T) {
	t.Parallel()
	fit := "atoms = 3\nepochs = 1\ntime_graphs = 5\n"
	s := equalForWorkers(t, "table = \"runtimes\"\nrepetitions = 1\n"+
		simulatedBlock("method = \"GDL-time\"\norder = 5\ninit = \"random\"\nbatch = 4\n"+fit)+
		simulatedBlock("method = \"GWF-time\"\nprox_steps = 5\ninit = [\"random\", \"fixed\"]\n"+fit))
	s.wantOut("Time to embed one graph", "90th percentile", "init fixed", "init random")
	recs := s.records()
	if len(recs) != 3 {
		t.Fatalf("%d records", len(recs))
	}
	for _, r := range recs {
		timing, _, err := s.store().Timing(r.ID)
		if err != nil || timing.Embed == nil {
			t.Fatal(timing, err)
		}
		e := timing.Embed
		if r.Status != record.OK || e.Graphs != 5 || r.Scores["graphs_timed"] != 5 || !(e.MeanMS > 0) || !(e.MedianMS > 0) || e.P90MS < e.MedianMS {
			t.Errorf("%s: %s, %+v", r.Method, r.Status, e)
		}
		if r.Assignment != nil || r.Scores["objective"] <= 0 || r.Convergence.Solves == 0 {
			t.Errorf("%s: clusters %v, scores %v, %+v", r.Method, r.Assignment, r.Scores, r.Convergence)
		}
		for _, name := range []string{"weights", "embedding", "clusters", "kmeans_restarts"} {
			if _, ok := r.Params[name]; ok {
				t.Errorf("%s has the parameter %s, which nothing looks at", r.Method, name)
			}
		}
	}
}

func TestTimesOf(t *testing.T) {
	for _, c := range []struct {
		ms   []float64
		want record.EmbedTimes
	}{
		{[]float64{3}, record.EmbedTimes{Graphs: 1, MeanMS: 3, MedianMS: 3, P90MS: 3}},
		{[]float64{4, 1}, record.EmbedTimes{Graphs: 2, MeanMS: 2.5, MedianMS: 2.5, P90MS: 4}},
		{[]float64{9, 1, 2}, record.EmbedTimes{Graphs: 3, MeanMS: 4, MedianMS: 2, P90MS: 9}},
		{[]float64{10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, record.EmbedTimes{Graphs: 10, MeanMS: 5.5, MedianMS: 5.5, P90MS: 9}},
		{[]float64{11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}, record.EmbedTimes{Graphs: 11, MeanMS: 6, MedianMS: 6, P90MS: 10}},
	} {
		text := fmt.Sprint(c.ms)
		if got := timesOf(c.ms); *got != c.want {
			t.Errorf("%s: %+v, want %+v", text, *got, c.want)
		}
	}
}

func TestSampleOfGraphs(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, c := range []struct{ n, k, want int }{{5, 0, 5}, {5, 5, 5}, {5, 9, 5}, {100, 7, 7}} {
		got := sample(c.n, c.k, r)
		if len(got) != c.want || !slices.IsSorted(got) || len(slices.Compact(slices.Clone(got))) != c.want || got[0] < 0 || got[c.want-1] >= c.n {
			t.Errorf("%d of %d: %v", c.k, c.n, got)
		}
	}
	if slices.Equal(sample(100, 7, r), sample(100, 7, r)) {
		t.Error("the same graphs from two draws")
	}
}
