package summary

import (
	"testing"

	"ogdl/internal/test/must"
)

// TestRowsOfGIN: its printed folds are those of a partition, ten on every data set; other folds, and another choice of the epoch, are rows apart.
func TestRowsOfGIN(t *testing.T) {
	k := FamilyOf(TableClassification)
	for want, p := range map[string]Params{
		"GIN-0":                              {"folds": "partition", "epoch_chosen_on": "test"},
		"GIN-0, folds released":              {"folds": "released", "epoch_chosen_on": "test"},
		"GIN-0, epoch_chosen_on train_tenth": {"folds": "partition", "epoch_chosen_on": "train_tenth"},
	} {
		must.Check(t, k.Row("GIN-0", p), want, "%v: row", p)
	}
	must.Check(t, k.Metric.Sampling("MUTAG").Printed, 10, "splits of the paper's mean")
}
