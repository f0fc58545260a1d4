package datasets

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
)

// TriangleSettings describes sets like TRIANGLES of the TU collection (Knyazev,
// Taylor, Amer, 2019), whose class is the number of triangles of the graph. The
// zero value and nil are the collection's.
type TriangleSettings struct {
	// MinOrder and MaxOrder bound the number of nodes, drawn uniformly; 0
	// means 4 and 25.
	MinOrder, MaxOrder int
	// MinLarge and MaxLarge are the orders of the large test graphs; 0 means 26
	// and 100.
	MinLarge, MaxLarge int
	// Labels are the numbers of triangles that occur, ascending and distinct;
	// nil means 1, ..., 10.
	Labels []int
	// Train, Validation, Test and TestLarge are the numbers of graphs of each
	// label in the parts of the set. All 0 means 3000, 500, 500, 500: 45,000
	// graphs.
	Train, Validation, Test, TestLarge int
}

// maxTriangleDraws bounds the attempts at one graph. Orders from 8 on meet every
// label up to 10 within some hundreds; graphs of four nodes never have three
// triangles.
const maxTriangleDraws = 500_000

// Validate reports settings that no set can be drawn from; nil is valid. Whether
// there are as many distinct graphs as asked for is known after the draw only
// (see Triangles).
func (s *TriangleSettings) Validate() error {
	r := s.resolve()
	for _, o := range []struct {
		what     string
		min, max int
	}{{"", r.MinOrder, r.MaxOrder}, {" large", r.MinLarge, r.MaxLarge}} {
		if o.min < 3 || o.max < o.min || o.max > MaxDenseOrder {
			return fmt.Errorf("datasets: orders %d to %d of%s triangle graphs, want 3 <= smallest <= largest <= %d", o.min, o.max, o.what, MaxDenseOrder)
		}
	}
	if len(r.Labels) == 0 {
		return fmt.Errorf("datasets: no number of triangles to draw, want at least one")
	}
	for i, label := range r.Labels {
		if label < 0 || label > maxTriangleLabel || i > 0 && label <= r.Labels[i-1] {
			return fmt.Errorf("datasets: numbers of triangles %v, want integers from 0 to %d, ascending and distinct", r.Labels, maxTriangleLabel)
		}
	}
	// A complete graph has the most triangles of its order.
	for _, n := range []int{r.MaxOrder, r.MaxLarge} {
		if most := n * (n - 1) * (n - 2) / 6; r.Labels[len(r.Labels)-1] > most {
			return fmt.Errorf("datasets: %d triangles in graphs of at most %d nodes, want at most %d", r.Labels[len(r.Labels)-1], n, most)
		}
	}
	if r.Train < 0 || r.Validation < 0 || r.Test < 0 || r.TestLarge < 0 {
		return fmt.Errorf("datasets: %d, %d, %d and %d graphs of a number of triangles, want 0 or more", r.Train, r.Validation, r.Test, r.TestLarge)
	}
	return nil
}

// maxTriangleLabel is far in the tail of what 2n random edges hold, about ten
// triangles in the mean.
const maxTriangleLabel = 20

func (s *TriangleSettings) resolve() TriangleSettings {
	r := *cmp.Or(s, &TriangleSettings{})
	r.MinOrder = cmp.Or(r.MinOrder, 4)
	r.MaxOrder = cmp.Or(r.MaxOrder, 25)
	r.MinLarge = cmp.Or(r.MinLarge, 26)
	r.MaxLarge = cmp.Or(r.MaxLarge, 100)
	if r.Labels == nil {
		r.Labels = []int{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}
	}
	if r.Train == 0 && r.Validation == 0 && r.Test == 0 && r.TestLarge == 0 {
		r.Train, r.Validation, r.Test, r.TestLarge = 3000, 500, 500, 500
	}
	return r
}

// Split holds the ranges of the parts of TRIANGLES: graph k belongs to a part
// if First <= k < End. The parts follow each other.
type Split struct {
	Train, Validation, Test, TestLarge Range
}

// Range is the graphs First, ..., End-1.
type Range struct{ First, End int }

// Len returns the number of graphs.
func (r Range) Len() int { return r.End - r.First }

