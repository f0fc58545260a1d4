package plots

import (
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// key is an entry of a legend.
type key struct {
	name   string
	colour int
	style  Style
	band   bool
	crowd  bool // the points are too many for the shape of their colour
}

// same reports whether two entries mean one thing, in a crowd or not.
func (k key) same(o key) bool {
	k.crowd = o.crowd
	return k == o
}

// sharedKeys are the entries of one legend for all panels; nil where there is nothing to explain,
// or one sign means two things.
func sharedKeys(panels []about) []key {
	var out []key
	for _, x := range panels {
		for _, k := range x.keys {
			if slices.ContainsFunc(out, k.same) {
				continue
			}
			if slices.ContainsFunc(out, func(o key) bool { return o.name == k.name || o.colour == k.colour && o.style == k.style }) {
				return nil
			}
			out = append(out, k)
		}
	}
	return out
}

// Sizes of a legend, in points.
const (
	sample    = 22 // a sign's width
	keyGap    = 4  // from sign to name
	entryGap  = 12
	legendTop = 5
)

// legend is its entries in rows.
type legend []legendRow

type legendRow struct {
	keys  []key
	width vg.Length
}

// newLegend lays entries out in rows of at most this width, their names cut where they must.
func newLegend(keys []key, w vg.Length) (l legend) {
	s := style(textSize, ink)
	for _, k := range keys {
		k.name = cut(s, clean(k.name), w-sample-keyGap)
		width := sample + keyGap + s.Width(k.name)
		if n := len(l); n > 0 && l[n-1].width+entryGap+width <= w {
			l[n-1] = legendRow{append(l[n-1].keys, k), l[n-1].width + entryGap + width}
		} else {
			l = append(l, legendRow{[]key{k}, width})
		}
	}
	return l
}

func (l legend) height() vg.Length {
	if len(l) == 0 {
		return 0
	}
	return legendTop + vg.Length(len(l))*lineHeight(textSize)
}

// draw draws the entries below the data they explain, centred.
func (l legend) draw(c draw.Canvas) {
	s, h := style(textSize, ink), lineHeight(textSize)
	s.XAlign = text.XLeft
	y := c.Max.Y - legendTop
	for _, row := range l {
		y -= h
		x := c.Center().X - row.width/2
		for _, k := range row.keys {
			k.draw(c, x, y+h/2)
			x += sample + keyGap
			c.FillText(s, vg.Point{X: x, Y: y + h/4}, k.name)
			x += s.Width(k.name) + entryGap
		}
	}
}

// draw draws what stands for a series.
func (k key) draw(c draw.Canvas, x, y vg.Length) {
	if k.band {
		c.SetColor(translucent(k.colour))
		c.Fill(vg.Rectangle{Min: vg.Point{X: x, Y: y - 4}, Max: vg.Point{X: x + sample, Y: y + 4}}.Path())
	}
	if k.style != Points {
		c.StrokeLines(lineStyle(k.colour), []vg.Point{{X: x, Y: y}, {X: x + sample, Y: y}})
	}
	if k.style == Points || k.style == LinePoints {
		signs(c, k.colour, []vg.Point{{X: x + sample/2, Y: y}}, glyphRadius, k.crowd)
	}
}
