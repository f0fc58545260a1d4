// Package tables makes the tables of a run from its rows: one file per table.
package tables

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Clustering turns what the cells of a clustering run left into its tables. Their names
// begin with that of their family, here for spec.Table = [summary.TableClustering]:
//
//   - clustering: the paper's Rand Index beside ours, for the configuration that the paper's rule
//     chooses (alpha by the objective, all else by the highest mean Rand Index), what that scores on fresh repetitions where
//     spec.Confirm asks for them, the interval of the difference and the verdict;
//   - clustering_careful: the same with adjusted Rand Index, trivial levels and the
//     size of the largest cluster, and what the configuration chosen without labels
//     scores;
//   - clustering_unlabelled: in place of these two for data sets without classes, the configuration chosen
//     without labels with its objective, stability and sizes of clusters;
//   - clustering_convergence: how the solves behind those numbers ended;
//   - clustering_layout: all that the paper prints, laid out as it is there, with
//     ours below (left out where the configuration has none of its data sets);
//   - clustering_configurations: every configuration, averaged over repetitions;
//   - clustering_cells: every cell with its id and status.
//
// Scores are those of the family's [summary.Metric]. Records read them, "objective" and
// "eigengap" (spectral clustering) as fractions; a cell without a status ok counts as not done, and a data set has no classes where
// cells are done and none has the score.
//
// Rows: GDL and GDL_h are GDL_lambda and GDL_h_lambda where the parameter
// "lambda" is positive, and have rows of their own, such as "GDL, sorted start", where
// the parameter "unmix_starts" names more than one start. In the tables of [summary.TableGWKMeans], cells whose parameter
// "cluster_by" is there and not "gw_kmeans" have rows of their own, and so have
// those where it is in all other tables, and those where it is "weights" or "scaled_weights".
func Clustering(f *summary.Frame) []table.Table {
	with, without := f.ByClasses()
	labelled := len(with) > 0 || len(without) == 0
	var out []table.Table
	if labelled {
		out = append(out, mainTable(f, with))
	}
	if len(without) > 0 {
		out = append(out, unlabelledTable(f, without))
	}
	if labelled {
		out = append(out, carefulTable(f, with))
	}
	out = append(out, convergenceTable(f))
	out = append(out, layoutTables(f, with)...)
	return append(out, configurationsTable(f), cellsTable(f))
}

// mainTable sets the chosen configuration of every row beside the paper's number: what it was
// chosen for, what it scores on fresh repetitions where they confirm it, and the verdict.
func mainTable(f *summary.Frame, rows []*summary.Row) table.Table {
	m, confirms := f.Family.Metric, f.Confirm > 0
	verdicts, unasked := verdictsOf(f.Family, rows)
	judged := len(verdicts) > 0
	t := table.Table{Name: f.Family.Name, Title: f.Titled(fmt.Sprintf("%s: %s in %s, mean (std) over %s", f.Family.Title, m.Label, m.Unit,
		m.Repetitions())),
		Columns: table.Columns("*data set", "*method", "~paper", "~chosen")}
	// What the table is for stands first, where a terminal has it beside the rows.
	t.With(table.When(confirms, "~confirmed")...)
	if judged {
		t.With(paper.VerdictColumn)
		t.Terminal = len(t.Columns)
	}
	t.With(">chosen - paper", "/"+m.Repetitions())
	t.With(table.When(confirms, ">confirmed - paper", "/fresh "+m.Repetitions())...)
	t.With(table.When(judged, append(paper.IntervalColumns(), "!remark")...)...)
	t.With("/configurations")
	settings := summary.Settings("chosen configuration", rows)
	t.Columns = append(t.Columns, settings)
	of := map[[2]string]paper.Verdict{}
	for _, v := range verdicts {
		of[[2]string{v.Dataset, v.Row}] = v
	}
	for _, s := range rows {
		inPaper := f.Family.PrintedCell(s.Method, s.Dataset)
		less := func(ours table.Cell) table.Cell {
			switch {
			case inPaper.Kind == table.Blank:
				return table.Cell{}
			case ours.Kind != table.Number:
				return table.None()
			}
			diff := table.Diff(ours.Value - inPaper.Value)
			diff.Mark = ours.Mark
			return diff
		}
		chosen, fresh := s.CellOf(s.Oracle, m.Measure), s.ConfirmedCell(s.Oracle, m.Measure)
		v := of[[2]string{f.Family.Printed.DatasetName(s.Dataset), s.Method}]
		t.Add(slices.Concat(
			[]table.Cell{table.Txt(s.Dataset), table.Txt(s.Method), inPaper, chosen},
			table.When(confirms, fresh),
			table.When(judged, table.TextOrBlank(string(v.Outcome))),
			[]table.Cell{less(chosen), s.Repetitions(s.Oracle)},
			table.When(confirms, less(fresh), s.FreshRepetitions(s.Oracle)),
			table.When(judged, append(v.IntervalCells(), table.TextOrBlank(v.Remark))...),
			[]table.Cell{table.Count(s.Complete, len(s.Configs)), s.Describe(s.Oracle, settings)})...)
	}
	t.Note(slices.Concat(
		[]string{"Chosen: the configuration with the highest mean " + m.Label + ", as in the paper: a choice made with the labels. " + alphaNote + " (std) is the population standard deviation over " + m.Repetitions() + ", as in the paper's code."},
		table.When(confirms, fmt.Sprintf("Confirmed: the chosen configuration on %s more of each base seed, by which it was not chosen. ",
			words.Plural(f.Confirm, m.Repetition, m.Repetitions()))+"They are computed when all cells of the row are there."),
		table.When(judged, paper.Sentence(verdicts, unasked), paper.VerdictRule, paper.IntervalNote),
		table.When(judged && confirms, paper.SelectionRule),
		elsewhere(f.Family, rows), table.MarkNotes(t, m.Repetitions()), degenerateNotes(rows), incompleteNotes(m, rows), rowNotes(rows))...)
	return t
}

