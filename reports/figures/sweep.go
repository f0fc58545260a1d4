package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Sweeps are the figures of a clustering run: scores against each of the parameters alpha, atoms
// and lambda, and the loss per epoch. A figure has a panel for each data set with something
// to show, and is omitted without panels.
//
// A series is a row of the tables along one parameter, at mean and standard deviation over the
// repetitions. All other parameters stay as they are in the row's chosen configuration: so neighbouring points differ in one thing, on the same repetitions. The best over the
// others at every point would be smoother, but a maximum over more or fewer configurations from point to
// point. Lambda is swept through 0, where the tables have rows of their own. Data sets without classes have figures of
// their own, of the stability and the largest cluster.
func Sweeps(f *summary.Frame, _ Arrays) (out []plots.Figure, tabs []table.Table, err error) {
	colours := rowColours(f.Rows)
	with, without := f.ByClasses()
	for _, s := range []sweep{
		{summary.ParamAlpha, "alpha, the weight of the structure"},
		{summary.ParamAtoms, "number of atoms"},
		{summary.ParamLambda, "lambda, the weight of the negative quadratic term"},
	} {
		if f, ok := s.figure(s.scores(f.Family.Metric), with, colours); ok {
			out = append(out, f)
		}
		if f, ok := s.figure(s.stability(f.Family.Metric), without, colours); ok {
			out = append(out, f)
		}
	}
	if f, ok := lossFigure(f.Family.Metric, f.Rows, colours); ok {
		out = append(out, f)
	}
	return out, nil, nil
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

// byDataset are the elements of a list of one data set after the other.
func byDataset[T any](list []T, dataset func(T) string) (out [][]T) {
	for i, x := range list {
		if i == 0 || dataset(x) != dataset(list[i-1]) {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], x)
	}
	return out
}

func ofRow(l *summary.Row) string { return l.Dataset }

// sweep is a parameter that scores are drawn against.
type sweep struct{ param, label string }

// swept is what a figure shows along a parameter: two panels a data set.
type swept struct {
	name, title string
	header      []string // of the picture's data, between the parameter and the other parameters
	panels      [2]curve
	whiskers    bool // for the deviation over the repetitions
	data        func(*summary.Config) []string
	found       func(dataset string, tracks []track) string // a sentence on a data set
	alt         string                                      // with places for the parameter and for what was found
	between     string                                      // the text between two data sets there
	repetitions string
}

// curve is what a panel draws of a configuration: nothing where N is 0.
type curve struct {
	label  string // of the axis
	of     func(*summary.Config) paper.Stat
	levels func(*summary.Row) []plots.Level // what takes no knowledge of the data
}

// percents are the ends of what percents can be.
var percents = [2]float64{0, 100}

// scores are drawn where there are classes.
func (s sweep) scores(m *summary.Metric) swept {
	measure := func(x summary.Measure) func(*summary.Config) paper.Stat {
		return func(c *summary.Config) paper.Stat { return m.Of(x, c.Runs) }
	}
	trivial := func(l *summary.Row) []plots.Level {
		return table.When(!math.IsInf(l.Trivial(), 0), plots.Level{Y: l.Trivial(), Label: "trivial"})
	}
	chance := func(*summary.Row) []plots.Level { return []plots.Level{{Y: 0, Label: "random labels"}} }
	return swept{
		name: "sweep_" + s.param, title: m.Label + " against " + s.param, whiskers: true, between: "; ", repetitions: m.Repetitions(),
		header: []string{m.Score + "_mean", m.Score + "_std", m.Beside.Score + "_mean", m.Beside.Score + "_std"},
		panels: [2]curve{{m.Label + ", " + m.Sign, measure(m.Measure), trivial}, {m.Beside.Label + ", " + m.Sign, measure(m.Beside), chance}},
		data: func(c *summary.Config) []string {
			r, a := m.Of(m.Measure, c.Runs), m.Of(m.Beside, c.Runs)
			return []string{fixed(r.Mean, r), fixed(r.Std, r), fixed(a.Mean, a), fixed(a.Std, a)}
		},
		found: func(dataset string, tracks []track) string {
			top, name := tracks[0].configs[0], tracks[0].name
			for _, t := range tracks {
				for _, c := range t.configs {
					if m.Mean(c) > m.Mean(top) {
						top, name = c, t.name
					}
				}
			}
			return fmt.Sprintf("%s %.1f %s by %s at %s", dataset, m.Shown(top), m.Sign, name, s.value(top).Text())
		},
		alt: m.Label + " (left) and " + m.Beside.Label + " (right) against %s, a row of panels per data set: mean over the " +
			m.Repetitions() + ", with bars of one standard deviation. Baselines are pale and have no bars: the CSV has their deviations. Dotted: the trivial level (one " +
			"single cluster, or random labels). The other parameters stay as in the setting selected with the labels. The highest means: %s.",
	}
}

