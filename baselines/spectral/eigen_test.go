package spectral

import (
	"math"
	"testing"
)

// Distances at which affinities all but vanish leave blocks of entries near 1e-200 in the
// Laplacian.
func TestBlocksOfTinyNorm(t *testing.T) {
	const n, k = 12, 3
	for _, far := range []float64{300, 345, 400, 460, 700} {
		dist := make([]float64, n*n)
		for i := range n {
			for j := range n {
				switch {
				case i == j:
				case i/4 == j/4:
					dist[i*n+j] = far + float64(i+j)
				default:
					dist[i*n+j] = 1e4
				}
			}
		}
		e, err := Embed(dist, n, k, 1)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range append(e.Vectors, e.Eigenvalues...) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				t.Fatalf("distance %v: %v", far, e)
			}
		}
	}
}
