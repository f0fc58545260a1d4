package figures

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
)

// sweepFigures are the figures of a clustering run: scores against each of the parameters
// alpha, atoms and lambda, and the loss per epoch. A figure has panels for the data sets
// where there is something to see, and is left out where there are none.
//
// A series is a row of the tables along one parameter, at mean and standard deviation over the
// seeds. All other parameters stay as they are in the row's configuration with the highest mean
// Rand Index, the paper's choice: so neighbouring points differ in one thing, on the same seeds. The best over the
// others at every point would be smoother, but a maximum over more or fewer configurations from point to
// point. Lambda is swept through 0, where the tables have rows of their own. Data sets without classes have figures of
// their own, of the stability and the largest cluster.
func sweepFigures(lines []*summary.Row) []plots.Figure {
	colours := rowColours(lines)
	var out []plots.Figure
	var with, without []*summary.Row
	for _, l := range lines {
		if l.Unlabelled() {
			without = append(without, l)
		} else {
			with = append(with, l)
		}
	}
	for _, s := range []sweep{
		{summary.ParamAlpha, "alpha, the weight of the structure"},
		{summary.ParamAtoms, "number of atoms"},
		{summary.ParamLambda, "lambda, the weight of the negative quadratic term"},
	} {
		if f, ok := s.figure(with, colours); ok {
			out = append(out, f)
		}
		if f, ok := s.unlabelledFigure(without, colours); ok {
			out = append(out, f)
		}
	}
	if f, ok := lossFigure(lines, colours); ok {
		out = append(out, f)
	}
	return out
}

// rowColours gives every row of the tables the same colour in all figures.
func rowColours(lines []*summary.Row) map[string]int {
	out := map[string]int{}
	for _, l := range lines {
		if out[l.Method] == 0 {
			out[l.Method] = len(out) + 1
		}
	}
	return out
}

// byDataset are the lines of one data set after the other.
func byDataset(lines []*summary.Row) [][]*summary.Row {
	var out [][]*summary.Row
	for i, l := range lines {
		if i == 0 || l.Dataset != lines[i-1].Dataset {
			out = append(out, nil)
		}
		out[len(out)-1] = append(out[len(out)-1], l)
	}
	return out
}

// sweep is a parameter that scores are drawn against.
type sweep struct{ param, label string }

// without are the names of what varies along the sweep.
func (s sweep) without() []string {
	if s.param == summary.ParamAtoms {
		return []string{summary.ParamAtoms, summary.ParamAtomsPerClass} // the same, counted in another way
	}
	return []string{s.param}
}

// Value is the parameter's value; the number of atoms, where the grid gives it per class, is that of the
// records.
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

// track is a row along one parameter.
type track struct {
	name    string
	configs []*summary.Config // by the parameter's value
	colour  int
	fixed   string // the other parameters that vary in the grid
}

