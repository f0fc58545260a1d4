package plots

import (
	"cmp"
	"fmt"
	"strconv"

	"ogdl/internal/words"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Matrix is a panel that shows a matrix as a field of shades: white is 0, dark blue Max.
type Matrix struct {
	Title      string
	Rows, Cols int
	Values     []float64 // row by row, Rows * Cols of them; NaN and infinite ones stay crossed out
	// Max is the end of the scale, 0: 1; values beyond the ends have their shades.
	Max float64
	Bar bool // draw the scale beside it
}

// maxMatrix bounds the sides of a matrix, side those of what is drawn of it.
const (
	maxMatrix = 1 << 15
	side      = 100
)

func (m Matrix) about() (about, error) {
	a := about{title: m.Title, aspect: 1, empty: len(m.Values) == 0}
	switch {
	case m.Rows < 0 || m.Cols < 0 || m.Rows > maxMatrix || m.Cols > maxMatrix || len(m.Values) != m.Rows*m.Cols:
		return a, fmt.Errorf("%d x %d matrix with %d values", m.Rows, m.Cols, len(m.Values))
	case !(m.Max >= 0 && m.Max < 1e300):
		return a, fmt.Errorf("scale from 0 to %v", m.Max)
	}
	if !a.empty {
		ratio := float64(m.Rows) / float64(m.Cols)
		if m.Bar {
			ratio *= 0.8 // about the room that the scale leaves
		}
		a.aspect = min(max(ratio, 0.2), 3)
	}
	left := rejected(m.Values, finite)
	a.note(left > 0, "%s not finite.", words.Plural(left, "entry is", "entries are"))
	b := m.block()
	a.note(b > 1, "Means of blocks of %d by %d entries.", b, b)
	return a, nil
}

// block is the side of the squares whose mean is one field of the picture.
func (m Matrix) block() int { return max(1, (max(m.Rows, m.Cols)+side-1)/side) }

// steps are the levels of the fields to draw, row by row, -1 where there is no value.
func (m Matrix) steps(rows, cols int, top float64) []int {
	steps, sum, n := make([]int, rows*cols), make([]float64, rows*cols), make([]float64, rows*cols)
	b := m.block()
	for k, v := range m.Values {
		if finite(v) {
			at := k/m.Cols/b*cols + k%m.Cols/b
			sum[at] += min(max(v, 0), top)
			n[at]++
		}
	}
	for at := range steps {
		steps[at] = -1
		if n[at] > 0 {
			steps[at] = level(sum[at] / n[at] / top)
		}
	}
	return steps
}

// Sizes of the scale beside a matrix, in points.
const (
	barGap  = 5
	barWide = 7
)

func (m Matrix) draw(c draw.Canvas) {
	top := cmp.Or(m.Max, 1)
	b := m.block()
	rows, cols := (m.Rows+b-1)/b, (m.Cols+b-1)/b
	label := strconv.FormatFloat(top, 'g', 3, 64)
	if m.Bar {
		s := style(smallSize, ink)
		c.Max.X -= barWide + 3 + max(s.Width("0"), s.Width(label)) + barGap
	}
	size := min(c.Size().X/vg.Length(cols), c.Size().Y/vg.Length(rows))
	// corner is where the field of a row and a column begins, at its upper left.
	upper := vg.Point{X: c.Center().X - size*vg.Length(cols)/2, Y: c.Center().Y + size*vg.Length(rows)/2}
	corner := func(i, j int) vg.Point {
		return vg.Point{X: upper.X + size*vg.Length(j), Y: upper.Y - size*vg.Length(i)}
	}
	if m.Bar {
		at := corner(rows, cols).Add(vg.Point{X: barGap})
		bar(c, vg.Rectangle{Min: at, Max: vg.Point{X: at.X + barWide, Y: upper.Y}}, label)
	}
	// Fields reach a little below their neighbours: no ground shines through between them.
	const under = 0.2
	var fields [levels][]vg.Rectangle // equal ones beside each other are one
	var crosses [][]vg.Point
	steps := m.steps(rows, cols, top)
	for k, v := range steps {
		i, j := k/cols, k%cols
		box := vg.Rectangle{Min: corner(i+1, j), Max: corner(i, j+1)}
		if v < 0 {
			crosses = append(crosses, []vg.Point{box.Min, box.Min.Add(vg.Point{X: size, Y: size})})
			continue
		}
		if j+1 < cols {
			box.Max.X += under
		}
		if i+1 < rows {
			box.Min.Y -= under
		}
		if j > 0 && steps[k-1] == v {
			fields[v][len(fields[v])-1].Max.X = box.Max.X
		} else {
			fields[v] = append(fields[v], box)
		}
	}
	for v, boxes := range fields {
		var path vg.Path
		for _, box := range boxes {
			path = append(path, box.Path()...)
		}
		if v > 0 && len(path) > 0 { // 0 is white
			c.SetColor(shade(float64(v) / (levels - 1)))
			c.Fill(path)
		}
	}
	c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.5}, crosses...)
	outline(c, vg.Rectangle{Min: corner(rows, 0), Max: corner(0, cols)})
}

// outline draws a frame.
func outline(c draw.Canvas, r vg.Rectangle) {
	corners := []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min}
	c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.6}, corners)
}

// bar draws the scale from bottom to top, and its ends.
func bar(c draw.Canvas, at vg.Rectangle, end string) {
	const parts = 32
	h := at.Size().Y / parts
	for i := range parts {
		part := at
		part.Min.Y = at.Min.Y + h*vg.Length(i)
		part.Max.Y = min(part.Min.Y+h+0.2, at.Max.Y)
		c.SetColor(shade((float64(i) + 0.5) / parts))
		c.Fill(part.Path())
	}
	outline(c, at)
	s := style(smallSize, ink)
	s.XAlign = text.XLeft
	c.FillText(s, vg.Point{X: at.Max.X + 3, Y: at.Min.Y + 1}, "0")
	c.FillText(s, vg.Point{X: at.Max.X + 3, Y: at.Max.Y - smallSize}, end)
}
