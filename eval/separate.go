package eval

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat/mds"
)

// Bounds of Separate.
const (
	fewestSeparable = 20   // points: fewer are one cluster
	mostSeparable   = 400  // points that are tested, drawn from more
	mostSeparated   = 10   // clusters
	testDraws       = 99   // samples without clusters
	levelOfClusters = 0.05 // of the test against them
	boxDraws        = 50   // samples of the gap statistic
	gapErrors       = 6    // standard errors that one more cluster must gain
	pieceStarts     = 3    // of k-means
	negligible      = 1e-9 // share of the variance, which rounding may have
)

// Separate returns the number of clusters of the n points of dimension d in X (n x d, row by row): 1 where there is no evidence of any, and
// at most 10.
//
// There are clusters if two dips ([Dip]) are among the highest 5 % of samples without clusters. The first is the dip of the points on the line
// through the centres of two clusters, and its samples are uniform. The second is the dip of arc lengths along the points' cubic principal curve, and its
// samples are uniform along this curve with normal residuals. So neither a skewed cloud nor a curve is taken for clusters.
//
// The gap statistic (Tibshirani, Walther & Hastie 2001) then counts them: the fewest clusters, from 2 on, that no larger number improves by
// six standard errors for each further cluster. Its 50 references are uniform in the box of the points' principal axes. One standard error, as
// in the paper, splits clusters that are longer than wide. Clusters within 1e-9 of the variance are one.
//
// Fewer than 20 points are one cluster, and of more than 400 points 400 are drawn. The result is a function of the input and of rng's state.
// Errors: n < 0, d < 1, a nil rng, and points that [KMeans] rejects. It panics where X has not n*d elements.
func Separate(X []float64, n, d int, rng *rand.Rand) (int, error) {
	switch {
	case n < 0:
		return 0, fmt.Errorf("eval: the number of points n is %d, expected at least 0", n)
	case d < 1:
		return 0, fmt.Errorf("eval: the dimension d is %d, expected at least 1", d)
	case rng == nil:
		return 0, errors.New("eval: rng is nil, expected a source of random numbers")
	case len(X) != n*d:
		panic(fmt.Sprintf("eval: %d values for %d points of dimension %d", len(X), n, d))
	}
	if err := checkPoints(X, d); err != nil {
		return 0, err
	}
	if n > mostSeparable {
		var drawn []float64
		for _, i := range rng.Perm(n)[:mostSeparable] {
			drawn = append(drawn, X[i*d:(i+1)*d]...)
		}
		X, n = drawn, mostSeparable
	}
	if n < fewestSeparable {
		return 1, nil
	}
	points, width, err := principal(X, n, d)
	if err != nil || width == 0 {
		return 1, err
	}
	if found, err := gapsAlong(points, n, width, rng); err != nil || !found {
		return 1, err
	}
	return gapStatistic(points, n, width, rng)
}

