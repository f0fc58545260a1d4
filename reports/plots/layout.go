package plots

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/gonum/stat/mds"
)

// Settings of the layout.
const (
	lengthPower = 0.7 // light chords do not dent rings
	longestEdge = 6   // heavy parts that light edges join are not far apart
	sweeps      = 200 // moves of each node
	mostStarts  = 8   // layouts that are tried of a graph of at most 20 nodes; of larger ones fewer
)

// places lays the nodes out in coordinates of any size, with distances near the lengths of shortest paths (stress
// majorization; Gansner, Koren and North 2004). The first start is classical scaling of the
// lengths, in which rings are round; the others are random. The layout with the fewest crossings of
// edges is taken, and of equal ones the layout with the least stress.
func (g Graph) places() (best []r2.Vec) {
	if g.Places != nil {
		g.Weights = g.Places
	}
	d := g.lengths()
	starts := max(1, mostStarts*20*20/max(20*20, g.N*g.N))
	var edges []edge
	if starts > 1 {
		edges, _ = g.edges()
	}
	fewest, least := math.Inf(1), math.Inf(1)
	for start := range starts {
		rng := rand.New(rand.NewPCG(1, uint64(start)))
		at := make([]r2.Vec, g.N)
		shake := math.Sqrt(float64(g.N))
		if start == 0 {
			var scaled mat.Dense
			if k, _ := mds.TorgersonScaling(&scaled, nil, d); k > 1 {
				for i := range at {
					at[i] = r2.Vec{X: scaled.At(i, 0), Y: scaled.At(i, 1)}
				}
				shake = 1e-3 // parts nodes at one place
			}
		}
		for i := range at {
			at[i] = r2.Add(at[i], r2.Vec{X: shake * (rng.Float64() - 0.5), Y: shake * (rng.Float64() - 0.5)})
		}
		stress := majorize(d, at)
		if n := crossings(edges, at); best == nil || n < fewest || n == fewest && stress < least {
			best, fewest, least = at, n, stress
		}
	}
	for i, p := range best { // a chain is longest on a diagonal
		best[i] = r2.Vec{X: p.X - p.Y, Y: p.X + p.Y}
	}
	return best
}

// lengths returns the N * N lengths of shortest paths. An edge of weight w has length w^-lengthPower, at most longestEdge. Nodes
// that no path joins are as far apart as the ends of the longest one.
func (g Graph) lengths() *mat.SymDense {
	d := mat.NewSymDense(g.N, nil)
	for i := range g.N {
		for j := range i {
			d.SetSym(i, j, math.Inf(1))
			if w := g.weight(i, j); w >= visible {
				d.SetSym(i, j, min(math.Pow(w, -lengthPower), longestEdge))
			}
		}
	}
	for k := range g.N {
		for i := range g.N {
			for j := range i {
				d.SetSym(i, j, min(d.At(i, j), d.At(i, k)+d.At(k, j)))
			}
		}
	}
	longest := 0.0
	for _, v := range d.RawSymmetric().Data {
		if !math.IsInf(v, 1) {
			longest = max(longest, v)
		}
	}
	for i := range g.N {
		for j := range i {
			d.SetSym(i, j, min(d.At(i, j), max(longest, 1+longest/2)))
		}
	}
	return d
}

// majorize moves each node in turn to the place of least stress, and returns the stress: the sum of
// squared relative errors of all distances.
func majorize(d *mat.SymDense, at []r2.Vec) (stress float64) {
	for range sweeps {
		for i := range at {
			sum, weights := r2.Vec{}, 0.0
			for j := range at {
				gap := r2.Sub(at[i], at[j])
				far := r2.Norm(gap)
				if i == j || far == 0 {
					continue
				}
				w := 1 / float64(d.At(i, j)*d.At(i, j))
				sum = r2.Add(sum, r2.Scale(w, r2.Add(at[j], r2.Scale(d.At(i, j)/far, gap))))
				weights += w
			}
			if weights > 0 {
				at[i] = r2.Scale(1/weights, sum)
			}
		}
	}
	for i := range at {
		for j := range i {
			miss := r2.Norm(r2.Sub(at[i], at[j]))/d.At(i, j) - 1
			stress += float64(miss * miss)
		}
	}
	return stress
}

// crossings counts the pairs of edges that cross, each by the product of the weights.
func crossings(edges []edge, at []r2.Vec) (sum float64) {
	side := func(a, b, c int) bool { return r2.Cross(r2.Sub(at[b], at[a]), r2.Sub(at[c], at[a])) > 0 }
	for k, e := range edges {
		for _, f := range edges[:k] {
			if e.i == f.i || e.i == f.j || e.j == f.i || e.j == f.j {
				continue
			}
			if side(e.i, e.j, f.i) != side(e.i, e.j, f.j) && side(f.i, f.j, e.i) != side(f.i, f.j, e.j) {
				sum += float64(e.weight * f.weight)
			}
		}
	}
	return sum
}
