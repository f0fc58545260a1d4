package vec

import (
	"testing"

	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

// number covers what decides about bits: zeros of both signs, numbers that cancel,
// ones far apart in size, infinities and NaN.
var number = rapid.OneOf(
	rapid.Float64Range(-2, 2),
	rapid.SampledFrom(special),
)

func vector(t *rapid.T, name string, n int) []float64 {
	return rapid.SliceOfN(number, n, n).Draw(t, name)
}

// mapped is f of every entry of y, with its place.
func mapped(y []float64, f func(i int, y float64) float64) []float64 {
	out := make([]float64, len(y))
	for i, v := range y {
		out[i] = f(i, v)
	}
	return out
}

// TestNaive compares every bit with loops over single entries.
func TestNaive(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := 4 * rapid.IntRange(0, 6).Draw(t, "n/4")
		any := n + rapid.IntRange(0, 3).Draw(t, "rest")
		f := number.Draw(t, "f")
		x, y := vector(t, "x", any), vector(t, "y", any)
		run := func(n int, of func(y []float64)) []float64 {
			out := append([]float64(nil), y[:n]...)
			of(out)
			return out
		}
		plus := func(i int, y float64) float64 { return y + float64(f*x[i]) }
		sameBits(t, "Axpy", run(any, func(y []float64) { Axpy(f, x, y) }), mapped(y, plus))
		sameBits(t, "Lerp", run(any, func(y []float64) { Lerp(f, x, y) }),
			mapped(y, func(i int, y float64) float64 { return y + float64(f*(x[i]-y)) }))

		var sum [8]float64
		for i := range any {
			sum[i%8] += float64(x[i] * y[i])
		}
		for k := range 4 {
			sum[k] += sum[k+4]
		}
		sameBits(t, "Dot", []float64{Dot(x, y)}, []float64{(sum[0] + sum[1]) + (sum[2] + sum[3])})

		squares := 0.0
		for i := range any {
			squares += float64((x[i] - y[i]) * (x[i] - y[i]))
		}
		limit := number.Draw(t, "limit")
		want, least := -1, limit // the first of the least, if below limit
		for i := range any {
			if d := x[i] - y[i]; d < least {
				want, least = i, d
			}
		}
		must.Equal(t, Least(x, y, limit), want, "Least")

		sameBits(t, "SquaredDistance", []float64{SquaredDistance(x, y)}, []float64{squares})
	})
}

// TestNothingAllocated: they stand in the innermost loops.
func TestNothingAllocated(t *testing.T) {
	x, y := make([]float64, 24), make([]float64, 24)
	sum := 0.0
	if n := testing.AllocsPerRun(10, func() {
		Axpy(1, x, y)
		Axpy(1, x[:23], y)
		Lerp(0.5, x, y)
		sum += Dot(x, y) + SquaredDistance(x, y)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
