// Package figures draws what the rows of a run, and the arrays that its cells keep, have to show: one file per kind of figure.
package figures

import (
	"ogdl/internal/npz"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Arrays gives what a cell stored beside its record, by the record's id.
type Arrays = func(id string) ([]npz.Array, error)

// Kind makes the figures of a kind, and tables of what they show (correlations, delays). It asks for the arrays of the
// cells that it draws alone. The figures depend on records and arrays alone: the same
// ones give the same bytes. Where a cell is missing the figure says so in a note, or is left out. Errors:
// arrays that cannot be read or are not what the figure's method writes; the
// figures and tables that can be drawn all the same are returned beside the error.
type Kind = func(*summary.Frame, Arrays) ([]plots.Figure, []table.Table, error)
