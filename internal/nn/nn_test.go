package nn

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

func normal(rng *rand.Rand, n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = rng.NormFloat64()
	}
	return x
}

// bar is how far a gradient may be from the difference quotient, relative to 1 + its size.
const bar = 1e-6

// differences compares a gradient with difference quotients of f in x. pattern tells on which piece of a function with
// kinks x lies: quotients across kinks do not count, and few may be.
func differences(t *testing.T, what string, f func() float64, pattern func() string, x []*float64, grad []float64) {
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

func pointers(x []float64) []*float64 {
	out := make([]*float64, len(x))
	for i := range x {
		out[i] = &x[i]
	}
	return out
}

func smooth() string { return "" }

// weighted is a function of a matrix whose gradient is r.
func weighted(x, r []float64) (sum float64) {
	for i, v := range x {
		sum += v * r[i]
	}
	return sum
}

// TestGradientOfLinear checks X W by W and by X.
func TestGradientOfLinear(t *testing.T) {
	const rows, in, out = 2*chunk + 7, 8, 12
	rng := rand.New(rand.NewPCG(3, 1))
	x, w, r := normal(rng, rows*in), normal(rng, in*out), normal(rng, rows*out)
	f := func() float64 {
		y := make([]float64, rows*out)
		for i := range rows {
			for k := range in {
				for j := range out {
					y[i*out+j] += x[i*in+k] * w[k*out+j]
				}
			}
		}
		return weighted(y, r)
	}
	gw := make([]float64, in*out)
	MulColumns(x, in, in, r, out, gw)
	differences(t, "by W", f, smooth, pointers(w), gw)
	gx := normal(rng, rows*in)
	MulBack(r, out, w, in, make([]float64, in*out), gx)
	differences(t, "by X", f, smooth, pointers(x), gx)
}

// TestGradientOfNormalisation checks batch normalisation and ReLU, by what comes in, scale and shift.
func TestGradientOfNormalisation(t *testing.T) {
	for _, rows := range []int{1, 2, 30} {
		const h = 4
		rng := rand.New(rand.NewPCG(4, uint64(rows)))
		x, scale, shift, r := normal(rng, rows*h), normal(rng, h), normal(rng, h), normal(rng, rows*h)
		u, m := NewUnits(rows, h), NewMoments(h)
		layer, grad := &Layer{Scale: scale, Shift: shift}, &Layer{Scale: make([]float64, h), Shift: make([]float64, h)}
		f := func() float64 {
			copy(u.Unit, x)
			u.Activate(layer, &m, rows, true)
			return weighted(u.Out, r)
		}
		pattern := func() (on string) {
			for _, v := range u.Out {
				on += "01"[min(1, int(math.Ceil(v))):][:1]
			}
			return on
		}
		f()
		dx := slices.Clone(r)
		u.Back(dx, layer, grad)
		differences(t, fmt.Sprintf("%d rows, by x", rows), f, pattern, pointers(x), dx)
		differences(t, fmt.Sprintf("%d rows, by scale", rows), f, pattern, pointers(scale), grad.Scale)
		differences(t, fmt.Sprintf("%d rows, by shift", rows), f, pattern, pointers(shift), grad.Shift)
	}
}

// TestGradientOfCrossEntropy checks the softmax, of scores that are large too.
func TestGradientOfCrossEntropy(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for _, size := range []float64{1e-3, 1, 30, 900} {
		scores, grad := normal(rng, 5), make([]float64, 5)
		for i := range scores {
			scores[i] *= size
		}
		f := func() float64 { return crossEntropy(scores, 2, make([]float64, 5)) }
		crossEntropy(scores, 2, grad)
		differences(t, fmt.Sprint("scores of ", size), f, smooth, pointers(scores), grad)
	}
}

// TestGradientOfWindows checks a convolution: rows that overlap, by the weights.
func TestGradientOfWindows(t *testing.T) {
	const rows, step, width, out = chunk + 5, 4, 12, 8
	rng := rand.New(rand.NewPCG(3, 2))
	x, w, r := normal(rng, (rows-1)*step+width), normal(rng, width*out), normal(rng, rows*out)
	f := func() (sum float64) {
		for i := range rows {
			for k := range width {
				for j := range out {
					sum += x[i*step+k] * w[k*out+j] * r[i*out+j]
				}
			}
		}
		return sum
	}
	grad := make([]float64, width*out)
	MulColumns(x, step, width, r, out, grad)
	differences(t, "by W", f, smooth, pointers(w), grad)
}

// TestEpoch: one pass learns from each thing once, at a rate that is halved, and ends with its context.
func TestEpoch(t *testing.T) {
	classes := []int{4, 3, 2, 1, 0}
	d := NewDeck(classes, 2, rand.New(rand.NewPCG(1, 1)))
	s := &Schedule{Batch: 2, Rate: 1, HalveEvery: 3}
	var seen []int
	loss, err := d.Epoch(context.Background(), s, 7, func(batch, of []int, rate float64) float64 {
		for i, k := range batch {
			if of[i] != classes[k] {
				t.Errorf("class %d of %d", of[i], k)
			}
		}
		if rate != .25 {
			t.Errorf("rate %v", rate)
		}
		seen = append(seen, batch...)
		return float64(len(batch))
	})
	slices.Sort(seen)
	if !slices.Equal(seen, []int{0, 1, 2, 3, 4}) || err != nil || loss != 9.0/5 {
		t.Errorf("%v, loss %v, %v", seen, loss, err)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := d.Epoch(ended, s, 0, nil); err != context.Canceled {
		t.Errorf("%v after the end", err)
	}
}
