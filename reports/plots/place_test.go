package plots

import (
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"

	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/recorder"
)

// twoCliques are 2 x size nodes, odd and even ones joined among themselves, and lightly with the
// others.
func twoCliques(size int) Graph {
	g := Graph{N: 2 * size}
	for i := range g.N {
		for j := range g.N {
			w := 0.1
			if i%2 == j%2 {
				w = 0.9
			}
			g.Weights = append(g.Weights, w)
		}
	}
	return g
}

// TestHeavyEdgesAreShort: the nodes of a block lie together.
func TestHeavyEdgesAreShort(t *testing.T) {
	for _, size := range []int{3, 6} {
		g := twoCliques(size)
		at := g.places()
		var sum, count [2]float64
		for i := range g.N {
			for j := range i {
				k := (i + j) % 2
				sum[k] += math.Hypot(at[i].X-at[j].X, at[i].Y-at[j].Y)
				count[k]++
			}
		}
		if inside, between := sum[0]/count[0], sum[1]/count[1]; inside > 0.8*between {
			t.Errorf("%d nodes: mean length %v of heavy edges, %v of light ones", g.N, inside, between)
		}
	}
}

// TestPlaces: Places place the nodes whatever the edges are.
func TestPlaces(t *testing.T) {
	g := twoCliques(4)
	other := Graph{N: g.N, Weights: make([]float64, len(g.Weights)), Places: g.Weights}
	must.Same(t, g.places(), other.places(), "places of the same weights")
	if drawn, _ := other.edges(); len(drawn) > 0 {
		t.Errorf("%d edges are drawn of Places", len(drawn))
	}
}

// TestLabelsKeepOff: a word covers no point and no other word where there is room.
func TestLabelsKeepOff(t *testing.T) {
	field := vg.Rectangle{Max: vg.Point{X: 100, Y: 100}}
	l := labels{Canvas: draw.NewCanvas(&recorder.Canvas{}, 100, 100)}
	var points []vg.Point
	for i := range 5 {
		points = append(points, vg.Point{X: 50 + vg.Length(4*i), Y: 50})
	}
	for _, p := range points {
		l.taken = append(l.taken, around(p, 2*pointRadius, 2*pointRadius))
	}
	given := len(l.taken)
	for _, p := range points {
		l.write("12", ink, p)
	}
	for i, word := range l.taken[given:] {
		if shared(word, field) < word.Size().X*word.Size().Y-1e-9 {
			t.Errorf("word %d is outside: %v", i, word)
		}
		for k, o := range l.taken[:given+i] {
			if shared(word, o) > 0 {
				t.Errorf("word %d covers %d: %v, %v", i, k, word, o)
			}
		}
	}
}

// A legend shows the sign that the points have: in a crowd all are squares.
func TestLegendOfClouds(t *testing.T) {
	few, many := make([]float64, manyPoints), make([]float64, manyPoints+1)
	of := func(x []float64, style Style) about {
		is := must.Get(XY{Series: []Series{{Name: "a", X: x, Y: x, Style: style}}}.about())
		return is
	}
	for _, c := range []struct {
		x     []float64
		style Style
		want  bool
	}{{few, Points, false}, {many, Points, true}, {many, Line, false}} {
		if keys := of(c.x, c.style).keys; len(keys) != 1 || keys[0].crowd != c.want {
			t.Errorf("%d points of style %v: %+v", len(c.x), c.style, keys)
		}
	}
}

// TestSparseLayout: rings, chains and trees are drawn without crossings, and rings are round.
func TestSparseLayout(t *testing.T) {
	graph := func(n int, parent func(i int) int) Graph {
		g := Graph{N: n, Weights: make([]float64, n*n)}
		for i := range n {
			if j := parent(i); j >= 0 {
				g.Weights[i*n+j], g.Weights[j*n+i] = 1, 1
			}
		}
		return g
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for n := 4; n <= 30; n++ {
		for _, c := range []struct {
			name   string
			parent func(i int) int
		}{
			{"ring", func(i int) int { return (i + 1) % n }},
			{"chain", func(i int) int { return i - 1 }},
			{"tree", func(i int) int { return rng.IntN(max(i, 1)) - max(0, 1-i) }},
		} {
			g := graph(n, c.parent)
			edges, _ := g.edges()
			at := g.places()
			if crossed := crossings(edges, at); crossed > 0 {
				t.Errorf("%s of %d nodes: %v crossings", c.name, n, crossed)
			}
			centre := r2.Vec{}
			for _, p := range at {
				centre = r2.Add(centre, r2.Scale(1/float64(n), p))
			}
			for _, p := range at {
				if r := r2.Norm(r2.Sub(p, centre)) / r2.Norm(r2.Sub(at[0], centre)); c.name == "ring" && !(math.Abs(r-1) <= 0.05) {
					t.Errorf("ring of %d nodes: a node at %v of the radius of another", n, r)
				}
			}
		}
	}
}
