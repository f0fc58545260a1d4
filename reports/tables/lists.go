package tables

import (
	"iter"
	"maps"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// rerunNote stands beside lists of cells.
const rerunNote = "Cells that have not run yet are not listed; list names all. To run one cell again: -cell ID."

// configurationsTable has a row for each configuration of which a cell has ended: what the choices
// chose from.
func configurationsTable(f *summary.Frame) table.Table {
	m := f.Family.Metric
	t := table.Table{Name: f.Family.Name + "_configurations", List: true,
		Title:   f.Titled(f.Family.Title + ": every configuration, mean (std) over " + m.Repetitions()),
		Columns: table.Columns("*data set", "*method")}
	settings := summary.Settings("configuration", f.Rows)
	t.Columns = append(t.Columns, settings)
	t.With("/"+m.Repetitions(), "~"+m.Short, "~"+m.Beside.Short, ">objective")
	t.With(table.When(!m.Nested, ">stability", ">largest cluster")...)
	t.With("chosen")
	t.With(table.When(m.Nested, ">"+m.Repetitions()+" that choose it")...)
	t.Each = func(yield func([]table.Cell) bool) {
		for _, s := range f.Rows {
			for _, c := range s.Configs {
				if row := configurationRow(s, c, settings.Params); row != nil && !yield(row) {
					return
				}
			}
		}
	}
	shown := ", stability and largest cluster (share of the graphs in it, mean over " + m.Repetitions() + ") in "
	if m.Nested {
		shown = " in "
	}
	t.Note(m.Short + ", " + m.Beside.Short + shown + m.Unit + ". Objectives compare between rows of one method that differ in alpha alone.")
	t.Note(table.MarkNotes(t, m.Repetitions())...)
	return t
}

// configurationRow returns the cells of a configuration, nil where no cell of it has ended.
func configurationRow(s *summary.Row, c *summary.Config, settings []string) []table.Cell {
	if !slices.ContainsFunc(c.Runs, func(r summary.Run) bool { return r.Record != nil }) {
		return nil
	}
	m, mark, chosen := s.Metric, table.Fewer(c.Done, len(c.Runs)), table.Cell{}
	switch {
	case m.Nested:
		chosen = table.TextOrBlank(strings.Join(table.When(c == s.Oracle, "oracle"), ""))
	case c == s.Oracle && c == s.Free.Config:
		chosen = table.Txt("with and without labels")
	case c == s.Oracle:
		chosen = table.Txt("with labels")
	case c == s.Free.Config:
		chosen = table.Txt("without labels")
	}
	first, second := m.Of(m.Measure, c.Runs).Cell(mark), m.Of(m.Beside, c.Runs).Cell(mark)
	if m.Nested {
		second = BesideCell(m, c, mark)
	}
	if s.Unlabelled() && c.Done > 0 {
		first, second = table.Cell{}, table.Cell{}
	}
	return slices.Concat([]table.Cell{table.Txt(s.Dataset), table.Txt(s.Method), c.Settings(s.Names, settings),
		table.Count(c.Done, len(c.Runs)), first, second, c.Objective()}, table.When(!m.Nested, c.Share(c.Stability), c.Share(c.Largest)),
		[]table.Cell{chosen}, table.When(m.Nested, table.Int(s.Nested.Chose(c))))
}

// listed makes the rows of a list of cells, each time anew: of the cells of some rows for which row gives one, with the parameters named
// as settings. They are never held all at once.
func listed(rows []*summary.Row, settings []string, row func(l *summary.Row, of table.Cell, r summary.Run) []table.Cell) iter.Seq[[]table.Cell] {
	return func(yield func([]table.Cell) bool) {
		for _, l := range rows {
			for _, c := range l.Configs {
				of := c.Settings(l.Names, settings)
				for r := range c.Everything() {
					if cells := row(l, of, r); cells != nil && !yield(cells) {
						return
					}
				}
			}
		}
	}
}

// cellsTable has a row for each cell that has ended, with the id that reruns it.
func cellsTable(f *summary.Frame) table.Table {
	m, settings := f.Family.Metric, summary.Settings("configuration", f.Rows)
	t := table.Table{Name: f.Family.Name + "_cells", List: true, Title: f.Titled(f.Family.Title + ": every cell"),
		Columns: append(table.Columns("*id", "data set", "method"), settings)}
	t.With(">base seed|seed", ">repetition")
	t.With(table.When(f.Confirm > 0, "part")...)
	t.With("status", ">"+m.Short, ">"+m.Beside.Short, ">objective")
	for _, x := range m.Also {
		t.With(">" + x.Label)
	}
	t.Each = listed(f.Rows, settings.Params, func(l *summary.Row, of table.Cell, r summary.Run) []table.Cell {
		if r.Record == nil {
			return nil
		}
		also := make([]table.Cell, len(m.Also))
		for i, x := range m.Also {
			also[i] = r.Optional(x.Score, 1, -1)
		}
		return slices.Concat([]table.Cell{table.Txt(r.ID), table.Txt(l.Dataset), table.Txt(l.Method), of,
			table.Int(r.BaseSeed), table.Int(r.Repetition)},
			table.When(f.Confirm > 0, table.Txt(map[bool]string{false: "grid", true: "confirmation"}[r.Confirm])),
			[]table.Cell{table.Txt(r.Status()), r.Optional(m.Score, m.Scale, 2), r.Optional(m.Beside.Score, m.Scale, 2),
				r.Optional(artifact.Objective, 1, 6)}, also)
	})
	t.Note(m.Short + " and " + m.Beside.Short + " in " + m.Unit + ". " + rerunNote)
	t.Note(fixedNotes(f.Rows, namesOf(f.Rows))...)
	t.Note(recordNotes(f.Rows)...)
	return t
}

// RuntimeCells returns what is the same in every run of a configuration that
// times embeddings ("runtimes_cells"): every cell that has ended with its id, status, the mean
// objective of its embeddings and how their solves ended. The times themselves
// are in [Runtimes].
func RuntimeCells(f *summary.Frame) []table.Table {
	return solvedCells(f, "runtimes_cells", "Embedding times: every cell",
		"The times are in the folder of timings: they differ from run to run. "+rerunNote)
}

// FigureCells returns the cells of a figure ("figure_atoms_cells"): every cell that has ended with its id,
// status, the mean objective of its embeddings and how their solves ended.
func FigureCells(f *summary.Frame) []table.Table {
	return solvedCells(f, f.Table+"_cells", "Every cell of the figure", rerunNote)
}

// solvedCells has a row for each cell that has ended.
func solvedCells(f *summary.Frame, name, what, note string) []table.Table {
	names := slices.DeleteFunc(namesOf(f.Rows), func(k string) bool { return k == summary.ParamAtoms || k == summary.ParamAtomsPerClass })
	settings := summary.Settings("configuration", f.Rows)
	t := table.Table{Name: name, List: true, Title: f.Titled(what),
		Columns: append(table.Columns("*id", "data set", "method", ">atoms|atoms_resolved"), settings)}
	t.With(">seed", ">repetition", "status", ">mean objective", ">solves", ">at cap, %", ">mean iterations")
	t.Each = listed(f.Rows, settings.Params, func(l *summary.Row, of table.Cell, r summary.Run) []table.Cell {
		if r.Record == nil {
			return nil
		}
		var solves *record.Convergence
		if r.OK() {
			solves = &r.Record.Convergence
		}
		return slices.Concat([]table.Cell{table.Txt(r.ID), table.Txt(l.Dataset), table.Txt(l.Base), positive(atomsOf(r)), of,
			table.Int(r.BaseSeed), table.Int(r.Repetition), table.Txt(r.Status()),
			r.ScoreCell(artifact.Objective, 1, 6)}, solveCells(solves))
	})
	t.Note(note)
	t.Note(fixedNotes(f.Rows, append(names, summary.ParamAtoms))...)
	t.Note(recordNotes(f.Rows)...)
	return []table.Table{t}
}

// namesOf lists the parameters that vary on some data set within the grid of one
// method: those that tell configurations apart. What only differs between
// data sets or methods is named by [fixedNotes].
func namesOf(rows []*summary.Row) []string {
	var names []string
	for _, l := range rows {
		names = append(names, l.Names...)
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// paramColumns are columns of parameters; those that are numbers throughout stand to the right.
func paramColumns(rows []*summary.Row, names []string) []table.Column {
	columns := make([]table.Column, len(names))
	for i, k := range names {
		columns[i] = table.Column{Name: k, Right: true}
		for _, l := range rows {
			for _, c := range l.Configs {
				if v, ok := c.Params.Get(k); ok && !v.IsNum {
					columns[i].Right = false
				}
			}
		}
	}
	return columns
}

// fixedNotes names the parameters that have no column: first those that every
// cell has with one value, then for each method those that depend on the method
// or the data set.
func fixedNotes(rows []*summary.Row, names []string) []string {
	var everywhere summary.Params
	byMethod := map[string][]*summary.Row{}
	for _, l := range rows {
		byMethod[l.Base] = append(byMethod[l.Base], l)
		for _, c := range l.Configs {
			if everywhere == nil {
				everywhere = maps.Collect(maps.All(c.Params))
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
	for _, m := range slices.Sorted(maps.Keys(byMethod)) {
		values := map[string][]summary.Value{} // by parameter, in the order of the data sets
		where := map[string]map[summary.Value][]string{}
		datasets := map[string]bool{}
		for _, l := range byMethod[m] {
			datasets[l.Dataset] = true
			for _, c := range l.Configs {
				for _, k := range c.Names {
					if _, common := everywhere[k]; common || slices.Contains(names, k) {
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
