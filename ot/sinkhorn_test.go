package ot_test

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot"
	"ogdl/ot/ottest"

	"pgregory.net/rapid"
)

func entropic(t rapid.TB, s *ot.Sinkhorn, p ottest.Problem, epsilon float64, set *ot.SinkhornSettings) ot.SinkhornResult {
	t.Helper()
	must.Do(t, s.Reset(p.A, p.B))
	return must.Get(s.Solve(p.M, len(p.B), epsilon, set))
}

// drawEntropic draws weights with a zero here and there, and costs of the given
// scale that may be of either sign.
func drawEntropic(t *rapid.T, scale float64) ottest.Problem {
	n, m := rapid.IntRange(1, 9).Draw(t, "n"), rapid.IntRange(1, 9).Draw(t, "m")
	rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
	zeros := rapid.Bool().Draw(t, "zeros")
	weights := func(n int) []float64 {
		w := make([]float64, n)
		for i := range w {
			if w[i] = 0.1 + rng.Float64(); zeros && i > 0 && rng.IntN(3) == 0 {
				w[i] = 0
			}
		}
		return ottest.Normalized(w)
	}
	p := ottest.Problem{Name: "random", A: weights(n), B: weights(m), M: make([]float64, n*m)}
	shift := scale * rng.NormFloat64()
	for k := range p.M {
		p.M[k] = shift + scale*rng.NormFloat64()
	}
	return p
}

// bruteSinkhorn is the algorithm in the log domain from its definition: v from u,
// then sweeps of u from v and v from u.
func bruteSinkhorn(p ottest.Problem, epsilon float64, sweeps int) (T, u, v []float64) {
	n, m := len(p.A), len(p.B)
	u, v = make([]float64, n), make([]float64, m)
	lse := func(k int, at func(int) float64) float64 {
		top, sum := math.Inf(-1), 0.0
		for i := range k {
			top = math.Max(top, at(i))
		}
		for i := range k {
			sum += math.Exp(at(i) - top)
		}
		return top + math.Log(sum)
	}
	for i, w := range p.A {
		u[i] = 0 * w
		if w == 0 {
			u[i] = math.Inf(-1)
		}
	}
	columns := func() {
		for j, w := range p.B {
			v[j] = epsilon * (math.Log(w) - lse(n, func(i int) float64 { return (u[i] - p.M[i*m+j]) / epsilon }))
		}
	}
	columns()
	for range sweeps {
		for i, w := range p.A {
			u[i] = epsilon * (math.Log(w) - lse(m, func(j int) float64 { return (v[j] - p.M[i*m+j]) / epsilon }))
		}
		columns()
	}
	for i := range n {
		for j := range m {
			T = append(T, math.Exp((u[i]+v[j]-p.M[i*m+j])/epsilon))
		}
	}
	return
}

// tight is the plan without padding.
func tight(s *ot.Sinkhorn, n, m int) []float64 {
	x, ld := s.Plan()
	return ottest.Tight(x, ld, n, m)
}

// TestSinkhornBruteForce compares with the definition after the same number of
// sweeps, at cost-to-epsilon ratios up to 1e6.
func TestSinkhornBruteForce(t *testing.T) {
	var s ot.Sinkhorn
	rapid.Check(t, func(t *rapid.T) {
		ratio := math.Pow(10, float64(rapid.IntRange(-2, 6).Draw(t, "magnitude")))
		sweeps := rapid.IntRange(1, 40).Draw(t, "sweeps")
		p := drawEntropic(t, ratio)
		r := entropic(t, &s, p, 1, &ot.SinkhornSettings{Tol: -1, MaxSweeps: sweeps, Direct: true})
		must.Equal(t, r.Sweeps, sweeps, "sweeps")
		want, _, _ := bruteSinkhorn(p, 1, sweeps)
		n, m := len(p.A), len(p.B)
		got := tight(&s, n, m)
		rowError := 0.0
		for i := range n {
			row := 0.0
			for j := range m {
				// The exponents are rounded at the costs' scale.
				if d := math.Abs(got[i*m+j] - want[i*m+j]); !(d <= 1e-12+1e-13*ratio*float64(sweeps)) {
					t.Fatalf("plan (%d, %d) is %v, by brute force %v", i, j, got[i*m+j], want[i*m+j])
				}
				row += got[i*m+j]
			}
			rowError += math.Abs(row - p.A[i])
		}
		if d := math.Abs(rowError - r.MarginalError); !(d <= 1e-13) {
			t.Fatalf("row error %v, reported %v", rowError, r.MarginalError)
		}
		for j, w := range p.B {
			col := 0.0
			for i := range n {
				col += got[i*m+j]
			}
			must.Within(t, col, w, 1e-13+1e-14*ratio, "column %d sums to", j)
		}
		u, v := s.Potentials()
		for i := range n {
			for j := range m {
				x := math.Exp(u[i] + v[j] - p.M[i*m+j])
				must.Within(t, x, got[i*m+j], 1e-13+1e-14*ratio, "plan (%d, %d) by its potentials, and as it is", i, j)
			}
		}
	})
}

