package figures

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Distances draws for every configuration the three distances of all pairs against
// each other (the paper's Figure 4), of the first seed that ended well; the table has the
// correlations of all seeds.
func Distances(frame *summary.Frame, arrays Arrays) (figs []plots.Figure, tabs []table.Table, err error) {
	var problems []error
	all := unread(frame)
	for i, name := range figureNames("distances", all) {
		r, p, err := first(all[i].Config, artifact.BoundViolations, arrays, artifact.ReadPairs)
		problems = append(problems, err)
		if r != nil {
			figs = append(figs, drawDistances(name, all[i], *r, &allPairs{p}))
		}
	}
	return figs, []table.Table{distancesTable(frame, all)}, errors.Join(problems...)
}

// allPairs are the distances of all pairs of one cell's graphs.
type allPairs struct{ *artifact.Pairs }

// pairs calls f for all pairs in their order.
func (p *allPairs) pairs(f func(at, i, j int)) {
	for at, i := 0, 0; i < p.N; i++ {
		for j := i + 1; j < p.N; j++ {
			f(at, i, j)
			at++
		}
	}
}

// drawDistances draws the pairs of one cell.
func drawDistances(name string, t *trial, shown summary.Run, p *allPairs) plots.Figure {
	f := plots.Figure{Name: name, Columns: 3, Width: 24,
		Title: fmt.Sprintf("Distances of pairs of graphs in %s%s", t.row.Dataset, t.describe())}
	var said []string
	drawn, all := p.sample(), len(p.Vectors[artifact.DistancesGraphs])
	printed := paper.Numbers()
	for _, q := range artifact.DistancePairs() {
		title, note := "", ""
		if r, ok := shown.Score(q.Score(artifact.CoefficientPearson)); ok {
			title = fmt.Sprintf("Pearson correlation %.*f", correlationDecimals, r)
			said = append(said, fmt.Sprintf("%s and %s: %.*f", artifact.DistancesText(q.X), artifact.DistancesText(q.Y), correlationDecimals, r))
		}
		if s := t.Over(q.Score(artifact.CoefficientPearson)); s.N > 1 {
			note = fmt.Sprintf("%.*f (%.*f) over %s", correlationDecimals, s.Mean, correlationDecimals, s.Std, table.Plural(s.N, "seed", "seeds"))
		}
		if x, ok := printed.Correlation(t.row.Dataset, q); ok {
			note = strings.TrimPrefix(note+fmt.Sprintf("; the paper: %.*f", x.Decimals, x.Pearson), "; ")
		}
		f.Panels = append(f.Panels, plots.XY{Title: title, XLabel: artifact.DistancesText(q.X), YLabel: artifact.DistancesText(q.Y),
			Series: p.series(drawn, p.Vectors[q.X], p.Vectors[q.Y]), Diagonal: true, Note: note})
	}
	within := ""
	if r, ok := shown.Score(artifact.DistancePairs()[0].Score(artifact.CoefficientWithin)); ok {
		within = fmt.Sprintf("Over the pairs of one class alone the first is %.*f. ", correlationDecimals, r)
	}
	which := fmt.Sprintf("all %d pairs", all)
	if len(drawn) < all {
		which = fmt.Sprintf("%d of the %d pairs, drawn at random,", len(drawn), all)
	}
	f.Alt = fmt.Sprintf("Three clouds of points, one point for each of %s of graphs of %s%s, seed %d, repetition %d, with the line of equal distances. "+
		"Pearson correlations over all pairs: %s. %sThe Mahalanobis distance bounds the GW distance of embedded graphs from above: no point of the "+
		"right panel may lie below the line. Points that nearly coincide are drawn once.",
		which, t.row.Dataset, t.describe(), shown.BaseSeed, shown.Repetition, strings.Join(said, "; "), within)
	f.Data = []plots.Data{p.data()}
	return f
}

// pairsDrawn bounds the pairs in a picture: more would hide each other, and make a file that
// pages are slow with.
const pairsDrawn = 6000

