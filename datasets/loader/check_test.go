package loader_test

import (
	"math"
	"slices"
	"testing"

	"ogdl/datasets"
	"ogdl/internal/test/must"
)

// check holds graph k to what datasets.Graph promises.
func check(t testing.TB, d *datasets.Dataset, k int) {
	t.Helper()
	g := &d.Graphs[k]
	n := g.Order()
	for i, nb := range g.Neighbors {
		for e, j := range nb {
			if j < 0 || int(j) >= n || int(j) == i || e > 0 && nb[e-1] >= j {
				t.Fatalf("graph %d: neighbours of %d are %v", k, i, nb)
			}
			if _, ok := slices.BinarySearch(g.Neighbors[j], int32(i)); !ok {
				t.Fatalf("graph %d: %d is a neighbour of %d, but not the other way", k, j, i)
			}
		}
	}
	must.Equal(t, d.Weighted, g.Weights != nil, "graph %d: a set with weights, and its own %v", k, g.Weights)
	for i, weights := range g.Weights {
		must.Equal(t, len(weights), len(g.Neighbors[i]), "graph %d: weights, and neighbours", k)
		for e, w := range weights {
			j := g.Neighbors[i][e]
			back, _ := slices.BinarySearch(g.Neighbors[j], int32(i))
			if !(w >= 0) || math.IsInf(w, 1) || w != g.Weights[j][back] {
				t.Fatalf("graph %d: weight %v from %d to %d, and %v back", k, w, i, j, g.Weights[j][back])
			}
		}
	}
	if n == 0 && g.Labels != nil || n > 0 && len(g.Labels) != len(d.LabelValues) {
		t.Fatalf("graph %d of %d nodes: %d label columns, want %d", k, n, len(g.Labels), len(d.LabelValues))
	}
	for c, column := range g.Labels {
		must.Equal(t, len(column), n, "graph %d: labels, and nodes", k)
		for _, v := range column {
			if _, ok := slices.BinarySearch(d.LabelValues[c], v); !ok {
				t.Fatalf("graph %d: label %d is not listed", k, v)
			}
		}
	}
	if len(g.Attributes) != n*d.AttributeDim {
		t.Fatalf("graph %d: %d attributes, want %d times %d", k, len(g.Attributes), n, d.AttributeDim)
	}
	for _, x := range g.Attributes {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			t.Fatalf("graph %d: attribute %v", k, x)
		}
	}
}
