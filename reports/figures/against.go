package figures

import (
	"ogdl/reports/paper"
	"ogdl/reports/plots"
)

// Against is a value of the paper with ours.
type Against struct {
	Panel, Method   string // the panel and the row of the value
	Paper           paper.Stat
	Selected, Rerun paper.Verdict // Outcome [paper.NoRun]: not there
	Trivial         float64       // 0: not known
	Whole           bool          // ours has run on the paper's whole grid
}

// AgainstPaper returns the picture of ours against the paper's values: a panel for each name, a row
// for each method. A bar is the 95 % interval of the difference, placed on the paper's value: ours
// agrees if the bar reaches the paper's dot.
func AgainstPaper(name, title, unit string, values []Against) plots.Figure {
	const columns, width, row, axes, wide = 4, 21, 13, 34, 137 // the last three in points
	f := plots.Figure{Name: name, Title: title, Formats: []string{"svg"}, Width: width, Columns: columns,
		Data: []plots.Data{{Header: []string{"panel", "method", "paper", "paper std", "selected", "from", "to", "rerun", "trivial"}}},
		Alt: "The paper's values and ours, a panel for each data set and a row for each method. Bars: the paper's deviation; the " +
			"95 % interval of the difference, for the selected setting. A bar of ours that reaches the paper's dot agrees with it, or is " +
			"undecided if the bar is wide. Dashed: the trivial level."}
	for _, panel := range byDataset(values, func(v Against) string { return v.Panel }) {
		x := plots.XY{Title: panel[0].Panel, XLabel: unit, Aspect: float64(len(panel)*row+axes) / wide}
		series := []plots.Series{
			{Name: "paper", Colour: 2, Across: true},
			{Name: "ours, selected", Colour: 1, Across: true},
			{Name: "ours, selected on a part of the grid or a small one", Colour: 3, Across: true},
			{Name: "ours, re-run on fresh repetitions", Colour: 6},
		}
		for i, v := range panel {
			y := -float64(i)
			line := []any{v.Panel, v.Method, v.Paper.Mean, v.Paper.Std, "", "", "", "", v.Trivial}
			series[0].Put(v.Paper.Mean, y+0.22, v.Paper.Mean-v.Paper.Std, v.Paper.Mean+v.Paper.Std)
			if s := v.Selected; s.Repetitions > 0 {
				of := &series[1]
				if !v.Whole {
					of = &series[2]
				}
				low, high := s.Ours, s.Ours
				if s.Known {
					low, high = s.Paper+s.Low, s.Paper+s.High
				}
				of.Put(s.Ours, y, low, high)
				line[4], line[5], line[6] = s.Ours, low, high
			}
			if r := v.Rerun; r.Repetitions > 1 {
				series[3].Put(r.Ours, y-0.22)
				line[7] = r.Ours
			}
			x.YTicks = append(x.YTicks, plots.Tick{Value: y, Label: v.Method})
			f.Data[0].Add(line...)
		}
		if t := panel[0].Trivial; t > 0 {
			x.Marks = []plots.Mark{{X: t, Label: "trivial"}}
		}
		for _, s := range series {
			x.Add(s)
		}
		f.Panels = append(f.Panels, x)
	}
	return f
}
