package reproduction

import (
	"fmt"
	"slices"
	"strings"

	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// count is how many numbers are so.
func count(numbers []*Number, so func(*Number) bool) (n int) {
	for _, x := range numbers {
		if so(x) {
			n++
		}
	}
	return n
}

// answer says what the numbers of a section come to: by the confirmed number where there is one.
func answer(s *section, numbers []*Number) string {
	is := func(outcome paper.Outcome) int {
		return count(numbers, func(n *Number) bool { return n.Verdict().Outcome == outcome })
	}
	var widths []float64
	for _, n := range numbers {
		if v := n.Verdict(); v.Outcome == paper.Reproduced && v.Known {
			widths = append(widths, v.High-v.Low)
		}
	}
	held := fmt.Sprintf("%d are reproduced", is(paper.Reproduced))
	if easy := count(numbers, func(n *Number) bool { return n.Verdict().Outcome == paper.Reproduced && n.Mean <= n.trivial() }); easy > 0 {
		held += fmt.Sprintf(" (%d of them at or below a trivial level, which says little)", easy)
	}
	parts := []string{held, fmt.Sprintf("%d do not hold (%d higher, %d lower)", is(paper.Higher)+is(paper.Lower), is(paper.Higher), is(paper.Lower))}
	for _, rest := range []struct {
		outcome paper.Outcome
		words   string
	}{{paper.NotSettled, "not settled"}, {paper.NoVerdict, "without a verdict"}, {paper.NoRun, "not computed"}, {paper.PrintedOnly, "printed only"}} {
		if n := is(rest.outcome); n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, rest.words))
		}
	}
	text := fmt.Sprintf("Of %d printed %s %s.", len(numbers), s.scores, strings.Join(parts, ", "))
	chosen := count(numbers, func(n *Number) bool { return n.Chosen.Outcome == paper.Reproduced })
	if slices.ContainsFunc(numbers, func(n *Number) bool { return n.Verdict() != n.Chosen }) {
		text += fmt.Sprintf(" That is by fresh repetitions of what is chosen; by the repetitions that chose it, as in the paper, %d are reproduced.", chosen)
	}
	if slices.Sort(widths); len(widths) > 0 {
		k := len(widths)
		text += fmt.Sprintf(" The intervals behind those that are reproduced are %.1f points wide in the median.", (widths[(k-1)/2]+widths[k/2])/2)
	}
	if small := count(numbers, func(n *Number) bool { return n.Small }); small > 0 {
		text += fmt.Sprintf(" %d are held against a small grid.", small)
	}
	return text
}

// leaders says of every data set which method is first of those that the paper compares: as printed, and by our numbers. With a sentence of how often
// it is one of the dictionaries.
func leaders(numbers []*Number) (sentence string, t table.Table) {
	m := summary.RandIndex()
	ways := []struct {
		column string
		of     func(*Number) table.Cell
	}{
		{"in the paper", func(n *Number) table.Cell { return table.MeanStd(n.Mean, n.Std) }},
		{"ours", func(n *Number) table.Cell { return n.ours(m.Measure) }},
		{"ours, chosen without labels", func(n *Number) table.Cell { return n.withoutLabels(m.Measure) }},
	}
	t.Columns = table.Columns("*data set")
	for _, way := range ways {
		t.With(way.column)
	}
	var datasets []string
	for _, n := range numbers {
		if !slices.Contains(datasets, n.Dataset) {
			datasets = append(datasets, n.Dataset)
		}
	}
	dictionaries := make([]int, len(ways))
	for _, dataset := range datasets {
		row := []table.Cell{table.Txt(dataset)}
		for i, way := range ways {
			var first *Number
			for _, n := range numbers {
				if c := way.of(n); n.Dataset == dataset && c.Kind == table.Number && (first == nil || c.Value > way.of(first).Value) {
					first = n
				}
			}
			cell := table.Cell{}
			if first != nil {
				score := way.of(first)
				score.Mark = "" // explained where the row stands
				text := first.PrintedScore.Row() + " " + score.Plain()
				if i > 0 && first.Small {
					text += ", small grid"
				}
				cell = table.Txt(text)
				if strings.HasPrefix(first.Method, "GDL") {
					dictionaries[i]++
				}
			}
			row = append(row, cell)
		}
		t.Add(row...)
	}
	t.Note("First is the highest mean, whatever the deviations: of what is chosen of each method, on fresh repetitions where there are two or more. The paper's rule chooses with the labels, so a method gains by " +
		"the number of its settings; the paper does not print those of SC. Without labels the most stable one is chosen. A rival that has run on a small grid alone may gain by its whole one.")
	return fmt.Sprintf("Of the methods that the paper compares, GDL or GDL_lambda is first on %d of %d data sets in the paper, on %d by our numbers, and on %d "+
		"by ours where settings are chosen without labels.", dictionaries[0], len(datasets), dictionaries[1], dictionaries[2]), t
}
