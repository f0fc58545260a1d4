package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"ogdl/internal/words"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// XY is a panel of series over two axes.
type XY struct {
	Title, XLabel, YLabel string
	Series                []Series
	// Marks are vertical lines, labelled at the top.
	Marks      []Tick
	LogX, LogY bool // logarithmic axes: values that are not positive are left out
	// Field lies behind the series; nil: none.
	Field *Field
	// XTicks and YTicks replace the axes' own ticks, for categories.
	XTicks, YTicks []Tick
	// Diagonal draws the line y = x; both axes then have one range, and are both logarithmic or neither.
	Diagonal bool
	// Bare panels have no axes, and their content has the proportions that Aspect says.
	Bare bool
	// Note is a text below the panel.
	Note string
	// Aspect is the height of the panel over its width; 0: 0.75, and 1 with Diagonal.
	Aspect float64
}

// Style is how a series is drawn.
type Style int

// Points are signs, Line joins the points in their order, LinePoints does both (with few points),
// Steps goes on at the height of a point up to the next one, Words has nothing but the labels, at
// the places themselves.
const (
	Points Style = iota
	Line
	LinePoints
	Steps
	Words
)

// Series is one row of points.
type Series struct {
	// Name in the legend; a series without one has no entry there.
	Name string
	// X and Y are equally long. Points that cannot be drawn are left out.
	X, Y []float64
	// Low and High, where given, are as long as X: the band around the series, or, with
	// Whiskers, a bar at every point, or, with Across, a flat bar: then they are X values.
	Low, High []float64
	Whiskers  bool
	Across    bool
	Style     Style
	Guide     bool // the line is thin and grey: a level or a frame
	// Labels are texts next to the points; nil, or as many as X.
	Labels []string
	// Colour is the number of the colour, shape and dashes, from 1. 0: the number of the series's
	// place in its panel.
	Colour int
}

// Put adds a point, with the ends of its bar or band where the series has these.
func (s *Series) Put(x, y float64, ends ...float64) {
	s.X, s.Y = append(s.X, x), append(s.Y, y)
	if len(ends) == 2 {
		s.Low, s.High = append(s.Low, ends[0]), append(s.High, ends[1])
	}
}

// Add adds a series, if it has points.
func (x *XY) Add(s Series) {
	if len(s.X) > 0 {
		x.Series = append(x.Series, s)
	}
}

// Matrix returns a panel that shows a square matrix of n rows as a field of shades from 0 to top, its first row above.
func Matrix(title string, n int, values []float64, top float64) Panel {
	if n > maxNodes {
		return Graph{Title: title, N: n, Weights: values} // which says so
	}
	f := &Field{Columns: n, Max: top}
	for i := range n {
		f.Values = append(f.Values, values[(n-1-i)*n:(n-i)*n]...)
	}
	return XY{Title: title, Field: f, Bare: true, Aspect: 1}
}

func (x XY) about() (about, error) {
	a := about{title: x.Title, aspect: cmp.Or(x.Aspect, 0.75), least: leastAxes, empty: words.If(x.Field == nil, noData)}
	switch {
	case x.Diagonal && x.LogX != x.LogY:
		return a, fmt.Errorf("a diagonal between a logarithmic and a linear axis")
	case x.Diagonal:
		a.aspect = cmp.Or(x.Aspect, 1)
	case x.Bare:
		a.least = leastPicture
	}
	if f := x.Field; f != nil {
		if f.Columns < 1 || len(f.Values) == 0 || len(f.Values)%f.Columns != 0 {
			return a, fmt.Errorf("field of %d columns with %d values", f.Columns, len(f.Values))
		}
		a.keys = append(a.keys, key{name: fmt.Sprintf("%.3g to %.3g%s", f.Min, f.Max, f.Unit), shades: true})
	}
	left := 0
	for i, s := range x.Series {
		switch {
		case len(s.X) != len(s.Y):
			return a, fmt.Errorf("series %d (%q): %d X and %d Y", i+1, s.Name, len(s.X), len(s.Y))
		case len(s.Low) != len(s.High) || s.Low != nil && len(s.Low) != len(s.X):
			return a, fmt.Errorf("series %d (%q): %d Low and %d High of %d points", i+1, s.Name, len(s.Low), len(s.High), len(s.X))
		case s.Low != nil && (s.Across && x.LogX || s.Whiskers && x.LogY):
			return a, fmt.Errorf("series %d (%q): bars along a logarithmic axis", i+1, s.Name)
		case (s.Labels != nil || s.Style == Words) && len(s.Labels) != len(s.X):
			return a, fmt.Errorf("series %d (%q): %d labels of %d points", i+1, s.Name, len(s.Labels), len(s.X))
		}
		d := x.drawn(i)
		if len(d.X) > 0 {
			a.empty = ""
		}
		left += len(s.X) - len(d.X)
		if s.Name != "" {
			a.keys = append(a.keys, key{name: s.Name, colour: d.Colour, style: s.Style, guide: s.Guide,
				band: s.Low != nil && !s.Whiskers && !s.Across, crowd: d.crowd()})
		}
	}
	a.note(x.Note != "", "%s", x.Note)
	a.note(left > 0, "%s left out: not finite or not positive.", words.Plural(left, "point is", "points are"))
	return a, nil
}

