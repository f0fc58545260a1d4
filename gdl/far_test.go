package gdl_test

import (
	"context"
	"math"
	"slices"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

func unmixed(d *gdl.Dictionary, C, A []float64, n int) gdl.Embedding {
	return must.Get(must.Get(gdl.NewUnmixer(d)).Unmix(context.Background(), space(C, A, n, d.D, nil), nil))
}

// TestFarNodesWithoutWeight holds that a far first node without weight costs no digits: w was (.5, .5).
func TestFarNodesWithoutWeight(t *testing.T) {
	for _, far := range []float64{1, 1e6, 1e8, 1e12} {
		d := &gdl.Dictionary{S: 2, N: 2, D: 1, Alpha: 0, C: [][]float64{make([]float64, 4), make([]float64, 4)},
			A: [][]float64{{far, 0}, {0, 1}}, Q: []float64{0, 1}}
		e := unmixed(d, []float64{0}, []float64{.3}, 1)
		must.Within(t, e.W[0], .7, 1e-9, "%g: w %v, want (.7, .3)", far, e.W)
		must.Within(t, e.Reconstruction, 0, 1e-12, "%g: loss", far)
		must.Within(t, must.Get(d.Distance([]float64{1, 0}, []float64{0, 1})), 1, 1e-9, "%g: distance", far)
	}
}

// TestStructuresFarFromZero is its like for structures: w was (1, 0) at 1e6.
func TestStructuresFarFromZero(t *testing.T) {
	for _, far := range []float64{0, 1e2, 1e6, 1e9} {
		d := &gdl.Dictionary{S: 2, N: 1, Alpha: 1, C: [][]float64{{far}, {far + 1}}, Q: []float64{1}}
		e := unmixed(d, []float64{far + .25}, nil, 1)
		must.Within(t, e.W[0], .75, 1e-6, "%g: w %v, want (.75, .25)", far, e.W)
		must.Within(t, must.Get(d.Distance([]float64{1, 0}, []float64{0, 1})), 1, 1e-6, "%g: distance", far)
	}
}

// TestOffsetsGiveTheSameWeights holds that learning and embedding do not depend on an offset of all structures.
func TestOffsetsGiveTheSameWeights(t *testing.T) {
	fit := func(by float64) (w []float64) {
		graphs := make([]*gw.Space, 12)
		rng := source(3)
		for k := range graphs {
			c := slices.Repeat([]float64{by}, 25)
			for i := range 5 {
				for j := range i {
					c[i*5+j] += float64(rng.IntN(2))
					c[j*5+i] = c[i*5+j]
				}
			}
			graphs[k] = space(c, nil, 5, 0, nil)
		}
		d := must.Get(gdl.NewDictionary(2, 5, 0, 1))
		for s := range d.C {
			copy(d.C[s], gwtest.Structure(graphs[s]))
		}
		learned := must.Get(gdl.Train(context.Background(), graphs, d, &gdl.TrainSettings{Epochs: 3, Batch: 4}, source(4)))
		for _, e := range must.Get(learned.Dictionary.Embed(context.Background(), graphs, nil, 1)) {
			w = append(w, e.W...)
		}
		return w
	}
	want := fit(0)
	for _, by := range []float64{1 << 10, 1 << 20} {
		for k, x := range fit(by) {
			must.Within(t, x, want[k], 2e-2, "offset %g: weight %d", by, k)
		}
	}
}

// TestWeightsOfSinglePrecision holds that weights that sum to 1 within 1e-6 are normalised: they were an error.
func TestWeightsOfSinglePrecision(t *testing.T) {
	third := float64(float32(1) / 3)
	d := &gdl.Dictionary{S: 1, N: 3, Alpha: 1, C: [][]float64{make([]float64, 9)}, Q: []float64{third, third, third + 3e-7}}
	must.Do(t, d.Check())
	d.Q[2] += 1e-5
	if d.Check() == nil {
		t.Error("weights that sum to 1.00001 were taken")
	}
}

// TestNearEmbeddings: the distance of two atoms that are nearly equal keeps its digits.
func TestNearEmbeddings(t *testing.T) {
	for _, eps := range []float64{1e-4, 1e-8, 1e-12} {
		eps = 1 + eps - 1
		d := &gdl.Dictionary{S: 2, N: 2, Alpha: 1, C: [][]float64{{0, 1, 1, 0}, {0, 1 + eps, 1 + eps, 0}}, Q: []float64{.5, .5}}
		v := must.Get(d.Distance([]float64{1, 0}, []float64{0, 1}))
		must.Within(t, v/eps, math.Sqrt(.5), 1e-12, "%g: distance over the difference", eps)
	}
}
