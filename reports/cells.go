package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// none stands for what no configuration was chosen to tell: missing, unless all has been computed.
func (s *line) none() Cell {
	if s.complete == len(s.configs) {
		return Cell{}
	}
	return None()
}

// cellOf is a score of a chosen configuration in percent.
func (s *line) cellOf(c *configuration, score string) Cell {
	if c == nil {
		return s.none()
	}
	return c.stat(score, 100).cell(s.mark(c))
}

// percent is a fraction that belongs to a chosen configuration, in percent.
func (s *line) percent(c *configuration, v float64) Cell {
	cell := c.share(v)
	if cell.Kind == Number {
		cell.Mark = s.mark(c)
	}
	return cell
}

// largest is the share of the largest cluster of a chosen configuration.
func (s *line) largest(c *configuration) Cell {
	if c == nil {
		return s.none()
	}
	return s.percent(c, c.largest)
}

func (s *line) describe(c *configuration) Cell {
	if c == nil {
		return s.none()
	}
	return Txt(c.describe(s.names))
}

func (s *line) seeds(c *configuration) Cell {
	if c == nil {
		return s.none()
	}
	return count(c.done, len(c.runs))
}

// level is a trivial level of the line's data set, from its scored cells. That of
// independent labels hangs on the number of clusters: where a grid varies it there is
// no one level.
func (s *line) level(score string) (Cell, []string) {
	var found []float64
	for r := range s.runs() {
		if v, ok := r.score(score); ok {
			found = append(found, v)
		}
	}
	if len(found) == 0 {
		return None(), nil
	}
	lo, hi := slices.Min(found), slices.Max(found)
	switch {
	case lo == hi:
		return Num(100*lo, 2), nil
	case score == "trivial_independent" && slices.Contains(s.names, paramClusters):
		return None(), []string{fmt.Sprintf("%s %s: RI random hangs on the number of clusters; it is %.2f to %.2f.",
			s.dataset, s.method, 100*lo, 100*hi)}
	}
	return None(), []string{fmt.Sprintf("Warning: the cells of %s %s disagree on %s (%s, %s): they saw different "+
		"classes.", s.dataset, s.method, score, exact(lo), exact(hi))}
}

// confirmedUnlabelled are objective and stability of the configuration chosen without labels on the
// repetitions that confirm it, and how many there are.
func (s *line) confirmedUnlabelled() []Cell {
	c := s.free.configuration
	if c == nil || len(c.confirmed) == 0 {
		return []Cell{s.none(), s.none(), s.none()}
	}
	fresh := configuration{params: c.params, runs: c.confirmed}
	fresh.finish()
	mark := ""
	if !fresh.complete() {
		mark = MarkSeeds
	}
	return []Cell{fresh.objectiveSpread(mark), fresh.share(fresh.stability), count(fresh.done, len(fresh.runs))}
}

// objectiveSpread is the objective over the seeds; blank for a method that records none.
func (c *configuration) objectiveSpread(mark string) Cell {
	cell := c.objective()
	if cell.Kind == Number {
		cell.Std, cell.HasStd, cell.Mark = c.stat("objective", 1).std, true, mark
	}
	return cell
}

// share is a fraction in percent; blank where the configuration has all its seeds and there is nothing
// to tell, such as a stability of one seed.
func (c *configuration) share(v float64) Cell {
	cell := Num(100*v, 2)
	if cell.Kind == Missing && c.complete() {
		return Cell{}
	}
	return cell
}

// mostSizes is how many clusters are told by their sizes.
const mostSizes = 12

// sizesText is "62.4, 50.2, 37.4", or the first of many.
func (c *configuration) sizesText() string {
	var parts []string
	for _, v := range c.sizes[:min(len(c.sizes), mostSizes)] {
		parts = append(parts, strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0"))
	}
	text := strings.Join(parts, ", ")
	if more := len(c.sizes) - mostSizes; more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	return text
}

// begun reports whether some cell of the configuration left a record.
func (c *configuration) begun() bool {
	return slices.ContainsFunc(c.runs, func(r Run) bool { return r.Record != nil })
}

// objective is the mean objective; blank for a method that has run and records
// none.
func (c *configuration) objective() Cell {
	if v := c.mean("objective"); !math.IsNaN(v) {
		return Num(v, 6)
	}
	for _, r := range c.runs {
		if _, ok := r.score("objective"); ok {
			return None()
		}
	}
	if c.done > 0 {
		return Cell{}
	}
	return None()
}

// optional is a score; blank for a cell that ended well and records none.
func (r Run) optional(name string, scale float64, decimals int) Cell {
	c := r.scoreCell(name, scale, decimals)
	if c.Kind == Missing && r.ok() {
		return Cell{}
	}
	return c
}

func (r Run) scoreCell(name string, scale float64, decimals int) Cell {
	if v, ok := r.score(name); ok {
		return Num(v*scale, decimals)
	}
	return None()
}

// spread is the mean and deviation with so many decimals, marked where seeds are missing.
func (c *configuration) spread(name string, decimals int) Cell {
	s := c.over(name)
	if s.n == 0 {
		return None()
	}
	mark := ""
	if s.n < len(c.runs) {
		mark = MarkSeeds
	}
	out := s.cell(mark)
	out.Decimals = decimals
	return out
}

// confirmedCell is a score in percent of a chosen configuration on the repetitions that confirm it,
// missing where there are none.
func (c *configuration) confirmedCell(score string) Cell {
	if c == nil {
		return None()
	}
	s, mark := statOver(c.confirmed, score, 100), ""
	if s.n < len(c.confirmed) {
		mark = MarkSeeds
	}
	return s.cell(mark)
}

// freshSeeds says of how many repetitions that confirm a configuration there is a score.
func (c *configuration) freshSeeds() Cell {
	if c == nil || len(c.confirmed) == 0 {
		return None()
	}
	return count(statOver(c.confirmed, "ri", 1).n, len(c.confirmed))
}

// trivial is the highest Rand Index in percent that a clustering without any knowledge scores
// on the row's data set; -Inf if it is not known.
func (s *line) trivial() float64 {
	level := math.Inf(-1)
	for _, name := range []string{"trivial_one", "trivial_independent"} {
		if c, _ := s.level(name); c.Kind == Number {
			level = max(level, c.Value)
		}
	}
	return level
}
