package spaces_test

import (
	"slices"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/spaces"
)

// TestOf: defaults are the adjacency and uniform weights; features go through the map, labels that it does not know are
// listed and have zeros; errors name the graph.
func TestOf(t *testing.T) {
	pair := [][]int32{{1}, {0}}
	d := &datasets.Dataset{Name: "x", LabelValues: [][]int{{3, 7}}, Graphs: []datasets.Graph{
		{Neighbors: pair, Labels: [][]int{{3, 7}}}, {Neighbors: [][]int32{{1}, {0}, {}}, Labels: [][]int{{7, 7, 3}}}}}
	plain, unseen, err := spaces.Of(d, nil)
	if err != nil || len(plain) != 2 || unseen != nil || plain[1].D() != 0 || !slices.Equal(plain[0].P(), []float64{.5, .5}) {
		t.Fatalf("%v, %v, %v", plain, unseen, err)
	}
	if c, ld := plain[0].C(); c[1] != 1 || c[ld] != 1 || c[0] != 0 {
		t.Errorf("structure %v", c)
	}
	features, err := datasets.Features{Kind: datasets.KindLabels}.Fit(d)
	if err != nil {
		t.Fatal(err)
	}
	set := &spaces.Settings{Features: features, Structure: datasets.Structure{Kind: datasets.KindShortestPath, Unreachable: datasets.UnreachableError}}
	if _, _, err := spaces.Of(d, set); err == nil || !strings.Contains(err.Error(), "data set x, graph 1 (from 0)") {
		t.Errorf("error %v of a graph in two parts", err)
	}
	other := &datasets.Dataset{LabelValues: [][]int{{4, 7}}, Graphs: []datasets.Graph{{Neighbors: pair, Labels: [][]int{{4, 7}}}}}
	got, unseen, err := spaces.Of(other, set)
	if err != nil || !slices.Equal(got[0].A(), []float64{0, 0, 0, 1}) || len(unseen) != 1 || unseen[0].Label != "4" {
		t.Errorf("features %v, unseen %v, %v", got[0].A(), unseen, err)
	}
	d.ZeroWeight = "x_A.txt:3: weight 0"
	if _, _, err := spaces.Of(d, set); err == nil || !strings.Contains(err.Error(), "x_A.txt:3") {
		t.Errorf("error %v of an edge without length", err)
	}
}
