package tables

import (
	"ogdl/internal/artifact"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// DistanceJudged names two distances of a configuration, which have a verdict.
type DistanceJudged struct {
	Of   *summary.Config
	Pair artifact.DistancePair
}

// DistanceVerdicts compares the paper's correlations with ours at the least lambda on the data set,
// because the paper's figure names no lambda. unasked counts the paper's correlations on other data
// sets.
func DistanceVerdicts(f *summary.Frame) (asked []paper.Verdict, unasked int) {
	_, asked, unasked = JudgeDistances(f)
	return asked, unasked
}

// JudgeDistances returns the verdicts of [DistanceVerdicts], also as a map by configuration and
// pair of distances.
func JudgeDistances(f *summary.Frame) (at map[DistanceJudged]paper.Verdict, asked []paper.Verdict, unasked int) {
	printed := f.Family.Printed
	plain := map[string]*summary.Config{}
	lambda := func(c *summary.Config) float64 { return c.Params.At(summary.ParamLambda).Number }
	for _, l := range f.Rows {
		for _, c := range l.Configs {
			name := printed.DatasetName(l.Dataset)
			if best := plain[name]; best == nil || lambda(c) < lambda(best) {
				plain[name] = c
			}
		}
	}
	at = map[DistanceJudged]paper.Verdict{}
	for _, p := range printed.Correlations {
		c := plain[p.Dataset]
		if c == nil {
			unasked++
			continue
		}
		v := correlationVerdict(c, p)
		asked, at[DistanceJudged{c, p.Pair()}] = append(asked, v), v
	}
	if len(asked) == 0 {
		return nil, nil, 0
	}
	return at, asked, unasked
}

// correlationVerdict compares a printed correlation with a configuration's.
func correlationVerdict(c *summary.Config, p paper.PrintedCorrelation) paper.Verdict {
	pair := p.Pair()
	v := paper.Verdict{Dataset: p.Dataset, Row: artifact.DistancesText(pair.X) + " - " + artifact.DistancesText(pair.Y),
		Paper: p.Pearson, Outcome: paper.NoRun}
	s := c.Over(pair.Score(artifact.CoefficientPearson))
	if s.N == 0 {
		v.Remark = "no cell of the row has ended well"
		return v
	}
	v.Ours, v.OursStd, v.Repetitions = s.Mean, s.Std, s.N
	v.Mark = table.Fewer(s.N, len(c.Runs))
	v.Interval = paper.Sampling{}.Student(s, p.Pearson)
	v.Outcome = v.Judge(p.Digit(), paper.WidestRandIndex/100.)
	if v.Outcome == paper.NoVerdict {
		v.Remark = "one repetition has no interval; "
	}
	if x, ok := c.Params.Get(summary.ParamLambda); ok {
		v.Remark += "lambda " + x.Text() + "; the paper does not say"
	}
	return v
}
