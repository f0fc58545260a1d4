package kernels

import (
	"fmt"
	"math"
)

// Normalize returns the n x n matrix K_ij / sqrt(K_ii K_jj) of a kernel matrix K, row by row: the
// cosines of the graphs' features. It takes one root of the product, as other implementations do,
// because two roots give other last bits, which may decide ties between settings of a classifier.
// If the product leaves the range of float64, it takes two roots.
//
// A graph with K_ii = 0, such as one without edges under [ShortestPath], is similar only to itself:
// K_ii becomes 1 and K_ij 0. An entry that is not finite, a K_ii below 0, and an entry other than 0
// in the row or column of a K_ii = 0 are errors, and so is a quotient that overflows; a K that is not of length n*n panics.
func Normalize(K []float64, n int) ([]float64, error) {
	if n < 0 || len(K) != n*n {
		panic(fmt.Sprintf("kernels: Normalize: n = %d with len(K) = %d", n, len(K)))
	}
	for i, x := range K {
		switch {
		case math.IsNaN(x) || math.IsInf(x, 0):
			return nil, fmt.Errorf("kernels: entry (%d, %d) is %v, expected a finite number", i/n, i%n, x)
		case i/n == i%n && x < 0:
			return nil, fmt.Errorf("kernels: entry (%d, %d) is %v, expected at least 0 on the diagonal of a kernel", i/n, i%n, x)
		}
	}
	out := make([]float64, n*n)
	for i := range n {
		a := K[i*n+i]
		for j := range n {
			b := K[j*n+j]
			switch x := K[i*n+j]; {
			case i == j:
				out[i*n+j] = 1
			case a > 0 && b > 0:
				if out[i*n+j] = x / rootOfProduct(a, b); math.IsInf(out[i*n+j], 0) {
					return nil, fmt.Errorf("kernels: entry (%d, %d) is %v, too large for diagonal entries of %v and %v", i, j, x, a, b)
				}
			case x != 0:
				return nil, fmt.Errorf("kernels: entry (%d, %d) is %v, expected 0 where an entry (%d, %d) or (%d, %d) of the diagonal is",
					i, j, x, i, i, j, j)
			}
		}
	}
	return out, nil
}

// rootOfProduct returns the root of a b, for a, b > 0.
func rootOfProduct(a, b float64) float64 {
	const least, greatest = 0x1p-1022, math.MaxFloat64 // products between them keep their digits
	if p := float64(a * b); p >= least && p <= greatest {
		return math.Sqrt(p)
	}
	return float64(math.Sqrt(a) * math.Sqrt(b))
}
