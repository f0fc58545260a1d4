package reports

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ogdl/internal/record"
	"ogdl/reports/plots"
)

// sweepFigures are the figures of a clustering run: scores against each of the parameters
// alpha, atoms and lambda, and the loss per epoch. A figure has panels for the data sets
// where there is something to see, and is left out where there are none.
//
// A series is a row of the tables along one parameter, at mean and standard deviation over the
// seeds. All other parameters stay as they are in the row's configuration with the highest mean
// Rand Index, the paper's choice: so neighbouring points differ in one thing, on the same seeds. The best over the
// others at every point would be smoother, but a maximum over more or fewer configurations from point to
// point. Lambda is swept through 0, where the tables have rows of their own.
func sweepFigures(spec Spec, recs []record.Record) []plots.Figure {
	lines := group(kindOf(PaperNumbers(), spec.Table), spec, recs)
	colours := rowColours(lines)
	var out []plots.Figure
	for _, s := range []sweep{
		{paramAlpha, "alpha, the weight of the structure"},
		{paramAtoms, "number of atoms"},
		{paramLambda, "lambda, the weight of the negative quadratic term"},
	} {
		if f, ok := s.figure(lines, colours); ok {
			out = append(out, f)
		}
	}
	if f, ok := lossFigure(lines, colours); ok {
		out = append(out, f)
	}
	return out
}

// rowColours gives every row of the tables the same colour in all figures.
func rowColours(lines []*line) map[string]int {
	out := map[string]int{}
	for _, l := range lines {
		if out[l.method] == 0 {
			out[l.method] = len(out) + 1
		}
	}
	return out
}

