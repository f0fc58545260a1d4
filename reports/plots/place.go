package plots

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/graph/layout"
	"gonum.org/v1/gonum/graph/simple"
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// springs are a graph for gonum's layout. Of gonum's own graphs it is the one whose nodes and neighbours come in the order of their
// numbers: others give them in that of a map, and the sums of forces would differ from run to run.
type springs struct {
	*simple.UndirectedMatrix
	n int
}

// join sets the spring between two nodes.
func (g springs) join(i, j int, weight float64) {
	g.SetWeightedEdge(simple.WeightedEdge{F: simple.Node(i), T: simple.Node(j), W: weight})
}

// between is the strength of the spring between two nodes, 0 where there is none.
func (g springs) between(i, j int) float64 {
	v, _ := g.Weight(int64(i), int64(j))
	return v
}

// Bounds on the springs of a large graph.
const (
	smallGraph = 60 // up to here a weak spring joins any two nodes
	neighbours = 12 // beyond, a node keeps that many of its edges
)

// places lays the nodes out (Eades 1984) in coordinates of any size. Parts of the graph that no edge joins are held near
// each other by weak springs. In a large graph the heaviest edges of each node count, and the
// weak springs run from each node to the next in order. Springs come to rest in one of many
// ways: of a small graph several are tried, and the one with the shortest heavy edges is taken.
func (g Graph) places() (best []r2.Vec) {
	if g.Springs != nil {
		g.Weights = g.Springs
	}
	s := springs{simple.NewUndirectedMatrix(g.N, 0, 0, 0), g.N}
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
			s.join(i, next, max(s.between(i, next), weak))
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
				s.join(i, j, v)
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
		at := s.settle(rand.NewPCG(g.Seed, uint64(start)))
		if length := s.stretch(at); best == nil || length < least {
			best, least = at, length
		}
	}
	return best
}

// stretch is how long the springs are by their strengths, over the mean distance of all
// nodes.
func (g springs) stretch(at []r2.Vec) float64 {
	strong, all := 0.0, 0.0
	for i := range at {
		for j := range i {
			d := r2.Norm(r2.Sub(at[i], at[j]))
			strong += float64(g.between(i, j) * d)
			all += d
		}
	}
	return strong / all
}

// settle lets the springs come to rest from random places.
func (g springs) settle(src rand.Source) []r2.Vec {
	const updates = 300
	eades := layout.EadesR2{Updates: updates, Repulsion: 1, Theta: 0.1, Src: src}
	o := layout.NewOptimizerR2(g, eades.Update)
	for i := range updates {
		// The first places lie close together, where forces are large: small steps at first, and
		// again at the end, so that the springs come to rest.
		t := float64(i) / updates
		eades.Rate = 0.05 * min(math.Pow(100, 4*t-1), 1, 2*(1-t)) / math.Sqrt(float64(g.n))
		if !o.Update() {
			break
		}
	}
	at := make([]r2.Vec, g.n)
	for i := range at {
		at[i] = o.Coord2(int64(i))
	}
	if slices.ContainsFunc(at, func(p r2.Vec) bool { return !finite(p.X) || !finite(p.Y) }) { // springs that overshoot: a circle says as much
		for i := range at {
			at[i].Y, at[i].X = math.Sincos(2 * math.Pi * float64(i) / float64(g.n))
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
