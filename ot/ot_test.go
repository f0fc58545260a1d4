package ot_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
	"ogdl/ot"
	"ogdl/ot/ottest"

	"pgregory.net/rapid"
)

func TestConformance(t *testing.T) {
	ottest.Run(t, func() ottest.Solver { return new(ot.Solver) })
}

// TestReference solves ../shared/reference/linear_ot.json, whose larger problems
// come from the generator that the file describes.
func TestReference(t *testing.T) {
	var file struct {
		Problems []struct {
			Seed          uint64
			N             int         `json:"n"`
			M             int         `json:"m"`
			Dense         [][]float64 `json:"M"` // of the smallest problems
			Weights, Cost string
			Value         float64
			FirstCosts    []float64 `json:"first_costs"`
			CostSum       float64   `json:"cost_sum"`
			A, B          []float64
		}
	}
	sharedtest.JSON(t, "linear_ot.json", &file)
	if len(file.Problems) < 30 {
		t.Fatalf("%d problems, expected at least 30", len(file.Problems))
	}
	var s ot.Solver
	for _, q := range file.Problems {
		p := regenerate(q.Seed, q.N, q.M, q.Weights, q.Cost)
		for k, want := range q.FirstCosts {
			must.Within(t, p.M[k], want, 1e-15*max(1, math.Abs(want)), "%s: cost %d, and in the file", p.Name, k)
		}
		must.Within(t, ottest.Sum(p.M), q.CostSum, 1e-12*max(1, math.Abs(q.CostSum)), "%s: sum of costs, and in the file", p.Name)
		for i, row := range q.Dense {
			for j, want := range row {
				tol := 1e-15 * max(1, math.Abs(want))
				must.Within(t, p.M[i*q.M+j], want, tol, "%s: cost (%d,%d), and in the file", p.Name, i, j)
			}
		}
		for i, want := range q.A {
			must.Equal(t, p.A[i], want, "%s: a[%d], and in the file", p.Name, i)
		}
		scale := 1.0
		for _, x := range p.M {
			scale = max(scale, math.Abs(x))
		}
		r := ottest.Verify(t, &s, p, ot.Cold)
		must.Within(t, r.Value, q.Value, 1e-12*scale, "%s: value, and reference", p.Name)
	}
}

// regenerate follows the field "generator" of linear_ot.json.
func regenerate(seed uint64, n, m int, weights, cost string) ottest.Problem {
	state := seed
	next := func() uint64 { state = state*6364136223846793005 + 1442695040888963407; return state }
	u := func() float64 { return float64(next()>>11) * 0x1p-53 }
	ints := func(k int, add, mod uint64) []float64 {
		x := make([]float64, k)
		for i := range x {
			x[i] = float64(add + next()>>33%mod)
		}
		return x
	}
	draw := func(k int) []float64 {
		if weights == "uniform" {
			return ottest.Uniform(k)
		}
		return ottest.Normalized(ints(k, map[string]uint64{"random": 1, "zeros": 0}[weights], 16))
	}
	p := ottest.Problem{Name: fmt.Sprintf("seed %d, %dx%d %s %s", seed, n, m, weights, cost), M: make([]float64, n*m)}
	p.A = draw(n)
	p.B = draw(m)
	switch cost {
	case "real", "neg":
		for k := range p.M {
			p.M[k] = u()
			if cost == "neg" {
				p.M[k] -= 0.5
			}
		}
	case "int4":
		p.M = ints(n*m, 0, 4)
	case "line":
		x, y := ints(n, 0, 10), ints(m, 0, 10)
		for k := range p.M {
			d := x[k/m] - y[k%m]
			p.M[k] = d * d
		}
	case "deg":
		x, y := ints(n, 0, 5), ints(m, 0, 5)
		for k := range p.M {
			d, e := x[k/m], y[k%m]
			p.M[k] = d/float64(n) + e/float64(m) - 2*d*e/float64(n*m)
		}
	default:
		panic("unknown cost " + cost)
	}
	return p
}

