package tables

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// ScoreVerdicts compares the scores of the paper that the configuration asks for with ours; unasked counts the others. Ours
// is the setting with the highest mean score, as in the paper, on fresh repetitions where there are any, or, of accuracies,
// the setting that every split selects by its training part. A configuration without the paper's data sets has no verdicts.
func ScoreVerdicts(f *summary.Frame) (asked []paper.Verdict, unasked int) {
	return verdictsOf(f.Family, f.Rows)
}

func verdictsOf(k summary.Family, rows []*summary.Row) (asked []paper.Verdict, unasked int) {
	ours, _, datasets := byPlace(k, rows)
	if !slices.ContainsFunc(datasets, func(name string) bool { return slices.Contains(k.Datasets, name) }) {
		return nil, 0
	}
	for _, d := range k.Datasets {
		for _, m := range k.Methods {
			p, ok := k.Score(m, d)
			switch s := ours[[2]string{m, d}]; {
			case !ok:
			case s == nil:
				unasked++
			default:
				asked = append(asked, VerdictOf(s, p))
			}
		}
	}
	return asked, unasked
}

// byPlace gives the rows by method and the paper's name of the data set, with the methods and data sets that there are.
func byPlace(k summary.Family, rows []*summary.Row) (at map[[2]string]*summary.Row, methods, datasets []string) {
	name := func(s *summary.Row) string { return k.Printed.DatasetName(s.Dataset) }
	at = map[[2]string]*summary.Row{}
	for _, s := range rows {
		at[[2]string{s.Method, name(s)}] = s
	}
	return at, paper.Distinct(rows, func(s *summary.Row) string { return s.Method }), paper.Distinct(rows, name)
}

// verdictAt is the verdict on a row; the zero one where the paper has no value.
func verdictAt(k summary.Family, s *summary.Row) paper.Verdict {
	p, ok := k.Score(s.Method, k.Printed.DatasetName(s.Dataset))
	if !ok {
		return paper.Verdict{}
	}
	return VerdictOf(s, p)
}

// VerdictOf compares the row's number with the paper's: the re-run one where there is one, else the selected one.
func VerdictOf(s *summary.Row, p paper.PrintedScore) paper.Verdict {
	if v := ConfirmedVerdict(s, p); v.Outcome != paper.NoRun {
		return v
	}
	return ChosenVerdict(s, p)
}

// ChosenVerdict compares the number by which the row's setting was selected, or of accuracies the nested one, with the paper's.
func ChosenVerdict(s *summary.Row, p paper.PrintedScore) paper.Verdict {
	v := paper.Verdict{Dataset: p.Dataset, Row: p.Row(), Paper: p.Mean, Outcome: paper.NoRun}
	selected := s.Judged()
	if selected == nil {
		v.Remark = noRun(s)
		return v
	}
	v.Mark = s.Mark(selected)
	return judged(s, p, v, s.Metric.Sample(s.Metric.Measure, selected.Runs), selected.Runs)
}

// ConfirmedVerdict compares the number on fresh repetitions of the row's setting with the paper's. Its outcome is
// [paper.NoRun] where there are fewer than two.
func ConfirmedVerdict(s *summary.Row, p paper.PrintedScore) paper.Verdict {
	v := paper.Verdict{Dataset: p.Dataset, Row: p.Row(), Paper: p.Mean, Outcome: paper.NoRun}
	selected := s.Judged()
	if selected == nil {
		return v
	}
	fresh := s.Metric.Of(s.Metric.Measure, selected.Confirmed)
	if v.Repetitions = fresh.N; fresh.N < 2 {
		return v
	}
	v.Confirmed, v.Mark = true, cmp.Or(table.Fewer(fresh.N, len(selected.Confirmed)), s.Mark(selected))
	return judged(s, p, v, fresh, selected.Confirmed)
}

// judged fills in a verdict on runs of the row.
func judged(s *summary.Row, p paper.PrintedScore, v paper.Verdict, of paper.Stat, runs []summary.Run) paper.Verdict {
	sampling := s.Metric.Sampling(s.Dataset)
	v.Ours, v.OursStd, v.Repetitions = of.Mean, of.Std, of.N
	v.Interval = sampling.Welch(of, p.Mean, p.Std)
	rounding := 0.0
	if of.Std == 0 && p.Std == 0 {
		rounding = scoreRounding
	}
	v.Outcome = v.Judge(rounding, sampling.Widest)
	choices := paper.Numbers().Category(p.Table, p.Method).Choices // of the method, that are ours
	v.Remark = strings.Join(slices.Concat(unfinishedOf(s, v), unsettled(sampling, v, of, p), doubts(s, v, p, of, runs),
		table.When(choices != "", choices)), "; ")
	return v
}

