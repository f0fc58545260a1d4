package eval

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// KMeansSettings are the settings of KMeans; nil means all defaults, which are the paper's.
type KMeansSettings struct {
	Restarts int // independent seedings; the best is kept; 0 means 100

	// Tol stops Lloyd's iterations once the squared shifts of all centres together are at
	// most Tol times the mean variance of the features (scikit-learn's rule). 0 means 1e-9;
	// a negative value iterates until no label changes, which is a stop in any case.
	Tol float64

	MaxIter int // Lloyd iterations per restart at most; 0 means 100000

	// Start has a cluster, 0..k-1, for each point. The only run begins with their means instead of
	// a seeding.
	Start []int
}

// Clustering is the result of KMeans.
type Clustering struct {
	Labels     []int     // cluster of every point, 0..K-1
	Centers    []float64 // K x D, row by row
	K, D       int
	Inertia    float64 // sum of the squared distances of the points to their centres
	Iterations int     // of the kept restart
	Capped     int     // restarts that stopped at MaxIter
}

// KMeans clusters the n points of dimension d in X (n x d, row by row) into k clusters. It
// minimises the inertia
//
//	sum_i min_c |x_i - center_c|^2
//
// by Lloyd's iterations from greedy k-means++ seedings, and keeps the restart of lowest inertia
// (the first of equals). The choices are scikit-learn's:
//
//   - seeding: the first centre is a point drawn uniformly; each further one is the best (lowest
//     inertia with it) of 2 + floor(ln k) candidates drawn with probability proportional to
//     the squared distance to the nearest centre so far (Arthur & Vassilvitskii 2007, section 5);
//   - stop: no label changed, or centres moved by no more than Tol allows (one more assignment
//     then makes labels and centres fit), or MaxIter;
//   - a cluster that runs empty takes the point farthest from its own centre. If no point is off
//     its centre by more than rounding (fewer distinct points than clusters) it stays empty.
//
// If several centres are equally near, the point goes to the one with the lowest index. Lloyd's
// assignments skip distances that the triangle inequality rules out (Hamerly 2010), with the same
// labels. The result is a function of the input and of rng's state; X is not changed. Cost per
// iteration O(n k d) at most, O(n d) once most points rest; memory O(n d).
//
// Errors: k < 1, k > n, n < 0, d < 1, a nil rng, NaN or infinite points, squared distances that
// overflow or underflow, negative Restarts or MaxIter. It panics where X has not n*d elements.
func KMeans(X []float64, n, d, k int, s *KMeansSettings, rng *rand.Rand) (Clustering, error) {
	switch {
	case n < 0:
		return Clustering{}, fmt.Errorf("eval: the number of points n is %d, expected at least 0", n)
	case d < 1:
		return Clustering{}, fmt.Errorf("eval: the dimension d is %d, expected at least 1", d)
	case rng == nil:
		return Clustering{}, errors.New("eval: rng is nil, expected a source of random numbers")
	case len(X) != n*d:
		panic(fmt.Sprintf("eval: %d values for %d points of dimension %d", len(X), n, d))
	}
	set := *cmp.Or(s, &KMeansSettings{})
	set.Restarts = cmp.Or(set.Restarts, 100)
	set.Tol = cmp.Or(set.Tol, 1e-9)
	set.MaxIter = cmp.Or(set.MaxIter, 100_000)
	switch {
	case k < 1 || k > n:
		return Clustering{}, fmt.Errorf("eval: %d clusters of %d points; want between 1 and the number of points", k, n)
	case set.Restarts < 0 || set.MaxIter < 0:
		return Clustering{}, fmt.Errorf("eval: %d restarts of %d iterations; want positive numbers", set.Restarts, set.MaxIter)
	case math.IsNaN(set.Tol):
		return Clustering{}, fmt.Errorf("eval: tolerance NaN")
	case set.Start != nil && (len(set.Start) != n || slices.Min(set.Start) < 0 || slices.Max(set.Start) >= k):
		return Clustering{}, fmt.Errorf("eval: the start is not a cluster from 0 to %d for each of %d points", k-1, n)
	}
	if err := checkPoints(X, d); err != nil {
		return Clustering{}, err
	}

	l := newLloyd(X, n, d, k)
	limit := set.Tol * l.meanVariance()
	best := Clustering{K: k, D: d, Labels: make([]int, n), Centers: make([]float64, k*d), Inertia: math.Inf(1)}
	begin := func() { l.seed(rng) }
	if set.Start != nil {
		set.Restarts, begin = 1, func() { l.start(set.Start) }
	}
	for range set.Restarts {
		begin()
		iterations, converged := l.run(limit, set.MaxIter)
		if !converged {
			best.Capped++
		}
		if inertia := l.inertia(); inertia < best.Inertia {
			best.Inertia, best.Iterations = inertia, iterations
			for i, c := range l.label {
				best.Labels[i] = int(c)
			}
			copy(best.Centers, l.center)
		}
	}
	for i := range best.Centers {
		best.Centers[i] += l.shift[i%d]
	}
	if math.IsInf(best.Inertia, 1) {
		return Clustering{}, errOverflow
	}
	return best, nil
}

// Assign returns the nearest centre of each of the n points in X (n x D, row by row), the one
// with the lowest index among equals. It panics if X has not n*D elements.
func (c *Clustering) Assign(X []float64, n int) []int {
	if len(X) != n*c.D {
		panic(fmt.Sprintf("eval: %d values for %d points of dimension %d", len(X), n, c.D))
	}
	labels := make([]int, n)
	for i := range labels {
		labels[i], _, _ = nearest(X[i*c.D:(i+1)*c.D], c.Centers, c.K)
	}
	return labels
}

var errOverflow = errors.New("eval: squared distances of the points overflow")

// checkPoints returns an error for a coordinate that is not finite, and for points that differ by so
// little that their squared distances lose digits.
func checkPoints(X []float64, d int) error {
	spread := 0.0
	for i, x := range X {
		spread = max(spread, math.Abs(x-X[i%d]))
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return fmt.Errorf("eval: coordinate %d of point %d is %v", i%d, i/d, x)
		}
	}
	if spread > 0 && spread < 1e-150 {
		return fmt.Errorf("eval: no coordinate differs by more than %v, expected 0 or 1e-150 at least", spread)
	}
	return nil
}
