// Package figures draws what the rows of a run, and the arrays that its cells keep, have to show: one file per kind of figure.
package figures

import (
	"ogdl/internal/npz"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Arrays returns the arrays of a cell, by the id of its record.
type Arrays = func(id string) ([]npz.Array, error)

// Kind makes the figures of a kind, and tables of what they show (correlations, delays). It reads
// the arrays only of the cells that it draws. The figures depend only on records and arrays: equal
// ones give equal bytes. If a cell is missing, the figure has a note or is omitted. Errors: arrays
// that cannot be read, or that the figure's method does not write. The figures and tables that can
// be drawn are returned with the error.
type Kind = func(*summary.Frame, Arrays) ([]plots.Figure, []table.Table, error)
