package gin

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

// shapes are rings (class 0) and stars (class 1) of drawn sizes, alike to all that look at degrees and labels of single nodes: a
// ring of n nodes has a tail of n leaves here and there.
func wheelsAndStars(rng *rand.Rand, count int) (graphs []Graph, classes []int) {
	for i := range count {
		n := 4 + rng.IntN(6)
		g := Graph{Neighbors: make([][]int32, n)}
		join := func(a, b int) {
			g.Neighbors[a] = append(g.Neighbors[a], int32(b))
			g.Neighbors[b] = append(g.Neighbors[b], int32(a))
		}
		for k := 1; k < n; k++ {
			if i%2 == 0 {
				join(k-1, k)
			} else {
				join(0, k)
			}
		}
		for k := range n {
			g.Inputs = append(g.Inputs, 1, float64(k%2))
		}
		graphs, classes = append(graphs, g), append(classes, i%2)
	}
	return graphs, classes
}

func train(t testing.TB, graphs []Graph, classes []int, watched []Graph, set *Settings, seed uint64) *Result {
	t.Helper()
	return must.Get(Train(context.Background(), graphs, classes, watched, set, rand.New(rand.NewPCG(seed, 1))))
}

// TestLearns: paths and stars are told apart, also those never seen, by either way of making epochs.
func TestLearns(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 1))
	graphs, classes := wheelsAndStars(rng, 40)
	unseen, truth := wheelsAndStars(rng, 20)
	for _, steps := range []int{0, 3} {
		r := train(t, graphs, classes, unseen, &Settings{Hidden: 8, Batch: 16, Epochs: 40, Steps: steps}, 1)
		must.Same(t, r.Watched[39], truth, "steps %d: of graphs never seen", steps)
		must.Same(t, must.Get(r.Model.Predict(graphs)), classes, "steps %d", steps)
		if told, err := r.Model.Predict(unseen); err != nil || !slices.Equal(told, r.Watched[39]) {
			t.Errorf("steps %d: Predict gives %v, Train %v, %v", steps, told, r.Watched[39], err)
		}
		if first, last := r.Loss[0], r.Loss[39]; !(last < first/2) {
			t.Errorf("steps %d: loss from %v to %v", steps, first, last)
		}
	}
}

// digest is of every bit of a result.
func digest(r *Result) string {
	h := sha256.New()
	for _, x := range append([][]float64{r.Loss, r.Model.weights.flat}, running(r.Model)...) {
		for _, v := range x {
			h.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(v)))
		}
	}
	fmt.Fprint(h, r.Watched)
	return fmt.Sprintf("%x", h.Sum(nil)[:8])
}

func running(m *Model) (out [][]float64) {
	for _, l := range m.running {
		for _, r := range l {
			out = append(out, r.Mean, r.Variance)
		}
	}
	return out
}

// TestBits pins the result to the last bit: it is the same on every processor, with assembly and without.
func TestBits(t *testing.T) {
	const want = "8a7679d283ef64cb"
	rng := rand.New(rand.NewPCG(8, 1))
	graphs, classes := wheelsAndStars(rng, 30)
	for range 10 {
		graphs, classes = append(graphs, randomGraph(rng, 1+rng.IntN(30), 2, .3)), append(classes, 2)
	}
	set := &Settings{Hidden: 10, Batch: 16, Epochs: 6, HalveEvery: 2}
	a := train(t, graphs, classes, graphs[:7], set, 3)
	must.Check(t, digest(a), want, "digest")
	if b := train(t, graphs, classes, graphs[:7], set, 3); digest(b) != digest(a) {
		t.Error("two runs differ")
	}
	if b := train(t, graphs, classes, graphs[:7], set, 4); digest(b) == digest(a) {
		t.Error("another source gives the same")
	}
}

