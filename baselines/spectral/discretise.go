package spectral

import (
	"fmt"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// discretise labels by the iteration of Yu & Shi (2003), section 3: with columns of
// equal length and rows of length 1 in X, it seeks a partition matrix P and a
// rotation R that minimise |P - X R|^2, taking turns:
//
//   - P for a given R: row i belongs to the largest entry of (X R)_i, the first of equals;
//   - R for a given P: with the singular value decomposition P'X = U S V', R = V U'; the
//     minimum is 2 (n - trace S) where no row of X is zero.
//
// A start makes R from a random row and others as orthogonal to it as there are. It
// ends when no label changes. A start whose decomposition fails is dropped.
func (e *Embedding) discretise(set *Settings, rng *rand.Rand, out *Result) error {
	n, k := e.N, e.K
	x := append([]float64(nil), e.Vectors...)
	for c := range k {
		sum := 0.0
		for i := range n {
			sum += float64(x[i*k+c] * x[i*k+c])
		}
		for i := range n {
			x[i*k+c] /= math.Sqrt(sum)
		}
	}
	unitRows(x, k)
	labels := make([]int, n)
	best := math.Inf(-1)
	for range set.Restarts {
		trace, iterations, status := rotate(x, n, k, labels, set.MaxIter, rng)
		if status == failed {
			continue
		}
		if status == capped {
			out.Capped++
		}
		if trace > best {
			best = trace
			out.Labels, out.Iterations = append(out.Labels[:0], labels...), iterations
		}
	}
	if out.Labels == nil {
		return fmt.Errorf("spectral: the singular values did not converge in any of %d starts", set.Restarts)
	}
	return nil
}

const (
	settled = iota
	capped
	failed
)

// rotate runs one start and returns the trace of S that it ends with.
func rotate(x []float64, n, k int, labels []int, maxIter int, rng *rand.Rand) (trace float64, iterations, status int) {
	r := startRotation(x, n, k, rng)
	px := mat.NewDense(k, k, nil)
	var svd mat.SVD
	var u, v, turn mat.Dense
	y := make([]float64, k)
	for i := range labels {
		labels[i] = -1
	}
	for {
		iterations++
		changed := false
		px.Zero()
		for i := range n {
			row := x[i*k : (i+1)*k]
			clear(y)
			for c, a := range row {
				for j, b := range r[c*k : (c+1)*k] {
					y[j] += float64(a * b)
				}
			}
			l := floats.MaxIdx(y)
			if l != labels[i] {
				labels[i], changed = l, true
			}
			floats.Add(px.RawRowView(l), row)
		}
		if !changed {
			return trace, iterations, settled
		}
		if !svd.Factorize(px, mat.SVDFull) {
			return 0, iterations, failed
		}
		trace = floats.Sum(svd.Values(nil))
		if iterations >= maxIter {
			return trace, iterations, capped
		}
		svd.UTo(&u)
		svd.VTo(&v)
		turn.Mul(&v, u.T())
		for c := range k {
			copy(r[c*k:(c+1)*k], turn.RawRowView(c))
		}
	}
}

// startRotation takes rows of X for columns: a random one, then each time the one whose inner
// products with those so far are smallest in sum. Rows of zeros are not taken.
func startRotation(x []float64, n, k int, rng *rand.Rand) []float64 {
	overlap := make([]float64, n)
	var rows []int
	for i := range n {
		if floats.Max(x[i*k:(i+1)*k]) == 0 && floats.Min(x[i*k:(i+1)*k]) == 0 {
			overlap[i] = math.Inf(1)
		} else {
			rows = append(rows, i)
		}
	}
	r := make([]float64, k*k)
	at := rows[rng.IntN(len(rows))]
	for j := range k {
		row := x[at*k : (at+1)*k]
		for c, v := range row {
			r[c*k+j] = v
		}
		for i := range overlap {
			overlap[i] += math.Abs(floats.Dot(x[i*k:(i+1)*k], row))
		}
		at = floats.MinIdx(overlap)
	}
	return r
}

// unitRows scales rows of length d to norm 1; zero rows stay.
func unitRows(x []float64, d int) {
	for ; len(x) > 0; x = x[d:] {
		size := floats.Norm(x[:d], 2)
		switch {
		case math.IsInf(1/size, 1) && size > 0: // of a graph far from all others: the reciprocal alone is out of range
			for c := range d {
				x[c] /= size
			}
		case size > 0:
			floats.Scale(1/size, x[:d])
		}
	}
}
