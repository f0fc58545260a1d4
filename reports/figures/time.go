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
	m, colours, cost := frame.Family.Metric, rowColours(frame.Rows), frame.Costs()
	f := plots.Figure{Name: "time_quality", Title: "Time against quality", Columns: 2,
		Data: []plots.Data{{Header: []string{"dataset", "method", "parameters", m.Repetitions(), "cpu_seconds", m.Score + "_mean",
			m.Beside.Score + "_mean"}}}}
	var found []string
	for _, set := range byDataset(frame.Rows, ofRow) {
		x := plots.XY{Title: set[0].Dataset, XLabel: "CPU seconds of one cell", YLabel: m.Label + ", " + m.Sign, LogX: true}
		var all [][2]float64
		best, top := "", math.Inf(-1)
		for _, l := range set {
			s := plots.Series{Name: l.Method, Style: plots.Points, Colour: colours[l.Method]}
			for _, c := range l.Configs {
				seconds, ok := cost(c)
				score := m.Shown(c)
				if !ok || math.IsNaN(score) {
					continue
				}
				s.X, s.Y = append(s.X, seconds), append(s.Y, score)
				f.Data[0].Rows = append(f.Data[0].Rows, []string{l.Dataset, l.Method, c.Describe(l.Names), strconv.Itoa(c.Done),
					strconv.FormatFloat(seconds, 'g', 4, 64), fixed(score, m.Of(m.Measure, c.Runs)), fixed(m.Scale*c.Mean(m.Beside.Score),
						m.Of(m.Beside, c.Runs))})
				if score > top {
					best, top = fmt.Sprintf("%s %.1f %s by %s in %.3g s", l.Dataset, score, m.Sign, l.Method, seconds), score
				}
				all = append(all, [2]float64{seconds, score})
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
			front.X, front.Y = append(front.X, p[0]), append(front.Y, p[1])
		}
		x.Series = append(x.Series, front)
		f.Panels = append(f.Panels, x)
	}
	f.Alt = "Mean " + m.Label + " of every configuration against the processor time of one of its cells (mean over " + m.Repetitions() + "), a panel per data set. What cells share, " +
		"such as matrices of distances, counts in full for each. The Pareto front joins the configurations that no other one beats in both. The " +
		"highest means: " +
		strings.Join(found, "; ") + "."
	if len(f.Panels) == 0 {
		return nil
	}
	return []plots.Figure{f}
}

// frontColour is the number of the front's colour: black.
const frontColour = 7

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
