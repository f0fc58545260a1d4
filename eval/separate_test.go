package eval

import (
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
)

// TestSeparate: planted groups are counted; a ball, a box, a curve and equal points have no clusters.
func TestSeparate(t *testing.T) {
	t.Parallel()
	const n = 120
	for _, c := range []struct {
		name string
		want int
		at   func(i int, rng *rand.Rand) [3]float64
	}{
		{"ball", 1, func(i int, rng *rand.Rand) [3]float64 {
			return [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		}},
		{"box", 1, func(i int, rng *rand.Rand) [3]float64 { return [3]float64{rng.Float64(), rng.Float64()} }},
		{"curve", 1, func(i int, rng *rand.Rand) [3]float64 {
			x := math.Pi * rng.Float64()
			return [3]float64{math.Cos(x), math.Sin(x), 0.02 * rng.NormFloat64()}
		}},
		{"skewed", 1, func(i int, rng *rand.Rand) [3]float64 {
			return [3]float64{rng.ExpFloat64(), rng.ExpFloat64(), rng.ExpFloat64()}
		}},
		{"equal", 1, func(i int, rng *rand.Rand) [3]float64 { return [3]float64{1, 2, 3} }},
		{"two", 2, func(i int, rng *rand.Rand) [3]float64 {
			return [3]float64{float64(6*(i%2)) + rng.NormFloat64(), rng.NormFloat64()}
		}},
		{"unequal", 2, func(i int, rng *rand.Rand) [3]float64 {
			wide := float64(2 * (i % 2))
			return [3]float64{12*float64(i%2) + (1+wide)*rng.NormFloat64(), (1 + wide) * rng.NormFloat64()}
		}},
		{"four", 4, func(i int, rng *rand.Rand) [3]float64 {
			return [3]float64{float64(i%2*8) + rng.NormFloat64(), float64(i/2%2*8) + rng.NormFloat64()}
		}},
	} {
		right := 0
		for seed := range uint64(3) {
			rng := rand.New(rand.NewPCG(seed, 1))
			var X []float64
			for i := range n {
				p := c.at(i, rng)
				X = append(X, p[:]...)
			}
			k := must.Get(Separate(X, n, 3, rng))
			if k == c.want {
				right++
			}
		}
		if right < 2 {
			t.Errorf("%s: %d of 3 draws have %d clusters", c.name, right, c.want)
		}
	}
}

func TestFewestWithinError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		errors [][]float64
		want   int
	}{
		{[][]float64{{9, 9, 9}, {2, 2.2, 2.1}, {2, 2, 2.2}}, 1}, // the difference is within its error
		{[][]float64{{2.1, 3.1, 4.1}, {2, 3, 4}}, 1},            // paired: small, but always there
		{[][]float64{nil, {3}, {2}}, 2},
		{[][]float64{nil, nil}, -1},
	} {
		if got := FewestWithinError(c.errors); got != c.want {
			t.Errorf("%v: row %d, want %d", c.errors, got, c.want)
		}
	}
}
