package kernels

import (
	"context"
	"fmt"
	"math"

	"ogdl/internal/parallel"
	"ogdl/internal/vec"
)

// RandomWalk computes the geometric random-walk kernels for several lambdas at once (Gaertner,
// Flach & Wrobel, "On graph kernels: hardness results and efficient alternatives", COLT 2003;
// Vishwanathan et al., "Graph kernels", JMLR 2010). Matrix s of the result is
//
//	K(G, G') = 1'(I - lambdas[s] W)^-1 1 = sum over k of lambdas[s]^k 1'W^k 1
//
// over all pairs of a node u of G and a of G', W being the product graph: W_(u,a),(v,b) = A_uv
// A'_ab where labels are equal, l_u = l_a and l_v = l_b (or everywhere, without labels). So it
// counts pairs of walks with equal labels. The pairs of nodes themselves, k = 0, all count.
//
// The series is summed until the remainder is below 2^-53 of the sum, by a bound on the spectral
// radius of W that the terms give. So the only errors are of rounding. Its terms are shared by all
// lambdas, and a product with W gives two of them, in O(n n' (deg + deg')) for mean degrees deg and
// deg'; about -8 / log10(lambda rho(W)) products are needed for the largest lambda. Pairs of graphs
// are spread over the given number of goroutines (0 counts as 1); the result does not depend on how
// many there are.
//
// Below 1 / rho(W) of every two graphs the series converges, see [RandomWalkLimit]. A larger lambda is
// an error that says what lambda must be below; the graphs with themselves, which decide it, come
// first. Within 0.03 % below the limit the series may take more than 100000 products, which is an
// error too. No lambdas, one that is not above 0, labels that are missing and a negative number
// of workers are errors too.
func RandomWalk(ctx context.Context, graphs []Graph, lambdas []float64, labels Labels, workers int) ([][]float64, error) {
	if err := check(ctx, graphs, labels); err != nil {
		return nil, err
	}
	workers, err := parallel.Workers(workers)
	if err != nil {
		return nil, fmt.Errorf("kernels: %w", err)
	}
	largest := 0.0
	for _, l := range lambdas {
		if !(l > 0) || math.IsInf(l, 1) {
			return nil, fmt.Errorf("kernels: lambda is %v, expected a finite number above 0", l)
		}
		largest = max(largest, l)
	}
	if len(lambdas) == 0 {
		return nil, fmt.Errorf("kernels: lambdas is empty, expected one at least")
	}
	n := len(graphs)
	out := make([][]float64, len(lambdas))
	for s := range out {
		out[s] = make([]float64, n*n)
	}
	prepared := prepare(graphs, labels)
	walkers := make([]walker, min(workers, n))
	pair := func(w *walker, i, j int) error {
		converged, err := w.series(ctx, &prepared[i], &prepared[j], largest)
		if err != nil {
			return err
		}
		if !converged {
			limit, err := RandomWalkLimit(ctx, graphs, labels)
			if err != nil {
				return err
			}
			return fmt.Errorf("kernels: lambda is %v, where the walks of graphs %d and %d do not converge, or too slowly: "+
				"expected a number below 0.9997 times %.9g (1 / the largest spectral radius of a product of two graphs)",
				largest, i, j, limit)
		}
		for s, l := range lambdas {
			out[s][i*n+j] = w.sum(l / largest)
		}
		return nil
	}
	err = parallel.Each(workers, n, func(worker, i int) error { return pair(&walkers[worker], i, i) })
	if err != nil {
		return nil, err
	}
	err = parallel.Each(workers, n, func(worker, i int) error {
		for j := i + 1; j < n; j++ {
			if err := pair(&walkers[worker], i, j); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	for _, K := range out {
		mirror(K, n)
	}
	return out, nil
}

// RandomWalkLimit returns what lambda must be below in [RandomWalk]: 1 / the largest spectral
// radius of a product of two of the graphs, or +Inf where they have no edges. The largest belongs
// to a graph with itself: walks with equal labels are inner products of the graphs' numbers of
// walks by labels. The number is not above the true one and, but for graphs where 100000 products
// with W do not settle it, within 1e-9 of it. A graph takes tens of products, more where it is long
// and thin.
func RandomWalkLimit(ctx context.Context, graphs []Graph, labels Labels) (float64, error) {
	if err := check(ctx, graphs, labels); err != nil {
		return 0, err
	}
	prepared := prepare(graphs, labels)
	var w walker
	radius := 0.0
	for i := range prepared {
		r, err := w.radius(ctx, &prepared[i], radius)
		if err != nil {
			return 0, err
		}
		radius = max(radius, r)
	}
	return 1 / radius, nil
}

// RandomWalkConverges reports whether lambda is below the limit, sooner than [RandomWalkLimit]
// finds that. Of lambdas within 0.03 % of the limit it may say that they are not.
func RandomWalkConverges(ctx context.Context, graphs []Graph, lambda float64, labels Labels) (bool, error) {
	if err := check(ctx, graphs, labels); err != nil {
		return false, err
	}
	prepared := prepare(graphs, labels)
	var w walker
	for i := range prepared {
		if converges, err := w.series(ctx, &prepared[i], &prepared[i], lambda); err != nil || !converges {
			return false, err
		}
	}
	return true, nil
}

// product is a graph as the product with another needs it.
type product struct {
	g     *Graph
	label []int32 // nil: all alike
}

func prepare(graphs []Graph, labels Labels) []product {
	rank, first, distinct := labelRanks(graphs, labels)
	out := make([]product, len(graphs))
	for i := range graphs {
		out[i].g = &graphs[i]
		if distinct > 1 {
			out[i].label = rank[first[i]:first[i+1]]
		}
	}
	return out
}

// walker sums the series of two graphs. With e = 1 at the pairs of equal labels and 0 elsewhere, W
// is zero off them, so that 1'W^k 1 = e'W^k e for k > 0; and W is symmetric, so that vectors x_k =
// (lambda W)^k e give two terms each, x_k'x_k and x_k'x_(k+1).
type walker struct {
	x, y  *product
	scale float64 // the largest lambda
	e     []float64
	v     [3][]float64 // x_k, x_(k+1), x_(k+2)
	z     []float64    // A x
	pairs float64      // 1'1
	terms []float64    // e'(scale W)^k e for k > 0
}

// begin sets the vectors up.
func (w *walker) begin(x, y *product, scale float64) {
	w.x, w.y, w.scale = x, y, scale
	n, m := x.g.Order(), y.g.Order()
	w.pairs = float64(n) * float64(m)
	w.e, w.z = vec.Grow(w.e, n*m), vec.Grow(w.z, m)
	for i := range w.v {
		w.v[i] = vec.Grow(w.v[i], n*m)
	}
	for u := range n {
		row := w.e[u*m : (u+1)*m]
		for a := range row {
			row[a] = 1
			if x.label != nil && x.label[u] != y.label[a] {
				row[a] = 0
			}
		}
	}
	copy(w.v[0], w.e)
	w.step(w.v[0], w.v[1])
}

// step sets out to scale W x.
func (w *walker) step(x, out []float64) {
	m := len(w.z)
	for u, list := range w.x.g.Neighbors {
		clear(w.z)
		for _, v := range list {
			vec.Add(x[int(v)*m:(int(v)+1)*m], w.z)
		}
		row, equal := out[u*m:(u+1)*m], w.e[u*m:(u+1)*m]
		for a, list := range w.y.g.Neighbors {
			sum := 0.0
			for _, b := range list {
				sum += w.z[b]
			}
			row[a] = w.scale * sum * equal[a]
		}
	}
}

// Series undecided after so many products are taken for divergent: lambda rho(W) is above 0.9997.
const maxProducts = 100000

// series finds the terms for a lambda, and reports whether they have a sum.
func (w *walker) series(ctx context.Context, x, y *product, lambda float64) (converged bool, err error) {
	w.begin(x, y, lambda)
	w.terms = w.terms[:0]
	even := vec.Dot(w.v[0], w.v[0])
	if even == 0 {
		return true, ctx.Err()
	}
	top := w.growth(1)
	top = float64(top * top) // not below (lambda rho)^2
	total := w.pairs
	for k := range maxProducts {
		if k&63 == 0 && ctx.Err() != nil {
			return false, ctx.Err()
		}
		odd, next := vec.Dot(w.v[0], w.v[1]), vec.Dot(w.v[1], w.v[1])
		if !(next < even) { // their quotient rises towards (lambda rho)^2
			return false, nil
		}
		w.terms = append(w.terms, odd, next)
		total += odd + next
		if float64((odd+next)*top) <= 0x1p-53*float64(total*(1-top)) {
			return true, nil
		}
		top = w.advance(top)
		even = next
	}
	return false, nil
}

// advance goes from x_k to x_(k+1), and improves a bound of the square of the spectral radius: no
// entry of x_(k+2) is above it times the entry of x_k, nor is any later one.
func (w *walker) advance(top float64) float64 {
	w.step(w.v[1], w.v[2])
	if top > .5 { // below it hardly matters
		top = min(top, w.growth(2))
	}
	w.v[0], w.v[1], w.v[2] = w.v[1], w.v[2], w.v[0]
	return top
}

// growth returns the largest quotient of entries of a vector and the first.
func (w *walker) growth(to int) float64 {
	top := 0.0
	for i, x := range w.v[0] {
		if x > 0 {
			top = max(top, w.v[to][i]/x)
		}
	}
	return top
}

// sum adds up the series at the given share of its lambda.
func (w *walker) sum(share float64) float64 {
	sum := 0.0
	for k := len(w.terms) - 1; k >= 0; k-- {
		sum = float64((sum + w.terms[k]) * share)
	}
	return w.pairs + sum
}

// radius returns the spectral radius of the product of a graph with itself, or a little more; where
// it is not above floor, floor or less.
func (w *walker) radius(ctx context.Context, x *product, floor float64) (float64, error) {
	w.begin(x, x, 1)
	top := w.growth(1)
	if top == 0 {
		return 0, ctx.Err()
	}
	top = float64(top * top)
	for k := range maxProducts {
		if k&63 == 0 && ctx.Err() != nil {
			return 0, ctx.Err()
		}
		even, next := vec.Dot(w.v[0], w.v[0]), vec.Dot(w.v[1], w.v[1])
		if low := next / even; top-low <= 1e-9*top || top <= floor*floor {
			break
		}
		shrink := 1 / math.Sqrt(next)
		vec.Scale(shrink, w.v[0])
		vec.Scale(shrink, w.v[1])
		top = w.advance(top)
	}
	return math.Sqrt(top), nil
}
