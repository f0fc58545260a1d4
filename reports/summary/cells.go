package summary

import (
	"fmt"
	"math"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/table"
)

// None returns the cell where no configuration was chosen: missing, unless all has been computed.
func (s *Row) None() table.Cell { return table.None().If(!s.Settled()) }

// Selected returns cells of a selected setting with the mark of its numbers, [Row.None] if no setting is selected.
func (s *Row) Selected(c *Config, cells ...func(*Config) table.Cell) []table.Cell {
	out := make([]table.Cell, len(cells))
	for i, cell := range cells {
		if c == nil {
			out[i] = s.None()
		} else if out[i] = cell(c); out[i].Kind == table.Number {
			out[i].Mark = s.Mark(c)
		}
	}
	return out
}

// CellOf returns the mean of a measure of the selected setting c as a table cell.
func (s *Row) CellOf(c *Config, x Measure) table.Cell {
	return s.Selected(c, func(c *Config) table.Cell { return s.Metric.Of(x, c.Runs).Cell("") })[0]
}

// Describe names a chosen configuration by the parameters that vary, for a column of [Settings].
func (s *Row) Describe(c *Config, column table.Column) table.Cell {
	return s.Selected(c, func(c *Config) table.Cell { return c.Settings(s.Names, column.Params) })[0]
}

// Repetitions says how many of its repetitions ended well.
func (c *Config) Repetitions() table.Cell { return table.Count(c.Done, len(c.Runs)) }

// StabilityCell is the stability in percent, LargestCell the share of the largest cluster.
func (c *Config) StabilityCell() table.Cell { return c.share(c.Stability) }
func (c *Config) LargestCell() table.Cell   { return c.share(c.Largest) }

// findLevels finds the trivial levels in the scores of the cells. A level on which they disagree is missing, such as the score of random
// labels where numbers of clusters differ.
func (s *Row) findLevels() {
	s.Levels = nil
	for _, x := range s.Metric.Trivial {
		low, high := math.Inf(1), math.Inf(-1)
		for r := range s.Runs() {
			if v, ok := r.Score(x.Score); ok {
				low, high = min(low, v), max(high, v)
			}
		}
		s.Levels = append(s.Levels, table.Num(s.Metric.Scale*low, 2).Known(low == high))
	}
}

// ConfirmedUnlabelled returns three cells for the re-runs of the setting selected without labels:
// objective, stability and their number.
func (s *Row) ConfirmedUnlabelled() []table.Cell {
	c := s.Free
	if c == nil || len(c.Confirmed) == 0 {
		return []table.Cell{s.None(), s.None(), s.None()}
	}
	fresh := Config{Params: c.Params, Runs: c.Confirmed}
	fresh.finish()
	objective := fresh.Objective()
	if fresh.Done > 0 {
		objective.Mark = table.Fewer(fresh.Done, len(fresh.Runs))
	}
	return []table.Cell{objective, fresh.StabilityCell(), fresh.Repetitions()}
}

// share is a fraction in percent; blank where the configuration has all its repetitions and there is nothing
// to tell, such as a stability of one repetition.
func (c *Config) share(v float64) table.Cell {
	return table.Num(100*v, 2).If(!c.Complete() || !math.IsNaN(v))
}

// mostSizes is how many clusters are named by their sizes.
const mostSizes = 12

// SizesCell is "62.4, 50.2, 37.4", or the first of many; blank without clusters.
func (c *Config) SizesCell() table.Cell {
	all := table.Map(c.Sizes, func(v float64) table.Cell { return table.Num(v, 1) })
	parts := table.Map(c.Sizes[:min(len(c.Sizes), mostSizes)], func(v float64) string {
		return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0")
	})
	more := len(c.Sizes) - mostSizes
	return table.List(strings.Join(parts, ", ")+words.If(more > 0, " and %d more", more), all...).If(len(c.Sizes) > 0)
}

// Objective is the objective over the repetitions; blank for a method that has run and records none.
func (c *Config) Objective() table.Cell {
	return StatOver(c.Runs, artifact.Objective, 1).Rounded(6).If(c.Done == 0 || c.Has(artifact.Objective))
}

// Optional is a score; blank for a cell that ended well and records none.
func (r Run) Optional(name string, scale float64, decimals int) table.Cell {
	c := r.ScoreCell(name, scale, decimals)
	return c.If(c.Kind != table.Missing || !r.OK())
}

// ScoreCell is a score; missing where there is none.
func (r Run) ScoreCell(name string, scale float64, decimals int) table.Cell {
	v, ok := r.Score(name)
	return table.Num(v*scale, decimals).Known(ok)
}

// ConfirmedCell is a measure of a chosen configuration on the repetitions that confirm it,
// missing where there are none.
func (s *Row) ConfirmedCell(c *Config, x Measure) table.Cell {
	if c == nil {
		return table.None()
	}
	of := s.Metric.Of(x, c.Confirmed)
	return of.Cell(table.Fewer(of.N, len(c.Confirmed)))
}

// FreshRepetitions returns the number of scored re-runs of a setting, of all its re-runs.
func (s *Row) FreshRepetitions(c *Config) table.Cell {
	if c == nil || len(c.Confirmed) == 0 {
		return table.None()
	}
	return table.Count(s.Metric.Of(s.Metric.Measure, c.Confirmed).N, len(c.Confirmed))
}

// Trivial is the highest score, as it is shown, that takes no knowledge of the row's data set; -Inf if it is not known.
func (s *Row) Trivial() float64 {
	level := math.Inf(-1)
	for _, c := range s.Levels {
		if c.Kind == table.Number {
			level = max(level, c.Value)
		}
	}
	return level
}
