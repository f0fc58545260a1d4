package tables

import (
	"fmt"
	"slices"

	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// unlabelledTable is the main table of data sets without classes: the settings selected without labels. There is no score by classes.
func unlabelledTable(f *summary.Frame, rows []*summary.Row) table.Table {
	repetitions, confirms := f.Family.Metric.Repetitions(), f.Confirm > 0
	settings := summary.Settings("selected without labels", rows)
	t := table.Table{Name: f.Family.Name + "_unlabelled", Main: true,
		Title: f.Titled(f.Family.Title + " of data without classes: the setting selected without labels")}
	t.With(table.Columns{
		table.Dataset, table.Method, {Title: "objective", Spread: true}, {Title: "stability", Right: true}, {Title: "largest cluster", Right: true},
		{Title: "cluster sizes", CSV: "cluster_size", Listed: true}, {Title: repetitions, Counted: true},
		{Title: "configurations", Counted: true}, settings, {Title: "re-run objective", CSV: "confirmed_objective", Spread: true, Hidden: !confirms},
		{Title: "re-run stability", CSV: "confirmed_stability", Right: true, Hidden: !confirms},
		{Title: "fresh " + repetitions, Counted: true, Hidden: !confirms},
	})
	var notes []string
	for _, s := range rows {
		c := s.Free
		t.Add(s.Dataset, s.Method, s.Selected(c, (*config).Objective, (*config).StabilityCell, (*config).LargestCell, (*config).SizesCell,
			(*config).Repetitions), table.Count(s.Complete, len(s.Configs)), s.Describe(c, settings), s.ConfirmedUnlabelled())
		if !slices.ContainsFunc(s.Configs, func(c *summary.Config) bool { return len(c.Sizes) > 0 }) {
			notes = append(notes, fmt.Sprintf("%s %s: not clustered, as there are no classes to take the number of clusters from; "+
				"clusters = N in its [[grid]] block asks for N clusters.", s.Dataset, s.Method))
		}
	}
	t.Note(
		"Objective: mean (std) over repetitions; it compares only between rows of one method that differ in alpha alone. Stability: the mean "+
			"adjusted Rand Index between the clusterings of two repetitions, in percent; blank with fewer than two. Cluster sizes: graphs, from "+
			"the largest cluster to the smallest of each clustering, mean over repetitions. Largest cluster: its share of the graphs in percent.",
		choiceNote)
	t.Note(slices.Concat(table.MarkNotes(t, repetitions), notes, rowNotes(f, rows))...)
	return t
}

// alphaNote says how alpha is selected, and choiceNote how settings are selected without labels.
const (
	alphaNote = "Alpha is selected by the lowest mean objective, as in the paper, among settings that are equal in everything else (the " +
		"objective falls with the number of atoms and holds -lambda |w|^2). If no objective is recorded, alpha is selected like the other parameters."
	choiceNote = alphaNote + " Without labels the number of atoms, lambda and all else are selected by the highest stability, the mean adjusted Rand " +
		"Index between the clusterings of two repetitions. Settings that put 95 % of the graphs or more into one cluster are omitted: " +
		"they are stable because there is nothing to disagree about. Ties of spectral clustering go to the largest eigengap, then to the " +
		"lowest normalised cut, others to the first in the order of the parameters."
)
