package plots

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/palette/moreland"
	"gonum.org/v1/plot/plotter"
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

// Colours are how many colours (with their shapes and dashes) there are; they repeat after that.
const Colours = 8

// looks are how data of a colour, by number from 0, are drawn: the dashes of lines, and the shape
// of points. The colours are Okabe and Ito's; yellow, the palest, comes last.
var looks = [Colours]struct {
	colour color.RGBA
	dashes []vg.Length
	shape  draw.GlyphDrawer
}{
	{color.RGBA{0x00, 0x72, 0xb2, 0xff}, nil, draw.CircleGlyph{}},                                         // blue
	{color.RGBA{0xd5, 0x5e, 0x00, 0xff}, []vg.Length{6, 2.5}, draw.PyramidGlyph{}},                        // vermillion
	{color.RGBA{0x00, 0x9e, 0x73, 0xff}, []vg.Length{2, 2}, draw.BoxGlyph{}},                              // bluish green
	{color.RGBA{0xcc, 0x79, 0xa7, 0xff}, []vg.Length{8, 2.5, 2, 2.5}, polygon{0, 1, 1, 0, 0, -1, -1, 0}},  // reddish purple
	{color.RGBA{0xe6, 0x9f, 0x00, 0xff}, []vg.Length{11, 3}, polygon{0, -1, -1, 0.8, 1, 0.8}},             // orange
	{color.RGBA{0x56, 0xb4, 0xe9, 0xff}, []vg.Length{4, 2, 1, 2, 1, 2}, polygon{1, 0, -0.8, 1, -0.8, -1}}, // sky blue
	{color.RGBA{0x00, 0x00, 0x00, 0xff}, []vg.Length{1, 2}, polygon{-1, -1, 1, 1, -1, 1, 1, -1}},          // black
	{color.RGBA{0xf0, 0xe4, 0x42, 0xff}, []vg.Length{12, 2, 2, 2}, polygon{-1, 0, 0.8, 1, 0.8, -1}},       // yellow
}

// Hex returns a colour by its number from 1, as CSS has it.
func Hex(colour int) string {
	c := looks[(colour-1)%Colours].colour
	return fmt.Sprintf("#%02x%02x%02x", c.R, c.G, c.B)
}

// polygon is a filled shape of a point: its corners as x and y in turn, in units of the radius.
type polygon []vg.Length

// DrawGlyph draws the shape at a place.
func (p polygon) DrawGlyph(c *draw.Canvas, style draw.GlyphStyle, at vg.Point) {
	var corners []vg.Point
	for corner := range slices.Chunk(p, 2) {
		corners = append(corners, at.Add(vg.Point{X: corner[0], Y: corner[1]}.Scale(1.25*style.Radius)))
	}
	c.FillPolygon(style.Color, corners)
}

// line returns the line of a colour, or of a guide.
func line(colour int, guide bool) draw.LineStyle {
	if guide {
		return draw.LineStyle{Color: rule, Width: 0.8, Dashes: []vg.Length{2, 2}}
	}
	return draw.LineStyle{Color: looks[colour].colour, Width: 1.4, Dashes: looks[colour].dashes}
}

// translucent is a colour through which others can be seen.
func translucent(colour int, alpha uint8) color.NRGBA {
	c := looks[colour].colour
	return color.NRGBA{c.R, c.G, c.B, alpha}
}

// veil is the opacity of a band.
const veil = 0x40

// pointRadius is the size of a point, in points of print.
const pointRadius = 2.4

// glyph returns the point of a colour.
func glyph(colour int) draw.GlyphStyle {
	return draw.GlyphStyle{Color: looks[colour].colour, Radius: pointRadius, Shape: looks[colour].shape}
}

// crowd draws many points as squares that others can be seen through, the smaller the more there
// are: strokes, which take a quarter of the bytes of shapes.
type crowd struct {
	plotter.XYs
	colour int
}

// manyPoints is the number of points above which they are a crowd.
const manyPoints = 400

// DataRange returns the ends of the points.
func (p crowd) DataRange() (xmin, xmax, ymin, ymax float64) { return plotter.XYRange(p) }

// Plot draws the points between the axes.
func (p crowd) Plot(c draw.Canvas, q *plot.Plot) {
	toX, toY := q.Transforms(&c)
	var places []vg.Point
	for _, xy := range p.XYs {
		places = append(places, vg.Point{X: toX(xy.X), Y: toY(xy.Y)})
	}
	p.draw(c, places)
}

func (p crowd) draw(c draw.Canvas, places []vg.Point) {
	r := vg.Length(max(0.7, 1.8*math.Pow(manyPoints/float64(max(len(places), manyPoints)), 0.3)))
	c.SetLineStyle(draw.LineStyle{Color: translucent(p.colour, 0x68), Width: 2 * r})
	for some := range slices.Chunk(places, 50) { // a pile is darker where its points are of several paths
		var path vg.Path
		for _, at := range some {
			path.Move(vg.Point{X: at.X - r, Y: at.Y})
			path.Line(vg.Point{X: at.X + r, Y: at.Y})
		}
		c.Stroke(path)
	}
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

// level is the step of a value in [0, 1]; 0 where it is not a number.
func level(t float64) int {
	if math.IsNaN(t) {
		return 0
	}
	return int(math.Round(min(max(t, 0), 1) * (levels - 1)))
}
