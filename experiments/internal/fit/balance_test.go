package fit

import (
	"math"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/experiments/internal/method"
	"ogdl/internal/test/must"
)

// stars are stars of 5 to 8 nodes, whose attributes are 0, k or 2 k.
func stars(k float64) *datasets.Dataset {
	d := &datasets.Dataset{Name: "stars", AttributeDim: 1}
	for i := range 20 {
		n := 5 + i%4
		g := datasets.Graph{Neighbors: make([][]int32, n), Attributes: make([]float64, n)}
		for j := 1; j < n; j++ {
			g.Neighbors[0] = append(g.Neighbors[0], int32(j))
			g.Neighbors[j] = []int32{0}
			g.Attributes[j] = k * float64(i%3)
		}
		d.Graphs = append(d.Graphs, g)
	}
	return d
}

// TestBalanced: features that are k times as large take a share of the cost that grows with the square of k, and equal features take none.
func TestBalanced(t *testing.T) {
	t.Parallel()
	row := method.GDL()
	alphaOf := func(k float64) float64 {
		return must.Get(balanced(&row.Method, stars(k), map[string]any{"features": "attributes", "scaling": "none"}))
	}
	one, ten := alphaOf(0.1), alphaOf(1)
	if odds := ten / (1 - ten) / (one / (1 - one)); one <= 0 || ten <= one || !(math.Abs(odds-100) <= 50) {
		t.Errorf("alpha %g and %g, odds %g, want 100", one, ten, odds)
	}
	must.Check(t, alphaOf(0), 0.5, "alpha without a cost of features")
}

// TestSeveralFeatures: a fit that chooses among features, or was given a wrong word for them, has its other defaults.
func TestSeveralFeatures(t *testing.T) {
	row := method.GDL()
	for _, features := range []any{[]any{"degree", "attributes"}, "atributes"} {
		s := Settings{Atoms: []int{2}, Given: map[string]any{"features": features, "alpha": 0.5}}
		text, _, err := s.Configuration(&row.Method, stars(1), "stars", nil)
		for _, line := range []string{"\nstep_structure = 0.01\n", "\nkmeans_restarts = 20\n", "\nfeatures = "} {
			if err != nil || !strings.Contains(string(text), line) {
				t.Errorf("features = %v: %v; no %q in\n%s", features, err, line, text)
			}
		}
	}
}
