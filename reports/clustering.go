package reports

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/internal/record"
)

// Clustering turns the records of a clustering run into its tables:
//
//   - clustering: the paper's Rand Index beside ours and the difference, for the
//     configuration with the highest mean Rand Index (the paper's choice);
//   - clustering_careful: the same with adjusted Rand Index and trivial levels, and
//     what the configuration chosen without labels scores;
//   - clustering_convergence: how the solves behind those numbers ended;
//   - clustering_layout: the main table as the paper lays it out, with all of its
//     methods (left out where it has none of the data sets);
//   - clustering_configurations: every configuration, averaged over seeds;
//   - clustering_cells: every cell with its id and status.
//
// Scores are in percent. Records read the scores "ri", "ari", "objective",
// "trivial_one" and "trivial_independent" (Rand Indices as fractions); a cell
// without a status ok and an "ri" counts as not done.
func Clustering(spec Spec, recs []record.Record) []Table {
	printed := PaperNumbers()
	lines := group(printed, spec, recs)
	rows := make([]*summary, len(lines))
	for i, l := range lines {
		rows[i] = summarise(l)
	}
	tables := []Table{
		mainTable(spec, printed, rows),
		carefulTable(spec, rows),
		convergenceTable(spec, rows),
	}
	if t, ok := layoutTable(spec, printed, rows); ok {
		tables = append(tables, t)
	}
	return append(tables, configurationsTable(spec, rows), cellsTable(spec, lines))
}

// summary is a line with its two choices made.
type summary struct {
	*line
	complete int            // configurations with all seeds
	oracle   *configuration // nil: nothing has run
	free     *configuration // chosen without labels; nil: no choice
	ties     int            // other configurations as stable as free
	reason   string
}

func summarise(l *line) *summary {
	s := &summary{line: l, oracle: oracle(l.configs)}
	s.free, s.ties, s.reason = labelFree(l.configs)
	for _, c := range l.configs {
		if c.complete() {
			s.complete++
		}
	}
	return s
}

// mark is what stands beside a number of the chosen configuration.
func (s *summary) mark(c *configuration) string {
	m := ""
	if c != nil && !c.complete() {
		m = MarkSeeds
	}
	if s.complete < len(s.configs) && len(s.configs) > 1 {
		m += MarkGrid
	}
	return m
}

// cellOf is a score of a chosen configuration in percent, missing where none is.
func (s *summary) cellOf(c *configuration, score string) Cell {
	if c == nil {
		return None()
	}
	return c.stat(score, 100).cell(s.mark(c))
}

func (s *summary) describe(c *configuration) Cell {
	if c == nil {
		return None()
	}
	return Txt(c.describe(s.names))
}

func seeds(c *configuration) Cell {
	if c == nil {
		return None()
	}
	return count(c.done, len(c.runs))
}

func count(done, of int) Cell { return Txt(fmt.Sprintf("%d of %d", done, of)) }

func title(spec Spec, what string) string {
	if spec.Name == "" {
		return what
	}
	return what + " (" + spec.Name + ")"
}

func mainTable(spec Spec, printed Printed, rows []*summary) Table {
	t := Table{
		Name:  "clustering",
		Title: title(spec, "Clustering: Rand Index in percent, mean (std) over seeds"),
		Columns: []Column{
			{Name: "data set", Key: true}, {Name: "method", Key: true},
			{Name: "paper", Right: true, Spread: true}, {Name: "ours", Right: true, Spread: true},
			{Name: "ours - paper", Right: true}, {Name: "seeds", Right: true},
			{Name: "configurations", Right: true}, {Name: "chosen by highest Rand Index"},
		},
	}
	enzymes := false
	for _, s := range rows {
		ours := s.cellOf(s.oracle, "ri")
		paper, diff := Cell{}, Cell{}
		if p, ok := printed.score("clustering", s.method, s.dataset); ok {
			paper, diff = MeanStd(p.Mean, p.Std), None()
			if ours.Kind == Number {
				diff = Diff(ours.Value - p.Mean)
				diff.Mark = ours.Mark
			}
		}
		if _, ok := printed.score("clustering_enzymes", s.method, s.dataset); ok {
			enzymes = true
		}
		t.Rows = append(t.Rows, []Cell{
			Txt(s.dataset), Txt(s.method), paper, ours, diff, seeds(s.oracle),
			count(s.complete, len(s.configs)), s.describe(s.oracle),
		})
	}
	t.Notes = append(t.Notes, "Ours is the configuration with the highest mean Rand Index, as in the paper: a choice "+
		"made with the labels. (std) is the population standard deviation over seeds, as in the paper's code.")
	if enzymes {
		var parts []string
		for _, c := range printed.Scores {
			if c.Table == "clustering_enzymes" {
				parts = append(parts, fmt.Sprintf("%s %.2f (%.2f)", c.Method, c.Mean, c.Std))
			}
		}
		t.Notes = append(t.Notes, "The paper's supplement prints for ENZYMES with batches of 64: "+strings.Join(parts, ", ")+".")
	}
	t.Notes = append(t.Notes, markNotes(t)...)
	t.Notes = append(t.Notes, incompleteNotes(rows)...)
	t.Notes = append(t.Notes, statusNotes(rows)...)
	t.Notes = append(t.Notes, warnings(rows)...)
	return t
}

