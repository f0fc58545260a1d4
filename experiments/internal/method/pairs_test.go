package method

import (
	"math"
	"slices"
	"testing"

	"ogdl/ot/gw"
)

// TestDistancesOfHandMadeGraphs: two single-edge graphs of differing edge weight, and one
// whose bound is too low.
func TestDistancesOfHandMadeGraphs(t *testing.T) {
	var models []*gw.Space
	for _, x := range []float64{1, 3, 3} {
		m, err := gw.NewSpace([]float64{0, x, x, 0}, nil, 2, 0, []float64{0.5, 0.5})
		if err != nil {
			t.Fatal(err)
		}
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
		got, err := measureModels(t.Context(), models, 1, gw.Settings{}, c.bounds)
		if err != nil {
			t.Fatal(err)
		}
		for p, want := range []float64{root, root, 0} {
			if math.Abs(got.values[p]-want) > 1e-7 {
				t.Errorf("pair %d: %v, want %v", p, got.values[p], want)
			}
		}
		if got.violations != c.violations || got.attained != c.attained || got.convergence.Solves != 6 {
			t.Errorf("bounds %v: %d violations, %d attained, %d solves", c.bounds, got.violations, got.attained, got.convergence.Solves)
		}
	}
}

func TestPairsOfRows(t *testing.T) {
	if got := upper([]float64{0, 1, 2, 1, 0, 3, 2, 3, 0}, 3); !slices.Equal(got, []float64{1, 2, 3}) {
		t.Errorf("upper triangle %v", got)
	}
	if got := Euclidean([]float64{0, 0, 3, 4, 0, 4}, 2); !slices.Equal(got, []float64{5, 4, 3}) {
		t.Errorf("distances %v", got)
	}
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
