package figures

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// Distances draws for every configuration the three distances of all pairs against
// each other (the paper's Figure 4), of the first seed that ended well; the table has the
// correlations of all repetitions.
func Distances(frame *summary.Frame, arrays Arrays) (figs []plots.Figure, tabs []table.Table, err error) {
	var problems []error
	all := unread(frame)
	for i, name := range figureNames("distances", all) {
		r, p, err := first(all[i].Config, artifact.BoundViolations, arrays, artifact.ReadPairs)
		problems = append(problems, err)
		if r != nil {
			figs = append(figs, drawDistances(name, all[i], *r, p))
		}
	}
	return figs, []table.Table{distancesTable(frame, all)}, errors.Join(problems...)
}

// drawDistances draws the pairs of one cell.
func drawDistances(name string, t *trial, shown summary.Run, p *artifact.Pairs) plots.Figure {
	gw := t.gw()
	f := plots.Figure{Name: name, Columns: 3, Data: []plots.Data{pairData(p, gw)},
		Title: fmt.Sprintf("Distances of pairs of graphs in %s%s", t.row.Dataset, t.describe())}
	var said []string
	all := len(p.Vectors[artifact.DistancesGraphs])
	drawn := map[int]bool{} // all pairs or pairsDrawn of them at random, the same ones in every panel and picture
	for _, at := range rand.New(rand.NewPCG(1, uint64(all))).Perm(all)[:min(all, pairsDrawn)] {
		drawn[at] = true
	}
	printed := paper.Numbers()
	for _, q := range artifact.DistancePairs() {
		title, note := "", ""
		if r, ok := shown.Score(q.Score(artifact.CoefficientPearson)); ok {
			title = fmt.Sprintf("Pearson correlation %.*f", correlationDecimals, r)
			said = append(said, fmt.Sprintf("%s and %s: %.*f", artifact.DistancesText(q.X, gw), artifact.DistancesText(q.Y, gw), correlationDecimals, r))
		}
		if s := t.Over(q.Score(artifact.CoefficientPearson)); s.N > 1 {
			note = fmt.Sprintf("%.*f (%.*f) over %s", correlationDecimals, s.Mean, correlationDecimals, s.Std,
				words.Plural(s.N, "repetition", "repetitions"))
		}
		if x, ok := printed.Correlation(t.row.Dataset, q); ok {
			note = strings.TrimPrefix(note+fmt.Sprintf("; the paper: %.*f", x.Decimals, x.Pearson), "; ")
		}
		f.Panels = append(f.Panels, plots.XY{Title: title, XLabel: artifact.DistancesText(q.X, gw), YLabel: artifact.DistancesText(q.Y, gw),
			Series: pairSeries(p, drawn, q), Diagonal: true, Note: note})
	}
	r, ok := shown.Score(artifact.DistancePairs()[0].Score(artifact.CoefficientWithin))
	within := words.If(ok, "Over the pairs of one class alone the first is %.*f. ", correlationDecimals, r)
	correlations := words.If(said != nil, "Pearson correlations over all pairs: %s. ", strings.Join(said, "; "))
	which := fmt.Sprintf("all %d pairs", all)
	if len(drawn) < all {
		which = fmt.Sprintf("%d of the %d pairs, drawn at random,", len(drawn), all)
	}
	f.Alt = fmt.Sprintf("Three clouds of points, one point for each of %s of graphs of %s%s, seed %d, repetition %d, with the line of equal "+
		"distances. %s%sThe Mahalanobis distance bounds the %s distance of embedded graphs from above: no "+
		"point of the right panel may lie below the line.",
		which, t.row.Dataset, t.describe(), shown.BaseSeed, shown.Repetition, correlations, within, gw)
	return f
}

// pairsDrawn bounds the pairs in a picture: more would hide each other, and make a file that
// pages are slow with.
const pairsDrawn = 4000

// pairSeries are the drawn pairs of two classes and, above them, the pairs of one.
func pairSeries(p *artifact.Pairs, drawn map[int]bool, of artifact.DistancePair) []plots.Series {
	out := []plots.Series{{Name: "two classes"}, {Name: "one class"}}
	if p.Classes == nil {
		out = []plots.Series{{Name: "pairs"}}
	}
	for at, pair := range p.All() {
		s := &out[0]
		if p.Classes != nil && p.Classes[pair[0]] == p.Classes[pair[1]] {
			s = &out[1]
		}
		if drawn[at] {
			s.Put(p.Vectors[of.X][at], p.Vectors[of.Y][at])
		}
	}
	return out
}

