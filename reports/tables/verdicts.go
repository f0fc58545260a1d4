package tables

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/words"
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
	for _, p := range k.Printed.ScoresOf(k.Name) {
		if s := ours[[2]string{p.Row(), p.Dataset}]; s != nil {
			asked = append(asked, verdictOf(s, p))
		} else {
			unasked++
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
	return verdictOf(s, p)
}

// verdictOf compares the row's number with the paper's: the re-run one where there is one, else the selected one.
func verdictOf(s *summary.Row, p paper.PrintedScore) paper.Verdict {
	if v := Judge(s, p, true); v.Outcome != paper.NoRun {
		return v
	}
	return Judge(s, p, false)
}

// Judge compares a number of the row's selected setting with the paper's: the number by which it was selected (the nested one of
// accuracies), or the number on fresh repetitions. The outcome is [paper.NoRun] without a run, or with fewer than two fresh ones.
func Judge(s *summary.Row, p paper.PrintedScore, fresh bool) paper.Verdict {
	v := paper.Verdict{Dataset: p.Dataset, Row: p.Row(), Paper: p.Mean, Outcome: paper.NoRun, Confirmed: fresh}
	selected := s.Judged()
	if selected == nil {
		v.Remark = words.If(s.Metric.Nested && s.Oracle != nil, "only test labels could select one of the settings")
		return v
	}
	runs := selected.Runs
	if fresh {
		runs = selected.Confirmed
	}
	of := s.Metric.Sample(s.Metric.Measure, runs)
	if v.Repetitions = of.N; fresh && of.N < 2 {
		return v
	}
	v.Ours, v.OursStd = of.Mean, of.Std
	v.Interval, v.Outcome = against(s, p, of)
	choices := paper.Numbers().Category(p.Table, p.Method).Choices // of the method, that are ours
	v.Remark = strings.Join(append(doubts(s, v, p, of, runs), table.When(choices != "", choices)...), "; ")
	return v
}

// against compares a mean over runs of a row with the paper's value.
func against(s *summary.Row, p paper.PrintedScore, of paper.Stat) (paper.Interval, paper.Outcome) {
	sampling, rounding := s.Metric.Sampling(s.Dataset), 0.0
	if of.Std == 0 && p.Std == 0 {
		rounding = scoreRounding
	}
	i := sampling.Welch(of, p.Mean, p.Std)
	return i, i.Judge(rounding, sampling.Widest)
}

// Agrees reports whether the scores of a row's setting over all repetitions agree with a value of the paper, or are undecided where no
// score can agree since the paper's deviation is too large.
func Agrees(s *summary.Row, c *summary.Config, p paper.PrintedScore) bool {
	of := s.Metric.Sample(s.Metric.Measure, c.Runs)
	_, constant := against(s, p, paper.Stat{Mean: p.Mean, N: max(2, of.N)})
	_, o := against(s, p, of)
	return c.Complete() && (o == paper.Agrees || o == paper.Undecided && o == constant)
}

// scoreRounding is half a unit of the last of the two decimals that the paper prints of a score.
const scoreRounding = 0.005

// TrivialReach is the margin, in points, within which a score counts as trivial.
const TrivialReach = 0.5

// manyCapped is the share of SVMs that stopped early above which a score is doubted.
const manyCapped = 0.05

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
	share := summary.LargestShare(found)
	agreement, _ := summary.Stability(found)
	return slices.Concat(parts, trivial,
		table.When(share >= summary.DegenerateShare, fmt.Sprintf("our clusters have collapsed: %.1f %% of the graphs are in one", 100*share)),
		table.When(agreement < summary.Unstable,
			fmt.Sprintf("ours is unstable: the clusterings of two repetitions agree to an adjusted Rand Index of %.2f", agreement)))
}

// DistanceVerdicts compares the paper's correlations with ours at the least lambda on the data set,
// because the paper's figure names no lambda. unasked counts the paper's correlations on other data
// sets.
func DistanceVerdicts(f *summary.Frame) (asked []paper.Verdict, unasked int) {
	for _, p := range f.Family.Printed.Correlations {
		if c := plainest(f, p.Dataset); c != nil {
			asked = append(asked, JudgeDistances(f, c, p))
		} else {
			unasked++
		}
	}
	if len(asked) == 0 {
		return nil, 0
	}
	return asked, unasked
}

// plainest returns the configuration with the least lambda on a data set, by the paper's name; nil without any.
func plainest(f *summary.Frame, dataset string) (best *summary.Config) {
	for l, c := range summary.Configs(f.Rows) {
		if f.Family.Printed.DatasetName(l.Dataset) == dataset && (best == nil || c.Lambda() < best.Lambda()) {
			best = c
		}
	}
	return best
}

// JudgeDistances compares a printed correlation with a configuration's. It returns the zero verdict for a configuration that
// [DistanceVerdicts] does not compare.
func JudgeDistances(f *summary.Frame, c *summary.Config, p paper.PrintedCorrelation) paper.Verdict {
	if c != plainest(f, p.Dataset) {
		return paper.Verdict{}
	}
	pair := p.Pair()
	v := paper.Verdict{Dataset: p.Dataset, Row: artifact.DistancesText(pair.X, "GW") + " - " + artifact.DistancesText(pair.Y, "GW"),
		Paper: p.Pearson, Outcome: paper.NoRun}
	s := c.Over(pair.Score(artifact.CoefficientPearson))
	if s.N == 0 {
		v.Remark = "no cell of the row has ended well"
		return v
	}
	v.Ours, v.OursStd, v.Repetitions = s.Mean, s.Std, s.N
	v.Interval = paper.Sampling{}.Student(s, p.Pearson)
	v.Outcome = v.Judge(math.Pow(10, -float64(p.Decimals)), paper.WidestRandIndex/100.) // one unit of the last printed digit
	v.Remark = words.If(v.Outcome == paper.NoVerdict, "one repetition has no interval; ")
	if x, ok := c.Params.Get(summary.ParamLambda); ok {
		v.Remark += "lambda " + x.Text() + "; the paper does not say"
	}
	return v
}