// sample says which pairs are drawn: all, or pairsDrawn of them at random, the same ones
// in every panel and picture.
func (p *allPairs) sample() map[int]bool {
	all := len(p.Vectors[artifact.DistancesGraphs])
	out := make(map[int]bool, min(all, pairsDrawn))
	for _, at := range rand.New(rand.NewPCG(1, uint64(all))).Perm(all)[:min(all, pairsDrawn)] {
		out[at] = true
	}
	return out
}

// series are the drawn pairs of two classes and, above them, those of one.
func (p *allPairs) series(drawn map[int]bool, x, y []float64) []plots.Series {
	between, within := plots.Series{Name: "two classes"}, plots.Series{Name: "one class"}
	if p.Classes == nil {
		between.Name = "pairs"
	}
	p.pairs(func(at, i, j int) {
		s := &between
		if p.Classes != nil && p.Classes[i] == p.Classes[j] {
			s = &within
		}
		if drawn[at] {
			s.X, s.Y = append(s.X, x[at]), append(s.Y, y[at])
		}
	})
	if p.Classes == nil {
		return []plots.Series{between}
	}
	return []plots.Series{between, within}
}

func (p *allPairs) data() plots.Data {
	d := plots.Data{Header: []string{"graph (from 0)", "other graph (from 0)"}}
	if p.Classes != nil {
		d.Header = append(d.Header, "class", "other class")
	}
	names := artifact.Distances()
	for _, name := range names {
		d.Header = append(d.Header, artifact.DistancesText(name))
	}
	p.pairs(func(at, i, j int) {
		row := []any{i, j}
		if p.Classes != nil {
			row = append(row, p.Classes[i], p.Classes[j])
		}
		for _, name := range names {
			row = append(row, csvNumber(p.Vectors[name][at]))
		}
		d.Add(row...)
	})
	return d
}

// distancesTable has a row per configuration and pair of distances ("distances").
func distancesTable(f *summary.Frame, all []*trial) table.Table {
	t := table.Table{Name: "distances", Title: f.Titled("Correlations of distances over all pairs of graphs, mean (std) over seeds"), Columns: table.Columns("*data set")}
	if len(all) > 1 {
		t.With("*configuration")
	}
	t.With("*distance", "*against", ">paper", "~Pearson", "~Spearman", "~Pearson within classes", "~Pearson between classes", ">seeds")
	judged, verdicts, unasked := judgeDistances(f)
	if len(verdicts) > 0 {
		t.With(paper.VerdictColumn, ">95 % from", ">to", "remark")
	}
	var attained []string
	violations, cells := 0.0, 0
	for _, x := range all {
		done := x.Over(artifact.BoundViolations)
		violations += done.Mean * float64(done.N)
		cells += done.N
		for _, q := range artifact.DistancePairs() {
			row := []table.Cell{table.Txt(x.row.Dataset)}
			if len(all) > 1 {
				row = append(row, table.Txt(x.Describe(x.row.Names)))
			}
			printed := table.Cell{}
			if p, ok := f.Family.Printed.Correlation(x.row.Dataset, q); ok {
				printed = table.Num(p.Pearson, p.Decimals)
			}
			row = append(row, table.Txt(artifact.DistancesText(q.X)), table.Txt(artifact.DistancesText(q.Y)), printed)
			for _, name := range []string{artifact.CoefficientPearson, artifact.CoefficientSpearman, artifact.CoefficientWithin, artifact.CoefficientBetween} {
				row = append(row, x.Spread(q.Score(name), correlationDecimals))
			}
			row = append(row, table.Count(x.Over(q.Score(artifact.CoefficientPearson)).N, len(x.Runs)))
			if len(verdicts) > 0 {
				v := judged[judgement{x.Config, q}]
				from, to := table.Cell{}, table.Cell{}
				if v.Known {
					from, to = table.Num(v.Low, correlationDecimals), table.Num(v.High, correlationDecimals)
				}
				row = append(row, table.TextOrBlank(string(v.Outcome)), from, to, table.TextOrBlank(v.Remark))
			}
			t.Add(row...)
		}
		if share := x.Over(artifact.BoundAttained); share.N > 0 {
			attained = append(attained, fmt.Sprintf("%s%s %.1f %%", x.row.Dataset, x.describe(), 100*share.Mean))
		}
	}
	t.Note("All are distances, roots of their objectives. GW distances are the ends of a conditional gradient, local minima: from the product coupling " +
		"for the graphs, and for the embedded graphs the lower of the ends from there and from the diagonal coupling, whose objective is the Mahalanobis bound.")
	if cells > 0 {
		t.Note(fmt.Sprintf("Embedded graphs further apart than their embeddings, which Proposition 1 rules out: %.0f pairs in %s. "+
			"Pairs whose two distances are equal: %s.", violations, table.Plural(cells, "cell", "cells"), strings.Join(attained, "; ")))
	}
	if len(verdicts) > 0 {
		t.Note(paper.CountOutcomes(verdicts).Sentence(unasked),
			"The verdict, on the Pearson correlation of the configuration with the least lambda: reproduced where the 95 % interval of ours - paper (Student's t over the "+
				"seeds; the paper gives no deviation) holds 0, or they differ by at most one unit of the paper's last "+
				"digit, which it partly rounds and partly cuts, and it is at most 0.06 wide; not settled: the same and wider; else higher or lower.")
	}
	t.Note(table.MarkNotes(t, "seeds")...)
	return t
}

