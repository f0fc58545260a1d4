package spectral

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"

	"ogdl/eval"
)

// Labels names a way in which eigenvectors become labels.
type Labels string

// Ways from eigenvectors to labels.
const (
	// KMeans takes the rows of the eigenvectors as points, as Shi & Malik and scikit-learn do.
	KMeans Labels = "kmeans"
	// KMeansUnit takes the rows scaled to length 1, as Ng, Jordan & Weiss do ("On
	// spectral clustering", NIPS 2001).
	KMeansUnit Labels = "kmeans_unit"
	// Discretise seeks the partition matrix nearest to a rotation of the rows, as Yu & Shi do.
	Discretise Labels = "discretise"
)

// Settings are the settings of [Embedding.Cluster]. All fields may be zero.
type Settings struct {
	// Labels is KMeans, KMeansUnit or Discretise. Default KMeans.
	Labels Labels
	// Restarts is the number of starts; the best is kept: the lowest
	// inertia, or the nearest partition matrix. Default 10.
	Restarts int
	// MaxIter caps the iterations of one start. Default 300.
	MaxIter int
}

// Result is the result of [Embedding.Cluster].
type Result struct {
	Labels []int // cluster of every graph, 0..k-1; some may be empty
	// Eigenvalues are the first k+1 of the normalised Laplacian (see Embedding).
	Eigenvalues []float64
	// Iterations counts the iterations of the start that was kept.
	Iterations int
	// Capped counts the starts that ended at MaxIter.
	Capped int
}

// Cluster labels the graphs of an embedding. For distances s times as large, Embed with gamma / s
// leads to the same labels, to the last bit if s is a power of two. nil settings mean the defaults.
// Errors: unknown labels, negative numbers, a nil rng, and an embedding that Embed did not make.
// Cost O(n k^2) per iteration.
func (e *Embedding) Cluster(set *Settings, rng *rand.Rand) (Result, error) {
	switch {
	case rng == nil:
		return Result{}, errors.New("spectral: rng is nil, expected a source of randomness")
	case e == nil || e.K < 1 || e.K > e.N || len(e.Vectors) != e.N*e.K:
		return Result{}, errors.New("spectral: the embedding is nil or incomplete, expected one from Embed")
	}
	s := *cmp.Or(set, &Settings{})
	if s.Restarts < 0 || s.MaxIter < 0 {
		return Result{}, fmt.Errorf("spectral: %d restarts of %d iterations, expected positive numbers", s.Restarts, s.MaxIter)
	}
	s.Restarts = cmp.Or(s.Restarts, 10)
	s.MaxIter = cmp.Or(s.MaxIter, 300)
	r := Result{Eigenvalues: e.Eigenvalues}
	switch s.Labels {
	case "", KMeans, KMeansUnit:
		points := e.Vectors
		if s.Labels == KMeansUnit {
			points = append([]float64(nil), points...)
			unitRows(points, e.K)
		}
		c, err := eval.KMeans(points, e.N, e.K, e.K, &eval.KMeansSettings{Restarts: s.Restarts, MaxIter: s.MaxIter}, rng)
		if err != nil {
			return Result{}, fmt.Errorf("spectral: %w", err)
		}
		r.Labels, r.Iterations, r.Capped = c.Labels, c.Iterations, c.Capped
	case Discretise:
		if err := e.discretise(&s, rng, &r); err != nil {
			return Result{}, err
		}
	default:
		return Result{}, fmt.Errorf("spectral: labels %q, expected %q, %q or %q", s.Labels, KMeans, KMeansUnit, Discretise)
	}
	return r, nil
}
