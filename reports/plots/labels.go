package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// labels writes words next to points, where possible without covering points or other words.
type labels struct {
	draw.Canvas
	taken []vg.Rectangle
}

// around is the rectangle of this size around a point.
func around(p vg.Point, w, h vg.Length) vg.Rectangle {
	half := vg.Point{X: w / 2, Y: h / 2}
	return vg.Rectangle{Min: p.Sub(half), Max: p.Add(half)}
}

// shared is the area that two rectangles have in common.
func shared(a, b vg.Rectangle) vg.Length {
	return max(min(a.Max.X, b.Max.X)-max(a.Min.X, b.Min.X), 0) * max(min(a.Max.Y, b.Max.Y)-max(a.Min.Y, b.Min.Y), 0)
}

// write writes a word next to a point: to its right if there is room, else at the place around it that covers least.
func (l *labels) write(word string, of color.Color, at vg.Point) {
	const away = pointRadius + 2
	s := style(of)
	s.YAlign = text.YCenter
	wide, high := s.Width(word), vg.Length(0.8*lineHeight)
	var best vg.Rectangle
	least := vg.Length(math.Inf(1))
	for step := range 4 {
		for _, turn := range []float64{0, 6, 3, 9, 1, 11, 5, 7} { // twelfths
			sin, cos := math.Sincos(turn * math.Pi / 6)
			by := vg.Point{X: (away + wide/2) * vg.Length(cos), Y: (away + high/2) * vg.Length(sin)}
			b := around(at.Add(by.Scale(1+vg.Length(step)/2)), wide, high)
			cost := vg.Length(step) + 3*(wide*high-shared(b, l.Rectangle)) // what lies outside the field costs most
			for _, o := range l.taken {
				cost += shared(b, o)
			}
			if cost < least {
				best, least = b, cost
			}
		}
	}
	l.taken = append(l.taken, best)
	l.FillText(s, best.Min.Add(best.Max).Scale(0.5), word)
}
