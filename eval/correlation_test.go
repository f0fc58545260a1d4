package eval_test

import (
	"math"
	"testing"

	"ogdl/eval"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

func TestCorrelationsOfKnownNumbers(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		name              string
		x, y              []float64
		pearson, spearman float64
	}{
		{"line", []float64{1, 2, 3}, []float64{2, 4, 6}, 1, 1},
		{"falling line", []float64{1, 2, 3}, []float64{5, 3, 1}, -1, -1},
		{"rising curve", []float64{0, 1, 2}, []float64{0, 1, 8}, 8 / math.Sqrt(76), 1},
		{"no trend", []float64{-1, 0, 1}, []float64{1, 0, 1}, 0, 0},
		{"ties", []float64{1, 1, 2, 3}, []float64{1, 2, 3, 4}, 3.5 / math.Sqrt(13.75), 4.5 / math.Sqrt(22.5)},
		{"far from zero", []float64{1e9, 1e9 + 1, 1e9 + 2}, []float64{1, 2, 4}, 3 / math.Sqrt(2*14.0/3), 1},
		{"tiny", []float64{1e-200, 2e-200, 4e-200}, []float64{1, 2, 3}, 3 / math.Sqrt(2*14.0/3), 1},
		{"huge", []float64{1e200, 2e200, 4e200}, []float64{1, 2, 3}, 3 / math.Sqrt(2*14.0/3), 1},
		{"no number", []float64{1, nan, 3}, []float64{1, 2, 3}, nan, nan},
		{"constant", []float64{0.1, 0.1, 0.1}, []float64{1, 2, 3}, nan, nan},
		{"one pair", []float64{1}, []float64{2}, nan, nan},
		{"none", nil, nil, nan, nan},
	} {
		for name, got := range map[string][2]float64{"Pearson": {eval.Pearson(c.x, c.y), c.pearson}, "Spearman": {eval.Spearman(c.x, c.y), c.spearman}} {
			if math.IsNaN(got[0]) != math.IsNaN(got[1]) || math.Abs(got[0]-got[1]) > 1e-12 {
				t.Errorf("%s, %s: %v, want %v", c.name, name, got[0], got[1])
			}
		}
	}
}

// Correlations are symmetric, bounded, and blind to what they should be blind to.
func TestCorrelationProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 30).Draw(t, "n")
		of := func(name string) []float64 {
			return rapid.SliceOfN(rapid.Map(rapid.IntRange(-20, 20), func(v int) float64 { return float64(v) }), n, n).Draw(t, name)
		}
		x, y := of("x"), of("y")
		p, s := eval.Pearson(x, y), eval.Spearman(x, y)
		must.Equal(t, math.IsNaN(p), math.IsNaN(s), "one of Pearson %v, Spearman %v is no number", p, s)
		if math.IsNaN(p) {
			return
		}
		z, cubes := make([]float64, n), make([]float64, n)
		for i, v := range y {
			z[i], cubes[i] = 3-2*v, v*v*v
		}
		if !(math.Abs(p) <= 1) || !(math.Abs(eval.Pearson(y, x)-p) <= 1e-12) || !(math.Abs(eval.Pearson(x, z)+p) <= 1e-12) {
			t.Errorf("Pearson %v, swapped %v, of 3 - 2y %v", p, eval.Pearson(y, x), eval.Pearson(x, z))
		}
		if !(math.Abs(s) <= 1) || eval.Spearman(x, cubes) != s || !(math.Abs(eval.Spearman(x, z)+s) <= 1e-12) {
			t.Errorf("Spearman %v, of y^3 %v, of 3 - 2y %v", s, eval.Spearman(x, cubes), eval.Spearman(x, z))
		}
	})
}

func TestCorrelationsOfDifferentLengthsPanic(t *testing.T) {
	x, y := []float64{1, 2}, []float64{1}
	must.Panic(t, "", map[string]func(){"Pearson": func() { eval.Pearson(x, y) }, "Spearman": func() { eval.Spearman(x, y) }})
}
