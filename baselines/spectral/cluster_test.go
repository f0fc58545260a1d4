package spectral_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/baselines/spectral"
	"ogdl/eval"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

var all = []spectral.Labels{spectral.KMeans, spectral.KMeansUnit, spectral.Discretise}

// same checks that two labellings are the same partition.
func same(t interface{ Errorf(string, ...any) }, what string, got, want []int) {
	if eval.AdjustedRandIndex(got, want) != 1 {
		t.Errorf("%s: labels %v, want %v", what, got, want)
	}
}

func TestBlobs(t *testing.T) {
	for _, labels := range all {
		for seed := range uint64(6) {
			k := 2 + int(seed)%4
			D, want := blobs(newRand(seed), 60, k, .3)
			r := must.Get(spectral.Cluster(context.Background(), D, 60, k, 1, &spectral.Settings{Labels: labels}, newRand(seed)))
			same(t, string(labels), r.Labels, want)
			if r.Capped != 0 || r.Iterations < 1 || len(r.Eigenvalues) != k+1 {
				t.Errorf("%s: %d capped, %d iterations, eigenvalues %v", labels, r.Capped, r.Iterations, r.Eigenvalues)
			}
			if gap := r.Eigenvalues[k] - r.Eigenvalues[k-1]; gap < .1 {
				t.Errorf("%d blobs have eigenvalues %v", k, r.Eigenvalues)
			}
		}
	}
}

// TestRing has a ring around a blob, which k-means on the points cannot tell apart.
func TestRing(t *testing.T) {
	rng := newRand(2)
	const n = 150
	x, want := make([]float64, 2*n), make([]int, n)
	for i := range n {
		radius, turn := .3*rng.Float64(), 2*math.Pi*rng.Float64()
		if i >= 50 {
			radius, turn, want[i] = 3, 2*math.Pi*float64(i)/100, 1
		}
		x[2*i], x[2*i+1] = radius*math.Cos(turn), radius*math.Sin(turn)
	}
	D := euclidean(x, n, 2)
	for _, labels := range all {
		r := must.Get(spectral.Cluster(context.Background(), D, n, 2, 12, &spectral.Settings{Labels: labels}, newRand(1)))
		same(t, string(labels), r.Labels, want)
	}
}

// TestComponents recovers k components, in any order of the graphs: between them all
// affinities underflow to 0.
func TestComponents(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		rng := newRand(rapid.Uint64().Draw(r, "seed"))
		k := rapid.IntRange(1, 5).Draw(r, "k")
		n := k + rapid.IntRange(0, 20).Draw(r, "more")
		labels := rapid.SampledFrom(all).Draw(r, "labels")
		want := make([]int, n)
		for i, at := range rng.Perm(n) {
			if want[at] = i; i >= k {
				want[at] = rng.IntN(k)
			}
		}
		D := make([]float64, n*n)
		for i := range n {
			for j := range i {
				v := rng.Float64()
				if want[i] != want[j] {
					v = 2000 + v
				}
				D[i*n+j], D[j*n+i] = v, v
			}
		}
		c := must.Get(spectral.Cluster(context.Background(), D, n, k, 1, &spectral.Settings{Labels: labels}, newRand(7)))
		same(r, string(labels), c.Labels, want)
		if !(c.Eigenvalues[k-1] <= 1e-14) || n > k && c.Eigenvalues[k] < 1e-3 {
			r.Errorf("%d components have eigenvalues %v", k, c.Eigenvalues)
		}
	})
}

// TestSameBytes: equal seeds give equal results, and steps taken apart the same as
// together; the defaults are those documented.
func TestSameBytes(t *testing.T) {
	D, _ := blobs(newRand(3), 50, 4, 2)
	e := must.Get(spectral.Embed(context.Background(), D, 50, 4, .5))
	kept := slices.Clone(e.Vectors)
	for _, labels := range all {
		a := must.Get(spectral.Cluster(context.Background(), D, 50, 4, .5, &spectral.Settings{Labels: labels}, newRand(1)))
		b := must.Get(e.Cluster(&spectral.Settings{Labels: labels, Restarts: 10, MaxIter: 300}, newRand(1)))
		must.Same(t, b, a, "%s", labels)
		if labels == spectral.KMeans {
			c := must.Get(e.Cluster(nil, newRand(1)))
			must.Same(t, a.Labels, c.Labels, "nil settings, and k-means")
		}
	}
	must.Same(t, e.Vectors, kept, "the embedding after labelling")
}

// TestDiscretiseOptimal compares with the best of all partitions of few points, by the
// objective that the iteration descends: seldom above it.
func TestDiscretiseOptimal(t *testing.T) {
	const n, k, instances = 9, 2, 40
	reached := 0
	for seed := range uint64(instances) {
		rng := newRand(seed)
		x := make([]float64, n)
		for i := range x {
			x[i] = rng.NormFloat64()
		}
		e := must.Get(spectral.Embed(context.Background(), euclidean(x, n, 1), n, k, 1))
		r := must.Get(e.Cluster(&spectral.Settings{Labels: spectral.Discretise}, rng))
		best := 0.0
		labels := make([]int, n)
		for mask := range 1 << n {
			for i := range labels {
				labels[i] = mask >> i & 1
			}
			best = max(best, nuclear(e, labels))
		}
		got := nuclear(e, r.Labels)
		if !(got <= best+1e-12) {
			t.Fatalf("seed %d: trace %v above the best, %v", seed, got, best)
		}
		if got > best-1e-9 {
			reached++
		}
	}
	if reached < instances*9/10 {
		t.Errorf("%d of %d at the optimum", reached, instances)
	}
}

// nuclear is the sum of the singular values of P'X for two clusters: with M = P'X,
// (s1 + s2)^2 = |M|^2 + 2 |det M|.
func nuclear(e *spectral.Embedding, labels []int) float64 {
	var size [2]float64
	for i := range e.N {
		for c := range 2 {
			size[c] += e.Vectors[2*i+c] * e.Vectors[2*i+c]
		}
	}
	var m [2][2]float64
	for i, l := range labels {
		x := [2]float64{e.Vectors[2*i] / math.Sqrt(size[0]), e.Vectors[2*i+1] / math.Sqrt(size[1])}
		norm := math.Hypot(x[0], x[1])
		m[l][0] += x[0] / norm
		m[l][1] += x[1] / norm
	}
	f := m[0][0]*m[0][0] + m[0][1]*m[0][1] + m[1][0]*m[1][0] + m[1][1]*m[1][1]
	return math.Sqrt(f + 2*math.Abs(m[0][0]*m[1][1]-m[0][1]*m[1][0]))
}

// TestTinyRows: a row whose length has no reciprocal, as of a graph far from all others under a large gamma, is scaled as any other. It was NaN,
// on which the singular values never ended.
func TestTinyRows(t *testing.T) {
	for _, labels := range []spectral.Labels{spectral.KMeansUnit, spectral.Discretise} {
		e := &spectral.Embedding{N: 6, K: 3, Vectors: []float64{0, 3e-310, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, -5e-324, 4e-310}}
		r := must.Get(e.Cluster(&spectral.Settings{Labels: labels}, newRand(1)))
		same(t, string(labels), r.Labels, []int{1, 0, 0, 1, 2, 2})
	}
}

// TestDiscretiseRows: rows of zeros do not serve as directions, and the lengths of the
// columns do not matter.
func TestDiscretiseRows(t *testing.T) {
	set := &spectral.Settings{Labels: spectral.Discretise, Restarts: 1}
	for seed := range uint64(8) {
		e := &spectral.Embedding{N: 5, K: 3, Vectors: []float64{0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}}
		r := must.Get(e.Cluster(set, newRand(seed)))
		same(t, "axes", r.Labels[1:], []int{0, 0, 1, 2})
		must.Check(t, r.Iterations, 2, "iterations from a start that is the answer")
	}
	D, _ := blobs(newRand(8), 80, 3, 2.5)
	e := must.Get(spectral.Embed(context.Background(), D, 80, 3, 1))
	a := must.Get(e.Cluster(set, newRand(1)))
	for i := range e.N {
		e.Vectors[3*i+1] *= 1024
	}
	b := must.Get(e.Cluster(set, newRand(1)))
	if !slices.Equal(a.Labels, b.Labels) || a.Iterations != b.Iterations {
		t.Errorf("a longer column gives %v, before %v", b.Labels, a.Labels)
	}
}

// TestCaps: a start that the cap ends is counted.
func TestCaps(t *testing.T) {
	D, _ := blobs(newRand(8), 80, 5, 2.5)
	e := must.Get(spectral.Embed(context.Background(), D, 80, 5, 1))
	for _, labels := range all {
		r := must.Get(e.Cluster(&spectral.Settings{Labels: labels, Restarts: 4, MaxIter: 1}, newRand(1)))
		if r.Capped == 0 || r.Iterations != 1 {
			t.Errorf("%s: %d of 4 capped, %d iterations", labels, r.Capped, r.Iterations)
		}
	}
}

func TestClusterErrors(t *testing.T) {
	D, _ := blobs(newRand(1), 10, 2, .1)
	for _, c := range []struct {
		set  spectral.Settings
		want string
	}{
		{spectral.Settings{Labels: "qr"}, `labels "qr", expected "kmeans", "kmeans_unit" or "discretise"`},
		{spectral.Settings{Restarts: -1}, "-1 restarts"},
		{spectral.Settings{MaxIter: -2}, "-2 iterations"},
	} {
		must.Fail(t, must.Err(spectral.Cluster(context.Background(), D, 10, 2, 1, &c.set, newRand(1))), c.want)
	}
	must.Fail(t, must.Err(spectral.Cluster(ctx, D, 10, 2, 1, nil, nil)), "spectral: rng is nil")
	for _, e := range []*spectral.Embedding{{}, {N: 3, K: 2}} {
		must.Fail(t, must.Err(e.Cluster(nil, newRand(1))), "spectral: the embedding is nil or incomplete")
	}
}

// TestLengthsOfRows: a few long rows between two bundles of short ones. They decide
// what k-means finds, and have no weight where rows are scaled to length 1.
func TestLengthsOfRows(t *testing.T) {
	e := &spectral.Embedding{K: 2, Eigenvalues: []float64{0, 0.1, 0.2}}
	bundle := func(rows int, degrees, length float64) {
		for i := range rows {
			a := (degrees + float64(i)/10) * math.Pi / 180
			e.Vectors = append(e.Vectors, length*math.Cos(a), length*math.Sin(a))
			e.N++
		}
	}
	bundle(10, 2, 0.1)
	bundle(10, 80, 0.1)
	bundle(2, 41, 10)
	for labels, apart := range map[spectral.Labels]bool{spectral.KMeans: false, spectral.KMeansUnit: true, spectral.Discretise: true} {
		got := must.Get(e.Cluster(&spectral.Settings{Labels: labels}, rand.New(rand.NewPCG(1, 1))))
		for i := range 10 {
			if got.Labels[i] != got.Labels[0] || got.Labels[10+i] != got.Labels[10] {
				t.Fatalf("%s: a bundle is torn: %v", labels, got.Labels)
			}
		}
		must.Check(t, got.Labels[0] != got.Labels[10], apart, "%s: the bundles are apart in %v", labels, got.Labels)
	}
}
