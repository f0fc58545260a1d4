package spaces_test

import (
	"slices"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/spaces"
	"ogdl/internal/test/must"
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
	if s := must.Get((*spaces.Settings)(nil).Space(&d.Graphs[0], nil)); s.Digest() != plain[0].Digest() {
		t.Error("nil settings differ from the default")
	}
	if c, ld := plain[0].C(); c[1] != 1 || c[ld] != 1 || c[0] != 0 {
		t.Errorf("structure %v", c)
	}
	features := must.Get(datasets.Features{Kind: datasets.KindLabels}.Fit(d))
	set := &spaces.Settings{Features: features, Structure: datasets.Structure{Kind: datasets.KindShortestPath, Unreachable: datasets.UnreachableError}}
	must.Fail(t, must.Err2(spaces.Of(d, set)), "data set x, graph 1 (from 0)")
	other := &datasets.Dataset{LabelValues: [][]int{{4, 7}}, Graphs: []datasets.Graph{{Neighbors: pair, Labels: [][]int{{4, 7}}}}}
	got, unseen, err := spaces.Of(other, set)
	if err != nil || !slices.Equal(got[0].A(), []float64{0, 0, 0, 1}) || len(unseen) != 1 || unseen[0].Label != "4" {
		t.Errorf("features %v, unseen %v, %v", got[0].A(), unseen, err)
	}
	d.ZeroWeight = "x_A.txt:3: weight 0"
	must.Fail(t, must.Err2(spaces.Of(d, set)), "x_A.txt:3")
}
