package gw_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// collection draws graphs of orders 1 to 8, with copies among them.
func collection(t testing.TB, rng *rand.Rand, count, d int) []*gw.Space {
	out := make([]*gw.Space, count)
	for k := range out {
		if k > 0 && rng.IntN(3) == 0 {
			from := out[rng.IntN(k)]
			out[k] = space(t, gwtest.Structure(from), from.A(), nil, d)
			continue
		}
		n := 1 + rng.IntN(8)
		out[k] = space(t, gwtest.Symmetric(n, rng.Float64), gwtest.Slice(n*d, rng.NormFloat64), nil, d)
	}
	return out
}

func equal(a, b *gw.Space) bool {
	ca, _ := a.C()
	cb, _ := b.C()
	return a.N() == b.N() && slices.Equal(ca, cb) && slices.Equal(a.A(), b.A())
}

// TestPairwiseDirect solves each pair directly.
func TestPairwiseDirect(t *testing.T) {
	for _, c := range []struct {
		d     int
		alpha float64
	}{{0, 1}, {2, 0.4}, {2, 0}, {2, 1}} {
		graphs := collection(t, newRand(uint64(c.d)), 14, c.d)
		D, took := must.Get2(gw.Pairwise(ctx, graphs, c.alpha, nil, 2))
		var distinct []*gw.Space
		for _, g := range graphs {
			if !slices.ContainsFunc(distinct, func(h *gw.Space) bool { return equal(g, h) }) {
				distinct = append(distinct, g)
			}
		}
		m := len(distinct)
		if m == len(graphs) {
			t.Fatal("the collection has no copies")
		}
		must.Check(t, took.Solves, int64(m*(m-1)/2), "solves")
		var iterations int64
		gap := 0.0
		for i, x := range graphs {
			for j, y := range graphs {
				got := D[i*len(graphs)+j]
				if equal(x, y) {
					must.Check(t, got, 0, "equal graphs %d and %d at distance", i, j)
					continue
				}
				// The first copies decide the order of arguments.
				k := slices.IndexFunc(distinct, func(h *gw.Space) bool { return equal(x, h) })
				l := slices.IndexFunc(distinct, func(h *gw.Space) bool { return equal(y, h) })
				a, b := distinct[min(k, l)], distinct[max(k, l)]
				if b.N() < a.N() {
					a, b = b, a
				}
				var s gw.Solver
				r := must.Get(s.Solve(ctx, a, b, c.alpha, nil, &gw.Settings{MaxIter: 200}))
				must.Check(t, got, math.Sqrt(r.Value), "distance (%d, %d)", i, j)
				if x == distinct[k] && y == distinct[l] && k < l {
					iterations += int64(r.Iterations)
					gap = max(gap, r.Gap)
				}
			}
		}
		if took.Iterations != iterations || took.MaxGap != gap {
			t.Errorf("%d iterations and gap %v, want %d and %v", took.Iterations, took.MaxGap, iterations, gap)
		}
	}
}

// TestPairwiseBytes finds the same bytes whatever computes which block, and when.
func TestPairwiseBytes(t *testing.T) {
	graphs := collection(t, newRand(3), 20, 0)
	want, took := must.Get2(gw.Pairwise(ctx, graphs, 1, &gw.PairSettings{Blocks: 1}, 1))
	for _, blocks := range []int{0, 2, 7, 1000000} {
		set := &gw.PairSettings{Blocks: blocks}
		for _, workers := range []int{1, 3, 64} {
			got, sum := must.Get2(gw.Pairwise(ctx, graphs, 1, set, workers))
			took.Values, sum.Values = nil, nil
			if !slices.Equal(got, want) || sum.Solves != took.Solves || sum.Iterations != took.Iterations || sum.MaxGap != took.MaxGap {
				t.Errorf("%d blocks, %d workers: another matrix", blocks, workers)
			}
		}
		p := must.Get(gw.NewPairs(graphs, 1, set))
		// In random order, each by one of two solvers that have seen other problems.
		solvers := make([]gw.Solver, 2)
		done := make([]*gw.PairBlock, p.Blocks())
		for at, b := range newRand(9).Perm(p.Blocks()) {
			done[b] = must.Get(p.Block(ctx, b, &solvers[at%3/2]))
		}
		got := must.Get(p.Matrix(done))
		must.Same(t, got, want, "%d blocks in random order: another matrix", blocks)
	}
}

