package plots

import (
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// glyphRadius is the size of a point's sign, in points.
const glyphRadius = 2.6

// Bounds on what a series puts into a file.
const (
	manyPoints = 400  // from here on signs get smaller and simpler
	maxPoints  = 4000 // signs of a series, at most
	column     = 0.3  // points: a line's corners within that width are told by four
)

// shape adds a sign to what is filled and to what is stroked.
type shape func(fill, stroke *vg.Path, at vg.Point, r vg.Length)

func disc(fill, _ *vg.Path, at vg.Point, r vg.Length) { circle(fill, at, r) }

func ringed(fill, stroke *vg.Path, at vg.Point, r vg.Length) {
	circle(fill, at, r)
	circle(stroke, at, r)
}

// polygon has its corners as x and y in turn, in units of size radii.
func polygon(size vg.Length, corners ...vg.Length) shape {
	return func(fill, _ *vg.Path, at vg.Point, r vg.Length) {
		trace(fill, at, size*r, corners)
		fill.Close()
	}
}

// strokes have their ends two by two.
func strokes(size vg.Length, ends ...vg.Length) shape {
	return func(_, stroke *vg.Path, at vg.Point, r vg.Length) {
		for pair := range slices.Chunk(ends, 4) {
			trace(stroke, at, size*r, pair)
		}
	}
}

// trace adds a line around a place to a path, its corners given in units of r.
func trace(p *vg.Path, at vg.Point, r vg.Length, corners []vg.Length) {
	for i := 0; i < len(corners); i += 2 {
		pt := vg.Point{X: at.X + r*corners[i], Y: at.Y + r*corners[i+1]}
		if i == 0 {
			p.Move(pt)
		} else {
			p.Line(pt)
		}
	}
}

// circle adds a circle to a path, as four curves: all canvases draw them in the same way.
func circle(p *vg.Path, at vg.Point, r vg.Length) {
	const k = 0.5522847498
	from := vg.Point{X: r}
	p.Move(at.Add(from))
	for range 4 {
		to := vg.Point{X: -from.Y, Y: from.X}
		p.CubeTo(at.Add(from.Add(to.Scale(k))), at.Add(to.Add(from.Scale(k))), at.Add(to))
		from = to
	}
	p.Close()
}

// signs draws signs of one colour as one path; in a crowd all are diamonds, which have few corners.
func signs(c draw.Canvas, colour int, places []vg.Point, r vg.Length, crowd bool) {
	add, of := looks[colour].shape, color.Color(looks[colour].colour)
	if crowd {
		add = polygon(1, 0, 1, 1, 0, 0, -1, -1, 0)
	}
	var fill, stroke vg.Path
	for _, at := range places {
		add(&fill, &stroke, at, r)
	}
	if len(fill) > 0 {
		c.SetColor(of)
		c.Fill(fill)
		of = ink
	}
	if len(stroke) > 0 {
		c.SetLineStyle(draw.LineStyle{Color: of, Width: 1.2})
		c.Stroke(stroke)
	}
}

// cloud draws the signs of a series. Places that nearly coincide are drawn once: first those within a quarter of
// a sign's size, and, while there are too many, those within ever larger squares.
func cloud(c draw.Canvas, colour int, places []vg.Point) {
	r, crowd := vg.Length(glyphRadius), len(places) > manyPoints
	if crowd {
		r = max(0.9, r*vg.Length(math.Pow(manyPoints/float64(len(places)), 0.3)))
	}
	size := r / 4
	kept := distinct(places, size)
	for len(kept) > maxPoints {
		size *= 1.3
		kept = distinct(places, size)
	}
	signs(c, colour, kept, r, crowd)
}

// distinct keeps the first place of every square of this size.
func distinct(places []vg.Point, size vg.Length) (kept []vg.Point) {
	seen := map[[2]float64]bool{}
	for _, p := range places {
		square := [2]float64{math.Floor(float64(p.X / size)), math.Floor(float64(p.Y / size))}
		if !seen[square] {
			seen[square] = true
			kept = append(kept, p)
		}
	}
	return kept
}

// thinLine turns a line into fewer corners. Of those that fall into one column the first, the lowest, the highest and the last are
// kept, in their order: the picture stays as it is.
func thinLine(corners []vg.Point) (out []vg.Point) {
	for len(corners) > 0 {
		n := slices.IndexFunc(corners, func(p vg.Point) bool { return math.Abs(float64(p.X-corners[0].X)) >= column })
		if n < 0 {
			n = len(corners)
		}
		low, high := 0, 0
		for i, p := range corners[:n] {
			if p.Y < corners[low].Y {
				low = i
			}
			if p.Y > corners[high].Y {
				high = i
			}
		}
		for _, i := range slices.Compact([]int{0, min(low, high), max(low, high), n - 1}) {
			out = append(out, corners[i])
		}
		corners = corners[n:]
	}
	if len(out) == 1 {
		out = append(out, vg.Point{X: out[0].X + column, Y: out[0].Y})
	}
	return out
}
