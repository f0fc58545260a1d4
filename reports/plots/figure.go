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
	least  vg.Length // how narrow it may be, and how low its content
	empty  bool      // nothing in it can be drawn
}

// note adds a remark where there is one.
func (a *about) note(when bool, format string, args ...any) {
	if when {
		a.notes = append(a.notes, fmt.Sprintf(format, args...))
	}
}

// heights are what the tallest titles, contents and notes of a row take.
type heights struct{ head, content, notes vg.Length }

func (h heights) sum() vg.Length { return h.head + h.content + h.notes }

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
	f.Panels = oneScale(f.Panels)
	room := inner - scaleWidth(f.Panels) // the scales of rows are to the right
	least := slices.MaxFunc(panels, func(a, b about) int { return cmp.Compare(a.least, b.least) }).least
	if room < least {
		return 0, 0, nil, fmt.Errorf("%v cm leave no room for its panels", f.Width)
	}
	order := inRows(len(panels), columns, int((room+gap)/(least+gap)))
	columns = len(order[0])
	cell := (room - gap*vg.Length(columns-1)) / vg.Length(columns)
	title := block{}
	if !f.Untitled {
		title = wrap(style(ink), inner, gap/2, f.Title)
	}
	keys := newLegend(panels, inner)
	heads, notes := make([]block, len(panels)), make([]block, len(panels))
	rows := make([]heights, len(order))
	h = 2*margin + title.height() + keys.height() + gap*vg.Length(len(rows)-1)
	for k, row := range order {
		r := &rows[k]
		for _, i := range row {
			a := panels[i]
			heads[i], notes[i] = wrap(style(ink), cell, 3, a.title), wrap(style(dim), cell, 0, a.notes...)
			r.head, r.notes = max(r.head, heads[i].height()), max(r.notes, notes[i].height())
			r.content = max(r.content, cell*vg.Length(a.aspect), a.least)
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
		keys.draw(draw.Crop(c, 0, 0, 0, keys.height()-c.Size().Y))
		fields := make([]draw.Canvas, len(panels))
		for k, row := range order {
			r := rows[k]
			for column, i := range row {
				at := c
				at.Min.X += vg.Length(column) * (cell + gap)
				at.Max.X = at.Min.X + cell
				heads[i].draw(draw.Crop(at, 0, 0, 0, heads[i].height()-r.head))
				at.Max.Y -= r.head
				notes[i].draw(draw.Crop(at, 0, 0, 0, -r.content))
				at.Min.Y = at.Max.Y - r.content
				fields[i] = at
			}
			c.Max.Y -= r.sum() + gap
		}
		align(f.Panels, panels, fields, order)
		for _, row := range order {
			scaled := false
			for _, i := range row {
				at := fields[i]
				if panels[i].empty {
					s := style(dim)
					s.YAlign = text.YCenter
					at.FillText(s, at.Center(), "no data")
					continue
				}
				f.Panels[i].draw(at)
				if m, ok := f.Panels[i].(Matrix); ok && !scaled {
					m.scale(at, fields[row[len(row)-1]].Max.X)
					scaled = true
				}
			}
		}
	}, nil
}

// align narrows the fields of axes, so that the fields of a column, and of a row, begin and end at
// the same places.
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

// same reports whether two entries mean one thing, in a crowd or not.
func (k key) same(o key) bool {
	k.crowd = o.crowd
	return k == o
}

// wide is the width of the sign.
func (k key) wide() vg.Length {
	if k.style == Points {
		return 4 * glyphRadius
	}
	return sample
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

// newLegend lays the entries of all panels out in rows of at most this width, each once, their
// names cut where they must.
func newLegend(panels []about, w vg.Length) (l legend) {
	s := style(ink)
	var keys []key
	for _, p := range panels {
		for _, k := range p.keys {
			if slices.ContainsFunc(keys, k.same) {
				continue
			}
			keys = append(keys, k)
			k.name = cut(s, clean(k.name), w-k.wide()-keyGap)
			width := k.wide() + keyGap + s.Width(k.name)
			if n := len(l); n > 0 && l[n-1].width+entryGap+width <= w {
				l[n-1] = legendRow{append(l[n-1].keys, k), l[n-1].width + entryGap + width}
			} else {
				l = append(l, legendRow{[]key{k}, width})
			}
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
		c.SetColor(translucent(k.colour, veil))
		c.Fill(vg.Rectangle{Min: vg.Point{X: x, Y: y - 4}, Max: vg.Point{X: x + sample, Y: y + 4}}.Path())
	}
	if k.style != Points {
		c.StrokeLines(k.line(), []vg.Point{{X: x, Y: y}, {X: x + sample, Y: y}})
	}
	switch at := []vg.Point{{X: x + k.wide()/2, Y: y}}; {
	case k.crowd:
		crowd(c, k.colour, at, glyphRadius)
	case k.style == Points || k.style == LinePoints:
		signs(c, k.look, at, glyphRadius)
	}
}