// SeparateRepeated returns the number of clusters, as [Separate] counts them, of n points that
// several repetitions have embedded. Each embedding has n rows of one width.
//
// The distance of two points is the second smallest of their distances in the repetitions: a gap
// counts if all repetitions but one have it. A single repetition has gaps inside a kind of graphs
// if several of its atoms describe the kind with their nodes in different orders. The Mahalanobis
// distance of two such embeddings is far above the Gromov-Wasserstein distance of their models,
// which it bounds (proposition 2 of the paper), and other repetitions divide the kind otherwise.
// Classical scaling turns the distances into coordinates, at most as many as the widest embedding
// has. Two of the repetitions must have clusters by themselves, else there are none.
// Give three repetitions or more: of two, the second smallest distance is the larger one.
// docs/own_graphs.md says how often the count is right.
//
// Fewer than 20 points are one cluster, and of more than 400 points 400 are drawn. Errors: no
// embeddings, a nil rng, and points that [KMeans] rejects. It panics where an embedding has not n
// rows of one width.
func SeparateRepeated(embeddings [][]float64, n int, rng *rand.Rand) (int, error) {
	switch {
	case len(embeddings) == 0:
		return 0, errors.New("eval: no embeddings, expected at least one")
	case rng == nil:
		return 0, errors.New("eval: rng is nil, expected a source of random numbers")
	case n < 1:
		return 1, nil
	}
	width := 0
	for r, X := range embeddings {
		if len(X) == 0 || len(X)%n != 0 {
			panic(fmt.Sprintf("eval: embedding %d has %d values for %d points", r, len(X), n))
		}
		width = max(width, len(X)/n)
		if err := checkPoints(X, len(X)/n); err != nil {
			return 0, err
		}
	}
	if n < fewestSeparable {
		return 1, nil
	}
	drawn := rng.Perm(n)[:min(n, mostSeparable)]
	distances, of := mat.NewSymDense(len(drawn), nil), make([]float64, len(embeddings))
	for a, i := range drawn {
		for b, j := range drawn[:a] {
			for r, X := range embeddings {
				d := len(X) / n
				of[r] = squared(X[i*d:(i+1)*d], X[j*d:(j+1)*d])
			}
			slices.Sort(of)
			second := of[min(1, len(of)-1)]
			if math.IsInf(second, 1) {
				return 0, errOverflow
			}
			distances.SetSym(a, b, math.Sqrt(second))
		}
	}
	var points mat.Dense
	positive, _ := mds.TorgersonScaling(&points, nil, distances) // equal points have eigenvalues of 0, which count
	if positive == 0 {
		return 0, errors.New("eval: the eigen-decomposition of the points' distances did not converge")
	}
	width = min(width, positive)
	k, err := Separate(mat.DenseCopyOf(points.Slice(0, len(drawn), 0, width)).RawMatrix().Data, len(drawn), width, rng)
	agree := min(2, len(embeddings))
	for _, X := range embeddings {
		if err != nil || k == 1 || agree == 0 {
			break
		}
		var alone int
		if alone, err = Separate(X, n, len(X)/n, rng); alone > 1 {
			agree--
		}
	}
	if agree > 0 {
		k = 1
	}
	return k, err
}

// gapsAlong reports whether points leave gaps that points without clusters do not leave, along their principal curve and between two halves.
func gapsAlong(points []float64, n, d int, rng *rand.Rand) (bool, error) {
	between, err := KMeans(points, n, d, 2, &KMeansSettings{Restarts: pieceStarts, Tol: 1e-4, MaxIter: 50}, rng)
	if err != nil {
		return false, err
	}
	line := make([]float64, n)
	for i := range line {
		for j, x := range points[i*d : (i+1)*d] {
			line[i] += float64(x * (between.Centers[d+j] - between.Centers[j]))
		}
	}
	if found, err := unlikely(line, func() ([]float64, error) {
		for i := range line {
			line[i] = rng.Float64()
		}
		return line, nil
	}); err != nil || !found {
		return false, err
	}
	c, err := curveOf(points, n, d, d-1)
	if err != nil {
		return false, err
	}
	return unlikely(c.t, func() ([]float64, error) {
		sample, width, err := principal(c.sample(rng), n, d)
		if err != nil {
			return nil, err
		}
		of, err := curveOf(sample, n, width, width-1)
		if err != nil {
			return nil, err
		}
		return of.t, nil
	})
}

// unlikely reports whether the dip of x is among the highest of draws without clusters. It sorts x and the draws.
func unlikely(x []float64, draw func() ([]float64, error)) (bool, error) {
	slices.Sort(x)
	dip, higher := Dip(x), 1
	for range testDraws {
		y, err := draw()
		if err != nil {
			return false, err
		}
		slices.Sort(y)
		if Dip(y) >= dip {
			higher++
		}
	}
	return float64(higher) <= levelOfClusters*(testDraws+1), nil
}

