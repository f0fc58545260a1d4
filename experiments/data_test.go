package main

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// TestBadDataFailTheirCellsOnly: the message names file and line.
func TestBadDataFailTheirCellsOnly(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 3, "")
	s.write("OWN/OWN_graph_labels.txt", "1\n2\nthree\n")
	s.write("grid.toml", ownConfig("")+strings.SplitN(exptest.Tiny, "repetitions = 2\n", 2)[1])
	s.run(exitFailed).wantErr("OWN_graph_labels.txt:3", "4 done, 2 failed", "2 cells failed", "GDL on OWN, failed: ")
	if n := strings.Count(s.stderr, "OWN_graph_labels.txt:3"); n != 1 {
		t.Errorf("the file's error is reported %d times:\n%s", n, s.stderr)
	}
}

// TestGraphsWithoutNodes are left out of the fit, and the record says so.
func TestGraphsWithoutNodes(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 3, "")
	s.write("OWN/OWN_graph_labels.txt", read(t, filepath.Join(s.dir, "OWN", "OWN_graph_labels.txt"))+"1\n")
	s.write("grid.toml", ownConfig(""))
	s.run(exitOK)
	for _, r := range s.records() {
		if len(r.Assignment) != 9 || len(r.Notes) == 0 || !strings.Contains(r.Notes[0], "1 graph without nodes left out") {
			t.Errorf("%d graphs, notes %q", len(r.Assignment), r.Notes)
		}
	}
}

func TestDatasetsTable(t *testing.T) {
	s := ownSession(t, 3, "")
	s.write("grid.toml", fmt.Sprintf("table = \"datasets\"\n[[grid]]\npath = %q\nmethod = \"statistics\"\n[[grid]]\ndataset = [\"MUTAG\", \"D1\"]\nmethod = \"statistics\"\n", filepath.Join(s.dir, "OWN")))
	s.run(exitOK).wantOut("OWN", "missing")
	s.wantErr("3 cells: 0 done already, 3 to compute", "skipped 1 cell: ", "fetch_tudatasets.sh MUTAG")
	var graphs float64
	for _, r := range s.records() {
		if r.Dataset == "D1" && r.Status == record.OK {
			graphs = r.Scores["graphs"]
		}
	}
	must.Check(t, graphs, 300, "graphs in D1")
}
