// Package reproduction compares every value that the paper prints with ours, and writes the pages
// that show the comparison: verdicts by the paper's
// protocol and on fresh seeds, causes of differences, findings, and what has not run.
package reproduction

import (
	"slices"
	"strings"

	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// least is the number of repetitions that a verdict needs: the paper's.
const least = 5

// Number is a value of the paper with our row for it.
type Number struct {
	paper.PrintedScore
	Config string       // configuration of the row; "": none
	Grid   gridKind     // that the row has run on
	Row    *summary.Row // nil: no cell of it has run
	// Selected is ours by the paper's protocol: on the repetitions that select the setting.
	// Rerun is ours on fresh seeds of that setting.
	Selected, Rerun value
	Reason          *Reason // given by hand; nil: none
	// Tried counts the settings beyond the grid that have run, Agree how many of these agree; 0 without a reason.
	Tried, Agree int
}

// value is a value of ours with its verdict and the runs behind it.
type value struct {
	paper.Verdict
	Cell table.Cell // blank where nothing has run
	Runs []summary.Run
}

// gridKind is the grid that a value has run on.
type gridKind int

const (
	wholeGrid gridKind = iota
	partGrid           // some of its settings
	smallGrid          // a small grid of our own instead
)

func (g gridKind) String() string {
	return []string{"the paper's grid", "a part of the paper's grid", "a small grid"}[g]
}

// cause is the cause of every difference on such a grid; "" on the whole grid, where the cause is to be found.
func (g gridKind) cause() string { return []string{"", "part of the grid", "small grid"}[g] }

// is reports whether the outcome of a verdict is one of these.
func is(v value, outcomes ...paper.Outcome) bool { return slices.Contains(outcomes, v.Outcome) }

// off reports whether one of the two verdicts is higher or lower.
func (n *Number) off() bool {
	return is(n.Selected, paper.Higher, paper.Lower) || is(n.Rerun, paper.Higher, paper.Lower)
}

// again reports whether the number has a verdict on fresh seeds.
func (n *Number) again() bool { return !is(n.Rerun, paper.NoRun, paper.NoVerdict) }

// last is the value on fresh seeds where it has a verdict, else the value by the paper's protocol.
func (n *Number) last() value {
	if n.again() {
		return n.Rerun
	}
	return n.Selected
}

// ran reports whether the number has a verdict.
func (n *Number) ran() bool { return !is(n.Selected, paper.NoRun, paper.NoVerdict) }

// method is the row of the paper's table.
func (n *Number) method() string { return n.PrintedScore.Row() }

func (n *Number) dataset() string { return n.Dataset }

// where names the number on the pages: its data set, its method, and its table but for the main ones.
func (n *Number) where() string {
	at := slices.IndexFunc(titled, func(t tabled) bool { return t.name == n.Table })
	return n.Dataset + " " + escape(n.method()) + titled[at].suffix
}

// explained reports whether the page of evidence has the number.
func (n *Number) explained() bool {
	return n.Reason != nil && n.Reason.Runs+n.Reason.Nearest+n.Reason.RuledOut != "" || n.seen() != ""
}

// anchor is the name of the number's row on the pages.
func (n *Number) anchor() string {
	return plots.FileWord(n.Table + " " + n.Dataset + " " + strings.NewReplacer("(", "", ")", "", "+ ", "").Replace(n.method()))
}

// numbersOf returns all values of one table of the paper, in its order. Of several parts on one
// table the first whole row counts, else the
// first row that has run at all; a small grid gives way to more settings of the paper's.
func numbersOf(name string, parts []Part) []*Number {
	printed := paper.Numbers()
	var out []*Number
	for _, p := range printed.ScoresOf(name) {
		n := &Number{PrintedScore: p}
		n.Selected.Verdict = paper.Verdict{Dataset: p.Dataset, Row: p.Row(), Paper: p.Mean, Outcome: paper.NoRun}
		n.Rerun = n.Selected
		for _, part := range parts {
			if part.Frame == nil || part.Frame.Family.Name != name {
				continue
			}
			for _, row := range part.Frame.Rows {
				better := n.Row == nil || !n.Row.Settled() && row.Settled() &&
					(!part.Small || row.Complete >= n.Row.Complete)
				if row.Method == p.Row() && printed.DatasetName(row.Dataset) == p.Dataset && row.Judged() != nil && better {
					n.Row, n.Config, n.Grid = row, part.Config, wholeGrid
					if part.Small {
						n.Grid = smallGrid
					} else if !row.Settled() || name == summary.TableClassification && strings.HasPrefix(p.Method, "GWF") { // docs/deviations.md
						n.Grid = partGrid
					}
				}
			}
		}
		if row := n.Row; row != nil {
			c, m := row.Judged(), row.Metric
			n.Selected = value{tables.Judge(row, p, false), row.CellOf(c, m.Measure), c.Runs}
			n.Rerun = value{Verdict: tables.Judge(row, p, true), Runs: c.Confirmed}
			if !m.Nested {
				n.Rerun.Cell = row.ConfirmedCell(c, m.Measure)
			}
			for _, v := range []*value{&n.Selected, &n.Rerun} {
				if v.Repetitions > 0 && v.Repetitions < least {
					v.Outcome = paper.NoVerdict
				}
			}
		}
		out = append(out, n)
	}
	return out
}

func selected(n *Number) value { return n.Selected }
func rerun(n *Number) value    { return n.Rerun }

// signs have a colour and a sign for outcomes.
var signs = map[paper.Outcome]string{paper.Agrees: "🟢= ", paper.Higher: "🔵▲ ", paper.Lower: "🔴▼ ", paper.Undecided: "⚪? "}

// trivial is the score that needs no clustering, or no training; 0 where it is not known.
func (n *Number) trivial() float64 {
	if n.Row == nil {
		return 0
	}
	return max(n.Row.Trivial(), 0)
}

// setting names the selected setting.
func (n *Number) setting() string {
	if n.Row == nil || n.Row.Metric.Nested {
		return ""
	}
	return n.Row.Judged().Params.Describe(n.Row.Names)
}

// printedCell is the paper's value.
func (n *Number) printedCell() table.Cell { return table.MeanStd(n.Mean, n.Std) }

// cause is why a number differs, in a word or two; "" where it does not.
func (n *Number) cause() string {
	switch {
	case n.Reason != nil:
		return n.Reason.Cause
	case n.off() && n.Grid == wholeGrid:
		return "no reason given yet"
	case n.off():
		return n.Grid.cause()
	}
	return ""
}

// seen is what the program sees by itself: trivial levels, collapsed and unstable clusterings, missing runs.
func (n *Number) seen() string {
	remark := n.last().Remark
	if c := n.Rerun; n.again() && c.OursStd == 0 && c.Ours == n.Selected.Ours {
		remark = strings.Join(append(table.When(remark != "", remark), "all repetitions score the same"), "; ")
	}
	return remark
}

// values has the verdicts on all values of one table of the paper.
func (of tabled) values() table.Table {
	family := summary.FamilyOf(of.name)
	m := family.Metric
	level := "trivial"
	if m.Nested {
		level = m.Trivial[0].Short
	}
	t := table.Table{Name: "verdicts_" + of.name}
	t.Columns = table.Columns{
		table.Dataset, table.Method, {Title: "paper", Spread: true}, {Title: "selected", Spread: true},
		{Title: m.Repetitions(), Counted: true}, paper.VerdictColumn, {Title: "re-run", Spread: true, Hidden: m.Nested},
		{Title: "fresh " + m.Repetitions(), Counted: true, Hidden: m.Nested}, {Title: "verdict on re-run", Hidden: m.Nested},
		paper.LowColumn, paper.HighColumn, {Title: level, Right: true}, {Title: m.Beside.Short, Spread: true},
		{Title: "configurations", Counted: true}, {Title: "configuration file"}, {Title: "selected setting"}, {Title: "cause"}, {Title: "why"},
	}
	for _, n := range of.Numbers {
		inPaper := family.PrintedCell(n.method(), n.Dataset)
		if n.Row == nil {
			t.Add(n.Dataset, n.method(), inPaper, "", "", string(n.Selected.Outcome), make([]table.Cell, 11), n.Selected.Remark)
			continue
		}
		s, c := n.Row, n.Row.Judged()
		why, v := "", n.trivial()
		if n.Reason != nil {
			why = n.Reason.Text
		}
		t.Add(n.Dataset, n.method(), inPaper, n.Selected.Cell, c.Repetitions(), string(n.Selected.Outcome), n.Rerun.Cell, s.FreshRepetitions(c),
			string(n.Rerun.Outcome), n.last().IntervalCells()[:2], table.Num(v, 2).Known(v > 0), tables.BesideCell(m, c, s.Mark(c)),
			table.Count(s.Complete, len(s.Configs)), n.Config, n.setting(), n.cause(), why)
	}
	for _, n := range of.Numbers {
		if n.Row != nil && n.Row.Raced() != "" {
			t.Note(n.Dataset + " " + n.method() + ": " + n.Row.Raced() + ".")
		}
	}
	t.Note(table.MarkNotes(t, m.Repetitions())...)
	t.Note("The interval is the 95 % interval of ours less the paper's, of the re-run value where there is one. " +
		"Configurations: settings that have run whole, of all. No verdict: fewer than five repetitions.")
	return t
}
