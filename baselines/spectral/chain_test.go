package spectral_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/baselines/spectral"
	"ogdl/ot/gw"
)

// TestChain: with starts from a chain no distance is above that from p q' alone and some are below, equal graphs stay equal, and
// neither the blocks nor the workers change a bit.
func TestChain(t *testing.T) {
	graphs := collection(t, newRand(3), 24, 0)
	plain, _, err := spectral.Distances(ctx, graphs, 1, nil, 2)
	if err != nil {
		t.Fatal(err)
	}
	var want []float64
	for _, blocks := range []int{1, 7, 50} {
		set := &spectral.PairSettings{Blocks: blocks, Chain: gw.ChainSettings{Starts: 4, Skip: 3},
			Rand: func(i, j int) *rand.Rand { return rand.New(rand.NewPCG(uint64(i), uint64(j))) }}
		got, stats, err := spectral.Distances(ctx, graphs, 1, set, blocks%3)
		if err != nil {
			t.Fatal(err)
		}
		if want != nil && !slices.Equal(got, want) {
			t.Errorf("other distances in %d blocks", blocks)
		}
		want = got
		if stats.Solves == 0 || stats.Iterations == 0 {
			t.Errorf("nothing counted: %+v", stats)
		}
	}
	lower := 0
	for k, d := range want {
		switch {
		case d > plain[k]:
			t.Errorf("pair %d: %v, from p q' alone %v", k, d, plain[k])
		case d < plain[k]:
			lower++
		}
	}
	if lower < len(want)/10 {
		t.Errorf("%d of %d distances are lower", lower, len(want))
	}
	if _, _, err := spectral.Distances(ctx, graphs, 1, &spectral.PairSettings{Rand: func(int, int) *rand.Rand { return nil }}, 1); err == nil {
		t.Error("no draws, no error")
	}
}

// TestEigenvalues: those of a matrix with known ones, of every order.
func TestEigenvalues(t *testing.T) {
	for _, n := range []int{1, 2, 5, 70} {
		A := make([]float64, n*n) // ones: n once, and 0
		for i := range A {
			A[i] = 1
		}
		values, err := spectral.Eigenvalues(ctx, A, n)
		if err != nil || len(values) != n {
			t.Fatal(values, err)
		}
		for k, v := range values {
			want := 0.0
			if k == n-1 {
				want = float64(n)
			}
			if v < want-1e-12*float64(n) || v > want+1e-12*float64(n) {
				t.Errorf("n = %d: eigenvalue %d is %v, want %v", n, k, v, want)
			}
		}
	}
}
