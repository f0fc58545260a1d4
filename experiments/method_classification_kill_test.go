//go:build unix

package main

import (
	"testing"
	"time"
)

// TestClassificationAfterKill: a run that was killed goes on to the bytes of one that was not.
func TestClassificationAfterKill(t *testing.T) {
	t.Parallel()
	s, killed := newSession(t, kernelGrid), newSession(t, kernelGrid)
	cutDistances(s.methods) // as the program in the test's binary does
	cutDistances(killed.methods)
	s.run(exitOK, "-workers", "2")
	c := killed.start("-workers", "2")
	for range 200 {
		if time.Sleep(5 * time.Millisecond); len(killed.stored("*/*.json")) > 3 {
			break
		}
	}
	c.cmd.Process.Kill()
	c.wait()
	killed.run(exitOK, "-workers", "2")
	compareResults(t, "after a kill", killed.results(), s.results())
}
