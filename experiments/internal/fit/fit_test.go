package fit

import (
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/experiments/internal/method"
)

// TestStepOfWeights: the step follows the mean weight of the edges.
func TestStepOfWeights(t *testing.T) {
	t.Parallel()
	pair := func(w float64) datasets.Graph {
		return datasets.Graph{Neighbors: [][]int32{{1}, {0}}, Weights: [][]float64{{w}, {w}}}
	}
	gdl := method.GDL()
	for _, c := range []struct {
		weight float64
		given  map[string]any
		want   string
		notes  int
	}{
		{1e-5, map[string]any{}, "step_structure = 2e-07", 1},
		{0.5, map[string]any{}, "step_structure = 0.01", 0},
		{1e200, map[string]any{}, "step_structure = 1e+06", 1},
		{1e-5, map[string]any{"step_structure": 0.5}, "step_structure = 0.5", 0},
		{1e-5, map[string]any{"representation": "heat_kernel"}, "step_structure = 0.01", 0},
	} {
		s := Settings{Method: "GDL", Atoms: []int{2}, Given: c.given, Seed: 1}
		d := &datasets.Dataset{Name: "pairs", Weighted: true, Graphs: []datasets.Graph{pair(c.weight), pair(3 * c.weight)}}
		text, notes, err := s.Configuration(&gdl.Method, d, "pairs.jsonl", nil)
		if err != nil || !strings.Contains(string(text), c.want) || len(notes) != c.notes {
			t.Errorf("%s%v, %v, want %s", text, notes, err, c.want)
		}
	}
}

// TestLargeGraphs: atoms of large graphs have 25 nodes, with a note, unless the order is given.
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
		s := Settings{Method: "GDL", Atoms: []int{2}, Given: c.given, Seed: 1}
		text, notes, err := s.Configuration(row, d, "rings.jsonl", nil)
		if err != nil || !strings.Contains(string(text), c.order) || !strings.HasPrefix(strings.Join(notes, ""), c.note) {
			t.Errorf("%v: %s%v, %v, want %s and %q", c.given, text, notes, err, c.order, c.note)
		}
	}
}
