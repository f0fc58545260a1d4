package reproduction

import (
	"fmt"
	"strings"

	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// Impossible lists the values of the paper that no clustering into two clusters has.
func (c *content) Impossible() (rows [][]string) {
	for _, n := range c.all {
		if d, ok := paper.Numbers().Dataset(n.Dataset); ok && d.Classes == 2 && n.Table != summary.TableClassification && n.Mean < bound(d.Graphs) {
			rows = append(rows, []string{n.Dataset, escape(n.method()), n.printedCell().Plain(), fmt.Sprint(d.Graphs),
				fmt.Sprintf("%.2f", bound(d.Graphs))})
		}
	}
	return rows
}

// AboveAll lists the values of dictionaries that are above every run of ours.
func (c *content) AboveAll() (rows [][]string) {
	for _, t := range c.Tables[:3] {
		for _, n := range t.Numbers {
			if !strings.HasPrefix(n.Method, "GDL") || n.Row == nil || n.Grid != wholeGrid {
				continue
			}
			if highest, runs := n.highest(); runs > 0 && n.Mean > highest {
				rows = append(rows, []string{t.Title, n.Dataset, escape(n.method()), n.printedCell().Plain(), fmt.Sprintf("%.2f", highest),
					fmt.Sprint(runs)})
			}
		}
	}
	return rows
}

// bound is the least Rand Index, in percent, of two clusters of n graphs in two classes.
func bound(n int) float64 { return 100 * (1 - float64(n)/float64(2*(n-1))) }

// highest is the highest single run of a number's row, of the grid and of re-runs, and how many runs there are.
func (n *Number) highest() (highest float64, runs int) {
	m := n.Row.Metric
	for r := range n.Row.All() {
		if score, ok := r.Score(m.Score); ok && r.OK() {
			highest, runs = max(highest, m.Scale*score), runs+1
		}
	}
	return highest, runs
}

// First names the method with the highest mean on each data set, in the paper, in our re-runs, and in ours selected without labels.
func (c *content) First() (t table.Table) {
	numbers := c.Tables[0].Numbers
	inPaper := func(n *Number) value { return value{Cell: n.printedCell()} }
	ways := []func(*Number) value{inPaper, (*Number).last, (*Number).withoutLabels}
	t.Columns = table.Columns{table.Dataset, {Title: "paper"}, {Title: "ours, re-run (selected if there is none)"}, {Title: "ours, selected without labels"}}
	for _, dataset := range paper.Distinct(numbers, (*Number).dataset) {
		row := []table.Cell{table.Txt(dataset)}
		for i, way := range ways {
			var first *Number
			var best value
			for _, n := range numbers {
				if v := way(n); n.Dataset == dataset && v.Cell.Kind == table.Number && (first == nil || v.Cell.Value > best.Cell.Value) {
					first, best = n, v
				}
			}
			if first == nil {
				row = append(row, table.Cell{})
				continue
			}
			best.Cell.Mark = ""
			text := append([]string{first.method() + " " + best.Cell.Plain()}, first.hollow(best)...)
			if i > 0 && first.Grid != wholeGrid {
				text = append(text, first.Grid.cause())
			}
			row = append(row, table.Txt(strings.Join(text, ", ")))
		}
		t.Add(row)
	}
	t.Note(fmt.Sprintf("Trivial level: the mean is at most %g points above the score of one single cluster or of random labels. "+
		"Collapsed: one cluster has at least %.0f %% of the graphs.", tables.TrivialReach, 100*summary.DegenerateShare))
	return t
}

// withoutLabels is the value of the setting selected without labels.
func (n *Number) withoutLabels() value {
	if n.Row == nil || n.Row.Free == nil {
		return value{}
	}
	c, x := n.Row.Free, n.Row.Metric.Measure
	if n.Row.Metric.Of(x, c.Confirmed).N > 1 {
		return value{Cell: n.Row.ConfirmedCell(c, x), Runs: c.Confirmed}
	}
	return value{Cell: n.Row.CellOf(c, x), Runs: c.Runs}
}

// hollow names why a value of ours, or the paper's (without runs), says little.
func (n *Number) hollow(v value) []string {
	return append(table.When(summary.LargestShare(summary.Clustered(v.Runs)) >= summary.DegenerateShare, "collapsed"),
		table.When(v.Cell.Value <= n.trivial()+tables.TrivialReach, "trivial level")...)
}

// compare counts on how many data sets one method is above another, undecided, or below: in the paper, and in re-runs on the whole grid.
func (t tabled) compare(better, than string) (inPaper, inOurs [3]int) {
	m := summary.RandIndex()
	for _, a := range t.Numbers {
		for _, b := range t.Numbers {
			if a.Dataset != b.Dataset || a.method() != better || b.method() != than {
				continue
			}
			runs := m.Sampling(a.Dataset).Printed
			inPaper[1-above(paper.Stat{Mean: a.Mean, Std: a.Std, N: runs}, paper.Stat{Mean: b.Mean, Std: b.Std, N: runs})]++
			if a.again() && b.again() && a.Grid == wholeGrid && b.Grid == wholeGrid {
				inOurs[1-above(m.Of(m.Measure, a.last().Runs), m.Of(m.Measure, b.last().Runs))]++
			}
		}
	}
	return inPaper, inOurs
}

// Order counts on how many data sets one method is above another.
func (c *content) Order() table.Table {
	t := table.Table{Columns: table.Columns{
		{Title: "comparison", Key: true}, {Title: "paper: above", Right: true}, {Title: "undecided", Right: true},
		{Title: "below", Right: true}, {Title: "ours: above", Right: true}, {Title: "undecided", Right: true},
		{Title: "below", Right: true},
	}}
	add := func(of tabled, better, than string) {
		p, o := of.compare(better, than)
		t.Add(better+" above "+than+of.suffix, p[0], p[1], p[2], o[0], o[1], o[2])
	}
	for _, better := range []string{"GDL", "GDL_lambda"} {
		for _, than := range []string{"GDL", "GWF-r", "GWF-f", "GW-k", "SC"} {
			if better != than {
				add(c.Tables[0], better, than)
			}
		}
	}
	add(c.Tables[2], "GDL_h", "GDL")
	add(c.Tables[2], "GDL_h_lambda", "GDL_lambda")
	return t
}

// Means counts the accuracies in which the mean of one method is above another's on the same representation: in the paper, and in ours
// on the paper's grid.
func (c *content) Means() table.Table {
	t := table.Table{Columns: table.Columns{
		{Title: "comparison", Key: true}, {Title: "paper: above", Right: true}, {Title: "not above", Right: true},
		{Title: "ours: above", Right: true}, {Title: "not above", Right: true},
	}}
	for _, x := range [][2]string{{"GDL-w", "FGWK"}, {"GDL-g", "FGWK"}, {"S-GWK", "FGWK"}} {
		var inPaper, inOurs [2]int
		for _, a := range c.Tables[3].Numbers {
			for _, b := range c.Tables[3].Numbers {
				if a.Method != x[0] || b.Method != x[1] || a.Dataset != b.Dataset || a.Representation != b.Representation {
					continue
				}
				inPaper[higher(a.Mean, b.Mean)]++
				if a.ran() && b.ran() && a.Grid == wholeGrid && b.Grid == wholeGrid {
					inOurs[higher(a.Selected.Ours, b.Selected.Ours)]++
				}
			}
		}
		t.Add(x[0]+" above "+x[1], inPaper[0], inPaper[1], inOurs[0], inOurs[1])
	}
	return t
}

// higher is 0 where a is above b, else 1.
func higher(a, b float64) int {
	if a > b {
		return 0
	}
	return 1
}

// above is 1 where the mean of a is above the mean of b, -1 where it is below, 0 where the interval
// of the difference contains 0.
func above(a, b paper.Stat) int {
	if b.N < 2 {
		return 0
	}
	switch i := (paper.Sampling{Printed: b.N}).Welch(a, b.Mean, b.Std); {
	case i.Known && i.Low > 0:
		return 1
	case i.Known && i.High < 0:
		return -1
	}
	return 0
}
