//go:build unix

package main

import (
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/test/must"
)

// hang makes the file hang whoever reads it: a pipe into which nobody writes. entered is closed when somebody
// waits there.
func hang(t *testing.T, path string) (entered chan struct{}) {
	t.Helper()
	must.Do(t, os.Remove(path))
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Skipf("no pipes here: %v", err)
	}
	entered = make(chan struct{})
	stop := make(chan struct{})
	go func() {
		for {
			// It opens when a reader is there.
			if f, err := os.OpenFile(path, os.O_WRONLY|syscall.O_NONBLOCK, 0); err == nil {
				close(entered)
				<-stop // nothing is written
				_ = f.Close()
				return
			}
			select {
			case <-stop:
				return
			case <-time.After(time.Millisecond):
			}
		}
	}()
	t.Cleanup(func() { close(stop) })
	return entered
}

// TestInterruptedReport: a report whose data do not come ends within two seconds of a signal and leaves the old
// report whole.
func TestInterruptedReport(t *testing.T) {
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	s.write("grid.toml", strings.Replace(exptest.Tiny, "table =", "title = \"another\"\ntable =", 1))
	want := s.results()
	files := s.timings()
	entered := hang(t, files[len(files)-1])
	child := s.start("-report")
	select {
	case <-entered:
	case <-child.done:
		t.Fatalf("ended too early\n%s", child.output())
	}
	must.Do(t, child.cmd.Process.Signal(syscall.SIGINT))
	select {
	case <-child.done:
	case <-time.After(2 * time.Second):
		_ = child.cmd.Process.Kill()
		t.Fatalf("no end after 2 s\n%s", child.output())
	}
	if code := child.wait(); code != exitInterrupted || !strings.Contains(child.output(), "interrupted") {
		t.Errorf("exit code %d, want %d\n%s", code, exitInterrupted, child.output())
	}
	s.same(want)
}
