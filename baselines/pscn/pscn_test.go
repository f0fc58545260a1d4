package pscn

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/nntest"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

// randomGraph has n nodes with so many inputs of few values, and every edge with a probability.
func randomGraph(rng *rand.Rand, n, inputs int, p float64) Graph {
	g := Graph{Neighbors: make([][]int32, n)}
	for i := range n {
		for range inputs {
			g.Inputs = append(g.Inputs, float64(rng.IntN(3)))
		}
		for j := range i {
			if rng.Float64() < p {
				g.Neighbors[i] = append(g.Neighbors[i], int32(j))
				g.Neighbors[j] = append(g.Neighbors[j], int32(i))
			}
		}
	}
	return g
}

// relabelled is the same graph with its nodes in another order.
func relabelled(g Graph, inputs int, place []int) Graph {
	out := Graph{Neighbors: make([][]int32, g.Order()), Inputs: make([]float64, len(g.Inputs))}
	for i, list := range g.Neighbors {
		copy(out.Inputs[place[i]*inputs:], g.Inputs[i*inputs:(i+1)*inputs])
		for _, j := range list {
			out.Neighbors[place[i]] = append(out.Neighbors[place[i]], int32(place[j]))
		}
		slices.Sort(out.Neighbors[place[i]])
	}
	return out
}

// TestFieldsOfRelabelledGraphs: the order of a graph's nodes changes no bit of what the network sees.
func TestFieldsOfRelabelledGraphs(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		inputs := rapid.IntRange(1, 2).Draw(t, "inputs")
		g := randomGraph(rng, rapid.IntRange(1, 16).Draw(t, "nodes"), inputs, rapid.Float64Range(0, 1).Draw(t, "density"))
		if rapid.Bool().Draw(t, "plain") {
			for i := range g.Inputs {
				g.Inputs[i] = 1
			}
		}
		set := &Settings{Labelling: rapid.SampledFrom([]Labelling{Betweenness, WeisfeilerLehman}).Draw(t, "by"),
			Field: rapid.IntRange(1, 8).Draw(t, "field"), Stride: rapid.IntRange(1, 3).Draw(t, "stride")}
		a := must.Get(NewSet([]Graph{g}, set))
		b, err := NewSet([]Graph{relabelled(g, inputs, rng.Perm(g.Order()))}, set)
		if err != nil || !slices.Equal(a.rowPtr, b.rowPtr) || !slices.Equal(a.col, b.col) || !slices.Equal(a.val, b.val) {
			t.Fatalf("%v: %v and %v, %v", g, a, b, err)
		}
	})
}

// TestFieldsOfTies: a hexagon and two triangles, whose nodes no Weisfeiler-Lehman rank tells apart, in two orders.
func TestFieldsOfTies(t *testing.T) {
	join := func(pairs ...[2]int32) Graph {
		g := Graph{Neighbors: make([][]int32, 12), Inputs: slices.Repeat([]float64{1}, 12)}
		for _, e := range pairs {
			g.Neighbors[e[0]], g.Neighbors[e[1]] = append(g.Neighbors[e[0]], e[1]), append(g.Neighbors[e[1]], e[0])
		}
		return g
	}
	g := join([2]int32{0, 1}, [2]int32{0, 5}, [2]int32{1, 2}, [2]int32{2, 3}, [2]int32{3, 4}, [2]int32{4, 5},
		[2]int32{6, 7}, [2]int32{6, 8}, [2]int32{7, 8}, [2]int32{9, 10}, [2]int32{9, 11}, [2]int32{10, 11})
	place := []int{6, 11, 2, 9, 4, 7, 5, 0, 3, 8, 1, 10}
	for _, by := range []Labelling{Betweenness, WeisfeilerLehman} {
		a := must.Get(NewSet([]Graph{g, relabelled(g, 1, place)}, &Settings{Labelling: by}))
		half := len(a.col) / 2
		must.Same(t, a.col[:half], a.col[half:], "%s: %v", by, a.col)
	}
}

// TestField: a path of five nodes around its middle, and zeros where a graph is too small.
func TestField(t *testing.T) {
	g := Graph{Neighbors: [][]int32{{1}, {0, 2}, {1, 3}, {2, 4}, {3}}, Inputs: []float64{1, 2, 3, 4, 5}}
	s := must.Get(NewSet([]Graph{g}, &Settings{Field: 4, Width: 6, Stride: 2}))
	// Betweenness 4, 3, 3, 0, 0; ranks of nodes 1, 2, 3, 0, 4.
	if want := []float64{3, 2, 4, 1, 4, 3, 5, 2, 5, 4, 3, 2}; !slices.Equal(s.val, want) || len(s.rowPtr) != 7 || s.rowPtr[3] != s.rowPtr[6] {
		t.Errorf("%v at %v, want %v", s.val, s.rowPtr, want)
	}
}

