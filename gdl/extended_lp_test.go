package gdl_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

// Feasible X and y, feasible duals and equal values prove each other optimal.
func TestFlexibleIsCertified(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rng := source(rapid.Uint64().Draw(t, "seed"))
		certify(t, rng, func() int { return rng.IntN(4) })
	})
}

// Weights that nearly agree make columns that cannot enter: slack then covers what the
// duals lack.
func TestFlexibleSlack(t *testing.T) {
	slacks := 0
	for seed := range uint64(1000) {
		slacks += certify(t, source(seed), func() int { return 2 })
	}
	t.Logf("%d solves with slack", slacks)
	if slacks == 0 {
		t.Error("no solve had slack")
	}
}

// certify solves random problems and returns how many had slack.
func certify(t rapid.TB, rng *rand.Rand, draw func() int) (slacks int) {
	var f gdl.Flexible
	for range 3 { // in one workspace
		n, m, s := 1+rng.IntN(14), 1+rng.IntN(10), 1+rng.IntN(6)
		p := gwtest.Weights(rng, n, 0.2)
		h := make([][]float64, s)
		kind := draw()
		tiny := math.Pow(10, -13*rng.Float64())
		for k := range h {
			h[k] = gwtest.Weights(rng, m, 0.2)
			switch kind {
			case 1: // equal
				h[k] = slices.Repeat([]float64{1 / float64(m)}, m)
			case 2: // nearly so
				for l := range h[k] {
					h[k][l] = (1 + tiny*h[k][l]) / (float64(m) + tiny)
				}
			case 3: // a corner
				clear(h[k])
				h[k][rng.IntN(m)] = 1
			}
		}
		if rng.IntN(2) == 0 {
			p = slices.Repeat([]float64{1 / float64(n)}, n)
		}
		f.Bind(p, h)
		for range 5 { // warm
			g, c := costs(rng, n, m, s)
			x, y, u, v := f.Solve(g, c)
			// Weights that differ by less than about 1e-6 without being equal may
			// cost optimality, which slack tells, but never feasibility.
			slack := f.Slack()
			certified := kind != 2 || tiny > 1e-4
			if certified && !(slack <= 1e-6) {
				t.Fatalf("slack %v", slack)
			}
			row, col, want := make([]float64, n), make([]float64, m), make([]float64, m)
			value, dual := 0.0, 0.0
			arc, side := 0.0, 0.0 // the most negative reduced costs
			for k := range m {
				for i := range n {
					if !(x[k][i] >= 0) {
						t.Fatalf("X holds %v", x[k][i])
					}
					row[i] += x[k][i]
					col[k] += x[k][i]
					value += x[k][i] * g[k][i]
					arc = max(arc, u[i]+v[k]-g[k][i])
				}
			}
			for a, b := range y {
				if !(b >= 0) {
					t.Fatalf("y holds %v", b)
				}
				value += b * c[a]
				r := c[a]
				for k, z := range h[a] {
					want[k] += b * z
					r += z * v[k]
				}
				side = max(side, -r)
			}
			if !(arc+side <= 1e-9+slack) {
				t.Fatalf("reduced costs of %v and %v, slack %v", -arc, -side, slack)
			}
			if !(slack <= 1e-9) {
				slacks++
			}
			for i := range p {
				dual += p[i] * u[i]
			}
			must.Near(t, "rows", row, p, 1e-13)
			must.Near(t, "columns", col, want, 1e-13)
			if certified && !(math.Abs(value-dual) <= 1e-9+slack) {
				t.Fatalf("value %v, dual %v", value, dual)
			}
		}
	}
	return slacks
}

// costs are real, or small integers, where most vertices tie.
func costs(rng *rand.Rand, n, m, s int) (g [][]float64, c []float64) {
	integer := rng.IntN(2) == 0
	draw := func() float64 {
		if integer {
			return float64(rng.IntN(3))
		}
		return rng.NormFloat64()
	}
	g, c = make([][]float64, m), make([]float64, s)
	for k := range g {
		g[k] = make([]float64, n)
		for i := range g[k] {
			g[k][i] = draw()
		}
	}
	if rng.IntN(2) == 0 {
		for k := range c {
			c[k] = draw()
		}
	}
	return g, c
}

// A basis that stays over many problems gathers rounding in its inverse. With node weights as a dictionary learns them, with zeros and entries
// down to 1e-8, and with costs that tie, it must neither take a column twice, as it once did, nor stop short of the optimum but rarely.
func TestFlexibleStays(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	problems, short := 0, 0
	for range 20 {
		n, m, s := 10+rng.IntN(15), 6+rng.IntN(6), 4+rng.IntN(9)
		h := make([][]float64, s)
		for k := range h {
			h[k] = make([]float64, m)
			for l := range h[k] {
				if rng.IntN(2) == 0 {
					h[k][l] = math.Pow(10, -8*rng.Float64()*rng.Float64())
				}
			}
			if slices.Max(h[k]) == 0 {
				h[k][0] = 1
			}
			gwtest.Normalized(h[k])
		}
		p := slices.Repeat([]float64{1 / float64(n)}, n)
		var f gdl.Flexible
		f.Bind(p, h)
		g, c := costs(rng, n, m, s)
		for range 500 {
			// A step towards a vertex of few values, as an adjacency matrix gives them: many columns tie.
			k, i := rng.IntN(m), rng.IntN(n)
			for l := range g {
				for o := range g[l] {
					g[l][o] *= 0.9
				}
			}
			for l := range g {
				if rng.IntN(3) == 0 {
					g[l][i] += 0.1
				}
			}
			for o := range g[k] {
				if rng.IntN(3) == 0 {
					g[k][o] -= 0.1
				}
			}
			f.Solve(g, c)
			if f.Twice() {
				t.Fatal("the basis has a column twice")
			}
			if problems++; !(f.Slack() <= 1e-9) {
				short++
			}
		}
	}
	if short*1000 > problems {
		t.Errorf("%d of %d problems end short of the optimum", short, problems)
	}
}
