package main

import (
	"math"
	"slices"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/artifact"
)

// TestDistances measures all pairs of 12 graphs three times, for any number of workers.
func TestDistances(t *testing.T) {
	block := simulatedBlock("method = \"GDL-distances\"\natoms = 3\norder = 4\ninit = \"random\"\nepochs = 2\nlambda = [0, 0.01]\n")
	s := equalForWorkers(t, "table = \"figure_distances\"\nrepetitions = 1\n"+block)
	recs := s.records()
	if len(recs) != 2 {
		t.Fatalf("%d records", len(recs))
	}
	for _, r := range recs {
		const pairs = 12 * 11 / 2
		if r.Assignment != nil || len(r.Products) != 1 || r.Products[0].Convergence.Solves != pairs {
			t.Errorf("clusters %v, products %+v", r.Assignment, r.Products)
		}
		arrays := s.arraysOf(r)
		graphs, models, embeddings := arrays[artifact.DistancesGraphs].Float, arrays[artifact.DistancesModels].Float, arrays[artifact.DistancesEmbeddings].Float
		if len(graphs) != pairs || len(models) != pairs || len(embeddings) != pairs {
			t.Fatalf("%d, %d and %d distances, want %d of each", len(graphs), len(models), len(embeddings), pairs)
		}
		// The dictionary and the weights of the same file say what the embeddings' distances are.
		c := arrays["C"].Float
		d := &gdl.Dictionary{S: 3, N: 4, Alpha: 1, C: [][]float64{c[:16], c[16:32], c[32:]}, Q: arrays["q"].Float}
		w := arrays[artifact.Weights].Float
		for p, i := 0, 0; i < 12; i++ {
			for j := i + 1; j < 12; j++ {
				if want, err := d.Distance(w[3*i:3*i+3], w[3*j:3*j+3]); err != nil || math.Abs(embeddings[p]-want) > 1e-9 {
					t.Fatalf("embeddings %d and %d: %v apart, want %v (%v)", i, j, embeddings[p], want, err)
				}
				if models[p] > embeddings[p]+1e-9 {
					t.Errorf("models %d and %d: %v apart, above the bound %v", i, j, models[p], embeddings[p])
				}
				p++
			}
		}
		if want := []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}; !slices.Equal(arrays["classes"].Int, want) {
			t.Errorf("classes %v", arrays["classes"].Int)
		}
		for _, q := range artifact.DistancePairs() {
			for _, name := range []string{"pearson", "spearman", "pearson_within", "pearson_between"} {
				if v, ok := r.Scores[q.Score(name)]; !ok || v < -1 || v > 1 {
					t.Errorf("%s is %v, %v", q.Score(name), v, ok)
				}
			}
		}
		if r.Scores["bound_violations"] != 0 || !(r.Scores["bound_attained"] >= 0 && r.Scores["bound_attained"] <= 1) {
			t.Errorf("scores of the bound: %v", r.Scores)
		}
	}
	// Both lambdas rest on one matrix of the graphs' distances.
	if recs[0].Products[0].ID != recs[1].Products[0].ID {
		t.Errorf("products %s and %s", recs[0].Products[0].ID, recs[1].Products[0].ID)
	}
}