// gapStatistic returns the number of clusters of points that have some.
func gapStatistic(points []float64, n, d int, rng *rand.Rand) (int, error) {
	low, high := slices.Clone(points[:d]), slices.Clone(points[:d])
	for i, x := range points {
		low[i%d], high[i%d] = min(low[i%d], x), max(high[i%d], x)
	}
	total := 0.0
	for _, x := range points {
		total += float64(x * x) // their mean is 0
	}
	samples := make([][]float64, boxDraws)
	for b := range samples {
		samples[b] = make([]float64, n*d)
		for i := range samples[b] {
			samples[b][i] = low[i%d] + float64(rng.Float64()*(high[i%d]-low[i%d]))
		}
	}
	spread := func(X []float64, k int) (float64, error) {
		c, err := KMeans(X, n, d, k, &KMeansSettings{Restarts: pieceStarts, Tol: 1e-4, MaxIter: 50}, rng)
		if err != nil {
			return 0, err
		}
		return math.Log(max(c.Inertia, negligible*total)), nil // copies of points differ by rounding
	}
	most := min(mostSeparated, n)
	gaps := make([]float64, most+1) // of each number of clusters
	pooled := 0.0                   // standard deviation of a reference
	for k := 2; k <= most; k++ {
		own, err := spread(points, k)
		if err != nil {
			return 0, err
		}
		mean, squares := 0.0, 0.0
		for _, s := range samples {
			x, err := spread(s, k)
			if err != nil {
				return 0, err
			}
			mean += x / boxDraws
			squares += float64(x*x) / boxDraws
		}
		gaps[k] = mean - own
		pooled += math.Sqrt(max(squares-float64(mean*mean), 0)) / float64(most-1)
	}
	least := gapErrors * pooled * math.Sqrt(1+1.0/boxDraws)
	for k := 2; k < most; k++ {
		more := false
		for l := k + 1; l <= most; l++ {
			more = more || (gaps[l]-gaps[k])/float64(l-k) > least
		}
		if !more {
			return k, nil
		}
	}
	return most, nil
}

// principal returns the coordinates of points along their principal axes, without the axes that hold only rounding.
func principal(X []float64, n, d int) (points []float64, width int, err error) {
	mean, cov := make([]float64, d), mat.NewSymDense(d, nil)
	for i, x := range X {
		mean[i%d] += x / float64(n)
	}
	for i := range n {
		row := X[i*d : (i+1)*d]
		for j := range d {
			for k := range j + 1 {
				cov.SetSym(j, k, cov.At(j, k)+float64((row[j]-mean[j])*(row[k]-mean[k])))
			}
		}
	}
	if !(mat.Trace(cov) <= math.MaxFloat64) {
		return nil, 0, errOverflow
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(cov, true) {
		return nil, 0, errors.New("eval: the eigen-decomposition of the points' covariance did not converge")
	}
	values := eigen.Values(nil)
	var v mat.Dense
	eigen.VectorsTo(&v)
	total := 0.0
	for _, x := range values {
		total += max(x, 0)
	}
	first := 0
	for first < d && !(values[first] > negligible*total) {
		first++
	}
	width = d - first
	for i := range n {
		for a := first; a < d; a++ {
			sum := 0.0
			for j, x := range X[i*d : (i+1)*d] {
				sum += float64((x - mean[j]) * v.At(j, a))
			}
			points = append(points, sum)
		}
	}
	return points, width, nil
}

// FewestWithinError returns the index of the row that the paired one-standard-error rule selects.
// This is the first row whose mean error exceeds the lowest mean by at most one standard error of
// the mean difference. A row has one finite error for each case, in the same order. Empty rows are
// ignored; if all are empty, the result is -1. Rows of different lengths panic.
func FewestWithinError(errors [][]float64) int {
	mean := func(x []float64) (m float64) {
		for _, v := range x {
			m += v / float64(len(x))
		}
		return m
	}
	best := -1
	for i, x := range errors {
		switch {
		case len(x) == 0:
		case best < 0:
			best = i
		case len(x) != len(errors[best]):
			panic(fmt.Sprintf("eval: row %d has %d errors, row %d has %d", i, len(x), best, len(errors[best])))
		case mean(x) < mean(errors[best]):
			best = i
		}
	}
	for i, x := range errors {
		if len(x) == 0 {
			continue
		}
		differences, squares := make([]float64, len(x)), 0.0
		for k := range x {
			differences[k] = x[k] - errors[best][k]
		}
		m := mean(differences)
		for _, v := range differences {
			squares += float64((v - m) * (v - m))
		}
		if n := float64(len(x)); m <= math.Sqrt(squares/(n*max(n-1, 1))) {
			return i
		}
	}
	return best
}
