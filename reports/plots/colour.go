package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Inks of what is not data.
var (
	ink   = color.Gray{0x1a}
	dim   = color.Gray{0x59}
	rule  = color.Gray{0x80}
	faint = color.Gray{0xe0}
)

// Colours are how many colours (with their shapes and dashes) there are; they repeat
// after that.
const Colours = 8

// looks are how data of a colour, by number from 0, are drawn. The colours are Okabe and Ito's; yellow, the palest, comes last.
var looks = [Colours]struct {
	colour color.RGBA
	dashes []vg.Length
	shape  shape
}{
	{color.RGBA{0x00, 0x72, 0xb2, 0xff}, nil, disc},                                                             // blue
	{color.RGBA{0xd5, 0x5e, 0x00, 0xff}, []vg.Length{6, 2.5}, polygon(1.2, 0, 1, -0.95, -0.75, 0.95, -0.75)},    // vermillion
	{color.RGBA{0x00, 0x9e, 0x73, 0xff}, []vg.Length{2, 2}, polygon(0.9, -1, -1, 1, -1, 1, 1, -1, 1)},           // bluish green
	{color.RGBA{0xcc, 0x79, 0xa7, 0xff}, []vg.Length{8, 2.5, 2, 2.5}, polygon(1.35, 0, 1, 1, 0, 0, -1, -1, 0)},  // reddish purple
	{color.RGBA{0xe6, 0x9f, 0x00, 0xff}, []vg.Length{11, 3}, polygon(1.2, 0, -1, -0.95, 0.75, 0.95, 0.75)},      // orange
	{color.RGBA{0x56, 0xb4, 0xe9, 0xff}, []vg.Length{4, 2, 1, 2, 1, 2}, strokes(1.2, -1, 0, 1, 0, 0, -1, 0, 1)}, // sky blue
	{color.RGBA{0x00, 0x00, 0x00, 0xff}, []vg.Length{1, 2}, strokes(1, -1, -1, 1, 1, -1, 1, 1, -1)},             // black
	{color.RGBA{0xf0, 0xe4, 0x42, 0xff}, []vg.Length{12, 2, 2, 2}, ringed},                                      // yellow
}

// lineStyle is the line that goes with a colour.
func lineStyle(colour int) draw.LineStyle {
	return draw.LineStyle{Color: looks[colour].colour, Width: 1.4, Dashes: looks[colour].dashes}
}

// clear is the colour of a band, through which others can be seen.
func clear(colour int) color.NRGBA {
	c := looks[colour].colour
	return color.NRGBA{c.R, c.G, c.B, 0x40}
}

// levels is how many steps the map of values has.
const levels = 64

// level is the step of a value in [0, 1].
func level(t float64) int { return int(math.Round(min(max(t, 0), 1) * (levels - 1))) }

// shade is the colour of a value in [0, 1], from white to dark blue: its lightness in CIELAB falls
// evenly, so that equal steps look equal, in grey too.
func shade(t float64) color.RGBA {
	l, a, b := 100-float64(80*t), float64(9*t*t)-float64(24*t*(1-t)), -float64(38*t)
	curve := func(v float64) float64 {
		if v > 6.0/29 {
			return v * v * v
		}
		return 3 * 36.0 / 841 * (v - 4.0/29)
	}
	y := (l + 16) / 116
	X, Y, Z := 0.95047*curve(y+a/500), curve(y), 1.08883*curve(y-b/200)
	gamma := func(v float64) uint8 {
		if v <= 0.0031308 {
			v *= 12.92
		} else {
			v = 1.055*math.Pow(v, 1/2.4) - 0.055
		}
		return uint8(math.Round(255 * min(max(v, 0), 1)))
	}
	return color.RGBA{
		gamma(3.2404542*X - 1.5371385*Y - 0.4985314*Z),
		gamma(-0.9692660*X + 1.8760108*Y + 0.0415560*Z),
		gamma(0.0556434*X - 0.2040259*Y + 1.0572252*Z),
		0xff,
	}
}
