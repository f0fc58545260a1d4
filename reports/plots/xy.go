package plots

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

	"ogdl/internal/words"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// XY is a panel of series over two axes.
type XY struct {
	Title, XLabel, YLabel string
	Series                []Series
	// Marks are vertical lines, labelled at the top; Levels horizontal ones, labelled on them.
	Marks  []Mark
	Levels []Level
	// Bounds, where given, are the ends of what Y can be: the axis does not go beyond, but for values that do.
	Bounds     *[2]float64
	LogX, LogY bool // logarithmic axes: values that are not positive are left out
	// CountFrom is how many points share a place before their number is next to it; 0: 3.
	CountFrom int
	// Field lies behind the series; nil: none.
	Field *Field
	// Span is what the X axis reaches over at least, where it is given: panels side by side then have one range.
	Span [2]float64
	// XTicks and YTicks replace the axes' own ticks, for categories.
	XTicks, YTicks []Tick
	// Diagonal draws the line y = x; both axes then have one range, and are both logarithmic or neither.
	Diagonal bool
	// Note is a text below the panel.
	Note string
	// Aspect is the height of the panel over its width; 0: 0.75, and 1 with Diagonal.
	Aspect float64
}

// Style is how a series is drawn.
type Style int

// Points are signs, Line joins the points in their order, LinePoints does both, from three points
// on, Steps goes on at the height of a point up to the next one. Numbers next to signs count points
// at one place.
const (
	Points Style = iota
	Line
	LinePoints
	Steps
)

// Series is one row of points.
type Series struct {
	// Name in the legend; a series without one has no entry there.
	Name string
	// X and Y are equally long. A line is interrupted where a point cannot be drawn.
	X, Y []float64
	// Low and High, where given, are as long as X: the band around the series, or, with
	// Whiskers, a bar at every point. With Across they are X values and the bars lie flat.
	Low, High []float64
	Whiskers  bool
	Across    bool
	Hollow    bool // signs are outlines
	Faint     bool // lines are thin and pale, to be seen behind the others
	Style     Style
	// Labels are texts next to the points; nil, or as many as X.
	Labels []string
	// Colour is the number of the colour, shape and dashes, from 1. 0: the number of the series's
	// place in its panel. Sign is the number of the shape alone, where it is another; 0: as Colour says.
	Colour, Sign int
}

// Mark is a vertical line.
type Mark struct {
	X     float64
	Label string
}

// Level is a horizontal line with its name.
type Level struct {
	Y     float64
	Label string
}

func (x XY) about() (about, error) {
	a := about{title: x.Title, aspect: cmp.Or(x.Aspect, 0.75), least: leastAxes, empty: true}
	switch {
	case !(x.Aspect >= 0 && x.Aspect <= 20):
		return a, fmt.Errorf("aspect %v: want 0 (default) to 20", x.Aspect)
	case x.Diagonal && x.LogX != x.LogY:
		return a, errors.New("a diagonal between a logarithmic and a linear axis")
	case x.Diagonal:
		a.aspect = cmp.Or(x.Aspect, 1)
	}
	if x.Field != nil {
		a.empty = false
		if err := x.Field.check(x); err != nil {
			return a, err
		}
	}
	left, what := 0, "finite"
	if x.LogX || x.LogY {
		what = "finite or not positive"
	}
	for i, s := range x.Series {
		switch {
		case len(s.X) != len(s.Y):
			return a, fmt.Errorf("series %d (%q): %d X and %d Y", i+1, s.Name, len(s.X), len(s.Y))
		case len(s.Low) != len(s.High) || s.Low != nil && len(s.Low) != len(s.X):
			return a, fmt.Errorf("series %d (%q): %d Low and %d High of %d points", i+1, s.Name, len(s.Low), len(s.High), len(s.X))
		case s.Labels != nil && len(s.Labels) != len(s.X):
			return a, fmt.Errorf("series %d (%q): %d labels of %d points", i+1, s.Name, len(s.Labels), len(s.X))
		case s.Style < Points || s.Style > Steps:
			return a, fmt.Errorf("series %d (%q): style %d", i+1, s.Name, s.Style)
		case s.Colour < 0 || s.Sign < 0:
			return a, fmt.Errorf("series %d (%q): colour %d, sign %d", i+1, s.Name, s.Colour, s.Sign)
		}
		drawn := len(x.points(s))
		a.empty = a.empty && drawn == 0
		left += len(s.X) - drawn
		if s.Name != "" {
			a.keys = append(a.keys, key{name: s.Name, look: x.look(i), style: s.Style, band: s.Low != nil && !s.Whiskers, crowd: s.crowd()})
		}
	}
	a.note(x.Note != "", "%s", x.Note)
	a.note(left > 0, "%s left out: not %s.", words.Plural(left, "point is", "points are"), what)
	return a, nil
}

// look returns the look of series i.
func (x XY) look(i int) look {
	s := x.Series[i]
	colour := (cmp.Or(s.Colour, i+1) - 1) % Colours
	return look{colour, (cmp.Or(s.Sign, colour+1) - 1) % Colours, s.Hollow, s.Faint}
}

