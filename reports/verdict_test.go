package reports

import (
	"math"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// five puts five repetitions of one configuration whose Rand Indices in percent are ri.
func (g *grid) five(dataset, method string, params map[string]any, ri ...float64) {
	for rep, x := range ri {
		g.put(dataset, method, params, rep, x/100, 0.1, 1, 0, 1, 1, 0)
	}
}

func judged(t *testing.T, g *grid, dataset, row string) paper.Verdict {
	t.Helper()
	verdicts, _ := verdictsOf(g.frame())
	for _, v := range verdicts {
		if v.Dataset == dataset && v.Row == row {
			return v
		}
	}
	t.Fatalf("no verdict on %s %s", dataset, row)
	return paper.Verdict{}
}

// The paper prints for MUTAG: GDL 70.02 (0.29), GDL_lambda 70.89 (0.11), GWF-r 68.83
// (1.47), GW-k 57.56 (1.5), SC 50.82 (2.71), and for COX2: SC 41.32 (6.07), GDL 58.39 (.52).
func TestVerdicts(t *testing.T) {
	g := &grid{spec: summary.Spec{Name: "v"}}
	g.five("MUTAG", "GDL", p(0.5, 0, 4), 69.73, 69.93, 69.83)                 // .19 below, half width .43
	g.five("MUTAG", "GDL", p(0.5, 0.1, 4), 63.10, 73.10, 65.10, 71.10, 70.10) // 0.4 below, too wide by our spread
	g.five("MUTAG", "GWF-r", p(0.5, 0, 4), 72.31, 72.31, 72.31)               // 3.48 above, half width 2.04
	g.five("MUTAG", "GWF-f", p(0.5, 0, 4), 59)                                // one repetition
	g.five("MUTAG", "GW-k", p(0.5, 0, 4), 55.05, 55.05, 55.06)                // 2.51 below, half width 2.08
	g.five("COX2", "SC", p(0.5, 0, 4), 45, 45, 45, 45, 45)                    // within the spread of the paper's value
	g.leave(g.ask("MUTAG", "SC", p(0.5, 0, 4), 0), record.Record{Status: record.Failed, Reason: "no such thing"})
	for _, c := range []struct {
		dataset, row string
		want         paper.Outcome
		repetitions  int
		remark       string
	}{
		{"MUTAG", "GDL", paper.Agrees, 3, ""},
		{"MUTAG", "GDL_lambda", paper.Undecided, 5, ""},
		{"MUTAG", "GWF-r", paper.Higher, 3, ""},
		{"MUTAG", "GWF-f", paper.NoVerdict, 1, ""},
		{"MUTAG", "GW-k", paper.Lower, 3, ""},
		{"MUTAG", "SC", paper.NoRun, 0, ""},
		{"COX2", "SC", paper.Undecided, 5, "the paper's value is at or below"},
	} {
		v := judged(t, g, c.dataset, c.row)
		if v.Outcome != c.want || v.Repetitions != c.repetitions || !strings.Contains(v.Remark, c.remark) || c.remark == "" && v.Remark != "" {
			t.Errorf("%s %s: %s over %d repetitions, %q; want %s over %d, %q", c.dataset, c.row, v.Outcome, v.Repetitions, v.Remark, c.want, c.repetitions, c.remark)
		}
	}
	must.Within(t, judged(t, g, "MUTAG", "GDL").OursStd, math.Sqrt(0.02/3), 1e-9, "the deviation of ours")
	verdicts, unasked := verdictsOf(g.frame())
	want := "Of 7 values of the paper: 1 agrees, 1 higher, 1 lower, 2 undecided, 1 no verdict, 1 missing. The paper has 41 more, which this configuration does not ask for."
	same(t, paper.Sentence(verdicts, unasked), want)
	tab := tables.Clustering(g.frame())[0]
	row := find(t, tab, "MUTAG", "GWF-r")
	reads(t, tab, row, map[string]string{"verdict": "higher", "95 % from": "+1.44", "to": "+5.52", "width": "4.08", "remark": "-", "selected - paper": "+3.48"})
	if c := at(t, tab, row, "width"); c.Kind != table.Number || !(math.Abs(c.Value-2*2.7764451*1.47/2) <= 1e-6) {
		t.Errorf("the width is %v", c)
	}
	reads(t, tab, find(t, tab, "MUTAG", "GWF-f"), map[string]string{"verdict": "no verdict", "95 % from": "-", "width": "-"})
	reads(t, tab, find(t, tab, "MUTAG", "SC"), map[string]string{"verdict": "missing"})
}

// TestNeitherVaries: two deviations of zero compare to the printed rounding.
func TestNeitherVaries(t *testing.T) {
	for ours, want := range map[float64]paper.Outcome{70.024: paper.Agrees, 70.016: paper.Agrees, 70.03: paper.Higher, 70.01: paper.Lower} {
		g := &grid{spec: summary.Spec{Name: "v"}}
		g.five("MUTAG", "GDL", p(0.5, 0, 4), ours, ours)
		rows := g.frame().Rows
		v := tables.Judge(rows[0], paper.PrintedScore{Table: summary.TableClustering, Method: "GDL", Dataset: "MUTAG", Mean: 70.02}, false)
		if v.Outcome != want || !v.Known || !(v.High-v.Low <= 1e-9) {
			t.Errorf("%v: %+v, want %s", ours, v, want)
		}
	}
}

// TestFarAboveThePrint: a baseline far above the print does not agree, and the remark says what ours
// is. GW-k on MUTAG has 57.56 (1.5); the trivial levels are 55.2 and 50.
func TestFarAboveThePrint(t *testing.T) {
	one, halves, other := []int{0, 0, 0, 0, 0, 0, 0, 0}, []int{0, 0, 0, 0, 1, 1, 1, 1}, []int{0, 1, 0, 1, 0, 1, 0, 1}
	for _, c := range []struct {
		name   string
		trial  float64 // trivial level, percent
		found  [][]int
		remark string
	}{
		{"trivial", 81.7, [][]int{halves, halves, halves}, "ours is not above the trivial level, 81.70"},
		{"collapsed", 55.2, [][]int{one, one, one}, "our clusters have collapsed: 100.0 % of the graphs are in one"},
		{"unstable", 55.2, [][]int{halves, other, halves}, "ours is unstable: the clusterings of two repetitions agree to an adjusted Rand Index of 0."},
		{"sound", 55.2, [][]int{halves, halves, halves}, ""},
	} {
		g := &grid{spec: summary.Spec{Name: "v"}}
		for rep, found := range c.found {
			r := g.put("MUTAG", "GW-k", p(0.5, 0, 4), rep, 0.82, 0.1, 1, found...)
			r.Scores["trivial_one"] = c.trial / 100
		}
		v := judged(t, g, "MUTAG", "GW-k")
		if v.Outcome != paper.Higher || !strings.Contains(v.Remark, c.remark) {
			t.Errorf("%s: %s, %q; want %q", c.name, v.Outcome, v.Remark, c.remark)
		}
	}
}

// TestConfirmedVerdict: tables show what a configuration was chosen for and what it scores on fresh
// repetitions, with both differences; the verdict is on the latter, and no choice sees it.
func TestConfirmedVerdict(t *testing.T) {
	g := &grid{spec: summary.Spec{Name: "v", Confirm: 3}}
	g.five("MUTAG", "GDL", p(0.5, 0, 4), 70, 70.1)   // chosen
	g.five("MUTAG", "GDL", p(0.5, 0, 6), 69.5, 69.6) // not
	fresh := func(params map[string]any, rep int, ri float64) {
		g.put("MUTAG", "GDL", params, rep, ri/100, 0.3, 1, 0, 1, 1, 0)
		g.asked[len(g.asked)-1].Confirm = true
	}
	before := g.frame().Chosen()
	for i, ri := range []float64{66, 66.1, 66.2} {
		fresh(p(0.5, 0, 4), 2+i, ri)
	}
	fresh(p(0.5, 0, 6), 2, 99) // of another choice; it wins nothing
	after := g.frame()
	if !slices.Equal(after.Chosen(), before) || len(after.Rows) != 1 || after.Rows[0].Method != "GDL" {
		t.Errorf("the choice %v has become %v", before, after.Chosen())
	}
	tabs := tables.Clustering(g.frame())
	row := find(t, tabs[0], "MUTAG", "GDL")
	reads(t, tabs[0], row, map[string]string{
		"selected": "70.05 (0.05)", "selected - paper": "+0.03", "repetitions": "2 of 2",
		"re-run": "66.10 (0.08)", "re-run - paper": "-3.92", "fresh repetitions": "3 of 3", "verdict": "lower", "configurations": "2 of 2",
	})
	careful := named(t, tabs, "clustering_careful")
	reads(t, careful, find(t, careful, "MUTAG", "GDL", "without labels"), map[string]string{"RI re-run": "66.10 (0.08)"})
	layout := named(t, tabs, "clustering_layout")
	reads(t, layout, find(t, layout, "GDL", "re-run"), map[string]string{"MUTAG": "66.10 (0.08)"})
	cells := named(t, tabs, "clustering_cells")
	must.Check(t, len(cells.Rows), 8, "cells")
	if v := judged(t, g, "MUTAG", "GDL"); !v.Confirmed || v.Repetitions != 3 || v.Remark != "" {
		t.Errorf("%+v", v)
	}
	// As long as one is there alone, the verdict is on the chosen number.
	g.recs = g.recs[:5]
	if v := judged(t, g, "MUTAG", "GDL"); v.Confirmed || v.Outcome != paper.Agrees || v.Repetitions != 2 {
		t.Errorf("%+v", v)
	}
	row = find(t, tables.Clustering(g.frame())[0], "MUTAG", "GDL")
	reads(t, tabs[0], row, map[string]string{"re-run": "66.00*"})
}

func TestVerdictRemarks(t *testing.T) {
	g := &grid{spec: summary.Spec{Name: "v"}}
	g.five("IMDB-M", "GDL", p(0.5, 0, 4), 55.1, 55.1)
	g.ask("IMDB-M", "GDL", p(0.5, 0, 4), 2)
	g.ask("IMDB-M", "GDL", p(0.9, 0, 4), 0)
	v := judged(t, g, "IMDB-M", "GDL") // 55.08; trivial levels of helpers_test.go: 55.2 and 50
	if want := "the paper's value is at or below 55.20, the score of a trivial clustering"; v.Remark != want {
		t.Errorf("%q, want %q", v.Remark, want)
	}
	tab := tables.Clustering(g.frame())[0]
	must.Check(t, at(t, tab, find(t, tab, "IMDB-M", "GDL"), "selected").Mark, table.MarkFewer+table.MarkGrid, "mark")
	only := &grid{}
	only.five("D1", "GDL", p(0.5, 0, 4), 90)
	if v, unasked := verdictsOf(only.frame()); len(v) > 0 || unasked > 0 {
		t.Errorf("verdicts on a set that the paper has not: %v", v)
	}
}

func TestDatasetVerdicts(t *testing.T) {
	row := artifact.DatasetRow{Name: "COX2", Graphs: 467, Classes: 2, MeanNodes: 41.22, MinNodes: 32, MaxNodes: 56, MedianNodes: 41, Connectivity: 5.42, Attributes: "real", AttributeDim: 3}
	g := &grid{spec: summary.Spec{Table: summary.TableDatasets}}
	g.leave(g.ask("COX2", "statistics", nil, 0), record.Record{Status: record.OK, Scores: row.Scores()})
	g.leave(g.ask("BZR", "statistics", nil, 0), record.Record{Status: record.Skipped, Reason: "not fetched"})
	verdicts, unasked := verdictsOf(g.frame())
	if got, want := paper.Sentence(verdicts, unasked), "Of 16 values of the paper: 7 agree, 1 differs, 8 missing. The paper has 48 more, which this configuration does not ask for."; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	tab := tables.Datasets(g.frame())[0]
	ours := find(t, tab, "COX2", "ours")
	if got := at(t, tab, ours, "verdict").Plain() + ": " + at(t, tab, ours, "differs in").Plain(); !strings.HasPrefix(got, "differs: connectivity") {
		t.Errorf("verdict %q", got)
	}
	reads(t, tab, find(t, tab, "BZR", "ours"), map[string]string{"verdict": "missing"})
	if notes := strings.Join(tab.Notes, " "); !strings.Contains(notes, "digits swapped") || !strings.Contains(notes, "1 skipped (not fetched)") || !strings.Contains(notes, "Of 16 values of the paper") {
		t.Errorf("notes %q", notes)
	}
}
