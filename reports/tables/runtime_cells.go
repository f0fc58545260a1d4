package tables

import (
	"slices"

	"ogdl/internal/record"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// RuntimeObjectives returns what is the same in every run of a configuration that
// times embeddings ("runtimes_cells"): every cell that has ended with its id, status, the mean
// objective of its embeddings and how their solves ended. The times themselves
// are in [Runtimes].
func RuntimeObjectives(f *summary.Frame) []table.Table {
	return []table.Table{solvedCells(f, "runtimes_cells", "Embedding times: every cell",
		"The times are in the folder of timings: they differ from run to run. "+rerunNote)}
}

// FigureCells returns the cells of a figure ("figure_atoms_cells"): every cell that has ended with its id,
// status, the mean objective of its embeddings and how their solves ended.
func FigureCells(f *summary.Frame) []table.Table {
	return []table.Table{solvedCells(f, f.Table+"_cells", "Every cell of the figure", rerunNote)}
}

// rerunNote stands beside lists of cells.
const rerunNote = "Cells that have not run yet are not listed; -list names all. To run one cell again: -cell ID."

// solvedCells has a row for each cell that has ended.
func solvedCells(f *summary.Frame, name, what, note string) table.Table {
	lines := f.Rows
	names := slices.DeleteFunc(namesOf(lines), func(k string) bool { return k == summary.ParamAtoms || k == summary.ParamAtomsPerClass })
	t := table.Table{
		Name:    name,
		List:    true,
		Title:   summary.Title(f.Spec, what),
		Columns: []table.Column{{Name: "id", Key: true}, {Name: "data set"}, {Name: "method"}, {Name: "atoms", Right: true}},
	}
	t.Columns = append(t.Columns, paramColumns(lines, names)...)
	t.Columns = append(t.Columns, table.Column{Name: "seed", Right: true}, table.Column{Name: "repetition", Right: true}, table.Column{Name: "status"},
		table.Column{Name: "mean objective", Right: true}, table.Column{Name: "solves", Right: true}, table.Column{Name: "at cap, %", Right: true},
		table.Column{Name: "mean iterations", Right: true})
	for _, l := range lines {
		for _, c := range l.Configs {
			for _, r := range c.Runs {
				if r.Record == nil {
					continue
				}
				row := append([]table.Cell{table.Txt(r.ID), table.Txt(l.Dataset), table.Txt(l.Base), atomsCell(r)}, paramCells(c.Params, names)...)
				row = append(row, table.Int(r.BaseSeed), table.Int(r.Repetition), table.Txt(r.Status()), r.ScoreCell("objective", 1, 6))
				var solves *record.Convergence
				if r.Record.Status == record.OK {
					solves = &r.Record.Convergence
				}
				t.Rows = append(t.Rows, append(row, solveCells(solves)...))
			}
		}
	}
	t.Notes = append(t.Notes, note)
	t.Notes = append(t.Notes, fixedNotes(lines, append(names, summary.ParamAtoms))...)
	t.Notes = append(t.Notes, recordNotes(lines)...)
	return t
}

// atomsCell is the number of atoms, resolved where the cell has run.
func atomsCell(r summary.Run) table.Cell {
	if n := atomsOf(r); n > 0 {
		return table.Int(n)
	}
	return table.None()
}

// solveCells are the number of solves, the share of them at their cap in percent
// and their mean iterations; blank but for the number where there were none, and
// missing without c.
func solveCells(c *record.Convergence) []table.Cell {
	switch {
	case c == nil:
		return []table.Cell{table.None(), table.None(), table.None()}
	case c.Solves == 0:
		return []table.Cell{table.Int(0), {}, {}}
	}
	n := float64(c.Solves)
	return []table.Cell{table.Int(c.Solves), table.Num(100*float64(c.CapHits)/n, 2), table.Num(float64(c.Iterations)/n, 1)}
}
