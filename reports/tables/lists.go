package tables

import (
	"cmp"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// configurationsTable has a row for each configuration with a finished cell, from which settings are selected.
func configurationsTable(f *summary.Frame) table.Table {
	m, settings := f.Family.Metric, summary.Settings("configuration", f.Rows)
	t := table.Table{Name: f.Family.Name + "_configurations", List: true,
		Title: f.Titled(f.Family.Title + ": every configuration, mean (std) over " + m.Repetitions())}
	t.Columns = table.Columns{
		table.Dataset, table.Method, settings, {Title: m.Repetitions(), Counted: true}, {Title: m.Short, Spread: true},
		{Title: m.Beside.Short, Spread: true}, {Title: "objective", Right: true}, {Title: "stability", Right: true, Hidden: m.Nested},
		{Title: "largest cluster", Right: true, Hidden: m.Nested}, {Title: "selected", CSV: "chosen"},
		{Title: m.Repetitions() + " that choose it", Right: true, Hidden: !m.Nested},
	}
	begun := func(c *summary.Config) bool { return slices.ContainsFunc(c.Runs, hasEnded) }
	t.Each = func(yield func([]table.Cell) bool) {
		for s, c := range summary.Configs(f.Rows) {
			if begun(c) && !yield(configurationRow(s, c, settings.Params)) {
				return
			}
		}
	}
	for _, s := range f.Rows {
		t.Yields += len(summary.Pick(s.Configs, begun))
	}
	shown := words.If(!m.Nested, ", stability and largest cluster (share of the graphs in it, mean over %s)", m.Repetitions())
	t.Note(m.Short + ", " + m.Beside.Short + shown + " in " + m.Unit + ". Objectives compare between rows of one method that differ in alpha alone.")
	return t
}

// hasEnded reports whether a run has a record.
func hasEnded(r summary.Run) bool { return r.Record != nil }

// configurationRow returns the cells of a configuration.
func configurationRow(s *summary.Row, c *summary.Config, settings []string) []table.Cell {
	m, mark, selected := s.Metric, table.Fewer(c.Done, len(c.Runs)), ""
	switch {
	case m.Nested && c == s.Oracle:
		selected = "oracle"
	case m.Nested:
	case c == s.Oracle && c == s.Free:
		selected = "with and without labels"
	case c == s.Oracle:
		selected = "with labels"
	case c == s.Free:
		selected = "without labels"
	}
	first, second := m.Of(m.Measure, c.Runs).Cell(mark), m.Of(m.Beside, c.Runs).Cell(mark)
	if m.Nested {
		second = BesideCell(m, c, mark)
	}
	labelled := !s.Unlabelled || c.Done == 0
	objective := c.Objective()
	objective.HasStd = false
	return table.Cells(s.Dataset, s.Method, c.Settings(s.Names, settings), c.Repetitions(), first.If(labelled), second.If(labelled),
		objective, c.StabilityCell(), c.LargestCell(), selected, s.Nested.Chose(c))
}

// WithoutSVM is the row of the paper that a row of choices is compared with: GWF's for an SVM on its weights.
func WithoutSVM(s *summary.Row) string { return strings.Replace(s.Printed, " + SVM", "", 1) }

// Choices has a row for each configuration with a finished cell, named by the settings that at most half of the
// configurations of its method share: the effect of one change on the score, with the paper's value of the method and the verdict on it.
func Choices(f *summary.Frame) table.Table {
	m := f.Family.Metric
	settings := summary.Settings("choice", f.Rows)
	t := table.Table{Name: f.Family.Name + "_choices", Title: f.Titled(f.Family.Title + ": " + m.Label + " by choice, mean (std) over " + m.Repetitions())}
	t.Columns = table.Columns{
		table.Dataset, table.Method, settings, {Title: m.Repetitions(), Counted: true}, {Title: m.Short, Spread: true},
		{Title: m.Beside.Short, Spread: true, Hidden: m.Nested}, {Title: "largest cluster", Right: true, Hidden: m.Nested},
		{Title: "paper", Spread: true}, paper.LowColumn, paper.HighColumn, paper.VerdictColumn,
	}
	type setting struct {
		method, name string // name "": any setting
		value        summary.Value
	}
	shares := map[setting]int{}
	for s, c := range summary.Configs(f.Rows) {
		method := s.First().Method
		shares[setting{method: method}]++
		for _, k := range settings.Params {
			shares[setting{method, k, c.Params.At(k)}]++
		}
	}
	for s, c := range summary.Configs(f.Rows) {
		if c.Done == 0 {
			continue
		}
		method := s.First().Method
		own := summary.Pick(settings.Params, func(k string) bool {
			return 2*shares[setting{method, k, c.Params.At(k)}] <= shares[setting{method: method}]
		})
		choice := c.Settings(own, settings.Params)
		if len(own) == 0 {
			choice.Text = "none"
		}
		mark, row := table.Fewer(c.Done, len(c.Runs)), WithoutSVM(s)
		p, printed := f.Family.Score(row, f.Family.Printed.DatasetName(s.Dataset))
		var v paper.Verdict
		if printed {
			v.Interval, v.Outcome = against(s, p, m.Sample(m.Measure, c.Runs))
			if !c.Complete() {
				v.Outcome = paper.NoVerdict
			}
		}
		t.Add(s.Dataset, s.Method, choice, c.Repetitions(), m.Of(m.Measure, c.Runs).Cell(mark), m.Of(m.Beside, c.Runs).Cell(mark), c.LargestCell(),
			f.Family.PrintedCell(row, s.Dataset), v.IntervalCells()[:2], string(v.Outcome))
	}
	t.Note(table.When(!m.Nested, "Largest cluster: the share of the graphs in it.")...)
	t.Note("All in " + m.Unit + ". Settings that more than half of the configurations of a method share are omitted (GDL_lambda is GDL with " +
		"another lambda); none: all others change one of these.")
	t.Note(table.MarkNotes(t, m.Repetitions())...)
	return t
}

// listRuns lists the runs that count in t, with the cells that row returns. They are made while
// they are written, never held all at once.
func listRuns(t *table.Table, f *summary.Frame, settings []string, counts func(summary.Run) bool,
	row func(l *summary.Row, of table.Cell, r summary.Run) []table.Cell) {
	for r := range f.All() {
		if counts(r) {
			t.Yields++
		}
	}
	t.Each = func(yield func([]table.Cell) bool) {
		for l, c := range summary.Configs(f.Rows) {
			of := c.Settings(l.Names, settings)
			for r := range c.Everything() {
				if counts(r) && !yield(row(l, of, r)) {
					return
				}
			}
		}
	}
}

// Cells returns the list of all cells that have ended ("clustering_cells"): their ids, which rerun them, their scores, and how
// their solves ended. Times are in [Timings] and [Runtimes].
func Cells(f *summary.Frame) []table.Table {
	m, settings := f.Family.Metric, summary.Settings("configuration", f.Rows)
	t := table.Table{Name: cmp.Or(f.Table, f.Family.Name) + "_cells", List: true, Title: f.Titled("Every cell")}
	t.Columns = slices.Concat(table.Columns{
		{Title: "id", Key: true}, {Title: "data set"}, {Title: "method"}, {Title: "atoms", CSV: "atoms_resolved", Right: true}, settings,
		{Title: "base seed", CSV: "seed", Right: true}, {Title: "repetition", Right: true}, {Title: "part", Hidden: f.Confirm == 0},
		{Title: "status"}, {Title: m.Short, Right: true}, {Title: m.Beside.Short, Right: true}, {Title: "objective", Right: true},
	}, solveColumns, table.Map(m.Also, func(x summary.Measure) table.Column { return table.Column{Title: x.Label, Right: true} }))
	part := map[bool]string{false: "grid", true: "confirmation"}
	listRuns(&t, f, settings.Params, hasEnded, func(l *summary.Row, of table.Cell, r summary.Run) []table.Cell {
		var solves *record.Convergence
		if r.OK() {
			solves = &r.Record.Convergence
		}
		also := table.Map(m.Also, func(x summary.Measure) table.Cell { return r.Optional(x.Score, 1, -1) })
		return table.Cells(r.ID, l.Dataset, l.Method, positive(atomsOf(r)), of, r.BaseSeed, r.Repetition, part[r.Confirm], r.Status(),
			r.Optional(m.Score, m.Scale, 2), r.Optional(m.Beside.Score, m.Scale, 2), r.Optional(artifact.Objective, 1, 6),
			solveCells(solves), also)
	})
	t.Note(m.Short + " and " + m.Beside.Short + " in " + m.Unit + ". Cells that have not run yet are not listed; list names all. " +
		"To run one cell again: -cell ID.")
	t.Note(recordNotes(f.Rows)...)
	return []table.Table{t}
}

// paramColumns returns the parameters that vary on some data set within the grid of one method, which tell configurations apart, and key
// columns of them, aligned to the right where all values are numbers.
func paramColumns(rows []*summary.Row) (names []string, columns table.Columns) {
	for _, l := range rows {
		names = append(names, l.Names...)
	}
	slices.Sort(names)
	names = slices.Compact(names)
	for _, k := range names {
		column := table.Column{Title: k, Key: true, Right: true}
		for _, c := range summary.Configs(rows) {
			if v, ok := c.Params.Get(k); ok && !v.IsNum {
				column.Right = false
			}
		}
		columns = append(columns, column)
	}
	return names, columns
}
