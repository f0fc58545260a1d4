package tables

import (
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Choices has a row for each configuration with a finished cell, named by the settings that at most half of the
// configurations of its method share: the effect of one change on the score, with the paper's value of the method.
func Choices(f *summary.Frame) table.Table {
	m := f.Family.Metric
	settings := summary.Settings("choice", f.Rows)
	t := table.Table{Name: f.Family.Name + "_choices", Title: f.Titled(f.Family.Title + ": " + m.Label + " by choice, mean (std) over " + m.Repetitions())}
	t.With(table.Columns{
		table.Dataset, table.Method, settings, {Title: m.Repetitions(), Counted: true}, {Title: m.Short, Spread: true},
		{Title: m.Beside.Short, Spread: true, Hidden: m.Nested}, {Title: "largest cluster", Right: true, Hidden: m.Nested},
		{Title: "paper", Spread: true},
	})
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
		mark := table.Fewer(c.Done, len(c.Runs))
		t.Add(s.Dataset, s.Method, choice, c.Repetitions(), m.Of(m.Measure, c.Runs).Cell(mark),
			m.Of(m.Beside, c.Runs).Cell(mark), c.LargestCell(), f.Family.PrintedCell(s.Printed, s.Dataset))
	}
	t.Note(table.When(!m.Nested, "Largest cluster: the share of the graphs in it.")...)
	t.Note("All in " + m.Unit + ". Settings that more than half of the configurations of a method share are omitted (GDL_lambda is GDL with " +
		"another lambda); none: all others change one of these.")
	t.Note(table.MarkNotes(t, m.Repetitions())...)
	return t
}
