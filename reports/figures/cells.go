// Package figures draws what the rows of a run, and the arrays that its cells keep, have to show: one file per kind of figure.
package figures

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ogdl/datasets"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/words"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Arrays returns the arrays of a cell, by the id of its record.
type Arrays = func(id string) ([]npz.Array, error)

// Kind makes the figures of a kind, and tables of what they show (correlations, delays). It reads
// the arrays only of the cells that it draws. The figures depend only on records and arrays: equal
// ones give equal bytes. If a cell is missing, the figure has a note or is omitted. Errors: arrays
// that cannot be read, or that the figure's method does not write. The figures and tables that can
// be drawn are returned with the error.
type Kind = func(*summary.Frame, Arrays) ([]plots.Figure, []table.Table, error)

// learned is a finished cell with its dictionary and the graphs that it kept.
type learned struct {
	summary.Run
	*artifact.Dictionary
	artifact.Population
	labels *artifact.Labels // of the atoms' nodes; nil where nodes have none
	kept   []artifact.Kept
	// order lists the atoms from the densest to the sparsest: the numbers that figures
	// give them, whatever their places in the file.
	order []int
}

// trial is a configuration on a data set, with its repetitions.
type trial struct {
	*summary.Config
	row   *summary.Row
	cells []*learned // those that ended well, by seed
	best  *learned   // that with the lowest mean objective; nil without any
}

// unread are the configurations of a figure, data set by data set, in the order of their parameters, before their cells are read.
func unread(f *summary.Frame) (out []*trial) {
	for l, c := range summary.Configs(f.Rows) {
		out = append(out, &trial{Config: c, row: l})
	}
	return out
}

// trials reads the cells of a figure's settings. Cells that cannot be read are omitted and
// reported.
func trials(f *summary.Frame, arrays Arrays) ([]*trial, error) {
	all := unread(f)
	var problems []error
	for _, t := range all {
		for _, r := range scored(t.Config, artifact.Objective) {
			cell, err := arraysOf(r, arrays, readLearned)
			if problems = append(problems, err); err == nil {
				cell.Run = r
				t.cells = append(t.cells, cell)
			}
		}
		if len(t.cells) > 0 {
			t.best = slices.MinFunc(t.cells, func(a, b *learned) int { return byObjective(a.Run, b.Run) })
		}
	}
	return all, errors.Join(problems...)
}

// first reads the arrays of the first run that has a score; no run if there is none.
func first[T any](c *summary.Config, score string, arrays Arrays, read func([]npz.Array) (T, error)) (r *summary.Run, value T, err error) {
	runs := scored(c, score)
	if len(runs) == 0 {
		return nil, value, nil
	}
	if value, err = arraysOf(runs[0], arrays, read); err != nil {
		return nil, value, err
	}
	return &runs[0], value, nil
}

// scored are the runs of a configuration that have a score.
func scored(c *summary.Config, score string) []summary.Run {
	return summary.Pick(c.Runs, func(r summary.Run) bool { return r.Has(score) })
}

// arraysOf reads the arrays of a run. An error names the cell.
func arraysOf[T any](r summary.Run, arrays Arrays, read func([]npz.Array) (T, error)) (value T, err error) {
	found, err := arrays(r.ID)
	if err == nil {
		value, err = read(found)
	}
	if err != nil {
		err = fmt.Errorf("cell %s: %w", r.ID, err)
	}
	return value, err
}

// byObjective orders runs by their mean objective.
func byObjective(a, b summary.Run) int {
	return cmp.Compare(a.Record.Scores[artifact.Objective], b.Record.Scores[artifact.Objective])
}

// readLearned reads all but the run of a cell.
func readLearned(found []npz.Array) (c *learned, err error) {
	c = &learned{}
	if c.Dictionary, err = artifact.ReadDictionary(found); err != nil {
		return nil, err
	}
	if c.Population, err = artifact.ReadPopulation(found, len(c.Weights)); err != nil {
		return nil, err
	}
	if c.kept, err = artifact.ReadKept(found); err != nil {
		return nil, err
	}
	if c.labels, err = artifact.ReadLabels(found, len(c.Atoms), c.Atoms[0].N); err != nil {
		return nil, err
	}
	if len(c.kept) > 0 && c.Orders == nil {
		return nil, fmt.Errorf("reports: graphs are kept without the array %q", artifact.DataOrder)
	}
	for _, g := range c.kept {
		if g.Index < 0 || g.Index >= len(c.Weights) {
			return nil, fmt.Errorf("reports: graph %d kept of %d", g.Index, len(c.Weights))
		}
	}
	c.order = DensestFirst(c.Atoms)
	return c, nil
}

