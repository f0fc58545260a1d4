package tables

import (
	"cmp"
	"math"
	"slices"

	"ogdl/internal/record"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// cost sums up what cells took.
type cost struct {
	dataset, method string // that it is of; "all" for all of them
	asked           int
	timings         []*record.Timing // of the cells that left one, also failed ones
	products        map[string]bool
}

// costs sums up the cells of rows, for each two names that key gives for a row, in the order in which these first come.
func costs(rows []*summary.Row, key func(*summary.Row) (dataset, method string)) []*cost {
	var out []*cost
	for _, l := range rows {
		dataset, method := key(l)
		i := slices.IndexFunc(out, func(c *cost) bool { return c.dataset == dataset && c.method == method })
		if i < 0 {
			i, out = len(out), append(out, &cost{dataset: dataset, method: method, products: map[string]bool{}})
		}
		c := out[i]
		before := len(c.timings)
		for r := range l.All() {
			c.asked++
			if r.Record != nil {
				for _, u := range r.Record.Products {
					c.products[u.ID] = true
				}
			}
			if r.Timing != nil {
				c.timings = append(c.timings, r.Timing)
			}
		}
		slices.SortFunc(c.timings[before:], func(a, b *record.Timing) int { return cmp.Compare(a.ID, b.ID) }) // sums depend on the order
	}
	return out
}

// total sums a number up over the cells; NaN where none was timed.
func (c *cost) total(of func(*record.Timing) float64) (sum, largest float64) {
	if len(c.timings) == 0 {
		return math.NaN(), math.NaN()
	}
	for _, tm := range c.timings {
		sum += of(tm)
		largest = max(largest, of(tm))
	}
	return sum, largest
}

func wall(tm *record.Timing) float64      { return tm.Seconds }
func processor(tm *record.Timing) float64 { return tm.CPUSeconds }
func memory(tm *record.Timing) float64    { return float64(tm.PeakRSS) }

// used is processor time, or the wall clock where it is not known.
func used(tm *record.Timing) float64 { return summary.Processor(tm.CPUSeconds, tm.Seconds) }

// known is a positive number; blank where there is none, missing where nothing was timed.
func known(v float64, decimals int) table.Cell {
	if v <= 0 {
		return table.Cell{}
	}
	return table.Num(v, decimals)
}

func all(*summary.Row) (dataset, method string) { return "all", "all" }

// Timings returns the table of durations and memory ("timings"), per row of
// the clustering table and in all, and the list of the cells behind it ("timing_cells"). It counts every cell that left a timing, also
// failed ones. Unlike the other tables it differs from run to run, so
// it is kept apart from them.
func Timings(f *summary.Frame) []table.Table {
	t := table.Table{Name: "timings", Title: f.Titled("Timings"),
		Columns: table.Columns{
			table.Dataset, table.Method, {Title: "cells timed", Counted: true}, {Title: "total s", Right: true}, {Title: "mean s", Right: true},
			{Title: "longest s", Right: true}, {Title: "CPU s", Right: true}, {Title: "peak memory, MB", Right: true},
		},
		Notes: []string{"Total: sum over cells, which run side by side. Peak memory: of the process that ran the cell, up to the " +
			"cell's end, so cells that ran with or before it count. CPU: where the system reports it."}}
	everything := costs(f.Rows, all)
	if everything == nil {
		everything = []*cost{{dataset: "all", method: "all"}}
	}
	byRow := costs(f.Rows, func(l *summary.Row) (string, string) { return l.Dataset, l.Method })
	for _, c := range append(byRow, everything...) {
		sum, longest := c.total(wall)
		cpu, _ := c.total(processor)
		_, peak := c.total(memory)
		t.Add(c.dataset, c.method, table.Count(len(c.timings), c.asked), table.Num(sum, 2), table.Num(sum/float64(len(c.timings)), 2),
			table.Num(longest, 2), known(cpu, 2), known(peak/1e6, 1))
	}
	list := table.Table{Name: "timing_cells", List: true, Title: f.Titled("Timings of every cell"),
		Columns: table.Columns{
			{Title: "id", Key: true}, {Title: "data set"}, {Title: "method"}, {Title: "repetition", Right: true}, {Title: "status"},
			{Title: "seconds", Right: true}, {Title: "CPU seconds", Right: true}, {Title: "peak memory, MB", Right: true}, {Title: "host"},
		}}
	list.Each = listed(f.Rows, nil, func(l *summary.Row, _ table.Cell, r summary.Run) []table.Cell {
		tm := r.Timing
		if tm == nil {
			return nil
		}
		return table.Cells(r.ID, l.Dataset, l.Method, r.Repetition, r.Status(), table.Num(tm.Seconds, 3), known(tm.CPUSeconds, 3),
			known(float64(tm.PeakRSS)/1e6, 1), tm.Host)
	})
	return []table.Table{t, list}
}

// TimingMethods returns the table of what each method cost ("timing_methods"): per
// data set and method, then per method in all, the processor time and memory of
// its cells, and of the products that they rest on (such as matrices of
// distances), each counted once in a row however many cells share it. It differs from run to run.
func TimingMethods(f *summary.Frame) table.Table {
	t := table.Table{Name: "timing_methods", Title: f.Titled("What each method cost"),
		Columns: table.Columns{
			table.Dataset, table.Method, {Title: "cells timed", Counted: true}, {Title: "CPU s, total", Right: true},
			{Title: "CPU s, mean per cell", Right: true}, {Title: "CPU s, largest cell", Right: true}, {Title: "products", Right: true},
			{Title: "blocks timed", Right: true}, {Title: "their CPU s", Right: true}, {Title: "CPU s with products", Right: true},
			{Title: "peak memory, MB", Right: true},
		},
		Notes: []string{"CPU s: processor time, where the system reports it, otherwise of the wall clock (a cell is one thread). Products: " +
			"computations that cells share, such as matrices of distances; each is counted once in a row, and apart from the cells' own time. " +
			"Peak memory: of the process that ran the cells, up to the end of each, so cells that ran with or before it count."}}
	for _, by := range []func(*summary.Row) (dataset, method string){
		func(l *summary.Row) (string, string) { return l.Dataset, l.Base },
		func(l *summary.Row) (string, string) { return "all", l.Base },
		all,
	} {
		for _, c := range costs(f.Rows, by) {
			total, largest := c.total(used)
			_, peak := c.total(memory)
			products, with := make([]table.Cell, 3), total
			if len(c.products) > 0 {
				blocks, cpu, known := f.ProductCost(c.products)
				if !known {
					cpu = math.NaN()
				}
				products, with = table.Cells(len(c.products), blocks, table.Num(cpu, 2)), total+cpu
			}
			t.Add(c.dataset, c.method, table.Count(len(c.timings), c.asked), table.Num(total, 2), table.Num(total/float64(len(c.timings)), 3),
				table.Num(largest, 2), products, table.Num(with, 2), known(peak/1e6, 1))
		}
	}
	return t
}
