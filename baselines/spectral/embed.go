package spectral

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Embedding holds the first eigenvectors of a normalised Laplacian, from which the
// labels come.
type Embedding struct {
	N, K int
	// Vectors is N x K, row by row: the solutions of L x = lambda D x.
	Vectors []float64
	// Eigenvalues are the first K+1 (N where K = N), ascending, between 0 and 2.
	Eigenvalues []float64
}

// Embed returns the first k eigenvectors.
func Embed(D []float64, n, k int, gamma float64) (*Embedding, error) {
	if n < 1 || len(D) != n*n {
		panic(fmt.Sprintf("spectral: %d distances for %d graphs", len(D), n))
	}
	if k < 1 || k > n {
		return nil, fmt.Errorf("spectral: %d clusters of %d graphs; want between 1 and the number of graphs", k, n)
	}
	a := mat.NewSymDense(n, nil)
	deg := make([]float64, n)
	for i := range n {
		for j := range n {
			deg[i] += math.Exp(-gamma * D[i*n+j])
		}
	}
	for i := range n {
		for j := i; j < n; j++ {
			v := -math.Exp(-gamma*D[i*n+j]) / math.Sqrt(deg[i]*deg[j])
			if i == j {
				v++
			}
			a.SetSym(i, j, v)
		}
	}
	var es mat.EigenSym
	if !es.Factorize(a, true) {
		return nil, fmt.Errorf("spectral: the eigenvalues did not converge")
	}
	e := &Embedding{N: n, K: k, Vectors: make([]float64, n*k), Eigenvalues: es.RawValues()[:min(k+1, n)]}
	q := es.RawQ()
	for i := range n {
		for j := range k {
			e.Vectors[i*k+j] = q.At(i, j) / math.Sqrt(deg[i])
		}
	}
	return e, nil
}
