package gdl_test

import (
	"bytes"
	"context"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"ogdl/datasets/loader"
	"ogdl/gdl"
	"ogdl/internal/npz"
	"ogdl/internal/sharedtest"
	"ogdl/ot/gw"
)

func TestExtendedLossFalls(t *testing.T) {
	ctx := context.Background()
	graphs := noisy(source(4), 40, 6, 12, 2)
	mean := func(d *gdl.Dictionary) float64 {
		sum := 0.0
		for _, e := range must(d.Embed(ctx, graphs, nil, 1)) {
			sum += e.Objective
		}
		return sum / float64(len(graphs))
	}
	for _, alpha := range []float64{1e-3, 0.5, 1} {
		for optimizer, step := range map[gdl.Optimizer][2]float64{gdl.Adam: {0.02, 0.002}, gdl.SGD: {0.5, 0.05}} {
			d, _, err := gdl.InitSample(graphs, 3, 6, alpha, source(5))
			if err != nil {
				t.Fatal(err)
			}
			x := must(gdl.Extend(d, source(6)))
			r := must(gdl.Train(ctx, graphs, x, &gdl.TrainSettings{
				Epochs: 10, Batch: 8, StepC: step[0], StepA: step[0], StepH: step[1], Optimizer: optimizer, NonNegative: true,
			}, source(6)))
			if before, after := mean(x), mean(r.Dictionary); !(after < 0.8*before) {
				t.Errorf("alpha %v, %s: loss from %v to %v", alpha, optimizer, before, after)
			}
			for s, c := range r.Dictionary.C {
				if low, high := slices.Min(c), slices.Max(c); low < 0 || high > 3 {
					t.Errorf("alpha %v, %s: atoms have entries from %v to %v", alpha, optimizer, low, high)
				}
				if slices.Equal(r.Dictionary.H[s], x.H[s]) {
					t.Errorf("alpha %v, %s: the node weights have not moved", alpha, optimizer)
				}
			}
		}
	}
}

// The learning curve: on IMDB-M, at equal settings, node weights of their
// own leave half of the objective.
func TestExtendedLearningCurve(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	ctx := context.Background()
	set, err := loader.Load(sharedtest.Data(t, "IMDB-MULTI"), "IMDB-MULTI")
	if err != nil {
		t.Fatal(err)
	}
	rng := source(0)
	graphs := adjacencies(t, set)
	d, _, err := gdl.InitSample(graphs, 12, 10, 1, rng)
	if err != nil {
		t.Fatal(err)
	}
	rng.Shuffle(len(graphs), func(i, j int) { graphs[i], graphs[j] = graphs[j], graphs[i] })
	graphs = graphs[:500]
	opt := gdl.TrainSettings{Epochs: 6, Batch: 16, StepC: 0.01, NonNegative: true, Workers: 2}
	plain := must(gdl.Train(ctx, graphs, d, &opt, source(1)))
	extended := must(gdl.Train(ctx, graphs, must(gdl.Extend(d, rng)), &opt, source(1)))
	t.Logf("GDL %.5f, GDL_h %.5f", plain.EpochLoss, extended.EpochLoss)
	last := len(plain.EpochLoss) - 1
	if !(extended.EpochLoss[last] < 0.8*plain.EpochLoss[last]) || !(extended.EpochLoss[last] < extended.EpochLoss[0]) {
		t.Errorf("GDL ends at %v, GDL_h goes from %v to %v", plain.EpochLoss[last], extended.EpochLoss[0], extended.EpochLoss[last])
	}
}

