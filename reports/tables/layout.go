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

// notAsked stands for a number that the paper prints, in a row and a column that this
// configuration asks for, though not for the two together.
const notAsked = "larger grid only"

// layout is a table as the paper lays it out.
type layout struct {
	name, title string
	datasets    []string // the paper's names
}

// layouts are the tables of the paper that a family comes from: one, and of classification one for each kind of node features.
func layouts(f *summary.Frame) (out []layout) {
	k, m := f.Family, f.Family.Metric
	if !m.Nested {
		return []layout{{"_layout", fmt.Sprintf("%s: %s in %s, as the paper lays it out", k.Title, m.Label, m.Unit), k.Datasets}}
	}
	for _, kind := range []struct{ attributes, name, title string }{
		{"none", "_no_attributes", "Graphs without attributes"},
		{"discrete", "_discrete_attributes", "Graphs with discrete attributes"},
		{"real", "_vectorial_attributes", "Graphs with vectorial attributes"},
	} {
		out = append(out, layout{kind.name, fmt.Sprintf("%s: %s in %s, as the paper lays it out", kind.title, m.Label, m.Unit),
			slices.DeleteFunc(slices.Clone(k.Datasets), func(name string) bool {
				d, _ := k.Printed.Dataset(name)
				return d.Attributes != kind.attributes
			})})
	}
	return out
}

// over is what the paper's main table has over the columns of data sets: the kind of their attributes.
func (l layout) over(k summary.Family, dataset string) string {
	if d, known := k.Printed.Dataset(dataset); known && k.Name == summary.TableClustering {
		return map[string]string{"none": "no attributes", "discrete": "discrete attributes", "real": "real attributes"}[d.Attributes]
	}
	return ""
}

// layoutTables are the layouts of which the configuration asks for a data set.
func layoutTables(f *summary.Frame, rows []*summary.Row) (out []table.Table) {
	for _, l := range layouts(f) {
		if t, ok := layoutTable(f, l, rows); ok {
			out = append(out, t)
		}
	}
	return out
}

// source is a row of numbers of ours below the paper's.
type source struct {
	name string
	of   func(*summary.Row) table.Cell
}

// confirmed names the source of numbers on fresh repetitions.
const confirmed = "confirmed"

