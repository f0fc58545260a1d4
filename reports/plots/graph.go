package plots

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/barneshut"
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
	// NodeColour are N values in [0, 1], shown as shades from white to dark blue; nil: none.
	NodeColour []float64
	// NodeGroup are N numbers of colours, from 1; 0: the colour of nodes without. Not
	// together with NodeColour. Groups name them in the legend.
	NodeGroup []int
	Groups    []Group
	// Seed of the nodes' first places. The layout is by springs: nodes joined by heavy edges are
	// near each other.
	Seed uint64
	// Springs are N * N weights that place the nodes in place of Weights; nil: Weights do. Graphs on the same nodes with
	// the same Springs and Seed have their nodes in the same places.
	Springs []float64
	// Starts is how many layouts the best is taken from, for pictures that are many; 0: 8 of a small graph, 1 of a large one.
	Starts int
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
	case g.Springs != nil && len(g.Springs) != g.N*g.N:
		return a, fmt.Errorf("%d nodes with %d springs", g.N, len(g.Springs))
	case g.NodeSize != nil && len(g.NodeSize) != g.N, g.NodeColour != nil && len(g.NodeColour) != g.N,
		g.NodeGroup != nil && len(g.NodeGroup) != g.N:
		return a, fmt.Errorf("%d nodes with %d sizes, %d colours, %d groups", g.N, len(g.NodeSize), len(g.NodeColour), len(g.NodeGroup))
	case g.NodeColour != nil && g.NodeGroup != nil:
		return a, errors.New("both NodeColour and NodeGroup")
	}
	if i := slices.IndexFunc(g.NodeGroup, negative); i >= 0 {
		return a, fmt.Errorf("node %d is of group %d", i, g.NodeGroup[i])
	}
	for _, k := range g.Groups {
		if k.Colour < 1 {
			return a, fmt.Errorf("group %q of colour %d", k.Name, k.Colour)
		}
		a.keys = append(a.keys, key{name: k.Name, look: look{colour: (k.Colour - 1) % Colours}})
	}
	a.note(g.Note != "", "%s", g.Note)
	left := rejected(g.Weights, finite)
	a.note(left > 0, "Weights that are not finite (%d) count as 0.", left)
	_, more := g.edges()
	a.note(more > 0, "%d lighter edges are not drawn.", more)
	return a, nil
}

