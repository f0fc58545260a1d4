package datasets_test

import (
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

func TestD1(t *testing.T) {
	for _, c := range []struct {
		set    *datasets.SimulationSettings
		orders []int
		graphs int
	}{
		{nil, []int{10, 15, 20, 25, 30, 35, 40, 45, 50, 55, 60}, 100},
		{&datasets.SimulationSettings{MinOrder: 15}, []int{15, 20, 25, 30, 35, 40, 45, 50, 55, 60}, 100},
		{&datasets.SimulationSettings{MinOrder: 6, MaxOrder: 11, Step: 3, Graphs: 40}, []int{6, 9}, 40},
	} {
		d := must.Get(datasets.D1(c.set, newRand(3)))
		if len(d.Graphs) != 3*c.graphs || d.NumClasses() != 3 || d.Digest != d.ComputeDigest() {
			t.Fatalf("%d graphs, %d classes", len(d.Graphs), d.NumClasses())
		}
		count := map[int]int{}
		for k := range d.Graphs {
			count[d.Graphs[k].Order()]++
			must.Equal(t, d.Classes[k], k/c.graphs, "class of graph %d", k)
		}
		expected := float64(len(d.Graphs)) / float64(len(c.orders))
		chi2 := 0.0
		for _, n := range c.orders {
			e := float64(count[n]) - expected
			chi2 += e * e / expected
			delete(count, n)
		}
		if len(count) != 0 || chi2 > 35 { // 10 degrees of freedom: p < 1e-4
			t.Errorf("orders %v besides %v, chi squared %v", count, c.orders, chi2)
		}
	}
}

func TestSeeds(t *testing.T) {
	a, b, c := must.Get(datasets.D1(nil, newRand(1))), must.Get(datasets.D1(nil, newRand(1))), must.Get(datasets.D1(nil, newRand(2)))
	if a.Digest != b.Digest || a.Digest == c.Digest {
		t.Errorf("digests %s and %s of seed 1, %s of seed 2", a.Digest, b.Digest, c.Digest)
	}
	d, p := must.Get2(datasets.D2(nil, newRand(1)))
	e, q := must.Get2(datasets.D2(nil, newRand(1)))
	if d.Digest != e.Digest || !slices.Equal(p, q) {
		t.Error("D2 differs under one seed")
	}
}

func TestSimulationErrors(t *testing.T) {
	for _, s := range []datasets.SimulationSettings{
		{MinOrder: 5}, {MinOrder: -10}, {MinOrder: 61}, {MaxOrder: -1}, {MaxOrder: 1 << 20}, {Step: -1}, {Graphs: -1},
		{Model: &datasets.BlockModel{Within: 1.5}}, {Model: &datasets.BlockModel{Between: math.NaN()}},
	} {
		if s.Validate() == nil {
			t.Errorf("%+v is valid", s)
		}
		if _, err := datasets.D1(&s, newRand(1)); err == nil {
			t.Errorf("D1 drew from %+v", s)
		}
		if _, _, err := datasets.D2(&s, newRand(1)); err == nil {
			t.Errorf("D2 drew from %+v", s)
		}
	}
	for name, draw := range map[string]func() error{
		"D1":            func() error { return must.Err(datasets.D1(nil, nil)) },
		"D2":            func() error { return must.Err2(datasets.D2(nil, nil)) },
		"a stream":      func() error { return must.Err(datasets.NewTriangleStream(nil, nil)) },
		"Sample":        func() error { return must.Err(datasets.BlockModel{}.Sample([]int{2}, nil)) },
		"a negative":    func() error { return must.Err(datasets.BlockModel{}.Sample([]int{-2}, newRand(1))) },
		"probabilities": func() error { return must.Err(datasets.BlockModel{Within: 2}.Sample([]int{2}, newRand(1))) },
	} {
		if err := draw(); err == nil || !strings.HasPrefix(err.Error(), "datasets: ") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	must.Do(t, (*datasets.SimulationSettings)(nil).Validate())
}

// density counts edges and pairs within the blocks and between them.
type density struct{ within, withinPairs, between, betweenPairs int }

func (x *density) add(g *datasets.Graph, sizes ...int) {
	var block []int
	for b, size := range sizes {
		for range size {
			block = append(block, b)
		}
	}
	a, n := g.Adjacency(), g.Order()
	for i := range n {
		for j := i + 1; j < n; j++ {
			if block[i] == block[j] {
				x.within += int(a[i*n+j])
				x.withinPairs++
			} else {
				x.between += int(a[i*n+j])
				x.betweenPairs++
			}
		}
	}
}

// near checks both rates within five standard errors.
func (x *density) near(t *testing.T, within, between float64) {
	t.Helper()
	for _, c := range []struct {
		what         string
		edges, pairs int
		p            float64
	}{{"within", x.within, x.withinPairs, within}, {"between", x.between, x.betweenPairs, between}} {
		if c.pairs == 0 {
			continue
		}
		if rate := float64(c.edges) / float64(c.pairs); !(math.Abs(rate-c.p) <= 5*math.Sqrt(c.p*(1-c.p)/float64(c.pairs))) {
			t.Errorf("%s the blocks: %d of %d pairs joined, rate %.4f, want %v", c.what, c.edges, c.pairs, rate, c.p)
		}
	}
}

func equalBlocks(n, blocks int) []int {
	sizes := make([]int, blocks)
	for b := range sizes {
		sizes[b] = n*(b+1)/blocks - n*b/blocks
	}
	return sizes
}

func TestBlocks(t *testing.T) {
	d := must.Get(datasets.D1(&datasets.SimulationSettings{Model: &datasets.BlockModel{Within: .7, Between: .2}}, newRand(5)))
	var x density
	for k := range d.Graphs {
		g := &d.Graphs[k]
		for i, nb := range g.Neighbors {
			if !slices.IsSorted(nb) || slices.Contains(nb, int32(i)) {
				t.Fatalf("graph %d: neighbours %v of node %d", k, nb, i)
			}
		}
		x.add(g, equalBlocks(g.Order(), d.ClassValues[d.Classes[k]])...)
	}
	x.near(t, .7, .2)
	full := must.Get(datasets.BlockModel{Within: 1}.Sample([]int{2, 0, 3}, newRand(1)))
	if got, want := fmt.Sprint(full.Neighbors), "[[1] [0] [3 4] [2 4] [2 3]]"; got != want {
		t.Errorf("certain edges %s, want %s", got, want)
	}
}

func TestD2(t *testing.T) {
	d, proportions := must.Get2(datasets.D2(nil, newRand(7)))
	if len(d.Graphs) != 150 || len(proportions) != 150 || d.Classes != nil {
		t.Fatalf("%d graphs, %d proportions, classes %v", len(d.Graphs), len(proportions), d.Classes)
	}
	var x density
	for k := range d.Graphs {
		n := d.Graphs[k].Order()
		first := firstBlock(t, n, proportions[k])
		x.add(&d.Graphs[k], first, n-first)
	}
	x.near(t, .9, .1)
}

// firstBlock checks that the first block of a graph of D2 has one of the sizes
// that it may have, and returns it.
func firstBlock(t *testing.T, n int, proportion float64) int {
	t.Helper()
	first := int(math.Round(proportion * float64(n)))
	half := (n + 1) / 2
	if least := half - (3*half/4 - 1); first < least || first >= half {
		t.Errorf("first block of %d of %d nodes, want %d to %d", first, n, least, half-1)
	}
	return first
}

// packed is a graph of sbm.json: the upper triangle row by row, a bit a pair.
type packed struct {
	N     int    `json:"n"`
	Upper string `json:"upper"`
}

func (p packed) graph(t *testing.T) datasets.Graph {
	t.Helper()
	upper := p.Upper
	if len(upper)%2 == 1 {
		upper += "0"
	}
	bits := must.Get(hex.DecodeString(upper))
	var edges [][2]int32
	at := 0
	for i := range p.N {
		for j := i + 1; j < p.N; j++ {
			if bits[at/8]>>(7-at%8)&1 == 1 {
				edges = append(edges, [2]int32{int32(i), int32(j)})
			}
			at++
		}
	}
	return graph(p.N, edges...)
}

// TestReferenceSets holds the sets that the released code drew to what D1 and
// D2 promise of theirs (orders, blocks, rates), and compares the mean share of
// the first block.
func TestReferenceSets(t *testing.T) {
	var sbm struct {
		D1 struct {
			Graphs []packed `json:"graphs"`
			Labels []int    `json:"labels"`
		}
		D2 struct {
			Graphs []packed  `json:"graphs"`
			Rates  []float64 `json:"rates"`
		}
	}
	sharedtest.JSON(t, "sbm.json", &sbm)
	set := &datasets.SimulationSettings{MinOrder: 15}
	d1 := must.Get(datasets.D1(set, newRand(11)))
	must.Equal(t, len(sbm.D1.Graphs), len(d1.Graphs), "reference graphs")
	edges := [2][3]float64{} // mean density per class: theirs, ours
	for k, p := range sbm.D1.Graphs {
		theirs := p.graph(t)
		class := sbm.D1.Labels[k] - 1
		for side, g := range []*datasets.Graph{&theirs, &d1.Graphs[k]} {
			n := float64(g.Order())
			if int(n)%5 != 0 || n < 15 || n > 60 {
				t.Errorf("order %v", n)
			}
			edges[side][class] += 2 * float64(g.Edges()) / (n * (n - 1)) / 100
		}
		must.Equal(t, class, d1.Classes[k], "class of graph %d there, and here", k)
	}
	for class := range 3 {
		if !(math.Abs(edges[0][class]-edges[1][class]) <= .01) {
			t.Errorf("class %d: mean density %.4f there, %.4f here", class, edges[0][class], edges[1][class])
		}
	}

	var x density
	sum := 0.0
	for k, p := range sbm.D2.Graphs {
		g := p.graph(t)
		first := firstBlock(t, p.N, sbm.D2.Rates[k])
		x.add(&g, first, p.N-first)
		sum += sbm.D2.Rates[k]
	}
	x.near(t, .9, .1) // the first block is the first nodes there, too
	_, ours := must.Get2(datasets.D2(&datasets.SimulationSettings{MinOrder: 15, Graphs: 2000}, newRand(13)))
	mean, square := 0.0, 0.0
	for _, p := range ours {
		mean += p / 2000
		square += p * p / 2000
	}
	if n := float64(len(sbm.D2.Rates)); !(math.Abs(sum/n-mean) <= 4*math.Sqrt((square-mean*mean)/n)) {
		t.Errorf("mean share of the first block %.4f there, %.4f here", sum/n, mean)
	}
}

func ExampleD1() {
	d, err := datasets.D1(&datasets.SimulationSettings{MinOrder: 15, Graphs: 10}, rand.New(rand.NewPCG(1, 0)))
	if err != nil {
		fmt.Println(err)
		return
	}
	s := d.Statistics()
	fmt.Println(s.Graphs, s.Classes, d.ClassValues)
	// Output: 30 3 [1 2 3]
}
