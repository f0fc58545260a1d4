package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
)

// singles fills x as draw does; halves among the numbers make ties.
func singles(rng *rand.Rand, n int, wild bool) []float32 {
	x, out := make([]float64, n), make([]float32, n)
	draw(rng, x, wild)
	for k := range out {
		out[k] = float32(x[k])
		if rng.IntN(2) == 0 {
			out[k] = float32(rng.IntN(5)) / 2
		}
	}
	return out
}

// offsets leave out about a third of the places.
func offsets(rng *rand.Rand, n int, sign int) []float64 {
	off := make([]float64, n)
	for k := range off {
		if rng.IntN(3) == 0 {
			off[k] = math.Inf(sign)
		}
	}
	return off
}

func TestConformSVM(t *testing.T) {
	each(t, 130, func(t *testing.T, rng *rand.Rand, n int, wild bool) {
		n = Pad(n)
		x0, x1, v, diag := singles(rng, n, wild), singles(rng, n, wild), page(t, n), page(t, n)
		for k := range v {
			v[k], diag[k] = float64(rng.IntN(7))/2, 2*rng.Float64()
			if wild && rng.IntN(4) == 0 {
				v[k] = special[rng.IntN(len(special))]
			}
		}
		var places [2]int
		var tops [2]float64
		up := offsets(rng, n, -1)
		c := []float64{float64(rng.IntN(3)), rng.NormFloat64()}
		twice(t, fmt.Sprintf("LessMax, %d entries", n), v,
			func(v []float64) { places[0], tops[0] = LessMax(c[0], c[1], x0, x1, v, up) },
			func(v []float64) {
				places[1], tops[1] = lessMax(c[0], c[1], x0, x1, v, up)
				if math.IsInf(tops[1], -1) {
					places[1] = 0
				}
			})
		if places[0] != places[1] || tops[0] != tops[1] {
			t.Fatalf("LessMax, %d entries: %d and %v, in Go %d and %v", n, places[0], tops[0], places[1], tops[1])
		}
		low, m := offsets(rng, n, 1), float64(rng.IntN(9))/2
		if got, want := BestGain(v, low, diag, x0, 1, m, 1e-12), bestGain(v, low, diag, x0, 1, m, 1e-12); got != want {
			t.Fatalf("BestGain, %d entries: %d, in Go %d", n, got, want)
		}
	})
}

// TestBestGain compares with all quotients in turn, of problems with many ties.
func TestBestGain(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	seen := 0
	for range 20000 {
		n := 4 * (1 + rng.IntN(20))
		v, diag, row, low := make([]float64, n), make([]float64, n), make([]float32, n), offsets(rng, n, 1)
		for k := range v {
			v[k], diag[k], row[k] = float64(rng.IntN(4)), float64(rng.IntN(3)), float32(rng.IntN(3))
			if rng.IntN(2) == 0 {
				v[k] += 1e-15 * rng.Float64()
			}
		}
		m, want, best := 3.0, -1, 0.0
		for k := range v {
			if low[k] != 0 || v[k] >= m {
				continue
			}
			a := 1 + diag[k] - 2*float64(row[k])
			if a <= 0 {
				a = 1e-12
			}
			if gain := (m - v[k]) * (m - v[k]) / a; gain >= best {
				want, best = k, gain
			}
		}
		if want >= 0 {
			seen++
		}
		if got := BestGain(v, low, diag, row, 1, m, 1e-12); got != want {
			t.Fatalf("%d, want %d", got, want)
		}
	}
	if seen < 10000 {
		t.Errorf("only %d problems have a place", seen)
	}
}

func TestSVMLengths(t *testing.T) {
	must.Panic(t, "", map[string]func(){
		"LessMax": func() { LessMax(1, 1, make([]float32, 6), make([]float32, 6), make([]float64, 6), make([]float64, 6)) },
		"BestGain": func() {
			BestGain(make([]float64, 6), make([]float64, 6), make([]float64, 6), make([]float32, 6), 1, 1, 1)
		},
	})
}
