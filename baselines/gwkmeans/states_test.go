package gwkmeans_test

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"testing"
	"time"

	"ogdl/baselines/gwkmeans"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"

	"pgregory.net/rapid"
)

// noisy draws graphs of random structure, whose couplings have many local minima.
func noisy(t testing.TB, rng *rand.Rand, count, least, most int) (graphs []*gw.Space) {
	for range count {
		n := least + rng.IntN(most-least+1)
		c := gwtest.Symmetric(n, func() float64 {
			x := 0.1 * rng.Float64()
			if rng.Float64() < 0.4 {
				x++
			}
			return x
		})
		graphs = append(graphs, space(t, c, nil, n, 0, nil))
	}
	return graphs
}

// TestEnds stops everywhere: an unfinished restart is never kept in place of a finished one,
// and the inertia is that of the state.
func TestEnds(t *testing.T) {
	graphs := noisy(t, source(8), 8, 4, 6)
	set := &gwkmeans.Settings{Restarts: 2}
	seed := uint64(0) // whose second restart is the better one
	for cluster(t, graphs, 3, 1, set, seed).Restart != 1 {
		seed++
	}
	first := cluster(t, graphs, 3, 1, nil, seed)
	late, cancel := context.WithDeadline(ctx, time.Time{})
	defer cancel()
	if _, err := gwkmeans.Cluster(late, graphs, 3, 1, set, source(seed)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("after the deadline: %v", err)
	}
	seeding, within, kept := 0, 0, 0
	for asked := 0; ; asked++ {
		r, err := gwkmeans.Cluster(must.EndAfter(asked), graphs, 3, 1, set, source(seed))
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) || r.Status != gw.Cancelled || r.Restart != 0 || len(r.Labels) != len(graphs) {
			t.Fatalf("asked %d times: %v, %v in restart %d", asked, err, r.Status, r.Restart)
		}
		switch {
		case len(r.Trace) == 0:
			seeding++
			if r.Centroids[1] != nil && math.IsInf(r.Inertia, 1) || r.Centroids[0] == nil && !math.IsInf(r.Inertia, 1) {
				t.Fatalf("asked %d times: inertia %v in the seeding", asked, r.Inertia)
			}
		case r.Inertia == first.Inertia && r.Iterations == first.Iterations:
			kept++
		default:
			within++
			if last := r.Trace[len(r.Trace)-1]; len(r.Trace) != r.Iterations+1 || r.Inertia > last*(1+1e-12) || r.Inertia < first.Inertia*(1-1e-12) {
				t.Fatalf("asked %d times: inertia %v after %v, in the end %v", asked, r.Inertia, r.Trace, first.Inertia)
			}
		}
	}
	if seeding == 0 || within == 0 || kept == 0 {
		t.Errorf("%d ended in the seeding, %d within the first restart, %d after it", seeding, within, kept)
	}
}

// TestEndsRefilled stops after empty clusters took their graphs, which are then at distance
// zero.
func TestEndsRefilled(t *testing.T) {
	graphs := noisy(t, source(9), 9, 6, 6)
	refilled := 0
	for asked := 0; ; asked++ {
		r, err := gwkmeans.From(must.EndAfter(asked), graphs, []int{0, 0, 0}, 1, nil, source(1))
		if err == nil || len(r.Trace) > 1 {
			break
		}
		if r.Refills == 2 {
			if refilled++; r.Inertia > r.Trace[0]*(1-1e-3) {
				t.Fatalf("asked %d times: inertia %v after the refills, %v before", asked, r.Inertia, r.Trace[0])
			}
		}
	}
	if refilled == 0 {
		t.Error("no end after the refills")
	}
}

// TestSettled holds that at the end, when no label changes any more, another round of
// barycentres gains next to nothing, and that no solve from the product of the weights is lower than the inertia.
func TestSettled(t *testing.T) {
	solves := gw.Settings{TolRel: 1e-9, TolAbs: -1}
	set := &gwkmeans.Settings{Tol: -1, GW: solves, Barycentre: gw.BarycentreSettings{Tol: 1e-6}}
	// In the later ones the coupling carried to a centroid is worse than a fresh one.
	for _, seed := range []uint64{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 262, 284, 464, 476} {
		graphs := noisy(t, source(20+seed), 12, 6, 9)
		i := int(seed) % 12
		seeds := []int{i, (i + 5) % 12, (i + 7) % 12}
		if seed%3 == 0 {
			seeds = []int{i, i, (i + 5) % 12} // an empty cluster
		}
		r, gain := must.Get2(gwkmeans.Settle(ctx, graphs, seeds, 1, set, source(seed)))
		must.Equal(t, r.Status, gw.Converged, "seed %d", seed)
		if v := fresh(t, graphs, r, 1, solves); !(r.Inertia <= v*(1+1e-9)) {
			t.Errorf("seed %d: inertia %v, solves from the product of the weights give %v", seed, r.Inertia, v)
		}
		for i, v := range r.Trace[1:] {
			if r.Refills == 0 && v > r.Trace[i]*(1+1e-12) {
				t.Errorf("seed %d: the inertia rose: %v", seed, r.Trace)
			}
		}
		if !(gain <= 1e-6*r.Inertia) {
			t.Errorf("seed %d: barycentres lower the inertia %v by %v", seed, r.Inertia, gain)
		}
	}
}

// TestOne holds that a single cluster has its barycentre, and that no further iteration follows.
func TestOne(t *testing.T) {
	graphs := noisy(t, source(10), 6, 5, 8)
	r := cluster(t, graphs, 1, 1, nil, 1)
	if r.Iterations != 1 || r.Status != gw.Converged || !(r.Trace[1] < 0.9*r.Trace[0]) {
		t.Errorf("%v after %d iterations, trace %v", r.Status, r.Iterations, r.Trace)
	}
}

// TestTol ends where an iteration gains less than asked for.
func TestTol(t *testing.T) {
	graphs := noisy(t, source(11), 20, 5, 8)
	long := cluster(t, graphs, 3, 1, &gwkmeans.Settings{Tol: -1}, 1)
	short := cluster(t, graphs, 3, 1, &gwkmeans.Settings{Tol: 10}, 1)
	if long.Iterations < 2 || short.Iterations != 1 || short.Status != gw.Converged {
		t.Errorf("%d iterations, %d at a large tolerance: %v", long.Iterations, short.Iterations, short.Status)
	}
}

// TestSeeds holds that a graph of the centroids' order and weights is its own seed, whatever a
// solve from the product of the weights finds, and that others start from the nearest order.
func TestSeeds(t *testing.T) {
	graphs := noisy(t, source(12), 6, 9, 9)
	if r := cluster(t, graphs, 6, 1, nil, 1); !(r.Trace[0] <= 1e-12) {
		t.Errorf("inertia %v of as many seeds as graphs", r.Trace[0])
	}
	graphs = append(noisy(t, source(13), 3, 3, 4), noisy(t, source(13), 2, 8, 8)...)
	rapid.Check(t, func(t *rapid.T) {
		order := rapid.IntRange(1, 12).Draw(t, "order")
		got, best := gwkmeans.Nearest(graphs, order, source(rapid.Uint64().Draw(t, "seed"))), math.MaxInt
		for _, g := range graphs {
			best = min(best, max(g.N()-order, order-g.N()))
		}
		must.Equal(t, max(got-order, order-got), best, "distance of order %d from centroids of order %d", got, order)
	})
}
