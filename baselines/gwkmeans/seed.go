package gwkmeans

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"

	"ogdl/ot/gw"
)

// seed draws the centroids by k-means++ and measures all distances to them.
func (l *lloyd) seed(ctx context.Context, rng *rand.Rand) error {
	near := make([]float64, l.n)
	for c := range l.k {
		pick := rng.IntN(l.n)
		if c > 0 {
			pick = draw(near, rng)
		}
		if err := l.plant(ctx, c, pick, rng); err != nil {
			return err
		}
		if err := l.measure(ctx, c); err != nil {
			return err
		}
		for i := range near {
			if d := l.dist[i*l.k+c]; c == 0 || d < near[i] {
				near[i] = d
			}
		}
	}
	return nil
}

// draw returns an index with probability proportional to its weight, or any if all are zero.
func draw(weight []float64, rng *rand.Rand) int {
	total := 0.0
	for _, w := range weight {
		total += w
	}
	if !(total > 0) {
		return rng.IntN(len(weight))
	}
	target, sum, last := rng.Float64()*total, 0.0, 0
	for i, w := range weight {
		if w > 0 {
			last = i
			if sum += w; sum > target {
				return i
			}
		}
	}
	return last // by rounding
}

// plant makes graph i the seed of centroid c: its barycentre of the centroids' order and weights.
// Their coupling and distance are known then; other couplings with c are dropped.
func (l *lloyd) plant(ctx context.Context, c, i int, rng *rand.Rand) error {
	g, q := l.graphs[i], l.blank.P()
	set := l.set.Barycentre
	from := g
	if g.N() != len(q) {
		from = l.nearest(rng)
	} else if T := diagonal(g.P(), q); T != nil {
		set.Couplings = [][]float64{T}
	}
	start, err := from.Resized(len(q), l.set.P)
	if err != nil {
		return err
	}
	r, err := l.means.Solve(ctx, []*gw.Space{g}, nil, start, l.alpha, &set)
	l.count.add(&r)
	if err != nil {
		return err
	}
	l.centroid[c] = r.Space
	for j := range l.n {
		l.coupling[j*l.k+c] = nil
	}
	l.coupling[i*l.k+c] = append([]float64(nil), r.Couplings[0]...)
	l.dist[i*l.k+c] = r.Values[0]
	return nil
}

// nearest draws a graph among those whose order comes nearest to the centroids'.
func (l *lloyd) nearest(rng *rand.Rand) *gw.Space {
	var of []*gw.Space
	best := 0
	for _, g := range l.graphs {
		off := g.N() - l.set.Order
		if off = max(off, -off); off < best || len(of) == 0 {
			best, of = off, of[:0]
		}
		if off == best {
			of = append(of, g)
		}
	}
	return of[rng.IntN(len(of))]
}

// diagonal returns the coupling of p and q that keeps every node's mass where it is, or nil if they
// differ by more than rounding.
func diagonal(p, q []float64) []float64 {
	T := make([]float64, len(p)*len(q))
	for j := range p {
		if math.Abs(p[j]-q[j]) > 1e-12 {
			return nil
		}
		T[j*len(q)+j] = p[j]
	}
	return T
}

// refill gives the empty cluster c the farthest graph of the largest, unless it is on its centroid.
func (l *lloyd) refill(ctx context.Context, c int, rng *rand.Rand) error {
	largest := slices.Index(l.size, slices.Max(l.size))
	far, farthest := l.rest, -1
	for i, own := range l.label {
		if d := l.dist[i*l.k+own]; own == largest && d > far {
			far, farthest = d, i
		}
	}
	if farthest < 0 {
		return nil
	}
	if err := l.plant(ctx, c, farthest, rng); err != nil {
		return err
	}
	l.label[farthest] = c
	l.size[largest]--
	l.size[c]++
	l.changed[largest], l.changed[c] = true, true
	l.count.refills++
	return nil
}
