package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// content is what stands between the axes.
type content struct {
	XY
	p *pen
}

// Plot draws the series, as gonum's plots want it.
func (d content) Plot(c draw.Canvas, q *plot.Plot) {
	at := func(x, y float64) vg.Point {
		return vg.Point{X: c.X(q.X.Norm(x)), Y: c.Y(q.Y.Norm(y))}
	}
	grid := draw.LineStyle{Color: faint, Width: 0.5}
	for _, t := range q.X.Tick.Marker.Ticks(q.X.Min, q.X.Max) {
		if x := c.X(q.X.Norm(t.Value)); !t.IsMinor() && c.ContainsX(x) {
			c.StrokeLine2(grid, x, c.Min.Y, x, c.Max.Y)
		}
	}
	for _, t := range q.Y.Tick.Marker.Ticks(q.Y.Min, q.Y.Max) {
		if y := c.Y(q.Y.Norm(t.Value)); !t.IsMinor() && c.ContainsY(y) {
			c.StrokeLine2(grid, c.Min.X, y, c.Max.X, y)
		}
	}
	if d.Diagonal {
		c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.8, Dashes: []vg.Length{4, 2}}, []vg.Point{c.Min, c.Max})
	}
	d.marks(c, q)
	for i, s := range d.Series {
		d.band(c, at, s, d.colour(i))
	}
	// Clouds lie below lines, signs above them.
	for i, s := range d.Series {
		if s.cloud() {
			d.points(c, at, s, d.colour(i))
		}
	}
	for i, s := range d.Series {
		if s.Style != Points {
			for _, line := range d.runs(s) {
				c.StrokeLines(lineStyle(d.colour(i)), thinLine(line, s.Style == Steps, at)...)
			}
		}
	}
	for i, s := range d.Series {
		if s.Style == Points && !s.cloud() || s.Style == LinePoints {
			d.points(c, at, s, d.colour(i))
		}
	}
}

// marks draws the vertical lines and, above the axes, their labels, as far as they do not
// cover each other.
func (d content) marks(c draw.Canvas, q *plot.Plot) {
	s := d.p.style(smallSize, dim)
	marks := slices.Clone(d.Marks)
	slices.SortStableFunc(marks, func(a, b Mark) int { return cmp.Compare(a.X, b.X) })
	free := vg.Length(math.Inf(-1))
	for _, m := range marks {
		if !fits(m.X, d.LogX) {
			continue
		}
		x := c.X(q.X.Norm(m.X))
		c.StrokeLine2(draw.LineStyle{Color: rule, Width: 0.8, Dashes: []vg.Length{3, 2}}, x, c.Min.Y, x, c.Max.Y)
		label := clean(m.Label)
		if w := s.Width(label); label != "" && x-w/2 >= free {
			c.FillText(s, vg.Point{X: x, Y: c.Max.Y + 3}, label)
			free = x + w/2 + 4
		}
	}
}

// runs are the stretches of a series without a gap, as (x, y).
func (d content) runs(s Series) [][][2]float64 {
	var out [][][2]float64
	var now [][2]float64
	for i := range s.X {
		if d.drawable(s.X[i], s.Y[i]) {
			now = append(now, [2]float64{s.X[i], s.Y[i]})
			continue
		}
		out, now = append(out, now), nil
	}
	return append(out, now)
}

// band fills what lies between Low and High, stretch by stretch.
func (d content) band(c draw.Canvas, at func(x, y float64) vg.Point, s Series, colour int) {
	if s.Low == nil {
		return
	}
	if s.Whiskers {
		d.whiskers(c, at, s, colour)
		return
	}
	var up, down []vg.Point
	fill := func() {
		if len(up) > 1 {
			slices.Reverse(down)
			c.FillPolygon(clear(colourOf(colour)), slices.Concat(up, down))
		}
		up, down = nil, nil
	}
	every := max(1, len(s.X)/bandPoints)
	for i := range s.X {
		switch {
		case !d.drawable(s.X[i], s.Y[i]) || !fits(s.Low[i], d.LogY) || !fits(s.High[i], d.LogY):
			fill()
		case i%every == 0 || i == len(s.X)-1:
			up = append(up, at(s.X[i], s.High[i]))
			down = append(down, at(s.X[i], s.Low[i]))
		}
	}
	fill()
}

// whiskers draws a bar from Low to High at every point.
func (d content) whiskers(c draw.Canvas, at func(x, y float64) vg.Point, s Series, colour int) {
	var path vg.Path
	last := vg.Length(math.Inf(-1))
	for i := range s.X {
		if !d.drawable(s.X[i], s.Y[i]) || !fits(s.Low[i], d.LogY) || !fits(s.High[i], d.LogY) {
			continue
		}
		if x := at(s.X[i], s.Y[i]).X; len(s.X) > manyPoints {
			if x < last+1 { // a bar there already
				continue
			}
			last = x
		}
		low, high := at(s.X[i], s.Low[i]), at(s.X[i], s.High[i])
		for _, p := range [2]vg.Point{low, high} {
			path.Move(vg.Point{X: p.X - 1.8, Y: p.Y})
			path.Line(vg.Point{X: p.X + 1.8, Y: p.Y})
		}
		path.Move(low)
		path.Line(high)
	}
	if len(path) > 0 {
		c.SetLineStyle(draw.LineStyle{Color: colourOf(colour), Width: 0.7})
		c.Stroke(path)
	}
}

// cloud reports whether a series has so many points that they lose their shape.
func (s Series) cloud() bool { return s.Style == Points && len(s.X) > manyPoints }

// bandPoints is how many corners the sides of a band have at most, nearly.
const bandPoints = 1000

// points draws the signs of a series.
func (d content) points(c draw.Canvas, at func(x, y float64) vg.Point, s Series, colour int) {
	var places []vg.Point
	for i := range s.X {
		if d.drawable(s.X[i], s.Y[i]) {
			places = append(places, at(s.X[i], s.Y[i]))
		}
	}
	cloud(places, colour).draw(c, colour)
}
