package reports

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports/figures"
	"ogdl/reports/page"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"

	"github.com/google/go-cmp/cmp"
)

// terminal renders tables one below the other.
func terminal(t *testing.T, tabs []table.Table, width int) string {
	t.Helper()
	var b bytes.Buffer
	for _, tab := range tabs {
		fmt.Fprintf(&b, "== %s\n", tab.Name)
		must.Do(t, table.Terminal(&b, tab, width))
	}
	return b.String()
}

// grid builds what a grid asks for and its records by hand.
type grid struct {
	spec  summary.Spec
	asked []summary.Expected // none: all records are the grid
	recs  []record.Record
}

// frame puts the cells and their records into the frame.
func (g *grid) frame() *summary.Frame { return g.timed(nil, nil) }

// without is the frame of the grid before anything has run.
func (g *grid) without() *summary.Frame { return (&grid{spec: g.spec, asked: g.asked}).frame() }

// timed is frame with what cells and products took.
func (g *grid) timed(timings []record.Timing, costs map[string]summary.Cost) *summary.Frame {
	asked := g.asked
	if asked == nil {
		for _, r := range g.recs {
			asked = append(asked, summary.Expected{ID: r.ID, Method: r.Method, Dataset: r.Dataset, Params: r.Params, BaseSeed: r.BaseSeed, Repetition: r.Repetition})
		}
	}
	recs, times := map[string]*record.Record{}, map[string]*record.Timing{}
	for i := range g.recs {
		recs[g.recs[i].ID] = &g.recs[i]
	}
	for i := range timings {
		times[timings[i].ID] = &timings[i]
	}
	var runs []summary.Run
	for _, e := range asked {
		runs = append(runs, summary.Run{Expected: e, Record: recs[e.ID], Timing: times[e.ID]})
	}
	return summary.NewFrame(g.spec, runs, costs)
}

// ask adds a cell without a record and returns it.
func (g *grid) ask(dataset, method string, params map[string]any, rep int) summary.Expected {
	e := summary.Expected{
		ID:     fmt.Sprintf("%08x", 0x1000+len(g.asked)),
		Method: method, Dataset: dataset, Params: params, BaseSeed: 1, Repetition: rep,
	}
	g.asked = append(g.asked, e)
	return e
}

// put adds a cell with a record that ended well.
func (g *grid) put(dataset, method string, params map[string]any, rep int, ri, ari, objective float64, assignment ...int) *record.Record {
	e := g.ask(dataset, method, params, rep)
	return g.leave(e, record.Record{
		Status: record.OK,
		Scores: map[string]float64{
			"ri": ri, "ari": ari, "objective": objective, "trivial_one": 0.552, "trivial_independent": 0.5,
		},
		Assignment:  labels(assignment),
		Convergence: record.Convergence{Solves: 100, CapHits: int64(rep), Iterations: 250, MaxGap: 1e-9 * float64(rep+1)},
		Provenance:  record.Provenance{Revision: "abc", GoVersion: "go1.26", GOARCH: "amd64"},
	})
}

func labels(of []int) record.Labels {
	l, err := record.LabelsOf(of)
	if err != nil {
		panic(err)
	}
	return l
}

func (g *grid) leave(e summary.Expected, r record.Record) *record.Record {
	r.ID, r.Method, r.Dataset, r.Params = e.ID, e.Method, e.Dataset, e.Params
	r.BaseSeed, r.Repetition = e.BaseSeed, e.Repetition
	r.MethodVersion, r.LoaderVersion, r.Digest = 1, 1, "d1"
	g.recs = append(g.recs, r)
	return &g.recs[len(g.recs)-1]
}

func p(alpha, lambda float64, atoms int) map[string]any {
	return map[string]any{"alpha": alpha, "lambda": lambda, "atoms": atoms, "epochs": 40, "init": "sample"}
}

// numberless wants no number in rows of ours but in these columns.
func numberless(t *testing.T, tabs []table.Table, but ...string) {
	t.Helper()
	for _, tab := range tabs {
		tab = tab.Whole()
		for _, row := range tab.Rows {
			for j, c := range row {
				if title := tab.Columns[j].Title; c.Kind == table.Number && !slices.Contains(but, title) && (tab.Name != "clustering_layout" || row[1].Text != "paper") {
					t.Errorf("%s: %s is the number %s", tab.Name, title, c.Plain())
				}
			}
		}
	}
}