// drawn is series i with the points that have a place; its Colour is a number from 0.
func (x XY) drawn(i int) Series {
	s := x.Series[i]
	out := s
	out.X, out.Y, out.Low, out.High, out.Labels = nil, nil, nil, nil, nil
	out.Colour = (cmp.Or(s.Colour, i+1) - 1) % Colours
	for k := range s.X {
		log := x.LogY
		if s.Across {
			log = x.LogX
		}
		if !fits(s.X[k], x.LogX) || !fits(s.Y[k], x.LogY) || s.Low != nil && !(fits(s.Low[k], log) && fits(s.High[k], log)) {
			continue
		}
		out.X, out.Y = append(out.X, s.X[k]), append(out.Y, s.Y[k])
		if s.Low != nil {
			out.Low, out.High = append(out.Low, s.Low[k]), append(out.High, s.High[k])
		}
		if s.Labels != nil {
			out.Labels = append(out.Labels, s.Labels[k])
		}
	}
	return out
}

// crowd reports whether a series has so many points that they lose their shape.
func (s Series) crowd() bool { return s.Style == Points && len(s.X) > manyPoints }

// xys are pairs of coordinates.
func xys(xs, ys []float64) (out plotter.XYs) {
	for i := range xs {
		out = append(out, plotter.XY{X: xs[i], Y: ys[i]})
	}
	return out
}

// addTo adds what a series consists of to three layers: below lines, lines, and signs.
func (s Series) addTo(layers *[3][]plot.Plotter) {
	below, lines, signs := &layers[0], &layers[1], &layers[2]
	points := xys(s.X, s.Y)
	ends := func(at []float64) (out []struct{ Low, High float64 }) { // of bars, from the points on
		for i, v := range at {
			out = append(out, struct{ Low, High float64 }{max(v-s.Low[i], 0), max(s.High[i]-v, 0)})
		}
		return out
	}
	switch bar := (draw.LineStyle{Color: looks[s.Colour].colour, Width: 0.7}); {
	case len(s.X) == 0:
		return
	case s.Low == nil:
	case s.Across:
		*below = append(*below, &plotter.XErrorBars{XYs: points, XErrors: ends(s.X), LineStyle: bar, CapWidth: 4})
	case s.Whiskers:
		*below = append(*below, &plotter.YErrorBars{XYs: points, YErrors: ends(s.Y), LineStyle: bar, CapWidth: 4})
	default:
		band := xys(s.X, s.Low)
		slices.Reverse(band)
		band = append(xys(s.X, s.High), band...)
		of := translucent(s.Colour, veil)
		*below = append(*below, &plotter.Polygon{XYs: []plotter.XYs{band}, Color: of, LineStyle: draw.LineStyle{Color: of, Width: 0.3}})
	}
	if s.Style != Points && s.Style != Words {
		l := &plotter.Line{XYs: points, LineStyle: line(s.Colour, s.Guide)}
		if s.Style == Steps {
			l.StepStyle = plotter.PostStep
		}
		*lines = append(*lines, l)
	}
	const few = 25 // signs that a line does not hide
	switch {
	case s.crowd():
		*below = append(*below, crowd{points, s.Colour})
	case s.Style == Points, s.Style == LinePoints && len(points) <= few:
		*signs = append(*signs, &plotter.Scatter{XYs: points, GlyphStyle: glyph(s.Colour)})
	}
}

