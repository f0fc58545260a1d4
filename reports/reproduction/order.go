package reproduction

import (
	"fmt"
	"slices"
	"strings"

	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// leaders says of every data set which method is first of those that the paper compares: as printed, and by our numbers. With a sentence of how often
// it is one of the dictionaries.
func leaders(numbers []*Number) (sentence string, t table.Table) {
	m := summary.RandIndex()
	ways := []struct {
		column string
		of     func(*Number) (table.Cell, []summary.Run)
	}{
		{"in the paper", func(n *Number) (table.Cell, []summary.Run) { return table.MeanStd(n.Mean, n.Std), nil }},
		{"ours", func(n *Number) (table.Cell, []summary.Run) { return n.ours(m.Measure), n.runs() }},
		{"ours, chosen without labels", func(n *Number) (table.Cell, []summary.Run) { return n.withoutLabels(m.Measure) }},
	}
	t.Columns = table.Columns("*data set")
	for _, way := range ways {
		t.With(way.column)
	}
	dictionaries, elsewhere := make([]int, len(ways)), make([]int, len(ways))
	for _, dataset := range datasetsOf(numbers) {
		row := []table.Cell{table.Txt(dataset)}
		for i, way := range ways {
			var first *Number
			var best table.Cell
			var runs []summary.Run
			for _, n := range numbers {
				if c, of := way.of(n); n.Dataset == dataset && c.Kind == table.Number && (first == nil || c.Value > best.Value) {
					first, best, runs = n, c, of
				}
			}
			if first == nil {
				row = append(row, table.Cell{})
				continue
			}
			score := best
			score.Mark = "" // explained where the row stands
			text := []string{first.PrintedScore.Row() + " " + score.Plain()}
			text = append(text, first.hollow(best.Value, runs)...)
			dictionary := strings.HasPrefix(first.Method, "GDL")
			if dictionary {
				dictionaries[i]++
			}
			if i > 0 && first.Grid != wholeGrid {
				text = append(text, first.Grid.cause())
				if dictionary {
					elsewhere[i]++
				}
			}
			row = append(row, table.Txt(strings.Join(text, ", ")))
		}
		t.Add(row...)
	}
	t.Note("First is the highest mean, whatever the deviations: of what is chosen of each method, confirmed where it is. The paper's rule chooses with the labels, so a method gains by " +
		"the number of its settings; the paper does not print those of SC. Without labels the most stable one is chosen. A rival that has run on a small grid alone may gain by its whole one.")
	t.Note(fmt.Sprintf("Trivial level: at most %g points above what takes no knowledge of the graphs. Collapsed: %.0f %% of the graphs or more are in one cluster. Neither says that a method is good.",
		tables.TrivialReach, 100*summary.DegenerateShare))
	say := func(i int) string {
		if elsewhere[i] > 0 {
			return fmt.Sprintf("%d (%d of them not on the paper's whole grid)", dictionaries[i], elsewhere[i])
		}
		return fmt.Sprint(dictionaries[i])
	}
	return fmt.Sprintf("Of the methods that the paper compares, GDL or GDL_lambda is first on %s of %d data sets in the paper, on %s by our numbers, and on %s "+
		"by ours where settings are chosen without labels.", say(0), len(t.Rows), say(1), say(2)), t
}

func datasetsOf(numbers []*Number) (datasets []string) {
	for _, n := range numbers {
		if !slices.Contains(datasets, n.Dataset) {
			datasets = append(datasets, n.Dataset)
		}
	}
	return datasets
}

// hollow says why a mean over these runs, or the paper's (nil), says little.
func (n *Number) hollow(mean float64, runs []summary.Run) (why []string) {
	if clustered := summary.Clustered(runs); len(clustered) > 0 && summary.LargestShare(clustered) >= summary.DegenerateShare {
		why = append(why, "collapsed")
	}
	if mean <= n.trivial()+tables.TrivialReach {
		why = append(why, "trivial level")
	}
	return why
}

// compared are methods of which the paper says, or shows, that the first is better than the second.
var compared = []struct {
	table, better, than string
	claim               string // for the sentence; "": not in it
}{
	{summary.TableClustering, "GDL_lambda", "GDL", "the penalty (GDL_lambda) is above GDL"},
	{summary.TableClustering, "GDL", "GWF-r", ""},
	{summary.TableClustering, "GDL", "GWF-f", ""},
	{summary.TableClustering, "GDL", "GW-k", ""},
	{summary.TableClustering, "GDL", "SC", ""},
	{summary.TableClustering, "GDL_lambda", "GWF-r", ""},
	{summary.TableClustering, "GDL_lambda", "GWF-f", ""},
	{summary.TableClustering, "GDL_lambda", "GW-k", ""},
	{summary.TableClustering, "GDL_lambda", "SC", ""},
	{summary.TableGWKMeans, "GDL_h", "GDL", "node weights (GDL_h) are above GDL"},
	{summary.TableGWKMeans, "GDL_h_lambda", "GDL_lambda", ""},
}

// order counts on how many data sets one method is above another: by the paper's numbers, and by ours where both have run on the paper's whole grid
// and are confirmed. With a sentence on what the paper claims of its own method.
func order(all map[string][]*Number) (sentence string, t table.Table) {
	var claims []string
	t = table.Table{Columns: table.Columns("*table", "*comparison", ">paper: above", ">not settled", ">below", ">ours: above", ">not settled", ">below")}
	for _, c := range compared {
		family := summary.FamilyOf(paper.Numbers(), c.table)
		var counts [2][3]int
		for _, a := range all[c.table] {
			k := slices.IndexFunc(all[c.table], func(n *Number) bool { return n.Dataset == a.Dataset && n.PrintedScore.Row() == c.than })
			if a.PrintedScore.Row() != c.better || k < 0 {
				continue
			}
			b, m := all[c.table][k], family.Metric
			runs := m.Sampling(a.Method, a.Dataset).Printed
			counts[0][1-sign(paper.Stat{Mean: a.Mean, Std: a.Std, N: runs}, paper.Stat{Mean: b.Mean, Std: b.Std, N: runs})]++
			if ours := func(n *Number) bool { return n.Row != nil && n.Grid == wholeGrid && n.Verdict().Confirmed }; ours(a) && ours(b) {
				counts[1][1-sign(m.Of(m.Measure, a.runs()), m.Of(m.Measure, b.runs()))]++
			}
		}
		row := []table.Cell{table.Txt(family.Title), table.Txt(c.better + " above " + c.than)}
		for _, side := range counts {
			for _, n := range side {
				row = append(row, table.Int(n))
			}
		}
		t.Add(row...)
		if of := sum(counts[1]); c.claim != "" && of > 0 {
			claims = append(claims, fmt.Sprintf("%s on %d of %d data sets and below on %d (in the paper %d of %d and %d)", c.claim, counts[1][0], of,
				counts[1][2], counts[0][0], sum(counts[0]), counts[0][2]))
		}
	}
	if len(claims) > 0 {
		sentence = "By 95 % intervals " + strings.Join(claims, "; ") + "."
	}
	t.Note("On how many data sets the first method is above the second, or below: the 95 % interval (Welch) of the difference of their means excludes 0. Ours: where both have run on the paper's " +
		"whole grid, of what is chosen, on fresh repetitions.")
	return sentence, t
}

func sum(counts [3]int) int { return counts[0] + counts[1] + counts[2] }

// sign is 1 where the mean of a is above that of b, -1 where it is below, 0 where the interval of the difference holds 0.
func sign(a, b paper.Stat) int {
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