func carefulTable(f *summary.Frame, rows []*summary.Row) table.Table {
	m, confirms := f.Family.Metric, f.Confirm > 0
	t := table.Table{Name: f.Family.Name + "_careful",
		Title:   f.Titled(fmt.Sprintf("%s for a careful reader: %s, mean (std) over %s", f.Family.Title, m.Unit, m.Repetitions())),
		Columns: table.Columns("*data set", "*method")}
	long := table.Table{Columns: table.Columns("*data set", "*method", "*choice")}
	var levels, reached []string
	for _, x := range m.Trivial {
		t.With(">" + x.Short)
		long.With(">" + x.Short)
		levels, reached = append(levels, x.Short), append(reached, x.Label)
	}
	ways := []string{"with labels", "without labels"}
	for _, way := range ways {
		t.With("~"+m.Short+" "+way, "~"+m.Beside.Short+" "+way, ">largest "+way, ">"+m.Repetitions()+" "+way)
	}
	t.With(">stability", "chosen without labels")
	long.With("~"+m.Short, "~"+m.Beside.Short, ">largest cluster", "/"+m.Repetitions(), ">stability")
	long.With(table.When(confirms, "~"+m.Short+" confirmed", "~"+m.Beside.Short+" confirmed", "/fresh "+m.Repetitions())...)
	settings := summary.Settings("configuration", rows)
	long.Columns = append(long.Columns, settings)
	t.Long = &long
	for _, way := range ways {
		t.With(table.When(confirms, "~"+m.Short+" confirmed "+way, "~"+m.Beside.Short+" confirmed "+way, ">fresh "+m.Repetitions()+" "+way)...)
	}
	var notes []string
	for _, s := range rows {
		row := []table.Cell{table.Txt(s.Dataset), table.Txt(s.Method)}
		for _, x := range m.Trivial {
			level, said := s.Level(x)
			row, notes = append(row, level), append(notes, said...)
		}
		levels, fresh := row[2:len(row):len(row)], []table.Cell{}
		for i, c := range []*summary.Config{s.Oracle, s.Free.Config} {
			scores := []table.Cell{s.CellOf(c, m.Measure), s.CellOf(c, m.Beside), s.Largest(c), s.Repetitions(c)}
			again := table.When(confirms, s.ConfirmedCell(c, m.Measure), s.ConfirmedCell(c, m.Beside), s.FreshRepetitions(c))
			row, fresh = append(row, scores...), append(fresh, again...)
			long.Add(slices.Concat(row[:2], []table.Cell{table.Txt(ways[i])}, levels, scores, []table.Cell{s.Stable(c)}, again,
				[]table.Cell{s.Describe(c, settings)})...)
		}
		t.Add(slices.Concat(row, []table.Cell{s.Stable(s.Free.Config), s.Describe(s.Free.Config, settings)}, fresh)...)
		notes = append(notes, freeNotes(s)...)
	}
	t.Note(fmt.Sprintf("%s: the %s of %s. %s: %s, 0 for independent labels.",
		strings.Join(levels, ", "), m.Label, strings.Join(reached, ", and of "), m.Beside.Short, m.Beside.Label),
		choiceNote+" With labels it is the one with the highest mean "+m.Label+", as in the paper.",
		"Largest: share of the graphs in the largest cluster, mean over "+m.Repetitions()+".",
		"(std) is the population standard deviation over "+m.Repetitions()+".")
	t.Note(slices.Concat(table.When(confirms, "Confirmed: on "+m.Repetitions()+" by which the configuration was not chosen."),
		table.MarkNotes(t, m.Repetitions()), notes)...)
	return t
}

