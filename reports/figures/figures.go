package figures

import (
	"ogdl/internal/npz"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Figures turns what the cells of a run left into the figures of its kind, and into tables of what
// the figures show (correlations, delays). arrays gives what a cell stored beside its record, by the record's id; it
// is asked only for cells that a figure draws. The figures depend on records and arrays alone: the same
// ones give the same bytes. Where a cell is missing the figure says so in a note, or is left out. Errors:
// arrays that cannot be read or are not what the figure's method writes; the
// figures and tables that can be drawn all the same are returned beside the error.
func Figures(f *summary.Frame, arrays func(id string) ([]npz.Array, error)) (stable []plots.Figure, tabs []table.Table, err error) {
	switch f.Table {
	case summary.FigureAtoms:
		return atomsFigures(f, arrays)
	case summary.FigureSimplex:
		return simplexFigures(f, arrays)
	case summary.FigureInterpolation:
		return interpolationFigures(f, arrays)
	case summary.FigureDistances:
		return distancesFigures(f, arrays)
	case summary.FigureWeights:
		return weightsFigures(f, arrays)
	case summary.FigureOnline:
		stable, tabs, err = onlineFigures(f, arrays)
	case summary.TableRuntimes, summary.TableDatasets:
	default:
		stable = sweepFigures(f.Rows)
	}
	return stable, tabs, err
}

// TimedFigures are the figures that hold durations: they differ from run to run and belong
// into a folder of their own.
func TimedFigures(f *summary.Frame) []plots.Figure {
	switch f.Table {
	case summary.TableRuntimes, summary.TableDatasets:
		return nil
	}
	if summary.IsFigure(f.Table) {
		return nil
	}
	return timeFigures(f)
}
