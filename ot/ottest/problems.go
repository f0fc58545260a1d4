package ottest

import (
	"fmt"
	"math"
	"math/rand/v2"
)

// Uniform returns n equal weights of sum 1.
func Uniform(n int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1 / float64(n)
	}
	return w
}

// Uneven returns n weights of sum 1, proportional to 1, 2, 3 or 4; k changes their order.
func Uneven(n, k int) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = 1 + float64((5*i+k)%4)
	}
	return Normalized(w)
}

// Normalized divides w by its sum, in place.
func Normalized(w []float64) []float64 {
	sum := Sum(w)
	for i := range w {
		w[i] /= sum
	}
	return w
}

// Tight returns the n rows of m entries of a matrix of stride ld without its padding.
func Tight(x []float64, ld, n, m int) []float64 {
	out := make([]float64, 0, n*m)
	for i := range n {
		out = append(out, x[i*ld:i*ld+m]...)
	}
	return out
}

// RandomCosts returns n*m costs uniform in [0, 1).
func RandomCosts(n, m int, rng *rand.Rand) []float64 {
	M := make([]float64, n*m)
	for k := range M {
		M[k] = rng.Float64()
	}
	return M
}

// Problems returns the suite's table: every shape, weighting and family of costs
// that has its own way to go wrong. The order and the values are fixed.
func Problems() []Problem {
	rng := rand.New(rand.NewPCG(2021, 7))
	var all []Problem
	shapes := [][2]int{{1, 1}, {1, 7}, {7, 1}, {2, 2}, {3, 4}, {8, 8}, {17, 20}, {20, 17}, {30, 34}, {64, 64},
		{65, 64}, {60, 69}, {90, 41}, {130, 130}, {200, 9}, {9, 200}, {127, 1}, {1, 128}, {3, 300}}
	weights := []string{"uniform", "integer", "real", "skewed", "zeros"}
	costs := []string{"real", "ties", "constant", "negative", "huge", "tiny", "mixed", "distance", "product", "sparse"}
	for _, s := range shapes {
		for ic, c := range costs {
			for iw, w := range weights {
				if s[0]*s[1] > 600 && (ic+iw)%4 != 0 {
					continue // large ones: a diagonal of the table
				}
				all = append(all, Problem{
					Name: fmt.Sprintf("%dx%d/%s/%s", s[0], s[1], w, c),
					A:    makeWeights(w, s[0], rng),
					B:    makeWeights(w, s[1], rng),
					M:    makeCosts(c, s[0], s[1], rng),
				})
			}
		}
	}
	return all
}

// weightKinds draw an entry of a vector of weights.
var weightKinds = map[string]func(rng *rand.Rand) float64{
	"uniform": func(*rand.Rand) float64 { return 1 },
	"integer": func(rng *rand.Rand) float64 { return float64(1 + rng.IntN(16)) },
	"real":    func(rng *rand.Rand) float64 { return 0.1 + rng.Float64() },
	"skewed":  func(rng *rand.Rand) float64 { return math.Pow(10, -8*rng.Float64()) },
	"zeros":   func(rng *rand.Rand) float64 { return float64(rng.IntN(3)) },
}

func makeWeights(kind string, n int, rng *rand.Rand) []float64 {
	w := make([]float64, n)
	for i := range w {
		w[i] = weightKinds[kind](rng)
	}
	w[rng.IntN(n)]++ // never all zero
	if kind == "uniform" {
		return Uniform(n)
	}
	return Normalized(w)
}

// costKinds draw the cost between a row at x and a column at y.
var costKinds = map[string]func(rng *rand.Rand, x, y float64) float64{
	"real":     func(rng *rand.Rand, _, _ float64) float64 { return rng.Float64() },
	"ties":     func(rng *rand.Rand, _, _ float64) float64 { return float64(rng.IntN(3)) },
	"constant": func(*rand.Rand, float64, float64) float64 { return -2.5 },
	"negative": func(rng *rand.Rand, _, _ float64) float64 { return -1 - rng.Float64() },
	"huge":     func(rng *rand.Rand, _, _ float64) float64 { return 1e290 * (rng.Float64() - 0.5) },
	"tiny":     func(rng *rand.Rand, _, _ float64) float64 { return 1e-290 * rng.Float64() },
	"mixed":    func(rng *rand.Rand, _, _ float64) float64 { return math.Pow(10, 12*rng.Float64()-6) },
	"distance": func(_ *rand.Rand, x, y float64) float64 { return (x - y) * (x - y) },
	"product":  func(_ *rand.Rand, x, y float64) float64 { return -x * y },
	"sparse": func(rng *rand.Rand, _, _ float64) float64 {
		if rng.IntN(8) == 0 {
			return -1
		}
		return 0
	},
}

func makeCosts(kind string, n, m int, rng *rand.Rand) []float64 {
	M := make([]float64, n*m)
	x, y := make([]float64, n), make([]float64, m)
	for i := range x {
		x[i] = float64(rng.IntN(9)) / 8
	}
	for j := range y {
		y[j] = float64(rng.IntN(9)) / 8
	}
	for k := range M {
		M[k] = costKinds[kind](rng, x[k/m], y[k%m])
	}
	return M
}
