package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Sweeps are the figures of a clustering run: scores against each of the parameters alpha, atoms
// and lambda, and the loss per epoch. A figure has two panels for each data set with something
// to show, and is omitted without panels.
//
// A series is a row of the tables along one parameter, at mean and standard deviation over the
// repetitions. All other parameters stay as they are in the row's chosen configuration: so
// neighbouring points differ in one thing, on the same repetitions. The best over the others at
// every point would be smoother, but a maximum over more or fewer configurations from point to
// point. Lambda is swept through 0, where the tables have rows of their own. The panels of data
// without classes show the stability and the largest cluster.
func Sweeps(f *summary.Frame, _ Arrays) (out []plots.Figure, tabs []table.Table, err error) {
	colours := rowColours(f.Rows)
	for _, s := range []sweep{
		{summary.ParamAlpha, "alpha, the weight of the structure"},
		{summary.ParamAtoms, "number of atoms"},
		{summary.ParamLambda, "lambda, the weight of the negative quadratic term"},
	} {
		out = append(out, s.figure(f, colours)...)
	}
	return append(out, Loss(f)...), nil, nil
}

// rowColours gives every row of the tables the same colour in all figures.
func rowColours(rows []*summary.Row) map[string]int {
	out := map[string]int{}
	for _, l := range rows {
		if out[l.Method] == 0 {
			out[l.Method] = len(out) + 1
		}
	}
	return out
}

func ofRow(l *summary.Row) string { return l.Dataset }

// sweep is a parameter that scores are drawn against.
type sweep struct{ param, label string }

// curve is what a panel draws of a configuration: nothing where N is 0.
type curve struct {
	label   string // of the axis
	of      func(*summary.Config) paper.Stat
	trivial float64 // what takes no knowledge of the data; infinite where there is no such level
}

// curvesOf are the two panels of a data set.
func curvesOf(l *summary.Row) [2]curve {
	m := l.Metric
	if l.Unlabelled {
		share := func(v float64) paper.Stat { return paper.StatOf(table.When(!math.IsNaN(v), 100*v)) }
		return [2]curve{{"stability, %", func(c *summary.Config) paper.Stat { return share(c.Stability) }, math.Inf(-1)},
			{"largest cluster, %", func(c *summary.Config) paper.Stat { return share(c.Largest) }, math.Inf(-1)}}
	}
	return [2]curve{{m.Label + ", " + m.Sign, func(c *summary.Config) paper.Stat { return m.Of(m.Measure, c.Runs) }, l.Trivial()},
		{m.Beside.Label + ", " + m.Sign, func(c *summary.Config) paper.Stat { return m.Of(m.Beside, c.Runs) }, 0}}
}

// mostBars is the number of values above which bars would hide each other.
const mostBars = 10

// figure draws the sweep; none where no data set has one.
func (s sweep) figure(frame *summary.Frame, colours map[string]int) []plots.Figure {
	m := frame.Family.Metric
	f := plots.Figure{Name: "sweep_" + s.param, Title: m.Label + " against " + s.param, Columns: 2,
		Data: []plots.Data{{Header: []string{"dataset", "method", s.param, m.Repetitions(), m.Score + "_mean", m.Score + "_std",
			m.Beside.Score + "_mean", m.Beside.Score + "_std", "stability", "largest_cluster", "other parameters"}}}}
	var found []string
	for _, set := range summary.Groups(frame.Rows, ofRow) {
		tracks, name, best := s.tracks(set, colours), set[0].Dataset, ""
		values := s.values(tracks)
		panels := [2]plots.XY{}
		for k, p := range curvesOf(set[0]) {
			x, top := plots.XY{Title: name, YLabel: p.label, XLabel: s.param}, math.Inf(-1)
			for i, v := range values {
				x.XTicks = append(x.XTicks, plots.Tick{Value: float64(i), Label: summary.NumberValue(v).Text()})
			}
			for _, t := range tracks {
				one := plots.Series{Name: t.name, Style: plots.LinePoints, Colour: t.colour, Whiskers: true}
				for _, c := range t.configs {
					v := p.of(c)
					if v.N == 0 {
						continue
					}
					at, _ := slices.BinarySearch(values, s.value(c).Number)
					one.Put(float64(at), v.Mean, table.When(len(values) <= mostBars, v.Mean-v.Std, v.Mean+v.Std)...)
					if k == 0 && v.Mean > top {
						top, best = v.Mean, fmt.Sprintf("%s %.1f %% by %s at %s", name, v.Mean, t.name, s.value(c).Text())
					}
				}
				x.Add(one)
			}
			if !math.IsInf(p.trivial, 0) {
				x.Series = append(x.Series, plots.Series{Name: "trivial level", Style: plots.Line, Guide: true,
					X: []float64{0, float64(len(values) - 1)}, Y: []float64{p.trivial, p.trivial}})
			}
			panels[k] = x
		}
		for _, t := range tracks {
			for _, c := range t.configs {
				score, beside := m.Of(m.Measure, c.Runs).OrNaN(), m.Of(m.Beside, c.Runs).OrNaN()
				f.Data[0].Add(name, t.name, s.value(c).Text(), c.Done, score.Mean, score.Std, beside.Mean, beside.Std, 100*c.Stability,
					100*c.Largest, t.fixed)
			}
		}
		if best != "" { // else not clustered
			found = append(found, best)
			f.Panels = append(f.Panels, panels[0], panels[1])
		}
	}
	f.Alt = fmt.Sprintf("Scores against %s, a row of panels per data set: mean over the %s, with bars of one standard deviation where the "+
		"values are few. Data with classes: %s (left) and %s (right), with the trivial level (one single cluster, or random labels). "+
		"Data without classes: stability, the mean adjusted Rand Index between the clusterings of two %s (left), and share of the "+
		"largest cluster (right). The other parameters stay as in the selected setting; settings that a race ruled out are omitted. "+
		"The highest means on the left: %s.",
		s.label, m.Repetitions(), m.Label, m.Beside.Label, m.Repetitions(), strings.Join(found, "; "))
	return table.When(len(f.Panels) > 0, f)
}

