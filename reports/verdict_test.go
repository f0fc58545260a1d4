package reports

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"ogdl/internal/record"
)

// five puts five seeds of one configuration whose Rand Indices in percent are ri.
func (g *grid) five(dataset, method string, params map[string]any, ri ...float64) {
	for rep, x := range ri {
		g.put(dataset, method, params, rep, x/100, 0.1, 1, 0, 1, 1, 0)
	}
}

func verdictOf(t *testing.T, g *grid, dataset, row string) Verdict {
	t.Helper()
	verdicts, _ := Verdicts(g.spec, g.recs)
	for _, v := range verdicts {
		if v.Dataset == dataset && v.Row == row {
			return v
		}
	}
	t.Fatalf("no verdict on %s %s", dataset, row)
	return Verdict{}
}

// The paper prints for MUTAG: GDL 70.02 (0.29), GDL_lambda 70.89 (0.11), GWF-r 68.83
// (1.47), GW-k 57.56 (1.5), SC 50.82 (2.71).
func TestVerdicts(t *testing.T) {
	g := &grid{spec: Spec{Name: "v"}}
	g.five("MUTAG", "GDL", p(0.5, 0, 4), 69.73, 69.73, 69.73)                 // .29 below: within the paper's deviation, to the last digit
	g.five("MUTAG", "GDL", p(0.5, 0.1, 4), 69.89, 71.89, 71.89, 73.89, 73.89) // 1.4 above, our deviation 1.497
	g.five("MUTAG", "GWF-r", p(0.5, 0, 4), 70.31, 70.31)                      // 1.48 above
	g.five("MUTAG", "GW-k", p(0.5, 0, 4), 56.05, 56.05)                       // 1.51 below
	g.leave(g.ask("MUTAG", "SC", p(0.5, 0, 4), 0), record.Record{Status: record.Failed, Reason: "no such thing"})
	for _, c := range []struct {
		row    string
		want   Outcome
		seeds  int
		remark string
	}{
		{"GDL", Reproduced, 3, ""},
		{"GDL_lambda", Reproduced, 5, ""},
		{"GWF-r", Better, 2, ""},
		{"GW-k", Worse, 2, ""},
		{"SC", NoRun, 0, "no such thing"},
	} {
		v := verdictOf(t, g, "MUTAG", c.row)
		if v.Outcome != c.want || v.Seeds != c.seeds || !strings.Contains(v.Remark, c.remark) || c.remark == "" && v.Remark != "" {
			t.Errorf("%s: %s over %d seeds, %q; want %s over %d, %q", c.row, v.Outcome, v.Seeds, v.Remark, c.want, c.seeds, c.remark)
		}
	}
	verdicts, unasked := Verdicts(g.spec, g.recs)
	if got, want := CountOutcomes(verdicts).Sentence(unasked), "Of 5 printed numbers: 2 reproduced, 1 better, 1 worse, 1 missing. The paper prints 43 more, which this configuration does not ask for."; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	table, ok := VerdictTable(g.spec, verdicts, unasked)
	if !ok || table.Name != "clustering_verdict" || len(table.Rows) != 5 {
		t.Fatalf("table %q of %d rows", table.Name, len(table.Rows))
	}
	row := find(t, table, "MUTAG", "GDL_lambda", "reproduced")
	if got := at(t, table, row, "ours").Plain(); got != "72.29 (1.50)" {
		t.Errorf("ours %s", got)
	}
}

// t.975 is 2.776 with four degrees of freedom and 12.706 with one.
func TestInterval(t *testing.T) {
	s := statOf([]float64{69.89, 71.89, 71.89, 73.89, 73.89})
	low, high, ok := s.interval()
	half := 2.7764451 * 1.6733201 / math.Sqrt(5) // the sample's deviation
	if !ok || math.Abs(low-(72.29-half)) > 1e-6 || math.Abs(high-(72.29+half)) > 1e-6 {
		t.Errorf("%v to %v, want 72.29 and %v to both sides", low, high, half)
	}
	if low, high, ok = statOf([]float64{1, 3}).interval(); !ok || math.Abs(low-(2-12.7062047)) > 1e-6 || math.Abs(high-(2+12.7062047)) > 1e-6 {
		t.Errorf("of 1 and 3: %v to %v", low, high)
	}
	if _, _, ok := statOf([]float64{1}).interval(); ok {
		t.Error("one value has an interval")
	}
}

