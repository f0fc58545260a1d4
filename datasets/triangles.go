package datasets

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// TriangleSettings describes graphs like the TU collection's TRIANGLES (Knyazev,
// Taylor, Amer, 2019), whose class is the number of triangles of the graph. The
// zero value and nil are the collection's.
type TriangleSettings struct {
	// MinOrder and MaxOrder bound the number of nodes, drawn uniformly; 0
	// means 4 and 25. They are from 3 to MaxDenseOrder. The collection's large
	// test graphs have 26 to 100.
	MinOrder, MaxOrder int
	// Labels are the numbers of triangles that occur, ascending and distinct;
	// nil means 1, ..., 10. They are from 0 to 20.
	Labels []int
}

// maxTriangleDraws bounds the attempts at one graph. Orders from 8 on meet every
// label up to 10 within some hundreds; graphs of four nodes never have three
// triangles.
const maxTriangleDraws = 500_000

// maxTriangleLabel is far in the tail of what 2n random edges hold, about ten
// triangles in the mean.
const maxTriangleLabel = 20

// resolve returns the settings with defaults, or why no graph can be drawn from them.
func (s *TriangleSettings) resolve() (TriangleSettings, error) {
	r := *cmp.Or(s, &TriangleSettings{})
	r.MinOrder = cmp.Or(r.MinOrder, 4)
	r.MaxOrder = cmp.Or(r.MaxOrder, 25)
	if r.Labels = slices.Clone(r.Labels); r.Labels == nil {
		r.Labels = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	}
	if r.MinOrder < 3 || r.MaxOrder < r.MinOrder || r.MaxOrder > MaxDenseOrder {
		return r, fmt.Errorf("datasets: orders %d to %d of triangle graphs, want 3 <= smallest <= largest <= %d", r.MinOrder, r.MaxOrder, MaxDenseOrder)
	}
	if len(r.Labels) == 0 {
		return r, fmt.Errorf("datasets: no number of triangles to draw, want at least one")
	}
	for i, label := range r.Labels {
		if label < 0 || label > maxTriangleLabel || i > 0 && label <= r.Labels[i-1] {
			return r, fmt.Errorf("datasets: numbers of triangles %v, want integers from 0 to %d, ascending and distinct", r.Labels, maxTriangleLabel)
		}
	}
	// A complete graph has the most triangles of its order.
	if n, last := r.MaxOrder, r.Labels[len(r.Labels)-1]; last > n*(n-1)*(n-2)/6 {
		return r, fmt.Errorf("datasets: %d triangles in graphs of at most %d nodes, want at most %d", last, n, n*(n-1)*(n-2)/6)
	}
	return r, nil
}

// Range is the graphs First, ..., End-1.
type Range struct{ First, End int }

// The parts of the collection's TRIANGLES, each with as many graphs of each label. The large test
// graphs follow on the test part.
var (
	TrianglesTrain      = Range{0, 30000}
	TrianglesValidation = Range{30000, 35000}
	TrianglesTest       = Range{35000, 40000}
	TrianglesTestLarge  = Range{40000, 45000}
)

// TriangleStream draws graphs as TRIANGLES was drawn, without end and without holding any: a label
// uniformly from Labels, then graphs until one has as many triangles. A graph has an order n,
// uniform in MinOrder..MaxOrder, and floor((1+U) n) edges with U uniform on [0, 1); it is a uniform
// simple graph of that many nodes and edges (complete, if it cannot have as many). The one attribute
// of a node is the number of triangles through it. Labels are balanced and draws independent, so a
// small graph may come twice, which it does not in the collection.
//
// The paper's streams have Labels {4, 5, 6, 7}, then {8, 9, 10}, then {1, 2, 3}.
type TriangleStream struct {
	set  TriangleSettings
	draw *triangleDraw
	rng  *rand.Rand
}

// NewTriangleStream returns a stream that draws from rng; nil settings are the
// collection's. The error is about settings that no graph can be drawn from, or about a nil rng. A
// stream is for one goroutine.
func NewTriangleStream(set *TriangleSettings, rng *rand.Rand) (*TriangleStream, error) {
	s, err := set.resolve()
	if err != nil {
		return nil, err
	}
	if rng == nil {
		return nil, errNoRand
	}
	return &TriangleStream{set: s, draw: newTriangleDraw(s.MaxOrder), rng: rng}, nil
}

// Labels returns the numbers of triangles that occur, by class, ascending.
func (s *TriangleStream) Labels() []int { return slices.Clone(s.set.Labels) }

// Next returns the next graph, which belongs to the caller, and its class: its
// number of triangles is Labels()[class]. It takes about ten microseconds. The
// error, after half a million draws for nothing, is that graphs of these orders do
// not have that many triangles, or hardly ever.
func (s *TriangleStream) Next() (*Graph, int, error) {
	class := s.rng.IntN(len(s.set.Labels))
	label := s.set.Labels[class]
	for range maxTriangleDraws {
		s.draw.graph(s.set.MinOrder, s.set.MaxOrder, s.rng)
		if s.draw.triangles == label {
			g := s.draw.build()
			return &g, class, nil
		}
	}
	return nil, -1, fmt.Errorf("datasets: no graph of %d to %d nodes with %d triangles in %d draws",
		s.set.MinOrder, s.set.MaxOrder, label, maxTriangleDraws)
}