func carefulTable(spec Spec, rows []*summary) Table {
	t := Table{
		Name:  "clustering_careful",
		Title: title(spec, "Clustering for a careful reader: percent, mean (std) over seeds"),
		Columns: []Column{
			{Name: "data set", Key: true}, {Name: "method", Key: true},
			{Name: "RI one cluster", Right: true}, {Name: "RI random", Right: true},
			{Name: "RI with labels", Right: true, Spread: true}, {Name: "ARI with labels", Right: true, Spread: true},
			{Name: "seeds with labels", Right: true},
			{Name: "RI without labels", Right: true, Spread: true}, {Name: "ARI without labels", Right: true, Spread: true},
			{Name: "seeds without labels", Right: true},
			{Name: "stability", Right: true}, {Name: "chosen without labels"},
		},
	}
	var notes []string
	for _, s := range rows {
		one, w1 := s.level("trivial_one")
		random, w2 := s.level("trivial_independent")
		stable := None()
		if s.free != nil {
			stable = Num(100*s.free.stability, 2)
			stable.Mark = s.mark(s.free)
			if stable.Kind != Number {
				stable = None()
			}
		}
		t.Rows = append(t.Rows, []Cell{
			Txt(s.dataset), Txt(s.method), one, random,
			s.cellOf(s.oracle, "ri"), s.cellOf(s.oracle, "ari"), seeds(s.oracle),
			s.cellOf(s.free, "ri"), s.cellOf(s.free, "ari"), seeds(s.free),
			stable, s.describe(s.free),
		})
		notes = append(notes, w1...)
		notes = append(notes, w2...)
		if s.reason != "" {
			notes = append(notes, fmt.Sprintf("%s %s, choice without labels: %s.", s.dataset, s.method, s.reason))
		}
		if s.ties > 0 {
			notes = append(notes, fmt.Sprintf("%s %s, choice without labels: %d other configurations are as stable; the first "+
				"in the order of the parameters is shown.", s.dataset, s.method, s.ties))
		}
	}
	t.Notes = append(t.Notes,
		"RI one cluster, RI random: the Rand Index of putting all graphs into one cluster, and of independent "+
			"random labels. ARI: adjusted Rand Index, 0 for independent labels.",
		"With labels: the configuration with the highest mean Rand Index, as in the paper. Without labels: alpha by "+
			"the lowest mean objective, compared only between configurations that are equal in everything else (the "+
			"objective falls with the number of atoms and holds -lambda |w|^2); then the number of atoms, lambda and "+
			"all else by stability, the highest mean adjusted Rand Index between the clusterings of two seeds.",
		"(std) is the population standard deviation over seeds.")
	t.Notes = append(t.Notes, markNotes(t)...)
	t.Notes = append(t.Notes, notes...)
	return t
}

// level is a trivial level of the line's data set, from its scored cells.
func (s *summary) level(score string) (Cell, []string) {
	found := math.NaN()
	for _, r := range s.runs() {
		v, ok := r.score(score)
		switch {
		case !ok:
		case math.IsNaN(found):
			found = v
		case v != found:
			return None(), []string{fmt.Sprintf("Warning: the cells of %s %s disagree on %s (%s, %s): they saw different "+
				"classes.", s.dataset, s.method, score, exact(min(found, v)), exact(max(found, v)))}
		}
	}
	return Num(100*found, 2), nil
}

