//go:build unix

package main

import (
	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/methods"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestOnlineAfterKill: kill -9 costs a stream the steps since its last checkpoint, and
// what comes out in the end is the same, byte by byte.
func TestOnlineAfterKill(t *testing.T) {
	t.Parallel()
	const env = "OGDL_TEST_STREAM_DIR"
	if dir := os.Getenv(env); dir != "" {
		child := &session{t: t, dir: dir, methods: methods.All()}
		keepsAll(child, func() { time.Sleep(5 * time.Millisecond) }) // so that a kill comes in time
		child.run(exitOK, "-workers", "1")
		return
	}
	if testing.Short() {
		t.Skip("not in short mode: it starts processes, and TestOnlineResumes interrupts streams as well")
	}
	whole := newSession(t, exptest.Streams)
	whole.run(exitOK)
	s := newSession(t, exptest.Streams)
	began := keepsAll(s, func() {})
	for range 2 {
		child := exec.Command(os.Args[0], "-test.run=^TestOnlineAfterKill$")
		child.Env = append(os.Environ(), env+"="+s.dir)
		if err := child.Start(); err != nil {
			t.Fatal(err)
		}
		before := ""
		if m := s.checkpoints(); len(m) > 0 {
			before = read(t, m[0])
		}
		for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(time.Millisecond) {
			if m := s.checkpoints(); len(m) > 0 && read(t, m[0]) != before {
				break
			}
		}
		if err := child.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = child.Wait() // killed
		if len(s.checkpoints()) == 0 {
			t.Fatal("a child kept nothing")
		}
	}
	s.run(exitOK, "-workers", "1")
	if steps := began(); len(steps) == 0 || slices.Max(steps) == 0 { // one may have ended before
		t.Errorf("streams began at %v", steps)
	}
	if m, _ := filepath.Glob(filepath.Join(s.dir, "out", "store", "*", "*.checkpoint")); len(m) > 0 {
		t.Errorf("left: %v", m)
	}
	s.same(whole.results())
}
