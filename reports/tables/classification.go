package tables

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Classification turns what the cells of a classification run left into its tables:
//
//   - classification: the paper's accuracy beside ours, for the configuration that every split chooses by its training part ("nested"),
//     the interval of the difference and the verdict; beside it the oracle, the configuration with the highest mean test accuracy;
//   - classification_careful: level of the largest class, standard error, chosen settings, capped fits, least eigenvalues;
//   - classification_pairs: rows against each other over the splits that they share, and classification_all_pairs, a list;
//   - classification_no_attributes, _discrete_attributes, _vectorial_attributes: the paper's three tables, with ours below (left out where
//     the configuration has none of their data sets);
//   - classification_convergence, classification_configurations and classification_cells, as for clustering.
//
// Rows: see [summary.Family.Row].
func Classification(f *summary.Frame) []table.Table {
	pairs := f.Pairs()
	out := []table.Table{accuracyTable(f), carefulAccuracies(f), pairsTable(f, pairs, "_pairs", false)}
	out = append(out, layoutTables(f, f.Rows)...)
	return append(out, convergenceTable(f), pairsTable(f, pairs, "_all_pairs", true), configurationsTable(f), cellsTable(f))
}

// nestedNote says what is shown.
const nestedNote = "Nested: every split takes the configuration with the highest inner accuracy, that of its training part under ten-fold " +
	"cross-validation, compared as a fraction; ties go to the first of the grid. The alpha of a dictionary is the one with the lowest objective " +
	"among those asked for, the paper's rule. Oracle: the configuration with the highest mean test accuracy, a choice made with the test labels. " +
	"(std) is the population standard deviation over splits."

// chosenOnTestNote says why a row stands apart.
const chosenOnTestNote = "Splits of GIN-0 and PSCN are the folds of one partition. Their epoch is, as printed, the one of the highest mean accuracy on " +
	"the test folds themselves: these numbers flatter, and are not comparable with those of the other rows. In the row \"epoch_chosen_on " +
	"train_tenth\" a tenth of the training part chooses it."

// place is a row's or a printed number's place in a table: the paper's name of the data set, and the row.
type place struct{ dataset, row string }

// accuracyTable sets the nested choice of every row beside the paper's number.
func accuracyTable(f *summary.Frame) table.Table {
	k, m := f.Family, f.Family.Metric
	verdicts, unasked := verdictsOf(k, f.Rows)
	t := table.Table{Name: k.Name, Title: f.Titled(fmt.Sprintf("%s: %s in %s, mean (std) over %s", k.Title, m.Label, m.Unit, m.Repetitions())),
		Columns: table.Columns("*data set", "*method", ">"+m.Trivial[0].Short, "~paper", "~nested", paper.VerdictColumn, ">nested - paper", "/"+m.Repetitions())}
	t.With(paper.IntervalColumns()...)
	t.With("~oracle", "/configurations", "!remark")
	of := map[place]paper.Verdict{}
	for _, v := range verdicts {
		of[place{v.Dataset, v.Row}] = v
	}
	for _, s := range f.Rows {
		name := k.Printed.DatasetName(s.Dataset)
		inPaper, less := k.PrintedCell(s.Method, name), table.Cell{}
		nested := s.CellOf(s.Judged(), m.Measure)
		if inPaper.Kind != table.Blank {
			less = table.None()
			if nested.Kind == table.Number {
				less = table.Diff(nested.Value - inPaper.Value)
				less.Mark = nested.Mark
			}
		}
		level := levelOf(f, name)
		v := of[place{name, s.Method}]
		row := []table.Cell{table.Txt(s.Dataset), table.Txt(s.Method), level, inPaper, nested, table.TextOrBlank(string(v.Outcome)), less,
			s.Repetitions(s.Judged())}
		t.Add(slices.Concat(row, v.IntervalCells(), []table.Cell{s.CellOf(s.Oracle, m.Measure),
			table.Count(s.Complete, len(s.Configs)), table.TextOrBlank(v.Remark)})...)
	}
	t.Note(nestedNote)
	if len(verdicts) > 0 {
		t.Note(paper.Sentence(verdicts, unasked), paper.AccuracyRule, paper.AccuracyInterval)
	}
	if slices.ContainsFunc(f.Rows, func(s *summary.Row) bool { return summary.IsNetwork(s.Method) }) {
		t.Note(chosenOnTestNote)
	}
	t.Note(slices.Concat(belowMajority(f, verdicts), table.MarkNotes(t, m.Repetitions()), incompleteNotes(m, f.Rows), rowNotes(f.Rows))...)
	return t
}

