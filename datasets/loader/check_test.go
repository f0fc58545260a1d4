package loader_test

import (
	"math"
	"slices"
	"testing"

	"ogdl/datasets"
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
	if n == 0 && g.Labels != nil || n > 0 && len(g.Labels) != len(d.LabelValues) {
		t.Fatalf("graph %d of %d nodes: %d label columns, want %d", k, n, len(g.Labels), len(d.LabelValues))
	}
	for c, column := range g.Labels {
		if len(column) != n {
			t.Fatalf("graph %d: %d labels of %d nodes", k, len(column), n)
		}
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
