package main

import (
	"context"
	"os"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
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
func (p *timeProbe) methods() method.Table {
	fit := func(t *method.Task) *method.Result { return &method.Result{Scores: map[string]float64{"objective": 1}} }
	return method.Table{
		{
			Method: spec.Method{Name: "stopwatch", Version: 1, Tables: []string{summary.TableRuntimes}, Alone: true},
			Fit: func(_ context.Context, t *method.Task) (*method.Result, error) {
				defer p.enter()()
				p.timed.Store(true)
				p.calls.Add(1)
				time.Sleep(5 * time.Millisecond)
				out := fit(t)
				out.Times = &record.EmbedTimes{Graphs: 3, MeanMS: 7.0 / 3, MedianMS: 2, P90MS: 4}
				return out, nil
			},
		},
		{
			Method: spec.Method{Name: "crowd", Version: 1, Tables: []string{summary.TableRuntimes}},
			Fit: func(_ context.Context, t *method.Task) (*method.Result, error) {
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
var timeGrid = head("runtimes") + graphs(1, 10, `method = "stopwatch"`) + graphs(1, 10, `method = "crowd"`)

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
		timing, err := store.Timing(r.ID)
		if err != nil || timing == nil {
			s.t.Fatal(timing, err)
		}
		change(timing)
		npz, err := os.ReadFile(store.NPZPath(r))
		if err == nil {
			err = store.Put(r, timing, npz)
		}
		must.Do(s.t, err)
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
			done, calls, reported := "4 done already, 0 to compute", int64(2), false
			if c.again {
				done, calls, reported = "2 done already, 2 to compute", 4, true
			}
			s.run(exitOK, "-list")
			s.wantOut(map[bool]string{false: "4 done, 0 pending", true: "2 done, 2 pending"}[c.again])
			s.run(exitOK).wantErr(done)
			if got := strings.Contains(s.stderr, "no times that were measured on this machine"); got != reported {
				t.Errorf("reported %v, want %v:\n%s", got, reported, s.stderr)
			}
			must.Check(t, p.calls.Load(), calls, "timed fits")
			s.same(want)
			s.run(exitOK).wantErr("4 done already, 0 to compute")
		})
	}
}
