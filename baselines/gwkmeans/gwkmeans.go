package gwkmeans

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ogdl/ot/gw"
)

// Defaults of Settings.
const (
	DefaultMaxIter           = 300
	DefaultTol               = 1e-3
	DefaultBarycentreMaxIter = 100
	DefaultBarycentreTol     = 1e-3
	DefaultGWTolRel          = 1e-6
)

// Settings are the order and weights of centroids, and the stopping rules of a clustering. A nil
// *Settings means the defaults, and so does a field that is zero.
type Settings struct {
	// Order is the number of nodes of a centroid. Default: the graphs' median order, rounded down.
	Order int
	// P are the centroids' node weights, Order non-negative numbers that sum to 1.
	// Default uniform. [MeanWeights] suits graphs of one order whose nodes correspond,
	// such as graphs embedded in one dictionary.
	P []float64
	// Restarts is the number of seedings; the lowest inertia is kept. Default 1.
	Restarts int
	// MaxIter caps Lloyd's iterations of one restart. Default 300.
	MaxIter int
	// Tol ends Lloyd's iterations: when one lowers the inertia by at most Tol times its value. They
	// also end when no label changes. Default 1e-3; a negative Tol ends them only then.
	Tol float64
	// Barycentre says when the descent of a centroid stops. A zero Tol is 1e-3 here, a zero MaxIter
	// 100. Its GW and Couplings are ignored.
	Barycentre gw.BarycentreSettings
	// GW says when the conditional gradient of one coupling stops. A zero TolRel is 1e-6 here, and
	// a zero TolAbs is 1e-7 of the mean of the graphs' [gw.Space.Scale]. MaxIter is as in package
	// gw. Starts and Rand are ignored.
	GW gw.Settings
}

// resolve returns the settings with defaults filled in.
func (s *Settings) resolve(graphs []*gw.Space, alpha float64) (Settings, error) {
	r := *cmp.Or(s, &Settings{})
	switch {
	case r.Order < 0:
		return r, fmt.Errorf("gwkmeans: centroids of order %d, expected a positive number, or 0 for the median", r.Order)
	case r.Restarts < 0 || r.MaxIter < 0 || r.Barycentre.MaxIter < 0 || r.GW.MaxIter < 0:
		return r, fmt.Errorf("gwkmeans: %d restarts, caps of %d rounds, %d rounds of a centroid and %d iterations: expected numbers >= 0",
			r.Restarts, r.MaxIter, r.Barycentre.MaxIter, r.GW.MaxIter)
	case math.IsNaN(r.Tol + r.GW.TolRel + r.GW.TolAbs):
		return r, fmt.Errorf("gwkmeans: tolerances of %v, and of %v and %v for GW, expected numbers", r.Tol, r.GW.TolRel, r.GW.TolAbs)
	}
	if r.Order == 0 {
		r.Order = medianOrder(graphs)
	}
	if r.P != nil && len(r.P) != r.Order {
		return r, fmt.Errorf("gwkmeans: %d node weights for centroids of order %d", len(r.P), r.Order)
	}
	r.Restarts = cmp.Or(r.Restarts, 1)
	r.MaxIter = cmp.Or(r.MaxIter, DefaultMaxIter)
	r.Tol = cmp.Or(r.Tol, DefaultTol)
	r.Barycentre.Tol = cmp.Or(r.Barycentre.Tol, DefaultBarycentreTol)
	r.Barycentre.MaxIter = cmp.Or(r.Barycentre.MaxIter, DefaultBarycentreMaxIter)
	r.GW.TolRel = cmp.Or(r.GW.TolRel, DefaultGWTolRel)
	if r.GW.TolAbs == 0 {
		sum := 0.0
		for _, x := range scales(graphs, alpha) {
			sum += x
		}
		r.GW.TolAbs = 1e-7 * sum / float64(len(graphs))
	}
	r.Barycentre.GW, r.Barycentre.Couplings = r.GW, nil
	return r, nil
}

// scales returns the graphs' sizes in the unit of the objective, less a common offset.
func scales(graphs []*gw.Space, alpha float64) []float64 {
	by, out := gw.Offset(graphs...), make([]float64, len(graphs))
	for i, g := range graphs {
		if by != 0 {
			g = g.Shift(by, nil)
		}
		out[i] = g.Scale(alpha)
	}
	return out
}

// medianOrder returns the median of the orders, rounded down.
func medianOrder(graphs []*gw.Space) int {
	var orders []int
	for _, g := range graphs {
		orders = append(orders, g.N())
	}
	slices.Sort(orders)
	n := len(orders)
	return (orders[(n-1)/2] + orders[n/2]) / 2
}

// check returns an error for graphs that cannot be an argument.
func check(graphs []*gw.Space) error {
	if len(graphs) == 0 {
		return errors.New("gwkmeans: graphs is empty, expected one at least")
	}
	for i, g := range graphs {
		switch {
		case g == nil:
			return fmt.Errorf("gwkmeans: graphs[%d] is nil, expected a space", i)
		case g.N() == 0:
			return fmt.Errorf("gwkmeans: graphs[%d] has order 0, expected a space from gw.NewSpace", i)
		}
	}
	return nil
}

