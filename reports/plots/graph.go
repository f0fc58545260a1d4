package plots

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"slices"

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
	// NodeColour are N values in [0, 1], shown as shades from white to dark blue; nil: none.
	NodeColour []float64
	// NodeGroup are N numbers of colours, from 1; 0: the colour of nodes without. Not
	// together with NodeColour.
	NodeGroup []int
	// Seed of the nodes' first places. The layout is by springs: nodes joined by heavy edges stand
	// near each other.
	Seed uint64
	// Springs are N * N weights that place the nodes in place of Weights; nil: Weights do. Graphs on the same nodes with
	// the same Springs and Seed have their nodes in the same places.
	Springs []float64
	Note    string
}

// Bounds of a graph that is drawn: beyond, nothing could be seen in it.
const (
	maxNodes = 200
	maxEdges = 5000
)

// visible is the weight from which an edge is drawn.
const visible = 0.02

func (g Graph) about() (about, error) {
	a := about{title: g.Title, aspect: 1, empty: g.N == 0}
	switch {
	case g.N < 0 || g.N > maxNodes:
		return a, fmt.Errorf("%d nodes: want 0 to %d", g.N, maxNodes)
	case len(g.Weights) != g.N*g.N:
		return a, fmt.Errorf("%d nodes with %d weights", g.N, len(g.Weights))
	case g.Springs != nil && len(g.Springs) != g.N*g.N:
		return a, fmt.Errorf("%d nodes with %d springs", g.N, len(g.Springs))
	case g.NodeSize != nil && len(g.NodeSize) != g.N, g.NodeColour != nil && len(g.NodeColour) != g.N, g.NodeGroup != nil && len(g.NodeGroup) != g.N:
		return a, fmt.Errorf("%d nodes with %d sizes, %d colours, %d groups", g.N, len(g.NodeSize), len(g.NodeColour), len(g.NodeGroup))
	case g.NodeColour != nil && g.NodeGroup != nil:
		return a, errors.New("both NodeColour and NodeGroup")
	}
	if i := slices.IndexFunc(g.NodeGroup, negative); i >= 0 {
		return a, fmt.Errorf("node %d is of group %d", i, g.NodeGroup[i])
	}
	a.note(g.Note != "", "%s", g.Note)
	left := infinite(g.Weights)
	a.note(left > 0, "Weights that are not finite (%d) count as 0.", left)
	_, more := g.edges()
	a.note(more > 0, "%d lighter edges are not drawn.", more)
	return a, nil
}

// weight is the weight of an edge in [0, 1].
func (g Graph) weight(i, j int) float64 {
	of := func(v float64) float64 {
		if !finite(v) {
			return 0
		}
		return min(max(v, 0), 1)
	}
	return (of(g.Weights[i*g.N+j]) + of(g.Weights[j*g.N+i])) / 2
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
	for _, e := range drawn {
		path := &lines[int(math.Round(e.weight*(steps-1)))]
		path.Move(places[e.j])
		path.Line(places[e.i])
	}
	for k, path := range lines {
		if len(path) > 0 {
			// Light edges below, dark ones above; the lightest can still be seen on white.
			t := float64(k) / (steps - 1)
			c.SetLineStyle(draw.LineStyle{Color: color.Gray{uint8(math.Round(225 - float64(205*t)))}, Width: vg.Length(0.5 + 0.6*t)})
			c.Stroke(path)
		}
	}
	for i, at := range places {
		var path vg.Path
		circle(&path, at, radii[i])
		c.SetColor(g.colour(i))
		c.Fill(path)
		c.SetLineStyle(draw.LineStyle{Color: ink, Width: 0.6})
		c.Stroke(path)
	}
}

func (g Graph) colour(i int) color.Color {
	switch {
	case g.NodeColour != nil && finite(g.NodeColour[i]):
		return shade(float64(level(g.NodeColour[i])) / (levels - 1))
	case g.NodeColour != nil:
		return color.White
	case g.NodeGroup != nil && g.NodeGroup[i] > 0:
		return looks[(g.NodeGroup[i]-1)%Colours].colour
	}
	return color.Gray{0xc8}
}

// radii are those of the nodes: their areas are as NodeSize says, and their sum is a share of
// the field's.
func (g Graph) radii(field vg.Point) []vg.Length {
	shortest := min(field.X, field.Y)
	equal := min(shortest*0.16/vg.Length(math.Sqrt(float64(g.N))), 6)
	areas := make([]float64, len(g.NodeSize))
	biggest, sum := 0.0, 0.0
	for i, s := range g.NodeSize {
		if finite(s) {
			areas[i] = max(s, 0)
			biggest = max(biggest, s)
		}
	}
	for i := range areas {
		areas[i] /= biggest
		sum += areas[i]
	}
	out := slices.Repeat([]vg.Length{equal}, g.N)
	if sum > 0 { // no number where no node has an area
		for i, a := range areas {
			out[i] = min(max(equal*vg.Length(math.Sqrt(a/sum*float64(g.N))), 1), shortest/8)
		}
	}
	return out
}
