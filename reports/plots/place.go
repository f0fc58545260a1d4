package plots

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/graph"
	"gonum.org/v1/gonum/graph/iterator"
	"gonum.org/v1/gonum/graph/layout"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// weighted is a graph for gonum's layout. Its nodes and neighbours come in the order of their
// numbers: gonum's own graphs give them in that of a map, and the sums of forces would differ from run to run.
type weighted struct {
	n      int
	weight []float64 // n * n, symmetric
}

func (g weighted) Node(id int64) graph.Node { return simple.Node(id) }

func (g weighted) Nodes() graph.Nodes {
	nodes := make([]graph.Node, g.n)
	for i := range nodes {
		nodes[i] = simple.Node(i)
	}
	return iterator.NewOrderedNodes(nodes)
}

func (g weighted) From(id int64) graph.Nodes {
	var nodes []graph.Node
	for j := range g.n {
		if g.HasEdgeBetween(id, int64(j)) {
			nodes = append(nodes, simple.Node(j))
		}
	}
	return iterator.NewOrderedNodes(nodes)
}

func (g weighted) HasEdgeBetween(x, y int64) bool {
	return x != y && g.weight[int(x)*g.n+int(y)] > 0
}

func (g weighted) Edge(x, y int64) graph.Edge { return g.WeightedEdge(x, y) }

func (g weighted) WeightedEdge(x, y int64) graph.WeightedEdge {
	if !g.HasEdgeBetween(x, y) {
		return nil
	}
	return simple.WeightedEdge{F: simple.Node(x), T: simple.Node(y), W: g.weight[int(x)*g.n+int(y)]}
}

func (g weighted) Weight(x, y int64) (float64, bool) {
	return g.weight[int(x)*g.n+int(y)], g.HasEdgeBetween(x, y)
}

// Bounds on the springs of a large graph.
const (
	smallGraph = 60 // up to here a weak spring joins any two nodes
	neighbours = 12 // beyond, a node keeps that many of its edges
)

// springs lays the nodes out (Eades 1984) in coordinates of any size. Parts of the graph that no edge joins are held near
// each other by weak springs. In a large graph the heaviest edges of each node count, and the
// weak springs run from each node to the next in order. Springs come to rest in one of many
// ways: of a small graph several are tried, and the one with the shortest heavy edges is taken.
func (g Graph) springs() (xs, ys []float64) {
	w := weighted{g.N, make([]float64, g.N*g.N)}
	join := func(i, j int, v float64) { w.weight[i*g.N+j], w.weight[j*g.N+i] = v, v }
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
			join(i, (i+1)%g.N, max(w.weight[i*g.N+(i+1)%g.N], weak))
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
				join(i, j, v)
			}
		}
	}
	starts := 1
	switch {
	case g.N <= 20:
		starts = 8
	case g.N <= 40:
		starts = 3
	}
	least := math.Inf(1)
	for start := range starts {
		x, y := w.settle(rand.NewPCG(g.Seed, uint64(start)))
		if s := w.stretch(x, y); xs == nil || s < least {
			xs, ys, least = x, y, s
		}
	}
	return xs, ys
}

// stretch is how long the springs are by their strengths, over the mean distance of all
// nodes.
func (g weighted) stretch(xs, ys []float64) float64 {
	strong, all := 0.0, 0.0
	for i := range g.n {
		for j := range i {
			d := math.Hypot(xs[i]-xs[j], ys[i]-ys[j])
			strong += float64(g.weight[i*g.n+j] * d)
			all += d
		}
	}
	return strong / all
}

// settle lets the springs come to rest from random places.
func (g weighted) settle(src rand.Source) (xs, ys []float64) {
	const updates = 300
	spring := layout.EadesR2{Updates: updates, Repulsion: 1, Theta: 0.1, Src: src}
	o := layout.NewOptimizerR2(g, spring.Update)
	for i := range updates {
		// The first places lie close together, where forces are large: small steps at first, and
		// again at the end, so that the springs come to rest.
		t := float64(i) / updates
		spring.Rate = 0.05 * min(math.Pow(100, 4*t-1), 1, 2*(1-t)) / math.Sqrt(float64(g.n))
		if !o.Update() {
			break
		}
	}
	xs, ys = make([]float64, g.n), make([]float64, g.n)
	for i := range g.n {
		at := o.Coord2(int64(i))
		xs[i], ys[i] = at.X, at.Y
		if !finite(at.X) || !finite(at.Y) { // springs that overshoot: a circle says as much
			for j := range g.n {
				ys[j], xs[j] = math.Sincos(2 * math.Pi * float64(j) / float64(g.n))
			}
			break
		}
	}
	return xs, ys
}

// fit scales places into the field, both directions alike, centred.
func fit(xs, ys []float64, c draw.Canvas) []vg.Point {
	lx, hx, ly, hy := math.Inf(1), math.Inf(-1), math.Inf(1), math.Inf(-1)
	for i := range xs {
		lx, hx, ly, hy = min(lx, xs[i]), max(hx, xs[i]), min(ly, ys[i]), max(hy, ys[i])
	}
	size := math.Inf(1)
	if hx > lx {
		size = c.Size().X.Points() / (hx - lx)
	}
	if hy > ly {
		size = min(size, c.Size().Y.Points()/(hy-ly))
	}
	if math.IsInf(size, 0) {
		size = 0 // a single place
	}
	out := make([]vg.Point, len(xs))
	for i := range xs {
		out[i] = vg.Point{
			X: c.Center().X + vg.Length(size*(xs[i]-(lx+hx)/2)),
			Y: c.Center().Y + vg.Length(size*(ys[i]-(ly+hy)/2)),
		}
	}
	return out
}
