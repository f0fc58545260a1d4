package gdl_test

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// scaledGraphs are graphs with structures and features times f.
func scaledGraphs(graphs []*gw.Space, f float64) []*gw.Space {
	out := make([]*gw.Space, len(graphs))
	for k, g := range graphs {
		out[k] = gwtest.Changed(g, f, nil)
	}
	return out
}

func scaledAtoms(d *gdl.Dictionary, f float64) *gdl.Dictionary {
	d = d.Clone()
	for s := range d.S {
		scale(d.C[s], f)
		if d.D > 0 {
			scale(d.A[s], f)
		}
	}
	return d
}

// embedBoth embeds graphs in d and, with the atoms' own node weights h, in the extended
// model, at lambda and mu, by either solver of the weights, the exact one from every start.
func embedBoth(d *gdl.Dictionary, h [][]float64, graphs []*gw.Space, lambda, mu float64) []gdl.Embedding {
	ctx := context.Background()
	var out []gdl.Embedding
	x := &gdl.Dictionary{S: d.S, N: d.N, D: d.D, Alpha: d.Alpha, C: d.C, A: d.A, H: h}
	for _, step := range []gdl.WStep{gdl.Exact, gdl.ConditionalGradient, gdl.FullyCorrective} {
		set := gdl.UnmixSettings{Lambda: lambda, WStep: step}
		if step == gdl.Exact {
			set.Starts = gdl.Starts()
		}
		out = append(out, must.Get(d.Embed(ctx, graphs, &set, 1))...)
		set.Mu = mu
		out = append(out, must.Get(x.Embed(ctx, graphs, &set, 1))...)
	}
	return out
}

// mixed are graphs without ties, of 0 and 1, and of a single node.
func mixed(seed uint64, dim int) []*gw.Space {
	rng := source(seed)
	return slices.Concat(noisy(rng, 3, 3, 9, dim), binary(rng, 3, 3, 9, dim), noisy(rng, 1, 1, 1, dim))
}

// Powers of two scale without rounding: weights and couplings are the same to the
// last bit, on graphs with ties too, and objectives go with the square.
func TestPowersOfTwoScaleEverything(t *testing.T) {
	for _, dim := range []int{0, 2} {
		d := start(source(40), 4, 6, dim, 0.4)
		for s, g := range binary(source(41), 2, 6, 6, dim) { // atoms with ties, too
			copy(d.C[s], gwtest.Structure(g))
		}
		h := must.Get(gdl.Extend(d, source(42))).H
		graphs := mixed(43, dim)
		const lambda, mu = 0.01, 0.02
		want := embedBoth(d, h, scaledGraphs(graphs, 1), lambda, mu) // weights are normalised once more
		for _, k := range []int{-20, -7, -1, 1, 6, 20} {
			f := math.Ldexp(1, k)
			for i, e := range embedBoth(scaledAtoms(d, f), h, scaledGraphs(graphs, f), lambda*f*f, mu*f*f) {
				at := fmt.Sprintf("dim %d, scale 2^%d, embedding %d: ", dim, k, i)
				must.Near(t, at+"weights", e.W, want[i].W, 0)
				must.Near(t, at+"node weights", e.V, want[i].V, 0)
				must.Near(t, at+"coupling", e.T, want[i].T, 0)
				must.Near(t, at+"trace", e.Trace, gwtest.Times(want[i].Trace, f*f), 0)
				must.Near(t, at+"reconstruction and gap", []float64{e.Reconstruction, e.Gap}, []float64{f * f * want[i].Reconstruction, f * f * want[i].Gap}, 0)
			}
		}
	}
}

// Learning by SGD scales, too; Adam's steps are absolute.
func TestPowersOfTwoScaleSGD(t *testing.T) {
	ctx := context.Background()
	for _, dim := range []int{0, 2} {
		d, graphs := start(source(60), 3, 5, dim, 0.4), mixed(61, dim)
		train := func(f float64) *gdl.Training {
			set := gdl.TrainSettings{Epochs: 2, Batch: 3, Optimizer: gdl.SGD, NonNegative: true, Unmix: gdl.UnmixSettings{Lambda: 0.01 * f * f}}
			return must.Get(gdl.Train(ctx, scaledGraphs(graphs, f), scaledAtoms(d, f), &set, source(62)))
		}
		want := train(1)
		for _, f := range []float64{0x1p-20, 0.5, 0x1p20} {
			got := train(f)
			must.Near(t, "losses", got.BatchLoss, gwtest.Times(want.BatchLoss, f*f), 0)
			for s := range d.S {
				must.Near(t, "structure", got.Dictionary.C[s], gwtest.Times(want.Dictionary.C[s], f), 0)
				if dim > 0 {
					must.Near(t, "features", got.Dictionary.A[s], gwtest.Times(want.Dictionary.A[s], f), 0)
				}
			}
		}
	}
}

