package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Inks of everything except data.
var (
	ink   = color.Gray{0x1a}
	dim   = color.Gray{0x59}
	rule  = color.Gray{0x80}
	faint = color.Gray{0xe0}
)

// Colours are how many colours (with their shapes and dashes) there are; they repeat
// after that.
const Colours = 8

// looks are how data of a colour, by number from 0, are drawn: the dashes of lines, and the size and the paths of a sign in units
// of its radius. The colours are Okabe and Ito's; yellow, the palest, comes last.
var looks = [Colours]struct {
	colour       color.RGBA
	dashes       []vg.Length
	size         vg.Length
	fill, stroke vg.Path
}{
	{color.RGBA{0x00, 0x72, 0xb2, 0xff}, nil, 1, disc, nil},                                                          // blue
	{color.RGBA{0xd5, 0x5e, 0x00, 0xff}, []vg.Length{6, 2.5}, 1.2, polygon(0, 1, -0.95, -0.75, 0.95, -0.75), nil},    // vermillion
	{color.RGBA{0x00, 0x9e, 0x73, 0xff}, []vg.Length{2, 2}, 0.9, polygon(-1, -1, 1, -1, 1, 1, -1, 1), nil},           // bluish green
	{color.RGBA{0xcc, 0x79, 0xa7, 0xff}, []vg.Length{8, 2.5, 2, 2.5}, 1.35, diamond, nil},                            // reddish purple
	{color.RGBA{0xe6, 0x9f, 0x00, 0xff}, []vg.Length{11, 3}, 1.2, polygon(0, -1, -0.95, 0.75, 0.95, 0.75), nil},      // orange
	{color.RGBA{0x56, 0xb4, 0xe9, 0xff}, []vg.Length{4, 2, 1, 2, 1, 2}, 1.2, nil, strokes(-1, 0, 1, 0, 0, -1, 0, 1)}, // sky blue
	{color.RGBA{0x00, 0x00, 0x00, 0xff}, []vg.Length{1, 2}, 1, nil, strokes(-1, -1, 1, 1, -1, 1, 1, -1)},             // black
	{color.RGBA{0xf0, 0xe4, 0x42, 0xff}, []vg.Length{12, 2, 2, 2}, 1, disc, disc},                                    // yellow
}

