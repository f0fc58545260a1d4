package reports

import (
	"fmt"
	"slices"
)

// byClasses parts the rows into those of data sets with classes (or not known yet) and those without.
func byClasses(rows []*line) (with, without []*line) {
	for _, s := range rows {
		if s.unlabelled() {
			without = append(without, s)
		} else {
			with = append(with, s)
		}
	}
	return with, without
}

// unlabelledTable is the main table of data sets without classes: what is chosen without labels, and
// what can be said of it. There is no Rand Index.
func unlabelledTable(k kind, spec Spec, rows []*line) Table {
	t := Table{
		Name:  k.name + "_unlabelled",
		Title: title(spec, k.title+" of data without classes: the configuration chosen without labels"),
		Columns: []Column{
			{Name: "data set", Key: true}, {Name: "method", Key: true},
			{Name: "objective", Right: true, Spread: true}, {Name: "stability", Right: true}, {Name: "largest cluster", Right: true},
			{Name: "cluster sizes"}, {Name: "seeds", Right: true}, {Name: "configurations", Right: true}, {Name: "chosen without labels"},
		},
	}
	if spec.Confirm > 0 {
		t.Columns = append(t.Columns, Column{Name: "confirmed objective", Right: true, Spread: true}, Column{Name: "confirmed stability", Right: true},
			Column{Name: "fresh seeds", Right: true})
	}
	var notes []string
	for _, s := range rows {
		c := s.free.configuration
		row := []Cell{Txt(s.dataset), Txt(s.method), {}, {}, {}, {}, {}, count(s.complete, len(s.configs)), {}}
		if c == nil {
			row[2], row[3], row[4], row[5] = Cell{Kind: Missing}, Cell{Kind: Missing}, Cell{Kind: Missing}, Cell{Kind: Missing}
		} else {
			row[2], row[3], row[4] = c.objectiveSpread(s.mark(c)), s.percent(c, c.stability), s.percent(c, c.largest)
			if len(c.sizes) > 0 {
				row[5] = Txt(c.sizesText())
			}
			row[6], row[8] = s.seeds(c), s.describe(c)
		}
		if spec.Confirm > 0 {
			row = append(row, s.confirmedUnlabelled()...)
		}
		t.Rows = append(t.Rows, row)
		if !slices.ContainsFunc(s.configs, func(c *configuration) bool { return len(c.sizes) > 0 }) {
			notes = append(notes, fmt.Sprintf("%s %s: not clustered, as there are no classes to take the number of clusters from; "+
				"clusters = N in its [[grid]] block asks for N clusters.", s.dataset, s.method))
		}
		notes = append(notes, freeNotes(s)...)
	}
	t.Notes = append(t.Notes,
		"Objective: mean (std) over seeds; it compares only between rows of one method that differ in alpha alone. Stability: the mean adjusted Rand "+
			"Index between the clusterings of two seeds, in percent; blank with fewer than two. Cluster sizes: graphs, from the largest "+
			"cluster to the smallest of each clustering, mean over seeds. Largest cluster: its share of the graphs in percent.",
		choiceNote)
	t.Notes = append(t.Notes, markNotes(t)...)
	t.Notes = append(t.Notes, notes...)
	t.Notes = append(t.Notes, statusNotes(rows)...)
	t.Notes = append(t.Notes, seedNotes(rows)...)
	t.Notes = append(t.Notes, warnings(rows)...)
	return t
}

// freeNotes tell what to know of a choice without labels.
func freeNotes(s *line) []string {
	var notes []string
	for _, reason := range s.free.reasons {
		notes = append(notes, fmt.Sprintf("%s %s, choice without labels: %s.", s.dataset, s.method, reason))
	}
	if n := s.free.ties; n > 0 {
		notes = append(notes, fmt.Sprintf("%s %s, choice without labels: %s as stable or as good; the first in the order of the parameters is shown.",
			s.dataset, s.method, plural(n, "other configuration is", "other configurations are")))
	}
	return notes
}

// choiceNote says how a configuration is chosen without labels.
const choiceNote = "Without labels: alpha by " +
	"the lowest mean objective, compared only between configurations that are equal in everything else (the " +
	"objective falls with the number of atoms and holds -lambda |w|^2); then the number of atoms, lambda and " +
	"all else by stability, the highest mean adjusted Rand Index between the clusterings of two seeds. Configurations " +
	"that put 95 % of the graphs or more into one cluster take no part in the second step: they are stable because " +
	"there is nothing to disagree about. Where no objective is recorded, stability chooses alpha as well; ties of " +
	"spectral clustering go to the largest eigengap, then to the lowest normalised cut. Other ties go to the first in the " +
	"order of the parameters."