// belowMajority counts the printed numbers that naming the largest class reaches.
func belowMajority(f *summary.Frame, verdicts []paper.Verdict) []string {
	var below []string
	for _, v := range verdicts {
		if level := levelOf(f, v.Dataset); level.Kind == table.Number && v.Paper <= level.Value {
			below = append(below, v.Dataset+" "+v.Row)
		}
	}
	return table.When(len(below) > 0, fmt.Sprintf("%s at or below what %s scores: %s.",
		words.Plural(len(below), "printed number lies", "printed numbers lie"), f.Family.Metric.TrivialScores, strings.Join(below, ", ")))
}

// carefulAccuracies are what there is to know of the rows beside their accuracy.
func carefulAccuracies(f *summary.Frame) table.Table {
	m := f.Family.Metric
	t := table.Table{Name: f.Family.Name + "_careful",
		Title: f.Titled(f.Family.Title + " for a careful reader: " + m.Unit + ", mean (std) over " + m.Repetitions()),
		Columns: table.Columns("*data set", "*method", ">"+m.Trivial[0].Short, "~nested", ">standard error", ">width|interval_width",
			"~inner accuracy", "~oracle", ">oracle - nested", "/"+m.Repetitions(), ">fits", ">capped, %", ">least eigenvalue",
			"C|chosen_c_min,chosen_c_max", "gamma|chosen_gamma_min,chosen_gamma_max", "alpha|chosen_alpha_min,chosen_alpha_max", "!chosen nested")}
	settings := summary.Settings("chosen by the oracle", f.Rows)
	t.Columns = append(t.Columns, settings)
	var notes []string
	verdicts, _ := verdictsOf(f.Family, f.Rows)
	for _, s := range f.Rows {
		_, said := s.Level(m.Trivial[0])
		notes = append(notes, said...)
		c := s.Judged()
		row := []table.Cell{table.Txt(s.Dataset), table.Txt(s.Method), levelOf(f, f.Family.Printed.DatasetName(s.Dataset)), s.CellOf(c, m.Measure)}
		if c == nil {
			t.AddUpTo(s.None(), row...)
			continue
		}
		sampling, of := m.Sampling(s.Method, s.Dataset), m.Sample(m.Measure, c.Runs)
		e, width := table.Cell{}, table.Cell{}
		if v, ok := sampling.StdError(of); ok {
			e = table.Num(v, 2)
		}
		if i := slices.IndexFunc(verdicts, func(v paper.Verdict) bool {
			return v.Row == s.Method && v.Dataset == f.Family.Printed.DatasetName(s.Dataset)
		}); i >= 0 {
			width = verdicts[i].IntervalCells()[2]
		}
		more := table.Cell{}
		if nested, oracle := of.Mean, m.Shown(s.Oracle); of.N > 0 && !math.IsNaN(oracle) {
			more = table.Diff(oracle - nested)
		}
		t.Add(append(row, e, width, BesideCell(m, c, s.Mark(c)), s.CellOf(s.Oracle, m.Measure), more, s.Repetitions(c),
			fitsCell(s), cappedCell(s.All()), leastCell(c), rangeCell(c, artifact.ChosenC), rangeCell(c, artifact.ChosenGamma),
			rangeCell(c, artifact.ChosenAlpha), settingsCell(s), s.Describe(s.Oracle, settings))...)
		if n := s.Nested.Ties; n > 0 {
			notes = append(notes, fmt.Sprintf("%s %s: in %s another configuration is as good by inner accuracy; the first of the grid is taken.",
				s.Dataset, s.Method, words.Plural(n, "split", "splits")))
		}
	}
	t.Note("Majority: what naming the largest class of the data set scores. Standard error: of the mean of the nested column, for splits that "+
		"share graphs (Nadeau and Bengio 2003). Width: of the verdict's interval. Inner accuracy: within the training part, of what was chosen by "+
		"it, so it flatters.", nestedNote,
		"Capped: share of the fits of all cells of the row that stopped at svm_iterations. Least eigenvalue: of the chosen kernel matrices, the "+
			"lowest over splits; below 0 a kernel is not positive definite, as those of (F)GW distances need not be. C, gamma and a dictionary's "+
			"alpha: the range over splits. Chosen nested: the configurations, each with the number of splits that chose it.")
	t.Note(slices.Concat(table.MarkNotes(t, m.Repetitions()), notes)...)
	return t
}