// TestPrefix: epochs do not depend on how many follow, nor on what is watched.
func TestPrefix(t *testing.T) {
	graphs, classes := wheelsAndStars(rand.New(rand.NewPCG(9, 1)), 30)
	long := train(t, graphs, classes, graphs[:5], &Settings{Hidden: 4, Batch: 8, Epochs: 9, HalveEvery: 3}, 3)
	short := train(t, graphs, classes, nil, &Settings{Hidden: 4, Batch: 8, Epochs: 5, HalveEvery: 3}, 3)
	must.Same(t, short.Loss, long.Loss[:5], "losses, and of the long run")
	if told, err := short.Model.Predict(graphs[:5]); err != nil || !slices.Equal(told, long.Watched[4]) {
		t.Errorf("%v, want %v, %v", told, long.Watched[4], err)
	}
}

// TestRate: the rate is halved as asked, so that training ends where steps become tiny.
func TestRate(t *testing.T) {
	graphs, classes := wheelsAndStars(rand.New(rand.NewPCG(10, 1)), 10)
	moved := func(every, epochs int) float64 {
		a := train(t, graphs, classes, nil, &Settings{Hidden: 4, Epochs: epochs, HalveEvery: every}, 3)
		b := train(t, graphs, classes, nil, &Settings{Hidden: 4, Epochs: epochs + 1, HalveEvery: every}, 3)
		most := 0.0
		for i, v := range a.Model.weights.flat {
			most = max(most, math.Abs(v-b.Model.weights.flat[i]))
		}
		return most
	}
	if first, late := moved(1, 1), moved(1, 30); !(late < 1e-8*first) || late == 0 {
		t.Errorf("after 30 halvings a step is %v, at first %v", late, first)
	}
	if late := moved(Never, 30); late < 1e-4 {
		t.Errorf("a rate that is never halved gives a step of %v", late)
	}
}

// TestPermutedNodes: the order of a graph's nodes plays no part beyond rounding.
func TestPermutedNodes(t *testing.T) {
	graphs, classes := wheelsAndStars(rand.New(rand.NewPCG(11, 1)), 20)
	m := train(t, graphs, classes, nil, &Settings{Hidden: 8, Epochs: 5}, 3).Model
	rapid.Check(t, func(t *rapid.T) {
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		g := randomGraph(rng, rapid.IntRange(1, 20).Draw(t, "nodes"), 2, rapid.Float64Range(0, 1).Draw(t, "density"))
		n := g.Order()
		place := rng.Perm(n)
		p := Graph{Neighbors: make([][]int32, n), Inputs: make([]float64, 2*n)}
		for i, list := range g.Neighbors {
			copy(p.Inputs[2*place[i]:], g.Inputs[2*i:2*i+2])
			for _, j := range list {
				p.Neighbors[place[i]] = append(p.Neighbors[place[i]], int32(place[j]))
			}
			slices.Sort(p.Neighbors[place[i]])
		}
		scores := must.Get(m.Scores([]Graph{g, p}))
		for c := range 2 {
			must.Within(t, scores[2+c], scores[c], 1e-10*(1+math.Abs(scores[c])), "score %d, and before", c)
		}
	})
}

// TestAlone: what else is asked plays no part in a graph's scores, to the last bit.
func TestAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 1))
	graphs, classes := wheelsAndStars(rng, 20)
	m := train(t, graphs, classes, nil, &Settings{Hidden: 6, Epochs: 5, Batch: 7}, 3).Model
	list := []Graph{{}}
	for n := range 30 {
		list = append(list, randomGraph(rng, n, 2, .3))
	}
	together := must.Get(m.Scores(list))
	for i := range list {
		alone := must.Get(m.Scores(list[i : i+1]))
		must.Same(t, alone, together[2*i:2*i+2], "graph %d alone, and among others", i)
	}
	if none, err := m.Scores(nil); err != nil || len(none) != 0 {
		t.Errorf("no graphs: %v, %v", none, err)
	}
}

