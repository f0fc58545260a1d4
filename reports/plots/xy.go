package plots

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"gonum.org/v1/plot"
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
	// XTicks replace the axis's own ticks, for categories.
	XTicks []Tick
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

func (x XY) about() (about, error) {
	a := about{title: x.Title, aspect: cmp.Or(x.Aspect, 0.75), empty: true}
	what := "finite"
	switch {
	case !(x.Aspect >= 0 && x.Aspect <= 20):
		return a, fmt.Errorf("aspect %v: want 0 (default) to 20", x.Aspect)
	case x.Diagonal && x.LogX != x.LogY:
		return a, errors.New("a diagonal between a logarithmic and a linear axis")
	case x.Diagonal:
		a.aspect = cmp.Or(x.Aspect, 1)
	}
	if x.LogX || x.LogY {
		what = "finite or not positive"
	}
	left := 0
	for i, s := range x.Series {
		switch {
		case len(s.X) != len(s.Y):
			return a, fmt.Errorf("series %d (%q): %d X and %d Y", i+1, s.Name, len(s.X), len(s.Y))
		case len(s.Low) != len(s.High) || s.Low != nil && len(s.Low) != len(s.X):
			return a, fmt.Errorf("series %d (%q): %d Low and %d High of %d points", i+1, s.Name, len(s.Low), len(s.High), len(s.X))
		case s.Style < Points || s.Style > Steps:
			return a, fmt.Errorf("series %d (%q): style %d", i+1, s.Name, s.Style)
		case s.Colour < 0:
			return a, fmt.Errorf("series %d (%q): colour %d", i+1, s.Name, s.Colour)
		}
		drawn := len(x.points(s))
		a.empty = a.empty && drawn == 0
		left += len(s.X) - drawn
		k := key{s.Name, x.colour(i), s.Style, s.Low != nil && !s.Whiskers, s.crowd()}
		if s.Name != "" && !slices.ContainsFunc(a.keys, k.same) {
			a.keys = append(a.keys, k)
		}
	}
	a.note(x.Note != "", "%s", x.Note)
	a.note(left > 0, "%s left out: not %s.", count(left, "point is", "points are"), what)
	return a, nil
}

// colour is the number, from 0, of the colour of series i.
func (x XY) colour(i int) int { return (cmp.Or(x.Series[i].Colour, i+1) - 1) % Colours }

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

func (x XY) draw(c draw.Canvas) {
	q, c := x.plot(c)
	q.Draw(c)
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
			if s.Low != nil {
				ay.include(s.Low[i], s.High[i])
			}
		}
	}
	labels := vg.Length(0)
	for _, m := range x.Marks {
		ax.include(m.X)
		if m.Label != "" {
			labels = lineHeight(smallSize) // they stand above the axes
		}
	}
	for _, t := range x.XTicks {
		ax.include(t.Value)
	}
	if x.Diagonal {
		ax.include(ay.Min, ay.Max)
	}
	ax.pad(0.03)
	ay.pad(0.05)
	if x.Diagonal {
		ay.Min, ay.Max = ax.Min, ax.Max
	}
	ax.dress(x.XLabel, x.XTicks, c.Size().X, func(label string) vg.Length { return ax.Tick.Label.Width(label) + 4 })
	ay.dress(x.YLabel, nil, c.Size().Y, func(string) vg.Length { return lineHeight(smallSize) })
	q.Add(x)
	c.Max.Y -= labels
	return q, c
}
