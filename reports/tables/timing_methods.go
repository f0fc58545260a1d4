package tables

import (
	"cmp"
	"iter"
	"slices"

	"ogdl/internal/record"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// TimingMethods returns the table of what each method cost ("timing_methods"): per
// data set and method, then per method in all, the processor time and memory of
// its cells, and of the products that they rest on (such as matrices of
// distances), each counted once in a row however many cells share it. blocks are the
// timings of those products' blocks. It differs from run to run.
func TimingMethods(f *summary.Frame) table.Table {
	t := table.Table{
		Name:  "timing_methods",
		Title: summary.Title(f.Spec, "What each method cost"),
		Columns: []table.Column{
			{Name: "data set", Key: true}, {Name: "method", Key: true}, {Name: "cells timed", Right: true},
			{Name: "CPU s, total", Right: true}, {Name: "mean per cell", Right: true}, {Name: "largest cell", Right: true},
			{Name: "products", Right: true}, {Name: "blocks timed", Right: true}, {Name: "their CPU s", Right: true},
			{Name: "CPU s with products", Right: true}, {Name: "peak memory, MB", Right: true},
		},
		Notes: []string{
			"CPU s: processor time, where the system tells, otherwise of the wall clock (a cell is one thread). Products: computations " +
				"that cells share, such as matrices of distances; each is counted once in a row, and is no part of the cells' own time. " +
				"Peak memory: of the process that ran the cells, up to the end of each, so cells that ran beside or before count.",
		},
	}
	byProduct := map[string][]record.BlockTiming{}
	for _, b := range f.Blocks {
		byProduct[b.ID] = append(byProduct[b.ID], b)
	}
	for _, list := range byProduct {
		slices.SortFunc(list, func(a, b record.BlockTiming) int {
			return cmp.Or(cmp.Compare(a.Block, b.Block), cmp.Compare(a.Seconds, b.Seconds), cmp.Compare(a.CPUSeconds, b.CPUSeconds))
		})
	}
	type key struct{ dataset, method string }
	var order []key
	costs := map[key]*cost{}
	at := func(dataset, method string) *cost {
		k := key{dataset, method}
		if costs[k] == nil {
			costs[k] = &cost{products: map[string]bool{}}
			order = append(order, k)
		}
		return costs[k]
	}
	collect := func(everyDataset, everyMethod bool) {
		for _, l := range f.Rows {
			dataset, method := l.Dataset, l.Base
			if everyDataset {
				dataset = "all"
			}
			if everyMethod {
				method = "all"
			}
			at(dataset, method).add(l.All())
		}
	}
	collect(false, false)
	if len(f.Rows) > 0 {
		collect(true, false)
		collect(true, true)
	}
	for _, k := range order {
		t.Rows = append(t.Rows, append([]table.Cell{table.Txt(k.dataset), table.Txt(k.method)}, costs[k].cells(byProduct)...))
	}
	return t
}

// cost sums up cells.
type cost struct {
	timed, asked int
	cpu, largest float64
	peak         int64
	products     map[string]bool
}

func (c *cost) add(runs iter.Seq[summary.Run]) {
	for r := range runs {
		c.asked++
		if r.Record != nil {
			for _, u := range r.Record.Products {
				c.products[u.ID] = true
			}
		}
		tm := r.Timing
		if tm == nil {
			continue
		}
		c.timed++
		cpu := summary.Processor(tm.CPUSeconds, tm.Seconds)
		c.cpu += cpu
		c.largest = max(c.largest, cpu)
		c.peak = max(c.peak, tm.PeakRSS)
	}
}

func (c *cost) cells(blocks map[string][]record.BlockTiming) []table.Cell {
	out := []table.Cell{table.Count(c.timed, c.asked), table.None(), table.None(), table.None(), {}, {}, {}, table.None(), table.None()}
	total := c.cpu
	if c.timed > 0 {
		out[1], out[2], out[3] = table.Num(c.cpu, 2), table.Num(c.cpu/float64(c.timed), 3), table.Num(c.largest, 2)
		if out[8] = (table.Cell{}); c.peak > 0 {
			out[8] = table.Num(float64(c.peak)/1e6, 1)
		}
	}
	if len(c.products) > 0 {
		n, cpu, untimed := 0, 0.0, false
		ids := make([]string, 0, len(c.products))
		for id := range c.products {
			ids = append(ids, id)
		}
		slices.Sort(ids) // sums depend on the order
		for _, id := range ids {
			untimed = untimed || len(blocks[id]) == 0
			last := -1
			for _, b := range blocks[id] {
				if b.Block == last {
					continue // timed on two machines
				}
				last = b.Block
				n++
				cpu += summary.Processor(b.CPUSeconds, b.Seconds)
			}
		}
		out[4], out[5], out[6] = table.Int(len(c.products)), table.Int(n), table.None()
		if !untimed {
			out[6] = table.Num(cpu, 2)
			total += cpu
		}
	}
	if c.timed > 0 {
		out[7] = table.Num(total, 2)
		if out[6].Kind == table.Missing {
			out[7] = table.None() // what the products cost is not known
		}
	}
	return out
}