func convergenceTable(spec Spec, rows []*summary) Table {
	t := Table{
		Name:  "clustering_convergence",
		Title: title(spec, "Clustering: how the solves ended"),
		Columns: []Column{
			{Name: "data set", Key: true}, {Name: "method", Key: true}, {Name: "configuration", Key: true},
			{Name: "solves", Right: true}, {Name: "at cap, %", Right: true},
			{Name: "largest gap", Right: true}, {Name: "mean iterations", Right: true},
		},
		Notes: []string{"At cap: share of the solves that stopped at their iteration limit. Largest gap: of the conditional " +
			"gradient's duality gap, in units of the objective. All: over every finished cell of the row."},
	}
	for _, s := range rows {
		add := func(which string, runs []run) {
			var sum record.Convergence
			n := 0
			for _, r := range runs {
				if r.scored() {
					c := r.rec.Convergence
					n++
					sum.Solves += c.Solves
					sum.CapHits += c.CapHits
					sum.Iterations += c.Iterations
					sum.MaxGap = max(sum.MaxGap, c.MaxGap)
				}
			}
			row := []Cell{Txt(s.dataset), Txt(s.method), Txt(which), None(), None(), None(), None()}
			switch {
			case n > 0 && sum.Solves > 0:
				row[3] = Int(sum.Solves)
				row[4] = Num(100*float64(sum.CapHits)/float64(sum.Solves), 2)
				row[5] = Num(sum.MaxGap, -1)
				row[6] = Num(float64(sum.Iterations)/float64(sum.Solves), 1)
			case n > 0: // a method that counts no solves
				row[3], row[4], row[5], row[6] = Int(0), Cell{}, Cell{}, Cell{}
			}
			t.Rows = append(t.Rows, row)
		}
		of := func(c *configuration) []run {
			if c == nil {
				return nil
			}
			return c.runs
		}
		add("chosen with labels", of(s.oracle))
		add("chosen without labels", of(s.free))
		add("all", s.runs())
	}
	return t
}

// layoutTable is the main table with methods down and data sets across.
func layoutTable(spec Spec, printed Printed, rows []*summary) (Table, bool) {
	t := Table{
		Name:    "clustering_layout",
		Title:   title(spec, "Clustering: Rand Index in percent, as the paper lays it out"),
		Columns: []Column{{Name: "method", Key: true}, {Name: "source", Key: true}},
	}
	var datasets []string
	ours := map[[2]string]*summary{}
	methods := printed.methods()
	known := false
	for _, s := range rows {
		ours[[2]string{s.method, s.dataset}] = s
		if !slices.Contains(datasets, s.dataset) {
			datasets = append(datasets, s.dataset)
			_, ok := printed.score("clustering", "GDL", s.dataset)
			known = known || ok
			t.Columns = append(t.Columns, Column{Name: s.dataset, Right: true, Spread: true})
		}
		if !slices.Contains(methods, s.method) {
			methods = append(methods, s.method)
		}
	}
	if !known {
		return Table{}, false
	}
	for _, m := range methods {
		paperRow := []Cell{Txt(m), Txt("paper")}
		ourRow := []Cell{Txt(m), Txt("ours")}
		asked, inPaper := false, false
		for _, d := range datasets {
			p, ok := printed.score("clustering", m, d)
			if ok {
				inPaper = true
				paperRow = append(paperRow, MeanStd(p.Mean, p.Std))
			} else {
				paperRow = append(paperRow, Cell{})
			}
			if s := ours[[2]string{m, d}]; s != nil {
				asked = true
				ourRow = append(ourRow, s.cellOf(s.oracle, "ri"))
			} else {
				ourRow = append(ourRow, Cell{})
			}
		}
		if inPaper {
			t.Rows = append(t.Rows, paperRow)
		}
		if asked {
			t.Rows = append(t.Rows, ourRow)
		}
	}
	t.Notes = append(t.Notes, "What is not asked for by this configuration has no row \"ours\", or reads \"-\" in it.")
	t.Notes = append(t.Notes, markNotes(t)...)
	return t, true
}