// moved rounds features to multiples of 1/16 and moves them by offset, a
// multiple too, and more in every further dimension: both without rounding.
func moved(d *gdl.Dictionary, graphs []*gw.Space, offset float64) (*gdl.Dictionary, []*gw.Space) {
	move := func(a []float64) []float64 {
		b := slices.Clone(a)
		for i, x := range b {
			b[i] = math.Round(16*x)/16 + offset*(1+float64(i%d.D)/2)
		}
		return b
	}
	d = d.Clone()
	for s, a := range d.A {
		d.A[s] = move(a)
	}
	out := make([]*gw.Space, len(graphs))
	for k, g := range graphs {
		out[k] = gwtest.Changed(g, 1, move)
	}
	return d, out
}

func TestFeaturesFarFromZero(t *testing.T) {
	for _, alpha := range []float64{0, 0.5} {
		for _, dim := range []int{1, 3} {
			d := start(source(70), 4, 6, dim, alpha)
			h := must.Get(gdl.Extend(d, source(71))).H
			graphs := mixed(72, dim)
			all := func(offset float64) (*gdl.Dictionary, []gdl.Embedding) {
				m, gs := moved(d, graphs, offset)
				return m, embedBoth(m, h, gs, 0.01, 0.02)
			}
			m, want := all(0)
			root := must.Get(gdl.SymmetricRoot(must.Get(m.Mahalanobis()), m.S))
			for _, offset := range []float64{1000.0625, -1e6, 1e8} {
				at := fmt.Sprintf("alpha %v, dim %d, offset %v: ", alpha, dim, offset)
				far, es := all(offset)
				for i, e := range es {
					w := &want[i]
					tol := 1e-9 * math.Abs(w.Objective)
					must.Near(t, at+"values", append(e.Trace, e.Reconstruction, e.Gap), append(slices.Clone(w.Trace), w.Reconstruction, w.Gap), tol)
					must.Near(t, at+"weights", e.W, w.W, 1e-9)
					must.Near(t, at+"node weights", e.V, w.V, 1e-9)
					must.Near(t, at+"coupling", e.T, w.T, 1e-9)
					if i > 0 {
						got, want := must.Get(far.Distance(e.W, es[i-1].W)), must.Get(m.Distance(w.W, want[i-1].W))
						must.Near(t, at+"distance", []float64{got}, []float64{want}, 1e-9*want)
					}
				}
				must.Near(t, at+"metric", must.Get(gdl.SymmetricRoot(must.Get(far.Mahalanobis()), m.S)), root, 1e-9)
			}
		}
	}
}

// Learning far from zero begins with the same losses, and moves the atoms likewise
// within the digits that are left there.
func TestTrainingFarFromZero(t *testing.T) {
	ctx := context.Background()
	const offset = 1 << 20
	d, graphs := start(source(80), 3, 5, 2, 0.3), noisy(source(81), 8, 3, 8, 2)
	train := func(offset float64) *gdl.Training {
		m, gs := moved(d, graphs, offset)
		set := gdl.TrainSettings{Epochs: 2, Batch: 4, Optimizer: gdl.SGD, StepC: 0.1, StepA: 0.1}
		return must.Get(gdl.Train(ctx, gs, m, &set, source(82)))
	}
	near, far := train(0), train(offset)
	must.Check(t, near.BatchLoss[0], far.BatchLoss[0], "first loss, and far from zero")
	for b, want := range near.BatchLoss {
		must.Within(t, far.BatchLoss[b], want, 1e-7*want, "batch %d: loss, and far from zero", b)
	}
}

// A graph that is a mixture of the atoms is reconstructed but for rounding, and
// rounding below zero is zero.
func TestReconstructionIsNotNegative(t *testing.T) {
	for _, dim := range []int{0, 2} {
		var zeros int
		for seed := range uint64(40) {
			d := start(source(seed), 5, 6, dim, 0.5)
			h := must.Get(gdl.Extend(d, source(seed+1))).H
			c, a, _ := d.Reconstruct(gwtest.Weights(source(seed), 5, 0.2))
			for i, e := range embedBoth(d, h, []*gw.Space{space(c, a, 6, dim, nil)}, 0, 0) {
				if !(e.Reconstruction >= 0) || e.Objective != e.Reconstruction || e.Trace[len(e.Trace)-1] != e.Objective {
					t.Errorf("dim %d, seed %d, embedding %d: reconstruction %v, objective %v", dim, seed, i, e.Reconstruction, e.Objective)
				}
				if e.Reconstruction == 0 {
					zeros++
				}
			}
		}
		t.Logf("dim %d: %d reconstructions of zero", dim, zeros)
	}
}