// repetitions says how many of the configuration's cells ended well.
func (t *trial) repetitions() table.Cell { return table.Count(len(t.cells), len(t.Runs)) }

// drawn says which of the repetitions a picture shows.
func (t *trial) drawn() string {
	missing := len(t.Runs) - len(t.cells)
	return words.If(len(t.Runs) > 1, "Drawn: repetition %s, of the lowest mean objective among %d.%s", t.describeBest(),
		len(t.cells), words.If(missing > 0, " %d more are missing.", missing))
}

// describeBest says which repetition is drawn, and its seed where there are several.
func (t *trial) describeBest() string {
	several := slices.ContainsFunc(t.Runs, func(r summary.Run) bool { return r.BaseSeed != t.Runs[0].BaseSeed })
	return strconv.Itoa(t.best.Repetition) + words.If(several, " of seed %d", t.best.BaseSeed)
}

// Describe names the configuration among the others of its data set: ", lambda 0.01"; "" for the only one.
func (t *trial) describe() string {
	return words.If(len(t.row.Names) > 0, ", %s", t.Describe(t.row.Names))
}

// tableOf adds the first columns to a table: the data set, and the settings of the trials under a title.
func tableOf(all []*trial, title string, t table.Table) table.Table {
	settings := summary.Settings(title, table.Map(all, func(x *trial) *summary.Row { return x.row }))
	settings.Key = true
	t.Columns = append(table.Columns{table.Dataset, settings}, t.Columns...)
	return t
}

// head returns the first cells of the trial's row in a table of [tableOf]; the settings are blank for the only one.
func (t *trial) head(in table.Table) []table.Cell {
	cell := table.TextOrBlank(strings.TrimPrefix(t.describe(), ", "))
	cell.Parts = t.Cells(in.Columns[1].Params)
	return []table.Cell{table.Txt(t.row.Dataset), cell}
}

// figureNames gives every trial a file name of its own, "atoms-d1"; configurations of one
// data set are numbered from the second on.
func figureNames(prefix string, all []*trial) []string {
	return plots.DistinctNames(table.Map(all, func(t *trial) string { return prefix + "-" + plots.FileWord(t.row.Dataset) }))
}

// number numbers names that come again.
func number(figs []plots.Figure) {
	for i, name := range plots.DistinctNames(table.Map(figs, func(f plots.Figure) string { return f.Name })) {
		figs[i].Name = name
	}
}

// withAtoms are the trials whose best dictionary has n atoms, with notes on the others that say why.
func withAtoms(all []*trial, n int, why string) (drawn []*trial, notes []string) {
	for _, t := range all {
		switch {
		case t.best == nil:
		case len(t.best.Atoms) == n:
			drawn = append(drawn, t)
		default:
			notes = append(notes, fmt.Sprintf("Not drawn: %s%s has %s%s", t.row.Dataset, t.describe(),
				words.Plural(len(t.best.Atoms), "atom", "atoms"), why))
		}
	}
	return drawn, notes
}

// missingNote names the configurations that cannot be drawn, as no cell of theirs is there.
func missingNote(all []*trial) []string {
	var parts []string
	for _, t := range all {
		if t.best == nil {
			parts = append(parts, t.row.Dataset+t.describe())
		}
	}
	return table.When(len(parts) > 0, "Not drawn, as no cell has ended well: "+strings.Join(parts, "; ")+".")
}

// gw is how texts call the distance of its graphs: fused where nodes have features.
func (t *trial) gw() string {
	features := datasets.FeatureKind(t.Params.At("features").Text())
	return words.If(features != "" && features != datasets.KindNone, "F") + "GW"
}

// className is how pictures call a class, which comes as a number from 0: the classes of D1
// are its numbers of blocks.
func className(dataset string, class int) string {
	switch {
	case dataset == "D1" && class == 0:
		return "1 block"
	case dataset == "D1":
		return strconv.Itoa(class+1) + " blocks"
	}
	return "class " + strconv.Itoa(class+1)
}
