package reports

import (
	"bytes"
	"testing"

	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/page"
	"ogdl/reports/summary"
)

// TestFigureKindsHaveTheirCellsAlone: what a figure learned on a data set of the paper's
// clustering table is no entry of that table, and gets no verdict.
func TestFigureKindsHaveTheirCellsAlone(t *testing.T) {
	for _, kind := range []string{summary.FigureAtoms, summary.FigureSimplex, summary.FigureInterpolation, summary.FigureDistances, summary.FigureWeights, summary.FigureOnline} {
		g := &grid{spec: summary.Spec{Name: "mine", Table: kind}}
		g.put("IMDB-M", "GDL", p(1, 0, 8), 0, 0.5, 0.1, 0.25)
		g.ask("IMDB-M", "GDL", p(1, 0, 8), 1)
		if !summary.IsFigure(kind) {
			t.Errorf("%s is no figure", kind)
		}
		stable, _ := tablesOf(g.frame())
		must.Equal(t, len(stable), 1, "%s: tables", kind)
		tab := named(t, stable, kind+"_cells")
		reads(t, tab, find(t, tab, "00001000"), map[string]string{"RI": "50.00", "objective": "0.250000"})
		must.Check(t, len(tab.Rows), 1, "%s: rows for one cell that has run", kind)
		if v, unasked := verdictsOf(g.frame()); len(v) > 0 || unasked > 0 {
			t.Errorf("%s: verdicts %v", kind, v)
		}
		var shownPage bytes.Buffer
		must.Do(t, page.HTML(&shownPage, page.Page{Frame: g.frame(), Tables: stable}))
		must.Contain(t, shownPage.String(), `href="`+kind+`_cells.csv"`)
		if got := timedFiguresOf(g.timed([]record.Timing{{ID: "00001000", Seconds: 1}}, nil)); got != nil {
			t.Errorf("%s: %d timed figures", kind, len(got))
		}
	}
	for _, kind := range []string{"", summary.TableClustering, summary.TableDatasets, summary.TableRuntimes} {
		if summary.IsFigure(kind) {
			t.Errorf("%q is a figure", kind)
		}
	}
}
