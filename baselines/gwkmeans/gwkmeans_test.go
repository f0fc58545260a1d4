package gwkmeans_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/baselines/gwkmeans"
	"ogdl/datasets"
	"ogdl/eval"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

var ctx = context.Background()

func source(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 7)) }

func space(t rapid.TB, c, a []float64, n, d int, p []float64) *gw.Space {
	return must.Get(gw.NewSpace(c, a, n, d, p))
}

// blocks draws graphs of the paper's D1: one, two or three equal blocks, with features that
// say little if d > 0.
func blocks(t rapid.TB, rng *rand.Rand, perClass, d int) (graphs []*gw.Space, classes []int) {
	set := must.Get(datasets.D1(&datasets.SimulationSettings{Graphs: perClass, MinOrder: 15, MaxOrder: 30}, rng))
	for i := range set.Graphs {
		g := &set.Graphs[i]
		n := g.Order()
		a := gwtest.Slice(n*d, func() float64 { return rng.NormFloat64() / 10 })
		graphs = append(graphs, space(t, g.Adjacency(), a, n, d, nil))
	}
	return graphs, set.Classes
}

func cluster(t rapid.TB, graphs []*gw.Space, k int, alpha float64, set *gwkmeans.Settings, seed uint64) gwkmeans.Result {
	return must.Get(gwkmeans.Cluster(ctx, graphs, k, alpha, set, source(seed)))
}

// TestBlocks finds the known clusters of block models.
func TestBlocks(t *testing.T) {
	for _, d := range []int{0, 2} {
		graphs, classes := blocks(t, source(1), 8, d)
		alpha := 1.0
		if d > 0 {
			alpha = 0.9
		}
		r := cluster(t, graphs, 3, alpha, &gwkmeans.Settings{Order: 20, Restarts: 3}, 2)
		must.Check(t, eval.RandIndex(r.Labels, classes), 1, "d = %d: Rand Index of labels %v", d, r.Labels)
		if r.Status != gw.Converged || r.Capped != 0 || r.Centroids[0].N() != 20 || r.Centroids[0].D() != d {
			t.Errorf("d = %d: %v, %d capped, centroids of order %d and dimension %d", d, r.Status, r.Capped, r.Centroids[0].N(), r.Centroids[0].D())
		}
	}
}

// draw is a small set of graphs without ties, with weights and features of their own.
func draw(t *rapid.T) (graphs []*gw.Space, k int, alpha float64, seed uint64) {
	seed = rapid.Uint64().Draw(t, "seed")
	rng := source(seed)
	alpha = 1
	d := 0
	if rapid.Bool().Draw(t, "features") {
		d, alpha = 2, rapid.Float64Range(0, 1).Draw(t, "alpha")
	}
	uniform := rapid.Bool().Draw(t, "uniform")
	for range rapid.IntRange(1, 12).Draw(t, "graphs") {
		n := rapid.IntRange(1, 8).Draw(t, "order")
		c, a := gwtest.Symmetric(n, rng.Float64), gwtest.Slice(n*d, rng.NormFloat64)
		var p []float64
		if !uniform {
			p = gwtest.Slice(n, func() float64 { return float64(rng.IntN(4)) }) // zeros too
			if slices.Max(p) == 0 {
				p[0] = 1
			}
			gwtest.Normalized(p)
		}
		graphs = append(graphs, space(t, c, a, n, d, p))
	}
	return graphs, rapid.IntRange(1, len(graphs)).Draw(t, "k"), alpha, seed
}