// lined reports whether a series has a line: two points have none between them.
func (s Series) lined() bool { return s.Style != Points && (s.Style != LinePoints || len(s.X) > 2) }

// signed reports whether a series has signs.
func (s Series) signed() bool { return s.Style == Points || s.Style == LinePoints }

// crowd reports whether a series has so many points that they lose their shape.
func (s Series) crowd() bool { return s.Style == Points && len(s.X) > manyPoints }

// runs are the stretches of a series without a gap, by the numbers of their points.
func (x XY) runs(s Series, sides bool) (runs [][]int) {
	gap := true
	for i := range s.X {
		if !fits(s.X[i], x.LogX) || !fits(s.Y[i], x.LogY) || sides && (!fits(s.Low[i], x.LogY) || !fits(s.High[i], x.LogY)) {
			gap = true
			continue
		}
		if gap {
			runs, gap = append(runs, nil), false
		}
		runs[len(runs)-1] = append(runs[len(runs)-1], i)
	}
	return runs
}

// points are the numbers of the points that have a place.
func (x XY) points(s Series) []int { return slices.Concat(x.runs(s, false)...) }

// draw draws the axes with what is between them, and their names, in the middles of the axes as far as the field reaches.
func (x XY) draw(c draw.Canvas) {
	q, rest := x.plot(c)
	q.Draw(rest)
	inner, s := q.DataCanvas(rest), style(ink)
	if x.XLabel != "" {
		name := cut(s, clean(x.XLabel), c.Size().X)
		half := s.Width(name) / 2
		at := min(max(inner.Center().X, c.Min.X+half), c.Max.X-half)
		c.FillText(s, vg.Point{X: at, Y: c.Min.Y + lineHeight/4}, name)
	}
	if x.YLabel != "" {
		name := cut(s, clean(x.YLabel), c.Size().Y+gap)
		half := s.Width(name) / 2
		at := min(max(inner.Center().Y, c.Min.Y+half), max(c.Max.Y-half, c.Center().Y))
		s.Rotation = math.Pi / 2
		c.FillText(s, vg.Point{X: c.Min.X + 0.75*lineHeight, Y: at}, name)
	}
}

// plot sets the panel up and says where in the field it goes.
func (x XY) plot(c draw.Canvas) (*plot.Plot, draw.Canvas) {
	q := plot.New()
	q.BackgroundColor = nil
	ax, ay := axis{&q.X, x.LogX}, axis{&q.Y, x.LogY}
	for _, s := range x.Series {
		for _, i := range x.points(s) {
			ax.include(s.X[i])
			ay.include(s.Y[i])
			switch {
			case s.Low == nil:
			case s.Across:
				ax.include(s.Low[i], s.High[i])
			default:
				ay.include(s.Low[i], s.High[i])
			}
		}
	}
	labels := vg.Length(0)
	for _, m := range x.Marks {
		ax.include(m.X)
		if m.Label != "" {
			labels = lineHeight // they are above the axes
		}
	}
	for _, l := range x.Levels {
		ay.include(l.Y)
	}
	if x.Span != ([2]float64{}) {
		ax.include(x.Span[:]...)
	}
	for _, t := range x.XTicks {
		ax.include(t.Value)
	}
	for _, t := range x.YTicks {
		ay.include(t.Value)
	}
	if x.Diagonal {
		ax.include(ay.Min, ay.Max)
	}
	if f := x.Field; f != nil {
		ax.include(edges(f.X, x.LogX)...)
		ay.include(edges(f.Y, x.LogY)...)
		ax.pad(0.001) // gonum's axes want room beyond the outermost tick
		ay.pad(0.001)
	} else {
		low, high := ay.Min, ay.Max
		ax.pad(0.03)
		ay.pad(0.05)
		if b := x.Bounds; b != nil {
			ay.Min, ay.Max = max(ay.Min, min(low, b[0])), min(ay.Max, max(high, b[1]))
		}
	}
	if x.Diagonal {
		ay.Min, ay.Max = ax.Min, ax.Max
	}
	c.Max.Y -= labels
	if x.XLabel != "" {
		c.Min.Y += lineHeight
	}
	if x.YLabel != "" {
		c.Min.X += lineHeight
	}
	const ticks = 20 // about what ticks and their labels take
	ax.dress(x.XTicks, c.Size().X-ticks, func(label string) vg.Length { return ax.Tick.Label.Width(label) + 6 })
	ay.dress(x.YTicks, c.Size().Y-ticks, func(string) vg.Length { return lineHeight })
	q.Add(x)
	return q, c
}

// placing returns the place of point i of these coordinates.
type placing func(i int, xs, ys []float64) vg.Point

