package ottest

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize/convex/lp"
	"pgregory.net/rapid"
)

// Run runs the whole suite on solvers that newSolver makes.
func Run(t *testing.T, newSolver func() Solver) {
	t.Run("problems", func(t *testing.T) { testProblems(t, newSolver) })
	t.Run("linear program", func(t *testing.T) { testLinearProgram(t, newSolver()) })
	t.Run("permutation", func(t *testing.T) { testPermutation(t, newSolver()) })
	t.Run("warm", func(t *testing.T) { testWarm(t, newSolver) })
	t.Run("stride", func(t *testing.T) { testStride(t, newSolver) })
	t.Run("masses", func(t *testing.T) { testMasses(t, newSolver()) })
	t.Run("forbidden", func(t *testing.T) { testForbidden(t, newSolver) })
	t.Run("enumerated", func(t *testing.T) { testEnumerated(t, newSolver) })
	t.Run("infinite", func(t *testing.T) { testInfinite(t, newSolver) })
	t.Run("errors", func(t *testing.T) { testErrors(t, newSolver) })
	t.Run("panics", func(t *testing.T) { testPanics(t, newSolver) })
	t.Run("allocations", func(t *testing.T) { testAllocations(t, newSolver()) })
}

// testProblems solves the table with new solvers and by one that goes from shape to
// shape: nothing may be left over from one problem to the next.
func testProblems(t *testing.T, newSolver func() Solver) {
	s := newSolver()
	for _, p := range Problems() {
		for _, start := range []ot.Start{ot.Cold, ot.Warm} { // no basis since Reset
			first := Verify(t, newSolver(), p, start)
			must.Check(t, Verify(t, s, p, start), first, "%s, %v: a used solver, against a new one", p.Name, start)
		}
	}
}

// testLinearProgram compares values with a general simplex.
func testLinearProgram(t *testing.T, s Solver) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawProblem(t, 5)
		got := Verify(t, s, p, ot.Cold)
		want, ok := generalSimplex(p)
		if !ok {
			t.Skip("the general simplex gave up")
		}
		must.Within(t, got.Value, want, 1e-9*p.scale(), "value, against the general simplex")
	})
}

// generalSimplex solves p as a linear program: row sums, and column sums but the
// last, which depends on the others.
func generalSimplex(p Problem) (value float64, ok bool) {
	n, m := len(p.A), len(p.B)
	if n*m == 1 {
		return p.M[0] * p.A[0], true
	}
	E := mat.NewDense(n+m-1, n*m, nil)
	rhs := append(append([]float64{}, p.A...), p.B[:m-1]...)
	for i := range n {
		for j := range m {
			E.Set(i, i*m+j, 1)
			if j < m-1 {
				E.Set(n+j, i*m+j, 1)
			}
		}
	}
	value, _, err := lp.Simplex(p.M, E, rhs, 1e-12, nil)
	return value, err == nil
}

func drawProblem(t *rapid.T, most int) Problem {
	n, m := rapid.IntRange(1, most).Draw(t, "n"), rapid.IntRange(1, most).Draw(t, "m")
	weights := func(n int, name string) []float64 {
		w := make([]float64, n)
		zeros := rapid.Bool().Draw(t, name+" with zeros")
		for i := range w {
			w[i] = float64(rapid.IntRange(1, 6).Draw(t, name))
			if zeros && i > 0 {
				w[i]--
			}
		}
		return Normalized(w)
	}
	var cost *rapid.Generator[float64]
	if rapid.Bool().Draw(t, "integer costs") {
		cost = rapid.Map(rapid.IntRange(-2, 2), func(k int) float64 { return float64(k) })
	} else {
		cost = rapid.Float64Range(-10, 10)
	}
	return Problem{Name: "drawn", A: weights(n, "a"), B: weights(m, "b"), M: rapid.SliceOfN(cost, n*m, n*m).Draw(t, "M")}
}

// testPermutation: renaming rows and columns leaves the value, and where the
// optimum is unique (real costs) the plan.
func testPermutation(t *testing.T, s Solver) {
	rapid.Check(t, func(t *rapid.T) {
		seed := rapid.Uint64().Draw(t, "seed")
		rng := rand.New(rand.NewPCG(seed, 1))
		n, m := rapid.IntRange(1, 24).Draw(t, "n"), rapid.IntRange(1, 24).Draw(t, "m")
		kind := rapid.SampledFrom([]string{"real", "ties", "negative"}).Draw(t, "costs")
		p := Problem{Name: "as drawn", A: makeWeights("integer", n, rng), B: makeWeights("integer", m, rng), M: makeCosts(kind, n, m, rng)}
		r := Verify(t, s, p, ot.Cold)
		plan := s.Plan(nil)

		rows, cols := rng.Perm(n), rng.Perm(m)
		q := Problem{Name: "permuted", A: make([]float64, n), B: make([]float64, m), M: make([]float64, n*m)}
		for i, x := range rows {
			q.A[i] = p.A[x]
			for j, y := range cols {
				q.B[j] = p.B[y]
				q.M[i*m+j] = p.M[x*m+y]
			}
		}
		rq := Verify(t, s, q, ot.Cold)
		must.Within(t, rq.Value, r.Value, 1e-13*p.scale(), "permuted value")
		if kind == "ties" {
			return
		}
		permuted := s.Plan(nil)
		for i, x := range rows {
			for j, y := range cols {
				if d := permuted[i*m+j] - plan[x*m+y]; !(math.Abs(d) <= 1e-14) {
					t.Fatalf("plan[%d,%d] moved by %v", x, y, d)
				}
			}
		}
	})
}

