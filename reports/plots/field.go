package plots

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
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
		c.Fill(vg.Rectangle{Min: vg.Point{X: toX(xs[j]), Y: toY(ys[i])}, Max: vg.Point{X: toX(xs[j+1]) + under, Y: toY(ys[i+1]) + under}}.Path())
	}
}

// names writes the labels of points beside them, in their colour, each where it covers no point and no label, as far as there is such a place.
func (x XY) names(c draw.Canvas, at placing) {
	var taken []vg.Rectangle
	box := func(p vg.Point, w, h vg.Length) vg.Rectangle {
		return vg.Rectangle{Min: vg.Point{X: p.X - w/2, Y: p.Y - h/2}, Max: vg.Point{X: p.X + w/2, Y: p.Y + h/2}}
	}
	for _, s := range x.Series {
		for _, k := range x.points(s) {
			taken = append(taken, box(at(k, s.X, s.Y), 2*glyphRadius, 2*glyphRadius))
			if s.Whiskers && s.Low != nil && fits(s.Low[k], x.LogY) && fits(s.High[k], x.LogY) {
				low, high := at(k, s.X, s.Low), at(k, s.X, s.High)
				taken = append(taken, box(low.Add(high).Scale(0.5), 1, high.Y-low.Y))
			}
		}
	}
	st := style(smallSize, ink)
	st.XAlign, st.YAlign = text.XCenter, text.YCenter
	high := lineHeight(smallSize)
	for i, s := range x.Series {
		if s.Labels == nil {
			continue
		}
		st.Color = looks[x.colour(i)].colour
		for _, k := range x.points(s) {
			label, p := clean(s.Labels[k]), at(k, s.X, s.Y)
			wide := st.Width(label)
			aside := glyphRadius + 2 + wide/2
			var best vg.Rectangle
			least := math.Inf(1)
			for n := range 18 { // right and left, and there ever farther up and down
				by := vg.Point{X: aside, Y: vg.Length((n/2+1)/2) * high / 2}
				if n%2 == 1 {
					by.X = -aside
				}
				if n/2%2 == 1 {
					by.Y = -by.Y
				}
				b := box(p.Add(by), wide, 0.8*high)
				cost := float64(n) / 10
				for _, o := range append(taken, c.Rectangle) {
					w, h := min(b.Max.X, o.Max.X)-max(b.Min.X, o.Min.X), min(b.Max.Y, o.Max.Y)-max(b.Min.Y, o.Min.Y)
					switch shared := float64(max(w, 0) * max(h, 0)); {
					case o == c.Rectangle: // what lies outside the axes
						cost += 3 * (float64((b.Max.X-b.Min.X)*(b.Max.Y-b.Min.Y)) - shared)
					default:
						cost += shared
					}
				}
				if cost < least {
					best, least = b, cost
				}
			}
			taken = append(taken, best)
			c.FillText(st, best.Min.Add(best.Max).Scale(0.5), label)
		}
	}
}