// draw draws the axes, and the data between them.
func (x XY) draw(c draw.Canvas) {
	q, rest := x.plot(c)
	q.Draw(rest)
}

// plot sets the panel up and says where in the field it goes.
func (x XY) plot(c draw.Canvas) (*plot.Plot, draw.Canvas) {
	q := plot.New()
	q.BackgroundColor = nil
	grid := draw.LineStyle{Color: faint, Width: 0.5}
	if !x.Bare {
		q.Add(&plotter.Grid{Vertical: grid, Horizontal: grid})
	}
	if x.Field != nil {
		q.Add(x.Field)
	}
	if x.Diagonal {
		q.Add(&plotter.Function{F: func(v float64) float64 { return v }, Samples: 2,
			LineStyle: draw.LineStyle{Color: rule, Width: 0.8, Dashes: []vg.Length{4, 2}}})
	}
	var layers [3][]plot.Plotter
	for i := range x.Series {
		s := x.drawn(i)
		s.addTo(&layers)
	}
	q.Add(slices.Concat(layers[:]...)...)
	q.Add(x)
	ax, ay := axis{&q.X, x.LogX}, axis{&q.Y, x.LogY}
	ax.include(x.Marks)
	ax.include(x.XTicks)
	ay.include(x.YTicks)
	if slices.ContainsFunc(x.Marks, func(m Tick) bool { return m.Label != "" }) {
		c.Max.Y -= lineHeight // labels are above the axes
	}
	if x.Diagonal {
		ax.Min, ax.Max = min(ax.Min, ay.Min), max(ax.Max, ay.Max)
		ay.Min, ay.Max = ax.Min, ax.Max
	}
	switch {
	case x.Field != nil: // fills its panel
	case x.Bare:
		ax.pad(0.12) // room for labels
		ay.pad(0.12)
	default:
		ax.pad(0.03)
		ay.pad(0.05)
	}
	if x.Bare {
		q.HideAxes()
		q.X.Padding, q.Y.Padding = 0, 0
		wide := min(c.Size().X, c.Size().Y/vg.Length(x.Aspect))
		c.Rectangle = around(c.Center(), wide, wide*vg.Length(x.Aspect))
		return q, c
	}
	const ticks = 35 // about what ticks and labels take
	q.X.Label.TextStyle, q.Y.Label.TextStyle = style(ink), style(ink)
	q.X.Label.Text = cut(style(ink), clean(x.XLabel), c.Size().X-ticks)
	q.Y.Label.Text = cut(style(ink), clean(x.YLabel), c.Size().Y-ticks)
	beside := vg.Length(ticks)
	for _, t := range x.YTicks {
		beside = max(beside, style(ink).Width(clean(t.Label))+8)
	}
	ax.dress(x.XTicks, c.Size().X-beside, func(label string) vg.Length { return q.X.Tick.Label.Width(label) + 6 })
	ay.dress(x.YTicks, c.Size().Y-ticks, func(string) vg.Length { return lineHeight })
	return q, c
}

// Plot draws the words of a panel between the axes: the marks, and the labels of points in their colours. Labels of marks are above the
// axes, as far as they do not cover each other.
func (x XY) Plot(c draw.Canvas, q *plot.Plot) {
	toX, toY := q.Transforms(&c)
	free, s := vg.Length(math.Inf(-1)), style(dim)
	for _, m := range slices.SortedStableFunc(slices.Values(x.Marks), func(a, b Tick) int { return cmp.Compare(a.Value, b.Value) }) {
		if !fits(m.Value, x.LogX) {
			continue
		}
		at, label := toX(m.Value), clean(m.Label)
		c.StrokeLine2(draw.LineStyle{Color: rule, Width: 0.8, Dashes: []vg.Length{3, 2}}, at, c.Min.Y, at, c.Max.Y)
		if w := s.Width(label); label != "" && at-w/2 >= free {
			c.FillText(s, vg.Point{X: at, Y: c.Max.Y + 3}, label)
			free = at + w/2 + 4
		}
	}
	words := labels{Canvas: c}
	var all []Series
	for i := range x.Series {
		s := x.drawn(i)
		all = append(all, s)
		for k := range s.X {
			at := vg.Point{X: toX(s.X[k]), Y: toY(s.Y[k])}
			if s.Style == Words {
				label := clean(s.Labels[k])
				c.FillText(style(ink), at, label)
				words.taken = append(words.taken, style(ink).Rectangle(label).Add(at))
				continue
			}
			words.taken = append(words.taken, around(at, 2*pointRadius, 2*pointRadius))
		}
	}
	for _, s := range all {
		for k, label := range s.Labels {
			if s.Style != Words {
				label = cut(style(ink), clean(label), c.Size().X)
				words.write(label, looks[s.Colour].colour, vg.Point{X: toX(s.X[k]), Y: toY(s.Y[k])})
			}
		}
	}
}

