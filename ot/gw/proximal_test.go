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
	"ogdl/ot/ottest"

	"pgregory.net/rapid"
)

func proximal(t rapid.TB, s *gw.Proximal, x, y *gw.Space, alpha float64, start []float64, set gw.ProximalSettings) gw.ProximalResult {
	t.Helper()
	return must.Get(s.Solve(ctx, x, y, alpha, start, &set))
}

// patterned is a graph by formula, so that other languages can have it too.
func patterned(t rapid.TB, n, d, k int, p []float64) *gw.Space {
	c, a := make([]float64, n*n), make([]float64, n*d)
	for i := range n {
		for j := range n {
			if i != j && (i*j*(k+2)+3*(i+j)+k)%5 < 2 {
				c[i*n+j] = 1 + float64((i+j)%3*(k%2))
			}
		}
		for j := range d {
			a[i*d+j] = float64((3*i+2*j+k*i*j)%7) / 2
		}
	}
	return space(t, c, a, p, d)
}

// TestProximalReference compares with the algorithm written plainly in numpy: kernel
// exp(-cost / gamma) o T, row factors carried from step to step, a fixed number of
// steps and sweeps, no safety of any kind.
func TestProximalReference(t *testing.T) {
	var s gw.Proximal
	for _, q := range []struct {
		n, m, k, d             int
		alpha, gamma           float64
		outer, sweeps          int
		value, rowError, first float64
	}{
		{5, 4, 0, 0, 1, 1, 10, 5, 0.25712887494797, 8.00097488262708e-10, 0.0254209498544598},
		{6, 7, 1, 0, 1, 0.1, 50, 5, 0.583324864193349, 0.000171168566836397, 6.39198690816071e-176},
		{8, 6, 2, 0, 1, 0.05, 30, 5, 0.41160559645545, 0.00808805628061033, 0.032967032967033},
		{7, 7, 3, 2, 0.5, 0.5, 40, 5, 1.15867483801493, 0.000527593859586881, 0.105262132175639},
		{9, 5, 4, 3, 0.9, 0.1, 50, 3, 0.886451178445852, 1.54322389391767e-05, 0.0476182313956446},
		{6, 6, 5, 2, 0.7, 0.02, 20, 10, 1.17000000000025, 5.71487301925799e-13, 0.133333333333159},
	} {
		x := patterned(t, q.n, q.d, q.k, ottest.Uneven(q.n, q.k))
		y := patterned(t, q.m, q.d, q.k+1, ottest.Uneven(q.m, q.k+2))
		r := proximal(t, &s, x, y, q.alpha, nil, gw.ProximalSettings{Gamma: q.gamma, Outer: q.outer, Sweeps: q.sweeps, Tol: -1})
		for name, c := range map[string][2]float64{"value": {r.Value, q.value}, "row error": {r.MarginalError, q.rowError}, "first entry": {r.T[0], q.first}} {
			must.Within(t, c[0], c[1], 1e-11, "%d x %d, gamma %v: %s, and reference", q.n, q.m, q.gamma, name)
		}
		if r.Iterations != q.outer || r.Sweeps != q.outer*q.sweeps || r.Status != gw.MaxIterations {
			t.Errorf("%d x %d: %d steps of %d sweeps, %v", q.n, q.m, r.Iterations, r.Sweeps, r.Status)
		}
	}
}

func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }

// TestProximalProperties draws problems of any gamma, features up to distances of
// 1e5 and more, and weights with zeros.
func TestProximalProperties(t *testing.T) {
	var s gw.Proximal
	rapid.Check(t, func(t *rapid.T) {
		q := drawProblem(t, rapid.Bool().Draw(t, "features"), rapid.Bool().Draw(t, "uniform"))
		by := rapid.SampledFrom([]float64{1, 300}).Draw(t, "scale")
		q.x = gwtest.Changed(q.x, 1, func(a []float64) []float64 { return gwtest.Times(a, by) })
		set := gw.ProximalSettings{
			Gamma: rapid.SampledFrom([]float64{1, 0.1, 0.01, 0.001, 1e-6}).Draw(t, "gamma"),
			Round: rapid.Bool().Draw(t, "round"),
		}
		r := proximal(t, &s, q.x, q.y, q.alpha, nil, set)
		v := gw.Objective(q.x, q.y, q.alpha, r.T)
		must.Within(t, r.Value, v, 1e-11*(1+v), "value, and objective at the coupling")
		if !finite(r.MarginalError) || !finite(r.Change) {
			t.Fatalf("marginal error %v, change %v", r.MarginalError, r.Change)
		}
		if set.Round {
			must.Coupling(t, r.T, q.x.P(), q.y.P(), 1e-13)
		}
		rows := 0.0
		for i, p := range q.x.P() {
			sum := 0.0
			for j := range q.m {
				sum += r.T[i*q.m+j]
			}
			rows += math.Abs(sum - p)
		}
		must.Within(t, rows, r.MarginalError, 1e-13, "row error, and reported")
		for j, w := range q.y.P() {
			sum := 0.0
			for i := range q.n {
				if x := r.T[i*q.m+j]; !(x >= 0) {
					t.Fatalf("entry (%d, %d) is %v", i, j, x)
				}
				sum += r.T[i*q.m+j]
			}
			if !(math.Abs(sum-w) <= 1e-6) { // exponents up to 1e9 are rounded
				t.Fatalf("column %d sums to %v, expected %v", j, sum, w)
			}
		}
	})
}

// TestProximalDescends runs steps scaled to the end, with a gamma at the bound
// that keeps the objective from rising, and looks at every step.
func TestProximalDescends(t *testing.T) {
	var s gw.Proximal
	rapid.Check(t, func(t *rapid.T) {
		q := drawProblem(t, rapid.Bool().Draw(t, "features"), rapid.Bool().Draw(t, "uniform"))
		gamma := 0.5*q.alpha*spread(q.x)*spread(q.y) + 1e-3
		last := gw.Objective(q.x, q.y, q.alpha, outer(q.x.P(), q.y.P()))
		for k := 1; k <= 12; k++ {
			r := proximal(t, &s, q.x, q.y, q.alpha, nil, gw.ProximalSettings{Gamma: gamma, Outer: k, Sweeps: 400, Tol: -1})
			if r.MarginalError > 1e-12 {
				t.Skip("not scaled to the end")
			}
			if !(r.Value <= last+1e-11*(1+last)) {
				t.Fatalf("step %d raises the objective from %v to %v", k, last, r.Value)
			}
			last = r.Value
		}
	})
}

func spread(g *gw.Space) float64 { c := gwtest.Structure(g); return slices.Max(c) - slices.Min(c) }

// TestProximalStationary runs to the end and asks the conditional gradient whether
// there is a way down from there, and how the values compare on average. There is
// one where a step is too small to be seen although the coupling is not stationary:
// near a saddle, or where an entry has to grow from nearly nothing.
func TestProximalStationary(t *testing.T) {
	for _, gamma := range []float64{0.5, 0.1, 0.05} {
		var s gw.Proximal
		var ours, theirs float64
		converged, stationary := 0, 0
		const graphs = 40
		for seed := range uint64(graphs) {
			rng := rand.New(rand.NewPCG(seed, 9))
			x, y := noisy(rng, 7+rng.IntN(6), 2, true), noisy(rng, 7+rng.IntN(6), 2, true)
			r := proximal(t, &s, x, y, 0.8, nil, gw.ProximalSettings{Gamma: gamma, Outer: 5000, Sweeps: 20, Tol: 1e-8, Round: true})
			if r.Status == gw.Converged {
				converged++
			}
			ours += r.Value / graphs
			theirs += solve(t, x, y, 0.8, nil, nil).Value / graphs
			if on := solve(t, x, y, 0.8, r.T, nil); on.Value > r.Value*(1-1e-4) {
				stationary++
			}
		}
		t.Logf("gamma %v: mean %.5f, conditional gradient %.5f; of %d, %d converged and %d are stationary", gamma, ours, theirs, graphs, converged, stationary)
		if converged < graphs*9/10 {
			t.Errorf("gamma %v: %d of %d converged", gamma, converged, graphs)
		}
		if stationary < graphs*3/4 {
			t.Errorf("gamma %v: %d of %d are stationary", gamma, stationary, graphs)
		}
		if ours > 1.01*theirs {
			t.Errorf("gamma %v: mean value %v, conditional gradient %v", gamma, ours, theirs)
		}
	}
}

