package reports

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/record"
)

// TestFigureKindsHaveTheirCellsAlone: what a figure learned on a data set of the paper's
// clustering table is no entry of that table, and gets no verdict.
func TestFigureKindsHaveTheirCellsAlone(t *testing.T) {
	for _, kind := range []string{FigureAtoms, FigureSimplex, FigureInterpolation, FigureDistances, FigureWeights, FigureOnline} {
		g := &grid{spec: Spec{Name: "mine", Table: kind}}
		g.put("IMDB-M", "GDL", p(1, 0, 8), 0, 0.5, 0.1, 0.25)
		g.ask("IMDB-M", "GDL", p(1, 0, 8), 1)
		if !IsFigure(kind) {
			t.Errorf("%s is no figure", kind)
		}
		stable, _ := Tables(g.frame())
		if len(stable) != 1 {
			t.Fatalf("%s: %d tables", kind, len(stable))
		}
		table := named(t, stable, kind+"_cells")
		if got := at(t, table, find(t, table, "00001000"), "mean objective").Plain(); got != "0.250000" {
			t.Errorf("%s: mean objective %s", kind, got)
		}
		if len(table.Rows) != 1 {
			t.Errorf("%s: %d rows for one cell that has run", kind, len(table.Rows))
		}
		if v, unasked := Verdicts(g.frame()); len(v) > 0 || unasked > 0 {
			t.Errorf("%s: verdicts %v", kind, v)
		}
		var page bytes.Buffer
		if err := HTML(&page, Page{Frame: g.frame(), Tables: stable}); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(page.String(), `href="`+kind+`_cells.csv"`) {
			t.Errorf("%s: the page does not name the file of its cells", kind)
		}
		if got := TimedFigures(g.timed([]record.Timing{{ID: "00001000", Seconds: 1}}, nil)); got != nil {
			t.Errorf("%s: %d timed figures", kind, len(got))
		}
	}
	for _, kind := range []string{"", TableClustering, TableDatasets, TableRuntimes} {
		if IsFigure(kind) {
			t.Errorf("%q is a figure", kind)
		}
	}
}

func TestDistinctNames(t *testing.T) {
	long := strings.Repeat("a", 200)
	got := distinctNames([]string{"x", "y", "x", "x-2", "x", long, long + "b"})
	want := []string{"x", "y", "x-2", "x-2-2", "x-3", long[:80], long[:80] + "-2"}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}