// TestSinkhornReference has values from an independent solver (log domain,
// tolerance 1e-14).
func TestSinkhornReference(t *testing.T) {
	var s ot.Sinkhorn
	for _, q := range []struct {
		n, m, k              int
		epsilon              float64
		value, first, corner float64
	}{
		{3, 4, 0, 1, 0.323915139490617, 0.0552674093212599, 0.0580349709425467},
		{5, 5, 1, 0.1, 0.31847046384052, 0.157686762641471, 0.00164038733338227},
		{6, 4, 2, 0.1, 0.251097201397731, 0.173869806758089, 0.000165329136874787},
		{7, 9, 3, 0.01, 0.317562531776232, 0.0476190476190476, 1.19197252400893e-20},
		{8, 8, 4, 0.05, 0.330418394534704, 0.000207708277348951, 0.000486256643157162},
	} {
		p := ottest.Problem{A: ottest.Uneven(q.n, q.k), B: ottest.Uneven(q.m, q.k+1)}
		for i := range q.n {
			for j := range q.m {
				p.M = append(p.M, float64((7*i+5*j+3*i*j+q.k)%11)/11+float64((i-j)*(i-j))/64)
			}
		}
		r := entropic(t, &s, p, q.epsilon, &ot.SinkhornSettings{Tol: 1e-14, MaxSweeps: 100000})
		must.Check(t, r.Status, ot.Scaled, "%d x %d: error %v", q.n, q.m, r.MarginalError)
		plan := tight(&s, q.n, q.m)
		for _, c := range [][2]float64{{r.Value, q.value}, {plan[0], q.first}, {plan[len(plan)-1], q.corner}} {
			must.Within(t, c[0], c[1], 1e-10*math.Abs(c[1]), "%d x %d, epsilon %v: reference", q.n, q.m, q.epsilon)
		}
	}
}

// TestSinkhornLimits holds the ends: with a small epsilon the value is that of
// exact transport up to epsilon times the plan's entropy, with a large one the
// plan is the product.
func TestSinkhornLimits(t *testing.T) {
	var s ot.Sinkhorn
	rng := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][2]int{{1, 5}, {6, 6}, {9, 4}, {12, 13}} {
		n, m := shape[0], shape[1]
		p := ottest.Problem{A: ottest.Uneven(n, 0), B: ottest.Uneven(m, 1), M: ottest.RandomCosts(n, m, rng)}
		exact := must.Get(ot.Solve(p.A, p.B, p.M))
		last := math.Inf(1)
		for _, epsilon := range []float64{0.1, 0.01, 0.001, 1e-4, 1e-6} {
			r := entropic(t, &s, p, epsilon, nil)
			must.Check(t, r.Status, ot.Scaled, "%v, epsilon %v: with error %v", shape, epsilon, r.MarginalError)
			if above := r.Value - exact.Value; !(above >= -1e-8 && above <= epsilon*math.Log(float64(n*m))+1e-8) {
				t.Errorf("%v, epsilon %v: value %v, exact %v", shape, epsilon, r.Value, exact.Value)
			}
			if r.Value > last+1e-8 {
				t.Errorf("%v, epsilon %v: value %v above that of the larger epsilon, %v", shape, epsilon, r.Value, last)
			}
			last = r.Value
			must.Within(t, r.Objective, r.DualValue, 1e-7, "%v, epsilon %v: objective, and dual", shape, epsilon)
		}
		entropic(t, &s, p, 1e9, nil)
		for k, x := range tight(&s, n, m) {
			must.Within(t, x, p.A[k/m]*p.B[k%m], 1e-9, "%v, large epsilon: entry %d, and of the product", shape, k)
		}
	}
}

