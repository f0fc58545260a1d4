package nested_test

import (
	"errors"
	"flag"
	"math"
	"slices"
	"testing"

	"ogdl/baselines/kernels"
	"ogdl/datasets/loader"
	"ogdl/eval/nested"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
)

var full = flag.Bool("full", false, "compare with all reference searches on MUTAG, some of which run for minutes")

// TestMUTAG compares nested searches with graph kernels on all of MUTAG, on released splits, with scikit-learn's. A few here, all with -full.
func TestMUTAG(t *testing.T) {
	type answer struct {
		Seed        uint32
		C           float64
		Kernel      string
		Inner       float64 `json:"val"`
		Test        float64
		Predictions []int `json:"pred"`
	}
	var ref struct{ SPK, GK3, RWK, WLK []answer }
	sharedtest.JSON(t, "classification/nested_MUTAG.json", &ref)
	d := must.Get(loader.Load(sharedtest.Data(t, "MUTAG"), "MUTAG"))
	n := len(d.Graphs)
	labels, graphs := make([]int, n), make([]kernels.Graph, n)
	for i := range n {
		labels[i] = d.ClassValues[d.Classes[i]]
		graphs[i] = kernels.Graph{Neighbors: d.Graphs[i].Neighbors, Labels: d.Graphs[i].Labels[0]}
	}
	spk, err1 := kernels.ShortestPath(ctx, graphs, kernels.WithLabels)
	gk, err2 := kernels.Graphlets(ctx, graphs)
	rwk, err3 := kernels.RandomWalk(ctx, graphs, []float64{1e-2, 1e-3, 1e-4, 1e-5, 1e-6}, kernels.WithLabels, 2)
	wlk, err4 := kernels.WeisfeilerLehman(ctx, graphs, 9)
	must.Do(t, errors.Join(err1, err2, err3, err4))
	for _, row := range []struct {
		name    string
		answers []answer
		all     bool // every split must agree, else 96 in 100
		few     int
		K       [][]float64
		names   []string
	}{
		{"SPK", ref.SPK, true, 2, [][]float64{spk}, []string{"labels"}},
		{"GK", ref.GK3, false, 0, [][]float64{gk}, []string{"census"}},
		{"RWK", ref.RWK, true, 0, rwk, []string{"1e-2", "1e-3", "1e-4", "1e-5", "1e-6"}},
		{"WLK", ref.WLK, false, 0, wlk[1:], []string{"h=1", "h=2", "h=3", "h=4", "h=5", "h=6", "h=7", "h=8", "h=9"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			answers := row.answers
			if !*full {
				answers = answers[:row.few]
			}
			if len(answers) == 0 {
				t.Skip("runs with -full")
			}
			var gammas []float64
			for k, K := range row.K {
				gammas = append(gammas, float64(k))
				row.K[k] = must.Get(kernels.Normalize(K, n))
			}
			kernel := func(gamma float64) ([]float64, error) { return row.K[int(gamma)], nil }
			equal, predicted, capped := 0, 0, 0
			for _, want := range answers {
				r := search(t, kernel, labels, released(t, labels, want.Seed), &nested.Settings{Gamma: gammas})
				inner, _ := r.Inner.Float64()
				capped += r.Capped
				if slices.Equal(r.Predictions, want.Predictions) {
					predicted++
				}
				if name := row.names[int(r.Gamma)]; r.C != want.C || name != want.Kernel ||
					!(math.Abs(inner-want.Inner) <= 1e-12) || !(math.Abs(r.Accuracy-want.Test) <= 1e-12) {
					t.Logf("seed %d: C %v, kernel %s, inner %v, test %v; scikit-learn has %v, %s, %v, %v",
						want.Seed, r.C, name, inner, r.Accuracy, want.C, want.Kernel, want.Inner, want.Test)
					continue
				}
				equal++
			}
			t.Logf("%d of %d splits agree, %d in every prediction; %d fits at the cap", equal, len(answers), predicted, capped)
			if row.all && equal < len(answers) || 100*equal < 96*len(answers) {
				t.Errorf("%d of %d splits agree", equal, len(answers))
			}
		})
	}
}
