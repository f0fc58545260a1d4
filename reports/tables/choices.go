package tables

import (
	"slices"

	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Choices has a row for each configuration of which a cell has ended, told by those of its settings that at most half of the
// configurations of its method share: what one change does to the score, beside what the paper prints for the method.
func Choices(f *summary.Frame) table.Table {
	m := f.Family.Metric
	settings := summary.Settings("choice", f.Rows)
	t := table.Table{Name: f.Family.Name + "_choices", Title: f.Titled(f.Family.Title + ": " + m.Label + " by choice, mean (std) over " + m.Repetitions()),
		Columns: append(table.Columns("*data set", "*method"), settings)}
	t.With("/"+m.Repetitions(), "~"+m.Short)
	t.With(table.When(!m.Nested, "~"+m.Beside.Short, ">largest cluster")...)
	t.With("~paper")
	type setting struct {
		method, name string
		value        summary.Value
	}
	configs, shares := map[string]int{}, map[setting]int{}
	for _, s := range f.Rows {
		method := s.First().Method
		for _, c := range s.Configs {
			configs[method]++
			for _, k := range settings.Params {
				shares[setting{method, k, c.Params.At(k)}]++
			}
		}
	}
	for _, s := range f.Rows {
		method := s.First().Method
		for _, c := range s.Configs {
			if c.Done == 0 {
				continue
			}
			var own []string
			for _, k := range settings.Params {
				if 2*shares[setting{method, k, c.Params.At(k)}] <= configs[method] {
					own = append(own, k)
				}
			}
			choice := c.Settings(own, settings.Params)
			if len(own) == 0 {
				choice.Text = "none"
			}
			mark := table.Fewer(c.Done, len(c.Runs))
			t.Add(slices.Concat([]table.Cell{table.Txt(s.Dataset), table.Txt(s.Method), choice, table.Count(c.Done, len(c.Runs)),
				m.Of(m.Measure, c.Runs).Cell(mark)}, table.When(!m.Nested, m.Of(m.Beside, c.Runs).Cell(mark), c.Share(c.Largest)),
				[]table.Cell{f.Family.PrintedCell(s.Printed, s.Dataset)})...)
		}
	}
	t.Note(table.When(!m.Nested, "Largest cluster: the share of the graphs in it.")...)
	t.Note("All in " + m.Unit + ". Settings that more than half of the configurations of a method share are left out (GDL_lambda is GDL with another lambda); none: all others change one of these.")
	t.Note(table.MarkNotes(t, m.Repetitions())...)
	return t
}
