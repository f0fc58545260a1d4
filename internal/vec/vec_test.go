package vec_test

import (
	"math"
	"testing"

	"ogdl/internal/vec"

	"pgregory.net/rapid"
)

// number covers what decides about bits: zeros of both signs, numbers that cancel,
// ones far apart in size, infinities and NaN.
var number = rapid.OneOf(
	rapid.Float64Range(-2, 2),
	rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1, -1, 1e-300, 1e300, math.Inf(1), math.Inf(-1), math.NaN(), math.SmallestNonzeroFloat64}),
)

func vector(t *rapid.T, name string, n int) []float64 {
	return rapid.SliceOfN(number, n, n).Draw(t, name)
}

// same compares bits; NaN is NaN.
func same(t *rapid.T, what string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) && !(math.IsNaN(got[i]) && math.IsNaN(want[i])) {
			t.Fatalf("%s: entry %d of %d is %v, want %v", what, i, len(want), got[i], want[i])
		}
	}
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
		same(t, "Axpy", run(any, func(y []float64) { vec.Axpy(f, x, y) }), mapped(y, plus))
		same(t, "Lerp", run(any, func(y []float64) { vec.Lerp(f, x, y) }),
			mapped(y, func(i int, y float64) float64 { return y + float64(f*(x[i]-y)) }))

		var sum [8]float64
		for i := range any {
			sum[i%8] += float64(x[i] * y[i])
		}
		for k := range 4 {
			sum[k] += sum[k+4]
		}
		same(t, "Dot", []float64{vec.Dot(x, y)}, []float64{(sum[0] + sum[1]) + (sum[2] + sum[3])})

		squares := 0.0
		for i := range any {
			squares += float64((x[i] - y[i]) * (x[i] - y[i]))
		}
		same(t, "SquaredDistance", []float64{vec.SquaredDistance(x, y)}, []float64{squares})
	})
}

// TestNothingAllocated: they stand in the innermost loops.
func TestNothingAllocated(t *testing.T) {
	x, y := make([]float64, 24), make([]float64, 24)
	sum := 0.0
	if n := testing.AllocsPerRun(10, func() {
		vec.Axpy(1, x, y)
		vec.Axpy(1, x[:23], y)
		vec.Lerp(0.5, x, y)
		sum += vec.Dot(x, y) + vec.SquaredDistance(x, y)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
