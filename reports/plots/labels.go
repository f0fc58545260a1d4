package plots

import (
	"cmp"
	"image/color"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// labels writes words next to points, where possible without covering data or other words.
type labels struct {
	draw.Canvas
	taken []vg.Rectangle
}

// around is the rectangle of this size around a point.
func around(p vg.Point, w, h vg.Length) vg.Rectangle {
	half := vg.Point{X: w / 2, Y: h / 2}
	return vg.Rectangle{Min: p.Sub(half), Max: p.Add(half)}
}

// keepOff keeps words off signs.
func (l *labels) keepOff(r vg.Length, places ...vg.Point) {
	for _, p := range places {
		l.taken = append(l.taken, around(p, 2*r, 2*r))
	}
}

// keepOffLine keeps words off the lines between these corners, in their order.
func (l *labels) keepOffLine(corners ...vg.Point) {
	for k, p := range corners[1:] {
		by := p.Sub(corners[k])
		parts := int(math.Hypot(float64(by.X), float64(by.Y))/3) + 1 // of 3 points
		for i := range parts {
			l.keepOff(0.5, p.Sub(by.Scale(vg.Length(i)/vg.Length(parts))))
		}
	}
}

// shared is the area that two rectangles have in common.
func shared(a, b vg.Rectangle) float64 {
	return float64(max(min(a.Max.X, b.Max.X)-max(a.Min.X, b.Min.X), 0) * max(min(a.Max.Y, b.Max.Y)-max(a.Min.Y, b.Min.Y), 0))
}

// size is the room that a word takes.
func (l *labels) size(word string) (wide, high vg.Length) {
	return style(ink).Width(word), 0.8 * lineHeight
}

// put writes a word into the one of some places that covers least, of equal ones the first, and
// returns the number of the place.
func (l *labels) put(word string, of color.Color, places []vg.Rectangle) (at int) {
	least := math.Inf(1)
	for n, b := range places {
		area := b.Size().X * b.Size().Y
		cost := float64(n)/10 + 3*(float64(area)-shared(b, l.Rectangle)) // what lies outside the field costs most
		for _, o := range l.taken {
			cost += shared(b, o)
		}
		if cost < least {
			at, least = n, cost
		}
	}
	b := places[at]
	l.taken = append(l.taken, b)
	st := style(of)
	st.YAlign = text.YCenter
	l.FillText(st, b.Min.Add(b.Max).Scale(0.5), word)
	return at
}

// write writes a word next to a sign of radius r: to its right if there is room, else around it,
// and farther away with a line to the sign.
func (l *labels) write(word string, of color.Color, at vg.Point, r vg.Length) {
	const steps, farther = 5, 6                              // points
	turns := []float64{0, 6, 3, 9, 1, 11, 5, 7, 2, 4, 8, 10} // twelfths
	wide, high := l.size(word)
	var places []vg.Rectangle
	for step := range steps {
		for _, turn := range turns {
			sin, cos := math.Sincos(turn * math.Pi / 6)
			x, y := (r+2+wide/2+vg.Length(farther*step))*vg.Length(cos), (r+2+high/2+vg.Length(farther*step))*vg.Length(sin)
			places = append(places, around(at.Add(vg.Point{X: x, Y: y}), wide, high))
		}
	}
	if n := l.put(word, of, places); n >= len(turns) {
		b := places[n]
		to := vg.Point{X: min(max(at.X, b.Min.X), b.Max.X), Y: min(max(at.Y, b.Min.Y), b.Max.Y)}
		away := to.Sub(at)
		from := at.Add(away.Scale(r / max(r, vg.Length(math.Hypot(float64(away.X), float64(away.Y))))))
		l.StrokeLines(draw.LineStyle{Color: rule, Width: 0.5}, []vg.Point{from, to})
	}
}

// on writes a word above or below a horizontal line.
func (l *labels) on(word string, of color.Color, y vg.Length) {
	const parts = 8
	wide, high := l.size(word)
	var places []vg.Rectangle
	for part := range parts + 1 {
		x := l.Max.X - 2 - wide/2 - vg.Length(part)/parts*(l.Size().X-wide-4)
		for _, side := range []vg.Length{1, -1} {
			places = append(places, around(vg.Point{X: x, Y: y + side*(high/2+1)}, wide, high))
		}
	}
	l.put(word, of, places)
}

// mostCounts is how many places have their number of points next to them, the places of most points first.
const mostCounts = 12

// count writes how many points share a place, where these are so many: they share it within r of the first.
func (l *labels) count(places []vg.Point, r vg.Length, least int) {
	var piles [][]vg.Point
	for _, p := range places {
		i := slices.IndexFunc(piles, func(o []vg.Point) bool { return math.Hypot(float64(o[0].X-p.X), float64(o[0].Y-p.Y)) <= float64(r) })
		if i < 0 {
			i, piles = len(piles), append(piles, nil)
		}
		piles[i] = append(piles[i], p)
	}
	piles = slices.DeleteFunc(piles, func(p []vg.Point) bool { return len(p) < least })
	slices.SortStableFunc(piles, func(a, b []vg.Point) int { return cmp.Compare(len(b), len(a)) })
	for _, p := range piles[:min(len(piles), mostCounts)] {
		l.write(strconv.Itoa(len(p)), dim, p[0], glyphRadius)
	}
}

// names writes the labels of points next to them, in their colour.
func (x XY) names(words *labels, at placing) {
	for _, s := range x.Series {
		for _, k := range x.points(s) {
			if s.Whiskers && s.Low != nil && fits(s.Low[k], x.LogY) && fits(s.High[k], x.LogY) {
				low, high := at(k, s.X, s.Low), at(k, s.X, s.High)
				words.taken = append(words.taken, around(low.Add(high).Scale(0.5), 1, high.Y-low.Y))
			}
		}
	}
	for i, s := range x.Series {
		if s.Labels != nil {
			for _, k := range x.points(s) {
				words.write(clean(s.Labels[k]), looks[x.look(i).colour].colour, at(k, s.X, s.Y), glyphRadius)
			}
		}
	}
}

// levels draws the horizontal lines, and their names at whichever place above or below the line covers least.
func (x XY) levels(words *labels, to func(y float64) vg.Length) {
	drawn := slices.DeleteFunc(slices.Clone(x.Levels), func(l Level) bool { return !fits(l.Y, x.LogY) })
	for _, l := range drawn {
		words.taken = append(words.taken, around(vg.Point{X: words.Center().X, Y: to(l.Y)}, words.Size().X, 1))
	}
	for _, l := range drawn {
		y := to(l.Y)
		words.StrokeLine2(draw.LineStyle{Color: dim, Width: 0.8, Dashes: []vg.Length{1.5, 1.5}}, words.Min.X, y, words.Max.X, y)
		words.on(clean(l.Label), dim, y)
	}
}
