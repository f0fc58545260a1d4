package nn

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/nntest"
	"ogdl/internal/test/must"
)

// TestGradientOfLinear checks X W by W and by X.
func TestGradientOfLinear(t *testing.T) {
	const rows, in, out = 2*chunk + 7, 8, 12
	rng := rand.New(rand.NewPCG(3, 1))
	x, w, r := nntest.Normal(rng, rows*in), nntest.Normal(rng, in*out), nntest.Normal(rng, rows*out)
	f := func() float64 {
		y := make([]float64, rows*out)
		for i := range rows {
			for k := range in {
				for j := range out {
					y[i*out+j] += x[i*in+k] * w[k*out+j]
				}
			}
		}
		return nntest.Weighted(y, r)
	}
	gw := make([]float64, in*out)
	MulColumns(x, in, in, r, out, gw)
	nntest.Differences(t, "by W", f, nntest.Smooth, nntest.Pointers(w), gw)
	gx := nntest.Normal(rng, rows*in)
	MulBack(r, out, w, in, make([]float64, in*out), gx)
	nntest.Differences(t, "by X", f, nntest.Smooth, nntest.Pointers(x), gx)
}

// TestGradientOfNormalisation checks batch normalisation and ReLU, by what comes in, scale and shift.
func TestGradientOfNormalisation(t *testing.T) {
	for _, rows := range []int{1, 2, 30} {
		const h = 4
		rng := rand.New(rand.NewPCG(4, uint64(rows)))
		x, scale, shift, r := nntest.Normal(rng, rows*h), nntest.Normal(rng, h), nntest.Normal(rng, h), nntest.Normal(rng, rows*h)
		u, m := NewUnits(rows, h), NewMoments(h)
		layer, grad := &Layer{Scale: scale, Shift: shift}, &Layer{Scale: make([]float64, h), Shift: make([]float64, h)}
		f := func() float64 {
			copy(u.Unit, x)
			u.Activate(layer, &m, rows, true)
			return nntest.Weighted(u.Out, r)
		}
		pattern := func() string { return nntest.Signs(u.Out) }
		f()
		dx := slices.Clone(r)
		u.Back(dx, layer, grad)
		nntest.Differences(t, fmt.Sprintf("%d rows, by x", rows), f, pattern, nntest.Pointers(x), dx)
		nntest.Differences(t, fmt.Sprintf("%d rows, by scale", rows), f, pattern, nntest.Pointers(scale), grad.Scale)
		nntest.Differences(t, fmt.Sprintf("%d rows, by shift", rows), f, pattern, nntest.Pointers(shift), grad.Shift)
	}
}

// TestGradientOfCrossEntropy checks the softmax, of scores that are large too.
func TestGradientOfCrossEntropy(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	for _, size := range []float64{1e-3, 1, 30, 900} {
		scores, grad := nntest.Normal(rng, 5), make([]float64, 5)
		for i := range scores {
			scores[i] *= size
		}
		f := func() float64 { return crossEntropy(scores, 2, make([]float64, 5)) }
		crossEntropy(scores, 2, grad)
		nntest.Differences(t, fmt.Sprint("scores of ", size), f, nntest.Smooth, nntest.Pointers(scores), grad)
	}
}

// TestGradientOfWindows checks a convolution: rows that overlap, by the weights.
func TestGradientOfWindows(t *testing.T) {
	const rows, step, width, out = chunk + 5, 4, 12, 8
	rng := rand.New(rand.NewPCG(3, 2))
	x, w, r := nntest.Normal(rng, (rows-1)*step+width), nntest.Normal(rng, width*out), nntest.Normal(rng, rows*out)
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
	nntest.Differences(t, "by W", f, nntest.Smooth, nntest.Pointers(w), grad)
}

// TestDrop: scores are dropped or doubled, about as many of the one as of the other; padding stays.
func TestDrop(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 1))
	factors := make([]float64, 4*8)
	Drop(factors, 4, 5, .5, rng)
	dropped := 0
	for i, v := range factors {
		switch {
		case i%8 >= 5:
			must.Check(t, v, 0, "factor %d, of padding", i)
		case v == 0:
			dropped++
		default:
			must.Check(t, v, 2, "factor %d", i)
		}
	}
	if dropped < 3 || dropped > 17 {
		t.Errorf("%d of 20 scores dropped", dropped)
	}
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
		must.Check(t, rate, .25, "rate")
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
