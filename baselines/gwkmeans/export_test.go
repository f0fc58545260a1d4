package gwkmeans

import (
	"context"
	"math/rand/v2"

	"ogdl/ot/gw"
)

// From is Cluster from given seeds.
func From(ctx context.Context, graphs []*gw.Space, seeds []int, alpha float64, set *Settings, rng *rand.Rand) (Result, error) {
	r, err := set.resolve(graphs, alpha)
	if err != nil {
		return Result{}, err
	}
	l, err := newLloyd(graphs, len(seeds), alpha, r)
	if err != nil {
		return Result{}, err
	}
	for c, i := range seeds {
		if err := l.plant(ctx, c, i, rng); err != nil {
			return Result{}, err
		}
		if err := l.measure(ctx, c); err != nil {
			return Result{}, err
		}
	}
	end, err := l.descent(ctx, rng)
	l.count.into(&end)
	return end, err
}

// Squeeze is squeeze.
var Squeeze = squeeze
