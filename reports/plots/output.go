package plots

import (
	"bytes"
	"fmt"
	"html"
	"image/color"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/encoding/charmap"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
	"gonum.org/v1/plot/vg/vgpdf"
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

// head gives a file of vgsvg's the head and the fonts that the page wants.
func (f Figure) head(file []byte, w, h vg.Length) []byte {
	// The page makes the picture as wide as its place. The style keeps texts readable on a phone, where
	// the frame scrolls, and of modest size on a desk; a tall picture is not shrunk to the screen's height.
	head := fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %.5[1]g %.5[2]g" width="%.5[1]gpt" height="%.5[2]gpt" `, w, h) +
		fmt.Sprintf(`role="img" style="min-width:%.0fpx;max-width:%.0fpx;max-height:none">`, 1.25*w, 1.8*w) +
		fmt.Sprintf("\n<title>%s</title>\n<desc>%s</desc>\n", html.EscapeString(clean(f.Title)), html.EscapeString(clean(f.Alt)))
	file = svgFont.ReplaceAllLiteral(file, []byte(` style="font-family:`+fontFamily+`;`))
	return svgStart.ReplaceAllLiteral(file, []byte(head))
}

// dpi is the resolution of PNG files.
const dpi = 150

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

// pdfDate is a date in the document's information, of fixed length.
var pdfDate = regexp.MustCompile(`/(CreationDate|ModDate) \(D:\d{14}\)`)

// undate replaces the dates of a PDF, which are those of the clock, by a fixed one of the same length: the
// file's table of offsets stays right. The library offers no other way but a setting for the whole
// process.
func undate(file []byte) []byte {
	at := bytes.LastIndex(file, []byte("endstream")) // the information stands behind the last object with a stream
	return slices.Concat(file[:at], pdfDate.ReplaceAll(file[at:], []byte(`/$1 (D:20000101000000)`)))
}

// latin writes texts in Windows-1252, the only encoding that the PDF canvas knows, and undoes its
// taking colours for more than they are: it reads those of a transparent colour after they have been
// multiplied with their opacity.
type latin struct{ *vgpdf.Canvas }

func (l latin) FillString(f font.Face, at vg.Point, text string) {
	var b []byte
	for _, r := range spelled.Replace(text) {
		c, ok := charmap.Windows1252.EncodeRune(r)
		if !ok {
			c = '?'
		}
		b = append(b, c)
	}
	l.Canvas.FillString(f, at, string(b))
}

// spelled writes characters that Windows-1252 lacks.
var spelled = strings.NewReplacer("α", "alpha", "λ", "lambda", "γ", "gamma", "ε", "epsilon",
	"−", "-", "≤", "<=", "≥", ">=", "≈", "~", "→", "->")

func (l latin) SetColor(c color.Color) {
	l.Canvas.SetColor(straight(color.NRGBAModel.Convert(c).(color.NRGBA)))
}

// straight is a colour whose parts are not multiplied with its opacity.
type straight color.NRGBA

func (s straight) RGBA() (r, g, b, a uint32) {
	return uint32(s.R) * 0x101, uint32(s.G) * 0x101, uint32(s.B) * 0x101, uint32(s.A) * 0x101
}
