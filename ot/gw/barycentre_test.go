package gw_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

// bary is a problem of barycentres.
type bary struct {
	graphs []*gw.Space
	lambda []float64
	start  *gw.Space
	alpha  float64
}

func barycentre(t rapid.TB, q bary, set *gw.BarycentreSettings) gw.BarycentreResult {
	return must.Get(gw.Barycentre(ctx, q.graphs, q.lambda, q.start, q.alpha, set))
}

func drawBary(t *rapid.T) bary {
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 2))
	q := bary{alpha: 1}
	d := 0
	if rapid.Bool().Draw(t, "features") {
		d, q.alpha = 2, rapid.Float64Range(0, 1).Draw(t, "alpha")
	}
	uniform := rapid.Bool().Draw(t, "uniform")
	draw := func(name string) *gw.Space {
		g := noisy(rng, rapid.IntRange(1, 9).Draw(t, name), d, uniform)
		if !uniform && g.N() > 2 {
			hollow(t, g, 1, 0)
		}
		return g
	}
	for range rapid.IntRange(1, 5).Draw(t, "graphs") {
		q.graphs = append(q.graphs, draw("order"))
	}
	q.start = draw("N")
	if rapid.Bool().Draw(t, "weighted") {
		q.lambda = make([]float64, len(q.graphs))
		for s := range q.lambda {
			q.lambda[s] = float64(rng.IntN(4)) // zeros too
		}
		if slices.Max(q.lambda) == 0 {
			q.lambda[0] = 1
		}
		gwtest.Normalized(q.lambda)
	}
	return q
}

func (q bary) weight(s int) float64 {
	if q.lambda == nil {
		return 1 / float64(len(q.graphs))
	}
	return q.lambda[s]
}

func (q bary) objective(r gw.BarycentreResult) float64 {
	v := 0.0
	for s, g := range q.graphs {
		if q.weight(s) > 0 {
			v += q.weight(s) * gw.Objective(g, r.Space, q.alpha, r.Couplings[s])
		}
	}
	return v
}

func TestBarycentreProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawBary(t)
		r := barycentre(t, q, nil)
		v := q.objective(r)
		must.Within(t, r.Value, v, 1e-11*(1+v), "value, and objective at the end")
		if len(r.Trace) != 2*r.Iterations+1 || r.Iterations == 0 {
			t.Fatalf("%d entries of the trace for %d rounds", len(r.Trace), r.Iterations)
		}
		for k, v := range r.Trace {
			if k > 0 && v > r.Trace[k-1]+1e-12*(1+v) {
				t.Fatalf("half round %d raised the objective from %v to %v", k, r.Trace[k-1], v)
			}
		}
		must.Within(t, r.Value, r.Trace[len(r.Trace)-1], 1e-12*(1+r.Value), "value, and end of the trace")
		taking := 0
		for s, g := range q.graphs {
			if q.weight(s) == 0 {
				if r.Couplings[s] != nil || r.Values[s] != 0 {
					t.Fatalf("graph %d of weight zero has a coupling, or the value %v", s, r.Values[s])
				}
				continue
			}
			taking++
			must.Coupling(t, r.Couplings[s], g.P(), r.Space.P(), 1e-13)
			v := gw.Objective(g, r.Space, q.alpha, r.Couplings[s])
			must.Within(t, r.Values[s], v, 1e-11*(1+v), "graph %d: value, and objective", s)
		}
		if rounds := r.Solves / taking; r.Solves%taking != 0 || rounds <= r.Iterations || rounds > 2*r.Iterations || r.GWIterations < r.Solves {
			t.Fatalf("%d solves of %d iterations in %d rounds of %d graphs", r.Solves, r.GWIterations, r.Iterations, taking)
		}
	})
}

// TestBarycentreClosedForm holds that C and A are the minimisers at the couplings: those of
// the formula, and such that any other structure or features are worse. Rows of a node without
// weight stay.
func TestBarycentreClosedForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawBary(t)
		r := barycentre(t, q, &gw.BarycentreSettings{MaxIter: 3})
		N, d := r.Space.N(), r.Space.D()
		p := r.Space.P()
		got, ld := r.Space.C()
		old, _ := q.start.C()
		for k := range N {
			for l := range N {
				want := 0.0
				for s, g := range q.graphs {
					c, ldc := g.C()
					for i := range g.N() {
						for j := range g.N() {
							if T := r.Couplings[s]; T != nil {
								want += q.weight(s) * T[i*N+k] * c[i*ldc+j] * T[j*N+l]
							}
						}
					}
				}
				if want /= p[k] * p[l]; p[k] == 0 || p[l] == 0 {
					want = old[k*ld+l]
				}
				must.Within(t, got[k*ld+l], want, 1e-12, "C(%d, %d)", k, l)
			}
			for e := range d {
				want := 0.0
				for s, g := range q.graphs {
					for i := range g.N() {
						if T := r.Couplings[s]; T != nil {
							want += q.weight(s) * T[i*N+k] * g.A()[i*d+e] / p[k]
						}
					}
				}
				if p[k] == 0 {
					want = q.start.A()[k*d+e]
				}
				must.Within(t, r.Space.A()[k*d+e], want, 1e-12, "A(%d, %d)", k, e)
			}
		}
	})
}

