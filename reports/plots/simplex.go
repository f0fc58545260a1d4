package plots

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"ogdl/internal/words"

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
}

// PointLabel rings point Point of a [Simplex] and writes Text beside it.
type PointLabel struct {
	Point int
	Text  string
}

func (s Simplex) about() (about, error) {
	a := about{title: s.Title, aspect: 0.95, empty: len(s.W) == 0}
	if s.Group != nil && len(s.Group) != len(s.W) {
		return a, fmt.Errorf("%d points with %d groups", len(s.W), len(s.Group))
	}
	if i := slices.IndexFunc(s.Group, negative); i >= 0 {
		return a, fmt.Errorf("point %d is of group %d", i, s.Group[i])
	}
	for _, l := range s.Labels {
		if l.Point < 0 || l.Point >= len(s.W) {
			return a, fmt.Errorf("label %q of point %d: there are %d", l.Text, l.Point, len(s.W))
		}
	}
	for i, n := range s.Names {
		if n != "" {
			a.keys = append(a.keys, key{name: n, colour: i % Colours, style: Points})
		}
	}
	left := rejected(s.W, weights)
	a.note(left > 0, "%s no weights and left out.", words.Plural(left, "point is", "points are"))
	return a, nil
}

// weights reports whether these are: none is negative, and they have a sum.
func weights(w [3]float64) bool {
	sum := w[0] + w[1] + w[2]
	return min(w[0], w[1], w[2]) >= 0 && sum > 0 && finite(sum) // the least is NaN where one is
}

func (s Simplex) draw(c draw.Canvas) {
	field, room := c, lineHeight(textSize)
	c = draw.Crop(c, 2*glyphRadius, -2*glyphRadius, room+glyphRadius, -room-glyphRadius)
	wide := min(c.Size().X, c.Size().Y*2/vg.Length(math.Sqrt(3)))
	high := wide * vg.Length(math.Sqrt(3)) / 2
	x, y := c.Center().X-wide/2, c.Center().Y-high/2
	corner := [3]vg.Point{{X: x, Y: y}, {X: x + wide, Y: y}, {X: x + wide/2, Y: y + high}}
	place := func(w ...float64) (at vg.Point) {
		for k, v := range w {
			at = at.Add(corner[k].Scale(vg.Length(v / (w[0] + w[1] + w[2]))))
		}
		return at
	}
	for _, t := range []float64{0.25, 0.5, 0.75} { // equal weights of each corner
		c.StrokeLines(draw.LineStyle{Color: faint, Width: 0.5}, []vg.Point{place(t, 1-t, 0), place(t, 0, 1-t)},
			[]vg.Point{place(1-t, t, 0), place(0, t, 1-t)}, []vg.Point{place(1-t, 0, t), place(0, 1-t, t)})
	}
	c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.8}, []vg.Point{corner[0], corner[1], corner[2], corner[0]})
	below := y - (glyphRadius + room*0.8)
	names := [3]vg.Point{{X: field.Min.X, Y: below}, {X: field.Max.X, Y: below}, corner[2].Add(vg.Point{Y: glyphRadius + 4})}
	for k, align := range []text.XAlignment{text.XLeft, text.XRight, text.XCenter} {
		style := style(textSize, ink)
		style.XAlign = align
		c.FillText(style, names[k], cut(style, clean(s.Corners[k]), c.Size().X/2))
	}
	groups := map[int][]vg.Point{}
	for i, w := range s.W {
		k := 0
		if s.Group != nil {
			k = s.Group[i]
		}
		if weights(w) {
			groups[k] = append(groups[k], place(w[:]...))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(groups)) {
		cloud(c, k%Colours, groups[k])
	}
	for _, l := range s.Labels {
		if w := s.W[l.Point]; weights(w) {
			ringAndName(c, place(w[:]...), clean(l.Text), place(1./3, 1./3, 1./3))
		}
	}
}

// ringAndName rings a point and names it on the side of the triangle's middle, away from the
// corners' names.
func ringAndName(c draw.Canvas, at vg.Point, name string, middle vg.Point) {
	var ring vg.Path
	stamp(&ring, disc, at, 2.2*glyphRadius)
	c.SetLineStyle(draw.LineStyle{Color: ink, Width: 1})
	c.Stroke(ring)
	s := style(textSize, ink)
	s.YAlign = text.YCenter
	away := middle.Sub(at)
	if length := math.Hypot(float64(away.X), float64(away.Y)); length > 0 {
		away = away.Scale(1 / vg.Length(length))
	}
	c.FillText(s, at.Add(away.Scale(2.2*glyphRadius+2+max(s.Width(name), textSize)/2)), name)
}
