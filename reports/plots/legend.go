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
	cloud  bool // the points are too many for the shape of their colour
}

// same reports whether two entries mean one thing, in a crowd or not.
func (k key) same(o key) bool {
	k.cloud = o.cloud
	return k == o
}

// sharedKeys are the entries of one legend for all panels; nil where there is nothing to explain,
// or one sign means two things.
func sharedKeys(panels []Panel) []key {
	var out []key
	for _, x := range panels {
		for _, k := range x.keys() {
			if slices.ContainsFunc(out, k.same) {
				continue
			}
			if slices.ContainsFunc(out, func(o key) bool {
				return o.name == k.name || o.colour%Colours == k.colour%Colours && o.style == k.style
			}) {
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

// place lays the entries out in rows, centred.
func (p *pen) place(keys []key, w vg.Length) (rows [][]key, names map[string]string, widths []vg.Length) {
	s := p.style(textSize, ink)
	names = map[string]string{}
	used := vg.Length(0)
	for _, k := range keys {
		names[k.name] = cut(s, clean(k.name), w-sample-keyGap)
		wide := sample + keyGap + s.Width(names[k.name])
		if len(rows) == 0 || used+entryGap+wide > w {
			rows, widths, used = append(rows, nil), append(widths, 0), 0
		} else {
			used += entryGap
		}
		used += wide
		last := len(rows) - 1
		rows[last] = append(rows[last], k)
		widths[last] = used
	}
	return rows, names, widths
}

func (p *pen) legendHeight(keys []key, w vg.Length) vg.Length {
	rows, _, _ := p.place(keys, w)
	if len(rows) == 0 {
		return 0
	}
	return legendTop + vg.Length(len(rows))*lineHeight(textSize)
}

// legend draws the entries below the data they explain.
func (p *pen) legend(c draw.Canvas, keys []key) {
	rows, names, widths := p.place(keys, c.Size().X)
	s := p.style(textSize, ink)
	s.XAlign = text.XLeft
	h := lineHeight(textSize)
	y := c.Max.Y - legendTop
	for i, row := range rows {
		y -= h
		x := c.Center().X - widths[i]/2
		for _, k := range row {
			middle := y + h/2
			p.sign(c, k, x, middle)
			x += sample + keyGap
			c.FillText(s, vg.Point{X: x, Y: y + h/4}, names[k.name])
			x += s.Width(names[k.name]) + entryGap
		}
	}
}

// sign draws what stands for a series.
func (p *pen) sign(c draw.Canvas, k key, x, y vg.Length) {
	if k.band {
		c.SetColor(clear(colourOf(k.colour)))
		c.Fill(vg.Rectangle{Min: vg.Point{X: x, Y: y - 4}, Max: vg.Point{X: x + sample, Y: y + 4}}.Path())
	}
	if k.style != Points {
		c.StrokeLines(lineStyle(k.colour), []vg.Point{{X: x, Y: y}, {X: x + sample, Y: y}})
	}
	if k.style == Points || k.style == LinePoints {
		g := glyphs{simple: k.cloud}
		g.add(k.colour, vg.Point{X: x + sample/2, Y: y}, glyphRadius)
		g.draw(c, k.colour)
	}
}