// byDataset are the lines of one data set after the other.
func byDataset(lines []*line) [][]*line {
	var out [][]*line
	for i, l := range lines {
		if i == 0 || l.dataset != lines[i-1].dataset {
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
	if s.param == paramAtoms {
		return []string{paramAtoms, paramAtomsPerClass} // the same, counted in another way
	}
	return []string{s.param}
}

// value is the parameter's value; the number of atoms, where the grid gives it per class, is that of the
// records.
func (s sweep) value(c *configuration) value {
	if v, ok := c.params[s.param]; ok {
		return v
	}
	for _, r := range c.runs {
		if r.scored() {
			if v, ok := r.rec.Number(s.param); ok {
				return numberValue(v)
			}
		}
	}
	return value{}
}

// track is a row along one parameter.
type track struct {
	name    string
	configs []*configuration // by the parameter's value
	colour  int
	fixed   string // the other parameters that vary in the grid
}

// tracks are the rows of one data set along the parameter, as far as the grid has several of
// its values.
func (s sweep) tracks(lines []*line, colours map[string]int) []track {
	var out []track
	for _, l := range s.merge(lines) {
		at := oracle(l.configs)
		if at == nil {
			continue
		}
		key := at.key(s.without()...)
		t := track{name: l.method, colour: colours[l.method]}
		for _, c := range l.configs {
			if v := s.value(c); c.done > 0 && v.isNum && c.key(s.without()...) == key {
				t.configs = append(t.configs, c)
			}
		}
		slices.SortStableFunc(t.configs, func(a, b *configuration) int {
			return compareValues(s.value(a), s.value(b))
		})
		if len(t.configs) < 2 {
			continue
		}
		names := slices.DeleteFunc(slices.Clone(l.names), func(n string) bool { return slices.Contains(s.without(), n) })
		t.fixed = at.describe(names)
		if len(names) == 0 {
			t.fixed = "no other parameter varies"
		}
		out = append(out, t)
	}
	return out
}

// merge joins the rows for lambda = 0 and above, where lambda is swept.
func (s sweep) merge(lines []*line) []*line {
	if s.param != paramLambda {
		return lines
	}
	var out []*line
	for _, l := range lines {
		name := strings.Replace(l.method, suffixLambda, "", 1)
		at := slices.IndexFunc(out, func(o *line) bool { return o.method == name })
		if at < 0 {
			merged := *l
			merged.method, merged.configs = name, slices.Clone(l.configs)
			out = append(out, &merged)
			continue
		}
		out[at].configs = append(out[at].configs, l.configs...)
	}
	return out
}

// figure draws the sweep; false where no data set has one.
func (s sweep) figure(lines []*line, colours map[string]int) (plots.Figure, bool) {
	f := plots.Figure{
		Name:    "sweep_" + s.param,
		Title:   "Rand Index against " + s.param,
		Columns: 2,
		Data:    []plots.Data{{Header: []string{"dataset", "method", s.param, "seeds", "ri_mean", "ri_std", "ari_mean", "ari_std", "other parameters"}}},
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
		ri := plots.XY{Title: name, YLabel: "Rand Index, %", XLabel: at.label, XTicks: at.ticks}
		ari := plots.XY{Title: name, YLabel: "adjusted Rand Index, %", XLabel: at.label, XTicks: at.ticks}
		found = append(found, s.best(name, tracks))
		for i, t := range tracks {
			aside := float64(2*i+1-len(tracks)) / 2 * at.step
			ri.Series = append(ri.Series, s.series(t, "ri", at, aside))
			ari.Series = append(ari.Series, s.series(t, "ari", at, aside))
			for _, c := range t.configs {
				r, a := c.stat("ri", 100), c.stat("ari", 100)
				f.Data[0].Rows = append(f.Data[0].Rows, []string{name, t.name, s.value(c).text, strconv.Itoa(c.done),
					fixed(r.mean, r), fixed(r.std, r), fixed(a.mean, a), fixed(a.std, a), t.fixed})
			}
		}
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
		base := strings.Replace(name, suffixLambda, "", 1)
		if base == name || colours[base] == 0 {
			out[base] = c
		}
	}
	return out
}

// fixed writes a number of a statistic with four decimals, "" where there is none.
func fixed(v float64, s stat) string {
	if s.n == 0 {
		return ""
	}
	return strconv.FormatFloat(v, 'f', 4, 64)
}

// best says where the scores of a data set are highest.
func (s sweep) best(dataset string, tracks []track) string {
	top, name := tracks[0].configs[0], tracks[0].name
	for _, t := range tracks {
		for _, c := range t.configs {
			if c.mean("ri") > top.mean("ri") {
				top, name = c, t.name
			}
		}
	}
	return fmt.Sprintf("%s %.1f %% by %s at %s", dataset, 100*top.mean("ri"), name, s.value(top).text)
}

// series is a score along a track, a little aside of the others.
func (s sweep) series(t track, score string, at spread, aside float64) plots.Series {
	out := plots.Series{Name: t.name, Style: plots.LinePoints, Colour: t.colour, Whiskers: true}
	for _, c := range t.configs {
		if v := c.stat(score, 100); v.n > 0 {
			out.X = append(out.X, at.place(s.value(c).number)+aside)
			out.Y = append(out.Y, v.mean)
			out.Low = append(out.Low, v.mean-v.std)
			out.High = append(out.High, v.mean+v.std)
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
			at.values = append(at.values, s.value(c).number)
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
		at.ticks = append(at.ticks, plots.Tick{Value: at.place(v), Label: numberValue(v).text})
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

// lossFigure draws the mean loss of every epoch, a panel per data set.
func lossFigure(lines []*line, colours map[string]int) (plots.Figure, bool) {
	f := plots.Figure{
		Name:    "loss",
		Title:   "Mean loss per epoch",
		Columns: 2,
		Data:    []plots.Data{{Header: []string{"dataset", "method", "epoch", "seeds", "loss_mean", "loss_std", "parameters"}}},
	}
	var found []string
	for _, set := range byDataset(lines) {
		x := plots.XY{Title: set[0].dataset, XLabel: "epoch", YLabel: "mean loss"}
		for _, l := range set {
			c := oracle(l.configs)
			if c == nil {
				continue
			}
			s := plots.Series{Name: l.method, Style: plots.LinePoints, Colour: colours[l.method]}
			for epoch, v := range epochLosses(c) {
				s.X = append(s.X, float64(epoch+1))
				s.Y = append(s.Y, v.mean)
				s.Low = append(s.Low, v.mean-v.std)
				s.High = append(s.High, v.mean+v.std)
				f.Data[0].Rows = append(f.Data[0].Rows, []string{l.dataset, l.method, strconv.Itoa(epoch + 1), strconv.Itoa(v.n),
					exact(v.mean), exact(v.std), c.describe(l.names)})
			}
			if n := len(s.Y); n > 1 {
				x.Series = append(x.Series, s)
				found = append(found, fmt.Sprintf("%s %s from %.3g to %.3g", l.dataset, l.method, s.Y[0], s.Y[n-1]))
			}
		}
		if len(x.Series) > 0 {
			x.LogY = decades(x.Series) > 1.3
			f.Panels = append(f.Panels, x)
		}
	}
	f.Alt = "Mean loss of the graphs in every epoch of learning, a panel per data set: mean over the seeds, with a band of one standard deviation, for each " +
		"method's configuration with the highest mean Rand Index. Each method is shown with its own objective, and alpha scales it: levels compare within a method, " +
		"not between them. From the first epoch to the last: " + strings.Join(found, "; ") + "."
	return f, len(f.Panels) > 0
}

// epochLosses are the losses of a configuration's runs, epoch by epoch, as far as all runs that
// finished have them.
func epochLosses(c *configuration) []stat {
	var runs [][]float64
	epochs := math.MaxInt
	for _, r := range c.runs {
		if r.scored() {
			runs = append(runs, r.rec.EpochLoss)
			epochs = min(epochs, len(r.rec.EpochLoss))
		}
	}
	if len(runs) == 0 {
		return nil
	}
	out := make([]stat, epochs)
	for e := range out {
		values := make([]float64, len(runs))
		for i, r := range runs {
			values[i] = r[e]
		}
		out[e] = statOf(values)
	}
	return out
}

// decades is how many powers of ten lie between the values of series; 0 where some are not positive.
func decades(series []plots.Series) float64 {
	lo, hi := math.Inf(1), 0.0
	for _, s := range series {
		for i := range s.Y {
			lo, hi = min(lo, s.Y[i], s.Low[i]), max(hi, s.Y[i])
		}
	}
	if lo <= 0 || hi <= 0 || math.IsInf(lo, 0) {
		return 0
	}
	return math.Log10(hi / lo)
}

// timeFigures are the figures of a clustering run that hold durations: every configuration by what a cell of
// it costs and how well it does.
func timeFigures(spec Spec, recs []record.Record, timings []record.Timing, blocks []record.BlockTiming) []plots.Figure {
	lines := group(kindOf(PaperNumbers(), spec.Table), spec, recs)
	colours := rowColours(lines)
	costs := newCosts(timings, blocks)
	f := plots.Figure{
		Name:    "time_quality",
		Title:   "Time against quality",
		Columns: 2,
		Data:    []plots.Data{{Header: []string{"dataset", "method", "parameters", "seeds", "cpu_seconds", "ri_mean", "ari_mean"}}},
	}
	var found []string
	for _, set := range byDataset(lines) {
		x := plots.XY{Title: set[0].dataset, XLabel: "CPU seconds of one cell", YLabel: "Rand Index, %", LogX: true}
		var all [][2]float64
		best := ""
		for _, l := range set {
			s := plots.Series{Name: l.method, Style: plots.Points, Colour: colours[l.method]}
			for _, c := range l.configs {
				seconds, ok := costs.of(c)
				if !ok || c.done == 0 {
					continue
				}
				s.X = append(s.X, seconds)
				s.Y = append(s.Y, 100*meanRI(c))
				f.Data[0].Rows = append(f.Data[0].Rows, []string{l.dataset, l.method, c.describe(l.names), strconv.Itoa(c.done),
					strconv.FormatFloat(seconds, 'g', 4, 64), fixed(100*meanRI(c), c.stat("ri", 100)), fixed(100*c.mean("ari"), c.stat("ari", 100))})
				if at := [2]float64{seconds, 100 * meanRI(c)}; len(all) == 0 || at[1] > highest(all) {
					best = fmt.Sprintf("%s %.1f %% by %s in %.3g s", l.dataset, at[1], l.method, at[0])
				}
				all = append(all, [2]float64{seconds, 100 * meanRI(c)})
			}
			if len(s.X) > 0 {
				x.Series = append(x.Series, s)
			}
		}
		if len(all) == 0 {
			continue
		}
		found = append(found, best)
		front := plots.Series{Name: "Pareto front", Style: plots.Steps, Colour: frontColour}
		for _, p := range frontier(all) {
			front.X = append(front.X, p[0])
			front.Y = append(front.Y, p[1])
		}
		x.Series = append(x.Series, front)
		f.Panels = append(f.Panels, x)
	}
	f.Alt = "Mean Rand Index of every configuration against the processor time of one of its cells (mean over seeds), a panel per data set. What cells share, " +
		"such as matrices of distances, counts in full for each. The Pareto front joins the configurations that no other one beats in both. The highest means: " +
		strings.Join(found, "; ") + "."
	if len(f.Panels) == 0 {
		return nil
	}
	return []plots.Figure{f}
}

// frontColour is the number of the front's colour: black.
const frontColour = 7

// highest is the largest score of the points.
func highest(points [][2]float64) float64 {
	top := math.Inf(-1)
	for _, p := range points {
		top = max(top, p[1])
	}
	return top
}

// frontier are the points that no other one beats in both: less time, a higher score.
func frontier(points [][2]float64) [][2]float64 {
	sorted := slices.Clone(points)
	slices.SortFunc(sorted, func(a, b [2]float64) int { return cmp.Or(cmp.Compare(a[0], b[0]), -cmp.Compare(a[1], b[1])) })
	var out [][2]float64
	for _, p := range sorted {
		if len(out) == 0 || p[1] > out[len(out)-1][1] {
			out = append(out, p)
		}
	}
	return out
}

// costs knows what cells took.
type costs struct {
	cells    map[string]float64
	products map[string]float64
}

func newCosts(timings []record.Timing, blocks []record.BlockTiming) costs {
	out := costs{map[string]float64{}, map[string]float64{}}
	for _, t := range timings {
		out.cells[t.ID] = processor(t.CPUSeconds, t.Seconds)
	}
	seen := map[string]bool{}
	for _, b := range blocks {
		if at := b.ID + "/" + strconv.Itoa(b.Block); !seen[at] {
			seen[at] = true
			out.products[b.ID] += processor(b.CPUSeconds, b.Seconds)
		}
	}
	return out
}

// of is the mean processor time of a configuration's scored cells, with what each of them rests on; false
// where that is not known of all.
func (c costs) of(config *configuration) (seconds float64, known bool) {
	var all []float64
	for _, r := range config.runs {
		if !r.scored() {
			continue
		}
		s, ok := c.cells[r.ID]
		if !ok {
			return 0, false
		}
		for _, u := range r.rec.Products {
			p, ok := c.products[u.ID]
			if !ok {
				return 0, false
			}
			s += p
		}
		all = append(all, s)
	}
	if len(all) == 0 {
		return 0, false
	}
	return statOf(all).mean, true
}