// layoutTable is the main table with methods down and data sets across, as the
// paper lays it out: the rows and columns that the configuration asks for, those of the paper in its
// order. It is no table of a configuration without any of the paper's data sets.
func layoutTable(f *summary.Frame, l layout, rows []*summary.Row) (table.Table, bool) {
	k, m := f.Family, f.Family.Metric
	inPaper := func(name string) bool { return slices.Contains(l.datasets, name) }
	if m.Nested { // its other tables have the rest
		rows = slices.DeleteFunc(slices.Clone(rows), func(s *summary.Row) bool { return !inPaper(k.Printed.DatasetName(s.Dataset)) })
	}
	ours, methods, datasets := byPlace(k, rows)
	if !slices.ContainsFunc(datasets, inPaper) {
		return table.Table{}, false
	}
	sources := []source{{"chosen", func(s *summary.Row) table.Cell { return s.CellOf(s.Oracle, m.Measure) }}}
	if m.Nested {
		sources = []source{{"nested", func(s *summary.Row) table.Cell { return s.CellOf(s.Judged(), m.Measure) }}, {"oracle", sources[0].of}}
	}
	if f.Confirm > 0 {
		sources = append(sources, source{confirmed, func(s *summary.Row) table.Cell { return s.ConfirmedCell(s.Oracle, m.Measure) }})
	}
	all := 0
	for _, c := range k.Printed.ScoresOf(k.Name) {
		if inPaper(c.Dataset) {
			all++
		}
	}
	verdicts, _ := verdictsOf(k, rows)
	head := append(table.When(m.Nested, "*category"), "*method")
	long := table.Table{Columns: table.Columns(append(head, "*data set", "~paper")...)}
	for _, x := range sources {
		long.With("~" + x.name)
	}
	long.With(paper.VerdictColumn)
	t := table.Table{Name: k.Name + l.name, Printed: true, Long: &long, Title: f.Titled(l.title), Columns: table.Columns(append(head, "*source")...)}
	slices.SortStableFunc(methods, k.CompareRows)
	slices.SortStableFunc(datasets, func(a, b string) int { return cmp.Compare(summary.Rank(k.Datasets, a), summary.Rank(k.Datasets, b)) })
	for _, d := range datasets {
		t.Columns = append(t.Columns, table.Column{Name: d, Right: true, Spread: true, Over: l.over(k, d)})
	}
	asked, there := 0, 0
	for _, method := range methods {
		head := []table.Cell{table.Txt(method)}
		if m.Nested {
			head = slices.Insert(head, 0, table.TextOrBlank(k.Category(method)))
		}
		fromPaper, printedAny := slices.Concat(head, []table.Cell{table.Txt("paper")}), false
		below := make([][]table.Cell, len(sources))
		for i, x := range sources {
			below[i] = slices.Concat(head, []table.Cell{table.Txt(x.name)})
		}
		for _, d := range datasets {
			fromPrint := k.PrintedCell(method, d)
			printed := fromPrint.Kind != table.Blank
			s := ours[[2]string{method, d}]
			printedAny = printedAny || printed
			fromPaper = append(fromPaper, fromPrint)
			apart, verdict := slices.Concat(head, []table.Cell{table.Txt(d), fromPrint}), table.Cell{}
			for i, x := range sources {
				cell := table.Cell{}
				switch {
				case s != nil:
					cell = x.of(s)
				case printed:
					cell = table.Txt(notAsked)
				}
				for _, v := range verdicts {
					if v.Row == method && v.Dataset == d && v.Confirmed == (x.name == confirmed) && (v.Confirmed || i == 0) {
						cell.Class, verdict = v.Outcome.Class(), table.Txt(string(v.Outcome))
					}
				}
				below[i], apart = append(below[i], cell), append(apart, cell)
				if s != nil && printed && i == 0 {
					asked++
					if cell.Kind == table.Number {
						there++
					}
				}
			}
			if s != nil || printed {
				long.Add(append(apart, verdict)...)
			}
		}
		if printedAny {
			t.Add(fromPaper...)
		}
		first := below[0][len(head)+1:]
		t.Rows = append(append(t.Rows, below[0]), slices.DeleteFunc(below[1:], func(row []table.Cell) bool {
			return slices.EqualFunc(row[len(head)+1:], first, func(a, b table.Cell) bool { return a.Plain() == b.Plain() })
		})...)
	}
	t.Note(fmt.Sprintf("Ours has %d of the %s that the paper prints here and this configuration asks for.%s",
		there, words.Plural(asked, "number", "numbers"), paper.UnaskedNote(all-asked)))
	t.Note(elsewhere(k, rows)...)
	if len(sources) > 1 {
		t.Note("A row of ours that would repeat the one above it is left out.")
	}
	if m.Nested {
		levels := []table.Cell{{}, table.Txt("largest class"), table.Txt(m.Trivial[0].Short)}
		for _, d := range datasets {
			levels = append(levels, levelOf(f, d))
		}
		t.Add(levels...)
		t.Note(`Categories are the paper's, whose "ours" are its authors.`, bestPrinted(k, datasets), nestedNote)
	}
	t.Note(table.MarkNotes(t, m.Repetitions())...)
	return t, true
}

// elsewhere names what the paper prints for the same rows in another table.
func elsewhere(k summary.Family, rows []*summary.Row) []string {
	other, where := "", ""
	switch k.Name {
	case summary.TableClustering:
		other, where = summary.TableEnzymes, "The paper's supplement prints for %s with batches of 64: %s."
	case summary.TableEnzymes:
		other, where = summary.TableClustering, "The paper's main table, with smaller batches, prints for %s: %s."
	default:
		return nil
	}
	var notes []string
	reported := map[string]bool{}
	for _, s := range rows {
		name := k.Printed.DatasetName(s.Dataset)
		var parts []string
		for _, c := range k.Printed.Scores {
			if c.Table == other && c.Dataset == name && slices.Contains(k.Methods, c.Row()) {
				parts = append(parts, fmt.Sprintf("%s %.2f (%.2f)", c.Row(), c.Mean, c.Std))
			}
		}
		if len(parts) > 0 && !reported[name] {
			reported[name] = true
			notes = append(notes, fmt.Sprintf(where, name, strings.Join(parts, ", ")))
		}
	}
	return notes
}
