package gw_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// Between the first graph of IMDB-M and its 530th the objective is flat from p q' to
// the first vertex, which is no place to stay: its gap is .163.
func TestLeavesPlateaus(t *testing.T) {
	d := must.Get(loader.Load(sharedtest.Data(t, "IMDB-MULTI"), "IMDB-M"))
	space := func(i int) *gw.Space {
		m := must.Get(datasets.Structure{Kind: datasets.KindAdjacency}.Matrix(&d.Graphs[i]))
		return must.Get(gw.NewSpace(m, nil, d.Graphs[i].Order(), 0, nil))
	}
	var s gw.Solver
	r := must.Get(s.Solve(context.Background(), space(0), space(529), 1, nil, nil))
	if r.Status != gw.Converged || r.Value > 0.55 || r.Gap > 1e-3 {
		t.Errorf("value %v, gap %v, %v after %d iterations; below the plateau there is .527", r.Value, r.Gap, r.Status, r.Iterations)
	}
}

// Complete graphs: the product coupling is stationary and every vertex is as good.
func TestPlateauWithoutEnd(t *testing.T) {
	complete := func(n int) *gw.Space {
		c := make([]float64, n*n)
		for i := range c {
			if i%(n+1) != 0 {
				c[i] = 1
			}
		}
		return must.Get(gw.NewSpace(c, nil, n, 0, nil))
	}
	var s gw.Solver
	r, err := s.Solve(context.Background(), complete(5), complete(7), 1, nil, nil)
	if err != nil || r.Status != gw.Converged || r.Iterations > 10 {
		t.Errorf("%v after %d iterations: %v", r.Status, r.Iterations, err)
	}
}

// TestZigzags holds that solves which head for a point between few vertices end soon: plain conditional gradient takes 525
// iterations of these in the mean, as some reach the cap of 10000.
func TestZigzags(t *testing.T) {
	rng := rand.New(rand.NewPCG(20, 1))
	var s gw.Solver
	total, most := 0, 0
	for range 200 {
		c, _ := ring(rng, 20, 0)
		x := space(t, c, nil, nil, 0)
		c, _ = ring(rng, 20, 0)
		r, err := s.Solve(ctx, x, space(t, c, nil, nil, 0), 1, nil, nil)
		if err != nil || r.Status != gw.Converged {
			t.Fatal(r.Status, err)
		}
		total += r.Iterations
		most = max(most, r.Iterations)
	}
	if total > 200*12 || most > 200 {
		t.Errorf("%d iterations of 200 solves, %d of one", total, most)
	}
}
