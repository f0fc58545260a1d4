package plots

import (
	"image/color"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// glyphRadius is the size of a point's sign, in points.
const glyphRadius = 2.6

// glyphs are points of one series, drawn as one path.
type glyphs struct {
	fill, stroke vg.Path
	simple       bool // few corners: for clouds of many points
}

// add puts the shape that goes with a colour at a place.
func (g *glyphs) add(colour int, at vg.Point, r vg.Length) {
	if g.simple {
		polygon(&g.fill, at, r, 0, 1, 1, 0, 0, -1, -1, 0)
		return
	}
	switch colour % Colours {
	case 0:
		circle(&g.fill, at, r)
	case 1:
		polygon(&g.fill, at, 1.2*r, 0, 1, -0.95, -0.75, 0.95, -0.75)
	case 2:
		polygon(&g.fill, at, 0.9*r, -1, -1, 1, -1, 1, 1, -1, 1)
	case 3:
		polygon(&g.fill, at, 1.35*r, 0, 1, 1, 0, 0, -1, -1, 0)
	case 4:
		polygon(&g.fill, at, 1.2*r, 0, -1, -0.95, 0.75, 0.95, 0.75)
	case 5:
		g.line(at, 1.2*r, -1, 0, 1, 0)
		g.line(at, 1.2*r, 0, -1, 0, 1)
	case 6:
		g.line(at, r, -1, -1, 1, 1)
		g.line(at, r, -1, 1, 1, -1)
	case 7:
		circle(&g.fill, at, r)
		circle(&g.stroke, at, r)
	}
}

func (g *glyphs) line(at vg.Point, r vg.Length, x0, y0, x1, y1 float64) {
	g.stroke.Move(vg.Point{X: at.X + r*vg.Length(x0), Y: at.Y + r*vg.Length(y0)})
	g.stroke.Line(vg.Point{X: at.X + r*vg.Length(x1), Y: at.Y + r*vg.Length(y1)})
}

func (g *glyphs) draw(c draw.Canvas, colour int) {
	if len(g.fill) > 0 {
		c.SetColor(colourOf(colour))
		c.Fill(g.fill)
	}
	if len(g.stroke) > 0 {
		var of color.Color = colourOf(colour)
		if len(g.fill) > 0 {
			of = ink
		}
		c.SetLineStyle(draw.LineStyle{Color: of, Width: 1.2})
		c.Stroke(g.stroke)
	}
}

// lineStyle is the line that goes with a colour.
func lineStyle(colour int) draw.LineStyle {
	return draw.LineStyle{Color: colourOf(colour), Width: 1.4, Dashes: dashesOf(colour)}
}
