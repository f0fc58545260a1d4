package reports

import (
	"fmt"
	"slices"
)

// notAsked stands for a number that the paper prints and that this
// configuration does not ask for.
const notAsked = "not asked"

// layoutTable is the main table with methods down and data sets across, as the
// paper lays it out: all that the paper prints, whether the configuration asks for
// it or not, and what it asks for beyond. It is no table of a configuration
// without any of the paper's data sets.
func layoutTable(k kind, spec Spec, rows []*summary) (Table, bool) {
	t := Table{
		Name:    k.name + "_layout",
		Title:   title(spec, k.title+": Rand Index in percent, as the paper lays it out"),
		Columns: []Column{{Name: "method", Key: true}, {Name: "source", Key: true}},
	}
	ours := map[[2]string]*summary{}
	methods := slices.Clone(k.methods)
	datasets := slices.Clone(k.datasets)
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
	for _, d := range datasets {
		t.Columns = append(t.Columns, Column{Name: d, Right: true, Spread: true})
	}
	printed, there := 0, 0
	for _, m := range methods {
		paperRow := []Cell{Txt(m), Txt("paper")}
		ourRow := []Cell{Txt(m), Txt("ours")}
		inPaper := false
		for _, d := range datasets {
			p, ok := k.score(m, d)
			paper, our := Cell{}, Cell{}
			if ok {
				inPaper = true
				printed++
				paper, our = MeanStd(p.Mean, p.Std), Txt(notAsked)
			}
			if s := ours[[2]string{m, d}]; s != nil {
				our = s.cellOf(s.oracle, "ri")
				if ok && our.Kind == Number {
					there++
				}
			}
			paperRow, ourRow = append(paperRow, paper), append(ourRow, our)
		}
		if inPaper {
			t.Rows = append(t.Rows, paperRow)
		}
		t.Rows = append(t.Rows, ourRow)
	}
	t.Notes = append(t.Notes, fmt.Sprintf("Ours has %d of the %d numbers that the paper prints here; what this configuration does "+
		"not ask for reads %q.", there, printed, notAsked))
	t.Notes = append(t.Notes, k.elsewhere(rows)...)
	t.Notes = append(t.Notes, markNotes(t)...)
	return t, true
}
