package reports

import (
	"errors"
	"slices"
	"strings"

	"ogdl/internal/guard"
	"ogdl/reports/figures"
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
	tables  func(*summary.Frame) []table.Table // that depend on the records alone: the same records give the same bytes
	timed   func(*summary.Frame) []table.Table // that hold durations
	figures figures.Kind                       // with tables of what they show
	// lead draws the figures that come first on the page, with the error of those that cannot be drawn.
	lead func(*summary.Frame, figures.Arrays) ([]plots.Figure, error)
	// timedFigures hold durations.
	timedFigures func(*summary.Frame) []plots.Figure
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
		summary.TableRuntimes:       {tables: tables.SolvedCells, timed: tables.Runtimes},
		summary.FigureAtoms:         {tables: tables.SolvedCells, figures: figures.Atoms},
		summary.FigureSimplex:       {tables: tables.SolvedCells, figures: figures.Simplex},
		summary.FigureInterpolation: {tables: tables.SolvedCells, figures: figures.Interpolation},
		summary.FigureDistances:     {tables: tables.SolvedCells, figures: figures.Distances, verdicts: tables.DistanceVerdicts},
		summary.FigureWeights:       {tables: tables.SolvedCells, figures: figures.Weights},
		summary.FigureOnline:        {tables: tables.SolvedCells, figures: figures.Online},
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
func againstPaper(f *summary.Frame, _ figures.Arrays) ([]plots.Figure, error) {
	picture, any := reproduction.Picture(f)
	return table.When(any, picture), nil
}

// clusteringLead draws ours against the paper's values, and the dictionaries of data sets that are not in the paper.
func clusteringLead(f *summary.Frame, arrays figures.Arrays) ([]plots.Figure, error) {
	against, _ := againstPaper(f, arrays)
	learned, err := figures.Learned(f, arrays)
	return append(against, learned...), err
}

// made is all that is made of a frame, before it is written.
type made struct {
	tables, timed         []table.Table
	shown                 []table.Table // the first of these go to the terminal
	answer                []table.Table // durations that the configuration asks for, which are on the page
	figures, timedFigures []plots.Figure
	leading               int // of the figures come first on the page
	verdicts              []paper.Verdict
	unasked               int
	// LeftOut is the error of figures that cannot be made of what the cells kept, nil without any; the others are there.
	LeftOut error
}

// makeOf makes everything that the frame's kind consists of.
func makeOf(f *summary.Frame, arrays figures.Arrays) made {
	k := kindOf(f.Table)
	m := made{tables: k.tables(f), timed: append(tables.Timings(f), tables.TimingMethods(f))}
	m.shown = m.tables
	if k.timed != nil {
		m.answer = k.timed(f)
		m.timed = append(m.answer, m.timed...)
		m.shown = m.timed
	}
	if k.figures != nil {
		var measured []table.Table
		m.figures, measured, m.LeftOut = drawn(k.figures, f, arrays)
		if len(measured) > 0 {
			m.tables = append(measured, m.tables...)
			m.shown = m.tables[:len(measured)]
		}
	}
	if summary.IsFigure(f.Table) || strings.HasPrefix(f.Name, "figure_") {
		m.leading = len(m.figures)
	} else if k.lead != nil {
		lead, _, err := drawn(func(f *summary.Frame, arrays figures.Arrays) ([]plots.Figure, []table.Table, error) {
			figs, err := k.lead(f, arrays)
			return figs, nil, err
		}, f, arrays)
		m.figures, m.leading, m.LeftOut = append(lead, m.figures...), len(lead), errors.Join(err, m.LeftOut)
	}
	if k.timedFigures != nil {
		m.timedFigures = k.timedFigures(f)
	}
	if k.verdicts != nil {
		m.verdicts, m.unasked = k.verdicts(f)
	}
	return m
}

// Rows returns the table of a frame's settings, each over its repetitions, for a part of a grid
// where nothing is selected. A kind without such a table has its list of runs, or else its first
// table.
func Rows(f *summary.Frame) table.Table {
	k := kindOf(f.Table)
	of := k.tables
	if k.timed != nil {
		of = k.timed
	}
	tabs := of(f)
	at := slices.IndexFunc(tabs, func(t table.Table) bool { return t.List })
	if at < 0 && len(tabs) == 0 {
		tabs = tables.Timings(f)
	}
	t := tabs[max(at, 0)].Whole()
	if k := slices.IndexFunc(t.Columns, func(c table.Column) bool { return c.Title == "selected" }); k >= 0 {
		t = t.Whole()
		t.Columns = slices.Delete(slices.Clone(t.Columns), k, k+1)
		for i, row := range t.Rows {
			t.Rows[i] = slices.Delete(row, k, k+1)
		}
	}
	return t
}

// drawn calls a kind of figures. Even a panic in there is an error, which keeps nobody from the tables.
func drawn(k figures.Kind, f *summary.Frame, arrays figures.Arrays) (figs []plots.Figure, tabs []table.Table, err error) {
	defer guard.Shown(&err)
	return k(f, arrays)
}
