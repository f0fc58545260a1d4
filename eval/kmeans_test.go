package eval_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/eval"
	"ogdl/internal/test/must"

	"pgregory.net/rapid"
)

func newRand(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// blobs draws n points around k centres, and their true labels.
func blobs(rng *rand.Rand, n, d, k int, spread float64) (X []float64, labels []int) {
	centers := make([]float64, k*d)
	for j := range centers {
		centers[j] = rng.Float64()
	}
	for i := range n {
		c := i % k
		labels = append(labels, c)
		for j := range d {
			X = append(X, centers[c*d+j]+spread*rng.NormFloat64())
		}
	}
	return X, labels
}

func dist2(x, y []float64) (s float64) {
	for j := range x {
		s += (x[j] - y[j]) * (x[j] - y[j])
	}
	return s
}

// TestKMeansGlobalOptimum compares with the best of all partitions of a few points: never below
// it, and nearly always there (k-means is a heuristic, so not always).
func TestKMeansGlobalOptimum(t *testing.T) {
	const instances = 60
	reached := 0
	for seed := range uint64(instances) {
		rng := newRand(seed)
		n, d := 3+rng.IntN(6), 1+rng.IntN(3)
		k := 1 + rng.IntN(3)
		X := make([]float64, n*d)
		for i := range X {
			X[i] = rng.NormFloat64()
		}
		got := must.Get(eval.KMeans(X, n, d, k, nil, newRand(1)))
		best := math.Inf(1)
		for labels := make([]int, n); ; {
			best = min(best, within(X, n, d, k, labels))
			i := 0
			for ; i < n; i++ {
				if labels[i]++; labels[i] < k {
					break
				}
				labels[i] = 0
			}
			if i == n {
				break
			}
		}
		if got.Inertia < best-1e-12*(1+best) {
			t.Errorf("seed %d: inertia %v, best of all partitions %v", seed, got.Inertia, best)
		}
		if got.Inertia <= best+1e-12*(1+best) {
			reached++
		}
	}
	if reached < instances-2 {
		t.Errorf("optimum reached in %d of %d instances", reached, instances)
	}
}

// within returns the sum of the squared distances to the clusters' means.
func within(X []float64, n, d, k int, labels []int) (total float64) {
	for c := range k {
		mean, count := make([]float64, d), 0.0
		for i := range n {
			if labels[i] == c {
				count++
				for j := range d {
					mean[j] += X[i*d+j]
				}
			}
		}
		for j := range mean {
			mean[j] /= max(count, 1)
		}
		for i := range n {
			if labels[i] == c {
				total += dist2(X[i*d:(i+1)*d], mean)
			}
		}
	}
	return total
}

// TestKMeansIsAFixedPoint: labels are nearest centres, centres are means of their members, the
// inertia is what it says, no cluster is empty, X is untouched. Grids of few values make ties
// and duplicates.
func TestKMeansIsAFixedPoint(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		d := rapid.IntRange(1, 5).Draw(t, "d")
		k := rapid.IntRange(1, min(n, 8)).Draw(t, "k")
		coordinate := rapid.Float64Range(0, 1)
		if rapid.Bool().Draw(t, "grid") {
			coordinate = rapid.Map(rapid.IntRange(0, 2), func(v int) float64 { return float64(v) })
		}
		offset := rapid.SampledFrom([]float64{0, 1e6}).Draw(t, "offset")
		X := rapid.SliceOfN(rapid.Map(coordinate, func(v float64) float64 { return v + offset }), n*d, n*d).Draw(t, "X")
		before := slices.Clone(X)
		got := must.Get(eval.KMeans(X, n, d, k, &eval.KMeansSettings{Restarts: 3, Tol: -1}, newRand(rapid.Uint64().Draw(t, "seed"))))
		if !slices.Equal(X, before) {
			t.Fatal("X was changed")
		}
		must.Equal(t, got.Capped, 0, "restarts that did not converge")
		var distinct [][]float64 // points that differ by more than rounding
		for i := range n {
			p := X[i*d : (i+1)*d]
			if !slices.ContainsFunc(distinct, func(q []float64) bool { return dist2(p, q) < 1e-12 }) {
				distinct = append(distinct, p)
			}
		}
		size := make([]int, k)
		var inertia float64
		for i, c := range got.Labels {
			size[c]++
			p := X[i*d : (i+1)*d]
			own := dist2(p, got.Centers[c*d:(c+1)*d])
			inertia += own
			for e := range k {
				// Rounding of coordinates near the offset, squared distances up to 9 d.
				if other := dist2(p, got.Centers[e*d:(e+1)*d]); other < own-1e-8*(1+own) {
					t.Fatalf("point %d is in cluster %d at %v, but cluster %d is at %v", i, c, own, e, other)
				}
			}
		}
		must.Within(t, inertia, got.Inertia, 1e-8*(1+inertia), "inertia, and computed")
		if !(math.Abs(within(X, n, d, k, got.Labels)-inertia) <= 1e-8*(1+inertia)) {
			t.Fatal("centres are not the means of their members")
		}
		empty := 0
		for _, s := range size {
			if s == 0 {
				empty++
			}
		}
		if want := max(0, k-len(distinct)); empty > want {
			t.Fatalf("%d clusters are empty, %d distinct points for %d clusters", empty, len(distinct), k)
		}
	})
}

