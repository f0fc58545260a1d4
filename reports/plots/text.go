package plots

import (
	"image/color"
	"sort"
	"strings"
	"unicode/utf8"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// textSize is the size of all texts, in points, whatever the figure's width; lineHeight is the distance of two lines.
const (
	textSize   = 8
	lineHeight = 1.25 * textSize
)

// style is a text of this colour, by default centred and standing on its place.
func style(ink color.Color) text.Style {
	return text.Style{
		Color:   ink,
		Font:    font.Font{Typeface: "Liberation", Variant: "Sans", Size: textSize},
		XAlign:  text.XCenter,
		Handler: plot.DefaultTextHandler,
	}
}

// block is a text in lines, and the room below it.
type block struct {
	text.Style
	lines []string
	below vg.Length
}

// wrap breaks texts between words into lines of at most this width, as far as their words
// allow; a word that is wider is cut and ends in "...".
func wrap(style text.Style, width, below vg.Length, texts ...string) block {
	b := block{Style: style}
	for _, txt := range texts {
		for i, word := range strings.Fields(clean(short(txt))) {
			word, last := cut(b.Style, word, width), len(b.lines)-1
			if i > 0 && b.Width(b.lines[last]+" "+word) <= width {
				b.lines[last] += " " + word
			} else {
				b.lines, b.below = append(b.lines, word), below
			}
		}
	}
	return b
}

// longest is how many bytes of a text a figure looks at: no field has room for more.
const longest = 1000

// short is the begin of a text.
func short(txt string) string {
	if len(txt) <= longest {
		return txt
	}
	return strings.ToValidUTF8(txt[:longest], "") + "..."
}

// cut shortens a text to this width.
func cut(s text.Style, txt string, width vg.Length) string {
	if txt = short(txt); s.Width(txt) <= width {
		return txt
	}
	runes := []rune(txt)
	n := sort.Search(len(runes), func(n int) bool { return s.Width(string(runes[:n+1])+"...") > width })
	return string(runes[:n]) + "..."
}

func (b block) height() vg.Length { return vg.Length(len(b.lines))*lineHeight + b.below }

// draw writes the lines from the top of the field downwards and returns the rest of the field.
func (b block) draw(c draw.Canvas) draw.Canvas {
	for _, l := range b.lines {
		c.Max.Y -= lineHeight
		c.FillText(b.Style, vg.Point{X: c.Center().X, Y: c.Max.Y + lineHeight/4}, l)
	}
	c.Max.Y -= b.below
	return c
}

// clean makes a text out of any bytes: one line of characters that XML allows.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case r < ' ' || r == 0x7f || r == 0xfffe || r == 0xffff:
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}