// BesideCell is the inner accuracy of a configuration; blank for a method that has none.
func BesideCell(m *summary.Metric, c *summary.Config, mark string) table.Cell {
	if c.Done > 0 && !c.Has(m.Beside.Score) {
		return table.Cell{}
	}
	return m.Of(m.Beside, c.Runs).Cell(mark)
}

// fits are how many SVMs some cells have fitted, and how many of them stopped at their cap.
func fits(runs iter.Seq[summary.Run]) (all, capped float64) {
	for r := range runs {
		n, _ := r.Score(artifact.Fits)
		c, _ := r.Score(artifact.CappedFits)
		all, capped = all+n, capped+c
	}
	return all, capped
}

// cappedShare is the share of the fits that stopped at their cap; NaN where there are none.
func cappedShare(runs iter.Seq[summary.Run]) float64 {
	all, capped := fits(runs)
	return capped / all
}

// fitsCell is how many SVMs the cells of a row have fitted; blank for a method without any.
func fitsCell(s *summary.Row) table.Cell {
	if all, _ := fits(s.All()); all > 0 {
		return table.Num(all, 0)
	}
	return table.Cell{}
}

func cappedCell(runs iter.Seq[summary.Run]) table.Cell {
	if share := cappedShare(runs); !math.IsNaN(share) {
		return table.Num(100*share, 2)
	}
	return table.Cell{}
}

// extent is the range of a score over the runs that have it.
func extent(c *summary.Config, score string) (low, high float64, ok bool) {
	for _, r := range c.Runs {
		if v, has := r.Score(score); has && !ok {
			low, high, ok = v, v, true
		} else if has {
			low, high = min(low, v), max(high, v)
		}
	}
	return low, high, ok
}

func leastCell(c *summary.Config) table.Cell {
	if low, _, ok := extent(c, artifact.LeastEigenvalue); ok {
		return table.Num(low, -1)
	}
	return table.Cell{}
}

// rangeCell is "0.01 to 100".
func rangeCell(c *summary.Config, score string) table.Cell {
	low, high, ok := extent(c, score)
	if !ok {
		return table.Cell{}
	}
	text := fmt.Sprintf("%.3g", low)
	if low != high {
		text += fmt.Sprintf(" to %.3g", high)
	}
	return table.List(text, table.Num(low, -1), table.Num(high, -1))
}

// mostSettings is how many chosen configurations are named.
const mostSettings = 4

// settingsCell names the configurations that the splits chose, the most frequent first.
func settingsCell(s *summary.Row) table.Cell {
	if len(s.Configs) == 1 {
		return table.Txt(s.Configs[0].Describe(s.Names))
	}
	count := s.Nested.Chose
	chosen := slices.DeleteFunc(slices.Clone(s.Configs), func(c *summary.Config) bool { return count(c) == 0 })
	slices.SortStableFunc(chosen, func(a, b *summary.Config) int { return count(b) - count(a) })
	var parts []string
	for _, c := range chosen[:min(len(chosen), mostSettings)] {
		parts = append(parts, fmt.Sprintf("%s (%d)", c.Describe(s.Names), count(c)))
	}
	if n := len(chosen) - len(parts); n > 0 {
		parts = append(parts, fmt.Sprintf("%d more", n))
	}
	return table.Txt(strings.Join(parts, "; "))
}

// levelOf is what naming the largest class of a data set scores, from a row whose cells tell it; missing where none does.
func levelOf(f *summary.Frame, dataset string) table.Cell {
	for _, s := range f.Rows {
		if f.Family.Printed.DatasetName(s.Dataset) == dataset {
			if cell, _ := s.Level(s.Metric.Trivial[0]); cell.Kind == table.Number {
				return cell
			}
		}
	}
	return table.None()
}

// bestPrinted says what the paper sets in bold and in italics.
func bestPrinted(k summary.Family, datasets []string) string {
	best := func(among func(category string) bool) string {
		var parts []string
		for _, name := range datasets {
			top := paper.PrintedScore{Mean: math.Inf(-1)}
			for _, c := range k.Printed.ScoresOf(k.Name) {
				if c.Dataset == name && c.Mean > top.Mean && among(k.Category(c.Row())) {
					top = c
				}
			}
			if top.Dataset != "" {
				parts = append(parts, name+" "+top.Row())
			}
		}
		return strings.Join(parts, ", ")
	}
	return "The highest that is printed: " + best(func(string) bool { return true }) +
		"; without neural nets: " + best(func(category string) bool { return category != "GNN" }) + "."
}
