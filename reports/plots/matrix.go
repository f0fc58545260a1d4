package plots

import (
	"cmp"
	"fmt"
	"math"
	"slices"
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
	// Bar draws the scale at the end of the matrix's row: once, so that matrices in a row have one scale.
	Bar bool
}

// maxMatrix bounds the sides of a matrix, side the sides of its picture.
const (
	maxMatrix = 1 << 15
	side      = 100
)

func (m Matrix) about() (about, error) {
	a := about{title: m.Title, aspect: 1, least: leastPicture, tall: leastPicture, empty: len(m.Values) == 0}
	switch {
	case m.Rows < 0 || m.Cols < 0 || m.Rows > maxMatrix || m.Cols > maxMatrix || len(m.Values) != m.Rows*m.Cols:
		return a, fmt.Errorf("%d x %d matrix with %d values", m.Rows, m.Cols, len(m.Values))
	case !(m.Max >= 0 && m.Max < 1e300):
		return a, fmt.Errorf("scale from 0 to %v", m.Max)
	}
	if !a.empty {
		a.aspect = min(max(float64(m.Rows)/float64(m.Cols), 0.2), 3)
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

// Sizes of the scale of a row, in points.
const (
	barGap  = 5
	barWide = 7
	barText = 3 // from it to its ends' labels
)

// top is the end of the scale, topText its label.
func (m Matrix) top() float64    { return cmp.Or(m.Max, 1) }
func (m Matrix) topText() string { return strconv.FormatFloat(m.top(), 'g', 3, 64) }

// lastScale is the number of the last matrix in a row that asks for the scale; -1 without any.
func (f Figure) lastScale(row []int) int {
	for _, i := range slices.Backward(row) {
		if m, ok := f.Panels[i].(Matrix); ok && m.Bar && len(m.Values) > 0 {
			return i
		}
	}
	return -1
}

// scaleWidth is the room that the scales of rows want.
func (f Figure) scaleWidth() (w vg.Length) {
	for i := range f.Panels {
		if f.lastScale([]int{i}) == i {
			w = max(w, barGap+barWide+barText+max(style(ink).Width("0"), style(ink).Width(f.Panels[i].(Matrix).topText())))
		}
	}
	return w
}

// sameScales reports matrices of a row that would share one scale and differ in theirs.
func (f Figure) sameScales(row []int) error {
	at := f.lastScale(row)
	for _, i := range row {
		if m, ok := f.Panels[i].(Matrix); ok && m.Bar && at >= 0 && m.top() != f.Panels[at].(Matrix).top() {
			return fmt.Errorf("panel %d (%q): its scale ends at %v, that of panel %d in its row at %v", i+1, m.Title, m.top(), at+1,
				f.Panels[at].(Matrix).top())
		}
	}
	return nil
}

// place is the size of a field of the picture and the picture's rectangle.
func (m Matrix) place(c draw.Canvas) (size vg.Length, box vg.Rectangle) {
	b := vg.Length(m.block())
	rows, cols := vg.Length(math.Ceil(float64(m.Rows)/float64(b))), vg.Length(math.Ceil(float64(m.Cols)/float64(b)))
	size = min(c.Size().X/cols, c.Size().Y/rows)
	half := vg.Point{X: size * cols / 2, Y: size * rows / 2}
	return size, vg.Rectangle{Min: c.Center().Sub(half), Max: c.Center().Add(half)}
}

// scale draws the scale beside x, as high as the picture.
func (m Matrix) scale(c draw.Canvas, x vg.Length) {
	_, box := m.place(c)
	box.Min.X = x + barGap
	box.Max.X = box.Min.X + barWide
	bar(c, box, m.topText())
}

func (m Matrix) draw(c draw.Canvas) {
	b := m.block()
	rows, cols := (m.Rows+b-1)/b, (m.Cols+b-1)/b
	size, whole := m.place(c)
	// corner is where the field of a row and a column begins, at its upper left.
	corner := func(i, j int) vg.Point {
		return vg.Point{X: whole.Min.X + size*vg.Length(j), Y: whole.Max.Y - size*vg.Length(i)}
	}
	// Fields reach a little below their neighbours: no ground shines through between them.
	const under = 0.2
	var fields [levels][]vg.Rectangle // equal ones beside each other are one
	var crosses [][]vg.Point
	steps := m.steps(rows, cols, m.top())
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
	outline(c, whole)
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
	s := style(ink)
	s.XAlign = text.XLeft
	c.FillText(s, vg.Point{X: at.Max.X + barText, Y: at.Min.Y + 1}, "0")
	c.FillText(s, vg.Point{X: at.Max.X + barText, Y: at.Max.Y - textSize}, end)
}
