package tables

import (
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// pairsTable has a row for each pair of rows of one method or one representation.
func pairsTable(f *summary.Frame) table.Table {
	m := f.Family.Metric
	t := table.Table{Name: f.Family.Name + "_pairs",
		Title: f.Titled("Rows against each other over the same " + m.Repetitions() + ": differences of nested accuracies in points, mean (std)"),
		Columns: table.Columns{
			table.Dataset, table.Method, {Title: "against", Key: true}, {Title: "difference", Spread: true},
			{Title: m.Repetitions(), Right: true}, {Title: "higher", Right: true}, {Title: "equal", Right: true}, {Title: "lower", Right: true},
			paper.LowColumn, paper.HighColumn, {Title: "the first is", CSV: "verdict"},
		}}
	for _, p := range f.Pairs() {
		if !p.Near {
			continue
		}
		difference := p.Of.Cell("")
		difference.Signed = true
		low, high, is := table.Cell{}, table.Cell{}, ""
		if p.Known {
			low, high, is = table.Diff(p.Low), table.Diff(p.High), "not told apart"
			if o := p.Judge(0, 0); o == paper.Higher || o == paper.Lower {
				is = string(o)
			}
		}
		n := len(p.Scores)
		t.Add(p.A.Dataset, p.A.Method, p.B.Method, difference, n, p.Higher, n-p.Higher-p.Lower, p.Lower, low, high, is)
	}
	t.Note("Rows of one method, or of one representation. The difference of the two rows on each split that both have, the first less the " +
		"second; higher, equal and lower count the splits. 95 %: Student's interval with the variance of Nadeau and Bengio (2003), (1/r + n_test/n_train) times that of a split, as test sets share " +
		"graphs (the corrected resampled t). A row is higher or lower if the interval excludes 0. One of 20 equal pairs does so by " +
		"chance: there is no correction for multiple comparisons.")
	return t
}