// tracks are the rows of one data set along the parameter, as far as the grid has several of
// its values.
func (s sweep) tracks(lines []*summary.Row, colours map[string]int) []track {
	var out []track
	for _, l := range s.merge(lines) {
		at := l.Shown()
		if at == nil {
			continue
		}
		key := at.Key(s.without()...)
		t := track{name: l.Method, colour: colours[l.Method]}
		for _, c := range l.Configs {
			if v := s.value(c); c.Done > 0 && v.IsNum && c.Key(s.without()...) == key {
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

// merge joins the rows for lambda = 0 and above, where lambda is swept.
func (s sweep) merge(lines []*summary.Row) []*summary.Row {
	if s.param != summary.ParamLambda {
		return lines
	}
	var out []*summary.Row
	for _, l := range lines {
		name := strings.Replace(l.Method, paper.SuffixLambda, "", 1)
		at := slices.IndexFunc(out, func(o *summary.Row) bool { return o.Method == name })
		if at < 0 {
			merged := *l
			merged.Method, merged.Configs = name, slices.Clone(l.Configs)
			out = append(out, &merged)
			continue
		}
		out[at].Configs = append(out[at].Configs, l.Configs...)
	}
	return out
}

// figure draws the sweep; false where no data set has one.
func (s sweep) figure(lines []*summary.Row, colours map[string]int) (plots.Figure, bool) {
	f := plots.Figure{
		Name:    "sweep_" + s.param,
		Title:   "Rand Index against " + s.param,
		Columns: 2,
		Data:    []plots.Data{{Header: []string{"dataset", "method", s.param, "seeds", "ri_mean", "ri_std", "ari_mean", "ari_std", "other parameters"}}},
	}
	var found []string
	for _, set := range byDataset(lines) {
		if s.param == summary.ParamLambda {
			colours = withBases(colours)
		}
		tracks := s.tracks(set, colours)
		if len(tracks) == 0 {
			continue
		}
		name := set[0].Dataset
		at := s.axis(tracks)
		ri := plots.XY{Title: name, YLabel: "Rand Index, %", XLabel: at.label, XTicks: at.ticks}
		ari := plots.XY{Title: name, YLabel: "adjusted Rand Index, %", XLabel: at.label, XTicks: at.ticks}
		found = append(found, s.best(name, tracks))
		for i, t := range tracks {
			aside := float64(2*i+1-len(tracks)) / 2 * at.step
			ri.Series = append(ri.Series, s.series(t, "ri", at, aside))
			ari.Series = append(ari.Series, s.series(t, "ari", at, aside))
			for _, c := range t.configs {
				r, a := c.Stat("ri", 100), c.Stat("ari", 100)
				f.Data[0].Rows = append(f.Data[0].Rows, []string{name, t.name, s.value(c).Text, strconv.Itoa(c.Done),
					fixed(r.Mean, r), fixed(r.Std, r), fixed(a.Mean, a), fixed(a.Std, a), t.fixed})
			}
		}
		ri.Note = fewerSeeds(tracks)
		f.Panels = append(f.Panels, ri, ari)
	}
	f.Alt = fmt.Sprintf("Rand Index (left) and adjusted Rand Index (right) against %s, a row of panels per data set: mean over the seeds, "+
		"with bars of one standard deviation; the methods stand a little aside of each other. The other parameters stay as in the method's configuration with the highest mean Rand Index, which is chosen "+
		"with the labels. The highest means: %s.", s.label, strings.Join(found, "; "))
	return f, len(f.Panels) > 0
}

// withBases gives the rows that are joined along lambda the colour of the row for lambda = 0, or, where
// there is none, of the one above.
func withBases(colours map[string]int) map[string]int {
	out := map[string]int{}
	for name, c := range colours {
		base := strings.Replace(name, paper.SuffixLambda, "", 1)
		if base == name || colours[base] == 0 {
			out[base] = c
		}
	}
	return out
}

// fixed writes a number of a statistic with four decimals, "" where there is none.
func fixed(v float64, s paper.Stat) string {
	if s.N == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

// best says where the scores of a data set are highest.
func (s sweep) best(dataset string, tracks []track) string {
	top, name := tracks[0].configs[0], tracks[0].name
	for _, t := range tracks {
		for _, c := range t.configs {
			if c.Mean("ri") > top.Mean("ri") {
				top, name = c, t.name
			}
		}
	}
	return fmt.Sprintf("%s %.1f %% by %s at %s", dataset, 100*top.Mean("ri"), name, s.value(top).Text)
}

// series is a score along a track, a little aside of the others.
func (s sweep) series(t track, score string, at spread, aside float64) plots.Series {
	out := plots.Series{Name: t.name, Style: plots.LinePoints, Colour: t.colour, Whiskers: true}
	for _, c := range t.configs {
		if v := c.Stat(score, 100); v.N > 0 {
			out.X = append(out.X, at.place(s.value(c).Number)+aside)
			out.Y = append(out.Y, v.Mean)
			out.Low = append(out.Low, v.Mean-v.Std)
			out.High = append(out.High, v.Mean+v.Std)
		}
	}
	return out
}

// spread is an axis for a parameter's values.
type spread struct {
	values []float64
	even   bool    // the values stand at equal distances
	step   float64 // by how much series stand aside of each other
	label  string
	ticks  []plots.Tick
}

// axis spreads the values of tracks: as they are, or, where some would nearly coincide in the picture (0.9, 0.995,
// 0.9997), at equal distances.
func (s sweep) axis(tracks []track) spread {
	at := spread{label: s.param}
	for _, t := range tracks {
		for _, c := range t.configs {
			at.values = append(at.values, s.value(c).Number)
		}
	}
	slices.Sort(at.values)
	at.values = slices.Compact(at.values)
	closest := math.Inf(1)
	for i, v := range at.values[1:] {
		closest = min(closest, v-at.values[i])
	}
	all := at.values[len(at.values)-1] - at.values[0]
	at.even = closest*float64(len(at.values)-1) < 0.35*all
	at.step = 0.008 * all
	if at.even {
		at.step = 0.008 * float64(len(at.values)-1)
	}
	if !at.even && len(at.values) > 8 {
		return at
	}
	for _, v := range at.values {
		at.ticks = append(at.ticks, plots.Tick{Value: at.place(v), Label: summary.NumberValue(v).Text})
	}
	if at.even {
		at.label += " (evenly spaced)"
	}
	return at
}

// place is where a value stands on the axis.
func (at spread) place(v float64) float64 {
	if !at.even {
		return v
	}
	i, _ := slices.BinarySearch(at.values, v)
	return float64(i)
}

// fewerSeeds says how many points are no mean over all seeds.
func fewerSeeds(tracks []track) string {
	n := 0
	for _, t := range tracks {
		for _, c := range t.configs {
			if !c.Complete() {
				n++
			}
		}
	}
	switch n {
	case 0:
		return ""
	case 1:
		return "1 point rests on fewer seeds than asked for."
	}
	return fmt.Sprintf("%d points rest on fewer seeds than asked for.", n)
}
