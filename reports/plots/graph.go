package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"

	"ogdl/internal/words"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/stat/mds"
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

// Bounds of a graph, or a matrix, that is drawn: beyond, nothing could be seen in it.
const (
	maxNodes = 200
	maxEdges = 5000
)

// visible is the weight from which an edge is drawn.
const visible = 0.02

func (g Graph) about() (about, error) {
	a := about{title: g.Title, aspect: 1, least: leastPicture, empty: words.If(g.N == 0, noData)}
	if g.N < 0 || len(g.Weights) != g.N*g.N {
		return a, fmt.Errorf("%d nodes with %d weights", g.N, len(g.Weights))
	}
	if g.N > maxNodes {
		a.empty = fmt.Sprintf("%d nodes, too many to draw", g.N)
		return a, nil
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

// Settings of the layout.
const (
	lengthPower = 0.7 // light chords do not dent rings
	longestEdge = 6   // heavy parts that light edges join are not far apart
	sweeps      = 200 // moves of each node
	mostStarts  = 8   // layouts that are tried of a graph of at most 20 nodes; of larger ones fewer
)

// places lays the nodes out in coordinates of any size, with distances near the lengths of shortest paths (stress
// majorization; Gansner, Koren and North 2004). The first start is classical scaling of the
// lengths, in which rings are round; the others are random. The layout with the fewest crossings of
// edges is taken, and of equal ones the layout with the least stress.
func (g Graph) places() (best []r2.Vec) {
	if g.Places != nil {
		g.Weights = g.Places
	}
	d := g.lengths()
	starts := max(1, mostStarts*20*20/max(20*20, g.N*g.N))
	var edges []edge
	if starts > 1 {
		edges, _ = g.edges()
	}
	fewest, least := math.Inf(1), math.Inf(1)
	for start := range starts {
		rng := rand.New(rand.NewPCG(1, uint64(start)))
		at := make([]r2.Vec, g.N)
		shake := math.Sqrt(float64(g.N))
		if start == 0 {
			var scaled mat.Dense
			if k, _ := mds.TorgersonScaling(&scaled, nil, d); k > 1 {
				for i := range at {
					at[i] = r2.Vec{X: scaled.At(i, 0), Y: scaled.At(i, 1)}
				}
				shake = 1e-3 // parts nodes at one place
			}
		}
		for i := range at {
			at[i] = r2.Add(at[i], r2.Vec{X: shake * (rng.Float64() - 0.5), Y: shake * (rng.Float64() - 0.5)})
		}
		stress := majorize(d, at)
		if n := crossings(edges, at); best == nil || n < fewest || n == fewest && stress < least {
			best, fewest, least = at, n, stress
		}
	}
	for i, p := range best { // a chain is longest on a diagonal
		best[i] = r2.Vec{X: p.X - p.Y, Y: p.X + p.Y}
	}
	return best
}

// lengths returns the N * N lengths of shortest paths. An edge of weight w has length w^-lengthPower, at most longestEdge. Nodes
// that no path joins are as far apart as the ends of the longest one.
func (g Graph) lengths() *mat.SymDense {
	d := mat.NewSymDense(g.N, nil)
	for i := range g.N {
		for j := range i {
			d.SetSym(i, j, math.Inf(1))
			if w := g.weight(i, j); w >= visible {
				d.SetSym(i, j, min(math.Pow(w, -lengthPower), longestEdge))
			}
		}
	}
	for k := range g.N {
		for i := range g.N {
			for j := range i {
				d.SetSym(i, j, min(d.At(i, j), d.At(i, k)+d.At(k, j)))
			}
		}
	}
	longest := 0.0
	for _, v := range d.RawSymmetric().Data {
		if !math.IsInf(v, 1) {
			longest = max(longest, v)
		}
	}
	for i := range g.N {
		for j := range i {
			d.SetSym(i, j, min(d.At(i, j), max(longest, 1+longest/2)))
		}
	}
	return d
}

// majorize moves each node in turn to the place of least stress, and returns the stress: the sum of
// squared relative errors of all distances.
func majorize(d *mat.SymDense, at []r2.Vec) (stress float64) {
	for range sweeps {
		for i := range at {
			sum, weights := r2.Vec{}, 0.0
			for j := range at {
				gap := r2.Sub(at[i], at[j])
				far := r2.Norm(gap)
				if i == j || far == 0 {
					continue
				}
				w := 1 / float64(d.At(i, j)*d.At(i, j))
				sum = r2.Add(sum, r2.Scale(w, r2.Add(at[j], r2.Scale(d.At(i, j)/far, gap))))
				weights += w
			}
			if weights > 0 {
				at[i] = r2.Scale(1/weights, sum)
			}
		}
	}
	for i := range at {
		for j := range i {
			miss := r2.Norm(r2.Sub(at[i], at[j]))/d.At(i, j) - 1
			stress += float64(miss * miss)
		}
	}
	return stress
}

// crossings counts the pairs of edges that cross, each by the product of the weights.
func crossings(edges []edge, at []r2.Vec) (sum float64) {
	side := func(a, b, c int) bool { return r2.Cross(r2.Sub(at[b], at[a]), r2.Sub(at[c], at[a])) > 0 }
	for k, e := range edges {
		for _, f := range edges[:k] {
			if e.i == f.i || e.i == f.j || e.j == f.i || e.j == f.j {
				continue
			}
			if side(e.i, e.j, f.i) != side(e.i, e.j, f.j) && side(f.i, f.j, e.i) != side(f.i, f.j, e.j) {
				sum += float64(e.weight * f.weight)
			}
		}
	}
	return sum
}
