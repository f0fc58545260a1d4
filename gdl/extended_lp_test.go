package gdl_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/gdl"

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
	for seed := range uint64(3000) {
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
		p := gdl.RandomWeights(rng, n)
		h := make([][]float64, s)
		kind := draw()
		tiny := math.Pow(10, -13*rng.Float64())
		for k := range h {
			h[k] = gdl.RandomWeights(rng, m)
			switch kind {
			case 1: // equal
				for l := range h[k] {
					h[k][l] = 1 / float64(m)
				}
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
			for i := range p {
				p[i] = 1 / float64(n)
			}
		}
		f.Bind(p, h)
		for range 5 { // warm
			g, c := costs(rng, n, m, s)
			x, y, u, v, optimal := f.Solve(g, c)
			// Weights that differ by less than about 1e-6 without being equal may
			// cost optimality, which slack tells, but never feasibility.
			slack := f.Slack()
			certified := kind != 2 || tiny > 1e-4
			if certified && (!optimal || slack > 1e-6) {
				t.Fatalf("optimal: %v, slack %v", optimal, slack)
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
			if arc+side > 1e-9+slack {
				t.Fatalf("reduced costs of %v and %v, slack %v", -arc, -side, slack)
			}
			if slack > 1e-9 {
				slacks++
			}
			for i := range p {
				dual += p[i] * u[i]
			}
			compare(t, "rows", row, p, 1e-13)
			compare(t, "columns", col, want, 1e-13)
			if certified && math.Abs(value-dual) > 1e-9+slack {
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
