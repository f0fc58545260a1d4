package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// black is the number of that colour; otherColours are the others.
const black = 7

var otherColours = []int{1, 2, 3, 4, 5, 6, 8}

// TimeQuality are the figures of a clustering run that hold durations: every configuration by what a cell of
// it costs and how well it does.
func TimeQuality(frame *summary.Frame) []plots.Figure {
	m, colours := frame.Family.Metric, rowColours(frame.Rows)
	f := plots.Figure{Name: "time_quality", Title: "Time against quality", Columns: 2,
		Data: []plots.Data{{Header: []string{"dataset", "method", "parameters", m.Repetitions(), "cpu_seconds", m.Score + "_mean",
			m.Beside.Score + "_mean"}}}}
	var found []string
	for _, set := range summary.Groups(frame.Rows, ofRow) {
		x := plots.XY{Title: set[0].Dataset, XLabel: "CPU seconds of one cell", YLabel: m.Label + ", " + m.Sign, LogX: true}
		var all [][2]float64
		best, top := "", math.Inf(-1)
		for _, l := range set {
			s := plots.Series{Name: l.Method, Colour: colours[l.Method]}
			for _, c := range l.Configs {
				seconds, ok := frame.MeanCost(c)
				score := m.Scale * m.Mean(c)
				if !ok || math.IsNaN(score) {
					continue
				}
				s.Put(seconds, score)
				f.Data[0].Add(l.Dataset, l.Method, c.Describe(l.Names), c.Done, seconds, score, m.Scale*c.Mean(m.Beside.Score))
				if score > top {
					best, top = fmt.Sprintf("%s %.1f %s by %s in %.3g s", l.Dataset, score, m.Sign, l.Method, seconds), score
				}
				all = append(all, [2]float64{seconds, score})
			}
			x.Add(s)
		}
		if len(all) == 0 {
			continue
		}
		found = append(found, best)
		front := plots.Series{Name: "Pareto front", Style: plots.Steps, Colour: black}
		for _, p := range frontier(all) {
			front.Put(p[0], p[1])
		}
		x.Series = append(x.Series, front)
		f.Panels = append(f.Panels, x)
	}
	f.Alt = "Mean " + m.Label + " of every configuration against the processor time of one of its cells (mean over " + m.Repetitions() +
		"), a panel per data set. What cells share, such as matrices of distances, counts in full for each. The Pareto front joins the " +
		"configurations that no other one beats in both. The highest means: " + strings.Join(found, "; ") + "."
	return table.When(len(f.Panels) > 0, f)
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
