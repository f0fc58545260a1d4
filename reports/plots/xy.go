package plots

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// XY is a panel of series over two axes.
type XY struct {
	Title, XLabel, YLabel string
	Series                []Series
	// Marks are vertical lines, labelled at the top.
	Marks      []Mark
	LogX, LogY bool // logarithmic axes: values that are not positive are left out
	// XTicks and YTicks replace the axes' own ticks, for categories.
	XTicks, YTicks []Tick
	// Diagonal draws the line y = x; both axes then have one range, and are both logarithmic or neither.
	Diagonal bool
	// Note stands below the panel.
	Note string
	// Aspect is the height of the panel over its width; 0: 0.75, and 1 with Diagonal.
	Aspect float64
}

// Style is how a series is drawn.
type Style int

// Points are signs, Line joins the points in their order, LinePoints does both, Steps goes on at the height of
// a point up to the next one.
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
	// Whiskers, a bar at every point.
	Low, High []float64
	Whiskers  bool
	Style     Style
	// Colour is the number of the colour, shape and dashes, from 1. 0: that of the series's
	// place in its panel.
	Colour int
}

// Mark is a vertical line.
type Mark struct {
	X     float64
	Label string
}

// Tick is a labelled place on an axis.
type Tick struct {
	Value float64
	Label string
}

func (x XY) prepared() drawable { return x }
func (x XY) heading() string    { return x.Title }

func (x XY) aspect() float64 {
	if x.Diagonal {
		return cmp.Or(x.Aspect, 1)
	}
	return cmp.Or(x.Aspect, 0.75)
}

func (x XY) check() error {
	if !(x.Aspect >= 0 && x.Aspect <= 20) {
		return fmt.Errorf("aspect %v: want 0 (default) to 20", x.Aspect)
	}
	if x.Diagonal && x.LogX != x.LogY {
		return errors.New("a diagonal between a logarithmic and a linear axis")
	}
	for i, s := range x.Series {
		switch {
		case len(s.X) != len(s.Y):
			return fmt.Errorf("series %d (%q): %d X and %d Y", i+1, s.Name, len(s.X), len(s.Y))
		case len(s.Low) != len(s.High) || s.Low != nil && len(s.Low) != len(s.X):
			return fmt.Errorf("series %d (%q): %d Low and %d High of %d points", i+1, s.Name, len(s.Low), len(s.High), len(s.X))
		case s.Style < Points || s.Style > Steps:
			return fmt.Errorf("series %d (%q): style %d", i+1, s.Name, s.Style)
		case s.Colour < 0:
			return fmt.Errorf("series %d (%q): colour %d", i+1, s.Name, s.Colour)
		}
	}
	return nil
}

// colour is the number, from 0, of the colour of series i.
func (x XY) colour(i int) int {
	if c := x.Series[i].Colour; c > 0 {
		return (c - 1) % Colours
	}
	return i % Colours
}

func (x XY) keys() []key {
	var out []key
	for i, s := range x.Series {
		if s.Name == "" {
			continue
		}
		k := key{s.Name, x.colour(i), s.Style, s.Low != nil && !s.Whiskers, s.cloud()}
		if !slices.ContainsFunc(out, k.same) {
			out = append(out, k)
		}
	}
	return out
}

func (x XY) notes() []string {
	var out []string
	if x.Note != "" {
		out = append(out, x.Note)
	}
	left := 0
	for _, s := range x.Series {
		for i := range s.X {
			if !x.drawable(s.X[i], s.Y[i]) {
				left++
			}
		}
	}
	return append(out, leftOut(left, x.LogX || x.LogY)...)
}

// leftOut says how many points are not drawn.
func leftOut(n int, log bool) []string {
	what := "finite"
	if log {
		what = "finite or not positive"
	}
	switch {
	case n == 1:
		return []string{"1 point is left out: not " + what + "."}
	case n > 1:
		return []string{fmt.Sprintf("%d points are left out: not %s.", n, what)}
	}
	return nil
}

// drawable reports whether a point has a place.
func (x XY) drawable(px, py float64) bool { return fits(px, x.LogX) && fits(py, x.LogY) }