// Hex returns a colour by its number from 1, as CSS has it.
func Hex(colour int) string {
	c := looks[(colour-1)%Colours].colour
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// Signs around the origin.
var (
	disc    = circle()
	diamond = polygon(0, 1, 1, 0, 0, -1, -1, 0)
	barEnd  = strokes(-1.8, 0, 1.8, 0) // of a whisker, in points
	sideEnd = strokes(0, -1.8, 0, 1.8)
)

// circle is four curves: all canvases draw them in the same way.
func circle() (p vg.Path) {
	const k = 0.5522847498
	from := vg.Point{X: 1}
	p.Move(from)
	for range 4 {
		to := vg.Point{X: -from.Y, Y: from.X}
		p.CubeTo(from.Add(to.Scale(k)), to.Add(from.Scale(k)), to)
		from = to
	}
	p.Close()
	return p
}

// strokes have their ends two by two, each as x and y.
func strokes(ends ...vg.Length) (p vg.Path) {
	for c := range slices.Chunk(ends, 4) {
		p.Move(vg.Point{X: c[0], Y: c[1]})
		p.Line(vg.Point{X: c[2], Y: c[3]})
	}
	return p
}

// polygon has its corners as x and y in turn.
func polygon(corners ...vg.Length) vg.Path {
	p := strokes(corners[:4]...)
	for c := range slices.Chunk(corners[4:], 2) {
		p.Line(vg.Point{X: c[0], Y: c[1]})
	}
	p.Close()
	return p
}

// stamp adds a sign of size r to a path.
func stamp(p *vg.Path, sign vg.Path, at vg.Point, r vg.Length) {
	for _, c := range sign {
		c.Pos, c.Control = at.Add(c.Pos.Scale(r)), slices.Clone(c.Control)
		for i, pt := range c.Control {
			c.Control[i] = at.Add(pt.Scale(r))
		}
		*p = append(*p, c)
	}
}

// line returns the line of a look.
func (l look) line() draw.LineStyle {
	style := draw.LineStyle{Color: looks[l.colour].colour, Width: 1.4, Dashes: looks[l.colour].dashes}
	if l.faint {
		style.Color, style.Width = translucent(l.colour, 0xa0), 1
	}
	return style
}

// veil is the opacity of a band.
const veil = 0x40

// translucent is a colour through which others can be seen.
func translucent(colour int, alpha uint8) color.NRGBA {
	c := looks[colour].colour
	return color.NRGBA{c.R, c.G, c.B, alpha}
}

// levels is how many steps the map of values has.
const levels = 64

// shades are the colours of the steps, from white to dark blue: their lightness in CIELAB falls
// evenly, so that equal steps look equal, in grey too.
var shades = func() []color.Color {
	m, err := moreland.NewLuminance([]color.Color{color.RGBA{0, 48, 105, 0xff}, color.RGBA{20, 66, 118, 0xff},
		color.RGBA{58, 96, 140, 0xff}, color.RGBA{118, 150, 179, 0xff}, color.RGBA{185, 204, 218, 0xff}, color.White})
	if err != nil {
		panic(err) // the colours above are in order
	}
	m.SetMax(1)
	colours := m.Palette(levels).Colors()
	slices.Reverse(colours)
	return colours
}()

// level is the step of a value in [0, 1]; -1 where it is not finite.
func level(t float64) int {
	if !finite(t) {
		return -1
	}
	return int(math.Round(min(max(t, 0), 1) * (levels - 1)))
}

// glyphRadius is the size of a point's sign, in points.
const glyphRadius = 2.2

// Bounds on what a series puts into a file.
const (
	manyPoints = 400  // from here on signs get smaller and simpler
	maxPoints  = 4000 // signs of a series, at most
	column     = 0.3  // points: a line's corners within that width are drawn by four
)

// look is how a series is drawn: the numbers, from 0, of its colour (with its dashes) and of its shape, which may be an outline, or pale.
type look struct {
	colour, sign int
	hollow       bool
	faint        bool
}

// signs draws signs of one look as one path.
func signs(c draw.Canvas, as look, places []vg.Point, r vg.Length) {
	l := looks[as.sign]
	var fill, stroke vg.Path
	for _, at := range places {
		stamp(&fill, l.fill, at, l.size*r)
		stamp(&stroke, l.stroke, at, l.size*r)
	}
	of := color.Color(looks[as.colour].colour)
	if as.hollow {
		c.SetColor(color.White)
		c.Fill(fill)
		stroke = append(stroke, fill...)
	} else if len(fill) > 0 {
		c.SetColor(of)
		c.Fill(fill)
		of = ink
	}
	if len(stroke) > 0 {
		c.SetLineStyle(draw.LineStyle{Color: of, Width: 1.2})
		c.Stroke(stroke)
	}
}

// crowd draws squares of side 2 r that others can be seen through: strokes, which take less of a
// file than outlines.
func crowd(c draw.Canvas, colour int, places []vg.Point, r vg.Length) {
	c.SetLineStyle(draw.LineStyle{Color: translucent(colour, 0x68), Width: 2 * r})
	for some := range slices.Chunk(places, pieceLength/2) {
		var path vg.Path
		for _, at := range some {
			stamp(&path, strokes(-1, 0, 1, 0), at, r)
		}
		c.Stroke(path)
	}
}

// cloud draws the signs of a series, squares from [manyPoints] on. Places that nearly coincide are
// drawn once: first those within a quarter of a sign's size, and, while there are too many, those
// within ever larger squares.
func cloud(c draw.Canvas, as look, places []vg.Point) {
	r, many := vg.Length(glyphRadius), len(places) > manyPoints
	if many {
		r *= vg.Length(math.Pow(manyPoints/float64(len(places)), 0.3))
		r = max(0.7, 0.8*r)
	}
	size := r / 4
	kept := distinct(places, size)
	for ; len(kept) > maxPoints; kept = distinct(places, size) {
		size *= 1.3
	}
	if many {
		crowd(c, as.colour, kept, r)
	} else {
		signs(c, as, kept, r)
	}
}

// apart keeps of a line's signs those that do not touch the one before.
func apart(places []vg.Point) (out []vg.Point) {
	for _, p := range places {
		if n := len(out); n == 0 || math.Hypot(float64(p.X-out[n-1].X), float64(p.Y-out[n-1].Y)) > 3*glyphRadius {
			out = append(out, p)
		}
	}
	return out
}

// distinct keeps the first place of every square of this size.
func distinct(places []vg.Point, size vg.Length) []vg.Point {
	seen := map[[2]float64]bool{}
	return slices.DeleteFunc(slices.Clone(places), func(p vg.Point) bool {
		square := [2]float64{math.Floor(float64(p.X / size)), math.Floor(float64(p.Y / size))}
		again := seen[square]
		seen[square] = true
		return again
	})
}

// thinLine turns a line into fewer corners. Of those that fall into one column the first, the lowest, the highest and the last are
// kept, in their order: the picture stays as it is.
func thinLine(corners []vg.Point) (out []vg.Point) {
	byHeight := func(a, b vg.Point) int { return cmp.Compare(a.Y, b.Y) }
	for len(corners) > 0 {
		n := slices.IndexFunc(corners, func(p vg.Point) bool { return math.Abs(float64(p.X-corners[0].X)) >= column })
		if n < 0 {
			n = len(corners)
		}
		low := slices.Index(corners, slices.MinFunc(corners[:n], byHeight))
		high := slices.Index(corners, slices.MaxFunc(corners[:n], byHeight))
		for _, i := range slices.Compact([]int{0, min(low, high), max(low, high), n - 1}) {
			out = append(out, corners[i])
		}
		corners = corners[n:]
	}
	if len(out) == 1 {
		out = append(out, vg.Point{X: out[0].X + column, Y: out[0].Y})
	}
	return out
}
