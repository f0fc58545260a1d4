package nested

import (
	"fmt"
	"math"
)

// Exponential returns the kernels exp(-gamma D_ij) of an n x n matrix of distances D, row by row.
// As in the paper's released code, entries up to 1e-15 count as 0. It is an error if D is not n x
// n, not finite, not symmetric, or below 0 by more than 1e-9 of its largest entry. D is kept, and
// must stay as it is.
//
// All kernels share one matrix, which the next one overwrites: a result is for one Search at a
// time.
func Exponential(D []float64, n int) (Kernel, error) {
	if len(D) != n*n {
		return nil, fmt.Errorf("nested: the distances have %d entries, expected %d x %d", len(D), n, n)
	}
	top := 0.0
	for i, d := range D {
		if !(math.Abs(d) <= math.MaxFloat64) {
			return nil, fmt.Errorf("nested: D[%d,%d] is %v, expected a finite number", i/n, i%n, d)
		}
		top = max(top, d)
	}
	for i := range n {
		for j := range i + 1 {
			switch d := D[i*n+j]; {
			case d != D[j*n+i]:
				return nil, fmt.Errorf("nested: D[%d,%d] is %v and D[%d,%d] is %v, expected a symmetric matrix", i, j, d, j, i, D[j*n+i])
			case d < -1e-9*top:
				return nil, fmt.Errorf("nested: D[%d,%d] is %v, expected 0 or more", i, j, d)
			}
		}
	}
	K := make([]float64, n*n)
	return func(gamma float64) ([]float64, error) {
		if !(gamma > 0) {
			return nil, fmt.Errorf("nested: gamma is %v, expected a positive number", gamma)
		}
		for i := range n {
			for j := range i + 1 {
				x := 1.0
				if d := D[i*n+j]; d > 1e-15 {
					x = math.Exp(-gamma * d)
				}
				K[i*n+j], K[j*n+i] = x, x
			}
		}
		return K, nil
	}, nil
}
