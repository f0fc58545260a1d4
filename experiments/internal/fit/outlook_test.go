package fit

import (
	"context"
	"slices"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/method"
	"ogdl/internal/test/must"
)

// TestLargeGraphs: atoms of large graphs have 25 nodes, with a note, unless the order is given; the size of the fit is told before it begins.
func TestLargeGraphs(t *testing.T) {
	t.Parallel()
	d := &datasets.Dataset{Name: "rings"}
	for k := range 4 {
		n := 60 + k
		g := datasets.Graph{Neighbors: make([][]int32, n)}
		for i := range n {
			a, b := int32((i+n-1)%n), int32((i+1)%n)
			g.Neighbors[i] = []int32{min(a, b), max(a, b)}
		}
		d.Graphs = append(d.Graphs, g)
	}
	gdl := method.GDL()
	row := &gdl.Method
	for _, c := range []struct {
		given       map[string]any
		order, note string
	}{
		{map[string]any{}, "order = 25", "Atoms have 25 nodes"},
		{map[string]any{"order": int64(35)}, "order = 35", ""},
		{map[string]any{"order": int64(64)}, "order = 64", "Atoms have 64 nodes, more than the largest graph, which has 63"},
	} {
		s := Settings{Method: "GDL", Atoms: []int{2, 3}, Given: c.given, Seed: 1}
		text, notes, err := s.Configuration(row, d, "rings.jsonl", nil)
		if err != nil || !strings.Contains(string(text), c.order) || !strings.HasPrefix(strings.Join(notes, ""), c.note) {
			t.Errorf("%v: %s%v, %v, want %s and %q", c.given, text, notes, err, c.order, c.note)
		}
	}
	for _, c := range []struct {
		method string
		atoms  []int
		given  map[string]any
		want   string
	}{
		// 2 numbers of atoms, 5 repetitions; 20 epochs and the embedding of 4 graphs, twice for the held-out ones
		{"GDL", []int{2, 3}, map[string]any{}, "4 graphs of 60 to 63 nodes, 10 dictionaries of at most 3 atoms of 25 nodes: 1680 unmixings. One takes "},
		{"GDL", []int{2}, map[string]any{"order": int64(70)}, "Warning: atoms have more nodes than every graph. With -order 63 all take about "},
		{"GDL_h", []int{2}, map[string]any{"epochs": int64(1)}, "5 dictionaries"},
		{"GDL", []int{60}, map[string]any{"init": "random", "order": int64(2)}, "at most 60 atoms"}, // more than graphs
	} {
		rows := method.Rows()
		row := &rows[slices.IndexFunc(rows, func(r method.Row) bool { return r.Name == c.method })].Method
		text := must.First((&Settings{Method: c.method, Atoms: c.atoms, Given: c.given, Seed: 1}).Configuration(row, d, "rings.jsonl", nil))
		config := must.Get(grid.Parse(text, "fit.toml", rows.Described()))
		line, err := Outlook(context.Background(), config.Cells(), d)
		if err != nil || !strings.Contains(line, c.want) {
			t.Errorf("%+v: %s, %v", c, line, err)
		}
	}
}
