package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// ownAt is a configuration of two cells on the folders of these paths.
func ownAt(paths ...string) string {
	return "name = \"mine\"\n" + strings.Replace(ownConfig(""), `"OWN"`, `["`+strings.Join(paths, `", "`)+`"]`, 1)
}

func (s *session) ids() []string {
	var out []string
	for _, r := range s.records() {
		out = append(out, r.ID)
	}
	slices.Sort(out)
	return out
}

// TestTwoFoldersOfOneName: the cells of two folders of one name are different cells, and a report of one
// never shows the other's numbers.
func TestTwoFoldersOfOneName(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	s.writeTU("a/OWN", 1, 3)
	s.writeTU("b/OWN", 2, 3)
	s.write("grid.toml", ownAt("a/OWN"))
	s.run(exitOK)
	first := s.ids()
	want := read(t, filepath.Join(s.dir, "out", "mine", "clustering_configurations.csv"))
	s.write("grid.toml", ownAt("b/OWN"))
	s.run(exitOK).wantErr("0 done already, 2 to compute")
	if got := s.ids(); len(got) != 4 {
		t.Fatalf("%d records of 2 + 2 cells: %v", len(got), got)
	}
	if other := read(t, filepath.Join(s.dir, "out", "mine", "clustering_configurations.csv")); other == want {
		t.Error("the tables of other data are the same")
	}
	s.write("grid.toml", ownAt("a/OWN"))
	s.run(exitOK, "-report")
	if got := read(t, filepath.Join(s.dir, "out", "mine", "clustering_configurations.csv")); got != want {
		t.Errorf("the report of the first folder shows\n%s\nwant\n%s", got, want)
	}
	s.run(exitOK).wantErr("2 done already, 0 to compute")
	// While the data are away the plan is that of the run.
	away := filepath.Join(s.dir, "away")
	must.Do(t, os.Rename(filepath.Join(s.dir, "a"), away))
	s.run(exitOK, "-plan").wantOut("2 cells, 2 done, 0 to compute")
	s.run(exitOK).wantErr("2 done already, 0 to compute", "kept without comparing")
	must.Do(t, os.Rename(away, filepath.Join(s.dir, "a")))

	// Both in one configuration: two rows, and a word on why.
	s.write("grid.toml", ownAt("a/OWN", "b/OWN"))
	s.run(exitOK).wantErr("4 done already, 0 to compute")
	rows := regexp.MustCompile(`OWN \[[0-9a-f]{8}\]`)
	for _, name := range []string{"clustering.txt", "clustering_cells.csv", "index.html"} {
		text := read(t, filepath.Join(s.dir, "out", "mine", name))
		found := rows.FindAllString(text, -1)
		slices.Sort(found)
		if found = slices.Compact(found); len(found) != 2 {
			t.Errorf("%s names %q, want two rows", name, found)
		}
		if name != "clustering_cells.csv" && !strings.Contains(text, "2 data sets are called OWN") {
			t.Errorf("%s does not say why", name)
		}
	}

	// A copy elsewhere is the same data.
	must.Do(t, os.Rename(filepath.Join(s.dir, "a"), filepath.Join(s.dir, "moved")))
	s.write("grid.toml", ownAt("moved/OWN"))
	s.run(exitOK).wantErr("2 done already, 0 to compute")
	// Edited data have cells of their own.
	s.write("moved/OWN/OWN_graph_labels.txt", strings.Replace(read(t, filepath.Join(s.dir, "moved/OWN/OWN_graph_labels.txt")), "0", "1", 1))
	s.run(exitOK).wantErr("0 done already, 2 to compute")
	if got := s.ids(); len(got) != 6 || !slices.Contains(got, first[0]) {
		t.Errorf("%d records: %v", len(got), got)
	}
	// A folder that cannot be read, or is not there, has a row of its own too.
	s.write("c/OWN/OWN_A.txt", "no edge\n")
	s.write("grid.toml", ownAt("moved/OWN", "c/OWN", "gone/OWN"))
	s.run(exitFailed)
	for _, want := range []string{`OWN \[[0-9a-f]{8}\] .* 2 of 2 `, `OWN \[data not known, path = c/OWN\] .*missing`, `OWN \[data not known, path = gone/OWN\] .*missing`} {
		if !regexp.MustCompile(want).MatchString(s.stdout) {
			t.Errorf("no row %s:\n%s", want, s.stdout)
		}
	}
	s.write("grid.toml", ownAt("moved/OWN", "moved/./OWN/../OWN"))
	s.run(exitFatal).wantErr("listed twice")
}

