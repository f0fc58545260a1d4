package reports

import (
	"slices"
	"testing"

	"ogdl/internal/record"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// One change at a time: a row names what it changes, the one that all others change is none, and rows of their own have the method's print.
func TestChoicesTable(t *testing.T) {
	g := &grid{}
	for rep := range 2 {
		g.put("MUTAG", "GDL", p(0.5, 0, 4), rep, 0.5, 0.1, 5, 0, 0, 0, 1)
		g.put("MUTAG", "GDL", p(0.9, 0, 4), rep, 0.6, 0.1, 5, 0, 1, 0, 1)
		g.put("MUTAG", "GDL", p(0.5, 0, 8), rep, 0.7, 0.1, 5, 0, 1, 0, 1)
		weights := p(0.5, 0, 4)
		weights["cluster_by"] = "weights"
		g.put("MUTAG", "GDL", weights, rep, 0.8, 0.1, 5, 0, 1, 0, 1)
	}
	g.put("MUTAG", "GDL", p(0.5, 0, 16), 0, 0.4, 0.1, 5, 0, 1)
	for _, atoms := range []int{4, 8} { // another method's settings are none of GDL's
		g.put("MUTAG", "GWF-r", p(0.7, 0, atoms), 0, 0.9, 0.1, 5, 0, 1, 0, 1)
	}
	c := tables.Choices(g.frame())
	find(t, c, "MUTAG", "GWF-r", "atoms 8")
	for choice, want := range map[string]string{"none": "50.00 (0.00)", "alpha 0.9": "60.00 (0.00)", "atoms 8": "70.00 (0.00)", "cluster_by weights": "80.00 (0.00)"} {
		method := "GDL"
		if choice == "cluster_by weights" {
			method = "GDL by weights"
		}
		row := find(t, c, "MUTAG", method, choice)
		reads(t, c, row, map[string]string{"RI": want, "paper": "70.02 (0.29)"})
	}
	reads(t, c, find(t, c, "MUTAG", "GDL", "none"), map[string]string{"largest cluster": "75.00", "verdict": "lower"})
	g.recs[0].Status = record.Failed // a verdict needs all repetitions
	c = tables.Choices(g.frame())
	reads(t, c, find(t, c, "MUTAG", "GDL", "none"), map[string]string{"verdict": "no verdict"})
}

// Accuracies have the same rows, without clusters.
func TestChoicesOfClassification(t *testing.T) {
	g := &grid{spec: summary.Spec{Table: summary.TableClassification}}
	for split := range 2 {
		g.classified("ENZYMES", "GIN-0", of("", "folds", "partition", "epoch_chosen_on", "test", "inputs", "labels"), split, 0.3, 0)
		g.classified("ENZYMES", "GIN-0", of("", "folds", "partition", "epoch_chosen_on", "test", "inputs", "attributes"), split, 0.6, 0)
	}
	c := tables.Choices(g.frame()).Whole()
	for choice, want := range map[string]string{"inputs labels": "30.00 (0.00)", "inputs attributes": "60.00 (0.00)"} {
		row := find(t, c, "ENZYMES", "GIN-0", choice)
		reads(t, c, row, map[string]string{"accuracy": want, "paper": "68.60 (3.69)", "verdict": "lower"})
	}
	if i := slices.IndexFunc(c.Columns, func(c table.Column) bool { return c.Title == "largest cluster" }); i >= 0 {
		t.Error("accuracies have no clusters")
	}
}
