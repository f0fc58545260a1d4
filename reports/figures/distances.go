package figures

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
	"ogdl/reports/tables"
)

// distancesFigures draws for every configuration the three distances of all pairs against
// each other (the paper's Figure 4), of the first seed that ended well; the table has the
// correlations of all seeds.
func distancesFigures(frame *summary.Frame, arrays readArrays) ([]plots.Figure, []table.Table, error) {
	var all []*trial
	var configs []*summary.Config
	for _, l := range frame.Rows {
		for _, c := range l.Configs {
			all = append(all, &trial{dataset: l.Dataset, params: c.Params, names: l.Names, runs: c.Runs})
			configs = append(configs, c)
		}
	}
	var figs []plots.Figure
	var problems []error
	for i, name := range figureNames("distances", all) {
		f, err := distancesFigure(name, all[i], configs[i], arrays)
		if err != nil {
			problems = append(problems, err)
		}
		if f != nil {
			figs = append(figs, *f)
		}
	}
	return figs, []table.Table{distancesTable(frame.Spec, all, configs)}, errors.Join(problems...)
}

// allPairs are the distances of all pairs of one cell's graphs.
type allPairs struct {
	n       int
	vectors map[string][]float64
	classes []int // nil without
}

// readPairs finds the distances among a cell's arrays.
func readPairs(arrays []npz.Array) (*allPairs, error) {
	f := npz.Among(arrays, "reports: a cell's distances")
	first := f.Floats(artifact.DistancesGraphs, 1, false)
	if f.Err() != nil {
		return nil, f.Err()
	}
	m := len(first.Float)
	p := &allPairs{n: int(math.Round((1 + math.Sqrt(1+8*float64(m))) / 2)), vectors: map[string][]float64{}}
	if p.n*(p.n-1)/2 != m {
		f.Fail(artifact.DistancesGraphs, "holds %d numbers, not those of all pairs of some graphs", m)
	}
	for _, name := range []string{artifact.DistancesGraphs, artifact.DistancesModels, artifact.DistancesEmbeddings} {
		p.vectors[name] = f.FloatsOf(name, m)
	}
	if f.Has(artifact.DistancesClasses) {
		p.classes = f.IntsOf(artifact.DistancesClasses, p.n)
	}
	return p, f.Err()
}

// pairs calls f for all pairs in their order.
func (p *allPairs) pairs(f func(at, i, j int)) {
	for at, i := 0, 0; i < p.n; i++ {
		for j := i + 1; j < p.n; j++ {
			f(at, i, j)
			at++
		}
	}
}

// distancesFigure is nil where no cell of the configuration ended well.
func distancesFigure(name string, t *trial, c *summary.Config, arrays readArrays) (*plots.Figure, error) {
	at := slices.IndexFunc(c.Runs, func(r summary.Run) bool {
		_, ok := r.Score(artifact.BoundViolations)
		return ok
	})
	if at < 0 {
		return nil, nil
	}
	shown := c.Runs[at]
	found, err := arrays(shown.ID)
	if err == nil {
		var p *allPairs
		if p, err = readPairs(found); err == nil {
			return drawDistances(name, t, c, shown, p), nil
		}
	}
	return nil, fmt.Errorf("cell %s: %w", shown.ID, err)
}

func drawDistances(name string, t *trial, c *summary.Config, shown summary.Run, p *allPairs) *plots.Figure {
	f := &plots.Figure{Name: name, Columns: 3, Width: 24,
		Title: fmt.Sprintf("Distances of pairs of graphs in %s%s", t.dataset, t.describe())}
	var said []string
	drawn, all := p.sample(), len(p.vectors[artifact.DistancesGraphs])
	printed := paper.Numbers()
	for _, q := range artifact.DistancePairs() {
		title, note := "", ""
		if r, ok := shown.Score(q.Score(artifact.CoefficientPearson)); ok {
			title = fmt.Sprintf("Pearson correlation %.*f", tables.CorrelationDecimals, r)
			said = append(said, fmt.Sprintf("%s and %s: %.*f", artifact.DistancesText(q.X), artifact.DistancesText(q.Y), tables.CorrelationDecimals, r))
		}
		if s := c.Over(q.Score(artifact.CoefficientPearson)); s.N > 1 {
			note = fmt.Sprintf("%.*f (%.*f) over %s", tables.CorrelationDecimals, s.Mean, tables.CorrelationDecimals, s.Std, table.Plural(s.N, "seed", "seeds"))
		}
		if x, ok := printed.Correlation(t.dataset, q); ok {
			note = strings.TrimPrefix(note+fmt.Sprintf("; the paper: %.*f", x.Decimals, x.Pearson), "; ")
		}
		f.Panels = append(f.Panels, plots.XY{Title: title, XLabel: artifact.DistancesText(q.X), YLabel: artifact.DistancesText(q.Y),
			Series: p.series(drawn, p.vectors[q.X], p.vectors[q.Y]), Diagonal: true, Note: note})
	}
	within := ""
	if r, ok := shown.Score(artifact.DistancePairs()[0].Score(artifact.CoefficientWithin)); ok {
		within = fmt.Sprintf("Over the pairs of one class alone the first is %.*f. ", tables.CorrelationDecimals, r)
	}
	which := fmt.Sprintf("all %d pairs", all)
	if len(drawn) < all {
		which = fmt.Sprintf("%d of the %d pairs, drawn at random,", len(drawn), all)
	}
	f.Alt = fmt.Sprintf("Three clouds of points, one point for each of %s of graphs of %s%s, seed %d, repetition %d, with the line of equal distances. "+
		"Pearson correlations over all pairs: %s. %sThe Mahalanobis distance bounds the GW distance of embedded graphs from above: no point of the "+
		"right panel may lie below the line. Points that nearly coincide are drawn once.",
		which, t.dataset, t.describe(), shown.BaseSeed, shown.Repetition, strings.Join(said, "; "), within)
	f.Data = []plots.Data{p.data()}
	return f
}