// fresh is the sum over the graphs of the lowest objective to a centroid that a solve from
// the product of the weights finds.
func fresh(t rapid.TB, graphs []*gw.Space, r gwkmeans.Result, alpha float64, set gw.Settings) float64 {
	var s gw.Solver
	sum := 0.0
	for _, g := range graphs {
		best := math.Inf(1)
		for _, c := range r.Centroids {
			v := must.Get(s.Solve(ctx, g, c, alpha, nil, &set))
			best = min(best, v.Value)
		}
		sum += best
	}
	return sum
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		graphs, k, alpha, seed := draw(t)
		solves := gw.Settings{TolRel: 1e-6, TolAbs: 1e-9}
		set := &gwkmeans.Settings{GW: solves, Restarts: rapid.IntRange(1, 2).Draw(t, "restarts")}
		r := cluster(t, graphs, k, alpha, set, seed)
		if len(r.Labels) != len(graphs) || len(r.Centroids) != k {
			t.Fatalf("%d labels, %d centroids", len(r.Labels), len(r.Centroids))
		}
		for i, c := range r.Labels {
			if c < 0 || c >= k {
				t.Fatalf("graph %d has label %d", i, c)
			}
		}
		var orders []int
		for _, g := range graphs {
			orders = append(orders, g.N())
		}
		slices.Sort(orders)
		median := (orders[(len(orders)-1)/2] + orders[len(orders)/2]) / 2
		for c, s := range r.Centroids {
			if s.N() != median || s.P()[0] != 1/float64(median) {
				t.Fatalf("centroid %d has order %d and weight %v, expected order %d", c, s.N(), s.P()[0], median)
			}
		}
		if len(r.Trace) != r.Iterations+1 || r.Trace[r.Iterations] != r.Inertia {
			t.Fatalf("trace %v after %d iterations, inertia %v", r.Trace, r.Iterations, r.Inertia)
		}
		for i, v := range r.Trace[1:] {
			if r.Refills == 0 && v > r.Trace[i]+1e-10*(1+v) {
				t.Fatalf("the inertia rose: %v", r.Trace)
			}
		}
		if v := fresh(t, graphs, r, alpha, solves); !(r.Inertia <= v+1e-9*(1+v)) {
			t.Fatalf("inertia %v, solves from the product of the weights give %v", r.Inertia, v)
		}
	})
}

// TestDeterminism holds that a clustering depends on its input and rng alone, and changes
// neither graphs nor settings.
func TestDeterminism(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		graphs, k, alpha, seed := draw(t)
		set := &gwkmeans.Settings{Restarts: 2}
		before := *set
		a, b := cluster(t, graphs, k, alpha, set, seed), cluster(t, graphs, k, alpha, set, seed)
		must.Same(t, b, a, "the second of two runs")
		must.Same(t, *set, before, "settings")
	})
}

// TestResized holds that doubled nodes merge into what they were, and that a graph blown up is
// at distance zero along the same coupling.
func TestResized(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		graphs, _, _, _ := draw(t)
		g := graphs[0]
		n, d, times := g.N(), g.D(), rapid.IntRange(2, 3).Draw(t, "times")
		q := make([]float64, n*times)
		T := make([]float64, n*n*times)
		for i, p := range g.P() {
			for j := i * times; j < (i+1)*times; j++ {
				q[j] = p / float64(times)
				T[i*n*times+j] = q[j]
			}
		}
		big := must.Get(g.Resized(len(q), q))
		alpha := 1.0
		if d > 0 {
			alpha = 0.5
		}
		must.Within(t, gw.Objective(g, big, alpha, T), 0, 1e-13, "objective of a graph and its blow-up")
		back := must.Get(big.Resized(g.N(), g.P()))
		want, ld := g.C()
		got, _ := back.C()
		for i, p := range g.P() {
			if p == 0 {
				continue
			}
			for j, q := range g.P() {
				if q > 0 {
					must.Within(t, got[i*ld+j], want[i*ld+j], 1e-12, "C(%d, %d)", i, j)
				}
			}
			must.Near(t, "features", back.A()[i*d:(i+1)*d], g.A()[i*d:(i+1)*d], 1e-12)
		}
	})
}

// TestRestarts holds that the lowest inertia is kept, and that restarts go on where the
// random source stands.
func TestRestarts(t *testing.T) {
	graphs, _ := blocks(t, source(3), 6, 0)
	rng := source(4)
	best, at, solves := math.Inf(1), 0, 0
	for k := range 4 {
		r := must.Get(gwkmeans.Cluster(ctx, graphs, 3, 1, nil, rng))
		solves += r.Solves
		if r.Inertia < best {
			best, at = r.Inertia, k
		}
	}
	r := cluster(t, graphs, 3, 1, &gwkmeans.Settings{Restarts: 4}, 4)
	if r.Inertia != best || r.Restart != at || r.Solves != solves {
		t.Errorf("inertia %v of restart %d after %d solves, expected %v of %d after %d", r.Inertia, r.Restart, r.Solves, best, at, solves)
	}
}

