package tables

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// notAsked stands for a number that the paper prints, in a row and a column that this
// configuration asks for, though not for the two together.
const notAsked = "not asked"

// layoutTable is the main table with methods down and data sets across, as the
// paper lays it out: the rows and columns that the configuration asks for, those of the paper in its
// order. It is no table of a configuration without any of the paper's data sets.
func layoutTable(f *summary.Frame, rows []*summary.Row) (table.Table, bool) {
	k, m := f.Family, f.Family.Metric
	ours, methods, datasets := byPlace(k, rows)
	if !slices.ContainsFunc(datasets, func(name string) bool { return slices.Contains(k.Datasets, name) }) {
		return table.Table{}, false
	}
	t := table.Table{Name: k.Name + "_layout", Title: f.Titled(fmt.Sprintf("%s: %s in %s, as the paper lays it out", k.Title, m.Label, m.Unit)),
		Columns: table.Columns("*method", "*source")}
	slices.SortStableFunc(methods, func(a, b string) int { return cmp.Compare(summary.Rank(k.Methods, a), summary.Rank(k.Methods, b)) })
	slices.SortStableFunc(datasets, func(a, b string) int { return cmp.Compare(summary.Rank(k.Datasets, a), summary.Rank(k.Datasets, b)) })
	for _, d := range datasets {
		t.Columns = append(t.Columns, table.Column{Name: d, Right: true, Spread: true})
	}
	asked, there := 0, 0
	for _, method := range methods {
		rows := [3][]table.Cell{}
		for i, source := range []string{"paper", "chosen", "confirmed"} {
			rows[i] = []table.Cell{table.Txt(method), table.Txt(source)}
		}
		inPaper := false
		for _, d := range datasets {
			cells := [3]table.Cell{}
			p, printed := k.Score(method, d)
			if printed {
				inPaper = true
				cells = [3]table.Cell{table.MeanStd(p.Mean, p.Std), table.Txt(notAsked), table.Txt(notAsked)}
			}
			if s := ours[[2]string{method, d}]; s != nil {
				cells[1], cells[2] = s.CellOf(s.Oracle, m.Measure), s.ConfirmedCell(s.Oracle, m.Measure)
				if printed {
					asked++
					if cells[1].Kind == table.Number {
						there++
					}
				}
			}
			for i, c := range cells {
				rows[i] = append(rows[i], c)
			}
		}
		if inPaper {
			t.Add(rows[0]...)
		}
		t.Add(rows[1]...)
		if f.Confirm > 0 {
			t.Add(rows[2]...)
		}
	}
	all := 0
	for _, c := range k.Printed.Scores {
		if c.Table == k.Name {
			all++
		}
	}
	t.Note(fmt.Sprintf("Ours has %d of the %s that the paper prints here and this configuration asks for.%s",
		there, table.Plural(asked, "number", "numbers"), paper.UnaskedNote(all-asked)))
	t.Note(elsewhere(k, rows)...)
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
	told := map[string]bool{}
	for _, s := range rows {
		name := k.Printed.DatasetName(s.Dataset)
		var parts []string
		for _, c := range k.Printed.Scores {
			if c.Table == other && c.Dataset == name && slices.Contains(k.Methods, c.Row()) {
				parts = append(parts, fmt.Sprintf("%s %.2f (%.2f)", c.Row(), c.Mean, c.Std))
			}
		}
		if len(parts) > 0 && !told[name] {
			told[name] = true
			notes = append(notes, fmt.Sprintf(where, name, strings.Join(parts, ", ")))
		}
	}
	return notes
}
