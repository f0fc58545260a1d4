package method

import (
	"math"
	"testing"

	"ogdl/internal/artifact"
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
	must.Same(t, Upper([]float64{0, 1, 2, 1, 0, 3, 2, 3, 0}, 3), []float64{1, 2, 3}, "upper triangle")
	must.Same(t, Euclidean([]float64{0, 0, 3, 4, 0, 4}, 2), []float64{5, 4, 3}, "distances")
	pairs, x := &artifact.Pairs{N: 3, Classes: []int{1, 0, 1}}, []float64{5, 6, 7}
	must.Same(t, ofClasses(pairs, x, true), []float64{6}, "within")
	must.Same(t, ofClasses(pairs, x, false), []float64{5, 7}, "between")
	if pairs.Classes = nil; ofClasses(pairs, x, true) != nil || ofClasses(pairs, x, false) != nil {
		t.Errorf("without classes: %v, %v", ofClasses(pairs, x, true), ofClasses(pairs, x, false))
	}
	out := &Result{Scores: map[string]float64{}}
	out.correlate("a", 0.5)
	out.correlate("b", math.NaN())
	if len(out.Scores) != 1 || out.Scores["a"] != 0.5 || len(out.Notes) != 1 {
		t.Errorf("scores %v, notes %q", out.Scores, out.Notes)
	}
}
