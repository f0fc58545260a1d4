package gwkmeans

import (
	"context"
	"math/rand/v2"

	"ogdl/ot/gw"
)

// From is Cluster from given seeds.
func From(ctx context.Context, graphs []*gw.Space, seeds []int, alpha float64, set *Settings, rng *rand.Rand) (Result, error) {
	r, _, err := Settle(ctx, graphs, seeds, alpha, set, rng)
	return r, err
}

// Settle is From, and returns by how much one more round of all barycentres lowers the inertia.
func Settle(ctx context.Context, graphs []*gw.Space, seeds []int, alpha float64, set *Settings, rng *rand.Rand) (Result, float64, error) {
	r, err := set.resolve(graphs, alpha)
	if err != nil {
		return Result{}, 0, err
	}
	l, err := newLloyd(graphs, len(seeds), alpha, r)
	if err != nil {
		return Result{}, 0, err
	}
	for c, i := range seeds {
		if err := l.plant(ctx, c, i, rng); err != nil {
			return Result{}, 0, err
		}
		if err := l.measure(ctx, c); err != nil {
			return Result{}, 0, err
		}
	}
	end, err := l.descent(ctx, rng)
	l.count.into(&end)
	if err != nil {
		return end, 0, err
	}
	l.set.Barycentre.MaxIter = 1
	for c, size := range l.size {
		if size > 0 {
			if err := l.move(ctx, c); err != nil {
				return end, 0, err
			}
		}
	}
	return end, end.Inertia - l.inertia(), nil
}

// Nearest is the order of the graph that a seed of another order starts from.
func Nearest(graphs []*gw.Space, order int, rng *rand.Rand) int {
	l := lloyd{graphs: graphs, set: Settings{Order: order}}
	return l.nearest(rng).N()
}
