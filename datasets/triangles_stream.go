package datasets

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

// TriangleStream draws graphs as Triangles does, without end and without
// holding any. For each a label is drawn uniformly from the settings' Labels,
// then graphs of MinOrder to MaxOrder nodes until one has as many triangles. So
// labels are balanced and draws independent, and a small graph may come twice.
//
// The paper's streams have Labels {4, 5, 6, 7}, then {8, 9, 10}, then {1, 2, 3}.
type TriangleStream struct {
	set  TriangleSettings
	draw *triangleDraw
	rng  *rand.Rand
}

// NewTriangleStream returns a stream that draws from rng; nil settings are the
// collection's. The error is Validate's, or about a nil rng. A stream is for one goroutine.
func NewTriangleStream(set *TriangleSettings, rng *rand.Rand) (*TriangleStream, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if rng == nil {
		return nil, errNoRand
	}
	s := set.resolve()
	s.Labels = slices.Clone(s.Labels)
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
