package tables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// notAsked fills a cell whose row and column the configuration has, but not their combination.
const notAsked = "larger grid only"

// kinds are the node features that the paper sorts data sets by, with the names and titles of its tables of accuracies.
var kinds = [][3]string{{"none", "no_attributes", "Graphs without attributes"}, {"discrete", "discrete_attributes", "Graphs with discrete attributes"},
	{"real", "vectorial_attributes", "Graphs with vectorial attributes"}}

// layoutTables returns tables laid out as the paper's: one for clustering, one per kind of node
// features for classification. Tables without a data set of the configuration are omitted.
func layoutTables(f *summary.Frame, rows []*summary.Row) (out []table.Table) {
	k := f.Family
	add := func(name, title string, datasets []string) {
		if t, ok := layoutTable(f, name, title, datasets, rows); ok {
			out = append(out, t)
		}
	}
	if !k.Metric.Nested {
		add("_layout", k.Title, k.Datasets)
		return out
	}
	for _, kind := range kinds {
		add("_"+kind[1], kind[2], slices.DeleteFunc(slices.Clone(k.Datasets), func(name string) bool { return attributesOf(k, name) != kind[0] }))
	}
	return out
}

// attributesOf is the kind of node features of a data set of the paper's; "" for others.
func attributesOf(k summary.Family, dataset string) string {
	d, _ := k.Printed.Dataset(dataset)
	return d.Attributes
}

// source is a row of numbers of ours below the paper's: its name, and its column in CSV.
type source struct {
	name, csv string
	of        func(*summary.Row) table.Cell
}

// rerun is the source of numbers on fresh repetitions.
const rerun = "re-run"