// stability is drawn of data without classes, with the share of the largest cluster.
func (s sweep) stability(m *summary.Metric) swept {
	share := func(of func(*summary.Config) float64) func(*summary.Config) paper.Stat {
		return func(c *summary.Config) (out paper.Stat) {
			if v := of(c); !math.IsNaN(v) {
				out = paper.Stat{Mean: 100 * v, N: 1}
			}
			return out
		}
	}
	stable, largest := share(func(c *summary.Config) float64 { return c.Stability }), share(func(c *summary.Config) float64 { return c.Largest })
	return swept{
		name: "stability_" + s.param, title: "Stability against " + s.param + ", data without classes", between: ", ", repetitions: m.Repetitions(),
		header: []string{"stability", "largest_cluster", "objective_mean", "objective_std"},
		panels: [2]curve{{"stability, %", stable, nil}, {"largest cluster, %", largest, nil}},
		data: func(c *summary.Config) []string {
			o := summary.StatOver(c.Runs, artifact.Objective, 1)
			return []string{decimals(stable(c), 2), decimals(largest(c), 2), fixed(o.Mean, o), fixed(o.Std, o)}
		},
		found: func(dataset string, _ []track) string { return dataset },
		alt: "Stability (left: the mean adjusted Rand Index between the clusterings of two " + m.Repetitions() + ") and share of the largest " +
			"cluster (right) against %s, a row of panels per data set without classes: %s. The methods stand a little apart. The other parameters " +
			"stay as in the method's setting selected without labels.",
	}
}

// figure draws the sweep; false where no data set has one.
func (s sweep) figure(of swept, rows []*summary.Row, colours map[string]int) (plots.Figure, bool) {
	f := plots.Figure{Name: of.name, Title: of.title, Columns: 2,
		Data: []plots.Data{{Header: slices.Concat([]string{"dataset", "method", s.param, of.repetitions}, of.header, []string{"other parameters"})}}}
	var found []string
	for _, set := range byDataset(rows, ofRow) {
		tracks := s.tracks(set, colours)
		if len(tracks) == 0 {
			continue
		}
		name, at := set[0].Dataset, s.axis(tracks)
		panels, drawn := [2]plots.XY{}, false
		for k, p := range of.panels {
			panels[k] = plots.XY{Title: name, YLabel: p.label, XLabel: at.label, XTicks: at.ticks, Bounds: &percents}
			if p.levels != nil {
				panels[k].Levels = p.levels(set[0])
			}
			for i, t := range tracks {
				one := plots.Series{Name: t.name, Style: plots.LinePoints, Colour: t.colour, Whiskers: of.whiskers}
				if one.Faint = t.faint; t.faint {
					one.Style, one.Whiskers = plots.Line, false
				}
				for _, c := range t.configs {
					v := p.of(c)
					if v.N == 0 {
						continue
					}
					one.X, one.Y = append(one.X, at.place(s.value(c).Number)+float64(2*i+1-len(tracks))/2*at.step), append(one.Y, v.Mean)
					if one.Whiskers {
						one.Low, one.High = append(one.Low, v.Mean-v.Std), append(one.High, min(v.Mean+v.Std, percents[1]))
					}
				}
				if one.Whiskers || len(one.X) > 0 {
					panels[k].Series, drawn = append(panels[k].Series, one), true
				}
			}
		}
		for _, t := range tracks {
			for _, c := range t.configs {
				f.Data[0].Rows = append(f.Data[0].Rows, slices.Concat([]string{name, t.name, s.value(c).Text(), strconv.Itoa(c.Done)}, of.data(c),
					[]string{t.fixed}))
			}
		}
		if !drawn {
			continue // not clustered
		}
		panels[0].Note = fewer(tracks, of.repetitions)
		found = append(found, of.found(name, tracks))
		f.Panels = append(f.Panels, panels[0], panels[1])
	}
	f.Alt = fmt.Sprintf(of.alt, s.label, strings.Join(found, of.between))
	return f, len(f.Panels) > 0
}

