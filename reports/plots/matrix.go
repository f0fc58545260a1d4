package plots

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Matrix is a panel that shows a matrix as a field of shades: white is Min, dark blue Max.
type Matrix struct {
	Title      string
	Rows, Cols int
	Values     []float64 // row by row, Rows * Cols of them; NaN and infinite ones stay crossed out
	// Min and Max are the ends of the scale; values beyond have its last shade. Both 0: the smallest and
	// the largest value.
	Min, Max float64
	Bar      bool // draw the scale beside it
	Note     string
}

func (m Matrix) prepared() drawable { return m }
func (m Matrix) heading() string    { return m.Title }
func (m Matrix) keys() []key        { return nil }

func (m Matrix) aspect() float64 {
	if m.Cols == 0 || m.Rows == 0 {
		return 1
	}
	ratio := float64(m.Rows) / float64(m.Cols)
	if m.Bar {
		ratio *= 0.8 // about the room that the scale leaves
	}
	return min(max(ratio, 0.2), 3)
}

func (m Matrix) check() error {
	switch {
	case m.Rows < 0 || m.Cols < 0 || m.Rows > maxMatrix || m.Cols > maxMatrix || len(m.Values) != m.Rows*m.Cols:
		return fmt.Errorf("%d x %d matrix with %d values", m.Rows, m.Cols, len(m.Values))
	case !finite(m.Min) || !finite(m.Max) || m.Max < m.Min:
		return fmt.Errorf("scale from %v to %v", m.Min, m.Max)
	}
	return nil
}

// maxMatrix bounds the sides of a matrix, side those of what is drawn of it.
const (
	maxMatrix = 1 << 15
	side      = 100
)

func (m Matrix) notes() []string {
	var out []string
	if m.Note != "" {
		out = append(out, m.Note)
	}
	left := 0
	for _, v := range m.Values {
		if !finite(v) {
			left++
		}
	}
	switch {
	case left == 1:
		out = append(out, "1 entry is not finite.")
	case left > 1:
		out = append(out, fmt.Sprintf("%d entries are not finite.", left))
	}
	if b := m.block(); b > 1 {
		out = append(out, fmt.Sprintf("Means of blocks of %d by %d entries.", b, b))
	}
	return out
}

// block is the side of the squares whose mean is one field of the picture.
func (m Matrix) block() int { return max(1, (max(m.Rows, m.Cols)+side-1)/side) }

// bounds are the ends of the scale.
func (m Matrix) bounds() (lo, hi float64) {
	if m.Min != 0 || m.Max != 0 {
		return m.Min, m.Max
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	for _, v := range m.Values {
		if finite(v) {
			lo, hi = min(lo, v), max(hi, v)
		}
	}
	if lo > hi {
		return 0, 1
	}
	return lo, hi
}

// steps are the levels of the fields to draw, -1 where there is no value.
func (m Matrix) steps(lo, hi float64) (rows, cols int, out []int) {
	b := m.block()
	rows, cols = (m.Rows+b-1)/b, (m.Cols+b-1)/b
	for i := range rows {
		for j := range cols {
			sum, n := 0.0, 0
			for r := i * b; r < min((i+1)*b, m.Rows); r++ {
				for c := j * b; c < min((j+1)*b, m.Cols); c++ {
					if v := m.Values[r*m.Cols+c]; finite(v) {
						sum += (min(max(v, lo), hi) - lo) / 2
						n++
					}
				}
			}
			if n == 0 {
				out = append(out, -1)
				continue
			}
			out = append(out, level(sum/float64(n), 0, (hi-lo)/2))
		}
	}
	return rows, cols, out
}

func (m Matrix) draw(p *pen, at field) {
	if len(m.Values) == 0 {
		p.nothing(at.Canvas)
		return
	}
	lo, hi := m.bounds()
	rows, cols, steps := m.steps(lo, hi)
	c := at.Canvas
	if m.Bar {
		c.Max.X -= p.barWidth(lo, hi) + barGap
	}
	size := min(c.Size().X/vg.Length(cols), c.Size().Y/vg.Length(rows))
	left := c.Center().X - size*vg.Length(cols)/2
	top := c.Center().Y + size*vg.Length(rows)/2
	if m.Bar {
		p.bar(c, left+size*vg.Length(cols)+barGap, top-size*vg.Length(rows), top, lo, hi)
	}
	// Fields reach a little below their neighbours: no ground shines through between them.
	const under = 0.2
	box := func(path *vg.Path, i, from, to int) {
		x0, x1 := left+size*vg.Length(from), left+size*vg.Length(to)
		y0, y1 := top-size*vg.Length(i+1), top-size*vg.Length(i)
		if to < cols {
			x1 += under
		}
		if i+1 < rows {
			y0 -= under
		}
		path.Move(vg.Point{X: x0, Y: y0})
		path.Line(vg.Point{X: x1, Y: y0})
		path.Line(vg.Point{X: x1, Y: y1})
		path.Line(vg.Point{X: x0, Y: y1})
		path.Close()
	}
	paths := make([]vg.Path, levels)
	var crosses [][]vg.Point
	for i := range rows {
		for from := 0; from < cols; {
			v, to := steps[i*cols+from], from+1
			for to < cols && steps[i*cols+to] == v {
				to++
			}
			switch {
			case v > 0:
				box(&paths[v], i, from, to)
			case v < 0:
				for j := from; j < to; j++ {
					x, y := left+size*vg.Length(j), top-size*vg.Length(i+1)
					crosses = append(crosses, []vg.Point{{X: x, Y: y}, {X: x + size, Y: y + size}})
				}
			}
			from = to
		}
	}
	for v, path := range paths {
		if len(path) > 0 {
			c.SetColor(shade(float64(v) / (levels - 1)))
			c.Fill(path)
		}
	}
	c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.5}, crosses...)
	outline(c, left, top-size*vg.Length(rows), left+size*vg.Length(cols), top)
}

// outline draws a frame.
func outline(c draw.Canvas, x0, y0, x1, y1 vg.Length) {
	c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.6}, []vg.Point{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}, {X: x0, Y: y0}})
}

// Sizes of the scale beside a matrix, in points.
const (
	barGap  = 5
	barWide = 7
)

// barLabels are the ends of the scale.
func barLabels(lo, hi float64) [2]string {
	write := func(v float64) string { return strconv.FormatFloat(v, 'g', 3, 64) }
	return [2]string{write(lo), write(hi)}
}

// barWidth is the room that the scale takes.
func (p *pen) barWidth(lo, hi float64) vg.Length {
	s, labels := p.style(smallSize, ink), barLabels(lo, hi)
	return barWide + 3 + max(s.Width(labels[0]), s.Width(labels[1]))
}

// bar draws the scale from bottom to top.
func (p *pen) bar(c draw.Canvas, x, bottom, top vg.Length, lo, hi float64) {
	const parts = 32
	h := (top - bottom) / parts
	for i := range parts {
		y := bottom + h*vg.Length(i)
		c.SetColor(shade((float64(i) + 0.5) / parts))
		c.Fill(vg.Rectangle{Min: vg.Point{X: x, Y: y}, Max: vg.Point{X: x + barWide, Y: min(y+h+0.2, top)}}.Path())
	}
	outline(c, x, bottom, x+barWide, top)
	s, labels := p.style(smallSize, ink), barLabels(lo, hi)
	s.XAlign = text.XLeft
	c.FillText(s, vg.Point{X: x + barWide + 3, Y: bottom + 1}, labels[0])
	c.FillText(s, vg.Point{X: x + barWide + 3, Y: top - smallSize}, labels[1])
}