func TestExtendedNPZ(t *testing.T) {
	for _, dim := range []int{0, 3} {
		d := far(source(1), 4, 5, dim, map[bool]float64{true: 1, false: 0.25}[dim == 0])
		meta := map[string]string{"dataset": "D1", "note": "größer"}
		var b bytes.Buffer
		if err := d.WriteNPZ(&b, meta); err != nil {
			t.Fatal(err)
		}
		got, gotMeta, err := gdl.ReadNPZ(bytes.NewReader(b.Bytes()), int64(b.Len()))
		if err != nil {
			t.Fatal(err)
		}
		if !maps.Equal(meta, gotMeta) || !bytes.Equal(archive(t, got), archive(t, d)) || got.D != dim || got.Alpha != d.Alpha {
			t.Errorf("dim %d: read back %+v, %v", dim, got, gotMeta)
		}
	}
	for name, c := range map[string]struct {
		h    npz.Array
		want string
	}{
		"shape":   {npz.Array{Shape: []int{2, 1}, Float: []float64{1, 1}}, "expected 1 x 2"},
		"vector":  {npz.Array{Shape: []int{2}, Float: []float64{0.5, 0.5}}, "1 dimensions"},
		"integer": {npz.Array{Shape: []int{1, 2}, Int: []int{1, 0}}, "floats"},
		"simplex": {npz.Array{Shape: []int{1, 2}, Float: []float64{0.5, 0.6}}, "sum to 1.1"},
		"NaN":     {npz.Array{Shape: []int{1, 2}, Float: []float64{0.5, math.NaN()}}, "NaN"},
		"missing": {npz.Array{Shape: []int{1}, Float: []float64{0}}, "dimensions"},
	} {
		c.h.Name = "h"
		var b bytes.Buffer
		if err := npz.Write(&b, []npz.Array{
			{Name: "schema", Int: []int{1}}, {Name: "C", Shape: []int{1, 2, 2}, Float: []float64{0, 1, 1, 0}}, c.h, {Name: "alpha", Float: []float64{1}},
		}); err != nil {
			t.Fatal(err)
		}
		if _, _, err := gdl.ReadNPZ(bytes.NewReader(b.Bytes()), int64(b.Len())); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

// The gradients of structures and features are those of the mean objective at
// fixed couplings and embeddings, with every graph's own node weights.
func TestExtendedAtomGradients(t *testing.T) {
	rng := source(11)
	for _, dim := range []int{0, 2} {
		alpha := 1 - 0.3*float64(dim)
		d := far(rng, 3, 5, dim, alpha)
		graphs := noisy(rng, 3, 4, 7, dim)
		for s := range d.S {
			gradC, gradA, _, es, err := gdl.ExtendedGradients(d, graphs, &gdl.UnmixSettings{}, s)
			if err != nil {
				t.Fatal(err)
			}
			mean := func(d *gdl.Dictionary) float64 {
				sum := 0.0
				for k, g := range graphs {
					sum += gw.Objective(g, must(d.Model(es[k].W, es[k].V)), alpha, tight(&es[k], g.N(), d.N)) / float64(len(graphs))
				}
				return sum
			}
			// The objective is quadratic: central differences are exact.
			const step = 1e-2
			slope := func(move func(d *gdl.Dictionary, f float64)) float64 {
				a, b := d.Clone(), d.Clone()
				move(a, step)
				move(b, -step)
				return (mean(a) - mean(b)) / (2 * step)
			}
			for i := range d.N {
				for j := range i + 1 {
					want := slope(func(d *gdl.Dictionary, f float64) {
						d.C[s][i*d.N+j] += f
						if i != j {
							d.C[s][j*d.N+i] += f
						}
					})
					got := gradC[i*d.N+j]
					if i != j {
						got += gradC[j*d.N+i]
					}
					if math.Abs(got-want) > 1e-11 {
						t.Errorf("dim %d, atom %d, structure (%d, %d): %v, difference %v", dim, s, i, j, got, want)
					}
				}
			}
			for i := range gradA {
				want := slope(func(d *gdl.Dictionary, f float64) { d.A[s][i] += f })
				if math.Abs(gradA[i]-want) > 1e-11 {
					t.Errorf("dim %d, atom %d, feature %d: %v, difference %v", dim, s, i, gradA[i], want)
				}
			}
		}
	}
}
