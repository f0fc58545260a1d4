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
	margin = 6
	gap    = 12 // between panels
	// How wide panels are at least: axes with their labels, and pictures.
	leastAxes, leastPicture = 100, 40
)

// about is the surroundings of a panel's content.
type about struct {
	title  string
	notes  []string  // remarks below the panel: its own, and what was left out
	keys   []key     // entries for a legend
	aspect float64   // the panel's height without titles, legends and notes over its width
	least  vg.Length // how narrow it may be, and
	tall   vg.Length // how low its content
	empty  bool      // nothing in it can be drawn
}

// note adds a remark where there is one.
func (a *about) note(when bool, format string, args ...any) {
	if when {
		a.notes = append(a.notes, fmt.Sprintf(format, args...))
	}
}

// frame is the surroundings of a panel, as they are laid out.
type frame struct {
	head, notes block
	legend      legend
}

// heights are what a frame, or the tallest ones of a row, and their contents take.
type heights struct{ head, content, notes, legend vg.Length }

func (h heights) sum() vg.Length { return h.head + h.content + h.notes + h.legend }

// draw draws it and returns the room for the panel's content: contents of one row begin and end at the same heights.
func (f frame) draw(c draw.Canvas, row heights) draw.Canvas {
	f.head.draw(draw.Crop(c, 0, 0, 0, f.head.height()-row.head))
	c.Max.Y -= row.head
	notes, c := foot(c, row.notes)
	f.notes.draw(notes)
	keys, c := foot(c, row.legend)
	f.legend.draw(keys)
	return c
}

// foot cuts a strip of this height off the bottom of a field.
func foot(c draw.Canvas, h vg.Length) (strip, rest draw.Canvas) {
	strip = draw.Crop(c, 0, 0, 0, h-c.Size().Y)
	c.Min.Y += h
	return strip, c
}

