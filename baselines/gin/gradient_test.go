package gin

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/nntest"
	"ogdl/internal/test/must"
	"ogdl/internal/vec"
)

// randomGraph has n nodes with so many inputs, and every edge with a probability.
func randomGraph(rng *rand.Rand, n, width int, p float64) Graph {
	g := Graph{Neighbors: make([][]int32, n), Inputs: nntest.Normal(rng, n*width)}
	for i := range n {
		for j := range i {
			if rng.Float64() < p {
				g.Neighbors[i] = append(g.Neighbors[i], int32(j))
				g.Neighbors[j] = append(g.Neighbors[j], int32(i))
			}
		}
	}
	for _, list := range g.Neighbors {
		slices.Sort(list)
	}
	return g
}

// TestGradient checks the whole gradient: every weight of every part, with scores dropped, graphs without edges and without nodes, and
// widths that need padding.
func TestGradient(t *testing.T) {
	for k, s := range []shape{{1, 1, 2, 1}, {3, 4, 2, 2}, {5, 6, 3, 4}, {2, 9, 6, 3}} {
		rng := rand.New(rand.NewPCG(2, uint64(k)))
		list := []Graph{{}, randomGraph(rng, 1, s.inputs, 0), randomGraph(rng, 5, s.inputs, 0)}
		for n := range 6 {
			list = append(list, randomGraph(rng, 3+n, s.inputs, .4))
		}
		graphs := must.Get(newSet("graphs", list, s.inputs))
		m := newModel(s, len(list), rng)
		for _, p := range m.weights.real(&s) {
			*p += .3 * rng.NormFloat64()
		}
		d := newDescent(newPass(m, graphs))
		batch, classes := rng.Perm(len(list)), make([]int, len(list))
		for i := range classes {
			classes[i] = rng.IntN(s.classes)
		}
		d.load(graphs, batch)
		d.drop(.5, rng)
		f := func() float64 {
			d.forward(true)
			return d.loss(classes)
		}
		pattern := func() string {
			var on strings.Builder
			for l := range d.layers {
				for k := range d.layers[l].maps {
					on.WriteString(nntest.Signs(d.layers[l].maps[k].Out[:d.nodes*vec.Pad(s.hidden)]))
				}
			}
			return on.String()
		}
		f()
		d.backward()
		grad := make([]float64, 0, len(d.grad.flat))
		for _, p := range d.grad.real(&s) {
			grad = append(grad, *p)
		}
		nntest.Differences(t, fmt.Sprint(s), f, pattern, m.weights.real(&s), grad)

		// What pads rows is not learned.
		inside := map[*float64]bool{}
		for _, p := range d.grad.real(&s) {
			inside[p] = true
		}
		for i := range d.grad.flat {
			if p := &d.grad.flat[i]; !inside[p] && *p != 0 {
				t.Errorf("%v: padding has the gradient %v", s, *p)
			}
		}
	}
}
