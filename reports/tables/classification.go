package tables

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Classification returns the tables of a classification run:
//
//   - classification: the paper's accuracy and ours, for the setting that every split selects by its training part ("nested"),
//     the interval of the difference and the verdict; then the oracle, the setting with the highest mean test accuracy;
//   - classification_careful: level of the largest class, standard error, selected settings, capped fits, least eigenvalues;
//   - classification_pairs: rows against each other over the splits that they share;
//   - classification_no_attributes, _discrete_attributes, _vectorial_attributes: the paper's three tables, with ours below (omitted where
//     the configuration has none of their data sets);
//   - classification_convergence, classification_configurations and classification_cells, as for clustering.
//
// Rows: see [summary.Family.Row].
func Classification(f *summary.Frame) []table.Table {
	out := []table.Table{mainTable(f, f.Rows), carefulAccuracies(f), pairsTable(f)}
	out = append(out, layoutTables(f, f.Rows)...)
	return append(append(out, convergenceTable(f), configurationsTable(f)), Cells(f)...)
}

// nestedNote explains the columns nested and oracle.
const nestedNote = "Nested: every split takes the setting with the highest accuracy of cross-validation in its training part; " +
	"ties go to the first of the grid. Of dictionaries with several alphas the one with the lowest objective is taken, the paper's rule. " +
	"Oracle: the setting with the highest mean test accuracy, selected with the test labels. " +
	"(std) is the population standard deviation over splits."

// chosenOnTestNote explains the rows of GIN-0 and PSCN.
const chosenOnTestNote = "Splits of GIN-0 and PSCN are the folds of one partition. As in the paper, their epoch is the one with the highest mean " +
	"accuracy on the test folds. This overestimates the accuracy: do not compare it with other rows. With several settings the nested " +
	"accuracy is missing, since only test labels could select one. In the row \"epoch_chosen_on train_tenth\" a tenth of the training part chooses the epoch."

// carefulAccuracies has the uncertainty of each row, its fits and its selected settings.
func carefulAccuracies(f *summary.Frame) table.Table {
	m, settings := f.Family.Metric, summary.Settings("selected by the oracle", f.Rows)
	t := table.Table{Name: f.Family.Name + "_careful",
		Title: f.Titled(f.Family.Title + " for a careful reader: " + m.Unit + ", mean (std) over " + m.Repetitions()),
		Columns: table.Columns{
			table.Dataset, table.Method, {Title: m.Trivial[0].Short, Right: true}, {Title: "nested", Spread: true},
			{Title: "standard error", Right: true}, {Title: "inner accuracy", Spread: true}, {Title: m.Repetitions(), Counted: true},
			{Title: "fits", Right: true}, {Title: "capped, %", Right: true}, {Title: "least eigenvalue", Right: true},
			{Title: "selected, nested", NoCSV: true}, settings,
		}}
	for _, s := range f.Rows {
		c, nested, level := s.Judged(), s.CellOf(s.Judged(), m.Measure), levelOf(f, f.Family.Printed.DatasetName(s.Dataset))
		if c == nil {
			t.AddUpTo(s.None(), s.Dataset, s.Method, level, nested)
			continue
		}
		least := table.Cell{}
		if all := summary.Values(c.Runs, artifact.LeastEigenvalue, 1); len(all) > 0 {
			least = table.Num(slices.Min(all), -1)
		}
		deviation, ok := m.Sampling(s.Dataset).StdError(m.Sample(m.Measure, c.Runs))
		all, capped := fits(s.All()) // none of a method without fits
		t.Add(s.Dataset, s.Method, level, nested, table.Num(deviation, 2).If(ok), BesideCell(m, c, s.Mark(c)), c.Repetitions(),
			table.Num(all, 0).If(all > 0), table.Num(100*(capped/all), 2).If(all > 0), least, settingsCell(s),
			s.Describe(s.Oracle, settings))
	}
	t.Note("Majority: the score of naming the largest class of the data set. Standard error: of the nested mean, for splits that "+
		"share graphs (Nadeau and Bengio 2003). Inner accuracy: within the training part. It selected the setting, so it is too high.", nestedNote,
		"Capped: share of the fits of all cells of the row that stopped at svm_iterations. Least eigenvalue: the lowest eigenvalue of the "+
			"selected kernel matrices over splits. Kernels of (F)GW distances may be indefinite; then it is below 0. Selected, nested: the settings, "+
			"each with the number of splits that select it.")
	t.Note(table.MarkNotes(t, m.Repetitions())...)
	return t
}