// TestBarycentreRecovery starts from a perturbed copy of a graph and has to find the graph
// again in permuted copies of it.
func TestBarycentreRecovery(t *testing.T) {
	for _, c := range []struct {
		copies, d int
		alpha     float64
		uniform   bool
	}{{1, 0, 1, true}, {1, 0, 1, false}, {1, 2, .5, true}, {4, 0, 1, true}, {4, 0, 1, false}, {4, 2, .7, false}} {
		t.Run(fmt.Sprintf("copies=%d/d=%d/uniform=%v", c.copies, c.d, c.uniform), func(t *testing.T) {
			rng := rand.New(rand.NewPCG(5, uint64(c.copies)))
			// Points on a line at distinct distances: no automorphism, not even nearly.
			n := 9
			x := []float64{0, .3, 1, 1.4, 2.3, 2.8, 3.6, 3.95, 4.55}
			cc, a, p := make([]float64, n*n), make([]float64, n*c.d), []float64(nil)
			for i := range n {
				for j := range n {
					cc[i*n+j] = math.Abs(x[i] - x[j])
				}
			}
			for i := range a {
				a[i] = rng.NormFloat64()
			}
			if !c.uniform {
				p = gwtest.Weights(rng, n, 0.2)
			}
			g := space(t, cc, a, p, c.d)
			q := bary{alpha: c.alpha}
			for range c.copies {
				q.graphs = append(q.graphs, gwtest.Relabelled(g, rng.Perm(n)))
			}
			for i := range n {
				for j := range i {
					cc[i*n+j] += 0.1 * rng.NormFloat64()
					cc[j*n+i] = cc[i*n+j]
				}
			}
			for i := range a {
				a[i] += 0.1 * rng.NormFloat64()
			}
			q.start = space(t, cc, a, p, c.d)
			r := barycentre(t, q, nil)
			if !(r.Value <= 1e-12) || r.Status != gw.Converged {
				t.Fatalf("value %v, %v, trace %v", r.Value, r.Status, r.Trace)
			}
			got, ld := r.Space.C()
			want, _ := g.C()
			for i := range n {
				for j := range n {
					must.Within(t, got[i*ld+j], want[i*ld+j], 1e-6, "C(%d, %d)", i, j)
				}
			}
			for i, w := range g.A() {
				must.Within(t, r.Space.A()[i], w, 1e-6, "feature %d", i)
			}
		})
	}
}

// lcg draws the same numbers here and in the Python program that made the references.
type lcg uint64

func (r *lcg) uniform() float64 {
	*r = *r*6364136223846793005 + 1442695040888963407
	return float64(*r>>11) / (1 << 53)
}

func (r *lcg) graph(n, d int) (c, a []float64) {
	c, a = make([]float64, n*n), make([]float64, n*d)
	for i := range n {
		for j := range i {
			x := 1e-2 * r.uniform()
			if r.uniform() < 0.4 {
				x++
			}
			c[i*n+j], c[j*n+i] = x, x
		}
	}
	for i := range a {
		a[i] = r.uniform()
	}
	return c, a
}

func (r *lcg) weights(n int) []float64 {
	return gwtest.Normalized(gwtest.Slice(n, func() float64 { return 0.5 + r.uniform() }))
}

// TestBarycentreReference compares with POT 0.8.2 (gromov_barycenters, fgw_barycenters with
// tol 1e-9 and the same start; its objective evaluated by its own GW solver): start is the
// objective there at the start, value that at its end, which ours must not exceed.
func TestBarycentreReference(t *testing.T) {
	for k, c := range []struct {
		orders       []int
		N, d         int
		alpha        float64
		lambda       []float64
		start, value float64
	}{
		{[]int{6, 8, 9}, 7, 0, 1, nil, 0.17830751892140323, 0.1268495330564517},
		{[]int{10, 7, 12, 9}, 8, 0, 1, []float64{.1, .2, .3, .4}, 0.23368141424251448, 0.11593681449289034},
		{[]int{6, 8, 9}, 7, 2, .5, nil, 0.18541943107147985, 0.09140576733667952},
		{[]int{10, 7, 12, 9}, 8, 3, .8, []float64{.4, .1, .2, .3}, 0.2273684964772663, 0.14590907958158256},
	} {
		rng := lcg(k + 1)
		var cs, as [][]float64
		for _, n := range c.orders {
			g, a := rng.graph(n, c.d)
			cs, as = append(cs, g), append(as, a)
		}
		q := bary{lambda: c.lambda, alpha: c.alpha}
		for s, n := range c.orders {
			q.graphs = append(q.graphs, space(t, cs[s], as[s], rng.weights(n), c.d))
		}
		p := rng.weights(c.N)
		g, a := rng.graph(c.N, c.d)
		q.start = space(t, g, a, p, c.d)
		first := 0.0
		for s, g := range q.graphs {
			first += q.weight(s) * solve(t, g, q.start, q.alpha, nil, nil).Value
		}
		must.Within(t, first, c.start, 1e-7, "problem %d: at the start", k)
		r := barycentre(t, q, &gw.BarycentreSettings{Tol: 1e-9, MaxIter: 1000})
		t.Logf("problem %d: %.10f in %d rounds, POT %.10f", k, r.Value, r.Iterations, c.value)
		if !(r.Value <= c.value+1e-9) {
			t.Errorf("problem %d: value %v, POT's is %v", k, r.Value, c.value)
		}
	}
}

