package reports

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// notAsked stands for a number that the paper prints, in a row and a column that this
// configuration asks for, though not for the two together.
const notAsked = "not asked"

// layoutTable is the main table with methods down and data sets across, as the
// paper lays it out: the rows and columns that the configuration asks for, those of the paper in its
// order. It is no table of a configuration without any of the paper's data sets.
func layoutTable(k kind, spec Spec, rows []*line) (Table, bool) {
	t := Table{
		Name:    k.name + "_layout",
		Title:   title(spec, k.title+": Rand Index in percent, as the paper lays it out"),
		Columns: []Column{{Name: "method", Key: true}, {Name: "source", Key: true}},
	}
	ours := map[[2]string]*line{}
	var methods, datasets []string
	known := false
	for _, s := range rows {
		name := k.printed.datasetName(s.dataset)
		known = known || slices.Contains(k.datasets, name)
		if !slices.Contains(datasets, name) {
			datasets = append(datasets, name)
		}
		if !slices.Contains(methods, s.method) {
			methods = append(methods, s.method)
		}
		ours[[2]string{s.method, name}] = s
	}
	if !known {
		return Table{}, false
	}
	slices.SortStableFunc(methods, func(a, b string) int { return cmp.Compare(rank(k.methods, a), rank(k.methods, b)) })
	slices.SortStableFunc(datasets, func(a, b string) int { return cmp.Compare(rank(k.datasets, a), rank(k.datasets, b)) })
	for _, d := range datasets {
		t.Columns = append(t.Columns, Column{Name: d, Right: true, Spread: true})
	}
	asked, there := 0, 0
	for _, m := range methods {
		paperRow := []Cell{Txt(m), Txt("paper")}
		ourRow := []Cell{Txt(m), Txt("chosen")}
		freshRow := []Cell{Txt(m), Txt("confirmed")}
		inPaper := false
		for _, d := range datasets {
			p, printed := k.score(m, d)
			s := ours[[2]string{m, d}]
			paper, our, fresh := Cell{}, Cell{}, Cell{}
			if printed {
				inPaper = true
				paper, our, fresh = MeanStd(p.Mean, p.Std), Txt(notAsked), Txt(notAsked)
			}
			if s != nil {
				our, fresh = s.cellOf(s.oracle, "ri"), s.oracle.confirmedCell("ri")
			}
			if printed && s != nil {
				asked++
				if our.Kind == Number {
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
	for _, m := range k.methods {
		for _, d := range k.datasets {
			if _, printed := k.score(m, d); printed {
				all++
			}
		}
	}
	t.Notes = append(t.Notes, fmt.Sprintf("Ours has %d of the %s that the paper prints here and this configuration asks for.%s",
		there, plural(asked, "number", "numbers"), unaskedNote(all-asked)))
	t.Notes = append(t.Notes, elsewhere(k, rows)...)
	t.Notes = append(t.Notes, markNotes(t)...)
	return t, true
}

// elsewhere names what the paper prints for the same rows in another table.
func elsewhere(k kind, rows []*line) []string {
	other, where := "", ""
	switch k.name {
	case TableClustering:
		other, where = TableEnzymes, "The paper's supplement prints for %s with batches of 64: %s."
	case TableEnzymes:
		other, where = TableClustering, "The paper's main table, with smaller batches, prints for %s: %s."
	default:
		return nil
	}
	var notes []string
	told := map[string]bool{}
	for _, s := range rows {
		name := k.printed.datasetName(s.dataset)
		var parts []string
		for _, c := range k.printed.Scores {
			if c.Table == other && c.Dataset == name && slices.Contains(k.methods, c.row()) {
				parts = append(parts, fmt.Sprintf("%s %.2f (%.2f)", c.row(), c.Mean, c.Std))
			}
		}
		if len(parts) > 0 && !told[name] {
			told[name] = true
			notes = append(notes, fmt.Sprintf(where, name, strings.Join(parts, ", ")))
		}
	}
	return notes
}