const correlationDecimals = 4

// judgement is what a verdict is on: two distances of a configuration.
type judgement struct {
	of   *summary.Config
	pair artifact.DistancePair
}

// DistanceVerdicts compares the correlations that the paper prints with those of the
// configuration with the least lambda on the data set: the paper's figure names none. unasked counts those of other data sets.
func DistanceVerdicts(f *summary.Frame) (asked []paper.Verdict, unasked int) {
	_, asked, unasked = judgeDistances(f)
	return asked, unasked
}

func judgeDistances(f *summary.Frame) (at map[judgement]paper.Verdict, asked []paper.Verdict, unasked int) {
	printed := f.Family.Printed
	plain := map[string]*summary.Config{}
	for _, l := range f.Rows {
		for _, c := range l.Configs {
			name := printed.DatasetName(l.Dataset)
			if best := plain[name]; best == nil || lambda(c) < lambda(best) {
				plain[name] = c
			}
		}
	}
	at = map[judgement]paper.Verdict{}
	for _, p := range printed.Correlations {
		c := plain[p.Dataset]
		if c == nil {
			unasked++
			continue
		}
		v := verdictOf(c, p)
		asked, at[judgement{c, p.Pair()}] = append(asked, v), v
	}
	if len(asked) == 0 {
		return nil, nil, 0
	}
	return at, asked, unasked
}

// verdictOf compares a printed correlation with a configuration's.
func verdictOf(c *summary.Config, p paper.PrintedCorrelation) paper.Verdict {
	pair := p.Pair()
	v := paper.Verdict{Dataset: p.Dataset, Row: artifact.DistancesText(pair.X) + " - " + artifact.DistancesText(pair.Y),
		Paper: p.Pearson, Outcome: paper.NoRun}
	s := c.Over(pair.Score(artifact.CoefficientPearson))
	if s.N == 0 {
		v.Remark = "no cell of it has ended well"
		return v
	}
	v.Ours, v.OursStd, v.Seeds = s.Mean, s.Std, s.N
	v.Mark = table.FewerSeeds(s.N, len(c.Runs))
	v.Interval = paper.Student(s, p.Pearson)
	v.Outcome = v.Judge(p.Digit(), paper.WidestReproduced/100.)
	if v.Outcome == paper.NoVerdict {
		v.Remark = "one repetition has no interval; "
	}
	if x, ok := c.Params.Get(summary.ParamLambda); ok {
		v.Remark += "lambda " + x.Text + "; the paper does not say"
	}
	return v
}

// csvNumber is a measured number in a CSV file beside a picture: to more digits than a solve
// is good for.
func csvNumber(v float64) string { return strconv.FormatFloat(v, 'g', 8, 64) }
