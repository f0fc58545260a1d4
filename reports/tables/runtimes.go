package tables

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"ogdl/internal/record"
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
// Times are those of record.Timing.Embed, objectives the score "objective". A
// method goes by its name without "-time". The number of atoms is the parameter
// "atoms", resolved if the record has it.
func Runtimes(f *summary.Frame) []table.Table {
	rows := runtimeRows(f)
	return []table.Table{runtimesTable(f.Kind.Printed, f.Spec, rows), machineTable(f.Spec, rows)}
}

// runtimeRow is one configuration: its cells, and what they measured.
type runtimeRow struct {
	dataset, method string
	atoms           int // 0: not known
	params          summary.Params
	names           []string // parameters besides atoms that tell it apart from others of its method
	runs            []summary.Run
	timings         map[string]record.Timing // of the cells that measured something
}

// runtimeMethod is the paper's name of a method that is timed: "GDL" or "GWF" of
// "GDL-time" and "GWF-time". Others lose the ending alone.
func runtimeMethod(name string) string {
	if i := len(name) - len("-time"); i > 0 && strings.EqualFold(name[i:], "-time") {
		name = name[:i]
	}
	for _, m := range []string{"GDL", "GWF"} {
		if strings.EqualFold(name, m) {
			return m
		}
	}
	return name
}

func runtimeRows(f *summary.Frame) []*runtimeRow {
	printed := f.Kind.Printed
	var rows []*runtimeRow
	for _, l := range f.Rows {
		for _, c := range l.Configs {
			r := &runtimeRow{dataset: l.Dataset, method: runtimeMethod(l.Base), params: c.Params, runs: c.Runs, timings: map[string]record.Timing{}}
			for _, k := range l.Names {
				if k != summary.ParamAtoms && k != summary.ParamAtomsPerClass {
					r.names = append(r.names, k)
				}
			}
			for _, x := range c.Runs {
				r.atoms = max(r.atoms, atomsOf(x))
				if x.Record == nil || x.Record.Status != record.OK {
					continue
				}
				if tm := x.Timing; tm != nil && tm.Embed != nil && tm.Embed.Graphs > 0 && tm.Embed.MeanMS > 0 {
					r.timings[x.ID] = *tm
				}
			}
			rows = append(rows, r)
		}
	}
	var datasets []string
	for _, p := range printed.Runtimes {
		datasets = append(datasets, p.Dataset)
	}
	slices.SortStableFunc(rows, func(a, b *runtimeRow) int {
		return cmp.Or(
			cmp.Compare(summary.Rank(datasets, printed.DatasetName(a.dataset)), summary.Rank(datasets, printed.DatasetName(b.dataset))),
			cmp.Compare(a.dataset, b.dataset), cmp.Compare(a.atoms, b.atoms), cmp.Compare(a.method, b.method),
			summary.CompareParams(a.params, b.params))
	})
	return rows
}

// atomsOf is the number of atoms, resolved by the run if it had to be; 0 where it is
// not known yet.
func atomsOf(r summary.Run) int {
	v, _ := r.Number(summary.ParamAtoms)
	return int(v)
}

// paper is the printed time; NaN where there is none.
func (r *runtimeRow) paper(printed paper.Printed) float64 {
	for _, p := range printed.Runtimes {
		if p.Dataset != printed.DatasetName(r.dataset) || p.Atoms != r.atoms {
			continue
		}
		switch r.method {
		case "GDL":
			return p.GDL
		case "GWF":
			return p.GWF
		}
	}
	return math.NaN()
}

// over calls f with the measurements in the order of the cells.
func (r *runtimeRow) over(f func(tm record.Timing)) {
	for _, x := range r.runs {
		if tm, ok := r.timings[x.ID]; ok {
			f(tm)
		}
	}
}

// embedTimes puts the cells together: the mean over all their graphs, the means of
// the cells' medians and percentiles.
func (r *runtimeRow) embedTimes() record.EmbedTimes {
	var e record.EmbedTimes
	r.over(func(tm record.Timing) {
		e.Graphs += tm.Embed.Graphs
		e.MeanMS += float64(tm.Embed.Graphs) * tm.Embed.MeanMS
		e.MedianMS += tm.Embed.MedianMS
		e.P90MS += tm.Embed.P90MS
	})
	if e.Graphs > 0 {
		e.MeanMS /= float64(e.Graphs)
		e.MedianMS /= float64(len(r.timings))
		e.P90MS /= float64(len(r.timings))
	}
	return e
}

