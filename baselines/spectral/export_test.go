package spectral

import (
	"context"
	"math/rand/v2"
)

// Smallest and Full, for tests.
var (
	Smallest = smallest
	Full     = full
)

// Cluster is Embed, then Embedding.Cluster.
func Cluster(ctx context.Context, dist []float64, n, k int, gamma float64, set *Settings, rng *rand.Rand) (Result, error) {
	e, err := Embed(ctx, dist, n, k, gamma)
	if err != nil {
		return Result{}, err
	}
	return e.Cluster(set, rng)
}
