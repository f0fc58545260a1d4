package gdl_test

import (
	"context"
	"math"
	"testing"

	"ogdl/gdl"
	"ogdl/ot/gw"
)

func unmixed(t *testing.T, d *gdl.Dictionary, C, A []float64, n int) gdl.Embedding {
	t.Helper()
	g, err := gw.NewSpace(C, A, n, d.D, nil)
	if err != nil {
		t.Fatal(err)
	}
	u, err := gdl.NewUnmixer(d)
	if err != nil {
		t.Fatal(err)
	}
	e, err := u.Unmix(context.Background(), g, nil)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// TestFarNodesWithoutWeight holds that a far first node without weight costs no digits: w was (.5, .5).
func TestFarNodesWithoutWeight(t *testing.T) {
	for _, far := range []float64{1, 1e6, 1e8, 1e12} {
		d := &gdl.Dictionary{S: 2, N: 2, D: 1, Alpha: 0, C: [][]float64{make([]float64, 4), make([]float64, 4)},
			A: [][]float64{{far, 0}, {0, 1}}, Q: []float64{0, 1}}
		e := unmixed(t, d, []float64{0}, []float64{.3}, 1)
		if math.Abs(e.W[0]-.7) > 1e-9 || e.Reconstruction > 1e-12 {
			t.Errorf("%g: w %v, loss %v, want (.7, .3) and 0", far, e.W, e.Reconstruction)
		}
		if v, err := d.Distance([]float64{1, 0}, []float64{0, 1}); err != nil || math.Abs(v-1) > 1e-9 {
			t.Errorf("%g: distance %v, %v, want 1", far, v, err)
		}
	}
}

// TestStructuresFarFromZero is its like for structures: w was (1, 0) at 1e6.
func TestStructuresFarFromZero(t *testing.T) {
	for _, far := range []float64{0, 1e2, 1e6, 1e9} {
		d := &gdl.Dictionary{S: 2, N: 1, Alpha: 1, C: [][]float64{{far}, {far + 1}}, Q: []float64{1}}
		e := unmixed(t, d, []float64{far + .25}, nil, 1)
		if math.Abs(e.W[0]-.75) > 1e-6 {
			t.Errorf("%g: w %v, want (.75, .25)", far, e.W)
		}
		if v, err := d.Distance([]float64{1, 0}, []float64{0, 1}); err != nil || math.Abs(v-1) > 1e-6 {
			t.Errorf("%g: distance %v, %v, want 1", far, v, err)
		}
	}
}

// TestOffsetsGiveTheSameWeights holds that learning and embedding do not depend on an offset of all structures.
func TestOffsetsGiveTheSameWeights(t *testing.T) {
	fit := func(by float64) []float64 {
		var graphs []*gw.Space
		rng := source(3)
		for range 12 {
			C := make([]float64, 25)
			for i := range 5 {
				for j := range i {
					C[i*5+j] = float64(rng.IntN(2))
					C[j*5+i] = C[i*5+j]
				}
			}
			for k := range C {
				C[k] += by
			}
			g, err := gw.NewSpace(C, nil, 5, 0, nil)
			if err != nil {
				t.Fatal(err)
			}
			graphs = append(graphs, g)
		}
		d, err := gdl.NewDictionary(2, 5, 0, 1)
		if err != nil {
			t.Fatal(err)
		}
		for s := range d.C {
			c, ld := graphs[s].C()
			for i := range 5 {
				copy(d.C[s][i*5:], c[i*ld:i*ld+5])
			}
		}
		learned, err := gdl.Train(context.Background(), graphs, d, &gdl.TrainSettings{Epochs: 3, Batch: 4}, source(4))
		if err != nil {
			t.Fatal(err)
		}
		es, err := learned.Dictionary.Embed(context.Background(), graphs, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		var w []float64
		for _, e := range es {
			w = append(w, e.W...)
		}
		return w
	}
	want := fit(0)
	for _, by := range []float64{1 << 10, 1 << 20} {
		for k, x := range fit(by) {
			if math.Abs(x-want[k]) > 2e-2 {
				t.Errorf("offset %g: weight %d is %v, want %v", by, k, x, want[k])
			}
		}
	}
}

// TestWeightsOfSinglePrecision holds that weights that sum to 1 within 1e-6 are normalised: they were an error.
func TestWeightsOfSinglePrecision(t *testing.T) {
	third := float64(float32(1) / 3)
	d := &gdl.Dictionary{S: 1, N: 3, Alpha: 1, C: [][]float64{make([]float64, 9)}, Q: []float64{third, third, third + 3e-7}}
	if err := d.Check(); err != nil {
		t.Error(err)
	}
	d.Q[2] += 1e-5
	if d.Check() == nil {
		t.Error("weights that sum to 1.00001 were taken")
	}
}