// line is a graph of points on a line, without any symmetry.
func line(t testing.TB, f float64) *gw.Space {
	x := []float64{0, .3, 1, 1.4, 2.3}
	n := len(x)
	c := make([]float64, n*n)
	for i := range n {
		for j := range n {
			c[i*n+j] = f * math.Abs(x[i]-x[j])
		}
	}
	return space(t, c, nil, n, 0, nil)
}

// TestEveryGraph holds that as many clusters as distinct graphs leave no inertia.
func TestEveryGraph(t *testing.T) {
	var graphs []*gw.Space
	for f := range 5 {
		graphs = append(graphs, line(t, 1+float64(f)), line(t, 1+float64(f)))
	}
	r := cluster(t, graphs, 5, 1, nil, 1)
	if !(r.Inertia <= 1e-10) || eval.RandIndex(r.Labels, []int{0, 0, 1, 1, 2, 2, 3, 3, 4, 4}) != 1 {
		t.Errorf("inertia %v, labels %v", r.Inertia, r.Labels)
	}
}

// TestEqualGraphs has fewer distinct graphs than clusters: the others stay empty.
func TestEqualGraphs(t *testing.T) {
	graphs := []*gw.Space{line(t, 1), line(t, 1), line(t, 1), line(t, 1)}
	r := cluster(t, graphs, 3, 1, nil, 1)
	if !(r.Inertia <= 1e-10) || r.Refills != 0 || r.Status != gw.Converged || !slices.Equal(r.Labels, []int{0, 0, 0, 0}) {
		t.Errorf("inertia %v, %d refills, %v, labels %v", r.Inertia, r.Refills, r.Status, r.Labels)
	}
}

// TestEmptyClusters starts three centroids from one graph of their order: they are equal,
// so two clusters are empty and take graphs from the largest.
func TestEmptyClusters(t *testing.T) {
	graphs, _ := blocks(t, source(1), 10, 0)
	seed := slices.IndexFunc(graphs, func(g *gw.Space) bool { return g.N() == 20 })
	r := must.Get(gwkmeans.From(ctx, graphs, []int{seed, seed, seed}, 1, &gwkmeans.Settings{Order: 20}, source(1)))
	must.Check(t, r.Refills, 2, "refills")
	sizes := make([]int, 3)
	for _, c := range r.Labels {
		sizes[c]++
	}
	if slices.Min(sizes) == 0 || r.Inertia > r.Trace[0]/2 {
		t.Errorf("clusters of %v graphs, inertia %v", sizes, r.Trace)
	}
}

// TestWeights clusters graphs of one order with node weights of their own, as embedded
// graphs are: two groups that differ in the weights alone.
func TestWeights(t *testing.T) {
	rng := source(5)
	var graphs []*gw.Space
	var groups []int
	n := 6
	c := make([]float64, n*n)
	for i := range n {
		for j := range n {
			if i/3 == j/3 && i != j {
				c[i*n+j] = 1
			}
		}
	}
	for i := range 20 {
		p := gwtest.Slice(n, func() float64 { return 1 + 0.1*rng.Float64() })
		for j := range 3 {
			p[j] *= 1 + float64(i%2*5)
		}
		gwtest.Normalized(p)
		graphs, groups = append(graphs, space(t, c, nil, n, 0, p)), append(groups, i%2)
	}
	mean := must.Get(gwkmeans.MeanWeights(graphs))
	for _, p := range [][]float64{nil, mean} {
		r := cluster(t, graphs, 2, 1, &gwkmeans.Settings{P: p, Restarts: 3}, 1)
		if eval.RandIndex(r.Labels, groups) != 1 {
			t.Errorf("labels %v with centroids' weights %v", r.Labels, r.Centroids[0].P())
		}
		if p != nil && !(math.Abs(r.Centroids[1].P()[0]-mean[0]) <= 1e-15) {
			t.Errorf("weights %v, expected %v", r.Centroids[1].P(), mean)
		}
	}
}