// Split returns where the parts of the set that Triangles draws are; of nil
// settings the collection's own TRIANGLES: 30,000 graphs for training,
// 5,000 for validation, 5,000 for tests and 5,000 larger ones.
func (s *TriangleSettings) Split() Split {
	r := s.resolve()
	var parts [4]Range
	at := 0
	for i, n := range []int{r.Train, r.Validation, r.Test, r.TestLarge} {
		parts[i] = Range{at, at + n*len(r.Labels)}
		at = parts[i].End
	}
	return Split{parts[0], parts[1], parts[2], parts[3]}
}

// Triangles draws a set as TRIANGLES was drawn: orders n uniform, floor((1+U)
// n) edges with U uniform on [0, 1), a uniform simple graph of that many nodes
// and edges (complete, if it cannot have as many), kept if its number of
// triangles is a label that is still wanted and no earlier graph is equal to it
// node by node. The graphs of a label are shuffled and dealt to the training,
// validation and test parts, each part label by label; the larger test graphs
// are drawn afterwards and permuted. The one attribute of a node is the number
// of triangles through it.
//
// The class values are the labels. It holds the set in memory, the 45,000 graphs of the default in
// about 50 MB; TriangleStream draws graphs one at a time. Errors: bad settings, a nil rng, or
// orders that do not have (or hardly ever give) as many distinct graphs of a label as are wanted.
func Triangles(set *TriangleSettings, rng *rand.Rand) (*Dataset, error) {
	if err := set.Validate(); err != nil {
		return nil, err
	}
	if rng == nil {
		return nil, errNoRand
	}
	s := set.resolve()
	d := &Dataset{Name: "TRIANGLES", ClassValues: slices.Clone(s.Labels), AttributeDim: 1}
	small, err := s.distinct(s.MinOrder, s.MaxOrder, s.Train+s.Validation+s.Test, rng)
	if err != nil {
		return nil, err
	}
	for _, graphs := range small {
		rng.Shuffle(len(graphs), func(i, j int) { graphs[i], graphs[j] = graphs[j], graphs[i] })
	}
	for _, count := range []int{s.Train, s.Validation, s.Test} {
		for class, graphs := range small {
			for k := range count {
				d.Graphs = append(d.Graphs, graphs[k])
				d.Classes = append(d.Classes, class)
			}
			small[class] = graphs[count:]
		}
	}
	large, err := s.distinct(s.MinLarge, s.MaxLarge, s.TestLarge, rng)
	if err != nil {
		return nil, err
	}
	first := len(d.Graphs)
	for class, graphs := range large {
		for k := range graphs {
			d.Graphs = append(d.Graphs, graphs[k])
			d.Classes = append(d.Classes, class)
		}
	}
	rng.Shuffle(len(d.Graphs)-first, func(i, j int) {
		i, j = first+i, first+j
		d.Graphs[i], d.Graphs[j] = d.Graphs[j], d.Graphs[i]
		d.Classes[i], d.Classes[j] = d.Classes[j], d.Classes[i]
	})
	d.Digest = d.ComputeDigest()
	return d, nil
}

// distinct draws count graphs of each label, no two equal.
func (s *TriangleSettings) distinct(minOrder, maxOrder, count int, rng *rand.Rand) ([][]Graph, error) {
	drawn := make([][]Graph, len(s.Labels))
	seen := map[string]struct{}{}
	draw := newTriangleDraw(maxOrder)
	missing, attempts := count*len(s.Labels), 0
	for missing > 0 {
		draw.graph(minOrder, maxOrder, rng)
		if attempts++; attempts > maxTriangleDraws {
			return nil, fmt.Errorf("datasets: %d graphs of %d to %d nodes not met in %d draws (have %s, want %d of each); want fewer graphs or larger ones",
				missing, minOrder, maxOrder, maxTriangleDraws, counts(s.Labels, drawn), count)
		}
		class, ok := slices.BinarySearch(s.Labels, draw.triangles)
		if !ok || len(drawn[class]) == count {
			continue
		}
		key := draw.key()
		if _, ok := seen[key]; ok {
			continue
		}
		seen[key] = struct{}{}
		drawn[class] = append(drawn[class], draw.build())
		missing--
		attempts = 0
	}
	return drawn, nil
}

// counts words how many graphs of each label there are.
func counts(labels []int, drawn [][]Graph) string {
	text := ""
	for i, label := range labels {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%d of %d triangles", len(drawn[i]), label)
	}
	return text
}
