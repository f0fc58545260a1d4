package tables

import (
	"cmp"
	"slices"

	"ogdl/internal/record"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Timings returns the table of durations and memory ("timings"), per row of
// the clustering table and in all, and the list of the cells behind it ("timing_cells"). It counts every cell that left a timing, also
// failed ones. Unlike the other tables it differs from run to run, so
// it is kept apart from them.
func Timings(f *summary.Frame) []table.Table {
	t := table.Table{
		Name:  "timings",
		Title: summary.Title(f.Spec, "Timings"),
		Columns: []table.Column{
			{Name: "data set", Key: true}, {Name: "method", Key: true}, {Name: "cells timed", Right: true},
			{Name: "total s", Right: true}, {Name: "mean s", Right: true}, {Name: "longest s", Right: true},
			{Name: "CPU s", Right: true}, {Name: "peak memory, MB", Right: true},
		},
		Notes: []string{"Total: sum over cells, which run side by side. Peak memory: of the process that ran the cell, up to the " +
			"cell's end, so cells that ran beside or before it count. CPU: where the system tells."},
	}
	var everything []*record.Timing
	total := 0
	add := func(dataset, method string, ts []*record.Timing, asked int) {
		row := []table.Cell{table.Txt(dataset), table.Txt(method), table.Count(len(ts), asked)}
		if len(ts) == 0 {
			t.Rows = append(t.Rows, append(row, table.None(), table.None(), table.None(), table.None(), table.None()))
			return
		}
		var sum, longest, cpu float64
		var peak int64
		for _, tm := range ts {
			sum += tm.Seconds
			cpu += tm.CPUSeconds
			longest = max(longest, tm.Seconds)
			peak = max(peak, tm.PeakRSS)
		}
		memory, processor := table.Cell{}, table.Cell{}
		if peak > 0 {
			memory = table.Num(float64(peak)/1e6, 1)
		}
		if cpu > 0 {
			processor = table.Num(cpu, 2)
		}
		t.Rows = append(t.Rows, append(row, table.Num(sum, 2), table.Num(sum/float64(len(ts)), 2), table.Num(longest, 2), processor, memory))
	}
	for _, l := range f.Rows {
		var ts []*record.Timing
		cells := 0
		for r := range l.All() {
			cells++
			if r.Timing != nil {
				ts = append(ts, r.Timing)
			}
		}
		slices.SortFunc(ts, func(a, b *record.Timing) int { return cmp.Compare(a.ID, b.ID) })
		add(l.Dataset, l.Method, ts, cells)
		everything = append(everything, ts...)
		total += cells
	}
	add("all", "all", everything, total)
	return []table.Table{t, timingCells(f)}
}

// timingCells has a row for each cell that was timed.
func timingCells(f *summary.Frame) table.Table {
	t := table.Table{
		Name:  "timing_cells",
		List:  true,
		Title: summary.Title(f.Spec, "Timings of every cell"),
		Columns: []table.Column{
			{Name: "id", Key: true}, {Name: "data set"}, {Name: "method"}, {Name: "repetition", Right: true}, {Name: "status"},
			{Name: "seconds", Right: true}, {Name: "CPU seconds", Right: true}, {Name: "peak memory, MB", Right: true}, {Name: "host"},
		},
	}
	where := func(known bool, v float64, decimals int) table.Cell {
		if !known {
			return table.Cell{}
		}
		return table.Num(v, decimals)
	}
	t.Each = func(yield func([]table.Cell) bool) {
		for _, l := range f.Rows {
			for r := range l.All() {
				tm := r.Timing
				if tm == nil {
					continue
				}
				row := []table.Cell{table.Txt(r.ID), table.Txt(l.Dataset), table.Txt(l.Method), table.Int(r.Repetition), table.Txt(r.Status()), table.Num(tm.Seconds, 3),
					where(tm.CPUSeconds > 0, tm.CPUSeconds, 3), where(tm.PeakRSS > 0, float64(tm.PeakRSS)/1e6, 1), table.Txt(tm.Host)}
				if !yield(row) {
					return
				}
			}
		}
	}
	return t
}
