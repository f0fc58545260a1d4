package plots

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/spatial/r2"
	"gonum.org/v1/plot/vg"
)

// Settings of the layout by shortest paths.
const (
	springNodes = 8   // springs lay out graphs of at most as many nodes
	sparseEdges = 2   // the most edges of a sparse graph, by weight and node
	fewClosed   = 0.4 // the largest share of paths of two edges that a third closes; blocks have more
	lengthPower = 0.7 // heavy parts that light edges join are not far apart, and light chords do not dent rings
	sweeps      = 200 // moves of each node
)

// sparse reports whether the graph has few edges and few triangles, counted by weight, as rings,
// chains, trees and molecules have.
func (g Graph) sparse() bool {
	sum, closed, paths := 0.0, 0.0, 0.0
	for i := range g.N {
		for j := range i {
			sum += g.weight(i, j)
			for k := range g.N {
				if k != i && k != j {
					path := g.weight(i, k) * g.weight(k, j)
					closed += float64(path * g.weight(i, j))
					paths += path
				}
			}
		}
	}
	return g.N > springNodes && sum <= float64(sparseEdges*g.N) && closed <= float64(fewClosed*paths)
}

// lengths returns the N * N lengths of shortest paths. An edge of weight w has length w^-lengthPower. Nodes
// that no path joins are 1 plus half the longest path apart.
func (g Graph) lengths() *mat.SymDense {
	d := mat.NewSymDense(g.N, nil)
	for i := range g.N {
		for j := range i {
			d.SetSym(i, j, math.Inf(1))
			if w := g.weight(i, j); w >= visible {
				d.SetSym(i, j, math.Pow(w, -lengthPower))
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
		if finite(v) {
			longest = max(longest, v)
		}
	}
	for i := range g.N {
		for j := range i {
			if !finite(d.At(i, j)) {
				d.SetSym(i, j, 1+longest/2)
			}
		}
	}
	return d
}

// byPaths lays the nodes out with distances near the lengths of shortest paths (stress
// majorization; Gansner, Koren and North 2004). The first start is classical scaling of the
// lengths, in which rings are round; the others are random. The layout with the fewest crossings of
// edges is taken, and of equal ones the layout with the least stress.
func (g Graph) byPaths(starts int) (best []r2.Vec) {
	d := g.lengths()
	edges, _ := g.edges()
	fewest, least := math.Inf(1), math.Inf(1)
	for start := range starts {
		rng := rand.New(rand.NewPCG(g.Seed, uint64(start)))
		at := make([]r2.Vec, g.N)
		if start == 0 {
			at = scaling(d)
		}
		shake := 1e-3 // parts nodes at one place
		if start > 0 {
			shake = math.Sqrt(float64(g.N))
		}
		for i := range at {
			at[i] = r2.Add(at[i], r2.Vec{X: shake * (rng.Float64() - 0.5), Y: shake * (rng.Float64() - 0.5)})
		}
		stress := majorize(d, at)
		if n := crossings(edges, at); n < fewest || n == fewest && stress < least {
			best, fewest, least = at, n, stress
		}
	}
	for i, p := range best { // a chain is longest on a diagonal
		best[i] = r2.Vec{X: p.X - p.Y, Y: p.X + p.Y}
	}
	return best
}

// spacing returns the mean length of the edges, each by its weight; +Inf without edges.
func spacing(edges []edge, places []vg.Point) vg.Length {
	sum, weights := vg.Length(0), vg.Length(0)
	for _, e := range edges {
		gap := places[e.i].Sub(places[e.j])
		sum += vg.Length(e.weight * math.Hypot(float64(gap.X), float64(gap.Y)))
		weights += vg.Length(e.weight)
	}
	if weights == 0 {
		return vg.Length(math.Inf(1))
	}
	return sum / weights
}

// scaling returns places in the plane by classical scaling: the two leading eigenvectors of the
// centred squared distances. Where they do not converge, all nodes are at one place.
func scaling(d *mat.SymDense) []r2.Vec {
	n := d.SymmetricDim()
	means, mean := make([]float64, n), 0.0
	for i := range n {
		for j := range n {
			means[i] += float64(d.At(i, j)*d.At(i, j)) / float64(n)
		}
		mean += means[i] / float64(n)
	}
	centred := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			centred.SetSym(i, j, -0.5*(float64(d.At(i, j)*d.At(i, j))-means[i]-means[j]+mean))
		}
	}
	at := make([]r2.Vec, n)
	var eigen mat.EigenSym
	if n < 2 || !eigen.Factorize(centred, true) {
		return at
	}
	values := eigen.Values(nil)
	var v mat.Dense
	eigen.VectorsTo(&v)
	first, second := math.Sqrt(max(values[n-1], 0)), math.Sqrt(max(values[n-2], 0))
	for i := range at {
		at[i] = r2.Vec{X: first * v.At(i, n-1), Y: second * v.At(i, n-2)}
	}
	return at
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
