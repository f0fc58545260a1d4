package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Field is a field of shades between the axes of an [XY]: white is Min, dark blue Max. The figure says which these are.
type Field struct {
	X, Y     []float64 // the places of its columns and rows, ascending; above 0 on a logarithmic axis
	Values   []float64 // row by row; NaN and infinite ones are crossed out
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

// draw fills the field, as far as it is within the axes: toX and toY are their own.
func (f *Field) draw(c draw.Canvas, x XY, toX, toY func(float64) vg.Length) {
	places := func(edges []float64, to func(float64) vg.Length, lo, hi vg.Length) (out []vg.Length) {
		for _, v := range edges {
			out = append(out, min(max(to(v), lo), hi)) // a raster of a field that reaches far beyond the axes would take for ever
		}
		return out
	}
	shares := make([]float64, len(f.Values))
	for k, v := range f.Values {
		shares[k] = (v - f.Min) / cmp.Or(f.Max-f.Min, 1)
	}
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	tiles(c, places(edges(f.X, x.LogX), toX, c.Min.X, c.Max.X), places(edges(f.Y, x.LogY), toY, c.Min.Y, c.Max.Y), shares)
}