// weight is the weight of an edge in [0, 1].
func (g Graph) weight(i, j int) float64 {
	sum := 0.0
	for _, v := range []float64{g.Weights[i*g.N+j], g.Weights[j*g.N+i]} {
		if finite(v) {
			sum += min(max(v, 0), 1)
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
	if g.NodeSize == nil { // nodes do not cover their edges
		radii = slices.Repeat([]vg.Length{min(radii[0], spacing(drawn, places)*0.36)}, g.N)
	}
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
		var path vg.Path
		stamp(&path, disc, at, radii[i])
		c.SetColor(g.colour(i))
		c.Fill(path)
		c.SetLineStyle(draw.LineStyle{Color: ink, Width: 0.6})
		c.Stroke(path)
	}
}

func (g Graph) colour(i int) color.Color {
	switch {
	case g.NodeColour != nil:
		return shades[max(level(g.NodeColour[i]), 0)]
	case g.NodeGroup != nil && g.NodeGroup[i] > 0:
		return looks[(g.NodeGroup[i]-1)%Colours].colour
	}
	return color.Gray{0xc8}
}

// radii returns the radii of the nodes: their areas are as NodeSize says, and their sum is a share of
// the field's.
func (g Graph) radii(field vg.Point) []vg.Length {
	shortest := min(field.X, field.Y)
	equal := min(shortest*0.16/vg.Length(math.Sqrt(float64(g.N))), 6)
	areas, sum := make([]float64, len(g.NodeSize)), 0.0
	for i, s := range g.NodeSize {
		if finite(s) {
			areas[i] = max(s, 0)
			sum += areas[i]
		}
	}
	out := slices.Repeat([]vg.Length{equal}, g.N)
	if sum > 0 {
		for i, a := range areas {
			out[i] = min(max(equal*vg.Length(math.Sqrt(a/sum*float64(g.N))), 1), shortest/8)
		}
	}
	return out
}

// Bounds on the springs of a large graph.
const (
	smallGraph = 60 // up to here a weak spring joins any two nodes
	neighbours = 12 // beyond, a node keeps that many of its edges
	mostStarts = 8  // layouts that are tried of a graph of at most 20 nodes; of larger ones fewer
)

// places lays the nodes out in coordinates of any size: sparse graphs by their shortest paths, others by springs (Eades
// 1984). Parts of the graph that no edge joins are held near each other by weak springs. In a large graph the heaviest edges of each node count, and the
// weak springs run from each node to the next in order. Springs come to rest in one of many
// ways: of a small graph several are tried, and the one with the shortest heavy edges is taken.
func (g Graph) places() (best []r2.Vec) {
	if g.Springs != nil {
		g.Weights = g.Springs
	}
	starts := min(cmp.Or(g.Starts, mostStarts), max(1, mostStarts*20*20/(g.N*g.N)))
	if g.sparse() {
		return g.byPaths(starts)
	}
	strength := mat.NewSymDense(g.N, nil)
	weak := 0.3 / float64(g.N)
	for i := range g.N {
		var heaviest []int
		for j := range g.N {
			if j != i {
				heaviest = append(heaviest, j)
			}
		}
		if g.N > smallGraph {
			slices.SortStableFunc(heaviest, func(a, b int) int { return -cmp.Compare(g.weight(i, a), g.weight(i, b)) })
			heaviest = heaviest[:neighbours]
			next := (i + 1) % g.N
			strength.SetSym(i, next, max(strength.At(i, next), weak))
		}
		for _, j := range heaviest {
			v := g.weight(i, j)
			if v < visible {
				v = 0
			}
			v *= v // many light edges do not outweigh the few that a graph consists of
			if g.N <= smallGraph {
				v += weak
			}
			if v > 0 {
				strength.SetSym(i, j, v)
			}
		}
	}
	least := math.Inf(1)
	for start := range starts {
		at := settle(strength, rand.NewPCG(g.Seed, uint64(start)))
		if length := stretch(strength, at); best == nil || length < least {
			best, least = at, length
		}
	}
	return best
}

// node is a node of a graph that is laid out.
type node r2.Vec

func (p *node) Coord2() r2.Vec { return r2.Vec(*p) }
func (p *node) Mass() float64  { return 1 }

// stretch is how long the springs are by their strengths, over the mean distance of all
// nodes.
func stretch(strength mat.Matrix, at []r2.Vec) float64 {
	strong, all := 0.0, 0.0
	for i := range at {
		for j := range i {
			d := r2.Norm(r2.Sub(at[i], at[j]))
			strong += float64(strength.At(i, j) * d)
			all += d
		}
	}
	return strong / all
}

// settle lets springs of these strengths come to rest from random places: as layout.EadesR2 of
// gonum does, with the same bits, without the maps that take most of its time.
func settle(strength *mat.SymDense, src rand.Source) []r2.Vec {
	const updates = 300
	n, rng := strength.SymmetricDim(), rand.New(src)
	at, nodes, forces := make([]r2.Vec, n), make([]node, n), make([]r2.Vec, n)
	particles := make([]barneshut.Particle2, n)
	for i := range nodes {
		nodes[i] = node{X: rng.Float64(), Y: rng.Float64()}
		particles[i] = &nodes[i]
	}
	for u := range updates {
		plane, err := barneshut.NewPlane(particles)
		if err != nil {
			break
		}
		for i, p := range particles {
			forces[i] = r2.Scale(-1, plane.ForceOn(p, 0.1, barneshut.Gravity2))
		}
		for i := range n {
			for j := i + 1; j < n; j++ {
				if w := strength.At(i, j); w != 0 {
					v := r2.Sub(r2.Vec(nodes[j]), r2.Vec(nodes[i]))
					f := r2.Scale(w*math.Log(math.Hypot(v.X, v.Y)), v)
					forces[i], forces[j] = r2.Add(forces[i], f), r2.Sub(forces[j], f)
				}
			}
		}
		// The first places lie close together, where forces are large: small steps at first, and
		// again at the end, so that the springs come to rest.
		t := float64(u) / updates
		rate := 0.05 * min(math.Pow(100, 4*t-1), 1, 2*(1-t)) / math.Sqrt(float64(n))
		for i, f := range forces {
			nodes[i] = node(r2.Add(r2.Vec(nodes[i]), r2.Scale(rate, f)))
			at[i] = r2.Vec(nodes[i])
		}
	}
	if rejected(at, func(p r2.Vec) bool { return finite(p.X) && finite(p.Y) }) > 0 { // springs that overshoot: a circle says as much
		for i := range at {
			at[i].Y, at[i].X = math.Sincos(2 * math.Pi * float64(i) / float64(n))
		}
	}
	return at
}

// fit scales places into the field, both directions alike, centred.
func fit(places []r2.Vec, c draw.Canvas) []vg.Point {
	lo, hi := places[0], places[0]
	for _, p := range places {
		lo.X, hi.X, lo.Y, hi.Y = min(lo.X, p.X), max(hi.X, p.X), min(lo.Y, p.Y), max(hi.Y, p.Y)
	}
	size := min(c.Size().X.Points()/(hi.X-lo.X), c.Size().Y.Points()/(hi.Y-lo.Y))
	if !finite(size) {
		size = 0 // a single place
	}
	out := make([]vg.Point, len(places))
	for i, p := range places {
		out[i] = c.Center().Add(vg.Point{X: vg.Length(size * (p.X - (lo.X+hi.X)/2)), Y: vg.Length(size * (p.Y - (lo.Y+hi.Y)/2))})
	}
	return out
}
