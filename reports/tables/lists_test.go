package tables

import (
	"testing"

	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/summary"
)

// TestListsHoldNoRows: lists of cells and configurations, of which there can be many thousands, are made while they are written.
func TestListsHoldNoRows(t *testing.T) {
	run := summary.Run{
		Expected: summary.Expected{ID: "a", Method: "GDL", Dataset: "MUTAG", Params: map[string]any{"alpha": 1.0}},
		Record:   &record.Record{ID: "a", Status: record.OK, Scores: map[string]float64{"ri": 0.5, "ari": 0.1}},
	}
	f := summary.NewFrame(summary.Spec{Name: "grid", Table: summary.TableClustering}, []summary.Run{run}, nil)
	lists := 0
	for _, x := range Clustering(f) {
		if !x.List {
			continue
		}
		lists++
		if x.Rows != nil || x.Len() != 1 {
			t.Errorf("%s holds %d rows, and writes %d", x.Name, len(x.Rows), x.Len())
		}
	}
	must.Check(t, lists, 2, "lists")
}