// fits reports whether an axis can show a value. Values of hundreds of digits would overflow in
// the differences and quotients that axes work with.
func fits(v float64, log bool) bool {
	if log {
		return v > 1e-100 && v < 1e100
	}
	return math.Abs(v) < 1e300
}

// scale is one axis with its range.
type scale struct {
	lo, hi float64
	log    bool
	ticks  []Tick
}

// include widens the range.
func (s *scale) include(v float64) {
	if fits(v, s.log) {
		s.lo, s.hi = min(s.lo, v), max(s.hi, v)
	}
}

// pad leaves room beyond the outermost values.
func (s *scale) pad(share float64) {
	switch {
	case s.lo > s.hi:
		s.lo, s.hi = 1, 2
	case s.log:
		d := math.Pow(s.hi/s.lo, share)
		if s.hi <= s.lo*(1+1e-9) {
			d = 2
		}
		s.lo, s.hi = s.lo/d, s.hi*d
	default:
		d := share * (s.hi - s.lo)
		if big := max(math.Abs(s.lo), math.Abs(s.hi)); s.hi-s.lo <= max(1e-9*big, 1e-290) {
			d = max(0.05*big, 1e-9)
			if big < 1e-290 {
				d = 0.5
			}
		}
		s.lo, s.hi = s.lo-d, s.hi+d
	}
}

// scales are the ranges of both axes, and whether there is anything to draw.
func (x XY) scales() (sx, sy scale, any bool) {
	sx = scale{math.Inf(1), math.Inf(-1), x.LogX, x.XTicks}
	sy = scale{math.Inf(1), math.Inf(-1), x.LogY, x.YTicks}
	for _, s := range x.Series {
		for i := range s.X {
			if !x.drawable(s.X[i], s.Y[i]) {
				continue
			}
			any = true
			sx.include(s.X[i])
			sy.include(s.Y[i])
			if s.Low != nil {
				sy.include(s.Low[i])
				sy.include(s.High[i])
			}
		}
	}
	for _, m := range x.Marks {
		sx.include(m.X)
	}
	for _, t := range x.XTicks {
		sx.include(t.Value)
	}
	for _, t := range x.YTicks {
		sy.include(t.Value)
	}
	if x.Diagonal {
		lo, hi := min(sx.lo, sy.lo), max(sx.hi, sy.hi)
		sx.lo, sx.hi, sy.lo, sy.hi = lo, hi, lo, hi
	}
	sx.pad(0.03)
	sy.pad(0.05)
	if x.Diagonal {
		sy.lo, sy.hi = sx.lo, sx.hi
	}
	return sx, sy, any
}

func (x XY) draw(p *pen, at field) {
	q, c := x.plot(p, at)
	if q == nil {
		p.nothing(at.Canvas)
		return
	}
	q.Draw(c)
}

// margins are the room that axes and labels take at the left and at the right of the field.
func (x XY) margins(p *pen, at field) (left, right vg.Length) {
	q, c := x.plot(p, at)
	if q == nil {
		return 0, 0
	}
	inner := q.DataCanvas(c)
	return inner.Min.X - at.Min.X, at.Max.X - inner.Max.X
}

// plot sets the panel up and says where in the field it goes; nil where there is nothing to
// draw.
func (x XY) plot(p *pen, at field) (*plot.Plot, draw.Canvas) {
	sx, sy, any := x.scales()
	if !any {
		return nil, at.Canvas
	}
	q := plot.New()
	q.BackgroundColor = nil
	p.axis(&q.X, x.XLabel, sx, at.Size().X)
	p.axis(&q.Y, x.YLabel, sy, at.Size().Y)
	const left = 0.8 // of the field, about, is what the axes leave
	spare(&q.X, left*at.Size().X, func(label string) vg.Length { return q.X.Tick.Label.Width(label) + 4 })
	spare(&q.Y, left*at.Size().Y, func(string) vg.Length { return lineHeight(smallSize) })
	q.Y.Tick.Label.XAlign, q.Y.Tick.Label.YAlign = text.XRight, text.YCenter
	q.X.Tick.Label.YAlign = text.YTop
	q.Add(content{x, p})
	c := at.Canvas
	for _, m := range x.Marks {
		if m.Label != "" {
			c.Max.Y -= lineHeight(smallSize) // their labels stand above the axes
			break
		}
	}
	return q, c
}
