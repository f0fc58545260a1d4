package fit

import (
	"math/rand/v2"
	"testing"

	"ogdl/eval"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/own"
	"ogdl/reports/summary"
)

// TestKeep: every repetition divides the first kind of graphs otherwise, so that its two clusters cut
// this kind. In all repetitions together the clusters are the kinds.
func TestKeep(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	f := &Fit{Page: own.Page{Chosen: &summary.Config{Params: summary.Params{"clusters": 2, "kmeans_restarts": 20}}}}
	kinds := make([]int, 90)
	var embeddings [][]float64
	for range Repetitions {
		X := make([]float64, 2*len(kinds))
		for i := range kinds {
			X[2*i], X[2*i+1] = 0.1*rng.NormFloat64(), 3*float64(rng.IntN(2))+0.1*rng.NormFloat64()
			if i >= 60 {
				kinds[i], X[2*i], X[2*i+1] = 1, X[2*i]+2, 1.5
			}
		}
		alone := must.Get(eval.KMeans(X, len(kinds), 2, 2, nil, rng)).Labels
		if ari := eval.AdjustedRandIndex(kinds, alone); ari > 0.5 {
			t.Errorf("the clusters of one repetition have an adjusted Rand Index of %v", ari)
		}
		embeddings, f.Labels = append(embeddings, X), append(f.Labels, alone)
		f.Chosen.Runs = append(f.Chosen.Runs, summary.Run{Record: &record.Record{}})
	}
	must.Do(t, f.keep(embeddings, rng))
	must.Equal(t, eval.AdjustedRandIndex(kinds, f.Placed.Cluster), 1, "the adjusted Rand Index")
}
