package tables

import (
	"cmp"
	"fmt"
	"slices"

	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// kinds are the node features that the paper sorts data sets by, with the names and titles of its tables of accuracies.
var kinds = [][3]string{{"none", "no_attributes", "Graphs without attributes"}, {"discrete", "discrete_attributes", "Graphs with discrete attributes"},
	{"real", "vectorial_attributes", "Graphs with vectorial attributes"}}

// layoutTables returns tables laid out as the paper's: one for clustering, one per kind of node
// features for classification. Tables without a data set of the configuration are omitted.
func layoutTables(f *summary.Frame, rows []*summary.Row) (out []table.Table) {
	k := f.Family
	if !k.Metric.Nested {
		return layoutTable(f, "_layout", k.Title, k.Datasets, rows)
	}
	for _, kind := range kinds {
		datasets := summary.Pick(k.Datasets, func(name string) bool {
			d, _ := k.Printed.Dataset(name)
			return d.Attributes == kind[0]
		})
		out = append(out, layoutTable(f, "_"+kind[1], kind[2], datasets, rows)...)
	}
	return out
}

// layoutTable is the main table with methods down and data sets across, as the paper lays it out: the rows and columns that the
// configuration asks for, in the paper's order. There is none for a configuration without any of the paper's data sets.
func layoutTable(f *summary.Frame, name, title string, printed []string, rows []*summary.Row) []table.Table {
	k, m := f.Family, f.Family.Metric
	inPaper := func(name string) bool { return slices.Contains(printed, name) }
	if m.Nested { // its other tables have the rest
		rows = summary.Pick(rows, func(s *summary.Row) bool { return inPaper(k.Printed.DatasetName(s.Dataset)) })
	}
	ours, methods, datasets := byPlace(k, rows)
	if !slices.ContainsFunc(datasets, inPaper) {
		return nil
	}
	slices.SortStableFunc(methods, k.CompareRows)
	slices.SortStableFunc(datasets, func(a, b string) int { return cmp.Compare(summary.Rank(k.Datasets, a), summary.Rank(k.Datasets, b)) })
	t := table.Table{Name: k.Name + name, Printed: true, Laid: true,
		Title: f.Titled(fmt.Sprintf("%s: %s in %s, as the paper lays it out", title, m.Label, m.Unit))}
	t.Columns = append(table.Columns{{Title: "category", Key: true, Hidden: !m.Nested}, table.Method, {Title: "source", Key: true}},
		table.Map(datasets, func(d string) table.Column { return table.Column{Title: d, Spread: true} })...)
	unasked := false
	sources := append([]string{selectedOf(m)}, table.When(f.Confirm > 0, "re-run")...)
	for _, method := range methods {
		inPaper := table.Map(datasets, func(d string) table.Cell { return k.PrintedCell(method, d) })
		if slices.ContainsFunc(inPaper, func(c table.Cell) bool { return c.Kind != table.Blank }) {
			t.Add(k.Category(method), method, "paper", inPaper)
		}
		for i, source := range sources {
			fresh := i > 0
			cells := make([]table.Cell, len(datasets)) // blank where the configuration does not ask for the data set
			for j, d := range datasets {
				s := ours[[2]string{method, d}]
				if s == nil {
					unasked = unasked || inPaper[j].Kind != table.Blank
					continue
				}
				if cells[j] = s.CellOf(s.Judged(), m.Measure); fresh {
					cells[j] = s.ConfirmedCell(s.Judged(), m.Measure)
				}
				if v := verdictAt(k, s); v.Outcome != "" && v.Confirmed == fresh {
					cells[j].Class = v.Outcome.Class()
				}
			}
			t.Add(k.Category(method), method, source, cells)
		}
	}
	if m.Nested {
		t.Add("", "largest class", m.Trivial[0].Short, table.Map(datasets, func(d string) table.Cell { return levelOf(f, d) }))
		t.Note(`Categories are the paper's, whose "ours" are its authors.`, nestedNote)
	}
	t.Note(table.When(unasked, "A value of ours is empty where this configuration does not ask for it: larger grid only.")...)
	t.Note(table.MarkNotes(t, m.Repetitions())...)
	return []table.Table{t}
}
