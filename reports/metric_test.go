package reports

import (
	"strings"
	"testing"

	"ogdl/internal/record"
	"ogdl/reports/figures"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/tables"
)

// TestOtherMetric: tables and figures of a family with another score read that score, and call it so.
func TestOtherMetric(t *testing.T) {
	accuracy := &summary.Metric{
		Measure: summary.Measure{Score: "accuracy", Label: "accuracy", Short: "ACC"}, Beside: summary.Measure{Score: "balanced", Label: "balanced accuracy", Short: "BAC"},
		Scale: 100, Unit: "percent", Sign: "%", Repetition: "split",
		Trivial: []summary.Measure{{Score: "majority", Label: "naming the largest class", Short: "ACC majority"}},
	}
	f := &summary.Frame{Spec: summary.Spec{Name: "seam", Confirm: 1}, Family: summary.Family{Name: "classification", Title: "Classification", Metric: accuracy, Printed: paper.Printed{}}}
	var g grid
	for i, alpha := range []float64{0.5, 0.9} {
		for split := range 3 {
			g.leave(g.ask("MUTAG", "GDL", p(alpha, 0, 4), split), record.Record{Status: record.OK,
				Scores: map[string]float64{"accuracy": 0.8 + 0.05*float64(i) + 0.01*float64(split), "balanced": 0.7, "majority": 0.665, "ri": 1}})
		}
	}
	var runs []summary.Run
	for i, e := range g.asked {
		runs = append(runs, summary.Run{Expected: e, Record: &g.recs[i]})
	}
	f.Add(runs, nil)
	tabs := tables.Clustering(f)
	row := find(t, tabs[0], "MUTAG", "GDL")
	reads(t, tabs[0], row, map[string]string{"selected": "86.00 (0.82)"})
	at(t, tabs[0], row, "splits")
	at(t, tabs[0], row, "selected setting")
	careful := named(t, tabs, "classification_careful")
	reads(t, careful, find(t, careful, "MUTAG", "GDL"), map[string]string{"ACC majority": "66.50"})
	figs, _, _ := figures.Sweeps(f, nil)
	figs = append(figs, figures.TimeQuality(f)...)
	text := said(tabs, figs)
	// The words for stability, and for a seed.
	for _, phrase := range []string{"mean adjusted Rand Index between the", "clusterings of two repetitions", "base seed"} {
		text = strings.ReplaceAll(text, phrase, "")
	}
	for _, word := range []string{"Rand", "RI", "ri_mean", "ari", "seed", "seeds", "repetitions"} {
		for _, field := range strings.FieldsFunc(text, func(r rune) bool { return r != '_' && (r < 'A' || r > 'z') }) {
			if field == word {
				t.Errorf("%q is said of another score", word)
			}
		}
	}
}
