package tables

import (
	"cmp"
	"fmt"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"slices"
	"strings"
)

// notAsked stands for a number that the paper prints, in a row and a column that this
// configuration asks for, though not for the two together.
const notAsked = "not asked"

// layoutTable is the main table with methods down and data sets across, as the
// paper lays it out: the rows and columns that the configuration asks for, those of the paper in its
// order. It is no table of a configuration without any of the paper's data sets.
func layoutTable(k summary.Kind, spec summary.Spec, rows []*summary.Row) (table.Table, bool) {
	t := table.Table{
		Name:    k.Name + "_layout",
		Title:   summary.Title(spec, k.Title+": Rand Index in percent, as the paper lays it out"),
		Columns: []table.Column{{Name: "method", Key: true}, {Name: "source", Key: true}},
	}
	ours := map[[2]string]*summary.Row{}
	var methods, datasets []string
	known := false
	for _, s := range rows {
		name := k.Printed.DatasetName(s.Dataset)
		known = known || slices.Contains(k.Datasets, name)
		if !slices.Contains(datasets, name) {
			datasets = append(datasets, name)
		}
		if !slices.Contains(methods, s.Method) {
			methods = append(methods, s.Method)
		}
		ours[[2]string{s.Method, name}] = s
	}
	if !known {
		return table.Table{}, false
	}
	slices.SortStableFunc(methods, func(a, b string) int { return cmp.Compare(summary.Rank(k.Methods, a), summary.Rank(k.Methods, b)) })
	slices.SortStableFunc(datasets, func(a, b string) int { return cmp.Compare(summary.Rank(k.Datasets, a), summary.Rank(k.Datasets, b)) })
	for _, d := range datasets {
		t.Columns = append(t.Columns, table.Column{Name: d, Right: true, Spread: true})
	}
	asked, there := 0, 0
	for _, m := range methods {
		paperRow := []table.Cell{table.Txt(m), table.Txt("paper")}
		ourRow := []table.Cell{table.Txt(m), table.Txt("chosen")}
		freshRow := []table.Cell{table.Txt(m), table.Txt("confirmed")}
		inPaper := false
		for _, d := range datasets {
			p, printed := k.Score(m, d)
			s := ours[[2]string{m, d}]
			paper, our, fresh := table.Cell{}, table.Cell{}, table.Cell{}
			if printed {
				inPaper = true
				paper, our, fresh = table.MeanStd(p.Mean, p.Std), table.Txt(notAsked), table.Txt(notAsked)
			}
			if s != nil {
				our, fresh = s.CellOf(s.Oracle, "ri"), s.Oracle.ConfirmedCell("ri")
			}
			if printed && s != nil {
				asked++
				if our.Kind == table.Number {
					there++
				}
			}
			paperRow, ourRow, freshRow = append(paperRow, paper), append(ourRow, our), append(freshRow, fresh)
		}
		if inPaper {
			t.Rows = append(t.Rows, paperRow)
		}
		t.Rows = append(t.Rows, ourRow)
		if spec.Confirm > 0 {
			t.Rows = append(t.Rows, freshRow)
		}
	}
	all := 0
	for _, m := range k.Methods {
		for _, d := range k.Datasets {
			if _, printed := k.Score(m, d); printed {
				all++
			}
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("Ours has %d of the %s that the paper prints here and this configuration asks for.%s",
		there, table.Plural(asked, "number", "numbers"), paper.UnaskedNote(all-asked)))
	t.Notes = append(t.Notes, elsewhere(k, rows)...)
	t.Notes = append(t.Notes, table.MarkNotes(t)...)
	return t, true
}

// elsewhere names what the paper prints for the same rows in another table.
func elsewhere(k summary.Kind, rows []*summary.Row) []string {
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