func TestCaps(t *testing.T) {
	graphs, _ := blocks(t, source(6), 10, 0)
	r := cluster(t, graphs, 5, 1, &gwkmeans.Settings{MaxIter: 1, Tol: -1, Restarts: 2, GW: gw.Settings{MaxIter: 1}, Barycentre: gw.BarycentreSettings{MaxIter: 1}}, 2)
	if r.Status != gw.MaxIterations || r.Capped != 2 || r.Iterations != 1 {
		t.Errorf("%v, %d capped, %d iterations", r.Status, r.Capped, r.Iterations)
	}
	if r.CapHits == 0 || r.GWIterations != r.Solves || r.BarycentreRounds == 0 || r.BarycentreRounds > 20 {
		t.Errorf("%d solves of %d iterations, %d at the cap, %d rounds of barycentres", r.Solves, r.GWIterations, r.CapHits, r.BarycentreRounds)
	}
}

func TestErrors(t *testing.T) {
	graphs := []*gw.Space{line(t, 1), line(t, 2)}
	for _, c := range []struct {
		k     int
		alpha float64
		set   *gwkmeans.Settings
		want  string
	}{
		{0, 1, nil, "0 clusters of 2 graphs"},
		{3, 1, nil, "3 clusters of 2 graphs"},
		{1, .5, nil, "without features"},
		{1, math.NaN(), nil, "alpha is NaN"},
		{1, 1, &gwkmeans.Settings{Order: -1}, "order -1"},
		{1, 1, &gwkmeans.Settings{Restarts: -1}, "-1 restarts"},
		{1, 1, &gwkmeans.Settings{MaxIter: -1}, "caps of -1 rounds"},
		{1, 1, &gwkmeans.Settings{Barycentre: gw.BarycentreSettings{MaxIter: -1}}, "-1 rounds of a centroid"},
		{1, 1, &gwkmeans.Settings{GW: gw.Settings{MaxIter: -1}}, "-1 iterations"},
		{1, 1, &gwkmeans.Settings{Tol: math.NaN()}, "tolerances of NaN"},
		{1, 1, &gwkmeans.Settings{GW: gw.Settings{TolAbs: math.NaN()}}, "0 and NaN for GW"},
		{1, 1, &gwkmeans.Settings{P: []float64{1}}, "1 node weights for centroids of order 5"},
		{1, 1, &gwkmeans.Settings{Order: 2, P: []float64{.5, .6}}, "weights sum to"},
		{1, 1, &gwkmeans.Settings{Barycentre: gw.BarycentreSettings{Tol: math.NaN()}}, "tolerances of NaN"},
	} {
		must.Fail(t, must.Err(gwkmeans.Cluster(ctx, graphs, c.k, c.alpha, c.set, source(1))), c.want)
	}
	var none context.Context
	featured := space(t, []float64{0}, []float64{1}, 1, 1, nil)
	cluster := func(ctx context.Context, rng *rand.Rand, graphs ...*gw.Space) error {
		return must.Err(gwkmeans.Cluster(ctx, graphs, 1, 1, nil, rng))
	}
	mean := func(graphs ...*gw.Space) error { return must.Err(gwkmeans.MeanWeights(graphs)) }
	for _, c := range []struct {
		err  error
		want string
	}{
		{cluster(none, source(1), graphs...), "ctx is nil"},
		{cluster(ctx, nil, graphs...), "rng is nil"},
		{cluster(ctx, source(1)), "graphs is empty"},
		{cluster(ctx, source(1), graphs[0], nil), "graphs[1] is nil"},
		{cluster(ctx, source(1), graphs[0], new(gw.Space)), "graphs[1] has order 0"},
		{cluster(ctx, source(1), graphs[0], featured), "graphs[1] has feature dimension 1"},
		{mean(), "graphs is empty"},
		{mean(graphs[0], nil), "graphs[1] is nil"},
		{mean(graphs[0], featured), "graph 1 has order 1"},
	} {
		must.Fail(t, c.err, "gwkmeans: "+c.want)
	}
}
