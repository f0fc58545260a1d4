package main

import (
	"bytes"
	"context"
	"path/filepath"
	"testing"

	"ogdl/internal/record"
)

// TestRunsShareAFolder: a cell that another run has stored since this run began is
// taken, not computed again.
func TestRunsShareAFolder(t *testing.T) {
	t.Parallel()
	s := newSession(t, tiny)
	s.run(exitOK)
	cells := configOf(t, filepath.Join(s.dir, "grid.toml")).cells()
	store, err := record.Open(filepath.Join(s.dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	lib := newLibrary(t.TempDir())
	lib.expect(cells)
	absent := map[string]bool{}
	for _, x := range cells {
		absent[x.id] = true // as it was when this run began
	}
	var progress bytes.Buffer
	run := &schedule{env: env{store: store, methods: methods(), data: lib, absent: absent}, workers: 2, progress: newProgress(&progress, 0, len(cells), nil)}
	err = run.run(context.Background(), cells)
	run.progress.stop()
	if err != nil {
		t.Fatal(err)
	}
	if run.shared != len(cells) || len(run.counts) != 0 {
		t.Errorf("%d of %d cells taken from the other run, computed %v", run.shared, len(cells), run.counts)
	}
}

// TestFilteredRunKeepsTheTables: tables are of the whole configuration, whatever
// part of it was picked.
func TestFilteredRunKeepsTheTables(t *testing.T) {
	t.Parallel()
	s := newSession(t, tiny)
	s.run(exitOK)
	whole := s.results()
	s.run(exitOK, "-force", "-filter", "lambda=0")
	s.same(whole)
}