// objective is the mean objective of the cells that were timed.
func (r *runtimeRow) objective() table.Cell {
	var values []float64
	for _, x := range r.runs {
		if _, timed := r.timings[x.ID]; timed {
			v, ok := x.Score("objective")
			if !ok {
				return table.None()
			}
			values = append(values, v)
		}
	}
	if len(values) == 0 {
		return table.None()
	}
	return table.Num(paper.StatOf(values).Mean, 6)
}

func runtimesTable(printed paper.Printed, spec summary.Spec, rows []*runtimeRow) table.Table {
	t := table.Table{
		Name:  "runtimes",
		Title: summary.Title(spec, "Time to embed one graph, in milliseconds"),
		Columns: []table.Column{
			{Name: "data set", Key: true}, {Name: "atoms", Key: true, Right: true}, {Name: "method", Key: true},
			{Name: "paper", Right: true}, {Name: "ours, mean", Right: true}, {Name: "median", Right: true}, {Name: "90th percentile", Right: true},
			{Name: "paper / ours", Right: true}, {Name: "graphs", Right: true}, {Name: "mean objective", Right: true},
			{Name: "cells", Right: true}, {Name: "configuration"},
		},
		Notes: []string{"Relative precision 1e-4 in the paper's runs; one graph at a time on one thread in ours. The paper's times are of an " +
			"i9-9900K, ours of the machine in runtimes_machine: their ratio is of two machines as much as of two programs."},
	}
	several := false
	var notes []string
	for _, r := range rows {
		atoms := table.None()
		if r.atoms > 0 {
			atoms = table.Int(r.atoms)
		}
		paper := table.Cell{}
		ms := r.paper(printed)
		if !math.IsNaN(ms) {
			paper = table.Num(ms, 0)
		}
		e := r.embedTimes()
		mean, median, p90, ratio, graphs := table.None(), table.None(), table.None(), table.Cell{}, table.None()
		mark := ""
		if len(r.timings) < len(r.runs) {
			mark = table.MarkSeeds
		}
		if !math.IsNaN(ms) {
			ratio = table.None()
		}
		if e.Graphs > 0 {
			mean, median, p90, graphs = table.Num(e.MeanMS, 3), table.Num(e.MedianMS, 3), table.Num(e.P90MS, 3), table.Int(e.Graphs)
			if !math.IsNaN(ms) {
				ratio = table.Num(ms/e.MeanMS, 1)
			}
			mean.Mark = mark
			several = several || len(r.timings) > 1
		}
		t.Rows = append(t.Rows, []table.Cell{table.Txt(r.dataset), atoms, table.Txt(r.method), paper, mean, median, p90, ratio, graphs,
			r.objective(), table.Count(len(r.timings), len(r.runs)), r.configuration()})
		notes = append(notes, r.statusNote()...)
	}
	if several {
		t.Notes = append(t.Notes, "Several cells of a row: the mean is over all their graphs; median and percentile are means of the cells'.")
	}
	t.Notes[0] += paper.UnaskedNote(unaskedRuntimes(printed, rows))
	t.Notes = append(t.Notes, table.MarkNotes(t)...)
	t.Notes = append(t.Notes, notes...)
	t.Notes = append(t.Notes, machineWarnings(rows)...)
	return t
}

// unaskedRuntimes counts the paper's times that no row stands beside.
func unaskedRuntimes(printed paper.Printed, rows []*runtimeRow) int {
	n := 0
	for _, p := range printed.Runtimes {
		for _, method := range []string{"GDL", "GWF"} {
			if !slices.ContainsFunc(rows, func(r *runtimeRow) bool {
				return r.method == method && (r.atoms == p.Atoms || r.atoms == 0) && printed.DatasetName(r.dataset) == p.Dataset
			}) {
				n++
			}
		}
	}
	return n
}

