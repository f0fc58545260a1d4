package gw_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

var ctx = context.Background()

// noisy draws a graph whose structure has no ties: 0/1 adjacency plus 1e-3 noise.
func noisy(rng *rand.Rand, n, d int, uniform bool) (c, a, p []float64) {
	c = make([]float64, n*n)
	for i := range n {
		for j := range i {
			x := 1e-3 * rng.NormFloat64()
			if rng.Float64() < 0.4 {
				x++
			}
			c[i*n+j], c[j*n+i] = x, x
		}
	}
	a = make([]float64, n*d)
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	if !uniform {
		p = make([]float64, n)
		sum := 0.0
		for i := range p {
			p[i] = 0.2 + rng.Float64()
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
		}
	}
	return
}

func space(t rapid.TB, c, a, p []float64, d int) *gw.Space {
	n := int(math.Round(math.Sqrt(float64(len(c)))))
	return must.Get(gw.NewSpace(c, a, n, d, p))
}

type problem struct {
	x, y       *gw.Space
	cx, ax, px []float64
	cy, ay, py []float64
	alpha      float64
	d, n, m    int
	rng        *rand.Rand
}

func drawProblem(t *rapid.T, features, uniform bool) problem {
	var q problem
	q.rng = rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	q.n, q.m = rapid.IntRange(1, 12).Draw(t, "n"), rapid.IntRange(1, 12).Draw(t, "m")
	q.alpha = 1
	if features {
		q.d, q.alpha = 2, rapid.Float64Range(0, 1).Draw(t, "alpha")
	}
	q.cx, q.ax, q.px = noisy(q.rng, q.n, q.d, uniform)
	q.cy, q.ay, q.py = noisy(q.rng, q.m, q.d, uniform)
	q.x, q.y = space(t, q.cx, q.ax, q.px, q.d), space(t, q.cy, q.ay, q.py, q.d)
	return q
}

func solve(t rapid.TB, x, y *gw.Space, alpha float64, start []float64, set *gw.Settings) gw.Result {
	var s gw.Solver
	return must.Get(s.Solve(ctx, x, y, alpha, start, set))
}

func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawProblem(t, rapid.Bool().Draw(t, "features"), rapid.Bool().Draw(t, "uniform"))
		r := solve(t, q.x, q.y, q.alpha, nil, nil)
		marginals(t, r.T, q.x.P(), q.y.P())
		if v := gw.Objective(q.x, q.y, q.alpha, r.T); math.Abs(v-r.Value) > 1e-12*(1+v) {
			t.Fatalf("value %v, objective at the coupling %v", r.Value, v)
		}
		if f0 := gw.Objective(q.x, q.y, q.alpha, outer(q.x.P(), q.y.P())); r.Value > f0+1e-12 {
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

func marginals(t rapid.TB, T, p, q []float64) {
	m := len(q)
	col := make([]float64, m)
	for i := range p {
		row := 0.0
		for j := range m {
			if T[i*m+j] < 0 {
				t.Fatalf("entry (%d, %d) is %v", i, j, T[i*m+j])
			}
			row += T[i*m+j]
			col[j] += T[i*m+j]
		}
		if math.Abs(row-p[i]) > 1e-13 {
			t.Fatalf("row %d sums to %v, expected %v", i, row, p[i])
		}
	}
	for j := range col {
		if math.Abs(col[j]-q[j]) > 1e-13 {
			t.Fatalf("column %d sums to %v, expected %v", j, col[j], q[j])
		}
	}
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
				e := q.ax[i*q.d+k] - q.ay[j*q.d+k]
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
			if r.U[i]+r.V[j] > g[i*q.m+j]+1e-9 {
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
	if math.Abs(gt-dual-r.Gap) > 1e-9 {
		t.Fatalf("<G, T> - <u, p> - <v, q> = %v, gap %v", gt-dual, r.Gap)
	}
}

// TestTieFree checks what holds exactly on tie-free input alone: relabelling the
// nodes and swapping the sides changes nothing.
func TestTieFree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawProblem(t, rapid.Bool().Draw(t, "features"), true)
		r := solve(t, q.x, q.y, q.alpha, nil, nil)
		perm := q.rng.Perm(q.n)
		c, a := make([]float64, len(q.cx)), make([]float64, len(q.ax))
		for i, pi := range perm {
			for j, pj := range perm {
				c[i*q.n+j] = q.cx[pi*q.n+pj]
			}
			copy(a[i*q.d:(i+1)*q.d], q.ax[pi*q.d:])
		}
		if v := solve(t, space(t, c, a, nil, q.d), q.y, q.alpha, nil, nil).Value; math.Abs(v-r.Value) > 1e-9 {
			t.Fatalf("value %v, with the nodes relabelled %v", r.Value, v)
		}
		if v := solve(t, q.y, q.x, q.alpha, nil, nil).Value; math.Abs(v-r.Value) > 1e-9 {
			t.Fatalf("value %v, with the sides swapped %v", r.Value, v)
		}
	})
}

