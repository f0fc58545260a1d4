package reports

import (
	"errors"
	"slices"
	"strings"

	"ogdl/internal/guard"
	"ogdl/reports/figures"
	"ogdl/reports/page"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/reproduction"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// kind has the functions that make the tables and figures of a kind, in addition to the timings
// that every kind has. A nil function makes nothing.
type kind struct {
	tables       func(*summary.Frame) []table.Table  // that depend on the records alone: the same records give the same bytes
	timed        func(*summary.Frame) []table.Table  // that hold durations
	lead         figures.Kind                        // that come first on the page
	figures      figures.Kind                        // with tables of what they show
	timedFigures func(*summary.Frame) []plots.Figure // that hold durations
	// verdicts compares the numbers that the paper prints for the kind, and that the configuration asks for, with ours; unasked
	// counts the printed numbers that it does not ask for.
	verdicts func(*summary.Frame) (asked []paper.Verdict, unasked int)
}

// kinds are all but the clustering tables.
func kinds() map[string]kind {
	return map[string]kind{
		summary.TableClassification: {tables: tables.Classification, verdicts: tables.ScoreVerdicts, lead: againstPaper,
			figures: figures.Classification, timedFigures: figures.TimeAccuracy},
		summary.TableDatasets:       {tables: tables.Datasets, verdicts: tables.DatasetVerdicts},
		summary.TableRuntimes:       {tables: tables.Cells, timed: tables.Runtimes},
		summary.FigureAtoms:         {tables: tables.Cells, figures: figures.Atoms},
		summary.FigureSimplex:       {tables: tables.Cells, figures: figures.Simplex},
		summary.FigureInterpolation: {tables: tables.Cells, figures: figures.Interpolation},
		summary.FigureDistances:     {tables: tables.Cells, figures: figures.Distances, verdicts: tables.DistanceVerdicts},
		summary.FigureWeights:       {tables: tables.Cells, figures: figures.Weights},
		summary.FigureOnline:        {tables: tables.Cells, figures: figures.Online},
	}
}

// kindOf is what a configuration asks for; kinds that are not known are clustering tables.
func kindOf(name string) kind {
	if k, known := kinds()[name]; known {
		return k
	}
	return kind{tables: tables.Clustering, lead: clusteringLead, figures: figures.Sweeps, timedFigures: figures.TimeQuality,
		verdicts: tables.ScoreVerdicts}
}

// againstPaper draws ours against the paper's values.
func againstPaper(f *summary.Frame, _ figures.Arrays) ([]plots.Figure, []table.Table, error) {
	return reproduction.Picture(f), nil, nil
}

// clusteringLead draws ours against the paper's values, and the dictionaries of data sets that are not in the paper.
func clusteringLead(f *summary.Frame, arrays figures.Arrays) ([]plots.Figure, []table.Table, error) {
	against, _, _ := againstPaper(f, arrays)
	learned, err := figures.Learned(f, arrays)
	return append(against, learned...), nil, err
}

// makeOf makes everything that the frame's kind consists of. The report has no folder yet.
func makeOf(f *summary.Frame, arrays figures.Arrays) *Report {
	k, m := kindOf(f.Table), &Report{}
	m.page = page.Page{Frame: f, Tables: k.tables(f), Timed: tables.Timings(f)}
	m.shown = m.page.Tables
	if k.timed != nil {
		m.page.Timed = append(k.timed(f), m.page.Timed...)
		m.shown = m.page.Timed
	}
	figs, measured, err := drawn(k.figures, f, arrays)
	if m.LeftOut = err; len(measured) > 0 {
		m.page.Tables = append(measured, m.page.Tables...)
		m.shown = m.page.Tables[:len(measured)]
	}
	if summary.IsFigure(f.Table) || strings.HasPrefix(f.Name, "figure_") {
		m.lead = figs
	} else {
		m.figures = figs
		m.lead, _, err = drawn(k.lead, f, arrays)
		m.LeftOut = errors.Join(err, m.LeftOut)
	}
	if k.timedFigures != nil {
		m.timedFigures = k.timedFigures(f)
	}
	if k.verdicts != nil {
		m.page.Verdicts, m.page.Unasked = k.verdicts(f)
	}
	return m
}

// Rows returns the table of a frame's settings, each over its repetitions, for a part of a grid
// where nothing is selected. A kind without such a table has its list of runs, or else its first
// table.
func Rows(f *summary.Frame) table.Table {
	k := kindOf(f.Table)
	tabs := k.tables(f)
	if k.timed != nil {
		tabs = k.timed(f)
	}
	if len(tabs) == 0 {
		tabs = tables.Timings(f)
	}
	at := slices.IndexFunc(tabs, func(t table.Table) bool { return t.List })
	return tabs[max(at, 0)].Without("selected")
}

// drawn calls a kind of figures, if there is one. Even a panic in there is an error, which keeps nobody from the tables.
func drawn(k figures.Kind, f *summary.Frame, arrays figures.Arrays) (figs []plots.Figure, tabs []table.Table, err error) {
	if k == nil {
		return nil, nil, nil
	}
	defer guard.Shown(&err)
	return k(f, arrays)
}
