// Package gwtest makes graphs, as spaces, for the tests of packages that compare graphs.
package gwtest

import (
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// Symmetric returns a symmetric n x n matrix with zeros on the diagonal. It draws row by row, below
// the diagonal.
func Symmetric(n int, draw func() float64) []float64 {
	c := make([]float64, n*n)
	for i := range n {
		for j := range i {
			c[i*n+j] = draw()
			c[j*n+i] = c[i*n+j]
		}
	}
	return c
}

// ZeroOne draws 0 and 1 with equal probability: costs between such structures tie.
func ZeroOne(rng *rand.Rand) func() float64 {
	return func() float64 { return float64(rng.IntN(2)) }
}

// Slice returns n drawn numbers.
func Slice(n int, draw func() float64) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = draw()
	}
	return x
}

// Weights returns n node weights that sum to 1, proportional to low plus a uniform number below 1.
func Weights(rng *rand.Rand, n int, low float64) []float64 {
	return Normalized(Slice(n, func() float64 { return low + rng.Float64() }))
}

// Normalized divides w by its sum, in place.
func Normalized(w []float64) []float64 {
	sum := 0.0
	for _, x := range w {
		sum += x
	}
	for i := range w {
		w[i] /= sum
	}
	return w
}

// Times returns x with every entry times f.
func Times(x []float64, f float64) []float64 {
	y := slices.Clone(x)
	for i := range y {
		y[i] *= f
	}
	return y
}

// Diagonal returns the coupling of p with itself that moves nothing.
func Diagonal(p []float64) []float64 {
	T := make([]float64, len(p)*len(p))
	for i, x := range p {
		T[i*len(p)+i] = x
	}
	return T
}

// Structure returns the structure of a space without padding.
func Structure(g *gw.Space) []float64 {
	c, ld := g.C()
	out := make([]float64, 0, g.N()*g.N())
	for i := range g.N() {
		out = append(out, c[i*ld:i*ld+g.N()]...)
	}
	return out
}

// Changed returns g with its structure times f and its features sent through change, or times f
// where change is nil.
func Changed(g *gw.Space, f float64, change func([]float64) []float64) *gw.Space {
	if change == nil {
		change = func(a []float64) []float64 { return Times(a, f) }
	}
	return must.Get(gw.NewSpace(Times(Structure(g), f), change(g.A()), g.N(), g.D(), g.P()))
}

// Relabelled returns g with its nodes in another order: node i was node order[i].
func Relabelled(g *gw.Space, order []int) *gw.Space {
	n, d := g.N(), g.D()
	from, ld := g.C()
	c, a, p := make([]float64, n*n), make([]float64, n*d), make([]float64, n)
	for i, x := range order {
		for j, y := range order {
			c[i*n+j] = from[x*ld+y]
		}
		copy(a[i*d:(i+1)*d], g.A()[x*d:])
		p[i] = g.P()[x]
	}
	return must.Get(gw.NewSpace(c, a, n, d, p))
}

// Load returns the graphs of a published data set as spaces, with uniform node weights.
func Load(t testing.TB, name string, structure datasets.StructureKind, features datasets.FeatureKind) ([]*gw.Space, *datasets.Dataset) {
	t.Helper()
	d := must.Get(loader.Load(sharedtest.Data(t, name), name))
	rows, dim := must.Get2(datasets.Features{Kind: features}.Of(d))
	out := make([]*gw.Space, len(d.Graphs))
	for k := range out {
		g, row := &d.Graphs[k], []float64(nil)
		if dim > 0 {
			row = rows[k]
		}
		out[k] = must.Get(gw.NewSpace(must.Get(datasets.Structure{Kind: structure}.Matrix(g)), row, g.Order(), dim, nil))
	}
	return out, d
}
