package tables

import (
	"cmp"
	"slices"

	"ogdl/internal/record"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// cost sums up the times and the memory of cells, failed ones too.
type cost struct {
	names         [2]string // of the data set and the method; "all" for all of them
	asked, timed  int
	wall, longest float64 // seconds
	used          float64 // processor seconds, or of the wall clock
	peak          float64 // bytes
	products      map[string]bool
}

// costs sums up the cells of rows, for each two names that key gives for a row, in the order in which these first come.
func costs(rows []*summary.Row, key func(*summary.Row) [2]string) (out []*cost) {
	for _, of := range summary.Groups(rows, key) {
		c := &cost{names: key(of[0]), products: map[string]bool{}}
		for _, l := range of {
			var timings []*record.Timing
			for r := range l.All() {
				c.asked++
				if r.Record != nil {
					for _, u := range r.Record.Products {
						c.products[u.ID] = true
					}
				}
				timings = append(timings, table.When(r.Timing != nil, r.Timing)...)
			}
			slices.SortFunc(timings, func(a, b *record.Timing) int { return cmp.Compare(a.ID, b.ID) }) // sums depend on the order
			for _, tm := range timings {
				c.timed++
				c.wall += tm.Seconds
				c.used += summary.Processor(tm.CPUSeconds, tm.Seconds)
				c.longest, c.peak = max(c.longest, tm.Seconds), max(c.peak, float64(tm.PeakRSS))
			}
		}
		out = append(out, c)
	}
	return out
}

// reported is a positive number; blank where the system reports none.
func reported(v float64, decimals int) table.Cell { return table.Num(v, decimals).If(v > 0) }

// Timings returns the table of durations, processor time and memory ("timings"): per row of the other tables, per method and in all,
// with the products that the cells rest on (such as matrices of distances), each counted once in a row however many cells share it. It
// also returns the list of the cells behind it ("timing_cells"). They count every cell that left a timing, also failed ones. Unlike the
// other tables they differ from run to run, so they are kept apart from them.
func Timings(f *summary.Frame) []table.Table {
	t := table.Table{Name: "timings", Title: f.Titled("Timings"),
		Columns: table.Columns{
			table.Dataset, table.Method, {Title: "cells timed", Counted: true}, {Title: "total s", Right: true}, {Title: "longest s", Right: true},
			{Title: "CPU s", Right: true}, {Title: "CPU s, mean per cell", Right: true}, {Title: "products", Right: true},
			{Title: "blocks timed", Right: true}, {Title: "their CPU s", Right: true}, {Title: "CPU s with products", Right: true},
			{Title: "peak memory, MB", Right: true},
		},
		Notes: []string{"Total: sum over cells, which run side by side. CPU s: processor time, where the system reports it, otherwise of the wall " +
			"clock (a cell is one thread). Products: computations that cells share, such as matrices of distances; each is counted once in a row, " +
			"and apart from the cells' own time. Peak memory: of the process that ran the cells, up to the end of each, so cells that ran with or " +
			"before it count."}}
	all := slices.Concat(
		costs(f.Rows, func(l *summary.Row) [2]string { return [2]string{l.Dataset, l.Method} }),
		costs(f.Rows, func(l *summary.Row) [2]string { return [2]string{"all", l.Method} }),
		costs(f.Rows, func(*summary.Row) [2]string { return [2]string{"all", "all"} }))
	for _, c := range all {
		if c.timed == 0 {
			t.AddUpTo(table.None(), c.names[0], c.names[1], table.Count(0, c.asked))
			continue
		}
		products, with := make([]table.Cell, 3), table.Num(c.used, 2)
		if len(c.products) > 0 {
			blocks, cpu, known := f.ProductCost(c.products)
			products, with = table.Cells(len(c.products), blocks, table.Num(cpu, 2).Known(known)), table.Num(c.used+cpu, 2).Known(known)
		}
		t.Add(c.names[0], c.names[1], table.Count(c.timed, c.asked), table.Num(c.wall, 2), table.Num(c.longest, 2),
			table.Num(c.used, 2), table.Num(c.used/float64(c.timed), 3), products, with, reported(c.peak/1e6, 1))
	}
	list := table.Table{Name: "timing_cells", List: true, Title: f.Titled("Timings of every cell"),
		Columns: table.Columns{
			{Title: "id", Key: true}, {Title: "data set"}, {Title: "method"}, {Title: "repetition", Right: true}, {Title: "status"},
			{Title: "seconds", Right: true}, {Title: "CPU seconds", Right: true}, {Title: "peak memory, MB", Right: true}, {Title: "host"},
		}}
	timed := func(r summary.Run) bool { return r.Timing != nil }
	listRuns(&list, f, nil, timed, func(l *summary.Row, _ table.Cell, r summary.Run) []table.Cell {
		tm := r.Timing
		return table.Cells(r.ID, l.Dataset, l.Method, r.Repetition, r.Status(), table.Num(tm.Seconds, 3), reported(tm.CPUSeconds, 3),
			reported(float64(tm.PeakRSS)/1e6, 1), tm.Host)
	})
	return []table.Table{t, list}
}
