package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Field is a field of shades between the axes of an [XY]: white is Min, dark blue Max. The figure says which these are.
type Field struct {
	X, Y     []float64 // the places of its columns and rows, ascending; above 0 on a logarithmic axis
	Values   []float64 // row by row; NaN and infinite ones stay blank
	Min, Max float64
}

func (f *Field) check(x XY) error {
	ascending := func(places []float64, log bool) bool {
		return len(places) > 0 && slices.IsSorted(places) && fits(places[0], log) && fits(places[len(places)-1], log) &&
			len(slices.Compact(slices.Clone(places))) == len(places)
	}
	switch {
	case len(f.Values) != len(f.X)*len(f.Y):
		return fmt.Errorf("field of %d columns and %d rows with %d values", len(f.X), len(f.Y), len(f.Values))
	case !ascending(f.X, x.LogX) || !ascending(f.Y, x.LogY):
		return fmt.Errorf("field: columns and rows stand at ascending places of the axes")
	case !finite(f.Min) || !finite(f.Max) || f.Max < f.Min:
		return fmt.Errorf("field from %v to %v", f.Min, f.Max)
	}
	return nil
}

// edges are where the fields of places on an axis begin and end: midway between two.
func edges(places []float64, log bool) []float64 {
	to, from := func(v float64) float64 { return v }, func(v float64) float64 { return v }
	if log {
		to, from = math.Log, math.Exp
	}
	n := len(places)
	out := make([]float64, n+1)
	half := 0.5
	for i := 1; i < n; i++ {
		a, b := to(places[i-1]), to(places[i])
		out[i], half = from((a+b)/2), (b-a)/2
		if i == 1 {
			out[0] = from(a - half)
		}
	}
	if n == 1 {
		out[0] = from(to(places[0]) - half)
	}
	out[n] = from(to(places[n-1]) + half)
	return out
}

// draw fills the rectangles: toX and toY are the axes' own.
func (f *Field) draw(c draw.Canvas, x XY, toX, toY func(float64) vg.Length) {
	xs, ys := edges(f.X, x.LogX), edges(f.Y, x.LogY)
	const under = 0.2 // no ground shines through between neighbours
	for k, v := range f.Values {
		if !finite(v) {
			continue
		}
		t := 0.0
		if f.Max > f.Min {
			t = (v - f.Min) / (f.Max - f.Min)
		}
		i, j := k/len(f.X), k%len(f.X)
		c.SetColor(shade(float64(level(t)) / (levels - 1)))
		// Within the axes: a raster of a rectangle that reaches far beyond them would take for ever.
		r := vg.Rectangle{Min: vg.Point{X: max(toX(xs[j]), c.Min.X), Y: max(toY(ys[i]), c.Min.Y)},
			Max: vg.Point{X: min(toX(xs[j+1])+under, c.Max.X+under), Y: min(toY(ys[i+1])+under, c.Max.Y+under)}}
		if r.Min.X < r.Max.X && r.Min.Y < r.Max.Y {
			c.Fill(r.Path())
		}
	}
}
