package ot

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/internal/vec"

	"pgregory.net/rapid"
)

// Pivots is the number of basis changes of the last solve.
func (s *Solver) Pivots() int { return s.pivots }

// checkTree checks what every basis must be: a spanning tree with the right
// subtree masks and an order of parents first, non-negative flows that meet the
// weights, and no empty arc that points down (strong feasibility).
func checkTree(t rapid.TB, s *Solver) {
	t.Helper()
	n, nodes := s.rows, s.rows+s.cols
	balance := make([]int64, nodes)
	copy(balance, s.supply)
	copy(balance[n:], s.demand)
	for k := range nodes {
		nd := s.node[k]
		if k == s.root {
			must.Equal(t, nd.Parent, -1, "the root has parent")
			continue
		}
		p := int(nd.Parent)
		if (k < n) == (p < n) {
			t.Fatalf("arc %d-%d within one side", k, p)
		}
		if nd.Flow < 0 || nd.Flow == 0 && k >= n {
			t.Fatalf("flow %d on the arc of node %d of %d rows", nd.Flow, k, n)
		}
		balance[k] -= nd.Flow
		balance[p] -= nd.Flow
	}
	for k, x := range balance {
		must.Equal(t, x, 0, "node %d is off its weight by", k)
	}
	for k := range nodes {
		above := make([]bool, nodes) // k and the nodes above it
		for p := k; p != -1; p = int(s.node[p].Parent) {
			if above[p] {
				t.Fatal("a cycle of parents")
			}
			above[p] = true
		}
		for top := range nodes {
			var has bool
			if s.words > 0 {
				has = s.mask(top)[k>>6]>>(k&63)&1 == 1
			} else {
				has = s.node[top].Mask[k>>6]>>(k&63)&1 == 1
			}
			must.Equal(t, has, above[top], "mask of %d has %d", top, k)
		}
	}
	s.reorder()
	seen := make([]bool, nodes)
	seen[s.root] = true
	for _, k := range s.order[1:nodes] {
		if seen[k] || !seen[s.node[k].Parent] {
			t.Fatalf("node %d out of order", k)
		}
		seen[k] = true
	}
}

// uniform weighs n nodes alike.
func uniform(n int) []float64 { return slices.Repeat([]float64{1 / float64(n)}, n) }

// TestTree looks at the basis after every pivot.
func TestTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(1, 12).Draw(t, "n"), rapid.IntRange(1, 12).Draw(t, "m")
		switch rapid.IntRange(0, 5).Draw(t, "wide") {
		case 0:
			m += narrow // masks in tree.wide
		case 1:
			m += 64 // masks of two words
		}
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
		integers := rapid.Bool().Draw(t, "ties")
		a, b := make([]float64, n), make([]float64, m)
		for _, w := range [][]float64{a, b} {
			sum := 0.0
			for i := range w {
				w[i] = float64(1 + rng.IntN(4))
				sum += w[i]
			}
			for i := range w {
				w[i] /= sum
			}
		}
		M := make([]float64, n*m)
		for k := range M {
			M[k] = rng.Float64()
			if integers {
				M[k] = float64(rng.IntN(3))
			}
		}
		var s Solver
		must.Do(t, s.Reset(a, b))
		if s.swapped {
			n, m, a, b = m, n, b, a
		}
		s.tree.c, s.tree.ld = M, m
		if rapid.Bool().Draw(t, "north-west") {
			s.northWest(a, b)
		} else {
			s.greedy()
		}
		checkTree(t, &s)
		s.initPi()
		for step := range 60 {
			i, v := step%n, s.pi[n:n+m]
			j := vec.Least(M[i*m:i*m+m], v, -1e-12-s.pi[i])
			if j < 0 {
				continue
			}
			rc := M[i*m+j] - v[j] + s.pi[i]
			if s.words > 0 {
				s.pivotWide(i, n+j, rc)
			} else {
				s.pivot(i, n+j, rc)
			}
			checkTree(t, &s)
			kept := append([]float64{}, s.pi[:n+m]...)
			shift := kept[s.root]
			s.initPi()
			for k, x := range s.pi[:n+m] {
				must.Within(t, x, kept[k]-shift, 1e-13, "potential of node %d", k)
			}
		}
	})
}

// TestPivotLimit shortens the rounds until the limit is met: the plan stays
// feasible, and the gap says how good it is.
func TestPivotLimit(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 40
	w := make([]float64, n)
	for i := range w { // not all equal: an assignment needs no pivots
		w[i] = float64(1+i%2) / (1.5 * n)
	}
	M := make([]float64, n*n)
	for k := range M {
		M[k] = rng.Float64()
	}
	var s, ref Solver
	for _, x := range []*Solver{&s, &ref} {
		must.Do(t, x.Reset(w, w))
	}
	best := must.Get(ref.Solve(M, n, Cold))
	if best.Pivots <= maxRounds {
		t.Fatalf("%d pivots: the problem is too easy for this test", best.Pivots)
	}
	s.round = 1
	r := must.Get(s.Solve(M, n, Cold))
	if r.Status != PivotLimit || r.Pivots != maxRounds {
		t.Errorf("%v after %d pivots, want %v after %d", r.Status, r.Pivots, PivotLimit, maxRounds)
	}
	if !(r.Value > best.Value && r.DualValue <= best.Value && r.Gap >= r.Value-best.Value) {
		t.Errorf("value %v, dual value %v, gap %v around the optimum %v", r.Value, r.DualValue, r.Gap, best.Value)
	}
	must.Check(t, s.SolveUnchecked(M, n, Cold), PivotLimit, "unchecked")
	// Going on from there reaches the optimum.
	s.round = roundPerNode * 2 * n
	if r, err := s.Solve(M, n, Warm); err != nil || r.Status != Optimal || !(math.Abs(r.Value-best.Value) <= 1e-14) {
		t.Errorf("going on: %+v, %v, want the value %v", r, err, best.Value)
	}
}

func TestIntegerMasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kind := rapid.SampledFrom([]string{"integer", "real", "skewed"}).Draw(t, "kind")
		draw := func(name string) (w []float64, sum float64) {
			n := rapid.IntRange(1, 700).Draw(t, name)
			rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 0))
			w = make([]float64, n)
			for i := range w {
				switch kind {
				case "integer":
					w[i] = float64(1 + rng.IntN(9))
				case "real":
					w[i] = rng.Float64()
				case "skewed":
					w[i] = math.Pow(10, -20*rng.Float64())
				}
			}
			sum = must.Get(checkWeights("w", w))
			return w, sum
		}
		a, sa := draw("n")
		b, sb := draw("m")
		ia, ib := make([]int64, len(a)), make([]int64, len(b))
		units := integerMasses(a, b, sa, sb, ia, ib)
		if units > maxUnits {
			t.Fatalf("%d units, above the limit", units)
		}
		if kind == "integer" && bits.OnesCount64(uint64(units)) == 1 && units == maxUnits {
			t.Fatalf("the common denominator of small integers was not found")
		}
		for _, side := range []struct {
			w   []float64
			iw  []int64
			sum float64
		}{{a, ia, sa}, {b, ib, sb}} {
			var total int64
			for i, x := range side.w {
				total += side.iw[i]
				got := float64(side.iw[i]) / float64(units)
				if side.iw[i] < 0 || !(math.Abs(got-x/side.sum) <= 1.6/maxUnits) {
					t.Fatalf("weight %v became %v", x/side.sum, got)
				}
			}
			must.Equal(t, total, units, "units of all masses")
		}
	})
}

// TestExactMasses: uniform weights and degrees come out as the integers they are.
func TestExactMasses(t *testing.T) {
	third := 1.0 / 3
	for _, c := range []struct {
		a, b   []float64
		units  int64
		ia, ib []int64
	}{
		{[]float64{third, third, third}, []float64{0.5, 0.5}, 6, []int64{2, 2, 2}, []int64{3, 3}},
		{[]float64{1}, []float64{0.1, 0.2, 0.7}, 10, []int64{10}, []int64{1, 2, 7}},
		{[]float64{3. / 7, 4. / 7}, []float64{0, 1}, 7, []int64{3, 4}, []int64{0, 7}},
	} {
		ia, ib := make([]int64, len(c.a)), make([]int64, len(c.b))
		if units := integerMasses(c.a, c.b, 1, 1, ia, ib); units != c.units {
			t.Errorf("%v, %v: %d units, want %d", c.a, c.b, units, c.units)
		}
		if !slices.Equal(ia, c.ia) || !slices.Equal(ib, c.ib) {
			t.Errorf("%v and %v became %v and %v, want %v and %v", c.a, c.b, ia, ib, c.ia, c.ib)
		}
	}
}

// TestNearTies: differences of 5e-12 of the cost scale still decide. The solve
// starts from the diagonal, the optimum is off it.
func TestNearTies(t *testing.T) {
	var s Solver
	must.Do(t, s.Reset([]float64{0.5, 0.5}, []float64{0.5, 0.5}))
	must.Get(s.Solve([]float64{0, 1, 1, 0}, 2, Cold))
	const less = 1 - 5e-12
	r, err := s.Solve([]float64{1, 1, less, 1}, 2, Warm)
	if err != nil || r.Pivots != 1 || r.Value != (1+less)/2 {
		t.Errorf("%+v, %v: want the value %v after 1 pivot", r, err, (1+less)/2)
	}
}

// TestStartOnRubbish: costs that are not finite still give a basis.
func TestStartOnRubbish(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for _, rubbish := range [][]float64{
		{math.NaN()}, {math.Inf(1)}, {math.Inf(-1)}, {math.NaN(), math.Inf(1), math.Inf(-1), 1}, {1e300, -1e300},
	} {
		for _, shape := range [][2]int{{1, 1}, {1, 6}, {6, 1}, {7, 7}, {5, 12}, {9, 5}} {
			n, m := shape[0], shape[1]
			M := make([]float64, n*m)
			for k := range M {
				M[k] = rubbish[rng.IntN(len(rubbish))]
			}
			var s Solver
			must.Do(t, s.Reset(uniform(n), uniform(m)))
			s.SolveUnchecked(M, m, Cold)
			checkTree(t, &s)
		}
	}
}