// Field is a field of shades: white is Min, dark blue Max, and the legend says which these are.
// Its columns and rows are at 0, 1, 2 and on.
type Field struct {
	Columns  int
	Values   []float64 // row by row, the lowest first; white where they are not numbers
	Min, Max float64
	Unit     string // in the legend
}

// DataRange returns the ends of the field.
func (f *Field) DataRange() (xmin, xmax, ymin, ymax float64) {
	return -0.5, float64(f.Columns) - 0.5, -0.5, float64(len(f.Values)/f.Columns) - 0.5
}

// Plot fills the field.
func (f *Field) Plot(c draw.Canvas, q *plot.Plot) {
	toX, toY := q.Transforms(&c)
	var paths [levels]vg.Path
	share := func(k int) int { return level((f.Values[k] - f.Min) / cmp.Or(f.Max-f.Min, 1)) }
	for k := 0; k < len(f.Values); {
		from, of := k, share(k)
		for k++; k%f.Columns != 0 && share(k) == of; { // equal neighbours are one
			k++
		}
		i, j := float64(from/f.Columns), float64(from%f.Columns)
		const under = 0.1 // a little of its neighbours, so that no ground shines through between them
		box := vg.Rectangle{Min: vg.Point{X: toX(j - 0.5), Y: toY(i - 0.5)},
			Max: vg.Point{X: toX(j-0.5+float64(k-from)) + under, Y: toY(i+0.5) + under}}
		paths[of] = append(paths[of], box.Path()...)
	}
	for of, path := range paths {
		if len(path) > 0 {
			c.SetColor(shades[of])
			c.Fill(path)
		}
	}
	c.SetLineStyle(draw.LineStyle{Color: rule, Width: 0.6})
	c.Stroke(c.Rectangle.Path())
}

// labels writes words next to points, where possible without covering points or other words.
type labels struct {
	draw.Canvas
	taken []vg.Rectangle
}

// around is the rectangle of this size around a point.
func around(p vg.Point, w, h vg.Length) vg.Rectangle {
	half := vg.Point{X: w / 2, Y: h / 2}
	return vg.Rectangle{Min: p.Sub(half), Max: p.Add(half)}
}

// shared is the area that two rectangles have in common.
func shared(a, b vg.Rectangle) vg.Length {
	return max(min(a.Max.X, b.Max.X)-max(a.Min.X, b.Min.X), 0) * max(min(a.Max.Y, b.Max.Y)-max(a.Min.Y, b.Min.Y), 0)
}

// write writes a word next to a point: to its right if there is room, else at the place around it that covers least.
func (l *labels) write(word string, of color.Color, at vg.Point) {
	const away = pointRadius + 2
	s := style(of)
	s.YAlign = text.YCenter
	wide, high := s.Width(word), vg.Length(0.8*lineHeight)
	var best vg.Rectangle
	least := vg.Length(math.Inf(1))
	for step := range 4 {
		for _, turn := range []float64{0, 6, 3, 9, 1, 11, 5, 7} { // twelfths
			sin, cos := math.Sincos(turn * math.Pi / 6)
			by := vg.Point{X: (away + wide/2) * vg.Length(cos), Y: (away + high/2) * vg.Length(sin)}
			b := around(at.Add(by.Scale(1+vg.Length(step)/2)), wide, high)
			cost := vg.Length(step) + 3*(wide*high-shared(b, l.Rectangle)) // what lies outside the field costs most
			for _, o := range l.taken {
				cost += shared(b, o)
			}
			if cost < least {
				best, least = b, cost
			}
		}
	}
	l.taken = append(l.taken, best)
	l.FillText(s, best.Min.Add(best.Max).Scale(0.5), word)
}