// TestProximalStart begins where a solve ended, and at starts that are no good.
func TestProximalStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := noisy(rng, 9, 2, false), noisy(rng, 7, 2, true)
	set := gw.ProximalSettings{Gamma: 0.2, Outer: 2000}
	var s gw.Proximal
	first := proximal(t, &s, x, y, 0.5, nil, set)
	start := append([]float64(nil), first.T...)
	again := proximal(t, &s, x, y, 0.5, start, set)
	if first.Status != gw.Converged || again.Status != gw.Converged || !(math.Abs(again.Value-first.Value) <= 1e-5*first.Value) {
		t.Errorf("first %d steps to %v (%v), again %d to %v", first.Iterations, first.Value, first.Status, again.Iterations, again.Value)
	}
	for k := range start {
		start[k] *= 1024
	}
	if r := proximal(t, &s, x, y, 0.5, start, set); !(math.Abs(r.Value-again.Value) <= 1e-9*again.Value) {
		t.Errorf("a start of total 1024 ends at %v, want %v", r.Value, again.Value)
	}
	for name, spoil := range map[string]func(T []float64){
		"negative":  func(T []float64) { T[3] = -1 },
		"no number": func(T []float64) { T[3] = math.NaN() },
		"empty row": func(T []float64) { clear(T[:7]) },
		"empty column": func(T []float64) {
			for i := range 9 {
				T[i*7] = 0
			}
		},
	} {
		bad := append([]float64(nil), start...)
		spoil(bad)
		if _, err := s.Solve(ctx, x, y, 0.5, bad, &set); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// A zero of the start stays.
	start[0] = 0
	if r := proximal(t, &s, x, y, 0.5, start, gw.ProximalSettings{Gamma: 0.2, Outer: 20, Tol: -1}); r.T[0] != 0 {
		t.Errorf("entry of zero became %v", r.T[0])
	}
}

// TestProximalErrors has the context that is over, and the panics; bad arguments are in TestArguments.
func TestProximalErrors(t *testing.T) {
	x, y := patterned(t, 4, 0, 0, nil), patterned(t, 5, 0, 1, nil)
	var s gw.Proximal
	set := &gw.ProximalSettings{Gamma: 1}
	ended, cancel := context.WithCancel(ctx)
	cancel()
	r, err := s.Solve(ended, x, y, 1, nil, set)
	if !errors.Is(err, context.Canceled) || r.Status != gw.Cancelled || r.Iterations != 0 {
		t.Errorf("cancelled: %v, %v after %d steps", err, r.Status, r.Iterations)
	}
	for k, want := range outer(x.P(), y.P()) {
		must.Check(t, r.T[k], want, "cancelled: entry %d, and the start's", k)
	}
	must.Panic(t, "", map[string]func(){
		"start": func() { s.Solve(ctx, x, y, 1, make([]float64, 3), set) },
	})
}

// TestProximalReuse holds that a warm workspace allocates nothing.
func TestProximalReuse(t *testing.T) {
	x, y := patterned(t, 9, 2, 0, nil), patterned(t, 6, 2, 1, ottest.Uneven(6, 1))
	set := gw.ProximalSettings{Gamma: 0.01, Round: true}
	var used gw.Proximal
	proximal(t, &used, x, y, 0.7, nil, set)
	must.Check(t, testing.AllocsPerRun(5, func() { used.Solve(ctx, x, y, 0.7, nil, &set) }), 0, "allocations")
}