// statusNote says why cells of the row measured nothing.
func (r *runtimeRow) statusNote() []string {
	counts := map[string]int{}
	for _, x := range r.runs {
		if _, ok := r.timings[x.ID]; ok {
			continue
		}
		st := x.Status()
		switch {
		case st == record.OK:
			st = "ok without times of single graphs"
		case x.Record != nil && x.Record.Reason != "":
			st += " (" + summary.FirstLine(x.Record.Reason) + ")"
		}
		counts[st]++
	}
	if len(counts) == 0 {
		return nil
	}
	var parts []string
	for _, st := range slices.Sorted(maps.Keys(counts)) {
		parts = append(parts, fmt.Sprintf("%d %s", counts[st], st))
	}
	atoms := ""
	if r.atoms > 0 {
		atoms = ", " + table.Plural(r.atoms, "atom", "atoms")
	}
	return []string{fmt.Sprintf("%s %s%s, of %s: %s.", r.dataset, r.method, atoms, table.Plural(len(r.runs), "cell", "cells"), strings.Join(parts, ", "))}
}

// machineWarnings tells where rows of one table cannot be compared.
func machineWarnings(rows []*runtimeRow) []string {
	machines := map[string]bool{}
	for _, m := range machinesOf(rows) {
		machines[m.host+" "+m.cpu] = true
	}
	if len(machines) > 1 {
		return []string{fmt.Sprintf("Warning: the times were measured on %d machines; see runtimes_machine.", len(machines))}
	}
	return nil
}

// configuration is blank where the row is the only one of its setting.
func (r *runtimeRow) configuration() table.Cell {
	if len(r.names) == 0 {
		return table.Cell{}
	}
	return table.Txt(r.params.Describe(r.names))
}

// machine is where and by what cells were timed.
type machine struct{ host, cpu, arch, goVersion, code string }

// period is when, and how many.
type period struct {
	cells       int
	first, last time.Time
}

func machinesOf(rows []*runtimeRow) []machine {
	return slices.SortedFunc(maps.Keys(periods(rows)), func(a, b machine) int {
		return cmp.Or(cmp.Compare(a.host, b.host), cmp.Compare(a.cpu, b.cpu), cmp.Compare(a.arch, b.arch),
			cmp.Compare(a.goVersion, b.goVersion), cmp.Compare(a.code, b.code))
	})
}

func periods(rows []*runtimeRow) map[machine]period {
	out := map[machine]period{}
	for _, r := range rows {
		for _, x := range r.runs {
			tm, ok := r.timings[x.ID]
			if !ok {
				continue
			}
			where := x.Record.Provenance
			m := machine{tm.Host, tm.CPU, where.GOARCH, where.GoVersion, where.Code()}
			p := out[m]
			if p.cells == 0 || tm.Started.Before(p.first) {
				p.first = tm.Started
			}
			if p.cells == 0 || tm.Started.After(p.last) {
				p.last = tm.Started
			}
			p.cells++
			out[m] = p
		}
	}
	return out
}

func machineTable(spec summary.Spec, rows []*runtimeRow) table.Table {
	t := table.Table{
		Name:  "runtimes_machine",
		Title: summary.Title(spec, "Where the times were measured"),
		Columns: []table.Column{
			{Name: "host", Key: true}, {Name: "processor", Key: true}, {Name: "architecture"}, {Name: "Go"}, {Name: "code"},
			{Name: "cells", Right: true}, {Name: "first started"}, {Name: "last started"},
		},
	}
	known := func(s string) table.Cell {
		if s == "" {
			return table.Txt("not known")
		}
		return table.Txt(s)
	}
	when := func(at time.Time) table.Cell {
		if at.IsZero() {
			return table.Txt("not known")
		}
		return table.Txt(at.UTC().Format("2006-01-02 15:04 UTC"))
	}
	of := periods(rows)
	for _, m := range machinesOf(rows) {
		p := of[m]
		t.Rows = append(t.Rows, []table.Cell{known(m.host), known(m.cpu), known(m.arch), known(m.goVersion), known(m.code),
			table.Int(p.cells), when(p.first), when(p.last)})
	}
	if len(t.Rows) == 0 {
		t.Notes = append(t.Notes, "Nothing has been measured.")
	}
	return t
}
