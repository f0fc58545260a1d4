package summary

import (
	"testing"

	"ogdl/internal/test/must"
)

// TestRows: the row of a method with these parameters, by the family of the table.
func TestRows(t *testing.T) {
	for _, c := range []struct {
		table, method string
		params        map[string]any
		want          string
	}{
		{"", "GDL", map[string]any{"lambda": 0}, "GDL"},
		{"", "gdl", map[string]any{"lambda": 0.0}, "GDL"},
		{"", "gdl", map[string]any{"lambda": 0.001}, "GDL_lambda"},
		{"", "GDL", map[string]any{"lambda": int64(1)}, "GDL_lambda"},
		{"", "GDL", nil, "GDL"},
		{"", "gwf-r", map[string]any{"lambda": 0.1}, "GWF-r"},
		{"", "sc", nil, "SC"},
		{"", "mine", nil, "mine"},
		{"", "GDL", map[string]any{"cluster_by": "kmeans"}, "GDL"},
		{"", "GDL", map[string]any{"cluster_by": "gw_kmeans"}, "GDL by gw_kmeans"},
		{TableGWKMeans, "GDL", map[string]any{"cluster_by": "gw_kmeans", "lambda": 0.1}, "GDL_lambda"},
		{TableGWKMeans, "GDL_h", map[string]any{"cluster_by": "gw_kmeans", "lambda": 0.1}, "GDL_h_lambda"},
		{TableGWKMeans, "GDL_h", map[string]any{"lambda": 0}, "GDL_h"},
		{TableGWKMeans, "GWF-f", map[string]any{"cluster_by": "kmeans"}, "GWF-f by kmeans"},
		{TableEnzymes, "GDL", map[string]any{"lambda": 0.1}, "GDL_lambda"},
		// The printed folds of GIN are of a partition. Other folds, and another choice of the epoch, have rows of their own.
		{TableClassification, "GIN-0", map[string]any{"folds": "partition", "epoch_chosen_on": "test"}, "GIN-0"},
		{TableClassification, "GIN-0", map[string]any{"folds": "released", "epoch_chosen_on": "test"}, "GIN-0, folds released"},
		{TableClassification, "GIN-0", map[string]any{"folds": "partition", "epoch_chosen_on": "train_tenth"},
			"GIN-0, epoch_chosen_on train_tenth"},
		{"", "GDL", map[string]any{"unmix_starts": "product"}, "GDL"},
		{"", "GDL", map[string]any{"unmix_starts": "product+sorted"}, "GDL, sorted start"},
		{"", "GDL", map[string]any{"unmix_starts": "product+sorted+reverse", "lambda": 0.1}, "GDL_lambda, sorted and reverse starts"},
		{TableGWKMeans, "GDL_h", map[string]any{"unmix_starts": "product+reverse"}, "GDL_h, reverse start"},
	} {
		if got := FamilyOf(c.table).Row(c.method, c.params); got != c.want {
			t.Errorf("%q: %s with %v: %s, want %s", c.table, c.method, c.params, got, c.want)
		}
	}
}

// TestSplitsOfThePaper: a mean of accuracies is one of ten splits on every data set.
func TestSplitsOfThePaper(t *testing.T) {
	must.Check(t, FamilyOf(TableClassification).Metric.Sampling("MUTAG").Printed, 10, "splits of the paper's mean")
}