// testWarm walks through changing costs and compares each warm solve with a cold
// one; where the optimum is unique the plans agree to the bit.
func testWarm(t *testing.T, newSolver func() Solver) {
	rng := rand.New(rand.NewPCG(3, 4))
	for _, shape := range [][2]int{{1, 5}, {5, 5}, {20, 17}, {32, 40}, {90, 80}, {150, 6}, {6, 150}} {
		for _, w := range []string{"uniform", "real", "zeros"} {
			n, m := shape[0], shape[1]
			p := Problem{Name: "warm " + w, A: makeWeights(w, n, rng), B: makeWeights(w, m, rng), M: RandomCosts(n, m, rng)}
			s, cold := newSolver(), newSolver()
			Verify(t, s, p, ot.Cold)
			for step := range 12 {
				for k := range p.M {
					if step%3 == 2 {
						p.M[k] = -p.M[k] // far away
					}
					p.M[k] += 0.1 * rng.Float64()
				}
				warm := VerifyNext(t, s, p, ot.Warm)
				ref := Verify(t, cold, p, ot.Cold)
				must.Within(t, warm.Value, ref.Value, 1e-13*p.scale(), "%s %v step %d: warm value, against a cold one", p.Name, shape, step)
				must.Same(t, s.Plan(nil), cold.Plan(nil), "%s %v step %d: warm plan, against a cold one", p.Name, shape, step)
			}
			// The same costs again: nothing to do.
			must.Check(t, VerifyNext(t, s, p, ot.Warm).Pivots, 0, "%s %v: pivots from the optimal basis", p.Name, shape)
		}
	}
}

// testStride: costs in wider rows, with rubbish between them, give the same
// answer to the bit, through both entries.
func testStride(t *testing.T, newSolver func() Solver) {
	rng := rand.New(rand.NewPCG(5, 6))
	for _, shape := range [][2]int{{1, 3}, {5, 5}, {20, 17}, {17, 20}, {80, 70}, {150, 6}} {
		n, m := shape[0], shape[1]
		a, b := makeWeights("zeros", n, rng), makeWeights("real", m, rng)
		M := RandomCosts(n, m, rng)
		ld := (m + 7) &^ 7
		padded := make([]float64, n*ld)
		for k := range padded {
			padded[k] = []float64{-1e300, 1e300, -7}[k%3]
		}
		for i := range n {
			copy(padded[i*ld:], M[i*m:i*m+m])
		}
		s, q := newSolver(), newSolver()
		for _, x := range []Solver{s, q} {
			must.Do(t, x.Reset(a, b))
		}
		r := must.Get(s.Solve(M, m, ot.Cold))
		rq := must.Get(q.Solve(padded[:(n-1)*ld+m], ld, ot.Cold))
		must.Check(t, rq, r, "%v: padded, against tight", shape)
		want := s.Plan(nil)
		must.Equal(t, q.SolveUnchecked(padded, ld, ot.Cold), ot.Optimal, "%v: unchecked", shape)
		must.Same(t, q.Plan(nil), want, "%v: unchecked plan", shape)
		u, v := q.Potentials()
		for i := range n {
			for j := range m {
				if d := M[i*m+j] - u[i] - v[j]; !(d >= -1e-12) {
					t.Fatalf("%v: unchecked potentials violate (%d,%d) by %v", shape, i, j, -d)
				}
			}
		}
	}
}

// testMasses: totals other than 1, sums off by less than 1e-9, entries far apart.
func testMasses(t *testing.T, s Solver) {
	M := []float64{1, 2, 3, 4, 0, 1}
	Verify(t, s, Problem{"total 30", []float64{10, 20}, []float64{5, 15, 10}, M}, ot.Cold)
	Verify(t, s, Problem{"total 1e-9", []float64{1e-9, 2e-9}, []float64{0.5e-9, 1.5e-9, 1e-9}, M}, ot.Cold)
	Verify(t, s, Problem{"far apart", []float64{1e-15, 1 - 1e-15}, []float64{1e-7, 0.5, 0.5 - 1e-7}, M}, ot.Cold)
	Verify(t, s, Problem{"far below", []float64{1e-300, 1}, []float64{0, 1, 1e-200}, M}, ot.Cold)

	a, b := []float64{0.5, 0.5}, []float64{0.25, 0.25, 0.5 + 9e-10}
	for _, c := range []struct {
		name       string
		a, b       []float64
		aEff, bEff []float64 // what counts
	}{
		{"b off", a, b, a, scaled(b, 1/Sum(b))},
		{"a and b off", scaled(a, 1+5e-10), b, a, scaled(b, 1/Sum(b))},
		{"total 3, b off", scaled(a, 3), scaled(b, 3), scaled(a, 3), scaled(b, 3/Sum(b))},
	} {
		if err := s.Reset(c.a, c.b); err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		VerifyNext(t, s, Problem{c.name, c.aEff, c.bEff, M}, ot.Cold)
	}
}

