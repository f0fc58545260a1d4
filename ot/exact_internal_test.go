package ot

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

func (x int128) big() *big.Int {
	r := new(big.Int).Lsh(big.NewInt(x.hi), 64)
	return r.Add(r, new(big.Int).SetUint64(x.lo))
}

// TestFixed compares integers of costs, their sums and their way back with
// arbitrary precision.
func TestFixed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		nodes := rapid.IntRange(2, 2000).Draw(t, "nodes")
		most := math.Ldexp(rapid.Float64Range(0.5, 1).Draw(t, "most"), rapid.IntRange(-1060, 1000).Draw(t, "exponent"))
		f := newFixed(most, nodes)
		sum, want := int128{}, new(big.Int)
		for range nodes {
			x := most * rapid.Float64Range(-1, 1).Draw(t, "x") * math.Ldexp(1, -rapid.IntRange(0, 120).Draw(t, "shift"))
			exact := new(big.Float).SetPrec(400).SetFloat64(x)
			exact.SetMantExp(exact, -f.exp)
			whole, _ := exact.Int(nil) // towards zero
			if got := f.of(x); got.big().Cmp(whole) != 0 {
				t.Fatalf("%v is %v units, want %v", x, got.big(), whole)
			}
			must.Equal(t, sum.less(f.of(x)), (want.Cmp(whole) < 0), "%v < %v", sum.big(), whole)
			if rapid.Bool().Draw(t, "plus") {
				sum, want = sum.plus(f.of(x)), want.Add(want, whole)
			} else {
				sum, want = sum.minus(f.of(x)), want.Sub(want, whole)
			}
		}
		must.Equal(t, sum.big().Cmp(want), 0, "the order of the sum %v and %v", sum.big(), want)
		back := new(big.Float).SetPrec(200).SetInt(want)
		back.SetMantExp(back, f.exp)
		exact, _ := back.Float64()
		must.Within(t, f.float(sum), exact, 0x1p-52*math.Abs(exact)+5e-324, "%v units", want)
	})
}

// TestSettleAlone starts the exact pivots at a basis far from the optimum, without
// any in floating point: they end, and every basis on the way is a strongly feasible
// one.
func TestSettleAlone(t *testing.T) {
	rng := rand.New(rand.NewPCG(12, 13))
	for _, shape := range [][2]int{{12, 12}, {30, 20}, {90, 60}} {
		n, m := shape[0], shape[1]
		a, b := uniform(n), uniform(m)
		for _, ties := range []bool{false, true} {
			M := make([]float64, n*m)
			for k := range M {
				M[k] = rng.Float64()
				if ties {
					M[k] = float64(rng.IntN(2))
				}
				if rng.IntN(3) == 0 {
					M[k] *= 1e15
				}
			}
			var s, ref Solver
			for _, x := range []*Solver{&s, &ref} {
				must.Do(t, x.Reset(a, b))
			}
			s.SolveRankOne(a, b)
			s.setCosts(M, m)
			s.tree.forbidden = 0
			pivots := 0
			if st := s.settle(true, &pivots); st != Optimal || pivots == 0 {
				t.Errorf("%v: %v after %d pivots", shape, st, pivots)
			}
			checkTree(t, &s)
			want := must.Get(ref.Solve(M, m, Cold))
			s.arcs = false
			var r Result
			s.certify(M, m, &r)
			if r.Value != want.Value || !(math.Abs(r.Gap) <= 1e-15*math.Max(1, r.Value)) {
				t.Errorf("%v: %+v, cold %+v", shape, r, want)
			}
		}
	}
}
