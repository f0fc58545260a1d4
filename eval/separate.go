package eval

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// Bounds of Separate.
const (
	fewestSeparable  = 20   // points: fewer are one cluster
	mostSeparable    = 400  // points that are tested, drawn from more
	smallestPiece    = 0.3  // of the mean: smaller pieces belong to no cluster
	referenceDraws   = 100  // samples without clusters
	pieceStarts      = 3    // of k-means, for the points and the references
	levelOfAny       = 0.05 // at which there are clusters at all
	levelOfMore      = 0.2  // and at which there is one more
	negligibleInAxis = 1e-9 // share of the variance
)

// cuts are the numbers of pieces that points are cut into.
var cuts = []int{4, 6, 10}

// Separate returns the number of clusters of the n points of dimension d in X (n x d, row by row) that are separated from each other; 1
// where there are no clusters, and at most 10.
//
// Points are cut into 4, 6 and 10 pieces by k-means. The points of two pieces are projected on the line through both centres, and have a dip there
// ([Dip]) if the pieces are separated. The separation of two clusters is the largest dip, times the root of the number of points, on
// the path of pieces between them whose largest dip is lowest: a curve has no clusters, because its neighbouring pieces have no dip
// between them. Separations are compared with those of 100 samples that are uniform on a segment, where gaps by chance are largest.
// There are clusters if the largest separation is above the largest ones of 95 % of these samples. Each further separation above 80 %
// is another cluster.
//
// Fewer than 20 points are one cluster, and of more than 400 points 400 are drawn. The result is a function of the input and of rng's state.
// Errors: d < 1, a nil rng, and points that [KMeans] rejects. It panics where X has not n*d elements.
func Separate(X []float64, n, d int, rng *rand.Rand) (int, error) {
	switch {
	case d < 1:
		return 0, fmt.Errorf("eval: the dimension d is %d, expected at least 1", d)
	case rng == nil:
		return 0, errors.New("eval: rng is nil, expected a source of random numbers")
	case len(X) != n*d:
		panic(fmt.Sprintf("eval: %d values for %d points of dimension %d", len(X), n, d))
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
	got, err := separations(points, n, width, rng)
	if err != nil {
		return 0, err
	}
	segment, tops, highest := make([]float64, n), make([][]float64, len(cuts)), make([]float64, referenceDraws)
	for b := range highest {
		for i := range segment {
			segment[i] = rng.Float64()
		}
		of, err := separations(segment, n, 1, rng)
		if err != nil {
			return 0, err
		}
		for c, x := range of {
			tops[c] = append(tops[c], x[0])
			highest[b] = max(highest[b], x[0])
		}
	}
	above := func(x, level float64, references []float64) bool {
		slices.Sort(references)
		at, _ := slices.BinarySearch(references, x)
		return float64(len(references)-at+1) <= level*float64(len(references)+1)
	}
	clusters := 1
	for c, of := range got {
		if above(of[0], levelOfAny, highest) {
			more := 1
			for more < len(of) && above(of[more], levelOfMore, tops[c]) {
				more++
			}
			clusters = max(clusters, 1+more)
		}
	}
	return clusters, nil
}

// separations are, for every cut, those of the pieces of points, the largest first: the edges of the spanning tree of the lowest dips.
func separations(X []float64, n, d int, rng *rand.Rand) (out [][]float64, err error) {
	for _, k := range cuts {
		c, err := KMeans(X, n, d, k, &KMeansSettings{Restarts: pieceStarts, Tol: 1e-4, MaxIter: 50}, rng)
		if err != nil {
			return nil, err
		}
		out = append(out, c.separations(X, n))
	}
	return out, nil
}

func (c *Clustering) separations(X []float64, n int) (out []float64) {
	k, d, size := c.K, c.D, make([]float64, c.K)
	for _, of := range c.Labels {
		size[of]++
	}
	line := make([]float64, 0, n)
	dip := func(a, b int) float64 {
		line = line[:0]
		for i, of := range c.Labels {
			if of == a || of == b {
				at := 0.0
				for j, x := range X[i*d : (i+1)*d] {
					at += float64(x * (c.Centers[a*d+j] - c.Centers[b*d+j]))
				}
				line = append(line, at)
			}
		}
		slices.Sort(line)
		return Dip(line) * math.Sqrt(float64(len(line)))
	}
	var left []int // pieces that the tree lacks
	for b := range k {
		if size[b] >= smallestPiece*float64(n)/float64(k) {
			left = append(left, b)
		}
	}
	next, nearest := left[0], make([]float64, k)
	for b := range nearest {
		nearest[b] = math.Inf(1)
	}
	for left = left[1:]; len(left) > 0; {
		for _, b := range left {
			nearest[b] = min(nearest[b], dip(next, b))
		}
		next = slices.MinFunc(left, func(a, b int) int { return cmp.Compare(nearest[a], nearest[b]) })
		out = append(out, nearest[next])
		left = slices.DeleteFunc(left, func(b int) bool { return b == next })
	}
	slices.SortFunc(out, func(a, b float64) int { return cmp.Compare(b, a) })
	return append(out, 0)
}

// principal are the coordinates of points along those of their principal axes that hold more than rounding.
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
	for first < d && !(values[first] > negligibleInAxis*total) {
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

// FewestWithinError returns which row of errors is taken by the paired one-standard-error rule: the first whose errors exceed those of the
// row with the lowest mean by at most one standard error of the mean difference. A row has one error of each case, in the same order; rows
// that are empty take no part. It returns -1 where all are empty.
func FewestWithinError(errors [][]float64) int {
	mean := func(x []float64) (m float64) {
		for _, v := range x {
			m += v / float64(len(x))
		}
		return m
	}
	best := -1
	for i, x := range errors {
		if len(x) > 0 && (best < 0 || mean(x) < mean(errors[best])) {
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
