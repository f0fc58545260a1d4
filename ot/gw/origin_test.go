package gw_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// TestOrigin holds the rule: the first row, unless it lies far off with little weight.
func TestOrigin(t *testing.T) {
	for name, c := range map[string]struct {
		A, p [][]float64
		want float64
	}{
		"near":         {[][]float64{{5, 0}, {1, 2}}, [][]float64{{0, 1}, {.5, .5}}, 5},
		"far, no mass": {[][]float64{{1e6, 0}, {0, 1}}, [][]float64{{0, 1}, {0, 1}}, 0},
		"far, mass":    {[][]float64{{1e6, 0}}, [][]float64{{.5, .5}}, 1e6},
		"one point":    {[][]float64{{3, 3}}, [][]float64{{.5, .5}}, 3},
	} {
		if got := gw.Origin(c.A, c.p, 1); got[0] != c.want {
			t.Errorf("%s: %v, want %v", name, got[0], c.want)
		}
	}
}

// shifted is a random graph with c added to all entries.
func shifted(t testing.TB, rng *rand.Rand, n int, c float64) *gw.Space {
	C := gwtest.Symmetric(n, rng.Float64)
	for k := range C {
		C[k] += c
	}
	return space(t, C, nil, nil, 0)
}

// TestOffset holds that a number added to all entries changes no objective: it was 390 % off at 1e4.
func TestOffset(t *testing.T) {
	for seed := range uint64(10) {
		solve := func(c float64) (exact, proximal float64) {
			rng := rand.New(rand.NewPCG(seed, 1))
			x := shifted(t, rng, 7, c)
			y := shifted(t, rng, 9, c)
			r := must.Get(gw.SolveSpaces(context.Background(), x, y, 1, nil))
			q := must.Get(new(gw.Proximal).Solve(context.Background(), x, y, 1, nil, &gw.ProximalSettings{Gamma: .1, Round: true}))
			return r.Value, q.Value
		}
		want, wantQ := solve(0)
		for _, c := range []float64{1e2, 1e4, 1e6, 1e8} {
			tol := 1e-8 + 1e-16*c*10
			got, gotQ := solve(c)
			must.Within(t, got, want, tol*want+1e-15*c, "seed %d, offset %g: value", seed, c)
			must.Within(t, gotQ, wantQ, 1e-2*wantQ+1e-15*c, "seed %d, offset %g: proximal value", seed, c)
		}
	}
}

// TestOffsetRule holds that ordinary structures have none.
func TestOffsetRule(t *testing.T) {
	for _, c := range []struct {
		n    int
		c    float64
		want float64
	}{{136, 0, 0}, {9, 1, 0}, {9, 1e3, 1e3}, {1, 5, 5}, {1, 0, 0}} {
		C := make([]float64, c.n*c.n)
		for k := range C {
			C[k] = c.c
			if c.c == 0 && k%(c.n+1) != 0 {
				C[k] = 1 // a complete graph
			}
			if c.c == 1 && k%(c.n+1) == 0 {
				C[k] = 0
			}
		}
		s := must.Get(gw.NewSpace(C, nil, c.n, 0, nil))
		must.Check(t, gw.Offset(s, s), c.want, "%+v: offset", c)
	}
}

// TestSolveNamesTheWeights holds that errors of weights name p or q: p was called C1.
func TestSolveNamesTheWeights(t *testing.T) {
	C := [][]float64{{0, 1}, {1, 0}}
	must.Fail(t, must.Err(gw.Solve(context.Background(), C, C, []float64{1, -1}, nil, nil)), "gw: p: weight 1 is -1")
	must.Fail(t, must.Err(gw.Solve(context.Background(), C, C, nil, []float64{1, 1}, nil)), "gw: q: weights sum to 2")
	r, err := gw.Solve(context.Background(), C, C, []float64{float64(float32(1) / 3), float64(float32(2) / 3)}, nil, nil)
	if err != nil || !(r.Value >= 0) {
		t.Error("weights of single precision:", err)
	}
}

// TestBarycentreLeavesSaddles holds that a constant start and the identity end as low as a start from one of the graphs: half of them
// ended in a constant.
func TestBarycentreLeavesSaddles(t *testing.T) {
	const n = 6
	flat, one := make([]float64, n*n), make([]float64, n*n)
	for k := range flat {
		flat[k] = .5
		if k%(n+1) == 0 {
			one[k] = 1
		}
	}
	var sum [3]float64
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 2))
		x := shifted(t, rng, n, 0)
		y := shifted(t, rng, n, 0)
		for k, start := range [][]float64{gwtest.Structure(x), flat, one} {
			s := must.Get(gw.NewSpace(start, nil, n, 0, nil))
			r := must.Get(gw.Barycentre(context.Background(), []*gw.Space{x, y}, nil, s, 1, nil))
			sum[k] += r.Value / 40
		}
	}
	t.Log(sum)
	for k, v := range sum[1:] {
		if v > 1.2*sum[0] {
			t.Errorf("start %d: %v on average, %v from a graph", k+1, v, sum[0])
		}
	}
}
