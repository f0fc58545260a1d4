package gw_test

import (
	"context"
	"math/rand/v2"
	"testing"

	"ogdl/datasets"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// Between the first graph of IMDB-M and its 530th the objective is flat from p q' to
// the first vertex, which is no place to stay: its gap is .163.
func TestLeavesPlateaus(t *testing.T) {
	graphs, _ := gwtest.Load(t, "IMDB-MULTI", datasets.KindAdjacency, datasets.KindNone)
	r := solve(t, graphs[0], graphs[529], 1, nil, nil)
	if r.Status != gw.Converged || !(r.Value <= 0.55) || !(r.Gap <= 1e-3) {
		t.Errorf("value %v, gap %v, %v after %d iterations; below the plateau there is .527", r.Value, r.Gap, r.Status, r.Iterations)
	}
}

// Complete graphs: the product coupling is stationary and every vertex is as good.
func TestPlateauWithoutEnd(t *testing.T) {
	r, err := gw.SolveSpaces(context.Background(), space(t, complete(5), nil, nil, 0), space(t, complete(7), nil, nil, 0), 1, nil)
	if err != nil || r.Status != gw.Converged || r.Iterations > 10 {
		t.Errorf("%v after %d iterations: %v", r.Status, r.Iterations, err)
	}
}

func complete(n int) []float64 { return gwtest.Symmetric(n, func() float64 { return 1 }) }

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
