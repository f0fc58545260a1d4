package datasets

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
)

// BlockModel is a stochastic block model: nodes of one block are joined with
// probability Within, nodes of two blocks with probability Between, all pairs
// independently.
type BlockModel struct {
	Within, Between float64 // in [0, 1]
}

// Sample draws a graph whose first sizes[0] nodes form the first block, and so
// on. It costs O(n^2) and takes one number from rng per pair of nodes, in the
// order (0,1), (0,2), ..., (1,2), .... A negative size, a probability outside [0, 1] and a nil
// rng are errors.
func (m BlockModel) Sample(sizes []int, rng *rand.Rand) (Graph, error) {
	if !(m.Within >= 0 && m.Within <= 1 && m.Between >= 0 && m.Between <= 1) {
		return Graph{}, fmt.Errorf("datasets: block model probabilities %v and %v, want numbers in [0, 1]", m.Within, m.Between)
	}
	if rng == nil {
		return Graph{}, errNoRand
	}
	var block []int
	for b, size := range sizes {
		if size < 0 {
			return Graph{}, fmt.Errorf("datasets: a block of %d nodes", size)
		}
		for range size {
			block = append(block, b)
		}
	}
	g := Graph{Neighbors: make([][]int32, len(block))}
	for i := range block {
		for j := i + 1; j < len(block); j++ {
			p := m.Between
			if block[i] == block[j] {
				p = m.Within
			}
			// Rows are visited in order, so that the lists stay sorted.
			if rng.Float64() < p {
				g.Neighbors[i] = append(g.Neighbors[i], int32(j))
				g.Neighbors[j] = append(g.Neighbors[j], int32(i))
			}
		}
	}
	return g, nil
}

var errNoRand = errors.New("datasets: rng is nil, expected a source of random numbers")

// SimulationSettings describes the paper's simulated sets. The zero value and
// nil are the paper's own: orders 10, 15, ..., 60. The released code starts at
// 15.
type SimulationSettings struct {
	// Orders are drawn uniformly from MinOrder, MinOrder+Step, ..., up to
	// MaxOrder; 0 means 10, 60 and 5. They are from 6 to MaxDenseOrder.
	MinOrder, MaxOrder, Step int
	// Graphs is the number of graphs, per class for D1; 0 means 100 for D1
	// and 150 for D2.
	Graphs int
	// Model holds the two probabilities; nil means 0.9 and 0.1.
	Model *BlockModel
}

// minSimulatedOrder keeps every block of D1 and D2 non-empty.
const minSimulatedOrder = 6

// Validate reports settings that no set can be drawn from; nil is valid.
func (s *SimulationSettings) Validate() error {
	r := s.resolve(1)
	switch {
	case r.MinOrder < minSimulatedOrder:
		return fmt.Errorf("datasets: smallest simulated order %d, want at least %d", r.MinOrder, minSimulatedOrder)
	case r.MaxOrder < r.MinOrder || r.MaxOrder > MaxDenseOrder:
		return fmt.Errorf("datasets: largest simulated order %d, want %d to %d", r.MaxOrder, r.MinOrder, MaxDenseOrder)
	case r.Step < 1:
		return fmt.Errorf("datasets: step between simulated orders %d, want at least 1", r.Step)
	case r.Graphs < 1:
		return fmt.Errorf("datasets: %d simulated graphs, want at least 1", r.Graphs)
	case !(r.Model.Within >= 0 && r.Model.Within <= 1 && r.Model.Between >= 0 && r.Model.Between <= 1):
		return fmt.Errorf("datasets: block model probabilities %v and %v, want numbers in [0, 1]", r.Model.Within, r.Model.Between)
	}
	return nil
}

func (s *SimulationSettings) resolve(graphs int) SimulationSettings {
	r := *cmp.Or(s, &SimulationSettings{})
	r.MinOrder = cmp.Or(r.MinOrder, 10)
	r.MaxOrder = cmp.Or(r.MaxOrder, 60)
	r.Step = cmp.Or(r.Step, 5)
	r.Graphs = cmp.Or(r.Graphs, graphs)
	if r.Model == nil {
		r.Model = &BlockModel{Within: 0.9, Between: 0.1}
	}
	return r
}

func (s *SimulationSettings) order(rng *rand.Rand) int {
	return s.MinOrder + s.Step*rng.IntN((s.MaxOrder-s.MinOrder)/s.Step+1)
}

// D1 draws the paper's first simulated set: graphs of one, two and three equal
// blocks (sizes that differ by one node at most), 100 of each, class by class.
// The class values are the numbers of blocks. Settings that Validate rejects and a nil rng
// are errors.
func D1(set *SimulationSettings, rng *rand.Rand) (*Dataset, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if rng == nil {
		return nil, errNoRand
	}
	s := set.resolve(100)
	d := &Dataset{Name: "D1", ClassValues: []int{1, 2, 3}}
	for class, blocks := range d.ClassValues {
		for range s.Graphs {
			n := s.order(rng)
			sizes := make([]int, blocks)
			for b := range sizes {
				sizes[b] = n*(b+1)/blocks - n*b/blocks
			}
			g, err := s.Model.Sample(sizes, rng)
			if err != nil {
				return nil, err
			}
			d.Graphs = append(d.Graphs, g)
			d.Classes = append(d.Classes, class)
		}
	}
	d.Digest = d.ComputeDigest()
	return d, nil
}

// D2 draws the paper's second simulated set, 150 graphs of two blocks of
// varying proportion, without classes, and returns for each graph the share of
// its nodes that the first block holds. As in the released code the first
// block is the smaller one: with h = n/2 rounded up it has h - u nodes, u
// uniform on 1, ..., floor(0.75 h) - 1. Settings that Validate rejects and a nil rng are errors.
func D2(set *SimulationSettings, rng *rand.Rand) (*Dataset, []float64, error) {
	if err := set.Validate(); err != nil {
		return nil, nil, err
	}
	if rng == nil {
		return nil, nil, errNoRand
	}
	s := set.resolve(150)
	d := &Dataset{Name: "D2"}
	proportions := make([]float64, 0, s.Graphs)
	for range s.Graphs {
		n := s.order(rng)
		half := (n + 1) / 2
		first := half - 1 - rng.IntN(3*half/4-1)
		g, err := s.Model.Sample([]int{first, n - first}, rng)
		if err != nil {
			return nil, nil, err
		}
		d.Graphs = append(d.Graphs, g)
		proportions = append(proportions, float64(first)/float64(n))
	}
	d.Digest = d.ComputeDigest()
	return d, proportions, nil
}
