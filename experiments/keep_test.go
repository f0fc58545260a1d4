package main

import (
	"math"
	"slices"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/ot/gw"
)

// keptBlock learns a small dictionary of D1's 12 graphs.
func keptBlock(method, lines string) string {
	return simulatedBlock("method = \"" + method + "\"\natoms = 2\norder = 4\ninit = \"random\"\nepochs = 1\n" + lines)
}

// TestKeepGraphs finds the first graphs of every class in the npz, with models between
// which and the graphs the stored objective can be attained, and no other change.
func TestKeepGraphs(t *testing.T) {
	for _, learner := range []string{"GDL", "GDL_h"} {
		t.Run(learner, func(t *testing.T) {
			table := "table = \"clustering_gw_kmeans\"\nrepetitions = 1\n"
			plain := newSession(t, table+keptBlock(learner, "cluster_by = \"gw_kmeans\"\n"))
			plain.run(exitOK)
			kept := newSession(t, table+keptBlock(learner, "cluster_by = \"gw_kmeans\"\nkeep_graphs = 2\n"))
			kept.run(exitOK)
			before, after := plain.arraysOf(plain.records()[0]), kept.arraysOf(kept.records()[0])
			for name, a := range before {
				if name != artifact.Params && !equalArrays(a, after[name]) {
					t.Errorf("array %s changed", name)
				}
			}
			if want := []int{0, 1, 4, 5, 8, 9}; !slices.Equal(after["kept_graph"].Int, want) {
				t.Fatalf("kept %v, want %v", after["kept_graph"].Int, want)
			}
			if want := []int{0, 0, 1, 1, 2, 2}; !slices.Equal(after["kept_class"].Int, want) {
				t.Errorf("classes %v, want %v", after["kept_class"].Int, want)
			}
			c, p := after["kept_C"].Float, after["kept_p"].Float
			for k, n := range after["kept_order"].Int {
				graph, err := gw.NewSpace(c[:n*n], nil, n, 0, p[:n])
				if err != nil {
					t.Fatal(err)
				}
				c, p = c[n*n:], p[n:]
				model, err := gw.NewSpace(after[artifact.KeptModel].Float[k*16:(k+1)*16], nil, 4, 0, after["kept_model_h"].Float[k*4:(k+1)*4])
				if err != nil {
					t.Fatal(err)
				}
				var solver gw.Solver
				r, err := solver.Solve(t.Context(), graph, model, 1, nil, nil)
				if err != nil {
					t.Fatal(err)
				}
				// Both are local minima; the graphs are small enough for the same one, or nearly so.
				if got := after["kept_reconstruction"].Float[k]; math.Abs(got-r.Value) > 0.2*r.Value {
					t.Errorf("graph %d: objective %v in the store, %v solved afresh", k, got, r.Value)
				}
			}
			if len(c)+len(p) > 0 {
				t.Errorf("%d + %d numbers are left", len(c), len(p))
			}
		})
	}
}

func equalArrays(a, b npz.Array) bool {
	return slices.Equal(a.Shape, b.Shape) && slices.Equal(a.Float, b.Float) && slices.Equal(a.Int, b.Int) && slices.Equal(a.Text, b.Text)
}

// TestKeepAboutAll: with any graph kept, orders, classes and errors of all are there, and of D2,
// whose blocks vary, their proportions.
func TestKeepAboutAll(t *testing.T) {
	s := newSession(t, `table = "clustering"
repetitions = 1
[[grid]]
dataset = ["D1", "D2"]
sbm_graphs = 7
sbm_order_max = 20
method = "GDL"
atoms = 2
order = 6
init = "random"
epochs = 1
keep_graphs = 2
`)
	s.run(exitOK)
	for _, r := range s.records() {
		a := s.arraysOf(r)
		orders, errs, shares, classes := a[artifact.DataOrder].Int, a["data_reconstruction"].Float, a["data_block_proportion"].Float, a["data_class"].Int
		mean := 0.0
		for _, e := range errs {
			mean += e / float64(len(errs))
		}
		if len(orders) != len(errs) || math.Abs(mean-r.Scores["reconstruction"]) > 1e-12 {
			t.Errorf("%s: %d orders, %d errors of mean %v, want %v", r.Dataset, len(orders), len(errs), mean, r.Scores["reconstruction"])
		}
		if r.Dataset == "D1" {
			if want := slices.Repeat([]int{0, 1, 2}, 7); !slices.Equal(classes, slices.Sorted(slices.Values(want))) || shares != nil {
				t.Errorf("D1: classes %v, proportions %v", classes, shares)
			}
			continue
		}
		if len(shares) != 7 || len(orders) != 7 || classes != nil {
			t.Fatalf("D2: %d proportions of %d graphs, classes %v", len(shares), len(orders), classes)
		}
		for i, share := range shares {
			nodes := share * float64(orders[i])
			if !(share > 0 && share <= 0.5) || math.Abs(nodes-math.Round(nodes)) > 1e-9 {
				t.Errorf("graph %d: a first block of %v of %d nodes", i, share, orders[i])
			}
		}
	}
}
