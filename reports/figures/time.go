package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ogdl/reports/plots"
	"ogdl/reports/summary"
)

// TimeQuality are the figures of a clustering run that hold durations: every configuration by what a cell of
// it costs and how well it does.
func TimeQuality(frame *summary.Frame) []plots.Figure {
	m, colours := frame.Family.Metric, rowColours(frame.Rows)
	f := plots.Figure{Name: "time_quality", Title: "Time against quality", Columns: 2,
		Data: []plots.Data{{Header: []string{"dataset", "method", "parameters", m.Repetitions(), "cpu_seconds", m.Score + "_mean",
			m.Beside.Score + "_mean"}}}}
	var found []string
	alphas := alphasOf(frame.Rows)
	for _, set := range byDataset(frame.Rows, ofRow) {
		x := plots.XY{Title: set[0].Dataset, XLabel: "CPU seconds of one cell", YLabel: m.Label + ", " + m.Sign, LogX: true}
		var all [][2]float64
		var keys []plots.Series // where the colour is alpha's, the legend's entries, without points
		best, top := "", math.Inf(-1)
		for _, l := range set {
			of := []plots.Series{{Name: l.Method, Colour: colours[l.Method]}}
			if len(alphas) > 1 {
				keys = append(keys, plots.Series{Name: l.Method, Colour: black, Sign: colours[l.Method]})
				of = make([]plots.Series, len(alphas))
				for k := range of {
					of[k].Colour, of[k].Sign = alphaColours[k%len(alphaColours)], colours[l.Method]
				}
			}
			for _, c := range l.Configs {
				seconds, ok := frame.MeanCost(c)
				score := m.Shown(c)
				if !ok || math.IsNaN(score) {
					continue
				}
				k, _ := slices.BinarySearch(alphas, c.Params.At(summary.ParamAlpha).Number)
				s := &of[min(k, len(of)-1)]
				s.X, s.Y = append(s.X, seconds), append(s.Y, score)
				f.Data[0].Rows = append(f.Data[0].Rows, []string{l.Dataset, l.Method, c.Describe(l.Names), strconv.Itoa(c.Done),
					strconv.FormatFloat(seconds, 'g', 4, 64), fixed(score, m.Of(m.Measure, c.Runs)), fixed(m.Scale*c.Mean(m.Beside.Score),
						m.Of(m.Beside, c.Runs))})
				if score > top {
					best, top = fmt.Sprintf("%s %.1f %s by %s in %.3g s", l.Dataset, score, m.Sign, l.Method, seconds), score
				}
				all = append(all, [2]float64{seconds, score})
			}
			x.Series = append(x.Series, slices.DeleteFunc(of, func(s plots.Series) bool { return len(s.X) == 0 })...)
		}
		if len(all) == 0 {
			continue
		}
		found = append(found, best)
		for k, alpha := range alphas[:len(alphas)*min(len(keys), 1)] {
			keys = append(keys, plots.Series{Name: "alpha " + summary.NumberValue(alpha).Text(), Colour: alphaColours[k%len(alphaColours)], Sign: 1})
		}
		front := plots.Series{Name: "Pareto front", Style: plots.Steps, Colour: black}
		for _, p := range frontier(all) {
			front.X, front.Y = append(front.X, p[0]), append(front.Y, p[1])
		}
		x.Series = append(append(x.Series, keys...), front)
		f.Panels = append(f.Panels, x)
	}
	f.Alt = "Mean " + m.Label + " of every configuration against the processor time of one of its cells (mean over " + m.Repetitions() +
		"), a panel per data set. Shapes are methods and, where there are several alphas, colours are these; numbers count configurations that " +
		"share a place. What cells share, such as matrices of distances, counts in full for each. The Pareto front joins the configurations " +
		"that no other one beats in both. The highest means: " + strings.Join(found, "; ") + "."
	if len(f.Panels) == 0 {
		return nil
	}
	return []plots.Figure{f}
}

// black is the number of that colour; alphaColours are the others.
const black = 7

var alphaColours = []int{1, 2, 3, 4, 5, 6, 8}

// alphasOf are the values of alpha in all rows, ascending.
func alphasOf(rows []*summary.Row) (out []float64) {
	for _, l := range rows {
		for _, c := range l.Configs {
			if v := c.Params.At(summary.ParamAlpha); v.IsNum {
				out = append(out, v.Number)
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
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
