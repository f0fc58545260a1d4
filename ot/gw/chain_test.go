package gw_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"

	"gonum.org/v1/gonum/mathext/prng"
)

// numpy draws what numpy's generator of a seed does.
type numpy struct {
	mt   *prng.MT19937
	next float64
	has  bool
}

func newNumpy(seed uint64) *numpy {
	mt := prng.NewMT19937()
	mt.Seed(seed)
	return &numpy{mt: mt}
}

func (r *numpy) Float64() float64 {
	a, b := r.mt.Uint32()>>5, r.mt.Uint32()>>6
	return (float64(a)*(1<<26) + float64(b)) / (1 << 53)
}

// NormFloat64 is the polar method, which makes two numbers at a time.
func (r *numpy) NormFloat64() float64 {
	if r.has {
		r.has = false
		return r.next
	}
	for {
		x, y := 2*r.Float64()-1, 2*r.Float64()-1
		if s := x*x + y*y; s < 1 && s != 0 {
			f := math.Sqrt(-2 * math.Log(s) / s)
			r.next, r.has = f*x, true
			return f * y
		}
	}
}

type chainRun struct {
	P           string
	Seed        uint64
	Samples     int         `json:"num_samples"`
	Skips       int         `json:"num_skips"`
	SquaredNorm []float64   `json:"sample_fro"`
	FirstRow    [][]float64 `json:"sample_first_row"`
	Least       []float64   `json:"min_entry"`
	GW          map[string]struct {
		AtSamples []float64 `json:"loss_at_samples"`
		AtProduct float64   `json:"loss_at_product"`
		Min       float64
	}
}

// TestChainReference follows the chain of the released code draw by draw, and compares the objective at its couplings and
// the ends of descents from them.
func TestChainReference(t *testing.T) {
	var ref struct {
		Pairs []struct {
			Dataset string
			I, J    int
			N       [2]int
			Runs    []chainRun
			Degrees [2][]float64 `json:"node_distribution_a0_b0.1"`
			Heat10  [2][]float64 `json:"hk10_row0"`
		}
	}
	sharedtest.JSON(t, "classification/sgw.json", &ref)
	if len(ref.Pairs) == 0 {
		t.Fatal("no pairs")
	}
	quotients, values := 0.0, 0.0
	for _, pair := range ref.Pairs {
		d := must.Get(loader.Load(sharedtest.Data(t, pair.Dataset), pair.Dataset))
		graphs := [2]*datasets.Graph{&d.Graphs[pair.I], &d.Graphs[pair.J]}
		for _, run := range pair.Runs {
			var p [2][]float64
			for side, n := range pair.N {
				if p[side] = pair.Degrees[side]; run.P == "uniform" {
					p[side] = slices.Repeat([]float64{1 / float64(n)}, n)
				}
			}
			spaces := map[string][2]*gw.Space{}
			for name, s := range map[string]datasets.Structure{"adj": {}, "hk5": {Kind: datasets.KindHeatKernel, Time: 5},
				"hk10": {Kind: datasets.KindHeatKernel, Time: 10}, "hk20": {Kind: datasets.KindHeatKernel, Time: 20}} {
				var both [2]*gw.Space
				for side, g := range graphs {
					c := must.Get(s.Matrix(g))
					both[side] = must.Get(gw.NewSpace(c, nil, g.Order(), 0, p[side]))
					if name == "hk10" {
						for j, want := range pair.Heat10[side] {
							must.Within(t, c[j], want, 1e-12, "heat kernel entry (0, %d)", j)
						}
					}
				}
				spaces[name] = both
			}
			var c gw.Chain
			must.Do(t, c.Reset(p[0], p[1]))
			check := func(what string, got, want, tol float64) {
				t.Helper()
				must.Within(t, got, want, tol*math.Abs(want), "%s %s: %s", pair.Dataset, run.P, what)
			}
			for name, s := range spaces { // their loss is half of ours
				check("objective at p q', "+name, gw.Objective(s[0], s[1], 1, c.Coupling())/2, run.GW[name].AtProduct, 1e-12)
			}
			var solver gw.Solver
			end := map[string]float64{}
			for name, s := range spaces {
				r := must.Get(solver.Solve(ctx, s[0], s[1], 1, nil, nil))
				end[name] = r.Value / 2
			}
			rng := newNumpy(run.Seed)
			for k := range run.Samples {
				steps := run.Skips
				if k == 0 {
					steps = 1 // their first is after one step
				}
				for range steps {
					c.StepBy(rng)
					must.Coupling(t, c.Coupling(), p[0], p[1], 1e-12)
				}
				T := c.Coupling()
				norm := 0.0
				for _, x := range T {
					norm += x * x
				}
				check("squared norm", norm, run.SquaredNorm[k], 1e-11)
				check("least entry", slices.Min(T), run.Least[k], 1e-8)
				for j, want := range run.FirstRow[k] {
					check("entry of the first row", T[j], want, 1e-8)
				}
				for name, s := range spaces {
					check("objective at a sample, "+name, gw.Objective(s[0], s[1], 1, T)/2, run.GW[name].AtSamples[k], 1e-10)
					r := must.Get(solver.Solve(ctx, s[0], s[1], 1, T, nil))
					end[name] = min(end[name], r.Value/2)
				}
			}
			for name, ref := range run.GW {
				t.Logf("%s %s %s: least value %.4g, theirs %.4g", pair.Dataset, run.P, name, end[name], ref.Min)
				quotients += end[name] / ref.Min
				values++
			}
		}
	}
	// Ends depend on ties: means are compared.
	t.Logf("mean quotient of least values: %.4f", quotients/values)
	if !(quotients <= 1.05*values) {
		t.Errorf("least values are %v times theirs", quotients/values)
	}
}

