package main

import (
	"path/filepath"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
)

// TestIdleFilters: a value that no cell has is said also where cells are left, as it picks or excludes nothing.
func TestIdleFilters(t *testing.T) {
	s := newSession(t, exptest.Tiny)
	for filter, want := range map[string]string{
		"method!=GLD":               "-filter: no cell has method GLD; did you mean GDL?",
		"dataset=D1,MUTAG":          "-filter: no cell has dataset MUTAG\n",
		"lambda!=0.02 init!=X":      "-filter: no cell has lambda 0.02",
		"init!=x*":                  "-filter: no cell has init x*",
		"gamma!=1":                  "-filter: no cell has gamma 1\n",
		"method!=GWF-*,SC epochs=2": "-filter: no cell has method SC\n",
	} {
		s.run(exitOK, "-list", "-filter", filter).wantErr(want)
	}
	for filter, want := range map[string]string{
		"repetition=9":         "no cell has repetition 9, only 0, 1",
		"seed=9":               "no cell has seed 9, only 1",
		"method=GLD":           "matches; no cell has method GLD; did you mean GDL?",
		"lambda=0 init=randon": "matches; no cell has init randon; did you mean random?",
	} {
		s.run(exitFatal, "-list", "-filter", filter).wantErr(want)
	}
	for _, filter := range []string{"lambda!=0", "method=GDL_lambda dataset=D1", "repetition!=7 seed!=99", "lambda<5"} {
		s.run(exitOK, "-list", "-filter", filter)
		if strings.Contains(s.stderr, "no cell has") {
			t.Errorf("%s: %s", filter, s.stderr)
		}
	}
}

// TestTooFewGraphs: more clusters or atoms than graphs are found before anything runs.
func TestTooFewGraphs(t *testing.T) {
	s := ownSession(t, 3, "")
	own := "path = \"" + filepath.ToSlash(filepath.Join(s.dir, "OWN")) + "\"\n"
	for text, want := range map[string]string{
		"dataset = \"MUTAG\"\nmethod = \"GDL\"\natoms = 2\nclusters = 189\n":                                                                             "grid.toml:7: clusters = 189: 189 clusters of 188 graphs",
		"dataset = \"MUTAG\"\nmethod = \"GDL\"\natoms = 189\n":                                                                                           "grid.toml:6: atoms = 189: 189 atoms start from as many graphs, there are 188",
		"dataset = \"ENZYMES\"\nmethod = \"GDL\"\natoms_per_class = 101\n":                                                                               "606 atoms start from as many graphs, there are 600",
		"dataset = \"D1\"\nsbm_graphs = 4\nmethod = \"GDL\"\natoms = 13\n":                                                                               "13 atoms start from as many graphs, there are 12",
		"dataset = \"D1\"\nsbm_graphs = 4\nmethod = \"SC\"\ngamma = 1\nclusters = 13\n":                                                                  "13 clusters of 12 graphs",
		own + "method = \"GDL\"\natoms = 10\n":                                                                                                           "grid.toml:6: atoms = 10: 10 atoms start from as many graphs, there are 9",
		own + "method = \"GDL\"\natoms = 20\norder = 5\ninit = \"random\"\nclusters = 10\nepochs = 1":                                                    "grid.toml:9: clusters = 10: 10 clusters of 9 graphs",
		own + "method = \"GDL\"\natoms = 4\n[[grid]]\n" + own + "method = \"GDL\"\natoms = [5, 10]\n[[grid]]\n" + own + "method = \"GWF-r\"\natoms = 10": "grid.toml:10: atoms = 10: 10 atoms start from as many graphs, there are 9",
	} {
		s.write("grid.toml", "table = \"clustering\"\nrepetitions = 1\n[[grid]]\n"+text)
		s.run(exitFatal).wantErr(want)
		absent(t, filepath.Join(s.dir, "out"))
	}
}

// timings are the files of the cells' times: reports read them.
func (s *session) timings() []string {
	s.t.Helper()
	return s.stored("*/*.timing.json")
}
