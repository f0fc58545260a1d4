package plots

import (
	"cmp"
	"fmt"
	"math"
	"strconv"

	"ogdl/internal/words"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Matrix is a panel that shows a square matrix as a field of shades: white is 0, dark blue the end
// of the scale. The scale is at the end of each row of matrices.
type Matrix struct {
	Title  string
	N      int       // rows and columns
	Values []float64 // row by row, N * N of them; NaN and infinite ones are crossed out
	// Max is the end of the scale, 0: 1; the highest one of a figure's matrices counts for all.
	// Values beyond the ends have their shades.
	Max float64
}

// maxMatrix bounds the side of a matrix, side the side of its picture.
const (
	maxMatrix = 1 << 15
	side      = 100
)

func (m Matrix) about() (about, error) {
	a := about{title: m.Title, aspect: 1, least: leastPicture, empty: m.N == 0}
	switch {
	case m.N < 0 || m.N > maxMatrix || len(m.Values) != m.N*m.N:
		return a, fmt.Errorf("%d x %[1]d matrix with %d values", m.N, len(m.Values))
	case !(m.Max >= 0 && m.Max < 1e300):
		return a, fmt.Errorf("scale from 0 to %v", m.Max)
	}
	left := rejected(m.Values, finite)
	a.note(left > 0, "%s not finite.", words.Plural(left, "entry is", "entries are"))
	b := m.block()
	a.note(b > 1, "Means of blocks of %d by %d entries.", b, b)
	return a, nil
}

// block is the side of the squares whose mean is one field of the picture.
func (m Matrix) block() int { return max(1, (m.N+side-1)/side) }

// shares are the values of the fields of the picture, n of them in a row, as shares of the scale;
// NaN where there is no value.
func (m Matrix) shares() (shares []float64, n int) {
	b := m.block()
	n = (m.N + b - 1) / b
	shares, count := make([]float64, n*n), make([]float64, n*n)
	for k, v := range m.Values {
		if finite(v) {
			at := k/m.N/b*n + k%m.N/b
			shares[at] += min(max(v, 0), m.Max) / m.Max
			count[at]++
		}
	}
	for at := range shares {
		shares[at] /= count[at]
	}
	return shares, n
}

// Sizes of the scale of a row, in points.
const (
	barGap  = 5
	barWide = 7
	barText = 3 // from it to its ends' labels
)

// oneScale gives matrices the highest scale among them.
func oneScale(panels []Panel) (out []Panel) {
	top := 0.0
	for _, p := range panels {
		if m, ok := p.(Matrix); ok {
			top = max(top, cmp.Or(m.Max, 1))
		}
	}
	for _, p := range panels {
		if m, ok := p.(Matrix); ok {
			m.Max = top
			p = m
		}
		out = append(out, p)
	}
	return out
}

// topText is the label of the scale's end.
func (m Matrix) topText() string { return strconv.FormatFloat(m.Max, 'g', 3, 64) }

// scaleWidth is the room that the scales of rows take.
func scaleWidth(panels []Panel) vg.Length {
	for _, p := range panels {
		if m, ok := p.(Matrix); ok && m.N > 0 {
			return barGap + barWide + barText + max(style(ink).Width("0"), style(ink).Width(m.topText()))
		}
	}
	return 0
}

// place is the square of the picture.
func (m Matrix) place(c draw.Canvas) vg.Rectangle {
	size := min(c.Size().X, c.Size().Y)
	return around(c.Center(), size, size)
}

func (m Matrix) draw(c draw.Canvas) {
	box := m.place(c)
	shares, n := m.shares()
	tiles(c, spaced(box.Min.X, box.Max.X, n), spaced(box.Max.Y, box.Min.Y, n), shares)
	outline(c, box)
}

// scale draws the scale to the right of x, as high as the picture.
func (m Matrix) scale(c draw.Canvas, x vg.Length) {
	const parts = 32
	box := m.place(c)
	box.Min.X = x + barGap
	box.Max.X = box.Min.X + barWide
	var shares []float64
	for i := range parts {
		shares = append(shares, (float64(i)+0.5)/parts)
	}
	tiles(c, spaced(box.Min.X, box.Max.X, 1), spaced(box.Min.Y, box.Max.Y, parts), shares)
	outline(c, box)
	s := style(ink)
	s.XAlign = text.XLeft
	c.FillText(s, vg.Point{X: box.Max.X + barText, Y: box.Min.Y + 1}, "0")
	c.FillText(s, vg.Point{X: box.Max.X + barText, Y: box.Max.Y - textSize}, m.topText())
}

// spaced are the edges of n equal parts.
func spaced(from, to vg.Length, n int) (edges []vg.Length) {
	for i := range n + 1 {
		edges = append(edges, from+(to-from)*vg.Length(i)/vg.Length(n))
	}
	return edges
}

// tiles fills the fields between these edges of columns and rows, row by row, with the shades of
// values in [0, 1]. Those that are not finite are crossed out.
func tiles(c draw.Canvas, xs, ys []vg.Length, values []float64) {
	const under = 0.2 // fields reach a little below their neighbours: no ground shines through between them
	columns, rows := len(xs)-1, len(ys)-1
	var fields [levels]vg.Path
	var crosses [][]vg.Point
	for k := 0; k < len(values); {
		i, j, of, n := k/columns, k%columns, level(values[k]), 1
		for of >= 0 && j+n < columns && level(values[k+n]) == of { // equal neighbours are one
			n++
		}
		k += n
		box := vg.Rectangle{Min: vg.Point{X: xs[j], Y: ys[i]}, Max: vg.Point{X: xs[j+n], Y: ys[i+1]}}
		if of < 0 {
			crosses = append(crosses, []vg.Point{box.Min, box.Max})
			continue
		}
		if j+n < columns {
			box.Max.X += under
		}
		if i+1 < rows {
			box.Max.Y += vg.Length(math.Copysign(under, float64(box.Size().Y)))
		}
		fields[of] = append(fields[of], box.Path()...)
	}
	for of, path := range fields {
		if of > 0 && len(path) > 0 { // 0 is white
			c.SetColor(shades[of])
			c.Fill(path)
		}
	}
	c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.5}, crosses...)
}

// outline draws a frame.
func outline(c draw.Canvas, r vg.Rectangle) {
	corners := []vg.Point{r.Min, {X: r.Max.X, Y: r.Min.Y}, r.Max, {X: r.Min.X, Y: r.Max.Y}, r.Min}
	c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.6}, corners)
}