// On two nodes against two a coupling is one number, uniform on its interval after any step.
func TestChainUniform(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var c gw.Chain
	must.Do(t, c.Reset([]float64{.3, .7}, []float64{.4, .6}))
	const steps = 40000
	var bins [10]float64
	for range steps {
		c.StepBy(rng)
		must.Coupling(t, c.Coupling(), []float64{.3, .7}, []float64{.4, .6}, 1e-12)
		bins[min(9, int(c.Coupling()[0]/.03))]++
	}
	chi := 0.0
	for _, x := range bins {
		chi += (x - steps/10) * (x - steps/10) / (steps / 10)
	}
	if chi > 27.9 { // 0.1 % of chi-square with nine degrees of freedom
		t.Errorf("counts %v of %d: chi-square %v", bins, steps, chi)
	}
}

// Weights of zero stay without mass and do not stop the chain; one node alone has one coupling.
func TestChainZeroWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	p, q := []float64{0, .25, .75, 0}, []float64{.5, 0, .2, .3}
	var c, small gw.Chain
	must.Do(t, c.Reset(p, q))
	must.Do(t, small.Reset([]float64{.25, .75}, []float64{.5, .2, .3}))
	same := rand.New(rand.NewPCG(5, 6))
	for range 200 {
		before := slices.Clone(c.Coupling())
		c.StepBy(rng)
		must.Coupling(t, c.Coupling(), p, q, 1e-12)
		if slices.Equal(before, c.Coupling()) {
			t.Fatal("the chain stands still")
		}
		small.StepBy(same)
		for e, x := range small.Coupling() {
			if at := (1+e/3)*4 + []int{0, 2, 3}[e%3]; c.Coupling()[at] != x {
				t.Fatalf("entry %d: %v, without the zeros %v", at, c.Coupling()[at], x)
			}
		}
	}
	must.Do(t, c.Reset([]float64{0, 1, 0}, q))
	c.StepBy(rng)
	if T := c.Coupling(); !slices.Equal(T[4:8], q) {
		t.Errorf("one node: %v", T)
	}
}

// chainSpaces are graphs at random, of 4 to 11 nodes and with a feature.
func chainSpaces(t testing.TB, rng *rand.Rand, count int) []*gw.Space {
	out := make([]*gw.Space, count)
	for g := range out {
		n := 4 + rng.IntN(8)
		c := gwtest.Symmetric(n, func() float64 { return math.Round(rng.Float64() - .1) })
		out[g] = space(t, c, gwtest.Slice(n, rng.NormFloat64), nil, 1)
	}
	return out
}

