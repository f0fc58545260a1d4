package tables

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Runtimes returns the tables of the times to embed one graph, which differ from
// run to run:
//
//   - runtimes: per data set, number of atoms and method the paper's milliseconds,
//     our mean, median and 90th percentile, and the mean objective reached;
//   - runtimes_machine: where and by what ours were measured.
//
// Times are record.Timing.Embed, objectives the score "objective". Methods are named without
// "-time". The number of atoms is the parameter "atoms", resolved if the record has it.
func Runtimes(f *summary.Frame) []table.Table {
	rows := runtimeRows(f)
	return []table.Table{runtimesTable(f, rows), machineTable(f, rows)}
}

// runtimeRow is one configuration: its cells, and what they measured.
type runtimeRow struct {
	*summary.Config
	dataset, method string
	atoms           int           // 0: not known
	names           []string      // parameters besides atoms that tell it apart from others of its method
	paper           float64       // milliseconds; NaN where none are printed
	timed           []summary.Run // the cells that measured something
}

// timedMethods are the methods whose times the paper prints.
var timedMethods = []string{"GDL", "GWF"}

// measured reports whether a cell has the times of embeddings.
func measured(x summary.Run) bool {
	tm := x.Timing
	return x.OK() && tm != nil && tm.Embed != nil && tm.Embed.Graphs > 0 && tm.Embed.MeanMS > 0
}

func runtimeRows(f *summary.Frame) []*runtimeRow {
	printed := f.Family.Printed
	var rows []*runtimeRow
	for l, c := range summary.Configs(f.Rows) {
		r := &runtimeRow{Config: c, dataset: l.Dataset, method: strings.TrimSuffix(l.Base, "-time"), paper: math.NaN(),
			timed: summary.Pick(c.Runs, measured)}
		r.names = summary.Pick(l.Names, func(k string) bool { return k != summary.ParamAtoms && k != summary.ParamAtomsPerClass })
		for _, x := range c.Runs {
			r.atoms = max(r.atoms, atomsOf(x))
		}
		for _, p := range printed.Runtimes {
			if i := slices.Index(timedMethods, r.method); i >= 0 && p.Dataset == printed.DatasetName(r.dataset) && p.Atoms == r.atoms {
				r.paper = []float64{p.GDL, p.GWF}[i]
			}
		}
		rows = append(rows, r)
	}
	order := paper.Distinct(printed.Runtimes, func(p paper.PrintedRuntime) string { return p.Dataset })
	rank := func(r *runtimeRow) int { return summary.Rank(order, printed.DatasetName(r.dataset)) }
	slices.SortStableFunc(rows, func(a, b *runtimeRow) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.dataset, b.dataset), cmp.Compare(a.atoms, b.atoms),
			cmp.Compare(a.method, b.method), summary.CompareParams(a.Params, b.Params))
	})
	return rows
}

// atomsOf is the number of atoms, resolved by the run if it had to be; 0 where it is not known yet.
func atomsOf(r summary.Run) int {
	v, _ := r.Number(summary.ParamAtoms)
	return int(v)
}

// positive is a number of atoms or graphs, missing where there is none.
func positive(n int) table.Cell { return table.Int(n).Known(n > 0) }

// embedTimes puts the cells together: the mean over all their graphs, the means of
// the cells' medians and percentiles; NaN where nothing was measured.
func (r *runtimeRow) embedTimes() record.EmbedTimes {
	var e record.EmbedTimes
	for _, x := range r.timed {
		one := x.Timing.Embed
		e.Graphs += one.Graphs
		e.MeanMS += float64(one.Graphs) * one.MeanMS
		e.MedianMS += one.MedianMS
		e.P90MS += one.P90MS
	}
	e.MeanMS /= float64(e.Graphs)
	e.MedianMS /= float64(len(r.timed))
	e.P90MS /= float64(len(r.timed))
	return e
}

func runtimesTable(f *summary.Frame, rows []*runtimeRow) table.Table {
	column := summary.Settings("configuration", f.Rows)
	t := table.Table{Name: "runtimes", Printed: true, Title: f.Titled("Time to embed one graph, in milliseconds"),
		Columns: table.Columns{
			table.Dataset, {Title: "atoms", CSV: "atoms_resolved", Key: true, Right: true}, table.Method, {Title: "paper", Right: true},
			{Title: "ours, mean", CSV: "mean", Right: true}, {Title: "median", Right: true},
			{Title: "90th percentile", CSV: "percentile_90", Right: true}, {Title: "paper / ours", Right: true}, {Title: "graphs", Right: true},
			{Title: "mean objective", Right: true}, {Title: "cells", Counted: true}, column,
		},
		Notes: []string{"Relative precision 1e-4 in the paper's runs; one graph at a time on one thread in ours. The paper's times are of an " +
			"i9-9900K, ours of the machine in runtimes_machine: their ratio is of two machines as much as of two programs. The mean of several " +
			"cells is over all their graphs; median and percentile are means of the cells'."}}
	var notes []string
	for _, r := range rows {
		e, printed := r.embedTimes(), !math.IsNaN(r.paper)
		mean := table.Num(e.MeanMS, 3)
		if len(r.timed) > 0 {
			mean.Mark = table.Fewer(len(r.timed), len(r.Runs))
		}
		settings := table.Txt(r.Describe(r.names)).If(len(r.names) > 0) // else the row is the only one of its setting
		settings.Parts = r.Cells(column.Params)
		t.Add(r.dataset, positive(r.atoms), r.method, table.Num(r.paper, 0).If(printed), mean, table.Num(e.MedianMS, 3),
			table.Num(e.P90MS, 3), table.Num(r.paper/e.MeanMS, 1).If(printed), positive(e.Graphs),
			summary.StatOver(r.timed, artifact.Objective, 1).Plain(6), table.Count(len(r.timed), len(r.Runs)), settings)
		of := r.dataset + " " + r.method + words.If(r.atoms > 0, ", %s", words.Plural(r.atoms, "atom", "atoms"))
		notes = append(notes, unfinished(of, slices.Values(r.Runs))...)
	}
	n := len(machines(rows))
	t.Note(slices.Concat(table.MarkNotes(t, "repetitions"), notes,
		table.When(n > 1, fmt.Sprintf("Warning: the times were measured on %d machines; see runtimes_machine.", n)))...)
	return t
}

// machines counts the timed cells of each host and processor.
func machines(rows []*runtimeRow) map[[2]string]int {
	out := map[[2]string]int{}
	for _, r := range rows {
		for _, x := range r.timed {
			out[[2]string{x.Timing.Host, x.Timing.CPU}]++
		}
	}
	return out
}

// machineTable has the machines on which the times were measured.
func machineTable(f *summary.Frame, rows []*runtimeRow) table.Table {
	t := table.Table{Name: "runtimes_machine", Title: f.Titled("Where the times were measured"),
		Columns: table.Columns{{Title: "host", Key: true}, {Title: "processor", Key: true}, {Title: "cells", Right: true}}}
	of := machines(rows)
	for _, m := range slices.SortedFunc(maps.Keys(of), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
		t.Add(OrUnknown(m[0]), OrUnknown(m[1]), of[m])
	}
	if len(t.Rows) == 0 {
		t.Note("Nothing has been measured.")
	}
	return t
}

// OrUnknown returns a text cell, "not known" for "".
func OrUnknown(s string) table.Cell {
	if s == "" {
		return table.List("not known", table.Cell{}) // CSV has nothing
	}
	return table.Txt(s)
}
