package reports

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ogdl/reports/plots"
)

// findClassless marks the lines of the data sets without classes: some of their cells, of whatever method, have ended
// well, and none was compared with classes. A method that needs classes and fails is told of there too.
func findClassless(lines []*line) {
	done, compared := map[string]bool{}, map[string]bool{}
	for _, l := range lines {
		for _, c := range l.configs {
			done[l.dataset] = done[l.dataset] || c.done > 0
			compared[l.dataset] = compared[l.dataset] || slices.ContainsFunc(c.runs, func(r Run) bool { _, ok := r.score("ri"); return ok })
		}
	}
	for _, l := range lines {
		l.classless = done[l.dataset] && !compared[l.dataset]
	}
}

// unlabelled reports whether the line's data set has no classes.
func (l *line) unlabelled() bool { return l.classless }

// shown is the configuration that figures draw: the one with the highest mean Rand Index or, without
// classes, the one chosen without labels. nil: nothing has run.
func (l *line) shown() *configuration {
	if l.unlabelled() {
		return labelFree(l.configs).configuration
	}
	return oracle(l.configs)
}

// byClasses parts the rows into those of data sets with classes (or not known yet) and those without.
func byClasses(rows []*summary) (with, without []*summary) {
	for _, s := range rows {
		if s.unlabelled() {
			without = append(without, s)
		} else {
			with = append(with, s)
		}
	}
	return with, without
}

// unlabelledTable is the main table of data sets without classes: what is chosen without labels, and
// what can be said of it. There is no Rand Index.
func unlabelledTable(k kind, spec Spec, rows []*summary) Table {
	t := Table{
		Name:  k.name + "_unlabelled",
		Title: title(spec, k.title+" of data without classes: the configuration chosen without labels"),
		Columns: []Column{
			{Name: "data set", Key: true}, {Name: "method", Key: true},
			{Name: "objective", Right: true, Spread: true}, {Name: "stability", Right: true}, {Name: "largest cluster", Right: true},
			{Name: "cluster sizes"}, {Name: "seeds", Right: true}, {Name: "configurations", Right: true}, {Name: "chosen without labels"},
		},
	}
	if spec.Confirm > 0 {
		t.Columns = append(t.Columns, Column{Name: "confirmed objective", Right: true, Spread: true}, Column{Name: "confirmed stability", Right: true},
			Column{Name: "fresh seeds", Right: true})
	}
	var notes []string
	for _, s := range rows {
		c := s.free.configuration
		row := []Cell{Txt(s.dataset), Txt(s.method), {}, {}, {}, {}, {}, count(s.complete, len(s.configs)), {}}
		if c == nil {
			row[2], row[3], row[4], row[5] = Cell{Kind: Missing}, Cell{Kind: Missing}, Cell{Kind: Missing}, Cell{Kind: Missing}
		} else {
			row[2], row[3], row[4] = c.objectiveSpread(s.mark(c)), s.percent(c, c.stability), s.percent(c, c.largest)
			if len(c.sizes) > 0 {
				row[5] = Txt(c.sizesText())
			}
			row[6], row[8] = s.seeds(c), s.describe(c)
		}
		if spec.Confirm > 0 {
			row = append(row, s.confirmedUnlabelled()...)
		}
		t.Rows = append(t.Rows, row)
		if !slices.ContainsFunc(s.configs, func(c *configuration) bool { return len(c.sizes) > 0 }) {
			notes = append(notes, fmt.Sprintf("%s %s: not clustered, as there are no classes to take the number of clusters from; "+
				"clusters = N in its [[grid]] block asks for N clusters.", s.dataset, s.method))
		}
		notes = append(notes, freeNotes(s)...)
	}
	t.Notes = append(t.Notes,
		"Objective: mean (std) over seeds; it compares only between rows of one method that differ in alpha alone. Stability: the mean adjusted Rand "+
			"Index between the clusterings of two seeds, in percent; blank with fewer than two. Cluster sizes: graphs, from the largest "+
			"cluster to the smallest of each clustering, mean over seeds. Largest cluster: its share of the graphs in percent.",
		choiceNote)
	t.Notes = append(t.Notes, markNotes(t)...)
	t.Notes = append(t.Notes, notes...)
	t.Notes = append(t.Notes, statusNotes(rows)...)
	t.Notes = append(t.Notes, seedNotes(rows)...)
	t.Notes = append(t.Notes, warnings(rows)...)
	return t
}

