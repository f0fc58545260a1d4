package plots

import (
	"image/color"
	"math"

	"gonum.org/v1/plot/vg"
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

// colourOf is a colour of Okabe and Ito's, by number from 0. Yellow, the palest, comes last.
func colourOf(i int) color.RGBA {
	return [Colours]color.RGBA{
		{0x00, 0x72, 0xb2, 0xff}, // blue
		{0xd5, 0x5e, 0x00, 0xff}, // vermillion
		{0x00, 0x9e, 0x73, 0xff}, // bluish green
		{0xcc, 0x79, 0xa7, 0xff}, // reddish purple
		{0xe6, 0x9f, 0x00, 0xff}, // orange
		{0x56, 0xb4, 0xe9, 0xff}, // sky blue
		{0x00, 0x00, 0x00, 0xff}, // black
		{0xf0, 0xe4, 0x42, 0xff}, // yellow
	}[i%Colours]
}

// dashesOf is the dash pattern that goes with a colour.
func dashesOf(i int) []vg.Length {
	return [Colours][]vg.Length{nil, {6, 2.5}, {2, 2}, {8, 2.5, 2, 2.5}, {11, 3}, {4, 2, 1, 2, 1, 2}, {1, 2}, {12, 2, 2, 2}}[i%Colours]
}

// clear is the colour of a band, through which others can be seen.
func clear(c color.RGBA) color.NRGBA { return color.NRGBA{c.R, c.G, c.B, 0x40} }

// levels is how many steps the map of values has.
const levels = 64

// shade is the colour of a value in [0, 1], from white to dark blue: its lightness in CIELAB falls
// evenly, so that equal steps look equal, in grey too.
func shade(t float64) color.RGBA {
	t = min(max(t, 0), 1)
	l, a, b := 100-float64(80*t), float64(9*t*t)-float64(24*t*(1-t)), -float64(38*t)
	y := (l + 16) / 116
	curve := func(v float64) float64 {
		if v > 6.0/29 {
			return v * v * v
		}
		return 3 * 36.0 / 841 * (v - 4.0/29)
	}
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

// level is the step of a value between lo and hi.
func level(v, lo, hi float64) int {
	if hi <= lo {
		return 0
	}
	return int(math.Round(min(max((v-lo)/(hi-lo), 0), 1) * (levels - 1)))
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }
