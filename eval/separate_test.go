package eval

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
)

// TestSeparate: planted groups are counted in each of two draws; a ball, a box, a curve and equal points have no clusters.
func TestSeparate(t *testing.T) {
	t.Parallel()
	const n = 100
	for _, c := range []struct {
		name string
		want int
		at   func(i int, rng *rand.Rand) [3]float64
	}{
		{"ball", 1, func(i int, rng *rand.Rand) [3]float64 {
			return [3]float64{rng.NormFloat64(), rng.NormFloat64(), rng.NormFloat64()}
		}},
		{"box", 1, func(i int, rng *rand.Rand) [3]float64 { return [3]float64{rng.Float64(), rng.Float64()} }},
		{"curve", 1, func(i int, rng *rand.Rand) [3]float64 {
			x := math.Pi * rng.Float64()
			return [3]float64{math.Cos(x), math.Sin(x), 0.02 * rng.NormFloat64()}
		}},
		{"skewed", 1, func(i int, rng *rand.Rand) [3]float64 {
			return [3]float64{rng.ExpFloat64(), rng.ExpFloat64(), rng.ExpFloat64()}
		}},
		{"equal", 1, func(i int, rng *rand.Rand) [3]float64 { return [3]float64{1, 2, 3} }},
		{"two kinds of copies", 2, func(i int, rng *rand.Rand) [3]float64 {
			return [3]float64{float64(i%2) / 3, float64(i%2) / 7}
		}},
		{"two", 2, func(i int, rng *rand.Rand) [3]float64 {
			return [3]float64{float64(6*(i%2)) + rng.NormFloat64(), rng.NormFloat64()}
		}},
		{"unequal", 2, func(i int, rng *rand.Rand) [3]float64 {
			wide := float64(2 * (i % 2))
			return [3]float64{16*float64(i%2) + (1+wide)*rng.NormFloat64(), (1 + wide) * rng.NormFloat64()}
		}},
		{"four", 4, func(i int, rng *rand.Rand) [3]float64 {
			return [3]float64{float64(i%2*8) + rng.NormFloat64(), float64(i/2%2*8) + rng.NormFloat64()}
		}},
	} {
		for seed := range uint64(2) {
			rng := rand.New(rand.NewPCG(seed, 1))
			var X []float64
			for i := range n {
				p := c.at(i, rng)
				X = append(X, p[:]...)
			}
			if k := must.Get(Separate(X, n, 3, rng)); k != c.want {
				t.Errorf("%s, draw %d: %d clusters, want %d", c.name, seed, k, c.want)
			}
		}
	}
}

// TestSeparateMany: well separated clusters are counted up to ten, at the corners of a simplex and on a line.
func TestSeparateMany(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k, d int
		at   func(cluster, axis int) float64
	}{
		{7, 7, func(cluster, axis int) float64 { return float64(20 * (1 - min(1, max(cluster-axis, axis-cluster)))) }},
		{6, 2, func(cluster, axis int) float64 { return float64(20 * cluster * (1 - axis)) }},
		{10, 2, func(cluster, axis int) float64 { return float64(20 * cluster * (1 - axis)) }},
	} {
		rng := rand.New(rand.NewPCG(1, 1))
		X := make([]float64, 25*c.k*c.d)
		for i := range X {
			X[i] = c.at(i/c.d%c.k, i%c.d) + rng.NormFloat64()
		}
		must.Check(t, must.Get(Separate(X, len(X)/c.d, c.d, rng)), c.k, "clusters of dimension %d", c.d)
	}
}

// TestSeparateBadPoints: points that are not finite, or too far apart, are errors, however few they are.
func TestSeparateBadPoints(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 1))
	for _, bad := range []float64{math.NaN(), math.Inf(1)} {
		must.Fail(t, must.Err(Separate([]float64{1, bad, 2}, 3, 1, rng)), "coordinate 0 of point 1")
		must.Fail(t, must.Err(SeparateRepeated([][]float64{{1, 2, 3}, {1, 2, bad}}, 3, rng)), "coordinate 0 of point 2")
	}
	must.Check(t, must.Get(SeparateRepeated([][]float64{{}}, 0, rng)), 1, "clusters of no points")
	must.Fail(t, must.Err(Separate(nil, -1, 1, rng)), "points n is -1")
	must.Fail(t, must.Err(Separate([]float64{1e-160, 0}, 2, 1, rng)), "differs by more than 1e-160")
	far := slices.Concat(make([]float64, 20), slices.Repeat([]float64{1e300}, 20))
	must.Fail(t, must.Err(Separate(far, 40, 1, rng)), "overflow")
	must.Fail(t, must.Err(SeparateRepeated([][]float64{far, far, far}, 40, rng)), "overflow")
}

// TestSeparateLevel: the test keeps its level of 5 % where gaps by chance are largest, on a segment. A test with a level of 15 % would fail
// here in 99 of 100 choices of the seed.
func TestSeparateLevel(t *testing.T) {
	t.Parallel()
	const n, draws, most = 40, 200, 18
	found := 0
	for seed := range uint64(draws) {
		rng := rand.New(rand.NewPCG(seed, 2))
		X := make([]float64, n)
		for i := range X {
			X[i] = rng.Float64()
		}
		if must.Get(Separate(X, n, 1, rng)) > 1 {
			found++
		}
	}
	if found > most {
		t.Errorf("clusters in %d of %d uniform samples, want at most %d", found, draws, most)
	}
}

// TestSeparateRepeated: pieces of a group that differ from repetition to repetition are no clusters; groups are, and also where one
// repetition does not have them.
func TestSeparateRepeated(t *testing.T) {
	t.Parallel()
	const n, repetitions = 80, 5
	for seed := range uint64(2) {
		rng := rand.New(rand.NewPCG(seed, 3))
		var embeddings [][]float64
		for r := range repetitions {
			var X []float64
			for i := range n {
				group := float64(8 * (i % 2))
				if r == 0 {
					group = 0
				}
				piece := float64(8 * rng.IntN(2)) // of the first group
				X = append(X, group+rng.NormFloat64(), rng.NormFloat64()+piece*float64(i%2))
			}
			embeddings = append(embeddings, X)
		}
		if k := must.Get(Separate(embeddings[1], n, 2, rng)); k != 3 {
			t.Errorf("draw %d: %d clusters in one repetition, want 3", seed, k)
		}
		if k := must.Get(SeparateRepeated(embeddings, n, rng)); k != 2 {
			t.Errorf("draw %d: %d clusters, want 2", seed, k)
		}
	}
	rng := rand.New(rand.NewPCG(1, 4))
	var clouds [][]float64
	for r := range repetitions {
		var X []float64
		for i := range n {
			X = append(X, float64(8*(i%2))*float64(r/4)+rng.NormFloat64())
		}
		clouds = append(clouds, X)
	}
	if k := must.Get(SeparateRepeated(clouds, n, rng)); k != 1 {
		t.Errorf("groups in one repetition of five: %d clusters, want 1", k)
	}
	if k, err := SeparateRepeated([][]float64{make([]float64, n)}, n, rng); k != 1 || err != nil {
		t.Errorf("equal points: %d clusters, %v", k, err)
	}
	if _, err := SeparateRepeated(nil, n, rng); err == nil {
		t.Error("no embeddings: no error")
	}
}

func TestFewestWithinError(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		errors [][]float64
		want   int
	}{
		{[][]float64{{9, 9, 9}, {2, 2.2, 2.1}, {2, 2, 2.2}}, 1}, // the difference is within its error
		{[][]float64{{2.1, 3.1, 4.1}, {2, 3, 4}}, 1},            // paired: small, but always there
		{[][]float64{nil, {3}, {2}}, 2},
		{[][]float64{nil, nil}, -1},
	} {
		if got := FewestWithinError(c.errors); got != c.want {
			t.Errorf("%v: row %d, want %d", c.errors, got, c.want)
		}
	}
	must.Panic(t, "eval: row 1", map[string]func(){
		"longer":  func() { FewestWithinError([][]float64{{1, 1}, {3, 3, 3}}) },
		"shorter": func() { FewestWithinError([][]float64{{1, 1}, {3}}) },
	})
}