// without are the names of what varies along the sweep.
func (s sweep) without() []string {
	if s.param == summary.ParamAtoms {
		return []string{summary.ParamAtoms, summary.ParamAtomsPerClass} // the same, counted in another way
	}
	return []string{s.param}
}

// value is the parameter's value; the number of atoms, where the grid gives it per class, is the
// records'.
func (s sweep) value(c *summary.Config) summary.Value {
	if v, ok := c.Params.Get(s.param); ok {
		return v
	}
	for _, r := range c.Runs {
		if v, ok := r.Number(s.param); ok && r.OK() {
			return summary.NumberValue(v)
		}
	}
	return summary.Value{}
}

// values are the parameter's values along tracks, ascending.
func (s sweep) values(tracks []track) (out []float64) {
	for _, t := range tracks {
		for _, c := range t.configs {
			out = append(out, s.value(c).Number)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// dictionaryMethod begins the names of the methods that learn a dictionary; the others are baselines.
const dictionaryMethod = "GDL"

// track is a row along one parameter.
type track struct {
	name    string
	configs []*summary.Config // by the parameter's value
	colour  int
	fixed   string // the other parameters that vary in the grid
}

// tracks are the rows of one data set along the parameter, as far as the grid has several of
// its values. Settings that a race has ruled out are left out.
func (s sweep) tracks(rows []*summary.Row, colours map[string]int) []track {
	var out []track
	for _, l := range s.merge(rows) {
		at := l.Shown()
		if at == nil {
			continue
		}
		key := at.Key(s.without()...)
		t := track{name: s.name(l.Method)}
		t.colour = cmp.Or(colours[t.name], colours[l.Method])
		for _, c := range l.Configs {
			if c.Done > 0 && s.value(c).IsNum && c.Key(s.without()...) == key && c.RuledOut() == 0 {
				t.configs = append(t.configs, c)
			}
		}
		slices.SortStableFunc(t.configs, func(a, b *summary.Config) int {
			return summary.CompareValues(s.value(a), s.value(b))
		})
		if len(t.configs) < 2 {
			continue
		}
		names := slices.DeleteFunc(slices.Clone(l.Names), func(n string) bool { return slices.Contains(s.without(), n) })
		t.fixed = at.Describe(names)
		if len(names) == 0 {
			t.fixed = "no other parameter varies"
		}
		out = append(out, t)
	}
	return out
}

// name returns the name of a row of the tables here: along lambda the rows for lambda = 0 and above are one.
func (s sweep) name(method string) string {
	if s.param != summary.ParamLambda {
		return method
	}
	return strings.Replace(method, paper.SuffixLambda, "", 1)
}

// merge joins the rows of one name.
func (s sweep) merge(rows []*summary.Row) []*summary.Row {
	return table.Map(summary.Groups(rows, func(l *summary.Row) string { return s.name(l.Method) }), summary.Join)
}
