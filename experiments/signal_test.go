//go:build unix

package main

import (
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/test/must"
)

// TestSignals ends real processes: kill -9 at some instant, then an interrupt, and
// what a last run completes is the same as without either.
func TestSignals(t *testing.T) {
	config := strings.Replace(exptest.Tiny, "repetitions = 2", "repetitions = 50", 1)
	config = strings.Replace(config, "sbm_graphs = 4", "sbm_graphs = 12", 1)
	s := newSession(t, config)
	stored := func() int { return len(s.stored("*/*.timing.json")) }
	for _, c := range []struct {
		signal os.Signal
		code   int // -1: ended by the signal
	}{{syscall.SIGKILL, -1}, {syscall.SIGINT, exitInterrupted}, {syscall.SIGTERM, exitInterrupted}} {
		before := stored()
		child := s.start("-workers", "2")
		for deadline := time.Now().Add(20 * time.Second); stored() < before+3 && time.Now().Before(deadline); {
			time.Sleep(time.Millisecond)
		}
		must.Do(t, child.cmd.Process.Signal(c.signal))
		sent := time.Now()
		code := child.wait()
		if took := time.Since(sent); took > 2*time.Second {
			t.Errorf("%v: ended after %s", c.signal, took)
		}
		if code != c.code {
			t.Errorf("%v: exit code %d, want %d\n%s", c.signal, code, c.code, child.output())
		}
	}
	if n := stored(); n < 9 || n >= 100 {
		t.Errorf("%d of 100 cells stored before the last run: the signals came too early or too late", n)
	}
	s.run(exitOK)
	whole := newSession(t, config)
	whole.run(exitOK)
	// Temporary files of the killed process are swept by the next run.
	s.same(whole.results())
}

// TestSignalOfAReaderThatStops: an interrupt ends the program though nobody reads what it prints.
func TestSignalOfAReaderThatStops(t *testing.T) {
	t.Parallel()
	s := newSession(t, strings.Replace(exptest.Tiny, "repetitions = 2", "repetitions = 1000", 1)) // a list that is longer than a pipe
	exe := must.Get(os.Executable())
	out, in := must.Get2(os.Pipe())
	defer out.Close()
	cmd := exec.Command(exe, s.with([]string{"-list"})...)
	cmd.Env, cmd.Stdout = append(os.Environ(), asProgram+"=1"), in
	must.Do(t, cmd.Start())
	in.Close()
	must.Do(t, must.Err(out.Read(make([]byte, 1))))
	time.Sleep(100 * time.Millisecond)
	begin := time.Now()
	must.Do(t, cmd.Process.Signal(os.Interrupt))
	_ = cmd.Wait()
	if took := time.Since(begin); took > 4*time.Second || cmd.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("%v after %s", cmd.ProcessState, took)
	}
}