func pairData(p *artifact.Pairs, gw string) plots.Data {
	d := plots.Data{Header: []string{"graph", "other graph"}}
	d.Header = append(d.Header, table.When(p.Classes != nil, "class", "other class")...)
	names := artifact.Distances()
	d.Header = append(d.Header, table.Map(names, func(name string) string { return artifact.DistancesText(name, gw) })...)
	for at, pair := range p.All() {
		row := []any{pair[0], pair[1]}
		if p.Classes != nil {
			row = append(row, p.Classes[pair[0]]+1, p.Classes[pair[1]]+1)
		}
		for _, name := range names {
			row = append(row, csvNumber(p.Vectors[name][at]))
		}
		d.Add(row...)
	}
	return d
}

// distancesTable has a row per configuration and pair of distances ("distances").
func distancesTable(f *summary.Frame, all []*trial) table.Table {
	settings := summary.Settings("configuration", f.Rows).If(len(all) > 1)
	settings.Key = true
	verdicts, unasked := tables.DistanceVerdicts(f)
	judged := len(verdicts) > 0
	t := table.Table{Name: "distances", Title: f.Titled("Correlations of distances over all pairs of graphs, mean (std) over repetitions")}
	t.Columns = table.Columns{
		table.Dataset, settings, {Title: "distance", Key: true}, {Title: "against", Key: true}, {Title: "paper", Right: true},
		{Title: "Pearson", Spread: true}, {Title: "Spearman", Spread: true}, {Title: "Pearson within classes", Spread: true},
		{Title: "Pearson between classes", Spread: true}, {Title: "repetitions", Counted: true},
		paper.VerdictColumn.If(judged), paper.LowColumn.If(judged), paper.HighColumn.If(judged),
		{Title: "remark", NoCSV: true, Hidden: !judged},
	}
	var attained []string
	violations, cells := 0.0, 0
	for _, x := range all {
		done, gw := x.Over(artifact.BoundViolations), x.gw()
		violations += done.Mean * float64(done.N)
		cells += done.N
		for _, q := range artifact.DistancePairs() {
			var v paper.Verdict
			printed := table.Cell{}
			if p, ok := f.Family.Printed.Correlation(x.row.Dataset, q); ok {
				printed, v = table.Num(p.Pearson, p.Decimals), tables.JudgeDistances(f, x.Config, p)
			}
			var spread []table.Cell
			for _, name := range []string{artifact.CoefficientPearson, artifact.CoefficientSpearman, artifact.CoefficientWithin,
				artifact.CoefficientBetween} {
				of := x.Over(q.Score(name))
				cell := of.Cell(table.Fewer(of.N, len(x.Runs)))
				cell.Decimals = correlationDecimals
				spread = append(spread, cell)
			}
			t.Add(x.row.Dataset, x.Settings(x.row.Names, settings.Params), artifact.DistancesText(q.X, gw), artifact.DistancesText(q.Y, gw), printed,
				spread, table.Count(x.Over(q.Score(artifact.CoefficientPearson)).N, len(x.Runs)), string(v.Outcome),
				table.Num(v.Low, correlationDecimals).If(v.Known), table.Num(v.High, correlationDecimals).If(v.Known), v.Remark)
		}
		if share := x.Over(artifact.BoundAttained); share.N > 0 {
			attained = append(attained, fmt.Sprintf("%s%s %.1f %%", x.row.Dataset, x.describe(), 100*share.Mean))
		}
	}
	t.Note("All are distances, roots of their objectives. (F)GW distances are the ends of a conditional gradient, local minima: from the product " +
		"coupling for the graphs, and for the embedded graphs the lower of the ends from there and from the diagonal coupling, whose objective is " +
		"the Mahalanobis bound.")
	t.Note(table.When(cells > 0, fmt.Sprintf("Embedded graphs further apart than their embeddings, which Proposition 1 rules out: %.0f pairs in %s. "+
		"Pairs whose two distances are equal: %s.", violations, words.Plural(cells, "cell", "cells"), strings.Join(attained, "; ")))...)
	t.Note(table.When(len(verdicts) > 0, paper.Sentence(verdicts, unasked),
		"The verdict, on the Pearson correlation of the configuration with the least lambda: agrees where the 95 % interval of ours - paper "+
			"(Student's t over the repetitions; the paper gives no deviation) holds 0, or they differ by at most one unit of the paper's last "+
			"digit, which it partly rounds and partly cuts, and it is at most 0.06 wide; undecided: the same and wider; else higher or lower.")...)
	t.Note(table.MarkNotes(t, "repetitions")...)
	return t
}

const correlationDecimals = 4

// csvNumber returns a measured number for the CSV file of a picture, with more digits than a solve
// is accurate to.
func csvNumber(v float64) string { return strconv.FormatFloat(v, 'g', 8, 64) }