func convergenceTable(f *summary.Frame) table.Table {
	t := table.Table{Name: f.Family.Name + "_convergence", Title: f.Titled(f.Family.Title + ": how the solves ended"),
		Columns: table.Columns("*data set", "*method", "*configuration|choice", ">solves", ">at cap, %", ">mean iterations", ">largest gap",
			">largest marginal error"),
		Notes: []string{"At cap: share of the solves that stopped at their iteration limit. Largest gap: of the conditional " +
			"gradient's duality gap, in units of the objective, and largest marginal error: of the couplings of the proximal " +
			"point algorithm, where a method records it. All: over every finished cell of the row. The solves of a product that " +
			"cells share, such as a matrix of distances, count once in a row."}}
	if slices.ContainsFunc(f.Rows, func(s *summary.Row) bool { return strings.HasPrefix(s.Base, "GDL_h") }) {
		t.Note("Of GDL_h it is a bound, far above the gap where the linear problem of coupling and node weights ends with pivots too small to take.")
	}
	ways := []string{"chosen with labels", "chosen without labels"}
	if f.Family.Metric.Nested {
		ways = []string{"oracle", "nested"}
	}
	for _, s := range f.Rows {
		add := func(which string, runs iter.Seq[summary.Run]) {
			sum, marginal := convergenceOf(runs)
			gap := table.Cell{}
			switch {
			case sum == nil:
				gap, marginal = table.None(), table.None()
			case sum.MaxGap != 0:
				gap = table.Num(record.Gap(sum.MaxGap), -1)
			}
			t.Add(slices.Concat([]table.Cell{table.Txt(s.Dataset), table.Txt(s.Method), table.Txt(which)}, solveCells(sum),
				[]table.Cell{gap, marginal})...)
		}
		if !s.Unlabelled() {
			add(ways[0], s.Oracle.Each())
		}
		free := s.Free.Config
		if s.Metric.Nested {
			free = s.Nested.Config
		}
		if free != nil || s.Complete < len(s.Configs) {
			add(ways[1], free.Each())
		}
		add("all", s.All())
	}
	return t
}

// convergenceOf sums up the solves of the finished runs and of the products that they
// rest on; nil if there is none. The cell is their largest marginal error, blank
// where none is recorded.
func convergenceOf(runs iter.Seq[summary.Run]) (sum *record.Convergence, marginal table.Cell) {
	products := map[string]bool{}
	count := func(c record.Convergence) {
		sum.Solves += c.Solves
		sum.CapHits += c.CapHits
		sum.Iterations += c.Iterations
		sum.MaxGap = max(sum.MaxGap, c.MaxGap)
	}
	for r := range runs {
		if !r.OK() {
			continue
		}
		if sum == nil {
			sum = &record.Convergence{}
		}
		count(r.Record.Convergence)
		for _, u := range r.Record.Products {
			if !products[u.ID] {
				products[u.ID] = true
				count(u.Convergence)
			}
		}
		if v, ok := r.Score(artifact.MaxMarginalError); ok && (marginal.Kind == table.Blank || v > marginal.Value) {
			marginal = table.Num(v, -1)
		}
	}
	return sum, marginal
}

// solveCells are the number of solves, the share of them at their cap in percent
// and their mean iterations; blank but for the number where there were none, and
// missing without c.
func solveCells(c *record.Convergence) []table.Cell {
	switch {
	case c == nil:
		return []table.Cell{table.None(), table.None(), table.None()}
	case c.Solves == 0:
		return []table.Cell{table.Int(0), {}, {}}
	}
	n := float64(c.Solves)
	return []table.Cell{table.Int(c.Solves), table.Num(100*float64(c.CapHits)/n, 2), table.Num(float64(c.Iterations)/n, 1)}
}