// confirmedUnlabelled are objective and stability of the configuration chosen without labels on the
// repetitions that confirm it, and how many there are.
func (s *summary) confirmedUnlabelled() []Cell {
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

// freeNotes tell what to know of a choice without labels.
func freeNotes(s *summary) []string {
	var notes []string
	for _, reason := range s.free.reasons {
		notes = append(notes, fmt.Sprintf("%s %s, choice without labels: %s.", s.dataset, s.method, reason))
	}
	if n := s.free.ties; n > 0 {
		notes = append(notes, fmt.Sprintf("%s %s, choice without labels: %s as stable or as good; the first in the order of the parameters is shown.",
			s.dataset, s.method, plural(n, "other configuration is", "other configurations are")))
	}
	return notes
}

// choiceNote says how a configuration is chosen without labels.
const choiceNote = "Without labels: alpha by " +
	"the lowest mean objective, compared only between configurations that are equal in everything else (the " +
	"objective falls with the number of atoms and holds -lambda |w|^2); then the number of atoms, lambda and " +
	"all else by stability, the highest mean adjusted Rand Index between the clusterings of two seeds. Configurations " +
	"that put 95 % of the graphs or more into one cluster take no part in the second step: they are stable because " +
	"there is nothing to disagree about. Where no objective is recorded, stability chooses alpha as well; ties of " +
	"spectral clustering go to the largest eigengap, then to the lowest normalised cut. Other ties go to the first in the " +
	"order of the parameters."

// unlabelledFigure draws the sweep of data without classes: stability and the share of the largest
// cluster; false where no data set has one.
func (s sweep) unlabelledFigure(lines []*line, colours map[string]int) (plots.Figure, bool) {
	f := plots.Figure{
		Name:    "stability_" + s.param,
		Title:   "Stability against " + s.param + ", data without classes",
		Columns: 2,
		Data:    []plots.Data{{Header: []string{"dataset", "method", s.param, "seeds", "stability", "largest_cluster", "objective_mean", "objective_std", "other parameters"}}},
	}
	var found []string
	for _, set := range byDataset(lines) {
		if s.param == paramLambda {
			colours = withBases(colours)
		}
		tracks := s.tracks(set, colours)
		if len(tracks) == 0 {
			continue
		}
		name := set[0].dataset
		at := s.axis(tracks)
		panels := []plots.XY{
			{Title: name, YLabel: "stability, %", XLabel: at.label, XTicks: at.ticks, Note: fewerSeeds(tracks)},
			{Title: name, YLabel: "largest cluster, %", XLabel: at.label, XTicks: at.ticks},
		}
		for i, t := range tracks {
			aside := float64(2*i+1-len(tracks)) / 2 * at.step
			for k, of := range []func(*configuration) float64{func(c *configuration) float64 { return c.stability }, func(c *configuration) float64 { return c.largest }} {
				one := plots.Series{Name: t.name, Style: plots.LinePoints, Colour: t.colour}
				for _, c := range t.configs {
					if v := of(c); !math.IsNaN(v) {
						one.X, one.Y = append(one.X, at.place(s.value(c).number)+aside), append(one.Y, 100*v)
					}
				}
				if len(one.X) > 0 {
					panels[k].Series = append(panels[k].Series, one)
				}
			}
			for _, c := range t.configs {
				o := c.stat("objective", 1)
				f.Data[0].Rows = append(f.Data[0].Rows, []string{name, t.name, s.value(c).text, strconv.Itoa(c.done),
					percentText(c.stability), percentText(c.largest), fixed(o.mean, o), fixed(o.std, o), t.fixed})
			}
		}
		if len(panels[0].Series) == 0 && len(panels[1].Series) == 0 {
			continue // not clustered
		}
		found = append(found, name)
		f.Panels = append(f.Panels, panels[0], panels[1])
	}
	f.Alt = fmt.Sprintf("Stability (left: the mean adjusted Rand Index between the clusterings of two seeds) and share of the largest cluster (right) "+
		"against %s, a row of panels per data set without classes: %s. The methods stand a little aside of each other. The other parameters stay as in the method's "+
		"configuration chosen without labels.", s.label, strings.Join(found, ", "))
	return f, len(f.Panels) > 0
}

// percentText is a fraction in percent with two decimals, "" where there is none.
func percentText(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(100*v, 'f', 2, 64)
}
