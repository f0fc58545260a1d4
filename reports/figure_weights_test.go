package reports

import (
	"slices"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
)

// weightsGrid asks for GDL and GDL_h with two lambdas and two repetitions on a set of five graphs; GDL has
// run with one of the lambdas. Models have two nodes, the graphs those of orders.
func weightsGrid(orders ...int) (*grid, func(string) ([]npz.Array, error)) {
	g := &grid{spec: summary.Spec{Name: "mine", Table: summary.FigureWeights}}
	method := map[string]string{}
	errs := map[string][]float64{"GDL": {0.9, 0.5, 0.5, 0.5, 0.9}, "GDL_h": {0, 0.375, 0.25, 0.5625, 0}}
	for _, m := range []string{"GDL", "GDL_h"} {
		for _, lambda := range []float64{0, 0.01} {
			for rep := range 2 {
				params := map[string]any{"lambda": lambda, "atoms": 2, "cluster_by": "embedding", "clusters": 3}
				if m == "GDL_h" {
					params["mu"], params["cluster_by"] = 0, "gw_kmeans" // the defaults
				}
				e := g.ask("IMDB-M", m, params, rep)
				method[e.ID] = m
				if m == "GDL" && lambda > 0 {
					continue
				}
				g.leave(e, record.Record{Status: record.OK, Scores: map[string]float64{"objective": 0.1}})
			}
		}
	}
	return g, func(id string) ([]npz.Array, error) {
		h := []float64{0.5, 0.5}
		if method[id] == "GDL_h" {
			h = []float64{0.99, 0.01}
		}
		all := artifact.Population{Orders: orders, Errs: errs[method[id]]}
		var drawn []artifact.Kept
		for k, n := range orders {
			drawn = append(drawn, artifact.Kept{Index: k, Structure: complete(n), Weights: equal(n),
				Model: artifact.Matrix{N: 2, V: []float64{0, 0.75, 0.75, 0}}, Nodes: h, Err: all.Errs[k]})
		}
		out := append(artifact.KeptArrays(drawn, &all), npz.Array{Name: "C", Shape: []int{2, 2, 2}, Float: []float64{0, 1, 1, 0, 0, 0.5, 0.5, 0}},
			npz.Array{Name: "weights", Shape: []int{5, 2}, Float: slices.Repeat([]float64{0.5, 0.5}, 5)})
		if method[id] == "GDL_h" {
			out = append(out, npz.Array{Name: "h", Shape: []int{2, 2}, Float: []float64{1, 0, 0.25, 0.75}},
				npz.Array{Name: "node_weights_embedding", Shape: []int{5, 2}, Float: slices.Repeat([]float64{0.3, 0.7}, 5)})
		}
		return out, nil
	}
}

// complete is the adjacency matrix of a complete graph.
func complete(n int) artifact.Matrix {
	m := artifact.Matrix{N: n, V: slices.Repeat([]float64{1}, n*n)}
	for i := range n {
		m.V[i*n+i] = 0
	}
	return m
}

func TestWeightsFigure(t *testing.T) {
	g, arrays := weightsGrid(2, 3, 4, 5, 7)
	figs, tabs := must.Get2(drawnOf(g.frame(), arrays))
	if len(figs) != 1 || figs[0].Name != "weights-imdb-m" {
		t.Fatalf("%d figures", len(figs))
	}
	f := figs[0]
	if f.Columns != 5 || len(f.Panels) != 10 {
		t.Fatalf("%d panels in %d columns", len(f.Panels), f.Columns)
	}
	// Gains of the graphs with 3, 4 and 5 nodes: 0.125, 0.25 and -0.0625. The others are too small and too large.
	for i, want := range []plots.Graph{
		{Title: "graph 2", N: 4, NodeSize: []float64{0.25, 0.25, 0.25, 0.25}, Note: "4 nodes, largest gain"},
		{Title: "model by GDL", N: 2, NodeSize: []float64{0.5, 0.5}, Note: "GW² 0.5000"},
		{Title: "model by GDL_h", N: 2, NodeSize: []float64{0.99, 0.01}, Note: "GW² 0.2500"},
		{Title: "weights of atom 1", N: 2, NodeSize: []float64{0.25, 0.75}, Note: "v = 0.70"},
		{Title: "weights of atom 0", N: 2, NodeSize: []float64{1, 0}, Note: "v = 0.30"},
		{Title: "graph 1", N: 3, NodeSize: []float64{1. / 3, 1. / 3, 1. / 3}, Note: "3 nodes, median gain"},
	} {
		got := f.Panels[i].(plots.Graph)
		if i != 0 && i != 5 && !slices.Equal(got.Weights, []float64{0, 0.75, 0.75, 0}) {
			t.Errorf("panel %d: weights %v", i, got.Weights)
		}
		if got.Title != want.Title || got.N != want.N || got.Note != want.Note || !slices.Equal(got.NodeSize, want.NodeSize) {
			t.Errorf("panel %d: %q, %d nodes %v, %q; want %q, %d, %v, %q", i, got.Title, got.N, got.NodeSize, got.Note, want.Title, want.N, want.NodeSize, want.Note)
		}
	}
	must.Contain(t, f.Alt, "Graph 2, of 4 nodes, has the largest gain", "at GW² 0.5000 from it, that by GDL_h at 0.2500")
	means := named(t, tabs, "weights")
	row := find(t, means, "IMDB-M", "lambda 0")
	reads(t, means, row, map[string]string{"GW² by GDL": "0.6600 (0.0000)", "GW² by GDL_h": "0.2375 (0.0000)", "graphs closer by GDL_h, %": "80.0 (0.0)", "repetitions": "2 of 2"})
	row = find(t, means, "IMDB-M", "lambda 0.01")
	reads(t, means, row, map[string]string{"GW² by GDL": "missing", "repetitions": "0 of 2"})
	drawn := named(t, tabs, "weights_graphs")
	row = find(t, drawn, "IMDB-M", "lambda 0", "2")
	reads(t, drawn, row, map[string]string{"largest weight x N": "1.98", "negligible nodes": "1"})
	again := must.First(drawnOf(g.frame(), arrays))
	must.Same(t, f, again[0], "the figure of the same records")
	if files, err := plots.Files(f); err != nil || len(files) != 4 {
		t.Errorf("%d files, %v", len(files), err)
	}
}

// TestWeightsFigureOfLargeGraphs: graphs that no picture takes leave the means and a note.
func TestWeightsFigureOfLargeGraphs(t *testing.T) {
	g, arrays := weightsGrid(101, 102, 103, 104, 105)
	figs, tabs, err := drawnOf(g.frame(), arrays)
	if err != nil || len(figs) != 0 {
		t.Fatalf("%d figures, %v", len(figs), err)
	}
	must.Contain(t, strings.Join(named(t, tabs, "weights_graphs").Notes, " "),
		"IMDB-M, lambda 0: no kept graph has at most 100 nodes")
	means := named(t, tabs, "weights")
	reads(t, means, find(t, means, "IMDB-M", "lambda 0"), map[string]string{"GW² by GDL": "0.6600 (0.0000)"})
}