// fixed writes a number of a statistic with four decimals, "" where there is none.
func fixed(v float64, s paper.Stat) string {
	s.Mean = v
	return decimals(s, 4)
}

// decimals writes a mean with so many decimals, "" where there is none.
func decimals(s paper.Stat, n int) string {
	if s.N == 0 {
		return ""
	}
	return strconv.FormatFloat(s.Mean, 'f', n, 64)
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
		if r.OK() {
			if v, ok := r.Number(s.param); ok {
				return summary.NumberValue(v)
			}
		}
	}
	return summary.Value{}
}

// dictionaryMethod begins the names of the methods that learn a dictionary; the others are baselines.
const dictionaryMethod = "GDL"

// track is a row along one parameter.
type track struct {
	name    string
	configs []*summary.Config // by the parameter's value
	colour  int
	fixed   string // the other parameters that vary in the grid
	out     int    // settings on the way that a race has ruled out
	faint   bool   // a baseline next to dictionaries
}

// tracks are the rows of one data set along the parameter, as far as the grid has several of
// its values.
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
			switch v := s.value(c); {
			case c.Done == 0 || !v.IsNum || c.Key(s.without()...) != key:
			case c.RuledOut() > 0:
				t.out++
			default:
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
	learned := func(t track) bool { return strings.HasPrefix(t.name, dictionaryMethod) }
	for i := range out {
		out[i].faint = !learned(out[i]) && slices.ContainsFunc(out, learned)
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
func (s sweep) merge(rows []*summary.Row) (out []*summary.Row) {
	name := func(l *summary.Row) string { return s.name(l.Method) }
	for _, method := range paper.Distinct(rows, name) {
		out = append(out, summary.Join(summary.Pick(rows, func(l *summary.Row) bool { return name(l) == method })))
	}
	return out
}

// spread is an axis for a parameter's values.
type spread struct {
	place func(v float64) float64 // of a value on the axis
	step  float64                 // the distance between series
	label string
	ticks []plots.Tick
}

// axis spreads the values of tracks: as they are, or, where some would nearly coincide in the picture (0.9, 0.995,
// 0.9997), at equal distances.
func (s sweep) axis(tracks []track) spread {
	var values []float64
	for _, t := range tracks {
		for _, c := range t.configs {
			values = append(values, s.value(c).Number)
		}
	}
	slices.Sort(values)
	values = slices.Compact(values)
	n, closest := len(values), math.Inf(1)
	for i, v := range values[1:] {
		closest = min(closest, v-values[i])
	}
	all := values[n-1] - values[0]
	at := spread{label: s.param, step: 0.008 * all, place: func(v float64) float64 { return v }}
	if closest*float64(n-1) < 0.35*all {
		at.label, at.step = s.param+" (evenly spaced)", 0.008*float64(n-1)
		at.place = func(v float64) float64 { i, _ := slices.BinarySearch(values, v); return float64(i) }
	} else if n > 8 {
		return at
	}
	for _, v := range values {
		at.ticks = append(at.ticks, plots.Tick{Value: at.place(v), Label: summary.NumberValue(v).Text()})
	}
	return at
}

// fewer says how many points are no mean over all repetitions, and how many are not there.
func fewer(tracks []track, repetitions string) string {
	n, out := 0, 0
	for _, t := range tracks {
		out += t.out
		for _, c := range t.configs {
			if !c.Complete() {
				n++
			}
		}
	}
	var parts []string
	if n > 0 {
		parts = append(parts, words.Plural(n, "point rests", "points rest")+" on fewer "+repetitions+" than asked for.")
	}
	if out > 0 {
		parts = append(parts, words.Plural(out, "setting that a race ruled out is", "settings that a race ruled out are")+" not drawn.")
	}
	return strings.Join(parts, " ")
}
