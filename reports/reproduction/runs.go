package reproduction

import (
	"slices"
	"strings"

	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Runs lists the cells and hours of each configuration.
func (c *content) Runs() table.Table {
	t := table.Table{Columns: table.Columns{
		{Title: "configuration", Key: true}, {Title: "cells", Right: true}, {Title: "done", Right: true}, {Title: "ruled out", Right: true},
		{Title: "hours of one core", Right: true}, {Title: "hours left", Right: true}, {Title: "hours that races may spare", Right: true},
	}}
	for _, part := range c.Parts {
		done, out, hours := 0, 0, table.Cell{}
		if part.Frame != nil {
			for r := range part.Frame.All() {
				if r.OK() && !r.Confirm {
					done++
				} else if r.Chance == summary.RuledOut {
					out++
				}
			}
			seconds, _ := part.Frame.Cost(part.Frame.All())
			hours = table.Num(seconds/3600, 2)
		}
		t.Add(part.Config, part.Cells, done, out, hours, table.Num(part.Left, 2).If(done+out < part.Cells), table.Num(part.MayBe, 2).If(part.MayBe > 0))
	}
	t.Note("Cells, done and ruled out are of the grid. Hours are processor time of cells, of re-runs and of shared matrices. Hours left are what plan " +
		"expects of the missing cells. Cells that a race still may rule out are in the last column alone.")
	return t
}

// Lacking lists the methods that lack cells, with the data sets on which they do.
func (c *content) Lacking() table.Table {
	t := table.Table{Columns: table.Columns{
		{Title: "configuration", Key: true}, table.Method, {Title: "data sets"}, {Title: "cells", Right: true},
		{Title: "missing", Right: true},
	}}
	for _, part := range c.Parts {
		if part.Frame == nil {
			t.Add(part.Config, "all", "all", part.Cells, part.Cells)
			continue
		}
		missing := func(r summary.Run) bool { return !r.OK() && r.Chance != summary.RuledOut }
		lacking := summary.Pick(part.Frame.Rows, func(row *summary.Row) bool {
			return slices.ContainsFunc(slices.Collect(row.Runs()), missing)
		})
		for _, rows := range summary.Groups(lacking, func(row *summary.Row) string { return row.Method }) {
			var datasets []string
			var cells []summary.Run
			for _, row := range rows {
				datasets, cells = append(datasets, row.Dataset), slices.AppendSeq(cells, row.Runs())
			}
			t.Add(part.Config, rows[0].Method, strings.Join(datasets, ", "), len(cells), len(summary.Pick(cells, missing)))
		}
	}
	return t
}