// TestShared: goroutines may share a model.
func TestShared(t *testing.T) {
	graphs, classes := wheelsAndStars(rand.New(rand.NewPCG(13, 1)), 20)
	m := train(t, graphs, classes, nil, &Settings{Hidden: 6, Epochs: 2}, 3).Model
	want := must.Get(m.Scores(graphs))
	failed := make(chan bool)
	for range 4 {
		go func() {
			got, err := m.Scores(graphs)
			failed <- err != nil || !slices.Equal(got, want)
		}()
	}
	for range 4 {
		if <-failed {
			t.Error("scores differ between goroutines")
		}
	}
}

// TestOddBatches: batches of one graph, graphs of one node or none, and dropout at its ends train without a number that is none.
func TestOddBatches(t *testing.T) {
	one := Graph{Neighbors: [][]int32{nil}, Inputs: []float64{1}}
	graphs := []Graph{one, {}, {Neighbors: [][]int32{{1}, {0}}, Inputs: []float64{2, -1}}}
	for _, set := range []Settings{{Batch: 1}, {Batch: 2, Steps: 4}, {Dropout: Never}, {Dropout: .99}, {Batch: 1000, Steps: 2}} {
		set.Hidden, set.Epochs = 5, 20
		r := train(t, graphs, []int{0, 1, 2}, graphs, &set, 1)
		for _, x := range append([][]float64{r.Loss, r.Model.weights.flat}, running(r.Model)...) {
			for _, v := range x {
				if math.IsNaN(v) || math.IsInf(v, 0) {
					t.Fatalf("%+v: %v", set, x)
				}
			}
		}
	}
}

func TestNoAllocation(t *testing.T) {
	rng := rand.New(rand.NewPCG(14, 1))
	graphs, classes := wheelsAndStars(rng, 50)
	for _, steps := range []int{0, 2} {
		ctx := context.Background()
		r := must.Get(newTraining(ctx, graphs, classes, graphs[:20], &Settings{Batch: 16, Steps: steps}, rng))
		e := 0
		if n := testing.AllocsPerRun(5, func() {
			must.Do(t, r.run(ctx, e))
			e++
		}); n != 0 {
			t.Errorf("%v allocations an epoch", n)
		}
	}
}