// The least value is never above that from p q', often below it, and what its coupling says.
func TestChainSolve(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	graphs := chainSpaces(t, rng, 12)
	var (
		solver, plain gw.Solver
		c             gw.Chain
	)
	lower, pairs := 0, 0
	for _, alpha := range []float64{.9, 1} {
		for i, x := range graphs {
			for _, y := range graphs[:i] {
				one := must.Get(plain.Solve(ctx, x, y, alpha, nil, nil))
				r := must.Get(c.Solve(ctx, &solver, x, y, alpha, &gw.ChainSettings{Rand: rng}, nil))
				if r.Value > one.Value {
					t.Errorf("value %v, from p q' alone %v", r.Value, one.Value)
				}
				if r.Value < one.Value-1e-9 {
					lower++
				}
				pairs++
				must.Coupling(t, r.T, x.P(), y.P(), 1e-12)
				must.Check(t, r.Status, gw.Converged, "status")
				must.Within(t, r.Value, gw.Objective(x, y, alpha, r.T), 1e-12, "value, and at the coupling")
				if r.Iterations < 11 || r.Iterations <= one.Iterations {
					t.Errorf("%d iterations of eleven starts", r.Iterations)
				}
			}
		}
	}
	t.Logf("%d of %d values are below that from p q'", lower, pairs)
	if lower*4 < pairs {
		t.Errorf("%d of %d values are below that from p q', expected a quarter at least", lower, pairs)
	}
	x, y := graphs[0], graphs[1]
	var results [2]gw.Result
	for k := range results {
		var s gw.Solver
		var c gw.Chain
		set := &gw.ChainSettings{Starts: 3, Skip: 2, Rand: rand.New(rand.NewPCG(1, 1))}
		results[k] = must.Get(c.Solve(ctx, &s, x, y, 1, set, &gw.Settings{Starts: 5}))
	}
	must.Same(t, results[1], results[0], "of the same draws")
	settings := &gw.ChainSettings{Rand: rng}
	if allocs := testing.AllocsPerRun(3, func() { _, _ = c.Solve(ctx, &solver, x, y, 1, settings, nil) }); allocs != 0 {
		t.Errorf("%v allocations", allocs)
	}
}

func TestChainErrors(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	graphs := chainSpaces(t, rng, 2)
	var (
		s gw.Solver
		c gw.Chain
	)
	over, cancel := context.WithCancel(ctx)
	cancel()
	good := &gw.ChainSettings{Rand: rng}
	for _, test := range []struct {
		name  string
		run   func() error
		wants string
	}{
		{"no solver", func() error { return must.Err(c.Solve(ctx, nil, graphs[0], graphs[1], 1, good, nil)) }, "solver is nil"},
		{"no settings", func() error { return must.Err(c.Solve(ctx, &s, graphs[0], graphs[1], 1, nil, nil)) }, "ChainSettings.Rand"},
		{"no source", func() error { return must.Err(c.Solve(ctx, &s, graphs[0], graphs[1], 1, &gw.ChainSettings{}, nil)) }, "ChainSettings.Rand"},
		{"negative", func() error {
			return must.Err(c.Solve(ctx, &s, graphs[0], graphs[1], 1, &gw.ChainSettings{Skip: -1, Rand: rng}, nil))
		}, "-1 steps apart"},
		{"alpha", func() error { return must.Err(c.Solve(ctx, &s, graphs[0], graphs[1], 2, good, nil)) }, "alpha is 2"},
		{"no space", func() error { return must.Err(c.Solve(ctx, &s, nil, graphs[1], 1, good, nil)) }, "x is nil"},
		{"over", func() error { return must.Err(c.Solve(over, &s, graphs[0], graphs[1], 1, good, nil)) }, context.Canceled.Error()},
		{"weights", func() error { return c.Reset([]float64{.5, .6}, []float64{1}) }, "p: weights sum to"},
		{"negative weight", func() error { return c.Reset([]float64{1}, []float64{2, -1}) }, "q: weight 1 is -1"},
		{"step before Reset", func() error { return new(gw.Chain).Step(rng) }, "before Reset"},
		{"step without a source", func() error { return c.Step(nil) }, "rng is nil"},
	} {
		must.Fail(t, test.run(), test.wants, test.name)
	}
}