// said is the text of titles, notes, columns and alternatives of pictures.
func said(tabs []table.Table, figs []plots.Figure) string {
	var parts []string
	for _, tab := range tabs {
		parts = append(parts, tab.Title)
		parts = append(parts, tab.Notes...)
		for _, c := range tab.Whole().Columns {
			parts = append(parts, c.Title)
		}
	}
	for _, x := range figs {
		parts = append(parts, x.Name, x.Title, x.Alt)
		parts = append(parts, x.Data[0].Header...)
	}
	return strings.Join(parts, " ")
}

// find returns the row whose first cells read as given.
func find(t *testing.T, tab table.Table, first ...string) []table.Cell {
	t.Helper()
next:
	for _, row := range tab.Rows {
		for i, s := range first {
			if row[i].Plain() != s {
				continue next
			}
		}
		return row
	}
	t.Fatalf("table %s has no row %q", tab.Name, first)
	return nil
}

// at returns the cell of a row below the named column.
func at(t *testing.T, tab table.Table, row []table.Cell, column string) table.Cell {
	t.Helper()
	for j, c := range tab.Columns {
		if c.Title == column {
			return row[j]
		}
	}
	t.Fatalf("table %s has no column %q", tab.Name, column)
	return table.Cell{}
}

// same wants equal values.
func same(t testing.TB, got, want any) {
	t.Helper()
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// reads wants these texts in a row, by the titles of their columns.
func reads(t *testing.T, tab table.Table, row []table.Cell, texts map[string]string) {
	t.Helper()
	for column, want := range texts {
		must.Check(t, at(t, tab, row, column).Plain(), want, "%s: in %s", tab.Name, column)
	}
}

func named(t *testing.T, tabs []table.Table, name string) table.Table {
	t.Helper()
	for _, tab := range tabs {
		if tab.Name == name {
			return tab.Whole()
		}
	}
	t.Fatalf("no table %q", name)
	return table.Table{}
}

// writeTables writes a report of tables alone.
func writeTables(dir string, tabs []table.Table) error {
	f := NewFolder(dir)
	if err := f.Tables("", tabs); err != nil {
		return err
	}
	return f.Write(context.Background())
}

// writeFigures writes a report of figures alone.
func writeFigures(dir string, figs []plots.Figure) ([]page.Figure, error) {
	f := NewFolder(dir)
	shownPage, err := f.Draw(context.Background(), "", figs)
	return shownPage, errors.Join(err, f.Write(context.Background()))
}

// tablesOf are the tables of the frame's kind.
func tablesOf(f *summary.Frame) (stable, timed []table.Table) {
	k := kindOf(f.Table)
	if k.timed != nil {
		timed = k.timed(f)
	}
	return k.tables(f), append(timed, tables.Timings(f)...)
}

// drawnOf are the figures of the frame's kind, with tables of what they show.
func drawnOf(f *summary.Frame, arrays figures.Arrays) (figs []plots.Figure, tabs []table.Table, err error) {
	if k := kindOf(f.Table); k.figures != nil {
		return k.figures(f, arrays)
	}
	return nil, nil, nil
}

// timedFiguresOf are the figures of the frame's kind that hold durations.
func timedFiguresOf(f *summary.Frame) []plots.Figure {
	if k := kindOf(f.Table); k.timedFigures != nil {
		return k.timedFigures(f)
	}
	return nil
}

// everyKind has a frame of every kind, with runs and before anything has run.
func everyKind() map[string]*summary.Frame {
	runtimes, timings := timed()
	distances, _ := distancesGrid()
	weights, _ := weightsGrid(2, 3, 4, 5, 7)
	return map[string]*summary.Frame{
		"clustering": mutag().frame(), "six methods": sixMethods().frame(), "unlabelled": unlabelledGrid().frame(),
		"classification": carefulSplits().frame(), "supplement": supplement().frame(), "runtimes": runtimes.timed(timings, nil),
		"data sets": datasetGrid(datasetRows()...).frame(), "distances": distances.frame(), "weights": weights.frame(),
		"nothing yet": sixMethods().without(), "no classes yet": carefulSplits().without(),
		"nothing of the supplement": supplement().without(),
	}
}

// verdictsOf are the verdicts of the frame's kind.
func verdictsOf(f *summary.Frame) (asked []paper.Verdict, unasked int) {
	if k := kindOf(f.Table); k.verdicts != nil {
		return k.verdicts(f)
	}
	return nil, 0
}
