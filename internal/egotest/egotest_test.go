package egotest_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"ogdl/datasets/loader"
	"ogdl/internal/egotest"
)

// TestWrite: the loader reads from the files what was written.
func TestWrite(t *testing.T) {
	const n = 200
	dir := t.TempDir()
	nodes, edges := egotest.Write(t, dir, n)
	d, err := loader.LoadFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	if d.Name != egotest.Name || len(d.Graphs) != n {
		t.Fatalf("%d graphs called %s", len(d.Graphs), d.Name)
	}
	for k := range d.Graphs {
		if diff := cmp.Diff(egotest.Graph(k), &d.Graphs[k]); diff != "" || d.Classes[k] != egotest.Class(k) {
			t.Errorf("graph %d of class %d, want class %d (-want +got)\n%s", k, d.Classes[k], egotest.Class(k), diff)
		}
		nodes -= d.Graphs[k].Order()
		edges -= d.Graphs[k].Edges()
	}
	if nodes != 0 || edges != 0 {
		t.Errorf("%d nodes and %d edges more were written", nodes, edges)
	}
}

func TestClass(t *testing.T) {
	first := 0
	for k := range egotest.Graphs {
		if egotest.Class(k) == 0 {
			first++
		}
	}
	if first != egotest.First {
		t.Errorf("%d graphs of the first class, want %d", first, egotest.First)
	}
}
