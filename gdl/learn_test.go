package gdl_test

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/test/must"
)

// TestLearn: one call gives the bytes that start, node weights and training give, and notes of the start.
func TestLearn(t *testing.T) {
	ctx := context.Background()
	graphs := noisy(source(1), 6, 4, 7, 2)
	for _, own := range []bool{false, true} {
		set := &gdl.Settings{TrainSettings: gdl.TrainSettings{Epochs: 2, Batch: 3}, NodeWeights: own}
		got := must.Get(gdl.Learn(ctx, graphs, 2, 9, set, source(7)))
		rng := source(7)
		first, notes := must.Get2(gdl.InitSample(graphs, 2, 9, 0.5, rng))
		if own {
			first = must.Get(gdl.Extend(first, rng))
		}
		want := must.Get(gdl.Train(ctx, graphs, first, &set.TrainSettings, rng))
		if !bytes.Equal(archive(t, got.Dictionary), archive(t, want.Dictionary)) || !slices.Equal(got.Notes, notes) || len(notes) == 0 {
			t.Errorf("node weights %v: another dictionary, or notes %q for %q", own, got.Notes, notes)
		}
	}
}

// TestCoordinates: Euclidean distances of points are Mahalanobis distances, k-means clusters them, and files hold the dictionary.
func TestCoordinates(t *testing.T) {
	graphs := noisy(source(2), 5, 4, 7, 2)
	d := start(source(3), 3, 5, 2, 0.5)
	es := must.Get(d.Embed(context.Background(), graphs, nil, 0))
	points := must.Get(d.Coordinates(es))
	for i, a := range es {
		for j, b := range es {
			sum := 0.0
			for k := range d.S {
				sum += math.Pow(points[i*d.S+k]-points[j*d.S+k], 2)
			}
			must.Within(t, math.Sqrt(sum), must.Get(d.Distance(a.W, b.W)), 1e-9, "graphs %d and %d", i, j)
		}
	}
	if c := must.Get(gdl.Cluster(d, es, 2, nil, source(4))); len(c.Labels) != len(graphs) || c.K != 2 {
		t.Errorf("clusters %+v", c)
	}
	path := filepath.Join(t.TempDir(), "d.npz")
	must.Do(t, d.SaveNPZ(path, map[string]string{"a": "b"}))
	got, meta, err := gdl.LoadNPZ(path)
	if err != nil || meta["a"] != "b" || !bytes.Equal(archive(t, got), archive(t, d)) {
		t.Errorf("%v, %v", meta, err)
	}
}
