package gwkmeans

import (
	"context"
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"ogdl/internal/vec"
	"ogdl/ot/gw"
)

// counts is the work done so far.
type counts struct {
	solves, capHits, gwIterations, rounds, refills int
}

func (c *counts) add(r *gw.BarycentreResult) {
	c.rounds += r.Iterations
	c.solves += r.Solves
	c.gwIterations += r.GWIterations
	c.capHits += r.CapHits
}

func (c *counts) into(r *Result) {
	r.Solves, r.CapHits, r.GWIterations = c.solves, c.capHits, c.gwIterations
	r.BarycentreRounds, r.Refills = c.rounds, c.refills
}

// lloyd is the state of a clustering.
type lloyd struct {
	graphs []*gw.Space
	n, k   int
	alpha  float64
	set    Settings
	rest   float64 // objectives up to this are rounding

	centroid []*gw.Space
	dist     []float64   // n x k: objective of graph and centroid
	coupling [][]float64 // n x k: the coupling it was found at, nil before the first
	label    []int
	size     []int
	changed  []bool // clusters whose members changed since their last barycentre

	solver gw.Solver
	means  gw.BarycentreSolver
	lambda []float64
	start  [][]float64
	fresh  []float64 // the coupling found from the product of the weights
	blank  *gw.Space // order and weights of a centroid, and nothing else
	count  counts
}

func newLloyd(graphs []*gw.Space, k int, alpha float64, set Settings) (*lloyd, error) {
	n := len(graphs)
	l := &lloyd{
		graphs: graphs, n: n, k: k, alpha: alpha, set: set,
		centroid: make([]*gw.Space, k), dist: make([]float64, n*k), coupling: make([][]float64, n*k),
		label: make([]int, n), size: make([]int, k), changed: make([]bool, k),
		lambda: make([]float64, n), start: make([][]float64, n),
	}
	var err error
	if l.blank, err = gw.NewTarget(set.Order, graphs[0].D(), set.P); err != nil {
		return nil, err
	}
	// Bind checks alpha.
	if err := l.solver.Bind(graphs[0], l.blank, alpha); err != nil {
		return nil, err
	}
	for _, x := range scales(graphs, alpha) {
		l.rest = max(l.rest, 1e-12*x)
	}
	return l, nil
}

// run computes one restart.
func (l *lloyd) run(ctx context.Context, rng *rand.Rand) (Result, error) {
	clear(l.centroid)
	clear(l.label)
	for at := range l.dist {
		l.dist[at] = math.Inf(1) // not measured
	}
	if err := l.seed(ctx, rng); err != nil {
		return l.result(Result{Status: gw.Cancelled}), err
	}
	return l.descent(ctx, rng)
}

// descent runs Lloyd's method from centroids to which all distances are known.
func (l *lloyd) descent(ctx context.Context, rng *rand.Rand) (Result, error) {
	for c := range l.changed {
		l.changed[c] = true
	}
	l.assign()
	r := Result{Status: gw.MaxIterations}
	inertia := l.inertia()
	r.Trace = append(r.Trace, inertia)
	for r.Iterations < l.set.MaxIter {
		if err := l.iterate(ctx, rng); err != nil {
			r.Status = gw.Cancelled
			return l.result(r), err
		}
		moved := l.assign()
		r.Iterations++
		old := inertia
		inertia = l.inertia()
		r.Trace = append(r.Trace, inertia)
		if moved == 0 || math.Abs(old-inertia) <= l.set.Tol*inertia {
			r.Status = gw.Converged
			break
		}
	}
	return l.result(r), nil
}

