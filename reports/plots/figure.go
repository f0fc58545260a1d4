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
	leastAxes, leastPicture = 100, 30
)

// about is the surroundings of a panel's content.
type about struct {
	title  string
	notes  []string  // remarks below the panel: its own, and what was left out
	keys   []key     // entries for a legend
	aspect float64   // the panel's height without titles, legends and notes over its width
	least  vg.Length // how narrow it may be, and how low its content
	empty  string    // drawn in the place of a content that cannot be drawn
}

const noData = "no data"

// note adds a remark where there is one.
func (a *about) note(when bool, format string, args ...any) {
	if when {
		a.notes = append(a.notes, fmt.Sprintf(format, args...))
	}
}

// heights are what the tallest titles, contents and notes of a row take.
type heights struct{ head, content, notes vg.Length }

func (h heights) sum() vg.Length { return h.head + h.content + h.notes }

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
	least := slices.MaxFunc(panels, func(a, b about) int { return cmp.Compare(a.least, b.least) }).least
	if inner < least {
		return 0, 0, nil, fmt.Errorf("%v cm leave no room for its panels", f.Width)
	}
	columns = min(columns, int((inner+gap)/(least+gap)))
	cell := (inner - gap*vg.Length(columns-1)) / vg.Length(columns)
	title := block{}
	if !f.Untitled {
		title = wrap(style(ink), inner, gap/2, f.Title)
	}
	keys := newLegend(panels, inner)
	heads, notes := make([]block, len(panels)), make([]block, len(panels))
	rows := make([]heights, (len(panels)+columns-1)/columns)
	h = 2*margin + title.height() + keys.height() + gap*vg.Length(len(rows)-1)
	for i, a := range panels {
		heads[i], notes[i] = wrap(style(ink), cell, 3, a.title), wrap(style(dim), cell, 0, a.notes...)
		r := &rows[i/columns]
		r.head, r.notes = max(r.head, heads[i].height()), max(r.notes, notes[i].height())
		r.content = max(r.content, cell*vg.Length(a.aspect), a.least)
	}
	for _, r := range rows {
		h += r.sum()
	}
	return w, h, func(c draw.Canvas) {
		c.SetColor(color.White)
		c.Fill(c.Rectangle.Path())
		c = title.draw(draw.Crop(c, margin, -margin, margin, -margin))
		keys.draw(draw.Crop(c, 0, 0, 0, keys.height()-c.Size().Y))
		fields := make([]draw.Canvas, len(panels))
		for i := range panels {
			r, at := rows[i/columns], c
			at.Min.X += vg.Length(i%columns) * (cell + gap)
			at.Max.X = at.Min.X + cell
			heads[i].draw(draw.Crop(at, 0, 0, 0, heads[i].height()-r.head))
			at.Max.Y -= r.head
			notes[i].draw(draw.Crop(at, 0, 0, 0, -r.content))
			at.Min.Y = at.Max.Y - r.content
			fields[i] = at
			if i%columns == columns-1 {
				c.Max.Y -= r.sum() + gap
			}
		}
		f.align(panels, fields)
		for i, at := range fields {
			if panels[i].empty != "" {
				s := style(dim)
				s.YAlign = text.YCenter
				at.FillText(s, at.Center(), panels[i].empty)
				continue
			}
			f.Panels[i].draw(at)
		}
	}, nil
}

// align gives all panels with axes the same room outside their axes, so that axes in one
// column or row begin and end at the same places.
func (f Figure) align(is []about, fields []draw.Canvas) {
	outside := map[int]vg.Rectangle{}
	var most vg.Rectangle
	for i, p := range f.Panels {
		if x, ok := p.(XY); ok && is[i].empty == "" && !x.Bare {
			q, c := x.plot(fields[i])
			axes := q.DataCanvas(c)
			o := vg.Rectangle{Min: axes.Min.Sub(fields[i].Min), Max: fields[i].Max.Sub(axes.Max)}
			most.Min.X, most.Max.X = max(most.Min.X, o.Min.X), max(most.Max.X, o.Max.X)
			most.Min.Y, most.Max.Y = max(most.Min.Y, o.Min.Y), max(most.Max.Y, o.Max.Y)
			outside[i] = o
		}
	}
	for i, o := range outside {
		// Long labels of one panel do not crush the others.
		more := func(most, own, limit vg.Length) vg.Length { return max(min(most, limit)-own, 0) }
		size := fields[i].Size()
		below := vg.Point{X: more(most.Min.X, o.Min.X, 0.6*size.X), Y: more(most.Min.Y, o.Min.Y, 0.6*size.Y)}
		above := vg.Point{X: more(most.Max.X, o.Max.X, 0.3*size.X), Y: more(most.Max.Y, o.Max.Y, 0.3*size.Y)}
		fields[i].Min, fields[i].Max = fields[i].Min.Add(below), fields[i].Max.Sub(above)
	}
}

// key is an entry of a legend: the sign of a series, of a group of nodes, or the scale of shades.
type key struct {
	name   string
	colour int // from 0
	style  Style
	guide  bool
	band   bool
	crowd  bool // the points are too many for the shape of their colour
	node   bool
	shades bool
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
			if slices.Contains(keys, k) {
				continue
			}
			keys = append(keys, k)
			k.name = cut(s, clean(k.name), w-sample-keyGap)
			width := sample + keyGap + s.Width(k.name)
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
			x += sample + keyGap
			c.FillText(s, vg.Point{X: x, Y: y + lineHeight/4}, k.name)
			x += s.Width(k.name) + entryGap
		}
	}
}

// draw draws the sign of an entry.
func (k key) draw(c draw.Canvas, x, y vg.Length) {
	middle := vg.Point{X: x + sample/2, Y: y}
	switch {
	case k.shades:
		for i, of := range shades {
			c.SetColor(of)
			c.Fill(vg.Rectangle{Min: vg.Point{X: x + vg.Length(i)*sample/levels, Y: y - 3}, Max: vg.Point{X: x + sample, Y: y + 3}}.Path())
		}
		return
	case k.node:
		node(c, looks[k.colour].colour, middle, pointRadius)
		return
	case k.crowd:
		crowd{colour: k.colour}.draw(c, []vg.Point{middle})
		return
	case k.band:
		c.SetColor(translucent(k.colour, veil))
		c.Fill(around(middle, sample, 8).Path())
	}
	if k.style != Points {
		c.StrokeLine2(line(k.colour, k.guide), x, y, x+sample, y)
	}
	if k.style == Points || k.style == LinePoints {
		c.DrawGlyphNoClip(glyph(k.colour), middle)
	}
}
