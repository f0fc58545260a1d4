package tables

import (
	"fmt"
	"math"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"slices"
	"strings"
)

// Verdicts compares the numbers that the paper prints for a configuration's kind of
// table, and that the configuration asks for, with ours: the Rand Indices of the clustering tables, or the statistics of
// the data sets. unasked counts the printed numbers that it does not ask for. Ours is the configuration with the highest mean Rand Index, as in the
// paper, on fresh repetitions where they have confirmed it. It is empty for a configuration that has none of the paper's data sets, and for
// [TableRuntimes], whose numbers are durations (see [Runtimes]), and for figures but
// [FigureDistances], with its correlations.
func Verdicts(f *summary.Frame) (asked []paper.Verdict, unasked int) {
	switch f.Table {
	case summary.TableRuntimes:
		return nil, 0
	case summary.TableDatasets:
		return datasetVerdicts(DatasetRows(f))
	}
	switch {
	case f.Table == summary.FigureDistances:
		return distanceVerdicts(f)
	case summary.IsFigure(f.Table):
		return nil, 0
	}
	return clusteringVerdicts(f.Kind, f.Rows)
}

// verdicts judges the rows of a clustering table.
func clusteringVerdicts(k summary.Kind, rows []*summary.Row) (asked []paper.Verdict, unasked int) {
	ours := map[[2]string]*summary.Row{}
	known := false
	for _, s := range rows {
		name := k.Printed.DatasetName(s.Dataset)
		known = known || slices.Contains(k.Datasets, name)
		ours[[2]string{s.Method, name}] = s
	}
	if !known {
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

// verdict compares the row's number with what the paper prints for it.
func VerdictOf(s *summary.Row, p paper.PrintedScore) paper.Verdict {
	v := paper.Verdict{
		Dataset: p.Dataset, Row: p.Row(), Quantity: "Rand Index, %",
		Paper: p.Mean, PaperStd: p.Std, Outcome: paper.NoRun,
	}
	if s.Oracle == nil {
		v.Remark = noRun(s)
		return v
	}
	of, runs := s.Oracle.Stat("ri", 100), s.Oracle.Runs
	v.Mark = s.Mark(s.Oracle)
	if fresh := summary.StatOver(s.Oracle.Confirmed, "ri", 100); fresh.N > 1 {
		of, runs, v.Confirmed = fresh, s.Oracle.Confirmed, true
		if fresh.N < len(runs) {
			v.Mark = table.MarkSeeds
		}
	}
	v.Ours, v.OursStd, v.Seeds = of.Mean, of.Std, of.N
	i := paper.Welch(of, p.Mean, p.Std)
	v.Low, v.High, v.HasInterval = i.Low, i.High, i.Known
	rounding := 0.0
	if of.Std == 0 && p.Std == 0 {
		rounding = scoreRounding
	}
	v.Outcome = i.Judge(rounding, paper.WidestReproduced)
	v.Remark = strings.Join(slices.Concat(unfinishedOf(s, v), unsettled(v.Outcome, i, of, p), doubts(s, v.Outcome, i, p, of, runs)), "; ")
	return v
}

// scoreRounding is half a unit of the last of the two decimals that the paper prints of a Rand
// Index.
const scoreRounding = 0.005

// noRun says why a row has no number.
func noRun(s *summary.Row) string {
	for r := range s.All() {
		if r.Record != nil {
			note := strings.Join(statusNotes([]*summary.Row{s}), " ")
			return strings.TrimSuffix(strings.TrimPrefix(note, s.Dataset+" "+s.Method+", "), ".")
		}
	}
	return "no cell of it has run"
}

// unfinished says what a verdict does not rest on.
func unfinishedOf(s *summary.Row, v paper.Verdict) (parts []string) {
	if c := s.Oracle; v.Confirmed && v.Seeds < len(c.Confirmed) {
		parts = append(parts, fmt.Sprintf("%d of %d fresh seeds", v.Seeds, len(c.Confirmed)))
	} else if !c.Complete() {
		parts = append(parts, fmt.Sprintf("%d of %d seeds", c.Done, len(c.Runs)))
	}
	if s.Complete < len(s.Configs) {
		parts = append(parts, fmt.Sprintf("%d of %d configurations finished", s.Complete, len(s.Configs)))
	}
	return parts
}

// unsettled says what would settle a number that is not.
func unsettled(o paper.Outcome, i paper.Interval, of paper.Stat, p paper.PrintedScore) []string {
	switch {
	case o == paper.NoVerdict:
		return []string{"one repetition has no interval"}
	case o != paper.NotSettled:
		return nil
	case i.Paper > paper.WidestReproduced:
		return []string{fmt.Sprintf("more repetitions would not help: the print's own spread alone makes the interval %.1f points wide", i.Paper)}
	}
	if n := paper.Enough(of, p.Std, paper.WidestReproduced); n > 0 {
		return []string{fmt.Sprintf("more repetitions would help: about %d, if ours keeps its spread", n)}
	}
	return []string{fmt.Sprintf("more repetitions would help: over %d, if ours keeps its spread", paper.ManyRuns)}
}

// Beyond these a clustering is taken for what it may be: at a trivial level, or another one for
// every seed.
const (
	trivialReach   = 0.5 // points of a Rand Index
	unstableBelow  = 0.5 // mean adjusted Rand Index between the clusterings of two seeds
	differsGreatly = paper.WidestReproduced
)

// doubts says what makes the printed number, or ours where it is far from it, one that says little:
// a trivial level, collapsed clusters, clusterings that change from seed to seed.
func doubts(s *summary.Row, o paper.Outcome, i paper.Interval, p paper.PrintedScore, of paper.Stat, runs []summary.Run) (parts []string) {
	level := s.Trivial()
	if p.Mean <= level {
		parts = append(parts, fmt.Sprintf("the paper's number is at or below %.2f, which a trivial clustering scores", level))
	}
	if o != paper.Higher && o != paper.Lower || math.Abs(i.Diff) <= differsGreatly {
		return parts
	}
	found := summary.Clustered(runs)
	share, agreement := summary.LargestShare(found), summary.Stability(found)
	before := len(parts)
	if of.Mean <= level+trivialReach {
		parts = append(parts, fmt.Sprintf("ours is a trivial level too: %.2f is what a trivial clustering scores", level))
	}
	if share >= summary.DegenerateShare {
		parts = append(parts, fmt.Sprintf("our clusters have collapsed: %.1f %% of the graphs are in one", 100*share))
	}
	if agreement < unstableBelow {
		parts = append(parts, fmt.Sprintf("ours is unstable: the clusterings of two seeds agree to an adjusted Rand Index of %.2f", agreement))
	}
	if i.Paper > paper.WidestReproduced {
		parts = append(parts, fmt.Sprintf("the print is unstable: its deviation over five runs is %.2f", p.Std))
	}
	if len(parts) == before {
		parts = append(parts, "ours is above trivial levels, not collapsed and stable")
	}
	return parts
}

// VerdictTable is a table of verdicts, of kinds whose main table has no column for them ("datasets_verdict",
// "distances_verdict"); false where there is none. unasked is as from [Verdicts].
func VerdictTable(spec summary.Spec, verdicts []paper.Verdict, unasked int) (table.Table, bool) {
	switch {
	case len(verdicts) == 0:
	case spec.Table == summary.FigureDistances:
		return distanceVerdictTable(spec, verdicts, unasked), true
	case spec.Table == summary.TableDatasets:
		return datasetVerdictTable(spec, verdicts, unasked), true
	}
	return table.Table{}, false
}
