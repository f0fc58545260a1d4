package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"ogdl/internal/record"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
)

// timeFigures are the figures of a clustering run that hold durations: every configuration by what a cell of
// it costs and how well it does.
func timeFigures(frame *summary.Frame) []plots.Figure {
	lines := frame.Rows
	colours := rowColours(lines)
	products := productCosts(frame.Blocks)
	f := plots.Figure{
		Name:    "time_quality",
		Title:   "Time against quality",
		Columns: 2,
		Data:    []plots.Data{{Header: []string{"dataset", "method", "parameters", "seeds", "cpu_seconds", "ri_mean", "ari_mean"}}},
	}
	var found []string
	for _, set := range byDataset(lines) {
		x := plots.XY{Title: set[0].Dataset, XLabel: "CPU seconds of one cell", YLabel: "Rand Index, %", LogX: true}
		var all [][2]float64
		best := ""
		for _, l := range set {
			s := plots.Series{Name: l.Method, Style: plots.Points, Colour: colours[l.Method]}
			for _, c := range l.Configs {
				seconds, ok := c.Cost(products)
				if !ok || math.IsNaN(summary.MeanRI(c)) {
					continue
				}
				s.X = append(s.X, seconds)
				s.Y = append(s.Y, 100*summary.MeanRI(c))
				f.Data[0].Rows = append(f.Data[0].Rows, []string{l.Dataset, l.Method, c.Describe(l.Names), strconv.Itoa(c.Done),
					strconv.FormatFloat(seconds, 'g', 4, 64), fixed(100*summary.MeanRI(c), c.Stat("ri", 100)), fixed(100*c.Mean("ari"), c.Stat("ari", 100))})
				if at := [2]float64{seconds, 100 * summary.MeanRI(c)}; len(all) == 0 || at[1] > highest(all) {
					best = fmt.Sprintf("%s %.1f %% by %s in %.3g s", l.Dataset, at[1], l.Method, at[0])
				}
				all = append(all, [2]float64{seconds, 100 * summary.MeanRI(c)})
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

// productCosts are the processor times of products, by their ids.
func productCosts(blocks []record.BlockTiming) map[string]float64 {
	out := map[string]float64{}
	seen := map[string]bool{}
	for _, b := range blocks {
		if at := b.ID + "/" + strconv.Itoa(b.Block); !seen[at] {
			seen[at] = true
			out[b.ID] += summary.Processor(b.CPUSeconds, b.Seconds)
		}
	}
	return out
}