// TestBarycentreWarm holds that a descent can be stopped and taken up again.
func TestBarycentreWarm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawBary(t)
		part := barycentre(t, q, &gw.BarycentreSettings{MaxIter: 2})
		q.start = part.Space
		rest := barycentre(t, q, &gw.BarycentreSettings{Couplings: part.Couplings})
		must.Within(t, rest.Trace[0], part.Value, 1e-12*(1+part.Value), "taken up at, and left at")
		if !(rest.Value <= part.Value+1e-12) {
			t.Fatalf("value rose from %v to %v", part.Value, rest.Value)
		}
	})
}

// TestBarycentreSolver holds that what a workspace did before changes nothing.
func TestBarycentreSolver(t *testing.T) {
	var b gw.BarycentreSolver
	rapid.Check(t, func(t *rapid.T) {
		q := drawBary(t)
		want := must.Get(new(gw.BarycentreSolver).Solve(ctx, q.graphs, q.lambda, q.start, q.alpha, nil))
		got := must.Get(b.Solve(ctx, q.graphs, q.lambda, q.start, q.alpha, nil))
		must.Same(t, got, want, "a used workspace, and a new one")
	})
}

func TestBarycentreErrors(t *testing.T) {
	g := space(t, []float64{0, 1, 1, 0}, nil, nil, 0)
	pair := []*gw.Space{g, g}
	for _, c := range []struct {
		lambda []float64
		alpha  float64
		set    *gw.BarycentreSettings
		want   string
	}{
		{[]float64{.5, .6}, 1, nil, "weights sum to"},
		{[]float64{1.5, -.5}, 1, nil, "weight 1 is -0.5"},
		{nil, .5, nil, "without features"},
		{nil, 1, &gw.BarycentreSettings{Tol: math.NaN()}, "tolerances of NaN"},
		{nil, 1, &gw.BarycentreSettings{GW: gw.Settings{TolRel: math.NaN()}}, "NaN and 0 for couplings"},
		{nil, 1, &gw.BarycentreSettings{Couplings: [][]float64{nil, {1, 0, 0, 0}}}, "graph 1"},
	} {
		must.Fail(t, must.Err(gw.Barycentre(ctx, pair, c.lambda, g, c.alpha, c.set)), c.want)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	r, err := gw.Barycentre(done, pair, nil, g, 1, nil)
	if !errors.Is(err, context.Canceled) || r.Status != gw.Cancelled || r.Space == nil {
		t.Errorf("status %v, error %v after the context ended", r.Status, err)
	}
	r = barycentre(t, bary{graphs: pair, start: g, alpha: 1}, &gw.BarycentreSettings{MaxIter: 1, Tol: -1})
	must.Check(t, r.Iterations, 1, "rounds with a cap of 1")
	must.Panic(t, "gw: ", map[string]func(){
		"weights":   func() { gw.Barycentre(ctx, pair, []float64{1}, g, 1, nil) },
		"couplings": func() { gw.Barycentre(ctx, pair, nil, g, 1, &gw.BarycentreSettings{Couplings: [][]float64{nil}}) },
	})
}

// TestBarycentreOfOrder: an order in the place of a start gives the barycentre from the graph that comes nearest, resized.
func TestBarycentreOfOrder(t *testing.T) {
	graphs := collection(t, newRand(4), 6, 2)
	near := graphs[0]
	for _, g := range graphs {
		if max(g.N()-5, 5-g.N()) < max(near.N()-5, 5-near.N()) {
			near = g
		}
	}
	start := must.Get(near.Resized(5, nil))
	want := must.Get(gw.Barycentre(ctx, graphs, nil, start, .5, nil))
	got, err := gw.Barycentre(ctx, graphs, nil, nil, .5, &gw.BarycentreSettings{Order: 5})
	if err != nil || got.Value != want.Value || got.Space.N() != 5 {
		t.Errorf("value %v, want %v: %v", got.Value, want.Value, err)
	}
	for want, set := range map[string]*gw.BarycentreSettings{"start is nil": nil, "order -1": {Order: -1}, "-2 rounds": {Order: 2, MaxIter: -2}} {
		must.Fail(t, must.Err(gw.Barycentre(ctx, graphs, nil, nil, .5, set)), want)
	}
}
