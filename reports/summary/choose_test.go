package summary

import (
	"fmt"
	"slices"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
)

// setting are runs of so many atoms and clusters with these labels, repetition by repetition.
func setting(atoms, clusters int, alpha, objective float64, labels ...string) (runs []Run) {
	params := map[string]any{"atoms": atoms, ParamClusters: clusters, ParamAlpha: alpha}
	for k, text := range labels {
		id := fmt.Sprint(atoms, clusters, alpha, k)
		var l record.Labels
		for _, r := range text {
			l = append(l, uint16(r-'0'))
		}
		runs = append(runs, Run{Expected: Expected{ID: id, Method: "GDL", Dataset: "own", Params: params, Repetition: k},
			Record: &record.Record{ID: id, Status: record.OK, Method: "GDL", Dataset: "own", Digest: "d", Params: params, Repetition: k,
				Scores: map[string]float64{artifact.Objective: objective}, Assignment: l}})
	}
	return runs
}

// TestFree: what is chosen without labels among numbers of atoms and clusters.
func TestFree(t *testing.T) {
	const a, b, one, two = "001122", "010212", "000000", "001111"
	for name, c := range map[string]struct {
		runs            [][]Run
		atoms, clusters int
	}{
		"the most stable, then the fewest atoms":    {[][]Run{setting(2, 3, 1, 1, a, b, a), setting(3, 3, 1, 1, a, a, a), setting(4, 3, 1, 1, a, a, a)}, 3, 3},
		"the most clusters of those nearly as good": {[][]Run{setting(2, 2, 1, 1, two, two, two), setting(2, 3, 1, 1, a, a, a)}, 2, 3},
		"of unstable ones the most stable":          {[][]Run{setting(2, 2, 1, 1, "000111", "001011", "000111"), setting(2, 3, 1, 1, a, b, "012012")}, 2, 2},
		"clusters that are not found":               {[][]Run{setting(2, 3, 1, 1, one, one, one), setting(3, 2, 1, 1, "000001", "000001", "000001")}, 3, 2},
		"nothing is found":                          {[][]Run{setting(2, 3, 1, 1, one, one, one), setting(3, 3, 1, 1, one, one, one)}, 2, 3},
		"alpha by the objective":                    {[][]Run{setting(2, 3, 0.5, 2, a, a, a), setting(2, 3, 1, 1, a, b, a)}, 2, 3},
	} {
		got := labelFree(NewFrame(Spec{Name: "own", Table: TableClustering}, slices.Concat(c.runs...), nil).Settings())
		if got.Params.At("atoms").Number != float64(c.atoms) || got.Params.At(ParamClusters).Number != float64(c.clusters) {
			t.Errorf("%s: %v", name, got.Params)
		}
		if name == "alpha by the objective" && got.Params.At(ParamAlpha).Number != 1 {
			t.Errorf("%s: %v", name, got.Params)
		}
		if name == "clusters that are not found" && got.LeftOut() != 0 {
			t.Errorf("%s: %d left out", name, got.LeftOut())
		}
	}
}
