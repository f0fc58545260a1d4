// Package pdf is a canvas of gonum/plot on the one page of a PDF file.
package pdf

import (
	"bytes"
	"image"
	"image/color"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
)

// Canvas is the page. Gonum's own canvas embeds whole fonts and writes the letters of Windows-1252
// alone. The fonts here are cut to the letters that are used. Coordinates are PDF's; fpdf's own y
// runs downwards from the page's upper edge.
type Canvas struct {
	doc    *fpdf.Fpdf
	height float64
	fonts  map[string]bool // those that the document has
}

// New is an empty page of this size.
func New(w, h vg.Length) *Canvas {
	size := fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: w.Points(), Ht: h.Points()}}
	c := &Canvas{doc: fpdf.NewCustom(&size), height: h.Points(), fonts: map[string]bool{}}
	c.doc.SetCatalogSort(true)
	c.doc.SetCreationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	c.doc.SetModificationDate(time.Date(2000, 1, 1, 0, 0, 0, 0, time.UTC))
	c.doc.AddPage()
	vg.Initialize(c)
	return c
}

func (c *Canvas) SetLineWidth(w vg.Length) { c.doc.SetLineWidth(w.Points()) }

func (c *Canvas) SetLineDash(dashes []vg.Length, from vg.Length) {
	points := make([]float64, len(dashes))
	for i, d := range dashes {
		points[i] = d.Points()
	}
	c.doc.SetDashPattern(points, from.Points())
}

func (c *Canvas) SetColor(of color.Color) {
	x := color.NRGBAModel.Convert(of).(color.NRGBA)
	r, g, b := int(x.R), int(x.G), int(x.B)
	c.doc.SetFillColor(r, g, b)
	c.doc.SetDrawColor(r, g, b)
	c.doc.SetTextColor(r, g, b)
	c.doc.SetAlpha(float64(x.A)/0xff, "Normal")
}

func (c *Canvas) Rotate(angle float64) {
	sin, cos := math.Sincos(angle)
	c.doc.Transform(fpdf.TransformMatrix{A: cos, B: sin, C: -sin, D: cos})
}

func (c *Canvas) Translate(by vg.Point) {
	c.doc.Transform(fpdf.TransformMatrix{A: 1, D: 1, E: by.X.Points(), F: by.Y.Points()})
}

func (c *Canvas) Scale(x, y float64) { c.doc.Transform(fpdf.TransformMatrix{A: x, D: y}) }
func (c *Canvas) Push()              { c.doc.TransformBegin() }
func (c *Canvas) Pop()               { c.doc.TransformEnd() }
func (c *Canvas) Stroke(p vg.Path)   { c.draw(p, "D") }
func (c *Canvas) Fill(p vg.Path)     { c.draw(p, "F") }

func (c *Canvas) draw(p vg.Path, how string) {
	at := func(p vg.Point) (x, y float64) { return p.X.Points(), c.height - p.Y.Points() }
	for _, s := range p {
		x, y := at(s.Pos)
		switch {
		case s.Type == vg.MoveComp:
			c.doc.MoveTo(x, y)
		case s.Type == vg.LineComp:
			c.doc.LineTo(x, y)
		case s.Type == vg.CloseComp:
			c.doc.ClosePath()
		case s.Type == vg.ArcComp:
			const degrees = 180 / math.Pi
			c.doc.ArcTo(x, y, s.Radius.Points(), s.Radius.Points(), 0, s.Start*degrees, (s.Start+s.Angle)*degrees)
		default:
			panic("pdf: a path of a figure has lines and arcs")
		}
	}
	c.doc.DrawPath(how)
}

func (c *Canvas) FillString(f font.Face, at vg.Point, text string) {
	name := untagged + f.Name()
	if !c.fonts[name] {
		var b bytes.Buffer
		if _, err := f.Face.WriteSourceTo(nil, &b); err != nil {
			c.doc.SetError(err)
			return
		}
		c.doc.AddUTF8FontFromBytes(name, "", b.Bytes())
		c.fonts[name] = true
	}
	c.doc.SetFont(name, "", f.Font.Size.Points())
	c.doc.Text(at.X.Points(), c.height-at.Y.Points(), strings.Map(func(r rune) rune { return min(r, utf8.RuneError) }, text)) // fpdf ends there
}

func (c *Canvas) DrawImage(vg.Rectangle, image.Image) { panic("pdf: a figure has no images") }

// Fonts that are cut have six letters and a plus before their names, as readers of PDF expect; fpdf knows none, and puts "utf8" there.
const untagged, tag = "cut", "/SUBSET+"

// WriteTo closes the document and writes it.
func (c *Canvas) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	if err := c.doc.Output(&b); err != nil {
		return 0, err
	}
	n, err := w.Write(bytes.ReplaceAll(b.Bytes(), []byte("/utf8"+untagged), []byte(tag)))
	return int64(n), err
}