func TestIdentity(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawProblem(t, rapid.Bool().Draw(t, "features"), rapid.Bool().Draw(t, "uniform"))
		diag := make([]float64, q.n*q.n)
		for i, p := range q.x.P() {
			diag[i*q.n+i] = p
		}
		r := solve(t, q.x, q.x, q.alpha, diag, nil)
		if r.Value > 1e-14 {
			t.Fatalf("GW(C, C) from the identity is %v", r.Value)
		}
		if r.Gap > 1e-12 {
			t.Fatalf("gap %v at the identity", r.Gap)
		}
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
		T, ld := s.Coupling()
		tight := make([]float64, 0, q.n*q.m)
		for i := range q.n {
			tight = append(tight, T[i*ld:i*ld+q.m]...)
		}
		if v := gw.Objective(q.x, q.y, q.alpha, tight); math.Abs(v-last) > 1e-11*(1+v) {
			t.Fatalf("carried value %v, objective %v", last, v)
		}
	})
}

// TestRetarget holds that a solver whose target changed in place goes on as one
// that was started at the same coupling with the new target.
func TestRetarget(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		q := drawProblem(t, rapid.Bool().Draw(t, "features"), rapid.Bool().Draw(t, "uniform"))
		c2, a2, _ := noisy(q.rng, q.m, q.d, true)
		other := space(t, c2, a2, q.py, q.d)
		target := must.Get(gw.NewTarget(q.m, q.d, q.py))
		atoms := []*gw.Space{q.y, other}
		target.Mix(atoms, []float64{1, 0})
		var s gw.Solver
		must.Do(t, s.Bind(q.x, target, q.alpha))
		s.Descend(ctx, nil)
		target.Mix(atoms, []float64{0.25, 0.75})
		s.Retarget()
		T, ld := s.Coupling()
		var tight []float64
		for i := range q.n {
			tight = append(tight, T[i*ld:i*ld+q.m]...)
		}
		if v, w := s.Value(), gw.Objective(q.x, target, q.alpha, tight); math.Abs(v-w) > 1e-12*(1+w) {
			t.Fatalf("value after Retarget %v, objective %v", v, w)
		}
		before := s.Value()
		s.Descend(ctx, nil)
		if s.Value() > before+1e-13 {
			t.Fatalf("descent after Retarget rose from %v to %v", before, s.Value())
		}
	})
}

func TestZeroWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	cx, _, _ := noisy(rng, 5, 0, true)
	cy, _, _ := noisy(rng, 4, 0, true)
	x := space(t, cx, nil, []float64{.5, 0, .25, .25, 0}, 0)
	y := space(t, cy, nil, []float64{0, .5, .3, .2}, 0)
	r := solve(t, x, y, 1, nil, nil)
	marginals(t, r.T, x.P(), y.P())
	q := problem{x: x, y: y, cx: cx, cy: cy, alpha: 1, n: 5, m: 4}
	potentials(t, q, r)
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
	cx, _, _ := noisy(rng, 12, 0, true)
	cy, _, _ := noisy(rng, 9, 0, true)
	r := solve(t, space(t, cx, nil, nil, 0), space(t, cy, nil, nil, 0), 1, nil, &gw.Settings{MaxIter: 1})
	if r.Status != gw.MaxIterations || r.Iterations != 1 || r.Gap <= 0 {
		t.Errorf("one iteration ended as %v after %d with gap %v", r.Status, r.Iterations, r.Gap)
	}
}

func TestNoAllocation(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	cx, ax, _ := noisy(rng, 14, 3, true)
	cy, ay, _ := noisy(rng, 9, 3, true)
	x, y := space(t, cx, ax, nil, 3), space(t, cy, ay, nil, 3)
	var s gw.Solver
	if n := testing.AllocsPerRun(20, func() { s.Solve(ctx, x, y, 0.5, nil, nil) }); n != 0 {
		t.Errorf("%v allocations per warm solve", n)
	}
}

// TestStationaryStart holds the certificate where the product coupling is
// already stationary: against one node there is no other coupling.
func TestStationaryStart(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	cx, _, px := noisy(rng, 6, 0, false)
	x, y := space(t, cx, nil, px, 0), space(t, []float64{0.7}, nil, nil, 0)
	q := problem{x: x, y: y, alpha: 1, n: 6, m: 1}
	r := solve(t, x, y, 1, nil, nil)
	potentials(t, q, r)
	if r.Gap > 1e-15 {
		t.Errorf("gap %v where there is one coupling only", r.Gap)
	}
}
