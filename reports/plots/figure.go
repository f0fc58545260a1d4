package plots

import (
	"image/color"

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

// plan is where the parts of a figure stand.
type plan struct {
	w, h    vg.Length
	title   []string
	columns int
	cell    vg.Length // width of a panel
	rows    []vg.Length
	shared  []key // legend of the whole figure; nil where each panel has its own
	legend  vg.Length
}

// frame is what stands around a panel's content.
type frame struct {
	head, notes []string
	keys        []key
	legend      vg.Length
}

func (f frame) height() vg.Length {
	h := vg.Length(len(f.head))*lineHeight(headSize) + vg.Length(len(f.notes))*lineHeight(smallSize) + f.legend
	if len(f.head) > 0 {
		h += 3
	}
	return h
}

// frame lays out what stands around a panel that is w wide.
func (p *pen) frame(x Panel, shared []key, w vg.Length) frame {
	var out frame
	out.head = wrap(p.style(headSize, ink), x.heading(), w)
	for _, n := range x.notes() {
		out.notes = append(out.notes, wrap(p.style(smallSize, dim), n, w)...)
	}
	if shared == nil {
		out.keys = x.keys()
		out.legend = p.legendHeight(out.keys, w)
	}
	return out
}

func (p *pen) plan(f Figure) plan {
	l := plan{columns: f.Columns}
	n := len(f.Panels)
	if l.columns == 0 {
		l.columns = 3
		for _, x := range f.Panels {
			if _, ok := x.(XY); ok {
				l.columns = 2
			}
		}
	}
	l.columns = min(l.columns, n)
	cm := vg.Centimeter
	l.w = vg.Length(f.Width) * cm
	if f.Width == 0 {
		l.w = 16 * cm
		if l.columns == 1 {
			l.w = 10 * cm
		}
	}
	inner := l.w - 2*margin
	l.cell = (inner - gap*vg.Length(l.columns-1)) / vg.Length(l.columns)
	l.title = wrap(p.style(titleSize, ink), f.Title, inner)
	top := vg.Length(len(l.title)) * lineHeight(titleSize)
	if len(l.title) > 0 {
		top += gap / 2
	}
	l.shared = sharedKeys(f.Panels)
	l.legend = p.legendHeight(l.shared, inner)
	fixed := 2*vg.Length(margin) + top + l.legend
	for at := 0; at < n; at += l.columns {
		h := vg.Length(0)
		for _, x := range f.Panels[at:min(at+l.columns, n)] {
			h = max(h, l.cell*vg.Length(x.aspect())+p.frame(x, l.shared, l.cell).height())
		}
		l.rows = append(l.rows, h)
		if at > 0 {
			fixed += gap
		}
	}
	sum := vg.Length(0)
	for _, h := range l.rows {
		sum += h
	}
	l.h = fixed + sum
	if f.Height > 0 {
		l.h = vg.Length(f.Height) * cm
		scale := max(l.h-fixed, 1) / sum
		for i := range l.rows {
			l.rows[i] *= scale
		}
	}
	return l
}

// figure draws everything.
func (p *pen) figure(c draw.Canvas, f Figure, l plan) {
	c.SetColor(color.White)
	c.Fill(c.Rectangle.Path())
	c = draw.Crop(c, margin, -margin, margin, -margin)
	if len(l.title) > 0 {
		c = p.lines(c, p.style(titleSize, ink), l.title)
		c.Max.Y -= gap / 2
	}
	if l.shared != nil {
		p.legend(draw.Crop(c, 0, 0, 0, l.legend-c.Size().Y), l.shared)
		c.Min.Y += l.legend
	}
	fields := make([]field, len(f.Panels))
	for i, x := range f.Panels {
		row, column := i/l.columns, i%l.columns
		if column == 0 && row > 0 {
			c.Max.Y -= l.rows[row-1] + gap
		}
		at := c
		at.Min.X += vg.Length(column) * (l.cell + gap)
		at.Max.X = at.Min.X + l.cell
		at.Min.Y = at.Max.Y - l.rows[row]
		fields[i] = field{p.surround(at, p.frame(x, l.shared, l.cell))}
	}
	p.align(f.Panels, fields, l.columns)
	for i, x := range f.Panels {
		x := x.(drawable)                                        // they are prepared
		if at := fields[i]; at.Size().X > 0 && at.Size().Y > 0 { // else titles and legends take it all
			x.draw(p, at)
		}
	}
}

// align narrows the fields of axes, so that those below each other begin and end at the same
// places.
func (p *pen) align(panels []Panel, fields []field, columns int) {
	type room struct{ left, right vg.Length }
	own := make([]room, len(panels))
	most := make([]room, columns)
	for i, x := range panels {
		if x, ok := x.(XY); ok {
			own[i].left, own[i].right = x.margins(p, fields[i])
			m := &most[i%columns]
			m.left, m.right = max(m.left, own[i].left), max(m.right, own[i].right)
		}
	}
	for i, x := range panels {
		if _, ok := x.(XY); ok && own[i] != (room{}) {
			fields[i].Min.X += most[i%columns].left - own[i].left
			fields[i].Max.X -= most[i%columns].right - own[i].right
		}
	}
}

// surround draws what stands around a panel's content and returns the room for that.
func (p *pen) surround(c draw.Canvas, f frame) draw.Canvas {
	if len(f.head) > 0 {
		c = p.lines(c, p.style(headSize, ink), f.head)
		c.Max.Y -= 3
	}
	if len(f.notes) > 0 {
		h := vg.Length(len(f.notes)) * lineHeight(smallSize)
		p.lines(draw.Crop(c, 0, 0, 0, h-c.Size().Y), p.style(smallSize, dim), f.notes)
		c.Min.Y += h
	}
	if len(f.keys) > 0 {
		p.legend(draw.Crop(c, 0, 0, 0, f.legend-c.Size().Y), f.keys)
		c.Min.Y += f.legend
	}
	return c
}

// nothing says that a panel holds nothing that can be drawn.
func (p *pen) nothing(c draw.Canvas) {
	s := p.style(textSize, dim)
	s.YAlign = text.YCenter
	c.FillText(s, c.Center(), "no data")
}
