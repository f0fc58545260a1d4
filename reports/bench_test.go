package reports

import (
	"math/rand/v2"
	"testing"

	"ogdl/reports/tables"
)

// BenchmarkClustering makes all tables of a grid as large as the paper's on one
// data set with attributes: 2,400 cells of 600 graphs.
func BenchmarkClustering(b *testing.B) {
	rng := rand.New(rand.NewPCG(1, 2))
	g := &grid{}
	for a := range 30 {
		for _, lambda := range []float64{0, 0.001, 0.01, 0.1} {
			for _, atoms := range []int{12, 24, 36, 48} {
				for rep := range 5 {
					clusters := make([]int, 600)
					for i := range clusters {
						clusters[i] = rng.IntN(6)
					}
					g.put("ENZYMES", "GDL", p(float64(a+1)/32, lambda, atoms), rep, rng.Float64(), rng.Float64(), rng.Float64(), clusters...)
				}
			}
		}
	}
	dir := b.TempDir()
	b.ReportAllocs()
	for b.Loop() {
		if err := writeTables(dir, tables.Clustering(g.frame())); err != nil {
			b.Fatal(err)
		}
	}
}
