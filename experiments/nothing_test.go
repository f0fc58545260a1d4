package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/test/must"
)

// noData is a grid of which nothing can be computed without files.
const noData = "table = \"clustering\"\nrepetitions = 1\n" +
	"[[grid]]\ndataset = [\"MUTAG\", \"PTC-MR\"]\nmethod = \"GDL\"\natoms = 2\n"

// absent fails the test if the path is there.
func absent(t *testing.T, path string) {
	t.Helper()
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s has been created (%v)", path, err)
	}
}

// TestNothingToReport: a mistyped -out is an error, and leaves no folder behind.
func TestNothingToReport(t *testing.T) {
	s := newSession(t, exptest.Tiny)
	typo := filepath.Join(s.dir, "TYPO")
	s.run(exitFatal, "-report", "-out", typo).wantErr("TYPO", "no record")
	absent(t, typo)
	// The store of another configuration: nothing of this one is in it.
	s.run(exitOK)
	s.write("other.toml", exptest.Tiny+"gw_tol_rel = 1e-3\n")
	s.run(exitFatal, "-report", "-config", filepath.Join(s.dir, "other.toml"))
	s.wantErr("no record of the cells of other")
	absent(t, filepath.Join(s.dir, "out", "other"))
	s.run(exitOK, "-report")
}

// TestNothingComputable: a run whose data are all away is an error, whichever way it is asked for.
func TestNothingComputable(t *testing.T) {
	s := newSession(t, noData)
	for _, args := range [][]string{nil, {"-force"}, {"-filter", "dataset=PTC-MR"}} {
		s.run(exitFatal, args...)
		s.wantErr("nothing can be computed", filepath.Join(s.dir, "data", "PTC_MR"), "fetch_tudatasets.sh PTC_MR")
		absent(t, filepath.Join(s.dir, "out"))
	}
	s.write("grid.toml", "table = \"clustering\"\nrepetitions = 1\n[[grid]]\npath = \"nowhere/OWN\"\nmethod = \"GDL\"\natoms = 2\n")
	s.run(exitFatal).wantErr("nothing can be computed", filepath.Join("nowhere", "OWN"))
	absent(t, filepath.Join(s.dir, "out"))
	// With a cell that can be computed the others are skipped, and with one that is done nothing is lost.
	s.write("grid.toml", exptest.Tiny+"[[grid]]\ndataset = \"MUTAG\"\nmethod = \"GDL\"\natoms = 2\n")
	s.run(exitOK).wantErr("skipped 2 cells")
	s.run(exitFatal, "-filter", "dataset=MUTAG").wantErr("nothing can be computed")
}

// TestEmptyOut: the working directory is no folder of results unless it is asked for.
func TestEmptyOut(t *testing.T) {
	s := newSession(t, exptest.Tiny)
	t.Chdir(s.dir)
	s.run(exitFatal, "-out", "").wantErr(`-out ""`)
	absent(t, "store")
	absent(t, "grid")
	s.write("file", "a text")
	for _, out := range []string{"file", filepath.Join("file", "below")} {
		for _, mode := range []string{"-list", "-plan", "-report", "-force"} {
			s.run(exitFatal, "-out", out, mode).wantErr("-out "+out, "file is a file, expected a folder")
		}
	}
	must.Same(t, read(t, "file"), "a text", "the file afterwards")
}
