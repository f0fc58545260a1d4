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

func makeWeights(kind string, n int, rng *rand.Rand) []float64 {
	w := make([]float64, n)
	for i := range w {
		switch kind {
		case "uniform":
			w[i] = 1
		case "integer":
			w[i] = float64(1 + rng.IntN(16))
		case "real":
			w[i] = 0.1 + rng.Float64()
		case "skewed":
			w[i] = math.Pow(10, -8*rng.Float64())
		case "zeros":
			w[i] = float64(rng.IntN(3))
		default:
			panic("ottest: weights " + kind)
		}
	}
	w[rng.IntN(n)]++ // never all zero
	if kind == "uniform" {
		return Uniform(n)
	}
	sum := Sum(w)
	for i := range w {
		w[i] /= sum
	}
	return w
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
		i, j := k/m, k%m
		switch kind {
		case "real":
			M[k] = rng.Float64()
		case "ties":
			M[k] = float64(rng.IntN(3))
		case "constant":
			M[k] = -2.5
		case "negative":
			M[k] = -1 - rng.Float64()
		case "huge":
			M[k] = 1e290 * (rng.Float64() - 0.5)
		case "tiny":
			M[k] = 1e-290 * rng.Float64()
		case "mixed":
			M[k] = math.Pow(10, 12*rng.Float64()-6)
		case "distance":
			M[k] = (x[i] - y[j]) * (x[i] - y[j])
		case "product":
			M[k] = -x[i] * y[j]
		case "sparse":
			if rng.IntN(8) == 0 {
				M[k] = -1
			}
		default:
			panic("ottest: costs " + kind)
		}
	}
	return M
}
