package plots

import (
	"math"

	"gonum.org/v1/plot/vg"
)

// Bounds on what a series puts into a file.
const (
	manyPoints = 400  // from here on signs get smaller and simpler
	maxPoints  = 4000 // signs of a series, at most
	column     = 0.3  // points: a line's corners within that width are told by four
)

// cloud makes the signs of a series. Places that nearly coincide are drawn once: first those within a quarter of
// a sign's size, and, while there are too many, those within ever larger squares.
func cloud(places []vg.Point, colour int) *glyphs {
	r := vg.Length(glyphRadius)
	g := &glyphs{}
	if len(places) > manyPoints {
		g.simple = true
		r = max(0.9, r*vg.Length(math.Pow(manyPoints/float64(len(places)), 0.3)))
	}
	for size := r / 4; ; size *= 1.3 {
		kept := distinct(places, size)
		if len(kept) > maxPoints {
			continue
		}
		for _, at := range kept {
			g.add(colour, at, r)
		}
		return g
	}
}

// distinct keeps the first place of every square of this size.
func distinct(places []vg.Point, size vg.Length) []vg.Point {
	seen := make(map[[2]int]bool, len(places))
	var out []vg.Point
	for _, p := range places {
		k := [2]int{int(math.Floor(float64(p.X / size))), int(math.Floor(float64(p.Y / size)))}
		if !seen[k] {
			seen[k] = true
			out = append(out, p)
		}
	}
	return out
}

// thinLine turns a line into places. Of the corners that fall into one column the first, the lowest, the highest and the last are
// kept, in their order: the picture stays as it is.
func thinLine(line [][2]float64, steps bool, at func(x, y float64) vg.Point) [][]vg.Point {
	var corners []vg.Point
	for i, v := range line {
		p := at(v[0], v[1])
		if steps && i > 0 {
			corners = append(corners, vg.Point{X: p.X, Y: corners[len(corners)-1].Y})
		}
		corners = append(corners, p)
	}
	if len(corners) == 0 {
		return nil
	}
	var out []vg.Point
	for from := 0; from < len(corners); {
		to, low, high := from, from, from
		for to+1 < len(corners) && math.Abs(float64(corners[to+1].X-corners[from].X)) < column {
			to++
			if corners[to].Y < corners[low].Y {
				low = to
			}
			if corners[to].Y > corners[high].Y {
				high = to
			}
		}
		last := -1
		for _, i := range [4]int{from, min(low, high), max(low, high), to} {
			if i != last {
				out = append(out, corners[i])
				last = i
			}
		}
		from = to + 1
	}
	if len(out) == 1 {
		out = append(out, vg.Point{X: out[0].X + column, Y: out[0].Y})
	}
	return [][]vg.Point{out}
}