// Plot draws everything between the axes, as gonum's plots want it.
func (x XY) Plot(c draw.Canvas, q *plot.Plot) {
	toX, toY := q.Transforms(&c)
	at := func(i int, xs, ys []float64) vg.Point { return vg.Point{X: toX(xs[i]), Y: toY(ys[i])} }
	grid := draw.LineStyle{Color: faint, Width: 0.5}
	(&plotter.Grid{Vertical: grid, Horizontal: grid}).Plot(c, q)
	if x.Field != nil {
		x.Field.draw(c, x, toX, toY)
	}
	words := labels{Canvas: c}
	if x.Diagonal {
		c.StrokeLines(draw.LineStyle{Color: rule, Width: 0.8, Dashes: []vg.Length{4, 2}}, []vg.Point{c.Min, c.Max})
		words.keepOffLine(c.Min, c.Max)
	}
	x.marks(c, toX)
	var alone []vg.Point // the signs of points
	// Clouds lie below lines, signs above them.
	for _, layer := range []string{"bands", "clouds", "lines", "signs"} {
		for i, s := range x.Series {
			l := x.look(i)
			switch {
			case layer == "bands" && s.Low != nil && s.Whiskers:
				x.whiskers(c, at, s, l.colour)
			case layer == "bands" && s.Low != nil:
				x.band(c, at, s, l.colour)
			case layer == "lines" && s.lined():
				x.lines(&words, at, s, l)
			case layer == "clouds" && s.crowd(), layer == "signs" && !s.crowd() && s.signed():
				var places []vg.Point
				for _, k := range x.points(s) {
					places = append(places, at(k, s.X, s.Y))
				}
				if layer == "signs" {
					words.keepOff(glyphRadius, places...)
				}
				if s.Style == Points && !s.crowd() {
					alone = append(alone, places...)
				}
				if s.Style == LinePoints {
					places = apart(places)
				}
				cloud(c, l, places)
			}
		}
	}
	x.names(&words, at)
	words.count(alone, glyphRadius/2, cmp.Or(x.CountFrom, 3))
	x.levels(&words, toY)
}

// lines joins the points of a series, stretch by stretch.
func (x XY) lines(c *labels, at placing, s Series, as look) {
	for _, run := range x.runs(s, false) {
		var corners []vg.Point
		for n, k := range run {
			p := at(k, s.X, s.Y)
			if s.Style == Steps && n > 0 {
				corners = append(corners, vg.Point{X: p.X, Y: corners[len(corners)-1].Y})
			}
			corners = append(corners, p)
		}
		corners = thinLine(corners)
		if slices.ContainsFunc(x.Series, Series.crowd) {
			c.StrokeLines(draw.LineStyle{Color: color.White, Width: 3}, corners)
		}
		c.StrokeLines(as.line(), corners)
		c.keepOffLine(corners...)
	}
}

// marks draws the vertical lines and, above the axes, their labels, as far as they do not
// cover each other.
func (x XY) marks(c draw.Canvas, to func(x float64) vg.Length) {
	s := style(dim)
	free := vg.Length(math.Inf(-1))
	for _, m := range slices.SortedStableFunc(slices.Values(x.Marks), func(a, b Mark) int { return cmp.Compare(a.X, b.X) }) {
		if !fits(m.X, x.LogX) {
			continue
		}
		at := to(m.X)
		c.StrokeLine2(draw.LineStyle{Color: rule, Width: 0.8, Dashes: []vg.Length{3, 2}}, at, c.Min.Y, at, c.Max.Y)
		label := clean(m.Label)
		w := s.Width(label)
		if left := max(at-w/2, free); label != "" && left <= at { // next to its line, if not above
			c.FillText(s, vg.Point{X: left + w/2, Y: c.Max.Y + 3}, label)
			free = left + w + 4
		}
	}
}

// band fills the space between Low and High, stretch by stretch.
func (x XY) band(c draw.Canvas, at placing, s Series, colour int) {
	for _, run := range x.runs(s, true) {
		var up, down []vg.Point
		for _, i := range run {
			up, down = append(up, at(i, s.X, s.High)), append(down, at(i, s.X, s.Low))
		}
		down = thinLine(down)
		slices.Reverse(down)
		c.FillPolygon(translucent(colour, veil), append(thinLine(up), down...))
	}
}

// whiskers draws a bar from Low to High at every point.
func (x XY) whiskers(c draw.Canvas, at placing, s Series, colour int) {
	var path vg.Path
	last := vg.Length(math.Inf(-1))
	for _, i := range slices.Concat(x.runs(s, true)...) {
		low, high, end := at(i, s.X, s.Low), at(i, s.X, s.High), barEnd
		if s.Across {
			low, high, end = at(i, s.Low, s.Y), at(i, s.High, s.Y), sideEnd
		}
		if len(s.X) > manyPoints && low.X < last+1 { // a bar there already
			continue
		}
		last = low.X
		stamp(&path, end, low, 1)
		stamp(&path, end, high, 1)
		path.Move(low)
		path.Line(high)
	}
	if len(path) > 0 {
		c.SetLineStyle(draw.LineStyle{Color: looks[colour].colour, Width: 0.7})
		c.Stroke(path)
	}
}
