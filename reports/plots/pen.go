package plots

import (
	"image/color"
	"strings"

	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/font/liberation"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Sizes of texts, in points.
const (
	titleSize = 11
	headSize  = 10
	textSize  = 9
	smallSize = 8
)

// pen is what all parts of a figure are drawn with.
type pen struct {
	handler text.Handler
}

func newPen() *pen {
	return &pen{handler: text.Plain{Fonts: font.NewCache(liberation.Collection())}}
}

// field is the part of the canvas that a panel draws into.
type field struct{ draw.Canvas }

// style is a text of this size and colour, by default centred and standing on its place.
func (p *pen) style(size float64, ink color.Color) text.Style {
	return text.Style{
		Color:   ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: vg.Points(size)},
		XAlign:  text.XCenter,
		YAlign:  text.YBottom,
		Handler: p.handler,
	}
}

// lineHeight is the distance of two lines of text of this size.
func lineHeight(size float64) vg.Length { return vg.Points(1.25 * size) }

// wrap breaks a text between words into lines of at most this width, as far as its words
// allow; a word that is wider is cut and ends in "...".
func wrap(s text.Style, txt string, width vg.Length) []string {
	var lines []string
	line := ""
	for _, word := range strings.Fields(clean(txt)) {
		word = cut(s, word, width)
		switch longer := line + " " + word; {
		case line == "":
			line = word
		case s.Width(longer) <= width:
			line = longer
		default:
			lines = append(lines, line)
			line = word
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// cut shortens a text to this width.
func cut(s text.Style, txt string, width vg.Length) string {
	if s.Width(txt) <= width {
		return txt
	}
	runes := []rune(txt)
	for len(runes) > 0 && s.Width(string(runes)+"...") > width {
		runes = runes[:len(runes)-1]
	}
	return string(runes) + "..."
}

// lines writes lines from the top of the field downwards and returns what is left below.
func (p *pen) lines(c draw.Canvas, s text.Style, lines []string) draw.Canvas {
	h := lineHeight(s.Font.Size.Points())
	x := c.Center().X
	if s.XAlign == text.XLeft {
		x = c.Min.X
	}
	for _, l := range lines {
		c.Max.Y -= h
		c.FillText(s, vg.Point{X: x, Y: c.Max.Y + h/4}, l)
	}
	return c
}

// circle adds a circle to a path, as four curves: all canvases draw them in the same way.
func circle(p *vg.Path, at vg.Point, r vg.Length) {
	k := r * 0.5522847498
	p.Move(vg.Point{X: at.X + r, Y: at.Y})
	curve := func(x1, y1, x2, y2, x, y vg.Length) {
		p.CubeTo(vg.Point{X: at.X + x1, Y: at.Y + y1}, vg.Point{X: at.X + x2, Y: at.Y + y2}, vg.Point{X: at.X + x, Y: at.Y + y})
	}
	curve(r, k, k, r, 0, r)
	curve(-k, r, -r, k, -r, 0)
	curve(-r, -k, -k, -r, 0, -r)
	curve(k, -r, r, -k, r, 0)
	p.Close()
}

// polygon adds a closed polygon around a place to a path, its corners given in units of r.
func polygon(p *vg.Path, at vg.Point, r vg.Length, corners ...float64) {
	for i := 0; i < len(corners); i += 2 {
		pt := vg.Point{X: at.X + r*vg.Length(corners[i]), Y: at.Y + r*vg.Length(corners[i+1])}
		if i == 0 {
			p.Move(pt)
		} else {
			p.Line(pt)
		}
	}
	p.Close()
}
