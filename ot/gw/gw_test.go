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

var ctx = context.Background()

// noisy draws a graph whose structure has no ties: 0/1 adjacency plus 1e-3 noise.
func noisy(rng *rand.Rand, n, d int, uniform bool) *gw.Space {
	c := gwtest.Symmetric(n, func() float64 {
		x := 1e-3 * rng.NormFloat64()
		if rng.Float64() < 0.4 {
			x++
		}
		return x
	})
	a := gwtest.Slice(n*d, rng.NormFloat64)
	var p []float64
	if !uniform {
		p = gwtest.Weights(rng, n, 0.2)
	}
	return must.Get(gw.NewSpace(c, a, n, d, p))
}

// hollow moves the weight of one node of g to another.
func hollow(t rapid.TB, g *gw.Space, from, to int) {
	p := slices.Clone(g.P())
	p[from], p[to] = 0, p[from]+p[to]
	must.Do(t, g.Reweigh(p))
}

func space(t rapid.TB, c, a, p []float64, d int) *gw.Space {
	return must.Get(gw.NewSpace(c, a, int(math.Round(math.Sqrt(float64(len(c))))), d, p))
}

type problem struct {
	x, y    *gw.Space
	alpha   float64
	d, n, m int
	rng     *rand.Rand
}

func drawProblem(t *rapid.T, features, uniform bool) problem {
	var q problem
	q.rng = rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	q.n, q.m = rapid.IntRange(1, 12).Draw(t, "n"), rapid.IntRange(1, 12).Draw(t, "m")
	q.alpha = 1
	if features {
		q.d, q.alpha = 2, rapid.Float64Range(0, 1).Draw(t, "alpha")
	}
	q.x, q.y = noisy(q.rng, q.n, q.d, uniform), noisy(q.rng, q.m, q.d, uniform)
	for _, g := range []*gw.Space{q.x, q.y} {
		if !uniform && g.N() > 1 && rapid.Bool().Draw(t, "zero") {
			hollow(t, g, 0, 1)
		}
	}
	return q
}

func solve(t rapid.TB, x, y *gw.Space, alpha float64, start []float64, set *gw.Settings) gw.Result {
	var s gw.Solver
	return must.Get(s.Solve(ctx, x, y, alpha, start, set))
}

// tight is the coupling of s without padding.
func tight(s *gw.Solver, n, m int) []float64 {
	T, ld := s.Coupling()
	return ottest.Tight(T, ld, n, m)
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawProblem(t, rapid.Bool().Draw(t, "features"), rapid.Bool().Draw(t, "uniform"))
		r := solve(t, q.x, q.y, q.alpha, nil, nil)
		must.Coupling(t, r.T, q.x.P(), q.y.P(), 1e-13)
		v := gw.Objective(q.x, q.y, q.alpha, r.T)
		must.Within(t, r.Value, v, 1e-12*(1+v), "value, and objective at the coupling")
		if f0 := gw.Objective(q.x, q.y, q.alpha, outer(q.x.P(), q.y.P())); !(r.Value <= f0+1e-12) {
			t.Fatalf("value %v above the start's %v", r.Value, f0)
		}
		potentials(t, q, r)
	})
}

func outer(p, q []float64) []float64 {
	var t []float64
	for _, x := range p {
		for _, y := range q {
			t = append(t, x*y)
		}
	}
	return t
}

// gradient is that of the objective at fixed marginals, from the definition:
// G_ij = 2 alpha sum_kl (C_ik - Ct_jl)^2 T_kl + (1 - alpha) |a_i - at_j|^2.
func gradient(q problem, T []float64) []float64 {
	n, m := q.n, q.m
	g := make([]float64, n*m)
	cx, ldx := q.x.C()
	cy, ldy := q.y.C()
	for i := range n {
		for j := range m {
			sum := 0.0
			for k := range n {
				for l := range m {
					e := cx[i*ldx+k] - cy[j*ldy+l]
					sum += e * e * T[k*m+l]
				}
			}
			g[i*m+j] = 2 * q.alpha * sum
			for k := range q.d {
				e := q.x.A()[i*q.d+k] - q.y.A()[j*q.d+k]
				g[i*m+j] += (1 - q.alpha) * e * e
			}
		}
	}
	return g
}

func potentials(t rapid.TB, q problem, r gw.Result) {
	g := gradient(q, r.T)
	gt, dual := 0.0, 0.0
	for i := range q.n {
		for j := range q.m {
			if !(r.U[i]+r.V[j] <= g[i*q.m+j]+1e-9) {
				t.Fatalf("potentials %v + %v above the gradient %v at (%d, %d)", r.U[i], r.V[j], g[i*q.m+j], i, j)
			}
			gt += g[i*q.m+j] * r.T[i*q.m+j]
		}
	}
	for i, p := range q.x.P() {
		dual += p * r.U[i]
	}
	for j, p := range q.y.P() {
		dual += p * r.V[j]
	}
	must.Within(t, gt-dual, r.Gap, 1e-9, "<G, T> - <u, p> - <v, q>, and gap")
}

// TestTieFree checks what holds exactly on tie-free input alone: relabelling the
// nodes and swapping the sides changes nothing.
func TestTieFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawProblem(t, rapid.Bool().Draw(t, "features"), true)
		r := solve(t, q.x, q.y, q.alpha, nil, nil)
		relabelled := gwtest.Relabelled(q.x, q.rng.Perm(q.n))
		must.Within(t, solve(t, relabelled, q.y, q.alpha, nil, nil).Value, r.Value, 1e-9, "value, and with the nodes relabelled")
		must.Within(t, solve(t, q.y, q.x, q.alpha, nil, nil).Value, r.Value, 1e-9, "value, and with the sides swapped")
	})
}

func TestIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawProblem(t, rapid.Bool().Draw(t, "features"), rapid.Bool().Draw(t, "uniform"))
		r := solve(t, q.x, q.x, q.alpha, gwtest.Diagonal(q.x.P()), nil)
		must.Within(t, r.Value, 0, 1e-14, "GW(C, C) from the identity")
		must.Within(t, r.Gap, 0, 1e-12, "gap at the identity")
	})
}

func TestMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawProblem(t, rapid.Bool().Draw(t, "features"), rapid.Bool().Draw(t, "uniform"))
		var s gw.Solver
		must.Do(t, s.Bind(q.x, q.y, q.alpha))
		last := s.Value()
		for range 40 {
			s.Descend(ctx, &gw.Settings{MaxIter: 1})
			if v := s.Value(); v > last+1e-13*(1+math.Abs(last)) {
				t.Fatalf("an iteration raised the objective from %v to %v", last, v)
			}
			last = s.Value()
		}
		v := gw.Objective(q.x, q.y, q.alpha, tight(&s, q.n, q.m))
		must.Within(t, last, v, 1e-11*(1+v), "carried value, and objective")
	})
}

// TestRetarget holds that a solver whose target changed in place goes on as one
// that was started at the same coupling with the new target.
func TestRetarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawProblem(t, rapid.Bool().Draw(t, "features"), rapid.Bool().Draw(t, "uniform"))
		other := noisy(q.rng, q.m, q.d, true)
		must.Do(t, other.Reweigh(q.y.P()))
		target := must.Get(gw.NewTarget(q.m, q.d, q.y.P()))
		atoms := []*gw.Space{q.y, other}
		target.Mix(atoms, []float64{1, 0})
		var s gw.Solver
		must.Do(t, s.Bind(q.x, target, q.alpha))
		s.Descend(ctx, nil)
		target.Mix(atoms, []float64{0.25, 0.75})
		s.Retarget()
		v := gw.Objective(q.x, target, q.alpha, tight(&s, q.n, q.m))
		must.Within(t, s.Value(), v, 1e-12*(1+v), "value after Retarget, and objective")
		before := s.Value()
		s.Descend(ctx, nil)
		if s.Value() > before+1e-13 {
			t.Fatalf("descent after Retarget rose from %v to %v", before, s.Value())
		}
	})
}

func TestErrors(t *testing.T) {
	ok := []float64{0, 1, 1, 0}
	for _, c := range []struct {
		C, A []float64
		d    int
		p    []float64
		want string
	}{
		{[]float64{0, 1, 0.5, 0}, nil, 0, nil, "not symmetric"},
		{[]float64{0, math.NaN(), 1, 0}, nil, 0, nil, "structure entry (0, 1) is NaN"},
		{ok, []float64{1, math.Inf(1)}, 1, nil, "feature (1, 0) is +Inf"},
		{ok, nil, 0, []float64{0.5, 0.6}, "weights sum to"},
		{ok, nil, 0, []float64{1.5, -0.5}, "weight 1 is -0.5"},
		{ok, nil, 0, []float64{math.NaN(), 0.5}, "weight 0 is NaN"},
	} {
		must.Fail(t, must.Err(gw.NewSpace(c.C, c.A, 2, c.d, c.p)), c.want)
	}
	x, y := space(t, ok, nil, nil, 0), space(t, ok, nil, nil, 0)
	var s gw.Solver
	for _, c := range []struct {
		alpha float64
		start []float64
		set   *gw.Settings
		want  string
	}{
		{0.5, nil, nil, "without features"},
		{1.5, nil, nil, "alpha is 1.5"},
		{math.NaN(), nil, nil, "alpha is NaN"},
		{1, []float64{1, 0, 0, 0}, nil, "row sum"},
		{1, []float64{.5, 0, .5, 0}, nil, "column sum"},
		{1, []float64{1, -.5, -.5, 1}, nil, "entry (0, 1)"},
		{1, nil, &gw.Settings{Starts: 2}, "need Settings.Rand"},
	} {
		must.Fail(t, must.Err(s.Solve(ctx, x, y, c.alpha, c.start, c.set)), c.want)
	}
	done, cancel := context.WithCancel(ctx)
	cancel()
	if r, err := s.Solve(done, x, y, 1, nil, nil); !errors.Is(err, context.Canceled) || r.Status != gw.Cancelled {
		t.Errorf("cancelled solve: %v, %v", r.Status, err)
	}
	must.Panic(t, "", map[string]func(){
		"NewSpace":  func() { gw.NewSpace(ok, nil, 3, 0, nil) },
		"start":     func() { s.Solve(ctx, x, y, 1, []float64{1}, nil) },
		"objective": func() { gw.Objective(x, y, 1, nil) },
	})
}

func TestIterationCap(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	r := solve(t, noisy(rng, 12, 0, true), noisy(rng, 9, 0, true), 1, nil, &gw.Settings{MaxIter: 1})
	if r.Status != gw.MaxIterations || r.Iterations != 1 || r.Gap <= 0 {
		t.Errorf("one iteration ended as %v after %d with gap %v", r.Status, r.Iterations, r.Gap)
	}
}

func TestNoAllocation(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	x, y := noisy(rng, 14, 3, true), noisy(rng, 9, 3, true)
	var s gw.Solver
	if n := testing.AllocsPerRun(20, func() { s.Solve(ctx, x, y, 0.5, nil, nil) }); n != 0 {
		t.Errorf("%v allocations per warm solve", n)
	}
}
