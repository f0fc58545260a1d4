package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
)

// leastDip bounds the dip from below, by its definition: for every place of the mode, half the largest distance between the distribution
// function and a convex function before the mode, or a concave one behind it, which need not meet.
func leastDip(x []float64) float64 {
	n := len(x)
	// excess is the largest amount by which top exceeds the convex minorant of bottom, among points from..to.
	excess := func(from, to int, at func(i int) float64, bottom, top func(i int) float64) (worst float64) {
		for i := from; i <= to; i++ {
			hull := bottom(i)
			for a := from; a <= i; a++ {
				for b := i; b <= to; b++ {
					if at(a) < at(b) {
						hull = min(hull, bottom(a)+(bottom(b)-bottom(a))*(at(i)-at(a))/(at(b)-at(a)))
					} else {
						hull = min(hull, bottom(a), bottom(b))
					}
				}
			}
			worst = max(worst, top(i)-hull)
		}
		return worst
	}
	before := func(to int, atom bool) float64 {
		return excess(0, to, func(i int) float64 { return x[i] }, func(i int) float64 { return float64(i) / float64(n) }, func(i int) float64 {
			if atom && i == to {
				return math.Inf(-1)
			}
			return float64(i+1) / float64(n)
		})
	}
	turned := make([]float64, n)
	for i, v := range x {
		turned[n-1-i] = -v
	}
	behind := func(from int, atom bool) float64 {
		to := n - 1 - from
		return excess(0, to, func(i int) float64 { return turned[i] }, func(i int) float64 { return float64(i) / float64(n) }, func(i int) float64 {
			if atom && i == to {
				return math.Inf(-1)
			}
			return float64(i+1) / float64(n)
		})
	}
	best := math.Inf(1)
	for m := range n {
		best = min(best, max(before(m, true), behind(m, true)))
		if m+1 < n {
			best = min(best, max(before(m, false), behind(m+1, false)))
		}
	}
	return max(best/2, 1/float64(2*n))
}

func TestDip(t *testing.T) {
	t.Parallel()
	// The value of the R package diptest for its data set statfaculty.
	faculty := []float64{30, 33, 35, 36, 37, 37, 39, 39, 39, 39, 39, 40, 40, 40, 40, 41, 42, 43, 43, 43, 44, 44, 45, 45, 46, 46, 47, 47, 48, 48, 48,
		49, 50, 50, 51, 52, 52, 53, 53, 53, 53, 53, 54, 54, 57, 57, 59, 60, 60, 60, 61, 61, 61, 61, 62, 62, 62, 62, 63, 66, 70, 72, 72}
	must.Within(t, Dip(faculty), 0.05952381, 1e-8, "statfaculty")
	must.Equal(t, Dip([]float64{-1e308, -1e308, 1e308, 1e308}), 0.25, "differences that overflow")
	rng, exact := rand.New(rand.NewPCG(3, 4)), 0
	for range 400 {
		x := make([]float64, 2+rng.IntN(14))
		kind := rng.IntN(3)
		for i := range x {
			switch kind {
			case 0:
				x[i] = rng.NormFloat64()
			case 1:
				x[i] = float64(rng.IntN(2))*4 + rng.Float64()
			default:
				x[i] = rng.ExpFloat64()
			}
		}
		slices.Sort(x)
		got, low, high := Dip(x), leastDip(x), mostDip(x)
		if got < low-1e-12 || got > high+1e-9 {
			t.Fatalf("%v: dip %v, by definition %v to %v", x, got, low, high)
		}
		if low > high-1e-9 {
			exact++
		}
		y := slices.Clone(x)
		for i := range y {
			y[i] = 3*x[len(x)-1-i]*-1 + 7
		}
		must.Within(t, Dip(y), got, 1e-12, "%v: dip, and of its mirror image", x)
	}
	if exact < 100 {
		t.Errorf("only %d of 400 dips are known exactly", exact)
	}
}

// mostDip bounds the dip from above: the modes at points alone, with a convex and a concave part that meet.
func mostDip(x []float64) float64 {
	n := len(x)
	// lowest is the lowest value at the mode m of a convex function between the bounds, +Inf where there is none.
	lowest := func(x []float64, m int, d float64) float64 {
		up := func(i int) float64 { return float64(i)/float64(n) + d }
		down := func(i int) float64 { return max(float64(i+1)/float64(n)-d, 0) }
		low := 0.0
		for j := range m {
			low = max(low, down(j))
			if down(j) > up(j) || x[j] == x[m] && down(j) > up(m) {
				return math.Inf(1)
			}
			for i := range j {
				if x[i] == x[j] {
					continue
				}
				slope := (down(j) - up(i)) / (x[j] - x[i])
				for k := j; k <= m; k++ { // what lies behind is at least on the line
					if v := up(i) + slope*(x[k]-x[i]); v > up(k)+1e-15 {
						return math.Inf(1)
					} else if k == m {
						low = max(low, v)
					}
				}
			}
		}
		if low > up(m) {
			return math.Inf(1)
		}
		return low
	}
	turned := make([]float64, n)
	for i, v := range x {
		turned[n-1-i] = -v
	}
	low, high := 0.0, 0.5
	for range 40 {
		d := (low + high) / 2
		fits := false
		for m := range n {
			fits = fits || lowest(x, m, d)+lowest(turned, n-1-m, d) <= 1
		}
		if fits {
			high = d
		} else {
			low = d
		}
	}
	return high
}