// TestSinkhornSymmetries permutes and transposes.
func TestSinkhornSymmetries(t *testing.T) {
	var s ot.Sinkhorn
	set := &ot.SinkhornSettings{Tol: 1e-13, MaxSweeps: 100000}
	rapid.Check(t, func(t *rapid.T) {
		p := drawEntropic(t, 1)
		n, m := len(p.A), len(p.B)
		entropic(t, &s, p, 0.5, set)
		plan := tight(&s, n, m)
		rng := rand.New(rand.NewPCG(7, rapid.Uint64().Draw(t, "permutation")))
		rows, cols := rng.Perm(n), rng.Perm(m)
		q := ottest.Problem{A: make([]float64, n), B: make([]float64, m), M: make([]float64, n*m)}
		swapped := ottest.Problem{A: p.B, B: p.A, M: make([]float64, n*m)}
		for i := range n {
			q.A[i] = p.A[rows[i]]
			for j := range m {
				q.B[j] = p.B[cols[j]]
				q.M[i*m+j] = p.M[rows[i]*m+cols[j]]
				swapped.M[j*n+i] = p.M[i*m+j]
			}
		}
		entropic(t, &s, q, 0.5, set)
		permuted := tight(&s, n, m)
		entropic(t, &s, swapped, 0.5, set)
		transposed := tight(&s, m, n)
		for i := range n {
			for j := range m {
				must.Within(t, permuted[i*m+j], plan[rows[i]*m+cols[j]], 1e-10, "permuted entry (%d, %d)", i, j)
				must.Within(t, transposed[j*n+i], plan[i*m+j], 1e-10, "transposed entry (%d, %d)", i, j)
			}
		}
	})
}

// TestSinkhornWarm goes from one epsilon to a nearby one in fewer sweeps.
func TestSinkhornWarm(t *testing.T) {
	var s ot.Sinkhorn
	rng := rand.New(rand.NewPCG(5, 6))
	p := ottest.Problem{A: ottest.Uneven(12, 0), B: ottest.Uneven(10, 1), M: ottest.RandomCosts(12, 10, rng)}
	cold := entropic(t, &s, p, 0.01, nil)
	entropic(t, &s, p, 0.0105, nil)
	warm := must.Get(s.Solve(p.M, 10, 0.01, &ot.SinkhornSettings{Start: ot.Warm}))
	if warm.Sweeps >= cold.Sweeps || !(math.Abs(warm.Value-cold.Value) <= 1e-7) {
		t.Errorf("warm: %d sweeps to %v; cold: %d to %v", warm.Sweeps, warm.Value, cold.Sweeps, cold.Value)
	}
}

