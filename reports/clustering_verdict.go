package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Verdicts compares the numbers that the paper prints for a configuration's kind of
// table, and that the configuration asks for, with ours: the Rand Indices of the clustering tables, or the statistics of
// the data sets. unasked counts the printed numbers that it does not ask for. Ours is the configuration with the highest mean Rand Index, as in the
// paper, on fresh repetitions where they have confirmed it. It is empty for a configuration that has none of the paper's data sets, and for
// [TableRuntimes], whose numbers are durations (see [Runtimes]), and for figures but
// [FigureDistances], with its correlations.
func Verdicts(f *Frame) (asked []Verdict, unasked int) {
	switch f.Table {
	case TableRuntimes:
		return nil, 0
	case TableDatasets:
		return datasetVerdicts(DatasetRows(f))
	}
	switch {
	case f.Table == FigureDistances:
		return distanceVerdicts(f)
	case IsFigure(f.Table):
		return nil, 0
	}
	return clusteringVerdicts(f.kind, f.lines)
}

// verdicts judges the rows of a clustering table.
func clusteringVerdicts(k kind, rows []*line) (asked []Verdict, unasked int) {
	ours := map[[2]string]*line{}
	known := false
	for _, s := range rows {
		name := k.printed.datasetName(s.dataset)
		known = known || slices.Contains(k.datasets, name)
		ours[[2]string{s.method, name}] = s
	}
	if !known {
		return nil, 0
	}
	for _, d := range k.datasets {
		for _, m := range k.methods {
			p, ok := k.score(m, d)
			switch s := ours[[2]string{m, d}]; {
			case !ok:
			case s == nil:
				unasked++
			default:
				asked = append(asked, verdictOf(s, p))
			}
		}
	}
	return asked, unasked
}

// verdict compares the row's number with what the paper prints for it.
func verdictOf(s *line, p PrintedScore) Verdict {
	v := Verdict{
		Dataset: p.Dataset, Row: p.row(), Quantity: "Rand Index, %",
		Paper: p.Mean, PaperStd: p.Std, Outcome: NoRun,
	}
	if s.oracle == nil {
		v.Remark = noRun(s)
		return v
	}
	of, runs := s.oracle.stat("ri", 100), s.oracle.runs
	v.Mark = s.mark(s.oracle)
	if fresh := statOver(s.oracle.confirmed, "ri", 100); fresh.n > 1 {
		of, runs, v.Confirmed = fresh, s.oracle.confirmed, true
		if fresh.n < len(runs) {
			v.Mark = MarkSeeds
		}
	}
	v.Ours, v.OursStd, v.Seeds = of.mean, of.std, of.n
	i := welch(of, p.Mean, p.Std)
	v.Low, v.High, v.HasInterval = i.low, i.high, i.known
	rounding := 0.0
	if of.std == 0 && p.Std == 0 {
		rounding = scoreRounding
	}
	v.Outcome = i.judge(rounding, widestReproduced)
	v.Remark = strings.Join(slices.Concat(unfinishedOf(s, v), unsettled(v.Outcome, i, of, p), doubts(s, v.Outcome, i, p, of, runs)), "; ")
	return v
}

// scoreRounding is half a unit of the last of the two decimals that the paper prints of a Rand
// Index.
const scoreRounding = 0.005

// noRun says why a row has no number.
func noRun(s *line) string {
	for r := range s.all() {
		if r.Record != nil {
			note := strings.Join(statusNotes([]*line{s}), " ")
			return strings.TrimSuffix(strings.TrimPrefix(note, s.dataset+" "+s.method+", "), ".")
		}
	}
	return "no cell of it has run"
}

// unfinished says what a verdict does not rest on.
func unfinishedOf(s *line, v Verdict) (parts []string) {
	if c := s.oracle; v.Confirmed && v.Seeds < len(c.confirmed) {
		parts = append(parts, fmt.Sprintf("%d of %d fresh seeds", v.Seeds, len(c.confirmed)))
	} else if !c.complete() {
		parts = append(parts, fmt.Sprintf("%d of %d seeds", c.done, len(c.runs)))
	}
	if s.complete < len(s.configs) {
		parts = append(parts, fmt.Sprintf("%d of %d configurations finished", s.complete, len(s.configs)))
	}
	return parts
}

// unsettled says what would settle a number that is not.
func unsettled(o Outcome, i interval, of stat, p PrintedScore) []string {
	switch {
	case o == NoVerdict:
		return []string{"one repetition has no interval"}
	case o != NotSettled:
		return nil
	case i.paper > widestReproduced:
		return []string{fmt.Sprintf("more repetitions would not help: the print's own spread alone makes the interval %.1f points wide", i.paper)}
	}
	if n := enough(of, p.Std, widestReproduced); n > 0 {
		return []string{fmt.Sprintf("more repetitions would help: about %d, if ours keeps its spread", n)}
	}
	return []string{fmt.Sprintf("more repetitions would help: over %d, if ours keeps its spread", manyRuns)}
}

// Beyond these a clustering is taken for what it may be: at a trivial level, or another one for
// every seed.
const (
	trivialReach   = 0.5 // points of a Rand Index
	unstableBelow  = 0.5 // mean adjusted Rand Index between the clusterings of two seeds
	differsGreatly = widestReproduced
)

// doubts says what makes the printed number, or ours where it is far from it, one that says little:
// a trivial level, collapsed clusters, clusterings that change from seed to seed.
func doubts(s *line, o Outcome, i interval, p PrintedScore, of stat, runs []Run) (parts []string) {
	level := s.trivial()
	if p.Mean <= level {
		parts = append(parts, fmt.Sprintf("the paper's number is at or below %.2f, which a trivial clustering scores", level))
	}
	if o != Higher && o != Lower || math.Abs(i.diff) <= differsGreatly {
		return parts
	}
	found := clustered(runs)
	share, agreement := largestShare(found), stability(found)
	before := len(parts)
	if of.mean <= level+trivialReach {
		parts = append(parts, fmt.Sprintf("ours is a trivial level too: %.2f is what a trivial clustering scores", level))
	}
	if share >= degenerateShare {
		parts = append(parts, fmt.Sprintf("our clusters have collapsed: %.1f %% of the graphs are in one", 100*share))
	}
	if agreement < unstableBelow {
		parts = append(parts, fmt.Sprintf("ours is unstable: the clusterings of two seeds agree to an adjusted Rand Index of %.2f", agreement))
	}
	if i.paper > widestReproduced {
		parts = append(parts, fmt.Sprintf("the print is unstable: its deviation over five runs is %.2f", p.Std))
	}
	if len(parts) == before {
		parts = append(parts, "ours is above trivial levels, not collapsed and stable")
	}
	return parts
}

// VerdictTable is a table of verdicts, of kinds whose main table has no column for them ("datasets_verdict",
// "distances_verdict"); false where there is none. unasked is as from [Verdicts].
func VerdictTable(spec Spec, verdicts []Verdict, unasked int) (Table, bool) {
	switch {
	case len(verdicts) == 0:
	case spec.Table == FigureDistances:
		return distanceVerdictTable(spec, verdicts, unasked), true
	case spec.Table == TableDatasets:
		return datasetVerdictTable(spec, verdicts, unasked), true
	}
	return Table{}, false
}
