package tables

import (
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Tables turns what the cells of a run left into the tables of its kind. The stable ones
// depend on the records alone: the same records give the same bytes. The
// timed ones hold durations, which differ from run to run, and belong into a
// folder of their own. Kinds of figures get a table of their cells here, and others from
// [Figures]; kinds that are not known get the tables of [TableClustering].
func Tables(f *summary.Frame) (stable, timed []table.Table) {
	switch f.Table {
	case summary.TableDatasets:
		stable = Datasets(DatasetRows(f))
	case summary.TableRuntimes:
		stable = RuntimeObjectives(f)
		timed = Runtimes(f)
	case summary.FigureAtoms, summary.FigureSimplex, summary.FigureInterpolation, summary.FigureDistances, summary.FigureWeights, summary.FigureOnline:
		stable = FigureCells(f)
	default:
		stable = Clustering(f)
	}
	timed = append(timed, Timings(f)...)
	return stable, append(timed, TimingMethods(f))
}
