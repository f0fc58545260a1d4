package embed

import (
	"context"
	"math"
	"testing"

	"ogdl/datasets"
	"ogdl/internal/artifact"
	"ogdl/internal/fuzztest"
)

// newcomers are graphs to embed, with labels and attributes of their nodes.
func newcomers() *datasets.Dataset {
	return &datasets.Dataset{Name: "X", AttributeDim: 1, LabelValues: [][]int{{0, 1}}, Graphs: []datasets.Graph{
		{Neighbors: [][]int32{{1}, {0, 2}, {1}}, Labels: [][]int{{0, 1, 0}}, Attributes: []float64{1, 2, 3}},
		{Neighbors: [][]int32{{1}, {0}}, Labels: [][]int{{1, 1}}, Attributes: []float64{-1, 0}},
	}}
}

// FuzzModel: a file that the embed command accepts embeds graphs, or says why it does not. It
// mutates what archives are made of, not their bytes; see fuzztest.Archive.
func FuzzModel(f *testing.F) {
	f.Fuzz(func(t *testing.T, recipe []byte) {
		m, err := Read(fuzztest.Archive(recipe), nil)
		if err != nil {
			return
		}
		if m.Dictionary.S > 4 || m.Dictionary.N > 4 || m.Params.Integer("unmix_rounds") > 50 {
			return // no more time than that
		}
		e, err := m.embed(context.Background(), newcomers(), 1)
		if err != nil {
			return
		}
		if len(e.Number) != 2 || len(e.Weights) != 2*m.Dictionary.S {
			t.Fatalf("%d graphs with %d weights", len(e.Number), len(e.Weights))
		}
		for _, w := range e.Weights {
			if !(w >= 0 && w <= 1+1e-9) {
				t.Fatalf("weights %v", e.Weights)
			}
		}
		for _, k := range e.Cluster {
			if k < 0 || k >= len(m.means)/m.Dictionary.S {
				t.Fatalf("cluster %d of %d", k, len(m.means)/m.Dictionary.S)
			}
		}
		if _, err := e.CSV(); err != nil || math.IsNaN(e.out.Scores[artifact.Reconstruction]) {
			t.Fatalf("%v, mean reconstruction %v", err, e.out.Scores)
		}
	})
}

func TestModelSeeds(t *testing.T) {
	fuzztest.Seeds(t, "FuzzModel", func(args []string) error {
		_, err := Read(fuzztest.Archive([]byte(args[0])), nil)
		return err
	})
}
