package reports

import (
	"maps"
	"slices"
	"strings"

	"ogdl/internal/record"
)

// configurationsTable has a row for each configuration of which a cell has ended: what the choices
// chose from.
func configurationsTable(k kind, spec Spec, rows []*line) Table {
	names := namesOf(rows)
	t := Table{
		Name:    k.name + "_configurations",
		List:    true,
		Title:   title(spec, k.title+": every configuration, mean (std) over seeds"),
		Columns: []Column{{Name: "data set", Key: true}, {Name: "method", Key: true}},
	}
	t.Columns = append(t.Columns, paramColumns(rows, names)...)
	t.Columns = append(t.Columns,
		Column{Name: "seeds", Right: true}, Column{Name: "RI", Right: true, Spread: true},
		Column{Name: "ARI", Right: true, Spread: true}, Column{Name: "objective", Right: true},
		Column{Name: "stability", Right: true}, Column{Name: "largest cluster", Right: true}, Column{Name: "chosen"})
	for _, s := range rows {
		unlabelled := s.unlabelled()
		for _, c := range s.configs {
			if !c.begun() {
				continue
			}
			row := append([]Cell{Txt(s.dataset), Txt(s.method)}, paramCells(c.params, names)...)
			mark := ""
			if !c.complete() {
				mark = MarkSeeds
			}
			chosen := Cell{}
			switch {
			case c == s.oracle && c == s.free.configuration:
				chosen = Txt("with and without labels")
			case c == s.oracle:
				chosen = Txt("with labels")
			case c == s.free.configuration:
				chosen = Txt("without labels")
			}
			ri, ari := c.stat("ri", 100).cell(mark), c.stat("ari", 100).cell(mark)
			if unlabelled && c.done > 0 {
				ri, ari = Cell{}, Cell{}
			}
			t.Rows = append(t.Rows, append(row, count(c.done, len(c.runs)), ri, ari, c.objective(),
				c.share(c.stability), c.share(c.largest), chosen))
		}
	}
	t.Notes = append(t.Notes, "RI, ARI, stability and largest cluster (share of the graphs in it, mean over seeds) in percent. "+
		"Objectives compare between rows of one method that differ in alpha alone.")
	t.Notes = append(t.Notes, markNotes(t)...)
	return t
}

// cellsTable has a row for each cell that has ended, with the id that reruns it.
func cellsTable(k kind, spec Spec, lines []*line) Table {
	names := namesOf(lines)
	severalSeeds := false
	var first *Run
	for _, l := range lines {
		for _, c := range l.configs {
			for i := range c.runs {
				if first == nil {
					first = &c.runs[i]
				}
				severalSeeds = severalSeeds || c.runs[i].BaseSeed != first.BaseSeed
			}
		}
	}
	t := Table{
		Name:    k.name + "_cells",
		List:    true,
		Title:   title(spec, k.title+": every cell"),
		Columns: []Column{{Name: "id", Key: true}, {Name: "data set"}, {Name: "method"}},
	}
	t.Columns = append(t.Columns, paramColumns(lines, names)...)
	if severalSeeds {
		t.Columns = append(t.Columns, Column{Name: "seed", Right: true})
	}
	t.Columns = append(t.Columns, Column{Name: "repetition", Right: true})
	if spec.Confirm > 0 {
		t.Columns = append(t.Columns, Column{Name: "part"})
	}
	t.Columns = append(t.Columns, Column{Name: "status"},
		Column{Name: "RI", Right: true}, Column{Name: "ARI", Right: true}, Column{Name: "objective", Right: true})
	t.Each = func(yield func([]Cell) bool) {
		for _, l := range lines {
			for _, c := range l.configs {
				for _, r := range slices.Concat(c.runs, c.confirmed) {
					if r.Record == nil {
						continue
					}
					row := append([]Cell{Txt(r.ID), Txt(l.dataset), Txt(l.method)}, paramCells(c.params, names)...)
					if severalSeeds {
						row = append(row, Int(r.BaseSeed))
					}
					row = append(row, Int(r.Repetition))
					if spec.Confirm > 0 {
						row = append(row, Txt(map[bool]string{false: "grid", true: "confirmation"}[r.Confirm]))
					}
					if !yield(append(row, Txt(r.status()), r.optional("ri", 100, 2), r.optional("ari", 100, 2), r.optional("objective", 1, 6))) {
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
func namesOf(lines []*line) []string {
	var names []string
	for _, l := range lines {
		names = append(names, l.names...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func paramColumns(lines []*line, names []string) []Column {
	var all []params
	for _, l := range lines {
		for _, c := range l.configs {
			all = append(all, c.params)
		}
	}
	return columnsFor(all, names)
}

// fixedNotes tells the parameters that have no column: first those that every
// cell has with one value, then for each method those that hang on the method
// or the data set.
func fixedNotes(lines []*line, names []string) []string {
	var everywhere params
	all := 0
	byMethod := map[string][]*line{}
	var methods []string
	for _, l := range lines {
		if byMethod[l.base] == nil {
			methods = append(methods, l.base)
		}
		byMethod[l.base] = append(byMethod[l.base], l)
		for _, c := range l.configs {
			if all++; all == 1 {
				everywhere = maps.Clone(c.params)
			}
			maps.DeleteFunc(everywhere, func(k string, v any) bool {
				got, ok := c.params[k]
				return !ok || compareAny(got, v) != 0
			})
		}
	}
	maps.DeleteFunc(everywhere, func(k string, _ any) bool { return slices.Contains(names, k) })
	var notes []string
	if common := everywhere.names(); len(common) > 0 {
		notes = append(notes, "The same in every cell: "+everywhere.describe(common)+".")
	}
	slices.Sort(methods)
	for _, m := range methods {
		values := map[string][]value{} // by parameter, in the order of the data sets
		where := map[string]map[value][]string{}
		datasets := map[string]bool{}
		for _, l := range byMethod[m] {
			datasets[l.dataset] = true
			for _, c := range l.configs {
				for _, k := range c.names {
					_, common := everywhere[k]
					if common || slices.Contains(names, k) {
						continue
					}
					v := c.params.at(k)
					if where[k] == nil {
						where[k] = map[value][]string{}
					}
					if where[k][v] == nil {
						values[k] = append(values[k], v)
					}
					if !slices.Contains(where[k][v], l.dataset) {
						where[k][v] = append(where[k][v], l.dataset)
					}
				}
			}
		}
		var parts []string
		for _, k := range slices.Sorted(maps.Keys(values)) {
			var each []string
			for _, v := range values[k] {
				text := v.text
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
func columnsFor(all []params, names []string) []Column {
	columns := make([]Column, len(names))
	for i, k := range names {
		columns[i] = Column{Name: k, Right: true}
		for _, p := range all {
			if v, ok := p.get(k); ok && !v.isNum {
				columns[i].Right = false
			}
		}
	}
	return columns
}

// paramCells has a parameter as it was given: 1e-06 stays exact. A
// parameter that this method does not have is blank.
func paramCells(p params, names []string) []Cell {
	cells := make([]Cell, len(names))
	for i, k := range names {
		if v, ok := p.get(k); ok {
			cells[i] = Txt(v.text)
		}
	}
	return cells
}

// statuses in the order in which notes name them.
func statuses() []string { return append(record.Statuses()[1:], missingStatus) }