// TestPairBlocks checks the cut: the blocks have every pair of distinct graphs once, row by row. No block is empty,
// and none is larger than its share by more than a pair.
func TestPairBlocks(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rng := newRand(rapid.Uint64().Draw(r, "seed"))
		graphs := collection(t, rng, rapid.IntRange(1, 12).Draw(r, "graphs"), 0)
		want := rapid.IntRange(0, 80).Draw(r, "blocks")
		p := must.Get(gw.NewPairs(graphs, 1, &gw.PairSettings{Blocks: want}))
		pairs := p.Distinct() * (p.Distinct() - 1) / 2
		if want > 0 && p.Blocks() != max(1, min(want, pairs)) {
			r.Fatalf("%d blocks of %d pairs, want %d", p.Blocks(), pairs, want)
		}
		var first []int // of equal graphs
		for i, g := range graphs {
			if !slices.ContainsFunc(first, func(k int) bool { return equal(g, graphs[k]) }) {
				first = append(first, i)
			}
		}
		var order, upper [][2]int
		for x, i := range first {
			for _, j := range first[x+1:] {
				upper = append(upper, [2]int{i, j})
			}
		}
		total, widest := 0.0, 0.0
		for b := range p.Blocks() {
			before := len(order)
			for i, j := range p.Of(b) {
				order = append(order, [2]int{i, j})
			}
			must.Check(r, len(order)-before, p.BlockLen(b), "pairs of block %d", b)
			if p.BlockLen(b) == 0 && pairs > 0 {
				r.Fatalf("block %d is empty", b)
			}
			w, largest := p.BlockWork(b)
			total += w
			widest = max(widest, largest)
		}
		must.Same(r, order, upper, "pairs")
		must.Check(r, p.Len(), len(graphs), "graphs")
		for b := range p.Blocks() {
			if w, _ := p.BlockWork(b); w > total/float64(p.Blocks())+widest+1e-6 {
				r.Fatalf("block %d of %d has work %v of %v", b, p.Blocks(), w, total)
			}
		}
	})
}

func TestPairsTrivial(t *testing.T) {
	one := space(t, []float64{0, 1, 1, 0}, nil, nil, 0)
	for _, graphs := range [][]*gw.Space{{one}, {one, one, one}} {
		D, took := must.Get2(gw.Pairwise(ctx, graphs, 1, nil, 4))
		if len(D) != len(graphs)*len(graphs) || slices.Max(D) != 0 || took.Solves != 0 {
			t.Errorf("%d equal graphs: %v after %d solves", len(graphs), D, took.Solves)
		}
	}
	// Weights tell graphs apart.
	heavy := must.Get(gw.NewSpace([]float64{0, 1, 1, 0}, nil, 2, 0, []float64{.25, .75}))
	graphs := []*gw.Space{one, heavy, one}
	p := must.Get(gw.NewPairs(graphs, 1, nil))
	clear(graphs) // the caller's
	must.Get(p.Block(ctx, 0, new(gw.Solver)))
	must.Check(t, p.Distinct(), 2, "distinct graphs")
}

