package spectral

import (
	"fmt"
	"math/rand/v2"

	"ogdl/eval"
)

// Settings are the settings of Cluster. Gamma must be given.
type Settings struct {
	// Gamma is the coefficient of the affinity exp(-Gamma D), positive.
	Gamma float64
	// Labels says how eigenvectors become labels: "kmeans" (default) or "discretise".
	Labels string
	// KMeans are the settings of the k-means step. Default: 10 restarts.
	KMeans *eval.KMeansSettings
}

// Result is the end of Cluster.
type Result struct {
	Labels      []int     // cluster of every graph, 0..k-1
	Eigenvalues []float64 // the first k+1 of the normalised Laplacian
	Capped      int       // restarts that stopped at their cap
}

// Cluster labels n graphs from the n x n matrix D of their distances.
func Cluster(D []float64, n, k int, set *Settings, rng *rand.Rand) (Result, error) {
	e, err := Embed(D, n, k, set.Gamma)
	if err != nil {
		return Result{}, err
	}
	return e.Cluster(set, rng)
}

// Cluster labels the graphs of an embedding; Gamma is not looked at.
func (e *Embedding) Cluster(set *Settings, rng *rand.Rand) (Result, error) {
	r := Result{Eigenvalues: e.Eigenvalues}
	switch set.Labels {
	case "", "kmeans":
		km := set.KMeans
		if km == nil {
			km = &eval.KMeansSettings{Restarts: 10}
		}
		c, err := eval.KMeans(e.Vectors, e.N, e.K, e.K, km, rng)
		if err != nil {
			return Result{}, err
		}
		r.Labels, r.Capped = c.Labels, c.Capped
	case "discretise":
		return Result{}, fmt.Errorf("spectral: discretise")
	default:
		return Result{}, fmt.Errorf("spectral: labels %q, expected %q or %q", set.Labels, "kmeans", "discretise")
	}
	return r, nil
}