// inRows arranges n panels in rows of the given number, where most fit next to each other: else in strips of columns, one below
// the other, so that panels above each other stay so; or in one column, row by row.
func inRows(n, columns, most int) (rows [][]int) {
	strips := (columns + most - 1) / most
	wide := (columns + strips - 1) / strips
	if wide == 1 {
		columns = 1
	}
	for from := 0; from < columns; from += wide {
		for first := 0; first < n; first += columns {
			var row []int
			for i := first + from; i < min(first+from+wide, first+columns, n); i++ {
				row = append(row, i)
			}
			if row != nil {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// narrow is the width, in cm, below which lines are thinner.
const narrow = 10

// thin draws thinner lines.
type thin struct{ vg.Canvas }

func (t thin) SetLineWidth(w vg.Length) { t.Canvas.SetLineWidth(0.7 * w) }

// layout checks a figure and works out its size; onto draws it on a canvas of that size.
func (f Figure) layout() (w, h vg.Length, onto func(draw.Canvas), err error) {
	panels, err := f.check()
	if err != nil {
		return 0, 0, nil, err
	}
	columns := min(cmp.Or(f.Columns, 2), len(panels))
	cm := cmp.Or(f.Width, 16)
	if f.Width == 0 && columns == 1 {
		cm = 10
	}
	w = vg.Length(cm) * vg.Centimeter
	inner := w - 2*margin
	scales := inner - f.scaleWidth() // the place of the scales of rows
	least := slices.MaxFunc(panels, func(a, b about) int { return cmp.Compare(a.least, b.least) }).least
	if scales < least {
		return 0, 0, nil, fmt.Errorf("%v cm leave no room for its panels", f.Width)
	}
	order := inRows(len(panels), columns, int((scales+gap)/(least+gap)))
	columns = len(order[0])
	cell := (scales - gap*vg.Length(columns-1)) / vg.Length(columns)
	title := block{}
	if !f.Untitled {
		title = wrap(style(ink), inner, gap/2, f.Title)
	}
	shared := sharedKeys(panels)
	common := newLegend(shared, inner)
	frames := make([]frame, len(panels))
	rows := make([]heights, len(order))
	h = 2*margin + title.height() + common.height() + gap*vg.Length(len(rows)-1)
	for k, row := range order {
		if err := f.sameScales(row); err != nil {
			return 0, 0, nil, err
		}
		r := &rows[k]
		for _, i := range row {
			a := panels[i]
			x := frame{head: wrap(style(ink), cell, 3, a.title), notes: wrap(style(dim), cell, 0, a.notes...)}
			if shared == nil {
				x.legend = newLegend(a.keys, cell)
			}
			r.head, r.notes = max(r.head, x.head.height()), max(r.notes, x.notes.height())
			r.legend, r.content = max(r.legend, x.legend.height()), max(r.content, cell*vg.Length(a.aspect), a.tall)
			frames[i] = x
		}
		h += r.sum()
	}
	return w, h, func(c draw.Canvas) {
		c.SetColor(color.White)
		c.Fill(c.Rectangle.Path())
		if cm < narrow {
			c.Canvas = thin{c.Canvas}
		}
		c = title.draw(draw.Crop(c, margin, -margin, margin, -margin))
		bottom, c := foot(c, common.height())
		common.draw(bottom)
		fields := make([]draw.Canvas, len(panels))
		for k, row := range order {
			for column, i := range row {
				at := c
				at.Min.X += vg.Length(column) * (cell + gap)
				at.Max.X = at.Min.X + cell
				at.Min.Y = at.Max.Y - rows[k].sum()
				fields[i] = frames[i].draw(at, rows[k])
			}
			c.Max.Y -= rows[k].sum() + gap
		}
		align(f.Panels, panels, fields, order)
		for _, row := range order {
			for _, i := range row {
				switch at := fields[i]; {
				case at.Size().X <= 0 || at.Size().Y <= 0: // titles and legends take it all
				case panels[i].empty:
					s := style(dim)
					s.YAlign = text.YCenter
					at.FillText(s, at.Center(), "no data")
				default:
					f.Panels[i].draw(at)
				}
			}
			if i := f.lastScale(row); i >= 0 {
				f.Panels[i].(Matrix).scale(fields[i], fields[row[len(row)-1]].Max.X)
			}
		}
	}, nil
}

// align narrows the fields of axes, so that those below each other begin and end at the same places, and those beside each other too.
func align(panels []Panel, is []about, fields []draw.Canvas, order [][]int) {
	own, columns := make([]vg.Rectangle, len(panels)), make([]vg.Rectangle, len(order[0]))
	rows := make([]vg.Rectangle, len(order))
	widen := func(r *vg.Rectangle, by vg.Rectangle) {
		r.Min.X, r.Max.X = max(r.Min.X, by.Min.X), max(r.Max.X, by.Max.X)
		r.Min.Y, r.Max.Y = max(r.Min.Y, by.Min.Y), max(r.Max.Y, by.Max.Y)
	}
	each := func(do func(i int, column, row *vg.Rectangle)) {
		for k, row := range order {
			for column, i := range row {
				if _, ok := panels[i].(XY); ok && !is[i].empty {
					do(i, &columns[column], &rows[k])
				}
			}
		}
	}
	each(func(i int, column, row *vg.Rectangle) { // the room that is not between the axes, on each side
		q, c := panels[i].(XY).plot(fields[i])
		inner := q.DataCanvas(c)
		own[i] = vg.Rectangle{Min: inner.Min.Sub(fields[i].Min), Max: fields[i].Max.Sub(inner.Max)}
		widen(column, own[i])
		widen(row, own[i])
	})
	each(func(i int, column, row *vg.Rectangle) {
		f := &fields[i]
		f.Min = f.Min.Add(vg.Point{X: column.Min.X - own[i].Min.X, Y: row.Min.Y - own[i].Min.Y})
		f.Max = f.Max.Sub(vg.Point{X: column.Max.X - own[i].Max.X, Y: row.Max.Y - own[i].Max.Y})
	})
}

// key is an entry of a legend.
type key struct {
	name string
	look
	style Style
	band  bool
	crowd bool // the points are too many for the shape of their colour
}

// same reports whether two entries mean one thing, in a crowd or not, with enough points for a line or not.
func (k key) same(o key) bool {
	k.crowd = o.crowd
	if alike(k.style, o.style) {
		k.style = o.style
	}
	return k == o
}

// alike reports whether two entries may be of one series: it has a line where it has points enough.
func alike(a, b Style) bool { return a == b || max(a, b) == LinePoints && min(a, b) == Points }

// wide is the width of the sign.
func (k key) wide() vg.Length {
	if k.style == Points {
		return 4 * glyphRadius
	}
	return sample
}

// sharedKeys are the entries of one legend for all panels; nil where there is nothing to explain,
// or one sign means two things.
func sharedKeys(panels []about) []key {
	var out []key
	for _, x := range panels {
		for _, k := range x.keys {
			i := slices.IndexFunc(out, func(o key) bool { return o.name == k.name || o.look == k.look && alike(o.style, k.style) })
			if i < 0 {
				out = append(out, k)
			} else if !k.same(out[i]) {
				return nil
			} else {
				out[i].style = max(out[i].style, k.style)
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
	s := style(ink)
	for _, k := range keys {
		k.name = cut(s, clean(k.name), w-k.wide()-keyGap)
		width := k.wide() + keyGap + s.Width(k.name)
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
	return legendTop + vg.Length(len(l))*lineHeight
}

// draw draws the entries below the data they explain, centred.
func (l legend) draw(c draw.Canvas) {
	s := style(ink)
	s.XAlign = text.XLeft
	y := c.Max.Y - legendTop
	for _, row := range l {
		y -= lineHeight
		x := c.Center().X - row.width/2
		for _, k := range row.keys {
			k.draw(c, x, y+lineHeight/2)
			x += k.wide() + keyGap
			c.FillText(s, vg.Point{X: x, Y: y + lineHeight/4}, k.name)
			x += s.Width(k.name) + entryGap
		}
	}
}

// draw draws the sign of a series.
func (k key) draw(c draw.Canvas, x, y vg.Length) {
	if k.band {
		c.SetColor(translucent(k.colour))
		c.Fill(vg.Rectangle{Min: vg.Point{X: x, Y: y - 4}, Max: vg.Point{X: x + sample, Y: y + 4}}.Path())
	}
	if k.style != Points {
		c.StrokeLines(k.line(), []vg.Point{{X: x, Y: y}, {X: x + sample, Y: y}})
	}
	if k.style == Points || k.style == LinePoints {
		signs(c, k.look, []vg.Point{{X: x + k.wide()/2, Y: y}}, glyphRadius, k.crowd)
	}
}
