// Package reproduction says of every number that the paper prints whether it holds: the verdicts on what was chosen and on what was confirmed,
// side by side, the reason where one does not, and what has not been computed.
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

// least is how many repetitions a number must be a mean of for a verdict: as many as the paper's.
const least = 5

// Number is a score that the paper prints, with what stands beside it.
type Number struct {
	paper.PrintedScore
	Config string       // whose row stands beside it; "": none
	Grid   grid         // that the row has run on
	Row    *summary.Row // nil: no cell of it has run
	// Chosen is the verdict on the number that the configuration was chosen for, and Confirmed that on the repetitions that confirm it.
	Chosen, Confirmed paper.Verdict
	Reason            *Reason // given by hand; nil: none
}

// Verdict is the one that counts where there are two: on the confirmed number.
func (n *Number) Verdict() paper.Verdict {
	if n.Confirmed.Outcome != paper.NoRun && n.Confirmed.Outcome != paper.NoVerdict {
		return n.Confirmed
	}
	return n.Chosen
}

// fails reports whether the number does not hold on the paper's whole grid, so that there is a reason to look for.
func (n *Number) fails() bool { return n.off() && n.Grid == wholeGrid }

// off reports whether the number does not hold, on whatever grid.
func (n *Number) off() bool {
	return slices.Contains([]paper.Outcome{paper.Higher, paper.Lower}, n.Verdict().Outcome)
}

// numbersOf are all that the paper prints in a table of scores, in its order. Of several parts on one table the first stands beside a number whose
// row is whole, else the first that has something of it; a small grid gives way to more configurations of the paper's.
func numbersOf(name string, parts []Part) []*Number {
	printed := paper.Numbers()
	family := summary.FamilyOf(printed, name)
	var out []*Number
	for _, p := range printed.ScoresOf(name) {
		n := &Number{PrintedScore: p}
		n.Chosen = paper.Verdict{Dataset: p.Dataset, Row: p.Row(), Paper: p.Mean, Outcome: paper.NoRun}
		n.Confirmed = n.Chosen
		if why := family.PrintedOnly(p.Row()); why != "" {
			n.Chosen.Outcome, n.Chosen.Remark = paper.PrintedOnly, why
		}
		for _, part := range parts {
			if !part.of(name) {
				continue
			}
			for _, row := range part.Frame.Rows {
				better := n.Row == nil || n.Row.Complete < len(n.Row.Configs) && row.Complete == len(row.Configs) &&
					(!part.Small || row.Complete >= n.Row.Complete)
				if row.Method == p.Row() && printed.DatasetName(row.Dataset) == p.Dataset && row.Judged() != nil && better {
					n.Row, n.Config, n.Grid = row, part.Config, gridOf(&part, row)
				}
			}
		}
		if n.Row != nil {
			n.Chosen, n.Confirmed = tables.ChosenVerdict(n.Row, p), tables.ConfirmedVerdict(n.Row, p)
			for _, v := range []*paper.Verdict{&n.Chosen, &n.Confirmed} {
				if v.Repetitions > 0 && v.Repetitions < least {
					v.Outcome = paper.NoVerdict
				}
			}
		}
		out = append(out, n)
	}
	return out
}

// counted are the columns of a table of counts.
var counted = []struct {
	outcome paper.Outcome
	words   string
}{
	{paper.Reproduced, "reproduced"}, {paper.Higher, "higher"}, {paper.Lower, "lower"}, {paper.NotSettled, "not settled"},
	{paper.NoVerdict, fmt.Sprintf("with fewer than %d repetitions", least)}, {paper.NoRun, "not computed"},
	{paper.PrintedOnly, "printed only"},
}