// layoutTable is the main table with methods down and data sets across, as the
// paper lays it out: the rows and columns that the configuration asks for, in the paper's
// order. ok is false for a configuration without any of the paper's data sets.
func layoutTable(f *summary.Frame, name, title string, printed []string, rows []*summary.Row) (t table.Table, ok bool) {
	k, m := f.Family, f.Family.Metric
	inPaper := func(name string) bool { return slices.Contains(printed, name) }
	if m.Nested { // its other tables have the rest
		rows = slices.DeleteFunc(slices.Clone(rows), func(s *summary.Row) bool { return !inPaper(k.Printed.DatasetName(s.Dataset)) })
	}
	ours, methods, datasets := byPlace(k, rows)
	if !slices.ContainsFunc(datasets, inPaper) {
		return t, false
	}
	oracle := func(s *summary.Row) table.Cell { return s.CellOf(s.Oracle, m.Measure) }
	sources := []source{{"selected", "chosen", oracle}}
	if m.Nested {
		sources = []source{{"nested", "nested", func(s *summary.Row) table.Cell { return s.CellOf(s.Judged(), m.Measure) }}, {"oracle", "oracle", oracle}}
	}
	if f.Confirm > 0 {
		sources = append(sources, source{rerun, "confirmed", func(s *summary.Row) table.Cell { return s.ConfirmedCell(s.Oracle, m.Measure) }})
	}
	all := 0
	for _, c := range k.Printed.ScoresOf(k.Name) {
		if inPaper(c.Dataset) {
			all++
		}
	}
	slices.SortStableFunc(methods, k.CompareRows)
	slices.SortStableFunc(datasets, func(a, b string) int { return cmp.Compare(summary.Rank(k.Datasets, a), summary.Rank(k.Datasets, b)) })
	t = table.Table{Name: k.Name + name, Printed: true, Long: new(table.Table),
		Title: f.Titled(fmt.Sprintf("%s: %s in %s, as the paper lays it out", title, m.Label, m.Unit))}
	category := table.Column{Title: "category", Key: true, Hidden: !m.Nested}
	t.With(table.Columns{category, table.Method, {Title: "source", Key: true}})
	t.Long.With(table.Columns{category, table.Method, table.Dataset, {Title: "paper", Spread: true}})
	over := map[string]string{"none": "no attributes", "discrete": "discrete attributes", "real": "real attributes"}
	if k.Name != summary.TableClustering {
		over = nil
	}
	for _, d := range datasets {
		t.With(table.Columns{{Title: d, Spread: true, Over: over[attributesOf(k, d)]}})
	}
	for _, x := range sources {
		t.Long.With(table.Columns{{Title: x.name, CSV: x.csv, Spread: true}})
	}
	t.Long.With(table.Columns{paper.VerdictColumn})
	asked, there := 0, 0
	for _, method := range methods {
		var fromPaper []table.Cell
		printedAny := false
		below := make([][]table.Cell, len(sources)) // by source, a cell for each data set
		for _, d := range datasets {
			printed, s := k.PrintedCell(method, d), ours[[2]string{method, d}]
			isPrinted, v := printed.Kind != table.Blank, paper.Verdict{}
			if s != nil {
				v = verdictAt(k, s)
			}
			printedAny, fromPaper = printedAny || isPrinted, append(fromPaper, printed)
			apart := make([]table.Cell, len(sources))
			for i, x := range sources {
				switch {
				case s != nil:
					apart[i] = x.of(s)
				case isPrinted:
					apart[i] = table.Txt(notAsked)
				}
				if v.Outcome != "" && v.Confirmed == (x.name == rerun) && (v.Confirmed || i == 0) {
					apart[i].Class = v.Outcome.Class()
				}
				below[i] = append(below[i], apart[i])
			}
			if s != nil && isPrinted {
				asked++
				if apart[0].Kind == table.Number {
					there++
				}
			}
			if s != nil || isPrinted {
				t.Long.Add(k.Category(method), method, d, printed, apart, string(v.Outcome))
			}
		}
		if printedAny {
			t.Add(k.Category(method), method, "paper", fromPaper)
		}
		for i, cells := range below {
			same := func(a, b table.Cell) bool { return a.Plain() == b.Plain() }
			if i == 0 || !slices.EqualFunc(cells, below[0], same) {
				t.Add(k.Category(method), method, sources[i].name, cells)
			}
		}
	}
	t.Note(fmt.Sprintf("Ours has %d of the %s of the paper that this configuration asks for.%s",
		there, words.Plural(asked, "number", "numbers"), paper.UnaskedNote(all-asked)))
	t.Note(elsewhere(k, rows)...)
	t.Note(table.When(len(sources) > 1, "A row of ours that would repeat the one above it is omitted.")...)
	if m.Nested {
		levels := table.Cells("", "largest class", m.Trivial[0].Short)
		for _, d := range datasets {
			levels = append(levels, levelOf(f, d))
		}
		t.Add(levels)
		t.Note(`Categories are the paper's, whose "ours" are its authors.`, bestPrinted(k, datasets), nestedNote)
	}
	t.Note(table.MarkNotes(t, m.Repetitions())...)
	return t, true
}

// elsewhere returns notes with the paper's values for the same rows in its other clustering table.
func elsewhere(k summary.Family, rows []*summary.Row) (notes []string) {
	other, where := summary.TableEnzymes, "The paper's supplement prints for %s with batches of 64: %s."
	switch k.Name {
	case summary.TableEnzymes:
		other, where = summary.TableClustering, "The paper's main table, with smaller batches, prints for %s: %s."
	case summary.TableClustering:
	default:
		return nil
	}
	_, _, datasets := byPlace(k, rows)
	for _, name := range datasets {
		var parts []string
		for _, c := range k.Printed.ScoresOf(other) {
			if c.Dataset == name && slices.Contains(k.Methods, c.Row()) {
				parts = append(parts, fmt.Sprintf("%s %.2f (%.2f)", c.Row(), c.Mean, c.Std))
			}
		}
		notes = append(notes, table.When(len(parts) > 0, fmt.Sprintf(where, name, strings.Join(parts, ", ")))...)
	}
	return notes
}
