package ottest

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot"
)

// forbiddenCosts are what users write for a pair that must not be used.
var forbiddenCosts = []float64{1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, math.Inf(1)}

// entries returns the ways to solve a problem: checked and unchecked, from nothing, from the basis
// of other costs ("warm"), and from the basis of costs which are alike where they are large
// ("along"), as conditional gradients have them.
func entries(newSolver func() Solver, p Problem) map[string]func(*testing.T) Solver {
	all := map[string]func(*testing.T) Solver{}
	for _, from := range []string{"cold", "warm", "along"} {
		start := ot.Warm
		if from == "cold" {
			start = ot.Cold
		}
		ready := func(t *testing.T) Solver {
			s := newSolver()
			must.Do(t, s.Reset(p.A, p.B))
			other := RandomCosts(len(p.A), len(p.B), rand.New(rand.NewPCG(9, 9)))
			if from == "along" {
				for k, x := range p.M {
					if x > 100 {
						other[k] = min(x, 1e15)
					}
				}
			}
			if from != "cold" {
				s.SolveUnchecked(other, len(p.B), ot.Cold)
			}
			return s
		}
		all["checked, "+from] = func(t *testing.T) Solver {
			s := ready(t)
			VerifyNext(t, s, p, start)
			return s
		}
		all["unchecked, "+from] = func(t *testing.T) Solver {
			s := ready(t)
			must.Check(t, s.SolveUnchecked(p.M, len(p.B), start), ot.Optimal, "%s: status", p.Name)
			return s
		}
		if slices.ContainsFunc(p.M, func(x float64) bool { return math.IsInf(x, 1) }) {
			delete(all, "unchecked, "+from)
		}
	}
	return all
}

// planValue adds up the costs where mass flows.
func planValue(s Solver, p Problem) float64 {
	rows, cols, mass := s.Arcs()
	products := make([]float64, len(mass))
	for k, x := range mass {
		products[k] = x * p.M[int(rows[k])*len(p.B)+int(cols[k])]
	}
	return Sum(products)
}

// testForbidden: the costs of forbidden pairs, however large, do not blur the
// others, neither in the plan nor in the potentials.
func testForbidden(t *testing.T, newSolver func() Solver) {
	for _, B := range forbiddenCosts {
		four := Problem{Name: fmt.Sprintf("two blocks, %g", B), A: Uniform(4), B: Uniform(4), M: []float64{
			.6, .5, B, B,
			.3, .5, B, B,
			B, B, .1, .5,
			B, B, 0, .6}}
		checkForbidden(t, newSolver, four, .325)
		// Five blocks, against costs that are above the others and no more.
		for seed := range uint64(20) {
			const blocks, order = 5, 6
			const n = blocks * order
			rng := rand.New(rand.NewPCG(seed, 1))
			p := Problem{Name: fmt.Sprintf("five blocks, %g, seed %d", B, seed), A: Uniform(n), B: Uniform(n), M: RandomCosts(n, n, rng)}
			ref := Problem{Name: "five blocks, 100", A: p.A, B: p.B, M: append([]float64{}, p.M...)}
			for k := range p.M {
				if k/n/order != k%n/order {
					p.M[k], ref.M[k] = B, 100
				}
			}
			checkForbidden(t, newSolver, p, Verify(t, newSolver(), ref, ot.Cold).Value)
		}
	}
}

func checkForbidden(t *testing.T, newSolver func() Solver, p Problem, want float64) {
	t.Helper()
	n, m := len(p.A), len(p.B)
	for name, solve := range entries(newSolver, p) {
		s := solve(t)
		must.Within(t, planValue(s, p), want, 1e-14, "%s, %s: value", p.Name, name)
		u, v := s.Potentials()
		dual := 0.0
		for i := range n {
			dual += u[i] * p.A[i]
			for j := range m {
				if over := u[i] + v[j] - p.M[i*m+j]; !(over <= 1e-14) {
					t.Fatalf("%s, %s: u+v exceeds M[%d,%d] by %v", p.Name, name, i, j, over)
				}
			}
		}
		for j := range m {
			dual += v[j] * p.B[j]
		}
		must.Within(t, dual, want, 1e-14, "%s, %s: dual value", p.Name, name)
	}
	must.Within(t, Verify(t, newSolver(), p, ot.Cold).Gap, 0, 1e-14, "%s: gap", p.Name)
}

