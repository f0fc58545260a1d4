package optim

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

func TestAdamFirstStepIsTheSignOfTheGradient(t *testing.T) {
	x := []float64{1, 2, 3}
	NewAdam(3, 0.1, DefaultBeta1, DefaultBeta2, DefaultEpsilon).Step(x, []float64{5, -1e-3, 0})
	must.Near(t, "x", x, []float64{0.9, 2.1, 3}, 1e-12)
}

func TestAdamTwoStepsByHand(t *testing.T) {
	x := []float64{0}
	a := NewAdam(1, 1, 0.5, 0.75, 0.25)
	a.Step(x, []float64{2}) // m 1 -> 2 corrected, v 1 -> 4 corrected: 2/(2+.25)
	a.Step(x, []float64{0}) // m .5/.75, v .75/.4375
	want := -2/2.25 - (0.5/0.75)/(math.Sqrt(0.75/0.4375)+0.25)
	must.Within(t, x[0], want, 1e-15, "x")
}

func TestAdamZeroGradientWithoutEpsilonStays(t *testing.T) {
	x := []float64{7}
	NewAdam(1, 0.1, 0.9, 0.99, 0).Step(x, []float64{0})
	must.Check(t, x[0], 7, "x")
}

func TestSGD(t *testing.T) {
	x := []float64{1, -1}
	SGD{Rate: 0.5}.Step(x, []float64{2, 4})
	must.Same(t, x, []float64{0, -3}, "x")
}

func TestShapesPanic(t *testing.T) {
	must.Panic(t, "", map[string]func(){
		"symmetric": func() { ProjectSymmetric(make([]float64, 5), 2, false) },
	})
}

func TestProjectSimplexTable(t *testing.T) {
	for _, c := range []struct{ v, want []float64 }{
		{[]float64{0.2, 0.3, 0.5}, []float64{0.2, 0.3, 0.5}},
		{[]float64{1, 2, 3}, []float64{0, 0, 1}},
		{[]float64{-1, 0.5, 0.2, 0.9}, []float64{0, 0.3, 0, 0.7}},
		{[]float64{0.1, 0.1, 0.1, 0.1, 0.1}, []float64{0.2, 0.2, 0.2, 0.2, 0.2}},
		{[]float64{1e12, 1e12 - 1}, []float64{1, 0}},
		{[]float64{-3}, []float64{1}},
	} {
		x := slices.Clone(c.v)
		ProjectSimplex(x, make([]float64, len(x)))
		must.Near(t, fmt.Sprint("projection of ", c.v), x, c.want, 1e-15)
	}
}

// The projection is the one point y of the simplex with (x-y)'(z-y) <= 0 for
// every z of it; by linearity the vertices suffice.
func TestProjectSimplexIsTheNearestPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.SliceOfN(rapid.Float64Range(-5, 5), 1, 30).Draw(t, "x")
		y := slices.Clone(x)
		ProjectSimplex(y, make([]float64, len(x)))
		var sum, inner float64
		for i, v := range y {
			if v < 0 {
				t.Fatalf("negative entry %v", v)
			}
			sum += v
			inner += (x[i] - v) * v
		}
		must.Within(t, sum, 1, 1e-13, "sum")
		for k := range y {
			if !(x[k]-y[k]-inner <= 1e-12) {
				t.Fatalf("vertex %d is on the far side by %v", k, x[k]-y[k]-inner)
			}
		}
	})
}

func TestProjectSymmetric(t *testing.T) {
	c := []float64{-1, 2, 4, 3}
	d := slices.Clone(c)
	ProjectSymmetric(c, 2, false)
	must.Same(t, c, []float64{-1, 3, 3, 3}, "symmetric part")
	d[2] = -8
	ProjectSymmetric(d, 2, true)
	must.Same(t, d, []float64{0, 0, 0, 3}, "non-negative symmetric part")
}

func TestNoAllocation(t *testing.T) {
	x, g, s := make([]float64, 20), make([]float64, 20), make([]float64, 20)
	a, b := NewAdam(20, 0.1, .9, .99, 1e-15), SGD{Rate: 0.1}
	if n := testing.AllocsPerRun(10, func() { a.Step(x, g); b.Step(x, g); ProjectSimplex(x, s) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