// MeanWeights returns the mean of the graphs' node weights, for Settings.P. No graphs, a
// nil one and orders that differ are errors.
func MeanWeights(graphs []*gw.Space) ([]float64, error) {
	if err := check(graphs); err != nil {
		return nil, err
	}
	mean := make([]float64, graphs[0].N())
	for i, g := range graphs {
		if g.N() != len(mean) {
			return nil, fmt.Errorf("gwkmeans: graph %d has order %d, the first %d: weights of different orders have no mean", i, g.N(), len(mean))
		}
		for j, p := range g.P() {
			mean[j] += p / float64(len(graphs))
		}
	}
	return mean, nil
}

// Result is a clustering.
type Result struct {
	// Labels are the clusters of the graphs, 0..k-1: the nearest centroid, and the first of equals
	// (if the context ended: at the last assignment).
	Labels []int
	// Centroids are the k barycentres, of order Settings.Order.
	Centroids []*gw.Space
	// Inertia is the sum of the graphs' (F)GW objectives (squared distances) to their centroids.
	Inertia float64
	// Trace holds the inertia after the seeding and after every iteration of Lloyd's;
	// it never rises, unless an empty cluster was refilled.
	Trace []float64
	// Iterations counts Lloyd's iterations of the kept restart. Status is its end: Converged,
	// MaxIterations or Cancelled.
	Iterations int
	Status     gw.Status
	// Restart is the index of the kept restart, Capped counts those that stopped at MaxIter.
	Restart, Capped int
	// Counts over all restarts: solves of couplings, solves that stopped at GW.MaxIter, their
	// conditional gradient iterations, rounds of barycentres, and empty clusters that took a graph
	// from the largest.
	Solves, CapHits, GWIterations int
	BarycentreRounds              int
	Refills                       int
}

// Cluster clusters graphs into k clusters by k-means with (F)GW distances and
// barycentres: it minimises the inertia
//
//	sum_i min_c FGW(graph_i, centroid_c)
//
// over k centroids of fixed order and node weights, by Lloyd's iterations from a
// k-means++ seeding (Arthur & Vassilvitskii 2007) with barycentres for means (Peyre,
// Cuturi & Solomon 2016). No labels are used.
//
//   - seeding: the first seed is a graph drawn uniformly, each further one with
//     probability proportional to the objective to the nearest centroid so far. A
//     seed's centroid is the barycentre of the seed alone: the seed itself, if it has
//     the centroids' order and weights; else found from the seed's structure as it is,
//     if it has the order, and otherwise from a graph drawn among those whose order
//     comes nearest (squeezed to the centroids' by merging or splitting neighbouring
//     nodes where it is not the same);
//   - distances: the objective is not convex, so each is the lower end of two descents,
//     from the coupling that graph and centroid had in the last iteration and from the
//     product of the weights. Barycentres start from the last centroid and its couplings.
//     So neither step of an iteration raises the inertia;
//   - a centroid whose cluster did not change stays, and the distances to it too;
//   - an empty cluster takes from the largest one (the first of equals) the graph
//     farthest from its centroid, as a seed. Where that lies on its centroid up to
//     rounding (fewer distinct graphs than clusters), the cluster stays empty.
//
// The graphs may have any node weights and orders, but one feature dimension; alpha
// weighs the structures, and is 1 where there are no features. The result is a function
// of the input and of rng's state.
//
// Labels do not change when structures and features are scaled by a common factor; inertia and
// centroids scale with it. This holds to the last bit for a power of two, and up to rounding for
// other factors.
//
// Errors: a nil ctx or rng, no graphs, a nil one, feature dimensions that differ, k < 1 or k >
// len(graphs), an alpha outside [0, 1] or not 1 without features, bad settings, and the context's,
// with the state reached: the best restart that ended, or the first as it is (in its seeding,
// centroids that were not reached are nil, all labels 0, and Inertia is centroid 0's, or +Inf). An
// iteration solves at most 2 k len(graphs) couplings besides the barycentres'. Memory: a graph of
// order n takes k couplings of n x Order and about six more such matrices.
func Cluster(ctx context.Context, graphs []*gw.Space, k int, alpha float64, set *Settings, rng *rand.Rand) (Result, error) {
	switch {
	case ctx == nil:
		return Result{}, errors.New("gwkmeans: ctx is nil, expected a context")
	case rng == nil:
		return Result{}, errors.New("gwkmeans: rng is nil, expected a source of randomness")
	}
	if err := check(graphs); err != nil {
		return Result{}, err
	}
	for i, g := range graphs {
		if g.D() != graphs[0].D() {
			return Result{}, fmt.Errorf("gwkmeans: graphs[%d] has feature dimension %d and graphs[0] %d, expected the same", i, g.D(), graphs[0].D())
		}
	}
	if k < 1 || k > len(graphs) {
		return Result{}, fmt.Errorf("gwkmeans: %d clusters of %d graphs, expected between 1 and the number of graphs", k, len(graphs))
	}
	r, err := set.resolve(graphs, alpha)
	if err != nil {
		return Result{}, err
	}
	l, err := newLloyd(graphs, k, alpha, r)
	if err != nil {
		return Result{}, err
	}
	var best Result
	for restart := range r.Restarts {
		end, err := l.run(ctx, rng)
		if err != nil && ctx.Err() == nil {
			return Result{}, err
		}
		if end.Status == gw.MaxIterations {
			best.Capped++
		}
		if restart == 0 || (end.Status != gw.Cancelled && end.Inertia < best.Inertia) {
			end.Capped, end.Restart = best.Capped, restart
			best = end
		}
		if err != nil {
			best.Status = gw.Cancelled
			l.count.into(&best)
			return best, err
		}
	}
	l.count.into(&best)
	return best, nil
}
