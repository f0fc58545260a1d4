// Package pdf is a canvas of gonum/plot on the one page of a PDF file.
package pdf

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"codeberg.org/go-pdf/fpdf"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/vgimg"
)

// Canvas is the page. In the place of gonum's own, which holds fonts whole and knows the letters of Windows-1252 alone, its fonts are cut
// to the letters that are used. Coordinates are PDF's; fpdf's own y runs downwards from the page's upper edge.
type Canvas struct {
	doc    *fpdf.Fpdf
	height float64
	fonts  map[string]bool // those that the document has
	dashed bool
	widths map[int]bool // of its pictures, in dots: none twice, since fpdf writes them ordered by width alone
}

// New is an empty page of this size.
func New(w, h vg.Length) *Canvas {
	size := fpdf.InitType{UnitStr: "pt", Size: fpdf.SizeType{Wd: w.Points(), Ht: h.Points()}}
	c := &Canvas{doc: fpdf.NewCustom(&size), height: h.Points(), fonts: map[string]bool{}, widths: map[int]bool{}}
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
	c.dashed = len(dashes) > 0
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

// Stroke draws many lines that share their ends, such as the edges of a graph, from end to end: so each is written as one place, not two. Their joins
// are round, since pointed ones would stand out.
func (c *Canvas) Stroke(p vg.Path) {
	if len(p) < many || c.dashed {
		c.draw(p, "D")
		return
	}
	if joined := chained(p); len(joined) < len(p) {
		c.doc.SetLineJoinStyle("round")
		defer c.doc.SetLineJoinStyle("miter")
		p = joined
	}
	c.draw(p, "D")
}

// many is the number of a path's components from which its lines are joined.
const many = 20

// chained draws each line of a path once; a path of something else stays as it is.
func chained(p vg.Path) (out vg.Path) {
	lines := map[vg.Point][]int{} // that end there, by where they begin in p
	for i := 0; i < len(p); i += 2 {
		if i+1 == len(p) || p[i].Type != vg.MoveComp || p[i+1].Type != vg.LineComp {
			return p
		}
		for k := range 2 {
			lines[p[i+k].Pos] = append(lines[p[i+k].Pos], i)
		}
	}
	drawn := make([]bool, len(p))
	// next is the other end of a line from here that is not drawn yet.
	next := func(at vg.Point) (vg.Point, bool) {
		for ; len(lines[at]) > 0; lines[at] = lines[at][1:] {
			if i := lines[at][0]; !drawn[i] {
				drawn[i] = true
				if p[i].Pos == at {
					i++
				}
				return p[i].Pos, true
			}
		}
		return at, false
	}
	for _, from := range p {
		at, ok := next(from.Pos)
		if ok {
			out.Move(from.Pos)
		}
		for ; ok; at, ok = next(at) {
			out.Line(at)
		}
	}
	return out
}

// dense is the number of a path's components from which it is embedded as a picture, as journals do with clouds of points: a thousand signs, most
// of them on others.
const dense = 5000

// dpi is the resolution of such a picture.
const dpi = 400

func (c *Canvas) Fill(p vg.Path) {
	if len(p) < dense {
		c.draw(p, "F")
		return
	}
	c.picture(p)
}

// picture fills a path as a mask of two colours: none, and the one that is set.
func (c *Canvas) picture(p vg.Path) {
	lo, hi := p[0].Pos, p[0].Pos
	for _, s := range p {
		if s.Type != vg.CloseComp {
			lo, hi = vg.Point{X: min(lo.X, s.Pos.X), Y: min(lo.Y, s.Pos.Y)}, vg.Point{X: max(hi.X, s.Pos.X), Y: max(hi.Y, s.Pos.Y)}
		}
	}
	size := hi.Sub(lo)
	onto := vgimg.NewWith(vgimg.UseWH(size.X, size.Y), vgimg.UseDPI(dpi))
	onto.Translate(vg.Point{}.Sub(lo))
	// Sign by sign: a path's time grows with the square of what it has in one row of pixels.
	for from, to := 0, 0; from < len(p); from = to {
		for to = from + 1; to < len(p) && p[to].Type != vg.MoveComp; to++ {
		}
		onto.Fill(p[from:to])
	}
	r, g, b := c.doc.GetFillColor()
	full := onto.Image()
	wide := full.Bounds().Dx()
	for c.widths[wide] {
		wide++
	}
	c.widths[wide] = true
	colours := color.Palette{color.Transparent,
		color.RGBA{uint8(r), uint8(g), uint8(b), 0xff}}
	mask := image.NewPaletted(image.Rect(0, 0, wide, full.Bounds().Dy()), colours)
	for y := range full.Bounds().Dy() {
		for x := range full.Bounds().Dx() {
			if v, _, _, _ := full.At(x, y).RGBA(); v < 0x8000 { // black on white
				mask.Pix[y*mask.Stride+x] = 1
			}
		}
	}
	var file bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&file, mask); err != nil {
		c.doc.SetError(err)
		return
	}
	name, as := strconv.Itoa(wide), fpdf.ImageOptions{ImageType: "PNG"}
	c.doc.RegisterImageOptionsReader(name, as, &file)
	w, h := float64(mask.Rect.Dx())*72/dpi, float64(mask.Rect.Dy())*72/dpi
	c.doc.ImageOptions(name, lo.X.Points(), c.height-lo.Y.Points()-h, w, h, false, as, 0, "")
}

func (c *Canvas) draw(p vg.Path, how string) {
	from := vg.Point{}
	moves := func(s vg.PathComp) bool { return s.Type == vg.MoveComp }
	if len(p) > 2 && p[1].Type == vg.CurveComp && !slices.ContainsFunc(p[1:], moves) {
		// Signs of one shape are of one text wherever they are, which takes no room when it is compressed.
		from = p[0].Pos
		c.Push()
		defer c.Pop()
		c.Translate(vg.Point{X: hundredths(from.X), Y: hundredths(from.Y)})
	}
	at := func(p vg.Point) (x, y float64) {
		return hundredths(p.X - from.X).Points(), c.height - hundredths(p.Y-from.Y).Points()
	}
	for _, s := range p {
		x, y := at(s.Pos)
		switch {
		case s.Type == vg.MoveComp:
			c.doc.MoveTo(x, y)
		case s.Type == vg.LineComp:
			c.doc.LineTo(x, y)
		case s.Type == vg.CloseComp:
			c.doc.ClosePath()
		case s.Type == vg.CurveComp && len(s.Control) == 2:
			x0, y0 := at(s.Control[0])
			x1, y1 := at(s.Control[1])
			c.doc.CurveBezierCubicTo(x0, y0, x1, y1, x, y)
		default:
			panic("pdf: a path of a figure has lines and cubic curves")
		}
	}
	c.doc.DrawPath(how)
}

// hundredths rounds to what cannot be seen.
func hundredths(v vg.Length) vg.Length { return vg.Points(math.Round(100*v.Points()) / 100) }

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