// TestListOfAFolder: list and plan read the files of a folder as they are. Where there are none they take the digest that was last read.
func TestListOfAFolder(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 3, ownAt("OWN"))
	s.run(exitOK)
	ids := s.ids()
	list := func() []string {
		t.Helper()
		s.run(exitOK, "-list")
		out := regexp.MustCompile(`(?m)^[0-9a-f]{16}`).FindAllString(s.stdout, -1)
		slices.Sort(out)
		return out
	}
	if got := list(); !slices.Equal(got, ids) {
		t.Errorf("%v, want %v:\n%s", got, ids, s.stdout)
	}
	path := filepath.Join(s.dir, "OWN", "OWN_graph_labels.txt")
	good := read(t, path)
	s.write("OWN/OWN_graph_labels.txt", strings.Replace(good, "0", "1", 1))
	if got := list(); len(got) != 2 || slices.Equal(got, ids) {
		t.Errorf("edited data are listed as %v", got)
	}
	s.wantOut("2 pending")
	s.write("OWN/OWN_graph_labels.txt", strings.Repeat("x", len(good)))
	s.run(exitOK, "-list").wantOut("id not known: data cannot be read")

	must.Do(t, os.RemoveAll(filepath.Join(s.dir, "OWN")))
	if got := list(); !slices.Equal(got, ids) {
		t.Errorf("without the data: %v, want %v:\n%s", got, ids, s.stdout)
	}
	s.wantErr(`path = "OWN"`)
	s.run(exitOK, "-plan").wantOut("2 done")
	memory := filepath.Join(s.dir, "out", "store", "digests.json")
	if text := read(t, memory); strings.Contains(text, s.dir) {
		t.Errorf("an absolute path is remembered: %s", text)
	}
	for _, damage := range []func(string) error{func(p string) error { return os.WriteFile(p, []byte(`{"`), 0o644) }, os.Remove} {
		must.Do(t, damage(memory))
		if got := list(); len(got) != 0 || strings.Count(s.stdout, "id not known: data not there") != 2 {
			t.Errorf("without data and memory -list says:\n%s", s.stdout)
		}
	}
}

// TestRecallsAFolder: a folder among the data sets is remembered too, and the copy of a configuration in the result folder knows the data of its run.
func TestRecallsAFolder(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 3, ownAt("OWN"))
	must.Do(t, os.MkdirAll(filepath.Join(s.dir, "data"), 0o777))
	must.Do(t, os.Rename(filepath.Join(s.dir, "OWN"), filepath.Join(s.dir, "data", "OWN")))
	s.run(exitOK)
	must.Do(t, os.RemoveAll(filepath.Join(s.dir, "data")))
	s.run(exitOK, "-list").wantOut("2 done")
	s.verb(exitOK, "ledger", "add", filepath.Join(s.dir, "out"), filepath.Join(s.dir, "ledger")).wantOut("2 cells")
	s.write("elsewhere/grid.toml", ownAt("OWN")) // may mean another folder of this name
	s.verb(exitOK, "list", "-config", filepath.Join(s.dir, "elsewhere", "grid.toml"), "-out", filepath.Join(s.dir, "out"))
	s.wantOut("2 pending")
}

// TestShardsWithoutTheData: who computes what does not depend on which data a machine has.
func TestShardsWithoutTheData(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 3, ownAt("OWN")+strings.SplitN(exptest.Tiny, "repetitions = 2\n", 2)[1])
	names := func() (out [2][]string) {
		for i := range out {
			s.run(exitOK, "-list", "-shard", fmt.Sprintf("%d/2", i))
			for _, line := range strings.Split(s.stdout, "\n") {
				if _, cell, ok := strings.Cut(line, "pending  "); ok {
					out[i] = append(out[i], cell)
				}
			}
		}
		return out
	}
	with := names()
	must.Do(t, os.RemoveAll(filepath.Join(s.dir, "OWN")))
	without := names()
	for i := range with {
		if len(with[i]) == 0 || !slices.Equal(with[i], without[i]) {
			t.Errorf("shard %d has %q, without the data %q", i, with[i], without[i])
		}
	}
}

// TestPathIsLookedFor: beside the configuration first, then among the data sets; what is nowhere is
// said before the run, and skipped like a known data set that is not there.
func TestPathIsLookedFor(t *testing.T) {
	t.Parallel()
	gone := strings.Replace(noData[strings.Index(noData, "[[grid]]"):], "PTC-MR", "COX2", 1)
	s := newSession(t, ownAt("sets/OWN", "sets/GONE")+gone)
	s.writeTU("data/sets/OWN", 1, 3)
	s.run(exitOK, "-filter", "dataset=OWN")
	ids := s.ids()
	s.writeTU("sets/OWN", 2, 3) // nearer
	s.run(exitOK)
	if got := s.ids(); len(got) != 2+2+2+4 || s.records()[0].ID == "" {
		t.Errorf("%d records, before %d", len(got), len(ids))
	}
	for _, r := range s.records() {
		switch {
		case r.Dataset == "OWN" && r.Status != record.OK, r.Dataset != "OWN" && (r.Status != record.Skipped || r.Scores != nil):
			t.Errorf("%s: %s (%s)", r.Dataset, r.Status, r.Reason)
		}
	}
	s.wantErr("GONE: its 2 cells will be skipped", `path = "sets/GONE"`, "MUTAG: its 2 cells will be skipped", "fetch_tudatasets.sh MUTAG")
	if at := strings.Index(s.stderr, "GONE: its 2 cells"); at < 0 || at > strings.Index(s.stderr, "computed 2 cells") {
		t.Errorf("reported too late:\n%s", s.stderr)
	}
	for _, r := range s.records() {
		if strings.Contains(r.Reason, s.dir) && r.Dataset == "GONE" {
			t.Errorf("an absolute path in a record: %s", r.Reason)
		}
	}
}
