package tables

import (
	"fmt"

	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// pair is two rows of a data set over the splits that they share.
type pair struct {
	a, b   *summary.Row
	splits []summary.SharedSplit
	paper.Interval
	of paper.Stat
	// near is set for rows of one method or of one representation.
	near bool
}

// comparePairs compares the rows of every data set with each other, as far as they share splits.
func comparePairs(f *summary.Frame) (out []pair) {
	m := f.Family.Metric
	for i, a := range f.Rows {
		for _, b := range f.Rows[i+1:] {
			if a.Dataset != b.Dataset {
				continue
			}
			p := pair{a: a, b: b, splits: summary.Shared(a, b)}
			if len(p.splits) == 0 {
				continue
			}
			differences := make([]float64, len(p.splits))
			for k, s := range p.splits {
				differences[k] = m.Scale * (s.A - s.B)
			}
			p.of = paper.StatOf(differences)
			sample := p.of
			sample.N = summary.Splits(p.splits)
			p.Interval = m.Sampling(a.Dataset).Student(sample, 0)
			x, y := a.First(), b.First()
			p.near = x.Method == y.Method || summary.Represented(x) == summary.Represented(y)
			out = append(out, p)
		}
	}
	return out
}

// pairsTable has a row for each pair, those that differ in method or representation alone, or, as a list, all.
func pairsTable(f *summary.Frame, pairs []pair, name string) table.Table {
	m := f.Family.Metric
	t := table.Table{Name: f.Family.Name + name, List: name == "_all_pairs",
		Title:   f.Titled("Rows against each other over the same " + m.Repetitions() + ": differences of nested accuracies in points, mean (std)"),
		Columns: table.Columns("*data set", "*method", "*against", "~difference", ">"+m.Repetitions(), ">higher", ">equal", ">lower", ">95 % from", ">to", "the first is")}
	for _, p := range pairs {
		if !p.near && !t.List {
			continue
		}
		higher, lower := 0, 0
		for _, s := range p.splits {
			if s.A > s.B {
				higher++
			} else if s.A < s.B {
				lower++
			}
		}
		difference := p.of.Cell("")
		difference.Signed = true
		low, high, is := table.Cell{}, table.Cell{}, table.Cell{}
		if p.Known {
			low, high, is = table.Diff(p.Low), table.Diff(p.High), table.Txt("not told apart")
			switch p.Judge(0, 0) {
			case paper.Higher:
				is = table.Txt("higher")
			case paper.Lower:
				is = table.Txt("lower")
			}
		}
		n := len(p.splits)
		t.Add(table.Txt(p.a.Dataset), table.Txt(p.a.Method), table.Txt(p.b.Method), difference, table.Int(n),
			table.Int(higher), table.Int(n-higher-lower), table.Int(lower), low, high, is)
	}
	t.Note(table.When(!t.List, fmt.Sprintf("Rows of one method, or of one representation; %s_all_pairs.csv has all.", f.Family.Name))...)
	t.Note("The difference of the two rows on each split that both have, the first less the second; higher, equal and lower count the splits. 95 %: Student's interval with the variance of " +
		"Nadeau and Bengio (2003), (1/r + n_test/n_train) times that of a split, as test sets share graphs (the corrected resampled t). A row is higher or lower where " +
		"the interval leaves out 0: of 20 pairs without any difference one does, and nothing here corrects for how many pairs are looked at.")
	return t
}