func TestKMeansFindsBlobs(t *testing.T) {
	for _, k := range []int{2, 3, 6} {
		X, truth := blobs(newRand(uint64(k)), 300, 4, k, 0.01)
		got := must.Get(eval.KMeans(X, 300, 4, k, &eval.KMeansSettings{Restarts: 10}, newRand(1)))
		must.Check(t, eval.RandIndex(truth, got.Labels), 1, "%d blobs: Rand Index", k)
		if !slices.Equal(got.Assign(X, 300), got.Labels) {
			t.Errorf("%d blobs: Assign of the fitted points differs from their labels", k)
		}
	}
}

func TestKMeansDeterministic(t *testing.T) {
	X, _ := blobs(newRand(5), 200, 3, 4, 0.3)
	fit := func(seed uint64) eval.Clustering {
		return must.Get(eval.KMeans(X, 200, 3, 4, &eval.KMeansSettings{Restarts: 5}, newRand(seed)))
	}
	a, b := fit(1), fit(1)
	if !slices.Equal(a.Labels, b.Labels) || !slices.Equal(a.Centers, b.Centers) || a.Inertia != b.Inertia {
		t.Error("same rng, different clusterings")
	}
}

// TestKMeansRestartsKeepTheBest: more restarts from the same state never end higher.
func TestKMeansRestartsKeepTheBest(t *testing.T) {
	X, _ := blobs(newRand(6), 150, 2, 9, 0.05)
	last := math.Inf(1)
	for _, restarts := range []int{1, 2, 5, 20, 60} {
		c := must.Get(eval.KMeans(X, 150, 2, 9, &eval.KMeansSettings{Restarts: restarts}, newRand(2)))
		if c.Inertia > last {
			t.Errorf("%d restarts: inertia %v, fewer had %v", restarts, c.Inertia, last)
		}
		last = c.Inertia
	}
}

func TestKMeansMaxIter(t *testing.T) {
	X, _ := blobs(newRand(7), 400, 2, 8, 0.4)
	c := must.Get(eval.KMeans(X, 400, 2, 8, &eval.KMeansSettings{Restarts: 4, MaxIter: 1}, newRand(3)))
	if c.Iterations != 1 || c.Capped == 0 {
		t.Errorf("iterations %d, capped %d; want 1 and some", c.Iterations, c.Capped)
	}
}

// TestKMeansTol: a loose tolerance stops earlier, and is relative to the data's variance.
func TestKMeansTol(t *testing.T) {
	X, _ := blobs(newRand(8), 2000, 2, 8, 0.4)
	iterations := func(X []float64, tol float64) int {
		c := must.Get(eval.KMeans(X, 2000, 2, 8, &eval.KMeansSettings{Restarts: 1, Tol: tol}, newRand(4)))
		return c.Iterations
	}
	loose, strict := iterations(X, 1e-3), iterations(X, -1)
	if loose >= strict {
		t.Errorf("tolerance 1e-3 took %d iterations, none %d", loose, strict)
	}
	scaled := make([]float64, len(X))
	for i, x := range X {
		scaled[i] = 1024 * x // exact
	}
	must.Check(t, iterations(scaled, 1e-3), loose, "iterations on scaled data, and unscaled")
}