// TestGradient compares the whole gradient with difference quotients.
func TestGradient(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	var graphs []Graph
	var classes []int
	for i := range 7 {
		graphs, classes = append(graphs, randomGraph(rng, 4+2*i, 2, .3)), append(classes, i%3)
	}
	s := must.Get(NewSet(graphs, &Settings{Field: 3, Width: 13}))
	learn := []int{6, 0, 1, 2, 3, 4, 5}
	n := must.Get(newNetwork(context.Background(), s, learn, classes, nil, &Settings{Hidden: 6}, rng))
	for i := range n.factors {
		n.factors[i] = float64(2 * rng.IntN(2))
	}
	n.gradient(learn, classes)
	grad := slices.Clone(n.grad.flat)
	var x []*float64
	for i := range n.x.flat {
		x = append(x, &n.x.flat[i])
	}
	pattern := func() (on string) {
		for k := range n.units {
			on += nntest.Signs(n.units[k].Out)
		}
		return on
	}
	nntest.Differences(t, "weights", func() float64 { return n.gradient(learn, classes) }, pattern, x, grad)
}

// TestLearns: paths and stars are told apart, also those never seen, the same way every time; training ends with its context.
func TestLearns(t *testing.T) {
	var graphs []Graph
	var classes, learn, watch []int
	for i := range 40 {
		size := 4 + i%7
		g := Graph{Neighbors: make([][]int32, size), Inputs: slices.Repeat([]float64{1}, size)}
		for k := 1; k < size; k++ {
			j := (k - 1) * (i % 2)
			g.Neighbors[k], g.Neighbors[j] = append(g.Neighbors[k], int32(j)), append(g.Neighbors[j], int32(k))
		}
		for k, list := range g.Neighbors {
			g.Inputs[k] = float64(len(list))
		}
		graphs = append(graphs, g)
		if i < 28 {
			learn, classes = append(learn, i), append(classes, i%2)
		} else {
			watch = append(watch, i)
		}
	}
	s := must.Get(NewSet(graphs, nil))
	set := &Settings{Hidden: 8, Batch: 10, Epochs: 30}
	train := func(seed uint64) *Result {
		return must.Get(Train(context.Background(), s, learn, classes, watch, set, rand.New(rand.NewPCG(seed, 1))))
	}
	r, again, other := train(1), train(1), train(2)
	for i, c := range r.Watched[29] {
		must.Check(t, c, watch[i]%2, "class of graph %d", watch[i])
	}
	if !slices.Equal(r.Loss, again.Loss) || slices.Equal(r.Loss, other.Loss) || !(r.Loss[29] < r.Loss[0]/2) {
		t.Errorf("losses %v, %v, %v", r.Loss, again.Loss, other.Loss)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Train(ended, s, learn, classes, watch, set, rand.New(rand.NewPCG(1, 1))); err != context.Canceled {
		t.Errorf("%v after the end", err)
	}
}

func TestErrors(t *testing.T) {
	good := []Graph{{Neighbors: [][]int32{nil}, Inputs: []float64{1}}, {Neighbors: [][]int32{nil}, Inputs: []float64{2}}}
	s := must.Get(NewSet(good, nil))
	for want, f := range map[string]func() error{
		"no graph has nodes": func() error { return must.Err(NewSet(nil, nil)) },
		"2 inputs, expected 3": func() error {
			odd := []Graph{{Neighbors: [][]int32{nil}, Inputs: []float64{1, 1, 1}}, {Neighbors: [][]int32{nil}, Inputs: []float64{1, 1}}}
			_, err := NewSet(odd, nil)
			return err
		},
		"is NaN": func() error {
			return must.Err(NewSet([]Graph{{Neighbors: [][]int32{nil}, Inputs: []float64{math.NaN()}}}, nil))
		},
		"node 0 has the neighbour 1, expected one of 1 nodes": func() error {
			return must.Err(NewSet([]Graph{{Neighbors: [][]int32{{1}}, Inputs: []float64{1}}}, nil))
		},
		"node 0 has the neighbour 1, but 1 not": func() error {
			return must.Err(NewSet([]Graph{{Neighbors: [][]int32{{1}, nil}, Inputs: []float64{1, 1}}}, nil))
		},
		"labelling":    func() error { return must.Err(NewSet(good, &Settings{Labelling: "x"})) },
		"Dropout is 1": func() error { return must.Err(NewSet(good, &Settings{Dropout: 1})) },
		"Rate is -1":   func() error { return must.Err(NewSet(good, &Settings{Rate: -1})) },
		"Width is -1":  func() error { return must.Err(NewSet(good, &Settings{Width: -1})) },
		"s is nil": func() error {
			return must.Err(Train(context.Background(), nil, []int{0, 1}, []int{0, 1}, nil, nil, rand.New(rand.NewPCG(1, 1))))
		},
		"of class 0": func() error {
			return must.Err(newNetwork(context.Background(), s, []int{0, 1}, []int{0, 0}, nil, nil, rand.New(rand.NewPCG(1, 1))))
		},
		"graph 5": func() error {
			return must.Err(newNetwork(context.Background(), s, []int{0, 5}, []int{0, 1}, nil, nil, rand.New(rand.NewPCG(1, 1))))
		},
	} {
		must.Fail(t, f(), want)
	}
}
