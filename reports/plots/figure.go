package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Distances, in points.
const (
	margin    = 6
	gap       = 12 // between panels
	leastCell = 30 // a panel's width and height
)

// about is what stands around a panel's content.
type about struct {
	title  string
	notes  []string // remarks below the panel: its own, and what was left out
	keys   []key    // entries for a legend
	aspect float64  // the panel's height without titles, legends and notes over its width
	empty  bool     // nothing in it can be drawn
}

// note adds a remark where there is one.
func (a *about) note(when bool, format string, args ...any) {
	if when {
		a.notes = append(a.notes, fmt.Sprintf(format, args...))
	}
}

// frame is what stands around a panel, as it is laid out.
type frame struct {
	head, notes block
	legend      legend
}

// draw draws it and returns the room for the panel's content.
func (f frame) draw(c draw.Canvas) draw.Canvas {
	c = f.head.draw(c)
	notes, c := foot(c, f.notes.height())
	f.notes.draw(notes)
	keys, c := foot(c, f.legend.height())
	f.legend.draw(keys)
	return c
}

// foot cuts a strip of this height off the bottom of a field.
func foot(c draw.Canvas, h vg.Length) (strip, rest draw.Canvas) {
	strip = draw.Crop(c, 0, 0, 0, h-c.Size().Y)
	c.Min.Y += h
	return strip, c
}

// layout checks a figure and works out its size; onto draws it on a canvas of that size.
func (f Figure) layout() (w, h vg.Length, onto func(draw.Canvas), err error) {
	panels, err := f.check()
	if err != nil {
		return 0, 0, nil, err
	}
	columns := min(cmp.Or(f.Columns, 2), len(panels))
	wide := 16.0
	if columns == 1 {
		wide = 10
	}
	w = vg.Length(cmp.Or(f.Width, wide)) * vg.Centimeter
	inner := w - 2*margin
	cell := (inner - gap*vg.Length(columns-1)) / vg.Length(columns)
	title := wrap(titleSize, ink, inner, gap/2, f.Title)
	shared := sharedKeys(panels)
	common := newLegend(shared, inner)
	frames := make([]frame, len(panels))
	var rows []vg.Length // their heights
	for i, a := range panels {
		frames[i] = frame{head: wrap(headSize, ink, cell, 3, a.title), notes: wrap(smallSize, dim, cell, 0, a.notes...)}
		if shared == nil {
			frames[i].legend = newLegend(a.keys, cell)
		}
		if i%columns == 0 {
			rows = append(rows, 0)
		}
		around := frames[i].head.height() + frames[i].notes.height() + frames[i].legend.height()
		rows[i/columns] = max(rows[i/columns], cell*vg.Length(a.aspect)+around)
	}
	if cell < leastCell || slices.Min(rows) < leastCell {
		return 0, 0, nil, fmt.Errorf("%v cm leave no room for its panels", f.Width)
	}
	for _, row := range rows {
		h += row
	}
	h += 2*margin + title.height() + common.height() + gap*vg.Length(len(rows)-1)
	return w, h, func(c draw.Canvas) {
		c.SetColor(color.White)
		c.Fill(c.Rectangle.Path())
		c = title.draw(draw.Crop(c, margin, -margin, margin, -margin))
		bottom, c := foot(c, common.height())
		common.draw(bottom)
		fields := make([]draw.Canvas, len(panels))
		for i, around := range frames {
			row, column := i/columns, i%columns
			if column == 0 && row > 0 {
				c.Max.Y -= rows[row-1] + gap
			}
			at := c
			at.Min.X += vg.Length(column) * (cell + gap)
			at.Max.X = at.Min.X + cell
			at.Min.Y = at.Max.Y - rows[row]
			fields[i] = around.draw(at)
		}
		align(f.Panels, panels, fields, columns)
		for i, x := range f.Panels {
			switch at := fields[i]; {
			case at.Size().X <= 0 || at.Size().Y <= 0: // titles and legends take it all
			case panels[i].empty:
				s := style(textSize, dim)
				s.YAlign = text.YCenter
				at.FillText(s, at.Center(), "no data")
			default:
				x.draw(at)
			}
		}
	}, nil
}

// align narrows the fields of axes, so that those below each other begin and end at the same
// places.
func align(panels []Panel, is []about, fields []draw.Canvas, columns int) {
	type room struct{ left, right vg.Length }
	own, most := make([]room, len(panels)), make([]room, columns)
	for i, x := range panels {
		if x, ok := x.(XY); ok && !is[i].empty {
			q, c := x.plot(fields[i])
			inner := q.DataCanvas(c)
			own[i] = room{inner.Min.X - c.Min.X, c.Max.X - inner.Max.X}
			m := &most[i%columns]
			m.left, m.right = max(m.left, own[i].left), max(m.right, own[i].right)
		}
	}
	for i, o := range own {
		if o != (room{}) {
			fields[i].Min.X += most[i%columns].left - o.left
			fields[i].Max.X -= most[i%columns].right - o.right
		}
	}
}

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
			i := slices.IndexFunc(out, func(o key) bool { return o.name == k.name || o.colour == k.colour && o.style == k.style })
			if i < 0 {
				out = append(out, k)
			} else if !k.same(out[i]) {
				return nil
			}
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
