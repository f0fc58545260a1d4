// Package tables makes the tables of a run from its rows: one file per table.
package tables

import (
	"cmp"
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

// config is a setting of a row.
type config = summary.Config

// Clustering returns the tables of a clustering run. Their names begin with the family's name, here
// "clustering":
//
//   - clustering: the paper's Rand Index and ours, for the setting that the paper's rule
//     selects (alpha by the objective, all else by the highest mean Rand Index), its value on fresh repetitions where
//     spec.Confirm asks for them, the interval of the difference and the verdict;
//   - clustering_careful: the settings selected with and without labels, with adjusted Rand Index, trivial levels
//     and the size of the largest cluster;
//   - clustering_unlabelled: instead of these two for data sets without classes, the setting selected
//     without labels with its objective, stability and sizes of clusters;
//   - clustering_convergence: how the solves behind those numbers ended;
//   - clustering_layout: all that the paper prints, laid out as it is there, with
//     ours below (left out where the configuration has none of its data sets);
//   - clustering_configurations: every configuration, averaged over repetitions;
//   - clustering_cells: every cell with its id and status.
//
// Scores are named by the family's [summary.Metric]. Records have them, "objective" and "eigengap"
// as fractions. A cell without a status ok counts as not done. A data set has no classes where
// cells are done and none has the score. Rows: see [summary.Family.Row].
func Clustering(f *summary.Frame) []table.Table {
	with := summary.Pick(f.Rows, func(s *summary.Row) bool { return !s.Unlabelled }) // or not known yet
	without := summary.Pick(f.Rows, func(s *summary.Row) bool { return s.Unlabelled })
	labelled := len(with) > 0 || len(without) == 0
	return slices.Concat(table.When(labelled, mainTable(f, with)), table.When(len(without) > 0, unlabelledTable(f, without)),
		table.When(labelled, carefulTable(f, with)), []table.Table{convergenceTable(f)}, layoutTables(f, with),
		[]table.Table{configurationsTable(f)}, Cells(f))
}

// mainTable has a row for each method on a data set: the paper's value, the selected setting's or the nested one, its value on fresh
// repetitions where there are any, and the verdict.
func mainTable(f *summary.Frame, rows []*summary.Row) table.Table {
	k, m, confirms := f.Family, f.Family.Metric, f.Confirm > 0
	verdicts, unasked := verdictsOf(k, rows)
	judged, settings := len(verdicts) > 0, summary.Settings("selected setting", rows)
	of := selectedOf(m)
	t := table.Table{Name: k.Name, Title: f.Titled(fmt.Sprintf("%s: %s in %s, mean (std) over %s", k.Title, m.Label, m.Unit, m.Repetitions()))}
	t.Columns = table.Columns{ // a terminal shows these
		table.Dataset, table.Method, table.Column{Title: m.Trivial[0].Short, Right: true}.If(m.Nested), {Title: "paper", Spread: true},
		{Title: of, CSV: words.If(!m.Nested, "chosen"), Spread: true},
		{Title: "re-run", CSV: "confirmed", Spread: true, Hidden: !confirms}, paper.VerdictColumn.If(judged || m.Nested),
	}
	if judged {
		t.Terminal = len(t.Columns)
	}
	t.Columns = append(t.Columns, table.Columns{
		{Title: of + " - paper", CSV: words.If(!m.Nested, "chosen_minus_paper"), Right: true}, {Title: m.Repetitions(), Counted: true},
		{Title: "re-run - paper", CSV: "confirmed_minus_paper", Right: true, Hidden: !confirms},
		{Title: "fresh " + m.Repetitions(), Counted: true, Hidden: !confirms}, paper.LowColumn.If(judged || m.Nested),
		paper.HighColumn.If(judged || m.Nested), paper.WidthColumn.If(judged || m.Nested),
		{Title: "remark", NoCSV: true, Hidden: !judged}, table.Column{Title: "oracle", Spread: true}.If(m.Nested),
		{Title: "configurations", Counted: true}, settings.If(!m.Nested),
	}...)
	for _, s := range rows {
		c, name := s.Judged(), k.Printed.DatasetName(s.Dataset)
		inPaper, v := k.PrintedCell(s.Method, name), verdictAt(k, s)
		ours, fresh := s.CellOf(c, m.Measure), s.ConfirmedCell(c, m.Measure)
		t.Add(s.Dataset, s.Method, levelOf(f, name), inPaper, ours, fresh, string(v.Outcome), less(ours, inPaper),
			s.Selected(c, (*config).Repetitions), less(fresh, inPaper), s.FreshRepetitions(c), v.IntervalCells(), v.Remark, s.CellOf(s.Oracle, m.Measure),
			table.Count(s.Complete, len(s.Configs)), s.Describe(c, settings))
	}
	choice, rule, interval := "Selected: the setting with the highest mean "+m.Label+", as in the paper. This choice uses the labels. "+alphaNote+
		" (std) is the population standard deviation over "+m.Repetitions()+", as in the paper's code.", paper.VerdictRule, paper.IntervalNote
	if m.Nested {
		choice, rule, interval = nestedNote, paper.AccuracyRule, paper.AccuracyInterval
	}
	t.Note(choice)
	if confirms {
		t.Note(fmt.Sprintf("Re-run: the selected setting on %s more of each base seed, which took no part in the selection. They are computed when "+
			"all cells of the row have run.", words.Plural(f.Confirm, m.Repetition, m.Repetitions())))
	}
	if judged {
		t.Note(paper.Sentence(verdicts, unasked), rule, interval)
		t.Note(table.When(confirms, paper.SelectionRule)...)
	}
	network := func(s *summary.Row) bool { return summary.IsNetwork(s.Method) }
	t.Note(table.When(slices.ContainsFunc(rows, network), chosenOnTestNote)...)
	t.Note(slices.Concat(table.MarkNotes(t, m.Repetitions()), rowNotes(f, rows))...)
	return t
}

// selectedOf names the numbers that are compared with the paper's before any re-run.
func selectedOf(m *summary.Metric) string {
	return map[bool]string{false: "selected", true: "nested"}[m.Nested]
}

// less returns our value minus the paper's; blank without a value of the paper.
func less(ours, inPaper table.Cell) table.Cell {
	diff := table.Diff(ours.Value - inPaper.Value)
	diff.Mark = ours.Mark
	return diff.Known(ours.Kind == table.Number).If(inPaper.Kind != table.Blank)
}

// carefulTable has two rows for each method on a data set: the setting selected with labels, and the one selected without.
func carefulTable(f *summary.Frame, rows []*summary.Row) table.Table {
	m, confirms := f.Family.Metric, f.Confirm > 0
	t := table.Table{Name: f.Family.Name + "_careful",
		Title: f.Titled(fmt.Sprintf("%s for a careful reader: %s, mean (std) over %s", f.Family.Title, m.Unit, m.Repetitions()))}
	short := table.Map(m.Trivial, func(x summary.Measure) string { return x.Short })
	reached := table.Map(m.Trivial, func(x summary.Measure) string { return x.Label })
	settings := summary.Settings("setting", rows)
	level := func(x summary.Measure) table.Column { return table.Column{Title: x.Short, Right: true} }
	key := table.Columns{table.Dataset, table.Method, {Title: "choice", Key: true}}
	t.Columns = slices.Concat(key, table.Map(m.Trivial, level), table.Columns{
		{Title: m.Short, Spread: true}, {Title: m.Beside.Short, Spread: true}, {Title: "largest cluster", Right: true},
		{Title: m.Repetitions(), Counted: true}, {Title: "stability", Right: true},
		{Title: m.Short + " re-run", CSV: strings.ToLower(m.Short) + "_confirmed", Spread: true, Hidden: !confirms},
		{Title: m.Beside.Short + " re-run", CSV: strings.ToLower(m.Beside.Short) + "_confirmed", Spread: true, Hidden: !confirms},
		{Title: "fresh " + m.Repetitions(), Counted: true, Hidden: !confirms}, settings,
	})
	for _, s := range rows {
		for i, c := range []*summary.Config{s.Oracle, s.Free} {
			t.Add(s.Dataset, s.Method, []string{"with labels", "without labels"}[i], s.Levels, s.CellOf(c, m.Measure), s.CellOf(c, m.Beside),
				s.Selected(c, (*config).LargestCell, (*config).Repetitions, (*config).StabilityCell),
				s.ConfirmedCell(c, m.Measure), s.ConfirmedCell(c, m.Beside), s.FreshRepetitions(c), s.Describe(c, settings))
		}
	}
	t.Note(fmt.Sprintf("%s: the %s of %s. %s: %s, 0 for independent labels.", strings.Join(short, ", "), m.Label,
		strings.Join(reached, ", and of "), m.Beside.Short, m.Beside.Label),
		choiceNote+" With labels it is the one with the highest mean "+m.Label+", as in the paper.",
		"Largest cluster: its share of the graphs, mean over "+m.Repetitions()+".",
		"(std) is the population standard deviation over "+m.Repetitions()+".")
	t.Note(table.When(confirms, "Re-run: the score on "+m.Repetitions()+" that took no part in the selection.")...)
	t.Note(slices.Concat(table.MarkNotes(t, m.Repetitions()), unknownPairs(rows))...)
	return t
}

// solveColumns are the columns of [solveCells].
var solveColumns = table.Columns{{Title: "solves", Right: true}, {Title: "at cap, %", Right: true},
	{Title: "mean iterations", Right: true}}

// convergenceTable has rows for the selected settings of a row, and for all of its cells.
func convergenceTable(f *summary.Frame) table.Table {
	t := table.Table{Name: f.Family.Name + "_convergence", Title: f.Titled(f.Family.Title + ": how the solves ended"),
		Notes: []string{"At cap: share of the solves that stopped at their iteration limit. Largest gap: the largest duality gap of " +
			"the conditional gradient, in units of the objective; for GDL_h an upper bound, far above the gap where pivots are too small to take. " +
			"Largest marginal error: of the couplings of the proximal point algorithm, where a method records it. Setting all: every finished " +
			"cell of the row. Cells may share a product, such as a matrix of distances; its solves count once in a row."},
		Columns: slices.Concat(table.Columns{table.Dataset, table.Method, {Title: "setting", CSV: "choice", Key: true}}, solveColumns,
			table.Columns{{Title: "largest gap", Right: true}, {Title: "largest marginal error", Right: true}})}
	ways := []string{"selected with labels", "selected without labels"}
	if f.Family.Metric.Nested {
		ways = []string{"oracle", "nested"}
	}
	for _, s := range f.Rows {
		add := func(which string, runs iter.Seq[summary.Run]) {
			t.Add(s.Dataset, s.Method, which, convergenceCells(runs))
		}
		free := cmp.Or(s.Free, s.Nested.Config)
		if !s.Unlabelled {
			add(ways[0], s.Oracle.Each())
		}
		if free != nil || !s.Settled() {
			add(ways[1], free.Each())
		}
		add("all", s.All())
	}
	return t
}

// convergenceCells sums up the solves of the finished runs and of the products that they rest on: the cells of [solveCells], the
// largest gap and the largest marginal error, blank where none is recorded. All are missing without a finished run.
func convergenceCells(runs iter.Seq[summary.Run]) []table.Cell {
	var sum *record.Convergence
	products, marginal := map[string]bool{}, table.Cell{}
	for r := range runs {
		if !r.OK() {
			continue
		}
		if sum == nil {
			sum = &record.Convergence{}
		}
		*sum = sum.Plus(r.Record.Convergence)
		for _, u := range r.Record.Products {
			if !products[u.ID] {
				products[u.ID] = true
				*sum = sum.Plus(u.Convergence)
			}
		}
		if v, ok := r.Score(artifact.MaxMarginalError); ok && (marginal.Kind == table.Blank || v > marginal.Value) {
			marginal = table.Num(v, -1)
		}
	}
	if sum == nil {
		return slices.Repeat([]table.Cell{table.None()}, 5)
	}
	return append(solveCells(sum), table.Num(record.Gap(sum.MaxGap), -1).If(sum.MaxGap != 0), marginal)
}

// solveCells are the number of solves, the share of them at their cap in percent and their mean
// iterations; blank but for the number where there were none, and missing without c.
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

// unlabelledTable is the main table of data sets without classes: the settings selected without labels. There is no score by classes.
func unlabelledTable(f *summary.Frame, rows []*summary.Row) table.Table {
	repetitions, confirms := f.Family.Metric.Repetitions(), f.Confirm > 0
	settings := summary.Settings("selected without labels", rows)
	t := table.Table{Name: f.Family.Name + "_unlabelled", Main: true,
		Title: f.Titled(f.Family.Title + " of data without classes: the setting selected without labels")}
	t.Columns = table.Columns{
		table.Dataset, table.Method, {Title: "objective", Spread: true}, {Title: "stability", Right: true}, {Title: "largest cluster", Right: true},
		{Title: "cluster sizes", CSV: "cluster_size", Listed: true}, {Title: repetitions, Counted: true},
		{Title: "configurations", Counted: true}, settings, {Title: "re-run objective", CSV: "confirmed_objective", Spread: true, Hidden: !confirms},
		{Title: "re-run stability", CSV: "confirmed_stability", Right: true, Hidden: !confirms},
		{Title: "fresh " + repetitions, Counted: true, Hidden: !confirms},
	}
	var notes []string
	for _, s := range rows {
		c := s.Free
		t.Add(s.Dataset, s.Method, s.Selected(c, (*config).Objective, (*config).StabilityCell, (*config).LargestCell, (*config).SizesCell,
			(*config).Repetitions), table.Count(s.Complete, len(s.Configs)), s.Describe(c, settings), s.ConfirmedUnlabelled())
		if !slices.ContainsFunc(s.Configs, func(c *summary.Config) bool { return len(c.Sizes) > 0 }) {
			notes = append(notes, fmt.Sprintf("%s %s: not clustered, as there are no classes to take the number of clusters from; "+
				"clusters = N in its [[grid]] block asks for N clusters.", s.Dataset, s.Method))
		}
	}
	t.Note(
		"Objective: mean (std) over repetitions; it compares only between rows of one method that differ in alpha alone. Stability: the mean "+
			"adjusted Rand Index between the clusterings of two repetitions, in percent; blank with fewer than two. Cluster sizes: graphs, from "+
			"the largest cluster to the smallest of each clustering, mean over repetitions. Largest cluster: its share of the graphs in percent.",
		choiceNote)
	t.Note(slices.Concat(table.MarkNotes(t, repetitions), notes, unknownPairs(rows), rowNotes(f, rows))...)
	return t
}

// alphaNote says how alpha is selected, and choiceNote how settings are selected without labels.
const (
	alphaNote = "Alpha is selected by the lowest mean objective, as in the paper, among settings that are equal in everything else (the " +
		"objective falls with the number of atoms and holds -lambda |w|^2). If no objective is recorded, alpha is selected like the other parameters."
	choiceNote = alphaNote + " Without labels the number of atoms, lambda and all else are selected by the highest stability, the mean adjusted Rand " +
		"Index between the clusterings of two repetitions. Settings that put 95 % of the graphs or more into one cluster are omitted: " +
		"they are stable because there is nothing to disagree about. Settings that a race has ruled out are omitted, too. " +
		"Ties of spectral clustering go to the largest eigengap, then to the lowest normalised cut, others to the first in the order of " +
		"the parameters."
)
