package figures

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
)

// Learned draws the best dictionary of each data set that is not in the paper: its atoms and, where there are three of them, the map
// of the graphs. The best dictionary is the shown setting with the highest mean score. The error names dictionaries that cannot be read.
func Learned(f *summary.Frame, arrays Arrays) (figs []plots.Figure, err error) {
	if arrays == nil {
		return nil, nil
	}
	var problems []error
	var all []*trial
	for _, set := range byDataset(f.Rows, ofRow) {
		if slices.Contains(f.Family.Datasets, f.Family.Printed.DatasetName(set[0].Dataset)) {
			continue
		}
		var best *trial
		for _, row := range set {
			c := row.Shown()
			if c == nil || !strings.HasPrefix(row.Method, dictionaryMethod) || best != nil && !(row.Metric.Mean(c) > row.Metric.Mean(best.Config)) {
				continue
			}
			best = &trial{Config: c, row: row}
		}
		if best == nil {
			continue
		}
		for _, r := range best.Runs {
			if _, ok := r.Score(artifact.Objective); ok {
				best.cells = append(best.cells, &learned{Run: r})
			}
		}
		if len(best.cells) == 0 {
			continue
		}
		r := slices.MinFunc(best.cells, byObjective).Run
		if best.best, err = readLearned(r, arrays); err != nil {
			problems = append(problems, fmt.Errorf("cell %s: %w", r.ID, err))
			continue
		}
		all = append(all, best)
	}
	for i, name := range figureNames("dictionary", all) {
		figs = append(figs, atomsAndMap(name, all[i]))
	}
	return figs, errors.Join(problems...)
}

// atomsAndMap draws the atoms of a dictionary with the map of its graphs to the right; the atoms alone unless there are three.
func atomsAndMap(name string, t *trial) plots.Figure {
	f, c := atomsFigure(name, t), t.best
	if len(c.Atoms) != 3 {
		return f
	}
	p, rows := simplexPanel(t)
	p.Title = "map of the graphs"
	f.Panels = slices.Insert(f.Panels, f.Columns, plots.Panel(p))
	f.Columns++
	f.Title += ", with the map of the graphs"
	f.Alt += " Right: each graph at its weights on the three atoms; the corners are the atoms."
	if c.Classes != nil {
		f.Alt += " Colours are classes."
	}
	data := plots.Data{Name: "map", Header: []string{"graph", "class", "atom 1", "atom 2", "atom 3"}}
	for i, w := range p.W {
		data.Add(i, rows[i], w[0], w[1], w[2])
	}
	f.Data = append(f.Data, data)
	return f
}
