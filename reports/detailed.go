package reports

import (
	"math"
	"slices"

	"ogdl/internal/record"
)

// configurationsTable has one row per configuration: what the choices chose from.
func configurationsTable(spec Spec, rows []*summary) Table {
	names := namesOf(rows)
	t := Table{
		Name:    "clustering_configurations",
		Title:   title(spec, "Clustering: every configuration, mean (std) over seeds"),
		Columns: []Column{{Name: "data set", Key: true}, {Name: "method", Key: true}},
	}
	t.Columns = append(t.Columns, paramColumns(rows, names)...)
	t.Columns = append(t.Columns,
		Column{Name: "seeds", Right: true}, Column{Name: "RI", Right: true, Spread: true},
		Column{Name: "ARI", Right: true, Spread: true}, Column{Name: "objective", Right: true},
		Column{Name: "stability", Right: true}, Column{Name: "chosen"})
	for _, s := range rows {
		for _, c := range s.configs {
			row := append([]Cell{Txt(s.dataset), Txt(s.method)}, paramCells(c.params, names)...)
			mark := ""
			if !c.complete() {
				mark = MarkSeeds
			}
			objective, stable := None(), None()
			if v := c.mean("objective"); !math.IsNaN(v) {
				objective = Num(v, 6)
			}
			if !math.IsNaN(c.stability) {
				stable = Num(100*c.stability, 2)
			}
			chosen := Cell{}
			switch {
			case c == s.oracle && c == s.free:
				chosen = Txt("with and without labels")
			case c == s.oracle:
				chosen = Txt("with labels")
			case c == s.free:
				chosen = Txt("without labels")
			}
			t.Rows = append(t.Rows, append(row, count(c.done, len(c.runs)), c.stat("ri", 100).cell(mark),
				c.stat("ari", 100).cell(mark), objective, stable, chosen))
		}
	}
	t.Notes = append(t.Notes, "RI, ARI and stability in percent. Objectives compare between rows that differ in alpha alone.")
	t.Notes = append(t.Notes, markNotes(t)...)
	return t
}

// cellsTable has one row per cell, with the id that reruns it.
func cellsTable(spec Spec, lines []*line) Table {
	var all []params
	severalSeeds := false
	var first *run
	for _, l := range lines {
		for _, c := range l.configs {
			all = append(all, c.params)
			for i := range c.runs {
				if first == nil {
					first = &c.runs[i]
				}
				severalSeeds = severalSeeds || c.runs[i].BaseSeed != first.BaseSeed
			}
		}
	}
	names := varying(all)
	t := Table{
		Name:    "clustering_cells",
		Title:   title(spec, "Clustering: every cell"),
		Columns: []Column{{Name: "id", Key: true}, {Name: "data set"}, {Name: "method"}},
	}
	t.Columns = append(t.Columns, columnsFor(all, names)...)
	if severalSeeds {
		t.Columns = append(t.Columns, Column{Name: "seed", Right: true})
	}
	t.Columns = append(t.Columns, Column{Name: "repetition", Right: true}, Column{Name: "status"},
		Column{Name: "RI", Right: true}, Column{Name: "ARI", Right: true}, Column{Name: "objective", Right: true})
	for _, l := range lines {
		for _, c := range l.configs {
			for _, r := range c.runs {
				row := append([]Cell{Txt(r.ID), Txt(l.dataset), Txt(l.method)}, paramCells(c.params, names)...)
				if severalSeeds {
					row = append(row, Int(r.BaseSeed))
				}
				t.Rows = append(t.Rows, append(row, Int(r.Repetition), Txt(r.status()),
					r.scoreCell("ri", 100, 2), r.scoreCell("ari", 100, 2), r.scoreCell("objective", 1, 6)))
			}
		}
	}
	t.Notes = append(t.Notes, "RI and ARI in percent. To run one cell again: -cell ID.")
	if len(all) > 0 {
		var fixed []string
		for _, k := range all[0].names() {
			if !slices.Contains(names, k) {
				fixed = append(fixed, k)
			}
		}
		if len(fixed) > 0 {
			t.Notes = append(t.Notes, "The same in every cell: "+all[0].describe(fixed)+".")
		}
	}
	t.Notes = append(t.Notes, recordNotes(lines)...)
	return t
}

func (r run) scoreCell(name string, scale float64, decimals int) Cell {
	if v, ok := r.score(name); ok {
		return Num(v*scale, decimals)
	}
	return None()
}

// namesOf lists the parameters that vary in the table.
func namesOf(rows []*summary) []string {
	return varying(paramsIn(rows))
}

func paramsIn(rows []*summary) []params {
	var all []params
	for _, s := range rows {
		for _, c := range s.configs {
			all = append(all, c.params)
		}
	}
	return all
}

func paramColumns(rows []*summary, names []string) []Column {
	return columnsFor(paramsIn(rows), names)
}

// columnsFor aligns parameters that are numbers throughout to the right.
func columnsFor(all []params, names []string) []Column {
	columns := make([]Column, len(names))
	for i, k := range names {
		columns[i] = Column{Name: k, Right: true}
		for _, p := range all {
			if v, ok := p[k]; ok && !v.isNum {
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
		if v, ok := p[k]; ok {
			cells[i] = Txt(v.text)
		}
	}
	return cells
}

// statuses in the order in which notes name them.
func statuses() []string { return append(record.Statuses()[1:], missingStatus) }
