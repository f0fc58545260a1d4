package gwf

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// changedModel is a model whose structures are times f and whose features go through a.
func changedModel(m *Model, f float64, a func([]float64) []float64) *Model {
	m = m.Clone()
	for k := range m.Atoms {
		for i := range m.Atoms[k].C {
			m.Atoms[k].C[i] *= f
		}
		m.Atoms[k].A = a(m.Atoms[k].A)
	}
	return m
}

func scaled(f float64) func([]float64) []float64 {
	return func(a []float64) []float64 { return gwtest.Times(a, f) }
}

// zeroOne draws graphs of 0 and 1, where most costs tie.
func zeroOne(rng *rand.Rand, count, n, d int) []*gw.Space {
	out := make([]*gw.Space, count)
	for k := range out {
		c := gwtest.Symmetric(n, gwtest.ZeroOne(rng))
		out[k] = must.Get(gw.NewSpace(c, gwtest.Slice(n*d, gwtest.ZeroOne(rng)), n, d, nil))
	}
	return out
}

// same compares to a tolerance relative to the largest entry that is wanted.
func same(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	size := 0.0
	for _, x := range want {
		size = max(size, math.Abs(x))
	}
	must.Near(t, what, got, want, tol*size)
}

// Structures and features by f and gamma by its square: the weights stay and the
// loss goes with the square, to the last bit for powers of two. The reconstruction
// goes with f.
func TestEmbeddingFollowsTheScale(t *testing.T) {
	ctx := context.Background()
	for _, d := range []int{0, 2} {
		alpha := 1.0
		if d > 0 {
			alpha = 0.4
		}
		for _, barycentre := range []Barycentre{OneStep, Full} {
			rng := source(80)
			tieFree := randomGraphs(rng, 2, 4, 7, d)
			graphs := slices.Concat(tieFree, zeroOne(rng, 2, 6, d))
			m := must.Get(InitRandomOrder(slices.Concat(randomGraphs(rng, 2, 4, 7, d), zeroOne(rng, 2, 5, d)), 4, alpha, rng))
			embed := func(f float64, graphs []*gw.Space) ([]Embedding, []*gw.Space) {
				tr := Transport{Gamma: 0.05 * f * f, Barycentre: barycentre}
				x := changedModel(m, f, scaled(f))
				gs := make([]*gw.Space, len(graphs))
				for k, g := range graphs {
					gs[k] = gwtest.Changed(g, f, scaled(f))
				}
				es := must.Get(x.Embed(ctx, gs, &EmbedSettings{Transport: tr}, 1))
				var W []float64
				for _, e := range es {
					W = append(W, e.W...)
				}
				return es, must.Get(x.Reconstruct(ctx, gs, W, &tr, 1))
			}
			want, wantX := embed(1, graphs)
			compare := func(f float64, graphs []*gw.Space, tol float64) {
				got, gotX := embed(f, graphs)
				for k := range graphs {
					at := fmt.Sprintf("d %d, %s, scale %v, graph %d: ", d, barycentre, f, k)
					same(t, at+"weights", got[k].W, want[k].W, tol)
					same(t, at+"loss", []float64{got[k].Loss / (f * f)}, []float64{want[k].Loss}, tol)
					c, _ := gotX[k].C()
					w, _ := wantX[k].C()
					same(t, at+"structure", c, scaled(f)(w), tol)
					same(t, at+"features", gotX[k].A(), scaled(f)(wantX[k].A()), tol)
				}
			}
			for _, k := range []int{-15, 20} { // odd and even powers
				compare(math.Ldexp(1, k), graphs, 0)
			}
			for _, f := range []float64{1e-6, 1e6} {
				compare(f, tieFree, 1e-9)
			}
		}
	}
}

func TestFeaturesFarFromZero(t *testing.T) {
	ctx := context.Background()
	for alpha, barycentre := range map[float64]Barycentre{0: OneStep, 0.4: Full} {
		rng := source(81)
		graphs := slices.Concat(randomGraphs(rng, 3, 4, 7, 3), zeroOne(rng, 3, 6, 3))
		m := must.Get(InitRandomOrder(slices.Concat(randomGraphs(rng, 2, 4, 7, 3), zeroOne(rng, 2, 5, 3)), 4, alpha, rng))
		at := func(offset float64) ([]Embedding, [][]float64) {
			move := func(a []float64) []float64 { // exact in binary
				b := slices.Clone(a)
				for i, x := range b {
					b[i] = math.Round(16*x)/16 + offset*float64(1+i%3)
				}
				return b
			}
			tr := Transport{Gamma: 0.05, Barycentre: barycentre}
			x := changedModel(m, 1, move)
			gs := make([]*gw.Space, len(graphs))
			for k, g := range graphs {
				gs[k] = gwtest.Changed(g, 1, move)
			}
			es := must.Get(x.Embed(ctx, gs, &EmbedSettings{Transport: tr}, 1))
			var W []float64
			var A [][]float64
			for _, e := range es {
				W = append(W, e.W...)
			}
			for _, r := range must.Get(x.Reconstruct(ctx, gs, W, &tr, 1)) {
				a := slices.Clone(r.A())
				for i := range a {
					a[i] -= offset * float64(1+i%3)
				}
				A = append(A, a)
			}
			return es, A
		}
		want, wantA := at(0)
		for _, offset := range []float64{-1e6, 1e8} {
			got, gotA := at(offset)
			for k := range want {
				what := fmt.Sprintf("alpha %v, %s, offset %v, graph %d: ", alpha, barycentre, offset, k)
				same(t, what+"weights", got[k].W, want[k].W, 1e-9)
				same(t, what+"loss", []float64{got[k].Loss}, []float64{want[k].Loss}, 1e-9)
				same(t, what+"features", gotA[k], wantA[k], max(1e-9, 1e-15*math.Abs(offset)))
			}
		}
	}
}
