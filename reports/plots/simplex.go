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

// PointLabel circles the point with index Point of a [Simplex] and writes Text next to it.
type PointLabel struct {
	Point int
	Text  string
}

// manyShare is how many points share a place before their number is next to it: in clouds few are no news.
const manyShare = 10

func (s Simplex) about() (about, error) {
	a := about{title: s.Title, aspect: 0.95, least: 1.6 * leastPicture, empty: len(s.W) == 0}
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
			a.keys = append(a.keys, key{name: n, look: look{colour: i % Colours, sign: i % Colours}, style: Points})
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
	const ring = 2.2 * glyphRadius // around labelled points
	field, room := c, vg.Length(lineHeight)
	c = draw.Crop(c, 2*glyphRadius, -2*glyphRadius, room+ring, -room-ring)
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
	words := labels{Canvas: field}
	words.keepOffLine(corner[0], corner[1], corner[2], corner[0])
	below := y - (ring + room*0.8)
	names := [3]vg.Point{{X: field.Min.X, Y: below}, {X: field.Max.X, Y: below}, corner[2].Add(vg.Point{Y: ring + 3})}
	for k, align := range []text.XAlignment{text.XLeft, text.XRight, text.XCenter} {
		style := style(ink)
		style.XAlign = align
		name := cut(style, clean(s.Corners[k]), c.Size().X/2)
		c.FillText(style, names[k], name)
		words.taken = append(words.taken, style.Rectangle(name).Add(names[k]))
	}
	groups, all := map[int][]vg.Point{}, []vg.Point(nil)
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
		cloud(c, look{colour: k % Colours, sign: k % Colours}, groups[k])
		all = append(all, groups[k]...)
	}
	words.keepOff(glyphRadius, distinct(all, glyphRadius/2)...)
	for _, l := range s.Labels {
		if w := s.W[l.Point]; weights(w) {
			var path vg.Path
			stamp(&path, disc, place(w[:]...), ring)
			c.SetLineStyle(draw.LineStyle{Color: ink, Width: 1})
			c.Stroke(path)
			words.keepOff(0.8*ring, place(w[:]...))
		}
	}
	for _, l := range s.Labels {
		if w := s.W[l.Point]; weights(w) {
			words.write(clean(l.Text), ink, place(w[:]...), ring)
		}
	}
	words.count(all, 3*glyphRadius, manyShare)
}
