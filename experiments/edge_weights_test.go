package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/experiments/internal/source"
	"ogdl/internal/artifact"
	"ogdl/internal/test/must"
)

// writeWeighted adds attributes of edges to a folder, one or two a line: each the same from both ends.
func (s *session) writeWeighted(path string, weight func(i, j int) string) {
	s.t.Helper()
	name := filepath.Join(path, filepath.Base(path))
	var b strings.Builder
	for _, line := range strings.Split(strings.TrimSpace(read(s.t, filepath.Join(s.dir, name+"_A.txt"))), "\n") {
		var i, j int
		must.Do(s.t, must.Err(fmt.Sscanf(line, "%d, %d", &i, &j)))
		fmt.Fprintln(&b, weight(min(i, j), max(i, j)))
	}
	s.write(name+"_edge_attributes.txt", b.String())
}

// TestEdgeWeightsInARun: weights are used where they are asked for, and in an embedding like in the cell that it
// continues; where they are not asked for a note says so.
func TestEdgeWeightsInARun(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 4, ownConfig(""))
	s.run(exitOK)
	plain := s.ids()
	objective := func(weights string) float64 {
		t.Helper()
		for _, r := range s.records() {
			if r.Params["edge_weights"] == weights && r.Repetition == 0 {
				return r.Scores["objective"]
			}
		}
		t.Fatalf("no record with edge_weights = %s", weights)
		return 0
	}
	was := objective("none")

	s.writeWeighted("OWN", func(i, j int) string { return fmt.Sprintf("%d, %g", 1, 0.25+float64((i*j)%5)) })
	s.run(exitOK)
	s.wantErr("2 done already, 0 to compute") // nothing of them is used
	s.run(exitOK, "-force").wantErr(`OWN: its edges have attributes, which are not used`)
	if text := read(t, filepath.Join(s.dir, "out", "grid", "index.html")); !strings.Contains(text, "its edges have attributes, which are not used") {
		t.Error("the page has no note on attributes that are not used")
	}
	s.write("grid.toml", ownConfig("edge_weights = [\"none\", \"attribute:0\", \"attribute:1\"]\n"))
	s.run(exitOK).wantErr("2 done already, 4 to compute")
	for _, id := range plain {
		if !slices.Contains(s.ids(), id) {
			t.Errorf("%s has gone", id)
		}
	}
	if objective("none") != was || objective("attribute:0") != was {
		t.Errorf("weights of 1 give %v, none %v, before %v", objective("attribute:0"), objective("none"), was)
	}
	if objective("attribute:1") == was {
		t.Error("weights change nothing")
	}
	s.wantOut("OWN, edge_weights = attribute:1")
	if strings.Contains(s.stdout, "data set digests") || strings.Contains(s.stdout, "data sets are called") {
		t.Errorf("taken for other data:\n%s", s.stdout)
	}
	s.run(exitOK, "-list", "-filter", "edge_weights=attribute:1").wantOut("2 done, 0 pending")
	s.run(exitOK, "-filter", "edge_weights=attribute:0").wantErr("2 done already, 0 to compute")

	// Embedding the very graphs gives the cell's weights.
	for _, r := range s.records() {
		if r.Params["edge_weights"] == "attribute:0" {
			continue
		}
		dict, out := s.stored("*/" + r.ID + "-*.npz")[0], filepath.Join(s.dir, "embedded"+r.ID)
		s.verb(exitOK, "embed", "-dict", dict, "-data", filepath.Join(s.dir, "OWN"), "-out", out)
		if cell, got := readArrays(t, dict), readArrays(t, out+".npz"); !slices.Equal(cell[artifact.Weights].Float, got[artifact.Weights].Float) {
			t.Error("other embeddings than the cell's")
		}
		if reported := strings.Contains(s.stdout, source.EdgesUnused); reported != (r.Params["edge_weights"] == "none") {
			t.Errorf("edge_weights = %s: that attributes are not used is said: %v", r.Params["edge_weights"], reported)
		}
	}
	// Another weight is other data, for those who use it.
	s.writeWeighted("OWN", func(i, j int) string { return fmt.Sprintf("%d, %g", 1, 0.5+float64((i*j)%5)) })
	s.run(exitOK).wantErr("4 done already, 2 to compute")
}

func TestBadEdgeWeightsInARun(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 4, "")
	try := func(code int, weights, extra string, want ...string) {
		t.Helper()
		s.write("grid.toml", ownConfig(fmt.Sprintf("edge_weights = %q\n%s", weights, extra)))
		s.run(code).wantErr(want...)
	}
	try(exitFailed, "attribute", "", "OWN_edge_attributes.txt")
	s.writeWeighted("OWN", func(i, j int) string { return "1, 0" })
	try(exitFailed, "attribute", "", "OWN_edge_attributes.txt:1", "attribute:K")
	try(exitFailed, "attribute:1", "representation = \"shortest_path\"\n", "OWN_edge_attributes.txt:1", "length")
	try(exitOK, "attribute:1", "representation = \"heat_kernel\"\n")
	for _, bad := range []string{"attribute:", "attribute:K", "attribute:-1", "attribute:weight", "atribute:0"} {
		try(exitFatal, bad, "", fmt.Sprintf("edge_weights = %q", bad), `"attribute:K", K an integer from 0 on`)
		if strings.Contains(s.stderr, "did you mean attribute:K") {
			t.Errorf("%s: %s", bad, s.stderr)
		}
	}
	s.write("grid.toml", strings.Replace(mutag, "order = 5\n", "order = 5\nedge_weights = \"attribute\"\n", 1))
	s.run(exitFatal).wantErr(`edge_weights = "attribute"`, "MUTAG, whose edges have no attributes")
}
