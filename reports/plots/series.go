package plots

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Plot draws what stands between the axes, as gonum's plots want it.
func (x XY) Plot(c draw.Canvas, q *plot.Plot) {
	toX, toY := q.Transforms(&c)
	at := func(i int, xs, ys []float64) vg.Point { return vg.Point{X: toX(xs[i]), Y: toY(ys[i])} }
	grid := draw.LineStyle{Color: faint, Width: 0.5}
	for _, t := range q.X.Tick.Marker.Ticks(q.X.Min, q.X.Max) {
		if at := toX(t.Value); !t.IsMinor() && c.ContainsX(at) {
			c.StrokeLine2(grid, at, c.Min.Y, at, c.Max.Y)
		}
	}
	for _, t := range q.Y.Tick.Marker.Ticks(q.Y.Min, q.Y.Max) {
		if at := toY(t.Value); !t.IsMinor() && c.ContainsY(at) {
			c.StrokeLine2(grid, c.Min.X, at, c.Max.X, at)
		}
	}
	if x.Diagonal {
		c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.8, Dashes: []vg.Length{4, 2}}, []vg.Point{c.Min, c.Max})
	}
	x.marks(c, toX)
	places := make([][]vg.Point, len(x.Series))
	for i, s := range x.Series {
		for _, k := range x.points(s) {
			places[i] = append(places[i], at(k, s.X, s.Y))
		}
		switch {
		case s.Low == nil:
		case s.Whiskers:
			x.whiskers(c, at, s, x.colour(i))
		default:
			x.band(c, at, s, x.colour(i))
		}
	}
	// Clouds lie below lines, signs above them.
	for i, s := range x.Series {
		if s.crowd() {
			cloud(c, x.colour(i), places[i])
		}
	}
	for i, s := range x.Series {
		if s.Style == Points {
			continue
		}
		for _, run := range x.runs(s, false) {
			var corners []vg.Point
			for n, k := range run {
				p := at(k, s.X, s.Y)
				if s.Style == Steps && n > 0 {
					corners = append(corners, vg.Point{X: p.X, Y: corners[len(corners)-1].Y})
				}
				corners = append(corners, p)
			}
			c.StrokeLines(lineStyle(x.colour(i)), thinLine(corners))
		}
	}
	for i, s := range x.Series {
		if s.Style == Points && !s.crowd() || s.Style == LinePoints {
			cloud(c, x.colour(i), places[i])
		}
	}
}

// marks draws the vertical lines and, above the axes, their labels, as far as they do not
// cover each other.
func (x XY) marks(c draw.Canvas, to func(x float64) vg.Length) {
	s := style(smallSize, dim)
	free := vg.Length(math.Inf(-1))
	for _, m := range slices.SortedStableFunc(slices.Values(x.Marks), func(a, b Mark) int { return cmp.Compare(a.X, b.X) }) {
		if !fits(m.X, x.LogX) {
			continue
		}
		at := to(m.X)
		c.StrokeLine2(draw.LineStyle{Color: rule, Width: 0.8, Dashes: []vg.Length{3, 2}}, at, c.Min.Y, at, c.Max.Y)
		label := clean(m.Label)
		if w := s.Width(label); label != "" && at-w/2 >= free {
			c.FillText(s, vg.Point{X: at, Y: c.Max.Y + 3}, label)
			free = at + w/2 + 4
		}
	}
}

// bandPoints is how many corners the sides of a band have at most, nearly.
const bandPoints = 1000

// band fills what lies between Low and High, stretch by stretch.
func (x XY) band(c draw.Canvas, at func(i int, xs, ys []float64) vg.Point, s Series, colour int) {
	every := max(1, len(s.X)/bandPoints)
	for _, run := range x.runs(s, true) {
		var up, down []vg.Point
		for _, i := range run {
			if i%every == 0 || i == len(s.X)-1 {
				up, down = append(up, at(i, s.X, s.High)), append(down, at(i, s.X, s.Low))
			}
		}
		if len(up) > 1 {
			slices.Reverse(down)
			c.FillPolygon(clear(colour), slices.Concat(up, down))
		}
	}
}

// whiskers draws a bar from Low to High at every point.
func (x XY) whiskers(c draw.Canvas, at func(i int, xs, ys []float64) vg.Point, s Series, colour int) {
	var path vg.Path
	last := vg.Length(math.Inf(-1))
	for _, i := range slices.Concat(x.runs(s, true)...) {
		low, high := at(i, s.X, s.Low), at(i, s.X, s.High)
		if len(s.X) > manyPoints && low.X < last+1 { // a bar there already
			continue
		}
		last = low.X
		trace(&path, low, 1, []vg.Length{-1.8, 0, 1.8, 0})
		trace(&path, high, 1, []vg.Length{-1.8, 0, 1.8, 0})
		path.Move(low)
		path.Line(high)
	}
	if len(path) > 0 {
		c.SetLineStyle(draw.LineStyle{Color: looks[colour].colour, Width: 0.7})
		c.Stroke(path)
	}
}
