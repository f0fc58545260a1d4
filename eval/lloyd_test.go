package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
)

// TestBoundsChangeNothing runs Lloyd's iterations with and without Hamerly's bounds from the
// same seeding, step by step.
func TestBoundsChangeNothing(t *testing.T) {
	skipped := false
	for seed := range uint64(40) {
		rng := rand.New(rand.NewPCG(seed, 1))
		n, d, k := 30+rng.IntN(100), 1+rng.IntN(6), 2+rng.IntN(7)
		X := make([]float64, n*d)
		for i := range X {
			if seed%2 == 0 {
				X[i] = rng.NormFloat64()
			} else {
				X[i] = float64(rng.IntN(4)) // ties and duplicates
			}
		}
		l := newLloyd(X, n, d, k)
		l.seed(rng)
		l.assignAll()
		for step := range 200 {
			l.update()
			changed := l.assign()
			for i := range n {
				want, own, _ := nearest(l.point(i), l.center, k)
				if int(l.label[i]) != want {
					t.Fatalf("seed %d, step %d, point %d: label %d, nearest centre %d", seed, step, i, l.label[i], want)
				}
				if l.upper[i]*l.upper[i] < own*(1-1e-12) {
					t.Fatalf("seed %d, step %d, point %d: bound %v below the distance", seed, step, i, l.upper[i])
				}
				skipped = skipped || l.upper[i] != math.Sqrt(own)
			}
			if !changed {
				break
			}
		}
	}
	if !skipped {
		t.Error("the bounds never spared a distance")
	}
}

// TestEmptyClusterTakesFarthestPoint starts from centres of which one attracts nothing.
func TestEmptyClusterTakesFarthestPoint(t *testing.T) {
	X := []float64{0, 1, 2, 10}
	l := newLloyd(X, 4, 1, 2)
	l.center[0], l.center[1] = -1-l.shift[0], 1000-l.shift[0]
	l.assignAll()
	if got := slices.Clone(l.label); !slices.Equal(got, []int32{0, 0, 0, 0}) {
		t.Fatalf("labels %v, want all in cluster 0", got)
	}
	if _, converged := l.run(-1, 100); !converged {
		t.Fatal("did not converge")
	}
	must.Same(t, l.label, []int32{0, 0, 0, 1}, "labels, the farthest point alone")
}

// TestSeedingSpreads: once a centre is in one of two tight groups, the other group has all but
// all the weight.
func TestSeedingSpreads(t *testing.T) {
	X := []float64{0, 1e-6, 2e-6, 3e-6, 100, 100 + 1e-6}
	l := newLloyd(X, 6, 1, 2)
	for seed := range uint64(200) {
		l.seed(rand.New(rand.NewPCG(seed, 0)))
		if (l.center[0]+l.shift[0] < 50) == (l.center[1]+l.shift[0] < 50) {
			t.Fatalf("seed %d: both centres in one group: %v", seed, l.center)
		}
	}
}