// BesideCell is the inner accuracy of a configuration; blank for a method that has none.
func BesideCell(m *summary.Metric, c *summary.Config, mark string) table.Cell {
	return m.Of(m.Beside, c.Runs).Cell(mark).If(c.Done == 0 || c.Has(m.Beside.Score))
}

// fits returns the number of SVMs that some cells have fitted, and of these that stopped at their cap.
func fits(runs iter.Seq[summary.Run]) (all, capped float64) {
	for r := range runs {
		n, _ := r.Score(artifact.Fits)
		c, _ := r.Score(artifact.CappedFits)
		all, capped = all+n, capped+c
	}
	return all, capped
}

// mostSettings is how many selected settings are named.
const mostSettings = 4

// settingsCell names the settings that the splits select, the most frequent first.
func settingsCell(s *summary.Row) table.Cell {
	if len(s.Configs) == 1 {
		return table.Txt(s.Configs[0].Describe(s.Names))
	}
	count := s.Nested.Chose
	chosen := slices.DeleteFunc(slices.Clone(s.Configs), func(c *summary.Config) bool { return count(c) == 0 })
	slices.SortStableFunc(chosen, func(a, b *summary.Config) int { return count(b) - count(a) })
	parts := table.Map(chosen[:min(len(chosen), mostSettings)], func(c *config) string {
		return fmt.Sprintf("%s (%d)", c.Describe(s.Names), count(c))
	})
	if n := len(chosen) - len(parts); n > 0 {
		parts = append(parts, fmt.Sprintf("%d more", n))
	}
	return table.Txt(strings.Join(parts, "; "))
}

// levelOf is the score of naming the largest class of a data set, from a row whose cells have it; missing where none does.
func levelOf(f *summary.Frame, dataset string) table.Cell {
	for _, s := range f.Rows {
		if f.Family.Printed.DatasetName(s.Dataset) == dataset && s.Levels[0].Kind == table.Number {
			return s.Levels[0]
		}
	}
	return table.None()
}

// pairsTable has a row for each pair of rows of one method or one representation.
func pairsTable(f *summary.Frame) table.Table {
	m := f.Family.Metric
	t := table.Table{Name: f.Family.Name + "_pairs",
		Title: f.Titled("Rows against each other over the same " + m.Repetitions() + ": differences of nested accuracies in points, mean (std)"),
		Columns: table.Columns{
			table.Dataset, table.Method, {Title: "against", Key: true}, {Title: "difference", Spread: true},
			{Title: m.Repetitions(), Right: true}, {Title: "higher", Right: true}, {Title: "equal", Right: true}, {Title: "lower", Right: true},
			paper.LowColumn, paper.HighColumn, {Title: "the first is", CSV: "verdict"},
		}}
	for _, p := range f.Pairs() {
		if !p.Near {
			continue
		}
		difference := p.Of.Cell("")
		difference.Signed = true
		is := words.If(p.Known, "not told apart")
		if o := p.Judge(0, 0); o == paper.Higher || o == paper.Lower {
			is = string(o)
		}
		n := len(p.Scores)
		t.Add(p.A.Dataset, p.A.Method, p.B.Method, difference, n, p.Higher, n-p.Higher-p.Lower, p.Lower, table.Diff(p.Low).If(p.Known),
			table.Diff(p.High).If(p.Known), is)
	}
	t.Note("Rows of one method, or of one representation. The difference of the two rows on each split that both have, the first less the " +
		"second; higher, equal and lower count the splits. 95 %: Student's interval with the variance of Nadeau and Bengio (2003), (1/r + n_test/n_train) times that of a split, as test sets share " +
		"graphs (the corrected resampled t). A row is higher or lower if the interval excludes 0. One of 20 equal pairs does so by " +
		"chance: there is no correction for multiple comparisons.")
	return t
}