// counts is the table of how many numbers of the sections have which outcome. What no number has come to has no column, but for the verdicts.
func counts(all map[string][]*Number) table.Table {
	type line struct {
		what    string
		numbers []*Number
		outcome func(*Number) paper.Outcome
	}
	var lines []line
	of := func(l line, outcome paper.Outcome) int {
		return count(l.numbers, func(n *Number) bool { return l.outcome(n) == outcome })
	}
	chosen := func(n *Number) paper.Outcome { return n.Chosen.Outcome }
	confirmed := func(n *Number) paper.Outcome { return n.Confirmed.Outcome }
	add := func(what string, numbers []*Number, outcome func(*Number) paper.Outcome) {
		lines = append(lines, line{what, numbers, outcome})
	}
	for _, s := range sections {
		numbers := s.of(all)
		for _, g := range grids {
			on, title := g.of(numbers), s.title
			if len(on) < len(numbers) {
				title += ", " + g.name()
			}
			switch {
			case len(on) == 0:
			case summary.FamilyOf(paper.Numbers(), s.tables[0]).Metric.Nested:
				add(title+", nested", on, chosen)
			default:
				add(title+", chosen", on, chosen)
				if g != partGrid { // the program confirms what is chosen of a whole grid
					add(title+", confirmed", on, confirmed)
				}
			}
		}
	}
	t := table.Table{Columns: table.Columns("*printed numbers", ">in all"), Rows: make([][]table.Cell, len(lines))}
	for i, l := range lines {
		t.Rows[i] = []table.Cell{table.Txt(l.what), table.Int(len(l.numbers))}
	}
	for k, c := range counted {
		if k >= 4 && !slices.ContainsFunc(lines, func(l line) bool { return of(l, c.outcome) > 0 }) {
			continue
		}
		t.With(">" + c.words)
		for i, l := range lines {
			t.Rows[i] = append(t.Rows[i], table.Int(of(l, c.outcome)))
		}
	}
	return t
}

// trivial is the level that needs no clustering, or no training; 0 where it is not known.
func (n *Number) trivial() float64 {
	if n.Row == nil {
		return 0
	}
	return max(n.Row.Trivial(), 0)
}

// tableOf is the table of the numbers that the paper prints in one of its tables. In short, reasons that stand in the list of what does not hold
// are named by their cause alone.
func tableOf(name, title string, numbers []*Number, short bool) table.Table {
	family := summary.FamilyOf(paper.Numbers(), name)
	m := family.Metric
	chosen, level := "chosen", "trivial"
	if m.Nested {
		chosen, level = "nested", m.Trivial[0].Short
	}
	t := table.Table{Name: "verdicts_" + name, Title: title,
		Columns: table.Columns("*data set", "*method", "~paper", "~"+chosen, "/"+m.Repetitions(), "verdict")}
	t.With(table.When(!m.Nested, "~confirmed", "/fresh "+m.Repetitions(), "verdict on confirmed")...)
	t.With(paper.IntervalColumns()[:2]...)
	t.With(">"+level, "~"+m.Beside.Short, "/configurations", "configuration file", "reason")
	for _, n := range numbers {
		row := []table.Cell{table.Txt(n.Dataset), table.Txt(n.PrintedScore.Row()), family.PrintedCell(n.PrintedScore.Row(), n.Dataset)}
		if n.Row == nil {
			row = append(row, table.Cell{}, table.Cell{}, table.Txt(said(n.Chosen, m)))
			row = append(row, make([]table.Cell, len(t.Columns)-len(row)-1)...)
			t.Add(append(row, table.TextOrBlank(n.Chosen.Remark))...)
			continue
		}
		s, c := n.Row, n.Row.Judged()
		row = append(row, s.CellOf(c, m.Measure), s.Repetitions(c), table.Txt(said(n.Chosen, m)))
		if !m.Nested {
			row = append(row, s.ConfirmedCell(c, m.Measure), s.FreshRepetitions(c), table.Txt(said(n.Confirmed, m)))
		}
		trivial := table.None()
		if v := n.trivial(); v > 0 {
			trivial = table.Num(v, 2)
		}
		why := n.why()
		if short && n.off() {
			why = n.cause()
		}
		row = append(row, n.Verdict().IntervalCells()[:2]...)
		t.Add(append(row, trivial, tables.BesideCell(m, c, s.Mark(c)), table.Count(s.Complete, len(s.Configs)), table.Txt(n.Config),
			table.TextOrBlank(why))...)
	}
	t.Note(table.MarkNotes(t, m.Repetitions())...)
	if m.Nested {
		t.Note(fmt.Sprintf("%s: the score of %s. %s: of the configurations that are chosen, on the training parts alone.", level,
			m.Trivial[0].Label, m.Beside.Short), paper.AccuracyInterval)
	} else {
		t.Note(fmt.Sprintf("%s: the higher of the scores of %s and of %s. %s: the %s of what is chosen, in percent; chance has 0.", level,
			m.Trivial[0].Label, m.Trivial[1].Label, m.Beside.Short, m.Beside.Label), paper.IntervalNote)
	}
	return t
}