// pairsDrawn bounds the pairs in a picture: more would hide each other, and make a file that
// pages are slow with.
const pairsDrawn = 6000

// sample says which pairs are drawn: all, or pairsDrawn of them at random, the same ones
// in every panel and picture.
func (p *allPairs) sample() map[int]bool {
	all := len(p.vectors[artifact.DistancesGraphs])
	out := make(map[int]bool, min(all, pairsDrawn))
	for _, at := range rand.New(rand.NewPCG(1, uint64(all))).Perm(all)[:min(all, pairsDrawn)] {
		out[at] = true
	}
	return out
}

// series are the drawn pairs of two classes and, above them, those of one.
func (p *allPairs) series(drawn map[int]bool, x, y []float64) []plots.Series {
	between, within := plots.Series{Name: "two classes"}, plots.Series{Name: "one class"}
	if p.classes == nil {
		between.Name = "pairs"
	}
	p.pairs(func(at, i, j int) {
		s := &between
		if p.classes != nil && p.classes[i] == p.classes[j] {
			s = &within
		}
		if drawn[at] {
			s.X, s.Y = append(s.X, x[at]), append(s.Y, y[at])
		}
	})
	if p.classes == nil {
		return []plots.Series{between}
	}
	return []plots.Series{between, within}
}

func (p *allPairs) data() plots.Data {
	d := plots.Data{Header: []string{"graph (from 0)", "other graph (from 0)"}}
	if p.classes != nil {
		d.Header = append(d.Header, "class", "other class")
	}
	names := []string{artifact.DistancesGraphs, artifact.DistancesModels, artifact.DistancesEmbeddings}
	for _, name := range names {
		d.Header = append(d.Header, artifact.DistancesText(name))
	}
	p.pairs(func(at, i, j int) {
		row := []string{strconv.Itoa(i), strconv.Itoa(j)}
		if p.classes != nil {
			row = append(row, strconv.Itoa(p.classes[i]), strconv.Itoa(p.classes[j]))
		}
		for _, name := range names {
			row = append(row, csvNumber(p.vectors[name][at]))
		}
		d.Rows = append(d.Rows, row)
	})
	return d
}

// distancesTable has a row per configuration and pair of distances ("distances").
func distancesTable(spec summary.Spec, all []*trial, configs []*summary.Config) table.Table {
	printed := paper.Numbers()
	t := table.Table{
		Name:    "distances",
		Title:   summary.Title(spec, "Correlations of distances over all pairs of graphs, mean (std) over seeds"),
		Columns: []table.Column{{Name: "data set", Key: true}},
	}
	varying := len(configs) > 1
	if varying {
		t.Columns = append(t.Columns, table.Column{Name: "configuration", Key: true})
	}
	t.Columns = append(t.Columns, table.Column{Name: "distance", Key: true}, table.Column{Name: "against", Key: true}, table.Column{Name: "paper", Right: true},
		table.Column{Name: "Pearson", Right: true, Spread: true}, table.Column{Name: "Spearman", Right: true, Spread: true},
		table.Column{Name: "Pearson within classes", Right: true, Spread: true}, table.Column{Name: "Pearson between classes", Right: true, Spread: true},
		table.Column{Name: "seeds", Right: true})
	var missing []string
	violations, pairs := 0.0, 0
	for k, c := range configs {
		done := c.Over(artifact.BoundViolations)
		violations += done.Mean * float64(done.N)
		pairs += done.N
		for _, q := range artifact.DistancePairs() {
			row := []table.Cell{table.Txt(all[k].dataset)}
			if varying {
				row = append(row, table.Txt(c.Params.Describe(all[k].names)))
			}
			paper := table.Cell{}
			if x, ok := printed.Correlation(all[k].dataset, q); ok {
				paper = table.Num(x.Pearson, x.Decimals)
			}
			row = append(row, table.Txt(artifact.DistancesText(q.X)), table.Txt(artifact.DistancesText(q.Y)), paper)
			for _, name := range []string{artifact.CoefficientPearson, artifact.CoefficientSpearman, artifact.CoefficientWithin, artifact.CoefficientBetween} {
				row = append(row, c.Spread(q.Score(name), tables.CorrelationDecimals))
			}
			t.Rows = append(t.Rows, append(row, table.Count(c.Over(q.Score(artifact.CoefficientPearson)).N, len(c.Runs))))
		}
		if attained := c.Over(artifact.BoundAttained); attained.N > 0 {
			missing = append(missing, fmt.Sprintf("%s%s %.1f %%", all[k].dataset, all[k].describe(), 100*attained.Mean))
		}
	}
	t.Notes = append(t.Notes, "All are distances, roots of their objectives. GW distances are the ends of a conditional gradient, local minima: from the product coupling "+
		"for the graphs, and for the embedded graphs the lower of the ends from there and from the diagonal coupling, whose objective is the Mahalanobis bound.")
	if pairs > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("Embedded graphs further apart than their embeddings, which Proposition 1 rules out: %.0f pairs in %s. "+
			"Pairs whose two distances are equal: %s.", violations, table.Plural(pairs, "cell", "cells"), strings.Join(missing, "; ")))
	}
	t.Notes = append(t.Notes, table.MarkNotes(t)...)
	return t
}

// csvNumber is a measured number in a CSV file beside a picture: to more digits than a solve
// is good for.
func csvNumber(v float64) string { return strconv.FormatFloat(v, 'g', 8, 64) }
