package optim

import "slices"

// ProjectSimplex replaces x by its Euclidean projection on the simplex
// {x >= 0, sum x = 1}, by sorting (Held, Wolfe & Crowder 1974): O(n log n).
// scratch must hold at least len(x) entries. x must not be empty, and its entries must be
// finite.
func ProjectSimplex(x, scratch []float64) {
	n := len(x)
	s := scratch[:n]
	copy(s, x)
	slices.Sort(s)
	// Sums run over x - max, so that entries of any size keep their digits.
	top := s[n-1]
	var sum, threshold float64
	for k := 1; k <= n; k++ {
		v := s[n-k] - top
		sum += v
		t := (sum - 1) / float64(k)
		if v <= t {
			break
		}
		threshold = t
	}
	for i, v := range x {
		x[i] = max((v-top)-threshold, 0)
	}
}

// ProjectSymmetric replaces the n x n row-major matrix c by (c + c')/2, and
// where nonNegative is set by the positive part of that: the projection on
// symmetric (entrywise non-negative) matrices in the Frobenius norm. It panics
// if len(c) is not n*n.
func ProjectSymmetric(c []float64, n int, nonNegative bool) {
	if len(c) != n*n {
		panic("optim: not an n x n matrix")
	}
	for i := range n {
		for j := 0; j <= i; j++ {
			v := c[i*n+j]
			if j != i {
				v = (v + c[j*n+i]) / 2
			}
			if nonNegative {
				v = max(v, 0)
			}
			c[i*n+j], c[j*n+i] = v, v
		}
	}
}
