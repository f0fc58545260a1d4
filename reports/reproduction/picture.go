package reproduction

import (
	"strings"

	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// PicturePrefix begins the names of the pictures of ours against the paper's values.
const PicturePrefix = "paper-"

// Picture draws ours against the paper's values for the rows of one frame; nothing where they have no value in common.
func Picture(f *summary.Frame) []plots.Figure {
	t := tabled{name: f.Family.Name}
	numbers := numbersOf(t.name, []Part{{Config: f.Name, Frame: f}})
	t.Numbers = summary.Pick(numbers, func(n *Number) bool { return n.Selected.Repetitions > 0 })
	return table.When(len(t.Numbers) > 0, picture(t))
}

// picture draws ours against the paper's values in tables of one kind: a panel for each data set, a
// row for each method. A bar is the 95 % interval of the difference, placed on the paper's value:
// ours agrees if the bar reaches the paper's dot.
func picture(tables ...tabled) plots.Figure {
	title, unit := "Clustering", "Rand Index, %"
	if tables[0].Nested() {
		title, unit = "Classification", "accuracy, %"
	}
	const columns, width, row, axes, wide = 4, 21, 13, 34, 137 // the last three in points
	f := plots.Figure{Name: PicturePrefix + strings.ToLower(title), Title: title + ": ours against the paper",
		Formats: []string{"svg"}, Width: width, Columns: columns,
		Data: []plots.Data{{Header: []string{"panel", "method", "paper", "paper std", "selected", "from", "to", "rerun", "trivial"}}},
		Alt: "The paper's values and ours, a panel for each data set and a row for each method. Bars: the paper's deviation; the " +
			"95 % interval of the difference, for the selected setting. A bar of ours that reaches the paper's dot agrees with it, or is " +
			"undecided if the bar is wide. Dashed: the trivial level."}
	for _, t := range tables {
		for _, numbers := range summary.Groups(t.Numbers, (*Number).dataset) {
			x := plots.XY{Title: numbers[0].Dataset + t.suffix, XLabel: unit, Aspect: float64(len(numbers)*row+axes) / wide}
			series := []plots.Series{
				{Name: "paper", Colour: 2, Across: true},
				{Name: "ours, selected", Colour: 1, Across: true},
				{Name: "ours, selected on a part of the grid or a small one", Colour: 3, Across: true},
				{Name: "ours, re-run on fresh repetitions", Colour: 6},
			}
			for i, n := range numbers {
				y := -float64(i)
				line := []any{x.Title, n.method(), n.Mean, n.Std, "", "", "", "", n.trivial()}
				series[0].Put(n.Mean, y+0.22, n.Mean-n.Std, n.Mean+n.Std)
				if s := n.Selected; s.Repetitions > 0 {
					of := &series[1]
					if n.Grid != wholeGrid {
						of = &series[2]
					}
					low, high := s.Ours, s.Ours
					if s.Known {
						low, high = s.Paper+s.Low, s.Paper+s.High
					}
					of.Put(s.Ours, y, low, high)
					line[4], line[5], line[6] = s.Ours, low, high
				}
				if r := n.Rerun; r.Repetitions > 1 {
					series[3].Put(r.Ours, y-0.22)
					line[7] = r.Ours
				}
				x.YTicks = append(x.YTicks, plots.Tick{Value: y, Label: n.method()})
				f.Data[0].Add(line...)
			}
			if level := numbers[0].trivial(); level > 0 {
				x.Marks = []plots.Tick{{Value: level, Label: "trivial"}}
			}
			for _, s := range series {
				x.Add(s)
			}
			f.Panels = append(f.Panels, x)
		}
	}
	return f
}
