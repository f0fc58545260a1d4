package eval

import (
	"cmp"
	"fmt"
	"math"
	"slices"
)

// Pearson returns the correlation coefficient of pairs (x[i], y[i]),
//
//	sum (x - mx)(y - my) / sqrt(sum (x - mx)^2 sum (y - my)^2)
//
// in [-1, 1]; NaN where x or y is constant or has a number that is not finite, and for fewer than two
// pairs. Shifts and positive factors of x or y change it only by rounding. Slices of differing lengths
// panic. Cost O(n).
func Pearson(x, y []float64) float64 {
	if len(x) != len(y) {
		panic(fmt.Sprintf("eval: Pearson of %d and %d numbers", len(x), len(y)))
	}
	if constant(x) || constant(y) {
		return math.NaN() // a mean that is rounded would leave a variance
	}
	x, y = scaled(x), scaled(y)
	mx, my := mean(x), mean(y)
	var xx, yy, xy float64
	for i := range x {
		dx, dy := x[i]-mx, y[i]-my
		xx += float64(dx * dx)
		yy += float64(dy * dy)
		xy += float64(dx * dy)
	}
	return max(-1, min(1, xy/(math.Sqrt(xx)*math.Sqrt(yy))))
}

// Spearman returns the correlation coefficient of the ranks of x and y: 1, but for rounding, where y
// rises with x, whatever the curve. Equal numbers share the mean of their ranks. NaN where x or y is constant or
// has a NaN, and for fewer than two pairs; panics are as for [Pearson]. Cost O(n log n).
func Spearman(x, y []float64) float64 {
	if len(x) != len(y) {
		panic(fmt.Sprintf("eval: Spearman of %d and %d numbers", len(x), len(y)))
	}
	if slices.ContainsFunc(slices.Concat(x, y), math.IsNaN) {
		return math.NaN()
	}
	return Pearson(ranks(x), ranks(y))
}

// scaled returns x by a power of two that makes the largest size below 1, so that no square of a
// difference overflows, or all of them vanish.
func scaled(x []float64) []float64 {
	size := 0.0
	for _, v := range x {
		size = max(size, math.Abs(v))
	}
	_, e := math.Frexp(size)
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Ldexp(v, -e)
	}
	return out
}

func constant(x []float64) bool {
	return !slices.ContainsFunc(x, func(v float64) bool { return v != x[0] })
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}

// ranks counts from 1; equal numbers get the mean of their places.
func ranks(x []float64) []float64 {
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	out := make([]float64, len(x))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && x[order[to]] == x[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+to+1) / 2
		}
		from = to
	}
	return out
}