// testEnumerated compares with all plans of small problems, in integers: allowed
// costs are k/1024, and some problems cannot do without forbidden pairs.
func testEnumerated(t *testing.T, newSolver func() Solver) {
	rng := rand.New(rand.NewPCG(6, 10))
	infeasible := 0
	for range 600 {
		units := 1 + rng.IntN(6)
		rows, cols := split(units, rng), split(units, rng)
		n, m := len(rows), len(cols)
		B := forbiddenCosts[rng.IntN(len(forbiddenCosts))]
		share := rng.Float64()
		p := Problem{A: make([]float64, n), B: make([]float64, m), M: make([]float64, n*m)}
		for i, k := range rows {
			p.A[i] = float64(k) / float64(units)
		}
		for j, k := range cols {
			p.B[j] = float64(k) / float64(units)
		}
		integer := make([]int64, n*m)
		const one, forbidden = 1024, int64(1e15) * 1024
		for k := range integer {
			integer[k] = int64(rng.IntN(2001) - 1000)
			p.M[k] = float64(integer[k]) / one
			if rng.Float64() < share {
				integer[k], p.M[k] = forbidden, B
				if !math.IsInf(B, 1) {
					integer[k] = int64(B) * one
				}
			}
		}
		p.Name = fmt.Sprintf("%v to %v, costs %v", rows, cols, p.M)
		best := leastOfAll(rows, cols, integer)
		if math.IsInf(B, 1) && best > forbidden/2 {
			infeasible++
			s := newSolver()
			must.Do(t, s.Reset(p.A, p.B))
			if _, err := s.Solve(p.M, m, ot.Cold); !errors.Is(err, ot.ErrInfeasible) {
				t.Errorf("%s: error %v, want %v", p.Name, err, ot.ErrInfeasible)
			}
			continue
		}
		for name, solve := range entries(newSolver, p) {
			s := solve(t)
			ri, ci, mass := s.Arcs()
			got := int64(0)
			for k, x := range mass {
				got += integer[int(ri[k])*m+int(ci[k])] * int64(math.Round(x*float64(units)))
			}
			// Where forbidden pairs must carry mass, SolveUnchecked may stop within
			// its tolerance of their cost, unless it began with costs like these.
			slack := int64(0)
			if best > one*int64(min(B, 1e15))/2 && strings.HasPrefix(name, "unchecked") && (B > 1e14 || name == "unchecked, warm") {
				slack = int64(2e-13 * B * one * float64(units))
			}
			if got < best || got > best+slack {
				t.Errorf("%s, %s: value %d/1024 units, the least is %d", p.Name, name, got, best)
			}
		}
	}
	if infeasible < 10 {
		t.Errorf("only %d problems without a plan", infeasible)
	}
}

// split writes units as a sum of positive integers.
func split(units int, rng *rand.Rand) []int {
	parts := []int{1}
	for range units - 1 {
		if rng.IntN(3) == 0 {
			parts[len(parts)-1]++
		} else {
			parts = append(parts, 1)
		}
	}
	return parts
}

// leastOfAll tries every plan in whole units.
func leastOfAll(rows, cols []int, c []int64) int64 {
	rows, cols = append([]int{}, rows...), append([]int{}, cols...)
	var walk func(i int) int64
	walk = func(i int) int64 {
		for i < len(rows) && rows[i] == 0 {
			i++
		}
		if i == len(rows) {
			return 0
		}
		best := int64(math.MaxInt64)
		rows[i]--
		for j := range cols {
			if cols[j] > 0 {
				cols[j]--
				best = min(best, c[i*len(cols)+j]+walk(i))
				cols[j]++
			}
		}
		rows[i]++
		return best
	}
	return walk(0)
}

// testInfinite: what +Inf means with weights of zero, weights that are not
// fractions, and costs of any size; and what errors say.
func testInfinite(t *testing.T, newSolver func() Solver) {
	inf := math.Inf(1)
	Verify(t, newSolver(), Problem{"rows and columns without mass, all forbidden",
		[]float64{0, .5, .5}, []float64{.5, 0, .5}, []float64{inf, inf, inf, 1, inf, inf, 3, inf, 2}}, ot.Cold)
	Verify(t, newSolver(), Problem{"zeros", Uniform(2), Uniform(2), []float64{inf, 0, 0, inf}}, ot.Cold)
	Verify(t, newSolver(), Problem{"1e300", Uniform(2), Uniform(2), []float64{1e300, inf, -1e300, 1e300}}, ot.Cold)

	// Blocks whose weights agree to rounding only, wide and oblong ones too.
	rng := rand.New(rand.NewPCG(11, 12))
	for _, shape := range [][2]int{{4, 6}, {30, 30}, {90, 70}, {150, 8}} {
		n, m := shape[0], shape[1]
		p := Problem{Name: fmt.Sprintf("real weights, %v", shape), A: make([]float64, n), B: make([]float64, m), M: RandomCosts(n, m, rng)}
		for half := range 2 {
			for _, w := range [][]float64{p.A[half*n/2 : (half+1)*n/2], p.B[half*m/2 : (half+1)*m/2]} {
				for i := range w {
					w[i] = .1 + rng.Float64()
				}
				for i, sum := 0, Sum(w); i < len(w); i++ {
					w[i] /= 2 * sum
				}
			}
		}
		for k := range p.M {
			if (k/m < n/2) != (k%m < m/2) {
				p.M[k] = inf
			}
		}
		s := newSolver()
		r := Verify(t, s, p, ot.Cold)
		if again := VerifyNext(t, s, p, ot.Warm); again.Pivots != 0 || again.Value != r.Value {
			t.Errorf("%s: %+v, and again %+v", p.Name, r, again)
		}
	}

	s := newSolver()
	half := Uniform(2)
	for _, c := range []struct {
		M    []float64
		want error
		says string
	}{
		{[]float64{0, 1, math.NaN(), 0}, ot.ErrCost, "M[1,0] = NaN"},
		{[]float64{0, math.Inf(-1), inf, 0}, ot.ErrCost, "M[0,1] = -Inf"},
		{[]float64{inf, inf, 0, inf}, ot.ErrInfeasible, "at least 0.5 of the mass 1"},
		{[]float64{inf, inf, inf, inf}, ot.ErrInfeasible, "at least 1 of the mass 1"},
	} {
		must.Do(t, s.Reset(half, half))
		if _, err := s.Solve(c.M, 2, ot.Cold); !errors.Is(err, c.want) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("costs %v: error %v, want %v with %q", c.M, err, c.want, c.says)
		}
		VerifyNext(t, s, Problem{"after an error", half, half, []float64{0, inf, 2, 0}}, ot.Warm)
	}
}
