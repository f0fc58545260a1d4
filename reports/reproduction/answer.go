package reproduction

import (
	"fmt"
	"slices"
	"strings"

	"ogdl/internal/words"
	"ogdl/reports/paper"
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

// answer says what the numbers of a section come to, by the confirmed number where there is one: on the paper's grid, on small ones, and what is behind
// those that are reproduced.
func answer(s *section, numbers []*Number) string {
	come := func(numbers []*Number) string {
		var parts []string
		for _, c := range counted {
			n := count(numbers, func(n *Number) bool { return n.Verdict().Outcome == c.outcome })
			if n > 0 && c.outcome != paper.NoRun && c.outcome != paper.PrintedOnly {
				parts = append(parts, fmt.Sprintf("%d %s", n, c.words))
			}
		}
		return strings.Join(parts, ", ")
	}
	is := func(outcomes ...paper.Outcome) func(*Number) bool {
		return func(n *Number) bool { return slices.Contains(outcomes, n.Verdict().Outcome) }
	}
	text := fmt.Sprintf("Of %d printed %s", len(numbers), s.scores)
	ran := slices.DeleteFunc(slices.Clone(numbers), is(paper.NoRun, paper.PrintedOnly))
	whole := wholeGrid.of(ran)
	if text += fmt.Sprintf(" %s run on the paper's whole grid", words.Plural(len(whole), "has", "have")); len(whole) > 0 {
		text += ": " + come(whole)
	}
	if slices.ContainsFunc(whole, func(n *Number) bool { return n.Verdict() != n.Chosen }) {
		chosen := func(outcome paper.Outcome) int {
			return count(whole, func(n *Number) bool { return n.Chosen.Outcome == outcome })
		}
		text += fmt.Sprintf(", by fresh repetitions of what is chosen; by those that chose it, as in the paper, %d are reproduced and %d lower",
			chosen(paper.Reproduced), chosen(paper.Lower))
	}
	text += "."
	if part := partGrid.of(ran); len(part) > 0 {
		text += fmt.Sprintf(" %s run on a part of it: %s.", words.Plural(len(part), "has", "have"), come(part))
	}
	if small := smallGrid.of(ran); len(small) > 0 {
		text += fmt.Sprintf(" %s run on a small grid of our own alone, which says less: %s.", words.Plural(len(small), "has", "have"), come(small))
	}
	for _, rest := range []struct {
		outcome   paper.Outcome
		one, more string
	}{{paper.NoRun, "has not been computed", "have not been computed"}, {paper.PrintedOnly, "is printed only", "are printed only"}} {
		if n := count(numbers, is(rest.outcome)); n > 0 {
			text += fmt.Sprintf(" %s.", words.Plural(n, rest.one, rest.more))
		}
	}
	held := slices.DeleteFunc(ran, func(n *Number) bool { return !is(paper.Reproduced)(n) })
	if len(held) == 0 {
		return text
	}
	text += fmt.Sprintf(" Of the %d reproduced %d lie at or below a trivial level, which says little.", len(held),
		count(held, func(n *Number) bool { return n.Mean <= n.trivial() }))
	var widths []float64
	for _, n := range held {
		if v := n.Verdict(); v.Known {
			widths = append(widths, v.High-v.Low)
		}
	}
	if slices.Sort(widths); len(widths) > 0 {
		k := len(widths)
		text += fmt.Sprintf(" The intervals of the reproduced are %.1f points wide in the median.", (widths[(k-1)/2]+widths[k/2])/2)
	}
	return text
}

// verdict answers the question of the page in one sentence for each section: what has run on the paper's whole grid, which alone can tell.
func verdict(all map[string][]*Number) string {
	var parts []string
	held, off := 0, 0
	for _, s := range sections {
		on := wholeGrid.of(s.of(all))
		is := func(outcome paper.Outcome) int {
			return count(on, func(n *Number) bool { return n.Verdict().Outcome == outcome })
		}
		ran := len(on) - is(paper.NoRun) - is(paper.PrintedOnly) - is(paper.NoVerdict)
		if ran == 0 {
			continue
		}
		good, bad := is(paper.Reproduced), is(paper.Higher)+is(paper.Lower)
		parts = append(parts, fmt.Sprintf("%d of %d printed %s hold, %d do not, %d are not settled", good, ran, s.scores, bad, ran-good-bad))
		held, off = held+good, off+bad
	}
	short := "In part"
	switch {
	case held+off == 0:
		short = "Not known yet"
	case off == 0:
		short = "Yes, as far as it is settled"
	case held == 0:
		short = "No"
	}
	if len(parts) == 0 {
		parts = []string{"nothing has run"}
	}
	return fmt.Sprintf("**%s.** On the paper's whole grid %s.", short, strings.Join(parts, "; "))
}

// legend explains the words of the answer and of the counts.
var legend = []string{
	"Reproduced: the 95 % interval of our mean less the paper's holds 0 and is at most 6 points wide (accuracies: 15). Not settled: it holds 0 and is wider. " +
		"Higher, lower: ours is, and the interval excludes 0. Printed only: the paper does not describe the method well enough to compute it.",
	"Chosen: what the paper's rule takes of a grid, alpha by the lowest objective (SC has none) and the rest by the labels. Confirmed: the same setting on fresh " +
		"repetitions, which decide: 20 on the paper's grid, 5 on a small one, none on a part. Nested: inner splits choose (but the test folds the epoch of GIN-0, as in the paper).",
	"A part of the paper's grid is some of its settings, all else as it is; the others may bring a number back. A small grid is a cheaper one of our own, " +
		"where the paper's has not run whole: fewer settings, mostly shorter training and other steps, some alphas outside the paper's lists. What is higher or lower there is no evidence against the print.",
	"Trivial is what one cluster for all graphs, or independent random labels, score; of accuracies, the largest class.",
}