func scaled(w []float64, f float64) []float64 {
	r := make([]float64, len(w))
	for i, x := range w {
		r[i] = x * f
	}
	return r
}

func testErrors(t *testing.T, newSolver func() Solver) {
	nan, inf := math.NaN(), math.Inf(1)
	half := []float64{0.5, 0.5}
	for _, c := range []struct {
		name string
		a, b []float64
		want error
	}{
		{"none", nil, half, ot.ErrWeights},
		{"negative", []float64{1.5, -0.5}, half, ot.ErrWeights},
		{"NaN", half, []float64{nan, 1}, ot.ErrWeights},
		{"infinite", []float64{inf, 1}, half, ot.ErrWeights},
		{"both infinite", []float64{inf, 1}, []float64{inf, 1}, ot.ErrWeights},
		{"overflowing sum", []float64{1.5e308, 1.5e308}, half, ot.ErrWeights},
		{"all zero", []float64{0, 0}, []float64{0, 0}, ot.ErrWeights},
		{"one side zero", half, []float64{0, 0}, ot.ErrWeights},
		{"unequal", half, []float64{0.5, 0.6}, ot.ErrUnbalanced},
		{"unequal by 2e-6", half, []float64{0.5, 0.5 + 3e-6}, ot.ErrUnbalanced},
		{"unequal and tiny", []float64{1e-12}, []float64{2e-12}, ot.ErrUnbalanced},
	} {
		if err := newSolver().Reset(c.a, c.b); !errors.Is(err, c.want) {
			t.Errorf("%s weights: error %v, want %v", c.name, err, c.want)
		}
	}
	for _, x := range []float64{nan, -inf, 1e301, -math.MaxFloat64} {
		s := newSolver()
		must.Do(t, s.Reset(half, half))
		if _, err := s.Solve([]float64{0, 1, x, 0}, 2, ot.Cold); !errors.Is(err, ot.ErrCost) {
			t.Errorf("cost %v: error %v, want %v", x, err, ot.ErrCost)
		}
		// The rejection leaves a usable solver.
		VerifyNext(t, s, Problem{"after a rejection", half, half, []float64{0, 1, 2, 0}}, ot.Warm)
	}
}

func testPanics(t *testing.T, newSolver func() Solver) {
	half := []float64{0.5, 0.5}
	ready := func() Solver {
		s := newSolver()
		must.Do(t, s.Reset(half, half))
		return s
	}
	failed := func() Solver {
		s := ready()
		if s.Reset(half, []float64{1, 1}) == nil {
			t.Fatal("unequal sums accepted")
		}
		return s
	}
	four := make([]float64, 4)
	must.Panic(t, "ot: ", map[string]func(){
		"solve without reset":          func() { newSolver().SolveUnchecked(four, 2, ot.Cold) },
		"solve after a failed reset":   func() { failed().SolveUnchecked(four, 2, ot.Cold) },
		"ld below m":                   func() { ready().SolveUnchecked(four, 1, ot.Cold) },
		"M too short":                  func() { ready().SolveUnchecked(four[:3], 2, ot.Cold) },
		"checked, M too short":         func() { _, _ = ready().Solve(four[:3], 2, ot.Cold) },
		"arcs before a solve":          func() { ready().Arcs() },
		"potentials before a solve":    func() { ready().Potentials() },
		"plan before a solve":          func() { ready().Plan(nil) },
		"plan of wrong length":         func() { s := ready(); s.SolveUnchecked(four, 2, ot.Cold); s.Plan(four[:3]) },
		"arcs after a failed reset":    func() { failed().Arcs() },
		"potentials after such a fail": func() { failed().Potentials() },
	})
}

// testAllocations: a solver that has seen a shape allocates nothing more.
func testAllocations(t *testing.T, s Solver) {
	rng := rand.New(rand.NewPCG(7, 8))
	for _, shape := range [][2]int{{20, 17}, {90, 80}, {150, 6}} {
		n, m := shape[0], shape[1]
		for _, w := range []string{"uniform", "zeros"} {
			a, b := makeWeights(w, n, rng), makeWeights(w, m, rng)
			M := RandomCosts(n, m, rng)
			plan := make([]float64, n*m)
			all := func() {
				must.Do(t, s.Reset(a, b))
				s.SolveUnchecked(M, m, ot.Cold)
				s.SolveUnchecked(M, m, ot.Warm)
				s.Arcs()
				s.Potentials()
				must.Do(t, must.Err(s.Solve(M, m, ot.Warm)))
				s.Plan(plan)
			}
			all()
			must.Check(t, testing.AllocsPerRun(3, all), 0, "%v %s: allocations", shape, w)
		}
	}
}
