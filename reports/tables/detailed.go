package tables

import (
	"maps"
	"slices"
	"strings"

	"ogdl/internal/record"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// configurationsTable has a row for each configuration of which a cell has ended: what the choices
// chose from.
func configurationsTable(k summary.Kind, spec summary.Spec, rows []*summary.Row) table.Table {
	names := namesOf(rows)
	t := table.Table{
		Name:    k.Name + "_configurations",
		List:    true,
		Title:   summary.Title(spec, k.Title+": every configuration, mean (std) over seeds"),
		Columns: []table.Column{{Name: "data set", Key: true}, {Name: "method", Key: true}},
	}
	t.Columns = append(t.Columns, paramColumns(rows, names)...)
	t.Columns = append(t.Columns,
		table.Column{Name: "seeds", Right: true}, table.Column{Name: "RI", Right: true, Spread: true},
		table.Column{Name: "ARI", Right: true, Spread: true}, table.Column{Name: "objective", Right: true},
		table.Column{Name: "stability", Right: true}, table.Column{Name: "largest cluster", Right: true}, table.Column{Name: "chosen"})
	for _, s := range rows {
		unlabelled := s.Unlabelled()
		for _, c := range s.Configs {
			if !c.Begun() {
				continue
			}
			row := append([]table.Cell{table.Txt(s.Dataset), table.Txt(s.Method)}, paramCells(c.Params, names)...)
			mark := ""
			if !c.Complete() {
				mark = table.MarkSeeds
			}
			chosen := table.Cell{}
			switch {
			case c == s.Oracle && c == s.Free.Config:
				chosen = table.Txt("with and without labels")
			case c == s.Oracle:
				chosen = table.Txt("with labels")
			case c == s.Free.Config:
				chosen = table.Txt("without labels")
			}
			ri, ari := c.Stat("ri", 100).Cell(mark), c.Stat("ari", 100).Cell(mark)
			if unlabelled && c.Done > 0 {
				ri, ari = table.Cell{}, table.Cell{}
			}
			t.Rows = append(t.Rows, append(row, table.Count(c.Done, len(c.Runs)), ri, ari, c.Objective(),
				c.Share(c.Stability), c.Share(c.Largest), chosen))
		}
	}
	t.Notes = append(t.Notes, "RI, ARI, stability and largest cluster (share of the graphs in it, mean over seeds) in percent. "+
		"Objectives compare between rows of one method that differ in alpha alone.")
	t.Notes = append(t.Notes, table.MarkNotes(t)...)
	return t
}

// cellsTable has a row for each cell that has ended, with the id that reruns it.
func cellsTable(k summary.Kind, spec summary.Spec, lines []*summary.Row) table.Table {
	names := namesOf(lines)
	severalSeeds := false
	var first *summary.Run
	for _, l := range lines {
		for _, c := range l.Configs {
			for i := range c.Runs {
				if first == nil {
					first = &c.Runs[i]
				}
				severalSeeds = severalSeeds || c.Runs[i].BaseSeed != first.BaseSeed
			}
		}
	}
	t := table.Table{
		Name:    k.Name + "_cells",
		List:    true,
		Title:   summary.Title(spec, k.Title+": every cell"),
		Columns: []table.Column{{Name: "id", Key: true}, {Name: "data set"}, {Name: "method"}},
	}
	t.Columns = append(t.Columns, paramColumns(lines, names)...)
	if severalSeeds {
		t.Columns = append(t.Columns, table.Column{Name: "seed", Right: true})
	}
	t.Columns = append(t.Columns, table.Column{Name: "repetition", Right: true})
	if spec.Confirm > 0 {
		t.Columns = append(t.Columns, table.Column{Name: "part"})
	}
	t.Columns = append(t.Columns, table.Column{Name: "status"},
		table.Column{Name: "RI", Right: true}, table.Column{Name: "ARI", Right: true}, table.Column{Name: "objective", Right: true})
	t.Each = func(yield func([]table.Cell) bool) {
		for _, l := range lines {
			for _, c := range l.Configs {
				for _, r := range slices.Concat(c.Runs, c.Confirmed) {
					if r.Record == nil {
						continue
					}
					row := append([]table.Cell{table.Txt(r.ID), table.Txt(l.Dataset), table.Txt(l.Method)}, paramCells(c.Params, names)...)
					if severalSeeds {
						row = append(row, table.Int(r.BaseSeed))
					}
					row = append(row, table.Int(r.Repetition))
					if spec.Confirm > 0 {
						row = append(row, table.Txt(map[bool]string{false: "grid", true: "confirmation"}[r.Confirm]))
					}
					if !yield(append(row, table.Txt(r.Status()), r.Optional("ri", 100, 2), r.Optional("ari", 100, 2), r.Optional("objective", 1, 6))) {
						return
					}
				}
			}
		}
	}
	t.Notes = append(t.Notes, "RI and ARI in percent. "+rerunNote)
	t.Notes = append(t.Notes, fixedNotes(lines, names)...)
	t.Notes = append(t.Notes, recordNotes(lines)...)
	return t
}

// namesOf lists the parameters that vary on some data set within the grid of one
// method: those that tell configurations apart. What only differs between
// data sets or methods is told by [fixedNotes].
func namesOf(lines []*summary.Row) []string {
	var names []string
	for _, l := range lines {
		names = append(names, l.Names...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func paramColumns(lines []*summary.Row, names []string) []table.Column {
	var all []summary.Params
	for _, l := range lines {
		for _, c := range l.Configs {
			all = append(all, c.Params)
		}
	}
	return columnsFor(all, names)
}

// fixedNotes tells the parameters that have no column: first those that every
// cell has with one value, then for each method those that hang on the method
// or the data set.
func fixedNotes(lines []*summary.Row, names []string) []string {
	var everywhere summary.Params
	all := 0
	byMethod := map[string][]*summary.Row{}
	var methods []string
	for _, l := range lines {
		if byMethod[l.Base] == nil {
			methods = append(methods, l.Base)
		}
		byMethod[l.Base] = append(byMethod[l.Base], l)
		for _, c := range l.Configs {
			if all++; all == 1 {
				everywhere = maps.Clone(c.Params)
			}
			maps.DeleteFunc(everywhere, func(k string, v any) bool {
				got, ok := c.Params[k]
				return !ok || summary.CompareAny(got, v) != 0
			})
		}
	}
	maps.DeleteFunc(everywhere, func(k string, _ any) bool { return slices.Contains(names, k) })
	var notes []string
	if common := everywhere.Names(); len(common) > 0 {
		notes = append(notes, "The same in every cell: "+everywhere.Describe(common)+".")
	}
	slices.Sort(methods)
	for _, m := range methods {
		values := map[string][]summary.Value{} // by parameter, in the order of the data sets
		where := map[string]map[summary.Value][]string{}
		datasets := map[string]bool{}
		for _, l := range byMethod[m] {
			datasets[l.Dataset] = true
			for _, c := range l.Configs {
				for _, k := range c.Names {
					_, common := everywhere[k]
					if common || slices.Contains(names, k) {
						continue
					}
					v := c.Params.At(k)
					if where[k] == nil {
						where[k] = map[summary.Value][]string{}
					}
					if where[k][v] == nil {
						values[k] = append(values[k], v)
					}
					if !slices.Contains(where[k][v], l.Dataset) {
						where[k][v] = append(where[k][v], l.Dataset)
					}
				}
			}
		}
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(values)) {
			var each []string
			for _, v := range values[k] {
				text := v.Text
				if at := where[k][v]; len(at) < len(datasets) {
					text += " (" + strings.Join(at, ", ") + ")"
				}
				each = append(each, text)
			}
			parts = append(parts, k+" "+strings.Join(each, ", "))
		}
		if len(parts) > 0 {
			notes = append(notes, m+", the same in every cell of a data set: "+strings.Join(parts, "; ")+".")
		}
	}
	return notes
}

// columnsFor aligns parameters that are numbers throughout to the right.
func columnsFor(all []summary.Params, names []string) []table.Column {
	columns := make([]table.Column, len(names))
	for i, k := range names {
		columns[i] = table.Column{Name: k, Right: true}
		for _, p := range all {
			if v, ok := p.Get(k); ok && !v.IsNum {
				columns[i].Right = false
			}
		}
	}
	return columns
}

// paramCells has a parameter as it was given: 1e-06 stays exact. A
// parameter that this method does not have is blank.
func paramCells(p summary.Params, names []string) []table.Cell {
	cells := make([]table.Cell, len(names))
	for i, k := range names {
		if v, ok := p.Get(k); ok {
			cells[i] = table.Txt(v.Text)
		}
	}
	return cells
}

// Statuses in the order in which notes name them.
func Statuses() []string { return append(record.Statuses()[1:], summary.MissingStatus) }
