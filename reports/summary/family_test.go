package summary

import (
	"testing"
)

// TestRowsOfGIN: its printed folds are those of a partition, ten on every data set; other folds, and another choice of the epoch, are rows apart.
func TestRowsOfGIN(t *testing.T) {
	k := FamilyOf(TableClassification)
	for want, p := range map[string]Params{
		"GIN-0":                              {"folds": "partition", "epoch_chosen_on": "test"},
		"GIN-0, folds released":              {"folds": "released", "epoch_chosen_on": "test"},
		"GIN-0, epoch_chosen_on train_tenth": {"folds": "partition", "epoch_chosen_on": "train_tenth"},
	} {
		if got := k.Row("GIN-0", p); got != want {
			t.Errorf("%v: row %q, want %q", p, got, want)
		}
		if got := k.Metric.Sampling(want, "MUTAG").Printed; got != 10 {
			t.Errorf("%s: the paper's mean is over %d splits", want, got)
		}
	}
	if got := k.Metric.Sampling("RWK", "MUTAG").Printed; got != 50 {
		t.Errorf("RWK: the paper's mean is over %d splits", got)
	}
}
