package tables

import (
	"fmt"
	"slices"

	"ogdl/internal/words"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// unlabelledTable is the main table of data sets without classes: what is chosen without labels, and
// what can be said of it. There is no score by classes.
func unlabelledTable(f *summary.Frame, rows []*summary.Row) table.Table {
	repetitions := f.Family.Metric.Repetitions()
	t := table.Table{Name: f.Family.Name + "_unlabelled", Main: true,
		Title: f.Titled(f.Family.Title + " of data without classes: the configuration chosen without labels"),
		Columns: table.Columns("*data set", "*method", "~objective", ">stability", ">largest cluster", "+cluster sizes|cluster_size",
			"/"+repetitions, "/configurations")}
	settings := summary.Settings("chosen without labels", rows)
	t.Columns = append(t.Columns, settings)
	t.With(table.When(f.Confirm > 0, "~confirmed objective", ">confirmed stability", "/fresh "+repetitions)...)
	var notes []string
	for _, s := range rows {
		c := s.Free.Config
		row := []table.Cell{table.Txt(s.Dataset), table.Txt(s.Method), {}, {}, {}, {}, {}, table.Count(s.Complete, len(s.Configs)), {}}
		if c == nil {
			row[2], row[3], row[4], row[5] = table.None(), table.None(), table.None(), table.None()
		} else {
			row[2], row[3], row[4] = c.ObjectiveSpread(s.Mark(c)), s.Percent(c, c.Stability), s.Percent(c, c.Largest)
			if len(c.Sizes) > 0 {
				row[5] = c.SizesCell()
			}
			row[6], row[8] = s.Repetitions(c), s.Describe(c, settings)
		}
		t.Add(append(row, table.When(f.Confirm > 0, s.ConfirmedUnlabelled()...)...)...)
		if !slices.ContainsFunc(s.Configs, func(c *summary.Config) bool { return len(c.Sizes) > 0 }) {
			notes = append(notes, fmt.Sprintf("%s %s: not clustered, as there are no classes to take the number of clusters from; "+
				"clusters = N in its [[grid]] block asks for N clusters.", s.Dataset, s.Method))
		}
		notes = append(notes, freeNotes(s)...)
	}
	t.Note(
		"Objective: mean (std) over repetitions; it compares only between rows of one method that differ in alpha alone. Stability: the mean "+
			"adjusted Rand Index between the clusterings of two repetitions, in percent; blank with fewer than two. Cluster sizes: graphs, from "+
			"the largest cluster to the smallest of each clustering, mean over repetitions. Largest cluster: its share of the graphs in percent.",
		choiceNote)
	t.Note(table.MarkNotes(t, repetitions)...)
	t.Note(notes...)
	t.Note(rowNotes(rows)...)
	return t
}

// freeNotes say what to know of a choice without labels.
func freeNotes(s *summary.Row) []string {
	var notes []string
	for _, reason := range s.Free.Reasons {
		notes = append(notes, fmt.Sprintf("%s %s, choice without labels: %s.", s.Dataset, s.Method, reason))
	}
	if n := s.Free.Ties; n > 0 {
		notes = append(notes, fmt.Sprintf("%s %s, choice without labels: %s as stable or as good; the first in the order of the parameters is shown.",
			s.Dataset, s.Method, words.Plural(n, "other configuration is", "other configurations are")))
	}
	return notes
}

// alphaNote and choiceNote say how a configuration is chosen, and what of it without labels.
const (
	alphaNote = "Alpha is chosen by the lowest mean objective, as in the paper, compared only between configurations that are equal in " +
		"everything else (the objective falls with the number of atoms and holds -lambda |w|^2); where none is recorded, as all else is."
	choiceNote = alphaNote + " Without labels the number of atoms, lambda and all else are chosen by stability, the highest mean adjusted Rand " +
		"Index between the clusterings of two repetitions. Configurations that put 95 % of the graphs or more into one cluster take no part in " +
		"that: they are stable because there is nothing to disagree about. Ties of spectral clustering go to the largest eigengap, then to the " +
		"lowest normalised cut, others to the first in the order of the parameters."
)