func TestPairsErrors(t *testing.T) {
	rng := newRand(1)
	plain, featured := collection(t, rng, 3, 0), collection(t, rng, 3, 2)
	for _, c := range []struct {
		graphs []*gw.Space
		alpha  float64
		set    gw.PairSettings
		want   string
	}{
		{nil, 1, gw.PairSettings{}, "graphs is empty"},
		{plain, .5, gw.PairSettings{}, "without features"},
		{featured, 1.5, gw.PairSettings{}, "alpha is 1.5"},
		{featured, math.NaN(), gw.PairSettings{}, "alpha is NaN"},
		{[]*gw.Space{featured[0], plain[0]}, 1, gw.PairSettings{}, "graphs[1] has feature dimension 0"},
		{plain, 1, gw.PairSettings{GW: gw.Settings{Starts: 2}}, "2 starts"},
		{plain, 1, gw.PairSettings{GW: gw.Settings{MaxIter: -1}}, "cap of -1"},
		{plain, 1, gw.PairSettings{Blocks: -1}, "-1 blocks"},
		{plain, 1, gw.PairSettings{Rand: func(i, j int) *rand.Rand { return rng }, Chain: gw.ChainSettings{Starts: -1}}, "-1 starts of a chain"},
	} {
		must.Fail(t, must.Err(gw.NewPairs(c.graphs, c.alpha, &c.set)), c.want)
	}

	p := must.Get(gw.NewPairs(plain, 1, &gw.PairSettings{Blocks: 2}))
	var blocks []*gw.PairBlock
	var solver gw.Solver
	for b := range p.Blocks() {
		block := must.Get(p.Block(ctx, b, &solver))
		blocks = append(blocks, block)
	}
	must.Get(p.Matrix(blocks))
	bad := func(x ...float64) *gw.PairBlock { return &gw.PairBlock{Values: x} }
	for _, c := range []struct {
		blocks []*gw.PairBlock
		want   string
	}{
		{blocks[:1], "1 blocks, expected 2"},
		{[]*gw.PairBlock{blocks[0], nil}, "block 1 does not hold"},
		{[]*gw.PairBlock{bad(), blocks[1]}, "block 0 does not hold"},
		{[]*gw.PairBlock{bad(slices.Repeat([]float64{math.NaN()}, p.BlockLen(0))...), blocks[1]}, "distance NaN"},
		{[]*gw.PairBlock{bad(slices.Repeat([]float64{-1}, p.BlockLen(0))...), blocks[1]}, "distance -1"},
		{[]*gw.PairBlock{bad(slices.Repeat([]float64{math.Inf(1)}, p.BlockLen(0))...), blocks[1]}, "distance +Inf"},
	} {
		must.Fail(t, must.Err(p.Matrix(c.blocks)), c.want)
	}

	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := p.Block(cancelled, 0, &solver); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of a cancelled block", err)
	}
	if _, _, err := gw.Pairwise(cancelled, plain, 1, nil, 2); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v of cancelled distances", err)
	}
	var none context.Context
	must.Fail(t, must.Err(gw.NewPairs([]*gw.Space{plain[0], nil}, 1, nil)), "gw: graphs[1] is nil")
	must.Fail(t, must.Err(gw.NewPairs([]*gw.Space{new(gw.Space)}, 1, nil)), "gw: graphs[0] has order 0")
	must.Fail(t, must.Err(p.Block(none, 0, &solver)), "gw: ctx is nil", "block")
	must.Fail(t, must.Err(p.Block(ctx, 0, nil)), "gw: solver is nil")
	must.Fail(t, must.Err(p.Block(ctx, 2, &solver)), "gw: b is 2")
	must.Fail(t, must.Err(p.Block(ctx, -1, &solver)), "gw: b is -1")
	must.Fail(t, must.Err2(gw.Pairwise(none, plain, 1, nil, 1)), "gw: ctx is nil", "pairwise")
	if sum := gw.SumBlocks([]*gw.PairBlock{nil, blocks[0]}); sum.Solves != blocks[0].Solves {
		t.Errorf("%d solves of a nil block and one of %d", sum.Solves, blocks[0].Solves)
	}
}

// TestPairwiseCap counts the solves that the cap ends.
func TestPairwiseCap(t *testing.T) {
	graphs := collection(t, newRand(5), 12, 0)
	_, took := must.Get2(gw.Pairwise(ctx, graphs, 1, &gw.PairSettings{GW: gw.Settings{MaxIter: 1}}, 1))
	if took.Iterations != took.Solves || took.CapHits == 0 || took.CapHits > took.Solves {
		t.Errorf("%d iterations and %d cap hits in %d solves", took.Iterations, took.CapHits, took.Solves)
	}
	_, took = must.Get2(gw.Pairwise(ctx, graphs, 1, &gw.PairSettings{GW: gw.Settings{MaxIter: 100000}}, 1))
	must.Check(t, took.CapHits, 0, "cap hits without a cap to speak of")
}

// TestPairwiseChain: with starts from a chain no distance is above that from p q' alone and some are below, equal graphs stay equal, and
// neither the blocks nor the workers change a bit.
func TestPairwiseChain(t *testing.T) {
	graphs := collection(t, newRand(3), 24, 0)
	plain, _ := must.Get2(gw.Pairwise(ctx, graphs, 1, nil, 2))
	var want []float64
	for _, blocks := range []int{1, 7, 50} {
		set := &gw.PairSettings{Blocks: blocks, Chain: gw.ChainSettings{Starts: 4, Skip: 3},
			Rand: func(i, j int) *rand.Rand { return rand.New(rand.NewPCG(uint64(i), uint64(j))) }}
		got, stats := must.Get2(gw.Pairwise(ctx, graphs, 1, set, blocks%3))
		if want != nil && !slices.Equal(got, want) {
			t.Errorf("other distances in %d blocks", blocks)
		}
		want = got
		if stats.Solves == 0 || stats.Iterations == 0 {
			t.Errorf("nothing counted: %+v", stats)
		}
	}
	lower := 0
	for k, d := range want {
		switch {
		case d > plain[k]:
			t.Errorf("pair %d: %v, from p q' alone %v", k, d, plain[k])
		case d < plain[k]:
			lower++
		}
	}
	if lower < len(want)/10 {
		t.Errorf("%d of %d distances are lower", lower, len(want))
	}
	if _, _, err := gw.Pairwise(ctx, graphs, 1, &gw.PairSettings{Rand: func(int, int) *rand.Rand { return nil }}, 1); err == nil {
		t.Error("no draws, no error")
	}
}
