package main

import (
	"ogdl/experiments/internal/exptest"
	"testing"
)

// TestFilteredRunKeepsTheTables: tables are of the whole configuration, whatever
// part of it was picked.
func TestFilteredRunKeepsTheTables(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	whole := s.results()
	s.run(exitOK, "-force", "-filter", "lambda=0")
	s.same(whole)
}
