package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
)

// mutag is a grid of two cells on MUTAG and two on simulated graphs.
const mutag = `table = "clustering"
repetitions = 2
[[grid]]
dataset = "MUTAG"
method = "GDL"
atoms = 2
order = 5
epochs = 1
kmeans_restarts = 2
`

// TestForeignDataUnderAKnownName: they are used, but never stand beside the paper's numbers in silence: the run,
// the tables, the page and the records say what they are.
func TestForeignDataUnderAKnownName(t *testing.T) {
	t.Parallel()
	s := newSession(t, mutag+strings.SplitN(exptest.Tiny, "repetitions = 2\n", 2)[1])
	s.writeTU("data/MUTAG", 1, 3)
	s.run(exitOK, "-filter", "repetition=0")
	s.run(exitOK, "-report") // the missing cells are in the same row
	s.checkForeign(t)
	s.run(exitOK).wantErr("Warning: MUTAG: not the published data")
	must.Check(t, strings.Count(s.stderr, "Warning: MUTAG"), 1, "warnings:\n%s", s.stderr)
	s.checkForeign(t)
	whole := read(t, filepath.Join(s.dir, "grid.toml"))
	s.write("grid.toml", "confirm = 2\n"+whole)
	s.run(exitOK, "-report") // the missing re-runs are in the same row
	s.checkForeign(t)
	s.write("grid.toml", whole)
	// From the records alone, without the data, and when the run is repeated.
	must.Do(t, os.Rename(filepath.Join(s.dir, "data"), filepath.Join(s.dir, "away")))
	s.run(exitOK, "-report")
	s.checkForeign(t)
	must.Do(t, os.Rename(filepath.Join(s.dir, "away"), filepath.Join(s.dir, "data")))
	s.run(exitOK).wantErr("Warning: MUTAG", "6 done already")
	for _, r := range s.records() {
		if foreign := strings.Contains(strings.Join(r.Notes, "\n"), "not the published data"); foreign != (r.Dataset == "MUTAG") {
			t.Errorf("%s: notes %q", r.Dataset, r.Notes)
		}
	}
}

func (s *session) checkForeign(t *testing.T) {
	t.Helper()
	for _, name := range []string{"clustering.txt", "clustering.md", "clustering_careful.txt", "index.html"} {
		text := read(t, filepath.Join(s.dir, "out", "grid", name))
		if !strings.Contains(text, "MUTAG [not the published data, ") && !strings.Contains(text, `MUTAG \[not the published data, `) {
			t.Errorf("%s has no row for other data:\n%s", name, text)
		}
		must.Contain(t, text, "these cells were computed on files whose digest is")
	}
	rows := rowsOf(t, filepath.Join(s.dir, "out", "grid", "clustering.csv"))
	paper := slices.Index(rows[0], "paper_mean")
	for _, row := range rows[1:] {
		if row[0] == "MUTAG" || strings.HasPrefix(row[0], "MUTAG") && row[paper] != "" {
			t.Errorf("beside the paper's number: %q", row)
		}
	}
}

// TestPublishedDataAreTaken: the real MUTAG is not warned of, and six lines cut off it are.
func TestPublishedDataAreTaken(t *testing.T) {
	t.Parallel()
	real := sharedtest.Data(t, "MUTAG")
	s := newSession(t, mutag)
	s.run(exitOK, "-data", real)
	if strings.Contains(s.stderr, "published") || strings.Contains(s.stdout, "published data") {
		t.Errorf("the published data are warned of:\n%s\n%s", s.stderr, s.stdout)
	}
	files := must.Get(filepath.Glob(filepath.Join(real, "MUTAG", "*.txt")))
	for _, path := range files {
		text := read(t, path)
		if strings.HasSuffix(path, "_A.txt") {
			text = strings.Join(strings.SplitAfter(text, "\n")[6:], "")
		}
		s.write(filepath.Join("cut/MUTAG", filepath.Base(path)), text)
	}
	s.run(exitOK, "-data", filepath.Join(s.dir, "cut"))
	s.wantErr("Warning: MUTAG: not the published data", "the data have changed", "0 done already, 2 to compute")
	s.wantOut("MUTAG [not the published data, ")
	s.run(exitOK, "-data", real).wantErr("0 done already, 2 to compute")
	if strings.Contains(s.stdout, "published data") {
		t.Errorf("computed again on the published data, still marked:\n%s", s.stdout)
	}
}
