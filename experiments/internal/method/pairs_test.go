package method

import (
	"math"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// TestDistancesOfHandMadeGraphs: two single-edge graphs of differing edge weight, and one
// whose bound is too low.
func TestDistancesOfHandMadeGraphs(t *testing.T) {
	var models []*gw.Space
	for _, x := range []float64{1, 3, 3} {
		m := must.Get(gw.NewSpace([]float64{0, x, x, 0}, nil, 2, 0, []float64{0.5, 0.5}))
		models = append(models, m)
	}
	// At the diagonal coupling the objective is 2 (1/2)^2 (3 - 1)^2 = 2.
	root := math.Sqrt(2)
	for _, c := range []struct {
		bounds               []float64
		violations, attained int
	}{
		{[]float64{root, root, 0}, 0, 3},
		{[]float64{2, root, 0}, 0, 2},
		{[]float64{1, root, 0.5}, 1, 1},
	} {
		got := must.Get(measureModels(t.Context(), models, 1, gw.Settings{}, c.bounds))
		for p, want := range []float64{root, root, 0} {
			must.Within(t, got.values[p], want, 1e-7, "pair %d", p)
		}
		if got.violations != c.violations || got.attained != c.attained || got.convergence.Solves != 6 {
			t.Errorf("bounds %v: %d violations, %d attained, %d solves", c.bounds, got.violations, got.attained, got.convergence.Solves)
		}
	}
}

func TestPairsOfRows(t *testing.T) {
	must.Same(t, upper([]float64{0, 1, 2, 1, 0, 3, 2, 3, 0}, 3), []float64{1, 2, 3}, "upper triangle")
	must.Same(t, Euclidean([]float64{0, 0, 3, 4, 0, 4}, 2), []float64{5, 4, 3}, "distances")
	within, between := splitPairs([]int{1, 0, 1}, 3)
	if !slices.Equal(within, []int{1}) || !slices.Equal(between, []int{0, 2}) {
		t.Errorf("within %v, between %v", within, between)
	}
	if within, between = splitPairs(nil, 3); within != nil || between != nil {
		t.Errorf("without classes: %v, %v", within, between)
	}
	out := &Result{Scores: map[string]float64{}}
	out.correlate("a", 0.5)
	out.correlate("b", math.NaN())
	if len(out.Scores) != 1 || out.Scores["a"] != 0.5 || len(out.Notes) != 1 {
		t.Errorf("scores %v, notes %q", out.Scores, out.Notes)
	}
}