// scoreRounding is half a unit of the last of the two decimals that the paper prints of a score.
const scoreRounding = 0.005

// noRun says why a row has no number.
func noRun(s *summary.Row) string {
	for r := range s.All() {
		if r.Record != nil {
			note := strings.Join(statusNotes([]*summary.Row{s}), " ")
			return strings.TrimSuffix(strings.TrimPrefix(note, s.Dataset+" "+s.Method+", "), ".")
		}
	}
	return "no cell of the row has run"
}

// unfinishedOf lists the repetitions and configurations that a verdict lacks.
func unfinishedOf(s *summary.Row, v paper.Verdict) (parts []string) {
	if c := s.Judged(); v.Confirmed && v.Repetitions < len(c.Confirmed) {
		parts = append(parts, fmt.Sprintf("%d of %d fresh %s", v.Repetitions, len(c.Confirmed), s.Metric.Repetitions()))
	} else if !c.Complete() {
		parts = append(parts, fmt.Sprintf("%d of %d %s", c.Done, len(c.Runs), s.Metric.Repetitions()))
	}
	if !s.Settled() {
		parts = append(parts, fmt.Sprintf("%d of %d settings finished", s.Complete, len(s.Configs)))
	}
	return parts
}

// unsettled says how many more repetitions would settle an undecided value, or why none would.
func unsettled(sampling paper.Sampling, v paper.Verdict, of paper.Stat, p paper.PrintedScore) []string {
	atBest := sampling.AtBest(of, p.Std)
	switch {
	case v.Outcome == paper.NoVerdict:
		return []string{"one repetition has no interval"}
	case v.Outcome != paper.Undecided:
		return nil
	case v.Interval.Paper > sampling.Widest:
		return []string{fmt.Sprintf("more repetitions would not help: the spread of the paper's value alone makes the interval %.2f points wide",
			v.Interval.Paper)}
	case atBest > sampling.Widest:
		return []string{fmt.Sprintf("more repetitions would not help: the graphs that splits share keep the interval %.2f points wide", atBest)}
	}
	if n := sampling.Enough(of, p.Std); n > 0 {
		return []string{fmt.Sprintf("more repetitions would help: about %d, if ours keeps its spread", n)}
	}
	return []string{fmt.Sprintf("more repetitions would hardly help: over %d, if ours keeps its spread", paper.ManyRuns)}
}

// TrivialReach is the margin, in points, within which a score counts as trivial.
const TrivialReach = 0.5

// Thresholds of [doubts]: clusterings below unstableBelow are unstable; above manyCapped, too many
// SVMs stopped early.
const (
	unstableBelow = 0.5 // mean adjusted Rand Index between the clusterings of two repetitions
	manyCapped    = 0.05
)

// doubts lists reasons to distrust the paper's value, or ours if it is far off: a trivial level,
// collapsed or unstable clusters, SVMs stopped early.
func doubts(s *summary.Row, v paper.Verdict, p paper.PrintedScore, of paper.Stat, runs []summary.Run) (parts []string) {
	level, m, widest := s.Trivial(), s.Metric, s.Metric.Sampling(s.Dataset).Widest
	parts = table.When(p.Mean <= level, fmt.Sprintf("the paper's value is at or below %.2f, the score of %s", level, m.TrivialScores))
	if v.Outcome != paper.Higher && v.Outcome != paper.Lower || math.Abs(v.Diff) <= widest {
		return parts
	}
	trivial := table.When(of.Mean <= level+TrivialReach, fmt.Sprintf("ours is not above the trivial level, %.2f", level))
	if m.Nested {
		all, capped := fits(slices.Values(runs))
		return slices.Concat(parts, trivial, table.When(capped > manyCapped*all,
			fmt.Sprintf("%.1f %% of our SVMs stopped at their cap", 100*(capped/all))))
	}
	found := summary.Clustered(runs)
	share, agreement := summary.LargestShare(found), summary.Stability(found)
	far := slices.Concat(
		trivial,
		table.When(share >= summary.DegenerateShare, fmt.Sprintf("our clusters have collapsed: %.1f %% of the graphs are in one", 100*share)),
		table.When(agreement < unstableBelow,
			fmt.Sprintf("ours is unstable: the clusterings of two repetitions agree to an adjusted Rand Index of %.2f", agreement)),
		table.When(v.Interval.Paper > widest, fmt.Sprintf("the paper's value varies: its deviation over five runs is %.2f", p.Std)))
	if len(far) == 0 {
		far = []string{"ours is above trivial levels, not collapsed and stable"}
	}
	return append(parts, far...)
}
