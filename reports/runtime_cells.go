package reports

import (
	"slices"

	"ogdl/internal/record"
)

// RuntimeObjectives returns what is the same in every run of a configuration that
// times embeddings ("runtimes_cells"): every cell that has ended with its id, status, the mean
// objective of its embeddings and how their solves ended. The times themselves
// are in [Runtimes].
func RuntimeObjectives(f *Frame) []Table {
	return []Table{solvedCells(f, "runtimes_cells", "Embedding times: every cell",
		"The times are in the folder of timings: they differ from run to run. "+rerunNote)}
}

// FigureCells returns the cells of a figure ("figure_atoms_cells"): every cell that has ended with its id,
// status, the mean objective of its embeddings and how their solves ended.
func FigureCells(f *Frame) []Table {
	return []Table{solvedCells(f, f.Table+"_cells", "Every cell of the figure", rerunNote)}
}

// rerunNote stands beside lists of cells.
const rerunNote = "Cells that have not run yet are not listed; -list names all. To run one cell again: -cell ID."

// solvedCells has a row for each cell that has ended.
func solvedCells(f *Frame, name, what, note string) Table {
	lines := f.lines
	names := slices.DeleteFunc(namesOf(lines), func(k string) bool { return k == paramAtoms || k == paramAtomsPerClass })
	t := Table{
		Name:    name,
		List:    true,
		Title:   title(f.Spec, what),
		Columns: []Column{{Name: "id", Key: true}, {Name: "data set"}, {Name: "method"}, {Name: "atoms", Right: true}},
	}
	t.Columns = append(t.Columns, paramColumns(lines, names)...)
	t.Columns = append(t.Columns, Column{Name: "seed", Right: true}, Column{Name: "repetition", Right: true}, Column{Name: "status"},
		Column{Name: "mean objective", Right: true}, Column{Name: "solves", Right: true}, Column{Name: "at cap, %", Right: true},
		Column{Name: "mean iterations", Right: true})
	for _, l := range lines {
		for _, c := range l.configs {
			for _, r := range c.runs {
				if r.Record == nil {
					continue
				}
				row := append([]Cell{Txt(r.ID), Txt(l.dataset), Txt(l.base), atomsCell(r)}, paramCells(c.params, names)...)
				row = append(row, Int(r.BaseSeed), Int(r.Repetition), Txt(r.status()), r.scoreCell("objective", 1, 6))
				var solves *record.Convergence
				if r.Record.Status == record.OK {
					solves = &r.Record.Convergence
				}
				t.Rows = append(t.Rows, append(row, solveCells(solves)...))
			}
		}
	}
	t.Notes = append(t.Notes, note)
	t.Notes = append(t.Notes, fixedNotes(lines, append(names, paramAtoms))...)
	t.Notes = append(t.Notes, recordNotes(lines)...)
	return t
}

// atomsCell is the number of atoms, resolved where the cell has run.
func atomsCell(r Run) Cell {
	if n := atomsOf(r); n > 0 {
		return Int(n)
	}
	return None()
}

// solveCells are the number of solves, the share of them at their cap in percent
// and their mean iterations; blank but for the number where there were none, and
// missing without c.
func solveCells(c *record.Convergence) []Cell {
	switch {
	case c == nil:
		return []Cell{None(), None(), None()}
	case c.Solves == 0:
		return []Cell{Int(0), {}, {}}
	}
	n := float64(c.Solves)
	return []Cell{Int(c.Solves), Num(100*float64(c.CapHits)/n, 2), Num(float64(c.Iterations)/n, 1)}
}
