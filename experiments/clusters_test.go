package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/exptest"
	"ogdl/internal/record"
	"ogdl/internal/test/must"

	"github.com/google/go-cmp/cmp"
)

// clusterColumns are the columns of a file of clusters, by name.
func (s *session) clusterColumns(path ...string) map[string][]string {
	s.t.Helper()
	rows := rowsOf(s.t, filepath.Join(append([]string{s.dir, "out"}, path...)...))
	out := map[string][]string{}
	for j, name := range rows[0] {
		for _, row := range rows[1:] {
			out[name] = append(out[name], row[j])
		}
	}
	return out
}

// assigned are the clusters of a record, as texts.
func assigned(r *record.Record) (out []string) {
	for _, k := range r.Assignment {
		out = append(out, strconv.Itoa(int(k)))
	}
	return out
}

// TestClustersOfARun: the files hold what the records hold, with the classes as drawn, and the page links to each.
func TestClustersOfARun(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	rows := map[float64]string{0: "d1-gdl.csv", 0.01: "d1-gdl_lambda.csv"}
	for _, r := range s.records() {
		lambda, _ := r.Number("lambda")
		got := s.clusterColumns("grid", "clusters", rows[lambda])
		if want := assigned(r); !slices.Equal(got["repetition_"+strconv.Itoa(r.Repetition)], want) {
			t.Errorf("%s, repetition %d: %v, want %v", rows[lambda], r.Repetition, got, want)
		}
		if want := strings.Fields("1 1 1 1 2 2 2 2 3 3 3 3"); !slices.Equal(got["class"], want) || got["graph"][11] != "11" || len(got) != 4 {
			t.Errorf("%v, want the classes %v", got, want)
		}
	}
	page := read(t, filepath.Join(s.dir, "out", "grid", "index.html"))
	links := regexp.MustCompile(`href="(clusters/[^"]+)"`).FindAllStringSubmatch(page, -1)
	for _, link := range links {
		must.Do(t, must.Err(os.Stat(filepath.Join(s.dir, "out", "grid", link[1]))))
	}
	must.Check(t, len(links), 2, "count of links %v", links)
}

// TestClustersWithoutData: classes that were read once stay when the data go; without data and memory of them a report has all but
// the classes, which it says, and they come back with the data.
func TestClustersWithoutData(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 4, ownAt("OWN"))
	s.run(exitOK)
	d := must.Get(loader.Options{}.LoadFolder(filepath.Join(s.dir, "OWN")))
	classes := d.ClassNames(d.Classes)
	if len(slices.Compact(slices.Sorted(slices.Values(classes)))) < 2 {
		t.Fatalf("classes %v", classes)
	}
	want := s.clusterColumns("mine", "clusters", "own-gdl.csv")
	check := func(what string, classes []string, said bool) {
		t.Helper()
		s.run(exitOK, "-report")
		want["class"] = classes
		if d := cmp.Diff(want, s.clusterColumns("mine", "clusters", "own-gdl.csv")); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
		if got := strings.Contains(s.stderr, "clusters of OWN are without the classes of the graphs: "); got != said {
			t.Errorf("%s: %s", what, s.stderr)
		}
	}
	check("with the data", classes, false)
	memory := filepath.Join(s.dir, "out", "store", "classes-"+d.Digest+".json")
	must.Do(t, os.WriteFile(memory, []byte(`["a"`), 0o666))
	check("with a damaged memory", classes, false)
	away := filepath.Join(s.dir, "away")
	must.Do(t, os.Rename(filepath.Join(s.dir, "OWN"), away))
	check("without the data", classes, false)
	must.Do(t, os.Remove(memory))
	check("without data and memory", make([]string, len(classes)), true)
	must.Do(t, os.Rename(away, filepath.Join(s.dir, "OWN")))
	check("with the data again", classes, false)
}

// TestClustersOfOtherData: files that are not those that the cells were computed on give no classes.
func TestClustersOfOtherData(t *testing.T) {
	t.Parallel()
	s := newSession(t, "table = \"clustering\"\n[[grid]]\ndataset = \"MUTAG\"\nmethod = \"GDL\"\natoms = 3\nepochs = 2\nkmeans_restarts = 4\n")
	s.writeTU(filepath.Join("data", "MUTAG"), 1, 4)
	s.run(exitOK)
	s.writeTU(filepath.Join("data", "MUTAG"), 2, 4)
	memory := s.stored("classes-*.json")
	if len(memory) != 1 || os.Remove(memory[0]) != nil {
		t.Fatal(memory)
	}
	s.run(exitOK, "-report").wantErr("are without the classes of the graphs: the data are not those of its cells")
	paths := s.files("out/grid/clusters/*.csv")
	if len(paths) != 1 || !strings.HasPrefix(filepath.Base(paths[0]), "mutag--not-the-published-data") {
		t.Fatal(paths)
	}
	if got := s.clusterColumns("grid", "clusters", filepath.Base(paths[0])); strings.Join(got["class"], "") != "" || len(got["class"]) == 0 {
		t.Errorf("%v", got)
	}
}