// iterate moves the centroids and brings the distances to them up to date.
func (l *lloyd) iterate(ctx context.Context, rng *rand.Rand) error {
	for c := range l.k {
		if l.size[c] == 0 {
			if err := l.refill(ctx, c, rng); err != nil {
				return err
			}
		}
	}
	for c := range l.k {
		if !l.changed[c] || l.size[c] == 0 {
			continue
		}
		l.changed[c] = false
		if err := l.move(ctx, c); err != nil {
			return err
		}
		if err := l.measure(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// move sets centroid c to the barycentre of its members.
func (l *lloyd) move(ctx context.Context, c int) error {
	clear(l.lambda)
	clear(l.start)
	for i, own := range l.label {
		if own == c {
			l.lambda[i] = 1 / float64(l.size[c])
			l.start[i] = l.coupling[i*l.k+c]
		}
	}
	set := l.set.Barycentre
	set.Couplings = l.start
	r, err := l.means.Solve(ctx, l.graphs, l.lambda, l.centroid[c], l.alpha, &set)
	l.count.add(&r)
	if err != nil {
		return err
	}
	l.centroid[c] = r.Space
	for i, own := range l.label {
		if own == c {
			copy(l.coupling[i*l.k+c], r.Couplings[i])
			l.dist[i*l.k+c] = r.Values[i]
		}
	}
	return nil
}

// measure brings the distances of all graphs to centroid c up to date.
func (l *lloyd) measure(ctx context.Context, c int) error {
	for i := range l.n {
		if err := l.distance(ctx, i, c); err != nil {
			return err
		}
	}
	return nil
}

// distance solves the coupling of graph i with centroid c from the carried one, if there is
// one, and from the product of the weights, and keeps the lower end.
func (l *lloyd) distance(ctx context.Context, i, c int) error {
	at := i*l.k + c
	if err := l.solver.Bind(l.graphs[i], l.centroid[c], l.alpha); err != nil {
		return err
	}
	v, err := l.solve(ctx)
	if err != nil {
		return err
	}
	if T := l.coupling[at]; T == nil {
		l.coupling[at] = make([]float64, l.graphs[i].N()*l.set.Order)
	} else {
		l.fresh = keep(&l.solver, l.fresh, l.graphs[i].N(), l.set.Order)
		if err := l.solver.Start(T); err != nil {
			return err
		}
		w, err := l.solve(ctx)
		if err != nil {
			return err
		}
		if v < w {
			l.dist[at] = v
			copy(T, l.fresh)
			return nil
		}
		v = w
	}
	l.dist[at] = v
	l.coupling[at] = keep(&l.solver, l.coupling[at], l.graphs[i].N(), l.set.Order)
	return nil
}

// solve solves the coupling that the solver holds and returns the objective.
func (l *lloyd) solve(ctx context.Context) (float64, error) {
	status, iterations := l.solver.Descend(ctx, &l.set.GW)
	l.count.gwIterations += iterations
	switch status {
	case gw.Cancelled:
		return 0, ctx.Err()
	case gw.MaxIterations:
		l.count.capHits++
	}
	l.count.solves++
	return max(0, l.solver.Value()), nil
}

// keep copies the solver's coupling to T, n x m, grown if need be.
func keep(s *gw.Solver, T []float64, n, m int) []float64 {
	T = vec.Grow(T, n*m)
	t, ld := s.Coupling()
	for i := range n {
		copy(T[i*m:(i+1)*m], t[i*ld:])
	}
	return T
}

// assign gives every graph to the nearest centroid and returns how many moved.
func (l *lloyd) assign() (moved int) {
	clear(l.size)
	for i := range l.n {
		best := floats.MinIdx(l.dist[i*l.k : (i+1)*l.k])
		if old := l.label[i]; old != best {
			moved++
			l.changed[old], l.changed[best] = true, true
			l.label[i] = best
		}
		l.size[best]++
	}
	return moved
}

func (l *lloyd) inertia() float64 {
	sum := 0.0
	for i, c := range l.label {
		sum += l.dist[i*l.k+c]
	}
	return sum
}

// result fills in the present state.
func (l *lloyd) result(r Result) Result {
	r.Labels = append([]int(nil), l.label...)
	r.Centroids = append([]*gw.Space(nil), l.centroid...)
	r.Inertia = l.inertia()
	return r
}
