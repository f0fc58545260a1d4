package plots

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"html"
	"image/color"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
	"gonum.org/v1/plot/vg/vgsvg"
)

// fontFamily is what SVG texts are set in: the first two have the widths that the
// layout counted with.
const fontFamily = "Liberation Sans,Arial,Helvetica,sans-serif"

var (
	// svgStart is what vgsvg writes up to the first element.
	svgStart = regexp.MustCompile(`(?s)^.*?<svg [^>]*>\n`)
	// svgFont is how vgsvg names a font.
	svgFont = regexp.MustCompile(`\n\tstyle="font-family:[^;"]*;font-variant:[^;"]*;font-weight:[^;"]*;font-style:[^;"]*;`)
)

// svg draws the figure as SVG.
func svg(p *pen, f Figure, l plan) ([]byte, error) {
	c := vgsvg.New(l.w, l.h)
	p.figure(draw.New(c), f, l)
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	start := svgStart.FindIndex(b.Bytes())
	if start == nil {
		return nil, errors.New("no svg element")
	}
	w, h := l.w.Points(), l.h.Points()
	var out bytes.Buffer
	// The page makes the picture as wide as its place. The style keeps texts readable on a phone, where
	// the frame scrolls, and of modest size on a desk; a tall picture is not shrunk to the screen's height.
	fmt.Fprintf(&out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.5g %.5g" width="%.5gpt" height="%.5gpt" role="img" style="min-width:%.0fpx;max-width:%.0fpx;max-height:none">`+"\n", w, h, w, h, 1.25*w, 1.8*w)
	fmt.Fprintf(&out, "<title>%s</title>\n<desc>%s</desc>\n", html.EscapeString(clean(f.Title)), html.EscapeString(clean(f.Alt)))
	out.Write(svgFont.ReplaceAll(b.Bytes()[start[1]:], []byte(` style="font-family:`+fontFamily+`;`)))
	return out.Bytes(), nil
}

// dpi is the resolution of PNG files.
const dpi = 150

// raster draws the figure as PNG.
func raster(p *pen, f Figure, l plan) ([]byte, error) {
	c := vgimg.PngCanvas{Canvas: vgimg.NewWith(vgimg.UseWH(l.w, l.h), vgimg.UseDPI(dpi))}
	p.figure(draw.NewCanvas(pieces{c.Canvas}, l.w, l.h), f, l)
	var b bytes.Buffer
	_, err := c.WriteTo(&b)
	return b.Bytes(), err
}

// pieces strokes long paths piece by piece: the rasteriser's time grows with the square of what
// a path has in one row of pixels.
type pieces struct{ *vgimg.Canvas }

func (c pieces) Stroke(path vg.Path) {
	const most = 100
	path = slices.Clone(path)
	from := 0
	for i, comp := range path {
		if i-from < most || comp.Type != vg.MoveComp && comp.Type != vg.LineComp {
			continue
		}
		c.Canvas.Stroke(path[from:i])
		from = i
		if comp.Type == vg.LineComp { // go on where the piece ended
			from = i - 1
			path[from].Type = vg.MoveComp
		}
	}
	c.Canvas.Stroke(path[from:])
}

// pdf draws the figure as PDF. All texts are in one font: with several, their order in the
// file would be that of a map.
func pdf(p *pen, f Figure, l plan) ([]byte, error) {
	c := vgpdf.New(l.w, l.h)
	p.figure(draw.NewCanvas(latin{c}, l.w, l.h), f, l)
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	return undate(b.Bytes())
}

// pdfDate is a date in the document's information, of fixed length.
var pdfDate = regexp.MustCompile(`/(CreationDate|ModDate) \(D:\d{14}\)`)

// undate replaces the dates of a PDF, which are those of the clock, by a fixed one of the same length: the
// file's table of offsets stays right. The library offers no other way but a setting for the whole
// process.
func undate(file []byte) ([]byte, error) {
	// The information stands behind the last object with a stream.
	at := bytes.LastIndex(file, []byte("endstream"))
	if at < 0 {
		return nil, errors.New("PDF without a stream")
	}
	if n := len(pdfDate.FindAllIndex(file[at:], -1)); n != 2 {
		return nil, fmt.Errorf("PDF with %d dates, want 2", n)
	}
	return append(bytes.Clone(file[:at]), pdfDate.ReplaceAll(file[at:], []byte(`/$1 (D:20000101000000)`))...), nil
}

// latin writes texts in Windows-1252, the only encoding that the PDF canvas knows, and undoes its
// taking colours for more than they are: it reads those of a transparent colour after they have been
// multiplied with their opacity.
type latin struct{ *vgpdf.Canvas }

func (l latin) FillString(f font.Face, at vg.Point, text string) {
	l.Canvas.FillString(f, at, toLatin(text))
}

func (l latin) SetColor(c color.Color) {
	l.Canvas.SetColor(straight(color.NRGBAModel.Convert(c).(color.NRGBA)))
}

// straight is a colour whose parts are not multiplied with its opacity.
type straight color.NRGBA

func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}

// spelled are characters that Windows-1252 lacks.
func spelled(r rune) string {
	switch r {
	case 'α':
		return "alpha"
	case 'λ':
		return "lambda"
	case 'γ':
		return "gamma"
	case 'ε':
		return "epsilon"
	case '−':
		return "-"
	case '≤':
		return "<="
	case '≥':
		return ">="
	case '≈':
		return "~"
	case '→':
		return "->"
	}
	return "?"
}

func toLatin(s string) string {
	var b strings.Builder
	for _, r := range s {
		if c, ok := charmap.Windows1252.EncodeRune(r); ok {
			b.WriteByte(c)
			continue
		}
		b.WriteString(spelled(r))
	}
	return b.String()
}

// clean makes a text out of any bytes: one line of characters that XML allows.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t' || r == '\r':
			return ' '
		case r < ' ' || r == 0x7f || r == 0xfffe || r == 0xffff || !utf8.ValidRune(r):
			return utf8.RuneError
		}
		return r
	}, strings.ToValidUTF8(s, "\uFFFD"))
}

// table writes CSV after RFC 4180 with line feeds.
func table(d Data) ([]byte, error) {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.Write(d.Header); err != nil {
		return nil, err
	}
	if err := w.WriteAll(d.Rows); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
