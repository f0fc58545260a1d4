package main

import (
	"os"
	"path/filepath"
	"strings"
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
	s.wantOut("4 records")
	if !strings.HasPrefix(s.stdout, "2 rows: 2 same.\n") {
		t.Errorf("of equal folders it says %q", s.stdout)
	}
	s.verb(exitOK, "compare", "-all", out, other)
	s.wantOut("lambda 0.01", "ri")
	want := s.stdout
	if s.verb(exitOK, "compare", out, other, "-all"); s.stdout != want {
		t.Errorf("-all behind the folders says %q", s.stdout)
	}
	if s.verb(exitOK, "help", "compare"); !strings.HasPrefix(s.stdout, "Usage: ogdl compare [flags] A B: two folders") {
		t.Errorf("%.200q", s.stdout)
	}

	store, err := record.Open(other)
	must(t, err)
	for r := range store.All() {
		r.Scores["ri"] /= 2
		data, err := store.NPZ(r.ID)
		if err == nil {
			err = store.Put(r, &record.Timing{ID: r.ID}, data)
		}
		must(t, err)
		break
	}
	s.verb(exitMoved, "compare", out, other)
	s.wantOut("MOVED: other numbers in 1 of 2 cells", "1 MOVED, 1 same.")
	s.verb(exitOK, "run", "-config", filepath.Join(s.dir, "grid.toml"), "-set", "lambda=0", "-out", filepath.Join(s.dir, "part"))
	s.verb(exitMoved, "compare", filepath.Join(s.dir, "part"), out)
	s.wantOut("1 only in B, 1 same.")
}

// TestCompareBytes holds that compare -bytes prints one sum for two runs of one configuration, and names the first altered file.
func TestCompareBytes(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	out, other := filepath.Join(s.dir, "out"), filepath.Join(s.dir, "other")
	s.verb(exitOK, "run", "-config", filepath.Join(s.dir, "grid.toml"), "-out", other, "-workers", "1")
	s.verb(exitOK, "compare", "-bytes", out, other)
	s.wantOut("the same bytes in", "SHA-256")
	files, err := filepath.Glob(filepath.Join(other, "grid", "clusters", "*"))
	if err != nil || len(files) == 0 {
		t.Fatalf("clusters: %v, %v", files, err)
	}
	must(t, os.WriteFile(files[0], []byte("altered"), 0o644))
	s.verb(exitMoved, "compare", "-bytes", out, other)
	s.wantOut("differs: file grid/clusters/" + filepath.Base(files[0]))
	s.verb(exitOK, "run", "-config", filepath.Join(s.dir, "grid.toml"), "-set", "lambda=0", "-out", filepath.Join(s.dir, "part"))
	s.verb(exitMoved, "compare", "-bytes", filepath.Join(s.dir, "part"), out)
	s.wantOut("only in B: ")
}

// TestCompareMistakes: folders that hold nothing, and too few of them.
func TestCompareMistakes(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	out := filepath.Join(s.dir, "out")
	s.verb(exitFatal, "compare", out, out, out, "-all")
	s.wantErr("compare: expected A B, as in: ogdl compare", "there are 3")
	s.verb(exitFatal, "compare", out, out, "-al")
	s.wantErr("did you mean -all?")
	s.verb(exitFatal, "compare", out)
	s.wantErr("expected A B", "there are 1")
	s.verb(exitFatal, "compare", out, filepath.Join(s.dir, "absent"))
	s.wantErr("absent", "no record")
	s.verb(exitFatal, "compare", "-by", "lambdas", out, out)
	s.wantErr(`no record has a parameter "lambdas"`)
	s.verb(exitFatal, "compare", "-by", "lambda", out, out)
	s.wantErr("compare: in A: ", "as lambda; rows are paired across one value in each folder")
	s.verb(exitFatal, "compare", out, filepath.Join(s.dir, "grid.toml"))
	s.wantErr("is a file")
}
