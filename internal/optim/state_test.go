package optim

import (
	"testing"

	"ogdl/internal/test/must"
)

func TestMomentsCarryAdamOn(t *testing.T) {
	fresh := func() *Adam { return NewAdam(2, 0.1, 0.9, 0.99, 1e-15) }
	step := func(a *Adam, x []float64, from, to int) {
		for k := from; k < to; k++ {
			a.Step(x, []float64{float64(k) - 3, x[1] - 0.3})
		}
	}
	x, y := []float64{1, 2}, []float64{1, 2}
	whole, first, second := fresh(), fresh(), fresh()
	step(whole, x, 0, 9)
	step(first, y, 0, 5)
	second.SetMoments(first.Moments())
	step(first, []float64{7, 7}, 5, 9) // the state was copied
	step(second, y, 5, 9)
	must.Same(t, x, y, "in one go, and in two")
}
