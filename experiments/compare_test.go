package main

import (
	"path/filepath"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/record"
)

// TestCompare: a store is the same as itself, and what differs is named, with an exit code of its own.
func TestCompare(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	out, other := filepath.Join(s.dir, "out"), filepath.Join(s.dir, "other")
	s.verb(exitOK, "run", "-config", filepath.Join(s.dir, "grid.toml"), "-out", other)
	s.verb(exitOK, "compare", out, other)
	s.wantOut("2 rows: 2 same.", "4 records")
	s.verb(exitOK, "compare", "-all", out, other)
	s.wantOut("lambda 0.01", "ri")

	store, err := record.Open(other)
	if err != nil {
		t.Fatal(err)
	}
	for e := range store.All() {
		r := e.Record
		r.Scores["ri"] /= 2
		data, err := store.NPZ(r.ID)
		if err == nil {
			err = store.Put(r, &record.Timing{ID: r.ID}, data)
		}
		if err != nil {
			t.Fatal(err)
		}
		break
	}
	s.verb(exitMoved, "compare", out, other)
	s.wantOut("MOVED: other numbers in 1 of 2 cells", "1 MOVED, 1 same.")
	s.verb(exitOK, "run", "-config", filepath.Join(s.dir, "grid.toml"), "-set", "lambda=0", "-out", filepath.Join(s.dir, "part"))
	s.verb(exitMoved, "compare", filepath.Join(s.dir, "part"), out)
	s.wantOut("1 only in B, 1 same.")
}

// TestCompareMistakes: folders that hold nothing, and too few of them.
func TestCompareMistakes(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	out := filepath.Join(s.dir, "out")
	s.verb(exitFatal, "compare", out)
	s.wantErr("two folders of results", "there are 1")
	s.verb(exitFatal, "compare", out, filepath.Join(s.dir, "absent"))
	s.wantErr("absent", "no record")
	s.verb(exitFatal, "compare", out, filepath.Join(s.dir, "grid.toml"))
	s.wantErr("is a file")
}
