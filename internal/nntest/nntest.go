// Package nntest compares gradients with difference quotients, for the tests of networks.
package nntest

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Normal draws n normal numbers.
func Normal(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// bar is how far a gradient may be from the difference quotient, relative to 1 + its size.
const bar = 1e-6

// Differences compares a gradient with difference quotients of f in x. pattern tells on which piece of a function with
// kinks x lies: quotients across kinks do not count, and few may be.
func Differences(t *testing.T, what string, f func() float64, pattern func() string, x []*float64, grad []float64) {
	t.Helper()
	const step = 1e-5
	across, at := 0, pattern()
	for i, p := range x {
		old := *p
		*p = old + step
		up, same := f(), pattern() == at
		*p = old - step
		down := f()
		same = same && pattern() == at
		*p = old
		f()
		switch quotient := (up - down) / (2 * step); {
		case !same:
			across++
		case !(math.Abs(grad[i]-quotient) <= bar*(1+math.Abs(quotient))):
			t.Errorf("%s: gradient %d is %v, the difference quotient %v", what, i, grad[i], quotient)
		}
	}
	if 4*across > len(x) {
		t.Errorf("%s: %d of %d quotients lie across kinks", what, across, len(x))
	}
}

// Pointers returns a pointer to each number.
func Pointers(x []float64) []*float64 {
	out := make([]*float64, len(x))
	for i := range x {
		out[i] = &x[i]
	}
	return out
}

// Smooth is the pattern of a function without kinks.
func Smooth() string { return "" }

// Signs is the pattern of numbers: which are above 0.
func Signs(x []float64) string {
	on := make([]byte, len(x))
	for i, v := range x {
		on[i] = '0'
		if v > 0 {
			on[i] = '1'
		}
	}
	return string(on)
}

// Weighted is a function of a matrix whose gradient is r.
func Weighted(x, r []float64) (sum float64) {
	for i, v := range x {
		sum += v * r[i]
	}
	return sum
}
