package plots

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Simplex is a panel that shows weights on three atoms as points of a triangle.
type Simplex struct {
	Title string
	// Corners name the triangle's corners: lower left, lower right, top.
	Corners [3]string
	// W are weights on the corners, 0 or more; they are scaled to the sum 1.
	W [][3]float64
	// Group is the number, from 0, of the group of every point, which has a colour and a
	// shape; nil: one group.
	Group []int
	// Names are the groups' names in the legend; a group without has no entry.
	Names []string
	// Labels mark single points.
	Labels []PointLabel
	Note   string
}

// PointLabel rings point Point of a [Simplex] and writes Text beside it.
type PointLabel struct {
	Point int
	Text  string
}

func (s Simplex) prepared() drawable { return s }
func (s Simplex) heading() string    { return s.Title }
func (s Simplex) aspect() float64    { return 0.95 }

func (s Simplex) check() error {
	if s.Group != nil && len(s.Group) != len(s.W) {
		return fmt.Errorf("%d points with %d groups", len(s.W), len(s.Group))
	}
	for i, k := range s.Group {
		if k < 0 {
			return fmt.Errorf("point %d is of group %d", i, k)
		}
	}
	for _, l := range s.Labels {
		if l.Point < 0 || l.Point >= len(s.W) {
			return fmt.Errorf("label %q of point %d: there are %d", l.Text, l.Point, len(s.W))
		}
	}
	return nil
}

func (s Simplex) keys() []key {
	var out []key
	for i, n := range s.Names {
		if n != "" {
			out = append(out, key{name: n, colour: i % Colours, style: Points})
		}
	}
	return out
}

func (s Simplex) notes() []string {
	var out []string
	if s.Note != "" {
		out = append(out, s.Note)
	}
	left := 0
	for _, w := range s.W {
		if _, ok := barycentric(w); !ok {
			left++
		}
	}
	switch {
	case left == 1:
		out = append(out, "1 point is no weights and left out.")
	case left > 1:
		out = append(out, fmt.Sprintf("%d points are no weights and left out.", left))
	}
	return out
}

// barycentric scales weights to the sum 1.
func barycentric(w [3]float64) ([3]float64, bool) {
	sum := w[0] + w[1] + w[2]
	for _, v := range w {
		if !finite(v) || v < 0 {
			return w, false
		}
	}
	if !finite(sum) || sum <= 0 {
		return w, false
	}
	return [3]float64{w[0] / sum, w[1] / sum, w[2] / sum}, true
}

func (s Simplex) draw(p *pen, at field) {
	if len(s.W) == 0 {
		p.nothing(at.Canvas)
		return
	}
	c := at.Canvas
	style := p.style(textSize, ink)
	room := lineHeight(textSize)
	c = draw.Crop(c, 2*glyphRadius, -2*glyphRadius, room+glyphRadius, -room-glyphRadius)
	wide := min(c.Size().X, c.Size().Y*2/vg.Length(math.Sqrt(3)))
	high := wide * vg.Length(math.Sqrt(3)) / 2
	x0, y0 := c.Center().X-wide/2, c.Center().Y-high/2
	corner := [3]vg.Point{{X: x0, Y: y0}, {X: x0 + wide, Y: y0}, {X: x0 + wide/2, Y: y0 + high}}
	place := func(w [3]float64) vg.Point {
		var pt vg.Point
		for k, v := range w {
			pt.X += vg.Length(v) * corner[k].X
			pt.Y += vg.Length(v) * corner[k].Y
		}
		return pt
	}
	for _, t := range []float64{0.25, 0.5, 0.75} { // equal weights of each corner
		c.StrokeLines(draw.LineStyle{Color: faint, Width: 0.5},
			[]vg.Point{place([3]float64{t, 1 - t, 0}), place([3]float64{t, 0, 1 - t})},
			[]vg.Point{place([3]float64{1 - t, t, 0}), place([3]float64{0, t, 1 - t})},
			[]vg.Point{place([3]float64{1 - t, 0, t}), place([3]float64{0, 1 - t, t})})
	}
	c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.8}, []vg.Point{corner[0], corner[1], corner[2], corner[0]})
	below := glyphRadius + room*0.8
	for k, at := range []struct {
		align text.XAlignment
		pt    vg.Point
	}{
		{text.XLeft, vg.Point{X: at.Min.X, Y: corner[0].Y - below}},
		{text.XRight, vg.Point{X: at.Max.X, Y: corner[1].Y - below}},
		{text.XCenter, vg.Point{X: corner[2].X, Y: corner[2].Y + glyphRadius + 4}},
	} {
		style.XAlign = at.align
		c.FillText(style, at.pt, cut(style, clean(s.Corners[k]), c.Size().X/2))
	}
	groups := map[int][]vg.Point{}
	for i, w := range s.W {
		if w, ok := barycentric(w); ok {
			k := 0
			if s.Group != nil {
				k = s.Group[i]
			}
			groups[k] = append(groups[k], place(w))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(groups)) {
		cloud(groups[k], k%Colours).draw(c, k%Colours)
	}
	s.labels(c, p, place)
}

// labels rings single points and names them on the side of the triangle's middle, away from the
// corners' names.
func (s Simplex) labels(c draw.Canvas, p *pen, place func([3]float64) vg.Point) {
	middle := place([3]float64{1. / 3, 1. / 3, 1. / 3})
	for _, l := range s.Labels {
		w, ok := barycentric(s.W[l.Point])
		if !ok {
			continue
		}
		pt := place(w)
		var ring vg.Path
		circle(&ring, pt, 2.2*glyphRadius)
		c.SetLineStyle(draw.LineStyle{Color: ink, Width: 1})
		c.Stroke(ring)
		style := p.style(textSize, ink)
		style.XAlign, style.YAlign = text.XCenter, text.YCenter
		name := clean(l.Text)
		away := middle.Sub(pt)
		if length := math.Hypot(float64(away.X), float64(away.Y)); length > 0 {
			away = away.Scale(1 / vg.Length(length))
		}
		room := 2.2*glyphRadius + 2 + max(style.Width(name), textSize)/2
		c.FillText(style, pt.Add(away.Scale(room)), name)
	}
}