// TestRankOne compares SolveRankOne with the simplex, and checks that its basis
// is optimal: a warm solve of the same costs, and of costs that differ by row
// and column constants, makes no pivot.
func TestRankOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(1, 40).Draw(t, "n"), rapid.IntRange(1, 40).Draw(t, "m")
		if rapid.IntRange(0, 9).Draw(t, "oblong") == 0 {
			n *= 8
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		x, y := make([]float64, n), make([]float64, m)
		values := rapid.SampledFrom([]int{3, 1 << 40}).Draw(t, "values") // 3: ties
		for i := range x {
			x[i] = float64(rng.IntN(values)-1) / float64(values)
		}
		for j := range y {
			y[j] = float64(rng.IntN(values)-1) / float64(values)
		}
		p := ottest.Problem{Name: "rank one", A: ottest.Uniform(n), B: ottest.Uniform(m), M: make([]float64, n*m)}
		if rapid.Bool().Draw(t, "weighted") {
			for i := range p.A {
				p.A[i] = float64(rng.IntN(3))
			}
			for j := range p.B {
				p.B[j] = rng.Float64()
			}
			p.A[rng.IntN(n)]++
			ottest.Normalized(p.A)
			ottest.Normalized(p.B)
		}
		for k := range p.M {
			p.M[k] = -x[k/m] * y[k%m]
		}
		var s, ref ot.Solver
		want := ottest.Verify(t, &ref, p, ot.Cold).Value
		must.Do(t, s.Reset(p.A, p.B))
		s.SolveRankOne(x, y)
		rows, cols, mass := s.Arcs()
		var value float64
		for k, w := range mass {
			value += p.M[int(rows[k])*m+int(cols[k])] * w
		}
		must.Within(t, value, want, 1e-13, "value, and simplex")
		u, v := s.Potentials()
		for k, c := range p.M {
			if slack := c - u[k/m] - v[k%m]; slack < -1e-12 {
				t.Fatalf("u+v exceeds M[%d,%d] by %v", k/m, k%m, -slack)
			}
		}
		if r := ottest.VerifyNext(t, &s, p, ot.Warm); r.Pivots != 0 {
			t.Fatalf("%d pivots after SolveRankOne", r.Pivots)
		}
		for k := range p.M {
			p.M[k] += x[k/m] - 2*y[k%m]
		}
		s.SolveRankOne(x, y)
		if r := ottest.VerifyNext(t, &s, p, ot.Warm); r.Pivots != 0 {
			t.Fatalf("%d pivots after adding row and column constants", r.Pivots)
		}
	})
}

func TestRankOneAllocatesNothing(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	x, y := ottest.RandomCosts(60, 1, rng), ottest.RandomCosts(75, 1, rng)
	var s ot.Solver
	must.Do(t, s.Reset(ottest.Uniform(60), ottest.Uniform(75)))
	must.Check(t, testing.AllocsPerRun(5, func() { s.SolveRankOne(x, y); s.Arcs() }), 0, "allocations")
}

func TestRankOnePanics(t *testing.T) {
	var s, fresh ot.Solver
	must.Do(t, s.Reset(ottest.Uniform(2), ottest.Uniform(3)))
	must.Panic(t, "", map[string]func(){
		"short x":  func() { s.SolveRankOne(make([]float64, 1), make([]float64, 3)) },
		"long y":   func() { s.SolveRankOne(make([]float64, 2), make([]float64, 4)) },
		"no reset": func() { fresh.SolveRankOne(nil, nil) },
	})
}

// TestOverflow holds that weights and costs whose products overflow are errors: the value was NaN, "optimal".
func TestOverflow(t *testing.T) {
	M := []float64{1, 2, 3, 4}
	if _, err := ot.Solve([]float64{1e308, 7e307}, []float64{7e307, 1e308}, M); !errors.Is(err, ot.ErrWeights) || !strings.Contains(err.Error(), "sum of a is 1.7e+308") {
		t.Error(err)
	}
	if _, err := ot.Solve([]float64{1e308, 1e308}, []float64{1e308, 1e308}, M); !errors.Is(err, ot.ErrWeights) || !strings.Contains(err.Error(), "sum of a is +Inf") {
		t.Error(err)
	}
	if _, err := ot.Solve([]float64{1e200}, []float64{1e200}, []float64{1e200}); !errors.Is(err, ot.ErrCost) || !strings.Contains(err.Error(), "M has costs") {
		t.Error(err)
	}
	// Weights of single precision.
	if s, err := ot.Solve([]float64{1}, []float64{.5, .5 + 4e-7}, []float64{1, 3}); err != nil || !(math.Abs(s.Value-2) < 1e-6 && s.Gap < 1e-12) {
		t.Errorf("%+v, %v", s, err)
	}
}

// TestSolve is the one-shot form on a problem small enough to solve by hand.
func TestSolve(t *testing.T) {
	got := must.Get(ot.Solve([]float64{0.5, 0.5}, []float64{0.25, 0.75}, []float64{0, 2, 1, 0}))
	// Row 1 serves column 1 with 0.25 at cost 0, and 0.25 of column 2 at cost 2.
	if got.Value != 0.5 || got.Gap != 0 {
		t.Errorf("value %v, gap %v, want 0.5 and 0", got.Value, got.Gap)
	}
	must.Near(t, "plan", got.Plan, []float64{0.25, 0.25, 0, 0.5}, 0)
	// A large cost without mass leaves the digits of the others.
	got = must.Get(ot.Solve([]float64{1}, []float64{.5, 0, .5}, []float64{1, 1e17, 2}))
	if got.Value != 1.5 || got.Gap != 0 || got.U[0]+got.V[0] != 1 || got.U[0]+got.V[2] != 2 || got.U[0]+got.V[1] > 1e17 {
		t.Errorf("with a large cost: %+v", got)
	}
}