// TestSinkhornZeros scales kernels with zeros.
func TestSinkhornZeros(t *testing.T) {
	inf := math.Inf(1)
	var s ot.Sinkhorn
	must.Do(t, s.Reset([]float64{0.5, 0.5, 0}, []float64{0.25, 0.75}))
	M := []float64{inf, 2000, 5, -3000, 0, 0}
	set := &ot.SinkhornSettings{Tol: ot.Never, MaxSweeps: 60, Direct: true}
	r := must.Get(s.Solve(M, 2, 1, set))
	got := tight(&s, 3, 2)
	want := []float64{0, 0.5, 0.25, 0.25, 0, 0}
	for k := range got {
		must.Within(t, got[k], want[k], 1e-12, "entry %d of the scaled kernel", k)
	}
	must.Within(t, r.MarginalError, 0, 1e-12, "row error")
	u, v := s.Potentials()
	if len(u) != 3 || len(v) != 2 || u[2] != -inf {
		t.Fatalf("potentials %v and %v", u, v)
	}
	for k, x := range M {
		must.Within(t, math.Exp(u[k/2]-x+v[k%2]), want[k], 1e-11, "by its potentials entry %d of the plan", k)
	}
	// Both columns' mass would have to come from half of it.
	if r, err := s.Solve([]float64{inf, inf, 5, -3000, 0, 0}, 2, 1, set); r.Status != ot.Unscalable || !errors.Is(err, ot.ErrInfeasible) {
		t.Errorf("row of zeros: %v, %v", r.Status, err)
	}
	set.Start = ot.Warm
	if r, err := s.Solve([]float64{inf, 0, inf, 0, 0, 0}, 2, 1, set); r.Status != ot.Unscalable || !errors.Is(err, ot.ErrInfeasible) {
		t.Errorf("column of zeros: %v, %v", r.Status, err)
	}
	// After that it starts anew.
	set.MaxSweeps = 1
	if r := must.Get(s.Solve(make([]float64, 6), 2, 1, set)); r.Status != ot.Scaled {
		t.Errorf("constant kernel: %v, error %v", r.Status, r.MarginalError)
	}
}

func TestSinkhornErrors(t *testing.T) {
	var s ot.Sinkhorn
	if err := new(ot.Sinkhorn).Reset(nil, []float64{1}); !errors.Is(err, ot.ErrWeights) {
		t.Errorf("no weights: %v", err)
	}
	if err := s.Reset([]float64{1, -1}, []float64{1}); !errors.Is(err, ot.ErrWeights) {
		t.Errorf("negative weight: %v", err)
	}
	if err := s.Reset([]float64{1}, []float64{1, math.NaN()}); !errors.Is(err, ot.ErrWeights) {
		t.Errorf("weight that is no number: %v", err)
	}
	if err := s.Reset([]float64{1}, []float64{0.4, 0.5}); !errors.Is(err, ot.ErrUnbalanced) {
		t.Errorf("unequal sums: %v", err)
	}
	must.Do(t, s.Reset([]float64{1}, []float64{0.5, 0.5}))
	for _, M := range [][]float64{{1, math.NaN()}, {math.Inf(-1), 1}, {1, 1e305}} {
		if _, err := s.Solve(M, 2, 1, nil); !errors.Is(err, ot.ErrCost) {
			t.Errorf("costs %v: %v", M, err)
		}
	}
	if _, err := s.Solve([]float64{1, 2}, 2, 1e308, nil); !errors.Is(err, ot.ErrCost) {
		t.Errorf("an objective that overflows: %v", err)
	}
	for _, epsilon := range []float64{0, -1, math.NaN(), math.Inf(1)} {
		if _, err := s.Solve([]float64{1, 2}, 2, epsilon, nil); err == nil {
			t.Errorf("epsilon %v: no error", epsilon)
		}
	}
	if _, err := s.Solve([]float64{1, 2}, 2, 1, &ot.SinkhornSettings{MaxSweeps: -1}); err == nil {
		t.Error("MaxSweeps -1: no error")
	}
	must.Panic(t, "", map[string]func(){
		"no Reset":      func() { _, _ = new(ot.Sinkhorn).Solve([]float64{1}, 1, 1, nil) },
		"short costs":   func() { _, _ = s.Solve([]float64{1}, 2, 1, nil) },
		"narrow stride": func() { s.Round([]float64{1, 2}, 1) },
	})
}

// TestSinkhornAllocation holds that a warm workspace allocates nothing, in the
// kernel domain or beyond it.
func TestSinkhornAllocation(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	p := ottest.Problem{A: ottest.Uneven(13, 0), B: ottest.Uneven(10, 1), M: ottest.RandomCosts(13, 10, rng)}
	var s ot.Sinkhorn
	for _, epsilon := range []float64{1, 1e-6} {
		set := &ot.SinkhornSettings{MaxSweeps: 20}
		if a := testing.AllocsPerRun(5, func() { entropic(t, &s, p, epsilon, set) }); a != 0 {
			t.Errorf("epsilon %v: %v allocations", epsilon, a)
		}
	}
}
