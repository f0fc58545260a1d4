package figures

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ogdl/reports/plots"
	"ogdl/reports/summary"
)

// Learned draws the atoms of the best dictionary of each data set that is not in the paper. The
// best dictionary is the shown setting with the highest mean score. The error names dictionaries
// that cannot be read.
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
		set = slices.DeleteFunc(slices.Clone(set), func(l *summary.Row) bool { return l.Shown() == nil || !strings.HasPrefix(l.Method, dictionaryMethod) })
		if len(set) == 0 {
			continue
		}
		row := slices.MaxFunc(set, func(a, b *summary.Row) int { return cmp.Compare(a.Metric.Mean(a.Shown()), b.Metric.Mean(b.Shown())) })
		t := &trial{Config: row.Shown(), row: row}
		runs := t.solved()
		if len(runs) == 0 {
			continue
		}
		best := slices.MinFunc(runs, byObjective)
		t.cells = make([]*learned, len(runs)) // as many repetitions; the best one is read
		if t.best, err = readLearned(best, arrays); err != nil {
			problems = append(problems, fmt.Errorf("cell %s: %w", best.ID, err))
			continue
		}
		all = append(all, t)
	}
	for i, name := range figureNames("dictionary", all) {
		figs = append(figs, atomsFigure(name, all[i]))
	}
	return figs, errors.Join(problems...)
}