func TestVerdictRemarks(t *testing.T) {
	g := &grid{spec: Spec{Name: "v"}}
	g.five("IMDB-M", "GDL", p(0.5, 0, 4), 55.1, 55.1)
	g.ask("IMDB-M", "GDL", p(0.5, 0, 4), 2)
	g.ask("IMDB-M", "GDL", p(0.9, 0, 4), 0)
	v := verdictOf(t, g, "IMDB-M", "GDL") // 55.08; trivial levels of helpers_test.go: 55.2 and 50
	if want := "2 of 3 seeds; 0 of 2 configurations finished; the paper's number is at or below 55.20, which a trivial clustering scores"; v.Remark != want {
		t.Errorf("%q, want %q", v.Remark, want)
	}
	if v.Mark != MarkSeeds+MarkGrid {
		t.Errorf("mark %q", v.Mark)
	}
	only := &grid{}
	only.five("D1", "GDL", p(0.5, 0, 4), 90)
	if v, unasked := Verdicts(only.spec, only.recs); len(v) > 0 || unasked > 0 {
		t.Errorf("verdicts on a set that the paper has not: %v, %d", v, unasked)
	}
	if _, ok := VerdictTable(only.spec, nil, 0); ok {
		t.Error("a table of no verdicts")
	}
}

func TestDatasetVerdicts(t *testing.T) {
	row := DatasetRow{Name: "COX2", Graphs: 467, Classes: 2, MeanNodes: 41.22, MinNodes: 32, MaxNodes: 56, MedianNodes: 41, Connectivity: 5.42, Attributes: "real", AttributeDim: 3}
	g := &grid{spec: Spec{Table: TableDatasets}}
	g.leave(g.ask("COX2", "statistics", nil, 0), record.Record{Status: record.OK, Scores: row.Scores()})
	g.leave(g.ask("BZR", "statistics", nil, 0), record.Record{Status: record.Skipped, Reason: "not fetched"})
	verdicts, unasked := Verdicts(g.spec, g.recs)
	if got, want := CountOutcomes(verdicts).Sentence(unasked), "Of 16 printed numbers: 7 reproduced, 0 better, 0 worse, 1 differs, 8 missing. The paper prints 48 more, which this configuration does not ask for."; got != want {
		t.Errorf("%s; want %s", got, want)
	}
	table, _ := VerdictTable(g.spec, verdicts, unasked)
	if got := at(t, table, find(t, table, "COX2", "connectivity, %", "differs"), "remark").Plain(); !strings.Contains(got, "digits swapped") {
		t.Errorf("remark %q", got)
	}
	if got := at(t, table, find(t, table, "BZR", "graphs", "missing"), "remark").Plain(); got != "skipped: not fetched" {
		t.Errorf("remark %q", got)
	}
}

func TestDeviations(t *testing.T) {
	table := DeviationsTable()
	table.check()
	if len(table.Rows) < 12 {
		t.Errorf("%d deviations", len(table.Rows))
	}
	find(t, table, "statistics of COX2")
	one := "[[deviation]]\nabout = \"a\"\npaper = \"b\"\nours = \"c\"\nreason = \"d\"\n"
	if list, err := parseDeviations(one); err != nil || fmt.Sprint(list) != "[{a b c d}]" {
		t.Errorf("%v, %v", list, err)
	}
	for text, want := range map[string]string{
		one + "extra = 1\n":              "unknown key deviation.extra",
		one + one:                        "a comes twice",
		"[[deviation]]\nabout = \"a\"\n": "must all be there",
		"[[deviation]\n":                 "toml",
	} {
		if _, err := parseDeviations(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