// said is a verdict's outcome in words.
func said(v paper.Verdict, m *summary.Metric) string {
	switch v.Outcome {
	case paper.NoRun:
		return "not computed"
	case paper.NoVerdict:
		return fmt.Sprintf("none: fewer than %d %s", least, m.Repetitions())
	}
	return string(v.Outcome)
}

// failing is the table of those of the numbers that do not hold, and reasons says why, one by one.
func failing(numbers []*Number) (t table.Table, reasons []string) {
	t.Columns = table.Columns("*table", "*data set", "*method", "~paper", "~ours", "verdict", ">settings above the paper's", "cause")
	for _, n := range numbers {
		if !n.off() {
			continue
		}
		verdict := string(n.Verdict().Outcome)
		if n.Verdict().Confirmed {
			verdict += ", confirmed"
		}
		family := summary.FamilyOf(paper.Numbers(), n.Table)
		t.Add(table.Txt(family.Title), table.Txt(n.Dataset), table.Txt(n.PrintedScore.Row()), table.MeanStd(n.Mean, n.Std), n.ours(family.Metric.Measure),
			table.Txt(verdict), n.above(), table.Txt(n.cause()))
		if n.Reason != nil || n.Verdict().Remark != "" {
			reasons = append(reasons, fmt.Sprintf("**%s, %s, %s**: %s.", family.Title, n.Dataset, n.PrintedScore.Row(), n.why()))
		}
	}
	t.Note("Settings above the paper's: how many settings of the row have a mean above the paper's, over the repetitions that choose.")
	t.Note(table.MarkNotes(t, "repetitions")...)
	return t, reasons
}

// above counts the settings that have a higher mean than the paper's number, of those that have all their repetitions.
func (n *Number) above() table.Cell {
	higher, ran := 0, 0
	for _, c := range n.Row.Configs {
		if c.Complete() {
			ran++
			if n.Row.Metric.Of(n.Row.Metric.Measure, c.Runs).Mean > n.Mean {
				higher++
			}
		}
	}
	return table.Count(higher, ran)
}

// ours is what the verdict is about, by this measure; blank where nothing of the row has run.
func (n *Number) ours(x summary.Measure) table.Cell {
	switch {
	case n.Row == nil:
		return table.Cell{}
	case n.Verdict().Confirmed:
		return n.Row.ConfirmedCell(n.Row.Judged(), x)
	}
	return n.Row.CellOf(n.Row.Judged(), x)
}

// runs are those behind ours.
func (n *Number) runs() []summary.Run {
	switch {
	case n.Row == nil:
		return nil
	case n.Verdict().Confirmed:
		return n.Row.Judged().Confirmed
	}
	return n.Row.Judged().Runs
}

// withoutLabels is what the row comes to where its configuration is chosen without labels, with the runs behind it.
func (n *Number) withoutLabels(x summary.Measure) (table.Cell, []summary.Run) {
	if n.Row == nil || n.Row.Free.Config == nil {
		return table.Cell{}, nil
	}
	c := n.Row.Free.Config
	if n.Row.Metric.Of(x, c.Confirmed).N > 1 {
		return n.Row.ConfirmedCell(c, x), c.Confirmed
	}
	return n.Row.CellOf(c, x), c.Runs
}

// cause is why a number does not hold, in a word or two; "" where it holds.
func (n *Number) cause() string {
	switch {
	case n.Reason != nil:
		return n.Reason.Cause
	case n.fails():
		return "no reason given yet"
	case n.off():
		return n.Grid.cause()
	}
	return ""
}

// why says why a number does not hold, by hand where somebody has looked, and what the program sees.
func (n *Number) why() string {
	var parts []string
	switch cause := n.cause(); {
	case n.Reason != nil:
		parts = append(parts, cause+": "+n.Reason.Text)
	case cause != "":
		parts = append(parts, cause)
	}
	if remark := n.Verdict().Remark; remark != "" {
		parts = append(parts, "seen by the program: "+remark)
	}
	if c := n.Confirmed; c.Outcome != paper.NoRun && c.OursStd == 0 && c.Ours == n.Chosen.Ours {
		parts = append(parts, "no seed changes it: the confirmed number is the chosen one again")
	}
	return strings.Join(parts, "; ")
}
