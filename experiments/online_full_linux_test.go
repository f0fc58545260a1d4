package main

import (
	"bytes"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/egotest"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// egoSegment is the length of a segment of fullStream.
const egoSegment = 63_500

// fullStream is what figure_online.toml does with TWITCH-EGOS, once.
const fullStream = `table = "figure_online"
repetitions = 1
[[grid]]
dataset = "TWITCH-EGOS"
method = "GDL-online"
atoms = 2
order = 14
segment_graphs = 63500
held_out_every = 3000
alarm_burn_in = 30000
`

// TestFullStream learns from files of the size of TWITCH-EGOS in a process of its own, which is
// told to stop in the middle; a second one goes on from there. Neither holds the files: the
// peaks of their resident memory stay below 300 MB.
func TestFullStream(t *testing.T) {
	if !*full {
		t.Skip("only with -full")
	}
	s := newSession(t, fullStream)
	egotest.Write(t, filepath.Join(s.dir, "data", egotest.Name), egotest.Graphs)
	id := exptest.Parse(t, fullStream).Cells()[0].ID
	ended := func(c *child, want int) {
		t.Helper()
		if code := c.wait(); code != want {
			t.Fatalf("exit code %d, want %d\n%s", code, want, c.output())
		}
		// A process starts with the peak of the one that starts it, so this is at least what it took.
		mb := float64(c.cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss) / 1024
		state := c.cmd.ProcessState
		t.Logf("exit code %d, %v of CPU, peak %.1f MB", want, (state.UserTime() + state.SystemTime()).Round(time.Millisecond), mb)
		if mb >= 300 {
			t.Errorf("peak of resident memory %.1f MB, want below 300", mb)
		}
	}

	first := s.start("-workers", "1")
	if s.keeps(first, id, func(steps int) bool { return steps >= egoSegment/2 }) == 0 {
		t.Fatalf("it ended before it could be interrupted, exit code %d\n%s", first.wait(), first.output())
	}
	must.Do(t, first.cmd.Process.Signal(syscall.SIGTERM))
	ended(first, exitInterrupted)
	middle := s.kept(id)
	if middle < egoSegment/2 || middle >= 2*egoSegment {
		t.Fatalf("%d steps were kept, want between %d and %d", middle, egoSegment/2, 2*egoSegment)
	}
	t.Logf("interrupted at step %d", middle)

	// A process that began anew would have fewer steps when it first keeps them: the first process
	// did so more than once on its way to the middle.
	second := s.start("-workers", "1")
	if steps := s.keeps(second, id, func(steps int) bool { return steps != middle }); steps != 0 && steps < middle {
		t.Errorf("the second process has made %d steps, the first one left %d", steps, middle)
	}
	ended(second, exitOK)
	recs := s.records()
	if len(recs) != 1 || recs[0].ID != id || recs[0].Status != record.OK || recs[0].Scores["steps"] != 2*egoSegment || recs[0].Scores["graphs"] != 2*egoSegment {
		t.Fatalf("records %+v", recs)
	}
	a := s.arraysOf(recs[0])
	if n, m := len(a["stream_loss"].Float), len(a["stream_mean"].Float); n != 2*egoSegment || m != n {
		t.Errorf("%d losses and %d running means, want %d", n, m, 2*egoSegment)
	}
	timing := must.Get(s.store().Timing(id))
	t.Logf("%v steps, the cell's peak as recorded %.1f MB", recs[0].Scores["steps"], float64(timing.PeakRSS)/(1<<20))
	if m := s.checkpoints(); len(m) > 0 {
		t.Errorf("left: %v", m)
	}
}

// keeps waits until a running process has kept a state of its cell that has enough steps, which
// it returns; 0 if the process ended before.
func (s *session) keeps(c *child, id string, enough func(steps int) bool) int {
	s.t.Helper()
	var last os.FileInfo
	for ; !c.ended(); time.Sleep(50 * time.Millisecond) {
		m := s.checkpoints()
		if len(m) == 0 {
			continue
		}
		info, err := os.Stat(m[0])
		if err != nil || last != nil && os.SameFile(info, last) {
			continue
		}
		last = info
		if steps := s.kept(id); steps > 0 && enough(steps) {
			return steps
		}
	}
	return 0
}

// kept returns the steps of the state that is kept of a cell, 0 if there is none.
func (s *session) kept(id string) int {
	s.t.Helper()
	packed := must.Get(s.store().Checkpoint(id))
	if packed == nil {
		return 0
	}
	arrays := must.Get(npz.Read(bytes.NewReader(packed), int64(len(packed))))
	loss := must.Get(npz.Find(arrays, "stream_loss"))
	return len(loss.Float)
}
