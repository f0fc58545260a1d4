package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Graph is a panel that draws a graph, the darkness of its edges being their weights.
type Graph struct {
	Title string
	N     int // nodes, at most 200
	// Weights holds N * N edge weights in [0, 1], row by row; values beyond are taken as the nearer end. Of (i, j)
	// and (j, i) the mean counts, the diagonal does not. Weights below 0.02 are not drawn, and at most the 5000 heaviest.
	Weights []float64
	// NodeSize are N areas, 0 or more, relative to each other; nil: all equal.
	NodeSize []float64
	// NodeGroup are N numbers of colours, from 1; 0: the colour of nodes without. Groups name them in the legend.
	NodeGroup []int
	Groups    []Group
	// Places are N * N weights that place the nodes; nil: Weights do. Graphs with the same Places
	// have their nodes in the same places.
	Places []float64
	Note   string
}

// Group is a colour of nodes, by its number from 1, with its name.
type Group struct {
	Name   string
	Colour int
}

// Bounds of a graph that is drawn: beyond, nothing could be seen in it.
const (
	maxNodes = 200
	maxEdges = 5000
)

// visible is the weight from which an edge is drawn.
const visible = 0.02

func (g Graph) about() (about, error) {
	a := about{title: g.Title, aspect: 1, least: leastPicture, empty: g.N == 0}
	switch {
	case g.N < 0 || g.N > maxNodes:
		return a, fmt.Errorf("%d nodes: want 0 to %d", g.N, maxNodes)
	case len(g.Weights) != g.N*g.N:
		return a, fmt.Errorf("%d nodes with %d weights", g.N, len(g.Weights))
	}
	for _, k := range g.Groups {
		a.keys = append(a.keys, key{name: k.Name, colour: (k.Colour - 1) % Colours, node: true})
	}
	a.note(g.Note != "", "%s", g.Note)
	_, more := g.edges()
	a.note(more > 0, "%d lighter edges are not drawn.", more)
	return a, nil
}

// weight is the weight of an edge in [0, 1].
func (g Graph) weight(i, j int) float64 {
	sum := 0.0
	for _, v := range []float64{g.Weights[i*g.N+j], g.Weights[j*g.N+i]} {
		if v > 0 { // not NaN
			sum += min(v, 1)
		}
	}
	return sum / 2
}

// edge joins the nodes i and j, j < i.
type edge struct {
	i, j   int
	weight float64
}

// edges are those that are drawn, and how many more there are.
func (g Graph) edges() (drawn []edge, more int) {
	for i := range g.N {
		for j := range i {
			if w := g.weight(i, j); w >= visible {
				drawn = append(drawn, edge{i, j, w})
			}
		}
	}
	if len(drawn) <= maxEdges {
		return drawn, 0
	}
	slices.SortStableFunc(drawn, func(a, b edge) int { return -cmp.Compare(a.weight, b.weight) })
	return drawn[:maxEdges], len(drawn) - maxEdges
}

func (g Graph) draw(c draw.Canvas) {
	radii := g.radii(c.Size())
	most := slices.Max(radii) + 1
	places := fit(g.places(), draw.Crop(c, most, -most, most, -most))
	const steps = 16
	var lines [steps]vg.Path
	drawn, _ := g.edges()
	// From so many edges a node on, by weight, they are thinner and more transparent.
	const crowded = 3
	sum := 0.0
	for _, e := range drawn {
		sum += e.weight
	}
	open := max(0.25, min(1, crowded*float64(g.N)/max(sum, 1)))
	for _, e := range drawn {
		k := int(math.Round(e.weight * (steps - 1)))
		lines[k].Move(places[e.j])
		lines[k].Line(places[e.i])
	}
	for k, path := range lines {
		// Light edges fade, and lie below dark ones; the lightest can still be seen on white.
		t := float64(k) / (steps - 1)
		of := color.NRGBA{ink.Y, ink.Y, ink.Y, uint8(math.Round(255 * open * (0.08 + 0.92*math.Pow(t, 1.5))))}
		c.SetLineStyle(draw.LineStyle{Color: of, Width: vg.Length((0.4 + 0.7*t) * math.Sqrt(open))})
		for piece := range slices.Chunk(path, pieceLength) { // so that crossings of transparent edges are darker, in all files alike
			c.Stroke(piece)
		}
	}
	for i, at := range places {
		node(c, g.colour(i), at, radii[i])
	}
}

// node draws a disc with its outline.
func node(c draw.Canvas, of color.Color, at vg.Point, r vg.Length) {
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: ink, Radius: r + 0.3, Shape: draw.CircleGlyph{}}, at)
	c.DrawGlyphNoClip(draw.GlyphStyle{Color: of, Radius: r - 0.3, Shape: draw.CircleGlyph{}}, at)
}

func (g Graph) colour(i int) color.Color {
	if g.NodeGroup != nil && g.NodeGroup[i] > 0 {
		return looks[(g.NodeGroup[i]-1)%Colours].colour
	}
	return color.Gray{0xc8}
}

// radii returns the radii of the nodes: their areas are as NodeSize says, and their sum is a share of
// the field's.
func (g Graph) radii(field vg.Point) []vg.Length {
	shortest := min(field.X, field.Y)
	equal := min(shortest*0.12/vg.Length(math.Sqrt(float64(g.N))), 6)
	out, sum := slices.Repeat([]vg.Length{equal}, g.N), 0.0
	for _, s := range g.NodeSize {
		sum += s
	}
	for i, s := range g.NodeSize {
		if r := 1.4 * equal * vg.Length(math.Sqrt(s/sum*float64(g.N))); r >= 0 { // not NaN
			out[i] = min(max(r, 1), shortest/8)
		}
	}
	return out
}

// fit scales places into the field, both directions alike, centred.
func fit(places []r2.Vec, c draw.Canvas) []vg.Point {
	lo, hi := places[0], places[0]
	for _, p := range places {
		lo.X, hi.X, lo.Y, hi.Y = min(lo.X, p.X), max(hi.X, p.X), min(lo.Y, p.Y), max(hi.Y, p.Y)
	}
	size := min(c.Size().X.Points()/(hi.X-lo.X), c.Size().Y.Points()/(hi.Y-lo.Y))
	if math.IsInf(size, 0) {
		size = 0 // a single place
	}
	out := make([]vg.Point, len(places))
	for i, p := range places {
		out[i] = c.Center().Add(vg.Point{X: vg.Length(size * (p.X - (lo.X+hi.X)/2)), Y: vg.Length(size * (p.Y - (lo.Y+hi.Y)/2))})
	}
	return out
}