// TestKMeansStart: a run from given clusters ends at the nearest minimum, and leaves no cluster empty.
func TestKMeansStart(t *testing.T) {
	X := []float64{0, 0, 0, 1, 4, 0, 4, 1} // the corners of an oblong
	for _, c := range []struct{ start, want []int }{
		{[]int{0, 0, 1, 1}, []int{0, 0, 1, 1}},
		{[]int{0, 1, 0, 1}, []int{0, 1, 0, 1}}, // a minimum, though not the lowest one
		{[]int{1, 1, 1, 0}, []int{1, 1, 0, 0}},
	} {
		must.Same(t, must.Get(eval.KMeans(X, 4, 2, 2, &eval.KMeansSettings{Start: c.start}, newRand(1))).Labels, c.want, "labels")
	}
	empty := must.Get(eval.KMeans(X, 4, 2, 2, &eval.KMeansSettings{Start: []int{1, 1, 1, 1}}, newRand(1))).Labels
	must.Equal(t, slices.Contains(empty, 0) && slices.Contains(empty, 1), true, "two clusters")
}

func TestKMeansErrors(t *testing.T) {
	rng := newRand(1)
	for _, tt := range []struct {
		name string
		X    []float64
		n, k int
		set  *eval.KMeansSettings
	}{
		{"more clusters than points", []float64{1, 2}, 2, 3, nil},
		{"no cluster", []float64{1, 2}, 2, 0, nil},
		{"no points", nil, 0, 1, nil},
		{"NaN", []float64{1, math.NaN()}, 2, 1, nil},
		{"infinite", []float64{math.Inf(-1), 1}, 2, 1, nil},
		{"underflow", []float64{0, 1e-163, 1e-162}, 3, 2, nil},
		{"overflow", []float64{-1e300, 1e300}, 2, 1, nil},
		{"negative restarts", []float64{1, 2}, 2, 1, &eval.KMeansSettings{Restarts: -1}},
		{"negative cap", []float64{1, 2}, 2, 1, &eval.KMeansSettings{MaxIter: -1}},
		{"tolerance NaN", []float64{1, 2}, 2, 1, &eval.KMeansSettings{Tol: math.NaN()}},
		{"short start", []float64{1, 2}, 2, 1, &eval.KMeansSettings{Start: []int{0}}},
		{"start outside the clusters", []float64{1, 2}, 2, 1, &eval.KMeansSettings{Start: []int{0, 1}}},
	} {
		if _, err := eval.KMeans(tt.X, tt.n, 1, tt.k, tt.set, rng); err == nil {
			t.Errorf("%s: no error", tt.name)
		}
	}
	must.Panic(t, "", map[string]func(){"shape": func() { eval.KMeans([]float64{1, 2, 3}, 2, 1, 1, nil, rng) }})
	must.Fail(t, must.Err(eval.KMeans(nil, 0, 0, 1, nil, rng)), "the dimension d is 0", "dimension 0")
	must.Fail(t, must.Err(eval.KMeans(nil, -1, 1, 1, nil, rng)), "points n is -1", "-1 points")
	must.Fail(t, must.Err(eval.KMeans([]float64{1}, 1, 1, 1, nil, nil)), "rng is nil", "no rng")
	must.Panic(t, "", map[string]func(){"Assign shape": func() { (&eval.Clustering{K: 1, D: 2, Centers: []float64{0, 0}}).Assign([]float64{1}, 1) }})
}

func ExampleKMeans() {
	X := []float64{
		0, 0,
		0.1, 0,
		5, 5,
		5, 5.2,
	}
	c, err := eval.KMeans(X, 4, 2, 2, nil, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		panic(err)
	}
	fmt.Println("together:", c.Labels[0] == c.Labels[1], c.Labels[2] == c.Labels[3], c.Labels[0] == c.Labels[2])
	fmt.Printf("inertia: %.3f\n", c.Inertia)
	fmt.Println("a new point goes to the first:", c.Assign([]float64{0.3, 0.2}, 1)[0] == c.Labels[0])
	// Output:
	// together: true true false
	// inertia: 0.025
	// a new point goes to the first: true
}

func BenchmarkKMeans(b *testing.B) {
	for _, size := range []struct {
		name    string
		n, d, k int
	}{{"MUTAG-188x4-2", 188, 4, 2}, {"IMDB-M-1500x18-3", 1500, 18, 3}, {"ENZYMES-600x48-6", 600, 48, 6}} {
		b.Run(size.name, func(b *testing.B) {
			X, _ := blobs(newRand(1), size.n, size.d, size.k, 0.5) // heavily overlapping: many iterations
			b.ReportAllocs()
			for b.Loop() {
				must.Get(eval.KMeans(X, size.n, size.d, size.k, nil, newRand(2)))
			}
		})
	}
}