func TestErrors(t *testing.T) {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(15, 1))
	graphs, classes := wheelsAndStars(rng, 4)
	var nowhere context.Context
	ended, cancel := context.WithCancel(ctx)
	cancel()
	with := func(g Graph) []Graph { return append(slices.Clone(graphs[:3]), g) }
	for want, f := range map[string]func() error{
		"ctx is nil":         func() error { return must.Err(Train(nowhere, graphs, classes, nil, nil, rng)) },
		"the model is nil":   func() error { return must.Err((*Model)(nil).Scores(graphs)) },
		"nil or empty":       func() error { return must.Err(new(Model).Predict(graphs)) },
		"rng is nil":         func() error { return must.Err(Train(ctx, graphs, classes, nil, nil, nil)) },
		"cancel":             func() error { return must.Err(Train(ended, graphs, classes, nil, nil, rng)) },
		"graphs is":          func() error { return must.Err(Train(ctx, nil, nil, nil, nil, rng)) },
		"3 classes":          func() error { return must.Err(Train(ctx, graphs, classes[:3], nil, nil, rng)) },
		"all graphs (":       func() error { return must.Err(Train(ctx, graphs, make([]int, 4), nil, nil, rng)) },
		"classes[2] is -1":   func() error { return must.Err(Train(ctx, graphs, []int{0, 1, -1, 0}, nil, nil, rng)) },
		"classes[0] is 4":    func() error { return must.Err(Train(ctx, graphs, []int{4, 1, 1, 0}, nil, nil, rng)) },
		"no graph has nodes": func() error { return must.Err(Train(ctx, make([]Graph, 4), classes, nil, nil, rng)) },
		"graph 0 has 0 inputs": func() error {
			return must.Err(Train(ctx, []Graph{{Neighbors: [][]int32{nil}}, {}}, []int{0, 1}, nil, nil, rng))
		},
		"graphs[3]: 3 inputs, expected 2 for each of its 1 nodes": func() error {
			return must.Err(Train(ctx, with(Graph{Neighbors: [][]int32{nil}, Inputs: []float64{1, 2, 3}}), classes, nil, nil, rng))
		},
		"watched[0]: input 1 of node 0 is NaN": func() error {
			return must.Err(Train(ctx, graphs, classes, []Graph{{Neighbors: [][]int32{nil}, Inputs: []float64{0, math.NaN()}}}, nil, rng))
		},
		"node 0 is its own": func() error {
			return must.Err(Train(ctx, with(Graph{Neighbors: [][]int32{{0}}, Inputs: []float64{0, 0}}), classes, nil, nil, rng))
		},
		"node 0 has the neighbour 1, expected one of 1 nodes": func() error {
			return must.Err(Train(ctx, with(Graph{Neighbors: [][]int32{{1}}, Inputs: []float64{0, 0}}), classes, nil, nil, rng))
		},
		"node 0 has the neighbour 1, but 1 not": func() error {
			return must.Err(Train(ctx, with(Graph{Neighbors: [][]int32{{1}, nil}, Inputs: make([]float64, 4)}), classes, nil, nil, rng))
		},
		"neighbours of node 0: 1 after 1": func() error {
			return must.Err(Train(ctx, with(Graph{Neighbors: [][]int32{{1, 1}, {0}}, Inputs: make([]float64, 4)}), classes, nil, nil, rng))
		},
		"diverged": func() error {
			huge := Graph{Neighbors: [][]int32{{1}, {0}}, Inputs: []float64{1.5e308, 0, 1.5e308, 0}}
			_, err := Train(ctx, with(huge), classes, nil, nil, rng)
			return err
		},
		"graphs[1]: a score is": func() error {
			m := newModel(shape{2, 1, 2, 1}, 1, rng)
			_, err := m.Scores(with(Graph{Neighbors: [][]int32{{1}, {0}}, Inputs: []float64{1.5e308, 0, 1.5e308, 0}})[2:])
			return err
		},
		"Hidden is -1":  func() error { return must.Err(Train(ctx, graphs, classes, nil, &Settings{Hidden: -1}, rng)) },
		"Layers is -2":  func() error { return must.Err(Train(ctx, graphs, classes, nil, &Settings{Layers: -2}, rng)) },
		"Epochs is -3":  func() error { return must.Err(Train(ctx, graphs, classes, nil, &Settings{Epochs: -3}, rng)) },
		"Batch is -4":   func() error { return must.Err(Train(ctx, graphs, classes, nil, &Settings{Batch: -4}, rng)) },
		"Steps is -5":   func() error { return must.Err(Train(ctx, graphs, classes, nil, &Settings{Steps: -5}, rng)) },
		"Dropout is 1":  func() error { return must.Err(Train(ctx, graphs, classes, nil, &Settings{Dropout: 1}, rng)) },
		"Rate is -0.1":  func() error { return must.Err(Train(ctx, graphs, classes, nil, &Settings{Rate: -.1}, rng)) },
		"Rate is NaN":   func() error { return must.Err(Train(ctx, graphs, classes, nil, &Settings{Rate: math.NaN()}, rng)) },
		"graphs[0]: 10": func() error { m := newModel(shape{3, 1, 2, 1}, 1, rng); _, err := m.Scores(graphs[:1]); return err },
	} {
		must.Fail(t, f(), want)
	}
}

func BenchmarkEpoch(b *testing.B) {
	rng := rand.New(rand.NewPCG(16, 1))
	var graphs []Graph
	classes := make([]int, 256)
	for i := range classes {
		graphs = append(graphs, randomGraph(rng, 20, 7, .1))
		classes[i] = i % 2
	}
	t := must.Get(newTraining(context.Background(), graphs, classes, nil, nil, rng))
	b.ReportAllocs()
	for b.Loop() {
		must.Do(b, t.run(context.Background(), 0))
	}
}
