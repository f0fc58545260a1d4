package figures

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Classification are the figures of a classification run, one of each kind for a data set: the inner accuracy over C and gamma on the first
// split, and the accuracies of two rows split by split.
func Classification(f *summary.Frame, arrays Arrays) (out []plots.Figure, tabs []table.Table, err error) {
	var problems []error
	for _, set := range summary.Groups(f.Rows, ofRow) {
		x, err := searches(f, set, arrays)
		problems = append(problems, err)
		out = append(out, x...)
	}
	for _, set := range summary.Groups(f.Pairs(), func(p summary.Pair) string { return p.A.Dataset }) {
		out = append(out, splitBySplit(f, set))
	}
	number(out)
	return out, nil, errors.Join(problems...)
}

// searches draws the search for C and gamma of the first split of every row, in the configuration that the split chose.
func searches(frame *summary.Frame, rows []*summary.Row, arrays Arrays) ([]plots.Figure, error) {
	m, name := frame.Family.Metric, rows[0].Dataset
	f := plots.Figure{Name: "inner_accuracy-" + plots.FileWord(name), Title: name + ": " + m.Beside.Label + " over C and gamma", Columns: 3,
		Data: []plots.Data{{Header: []string{"method", "parameters", "split", "C", "gamma", "inner_accuracy"}}}}
	var problems []error
	var found []string
	low, high := math.Inf(1), math.Inf(-1)
	for _, l := range rows {
		if l.Nested.Config == nil {
			continue
		}
		r, s, err := first(l.Nested.Config, artifact.Fits, arrays, artifact.ReadInnerSearch)
		problems = append(problems, err)
		if r == nil || s == nil {
			continue
		}
		of, C, gamma := r.Record.Scores[artifact.InnerDenominator], r.Record.Scores[artifact.ChosenC], r.Record.Scores[artifact.ChosenGamma]
		values, by := make([]float64, len(s.Correct)), l.Nested.Of[slices.IndexFunc(l.Nested.Runs, func(o summary.Run) bool { return o.ID == r.ID })]
		for k, right := range s.Correct {
			values[k] = m.Scale * float64(right) / of
			f.Data[0].Add(l.Method, by.Describe(l.Names), r.Repetition, s.C[k/len(s.Gamma)], s.Gamma[k%len(s.Gamma)], values[k])
		}
		x := plots.XY{Title: l.Method, XLabel: "gamma", YLabel: "C", XTicks: ticksOf(s.Gamma), YTicks: ticksOf(s.C), Aspect: 0.9}
		if len(s.Gamma) == 1 && s.Gamma[0] == 0 {
			x.XLabel, x.YLabel, x.LogX, x.XTicks, x.YTicks = "C", m.Beside.Label+", "+m.Sign, true, nil, nil
			x.Series = []plots.Series{{X: s.C, Y: values, Style: plots.LinePoints, Colour: 1},
				{Name: "chosen", X: []float64{C}, Y: []float64{slices.Max(values)}, Colour: 2}}
		} else {
			x.Field = &plots.Field{Columns: len(s.Gamma), Values: values, Unit: " " + m.Sign}
			x.Series = []plots.Series{{Name: "chosen", X: []float64{place(s.Gamma, gamma)}, Y: []float64{place(s.C, C)}, Colour: 2}}
			low, high = min(low, slices.Min(values)), max(high, slices.Max(values))
		}
		f.Panels = append(f.Panels, x)
		found = append(found, fmt.Sprintf("%s %.1f %s at C = %.3g", l.Method, slices.Max(values), m.Sign, C))
	}
	for _, p := range f.Panels {
		if x := p.(plots.XY); x.Field != nil {
			x.Field.Min, x.Field.Max = low, high // one scale for all
		}
	}
	f.Alt = "Inner accuracy, that of ten folds of the training part, of one split of " + name + " for every C and gamma that was tried: a field " +
		"for each row, the stronger its colour the higher, on one scale for all, or, for kernels without gamma, a line. The sign is what " +
		"was chosen: the first " +
		"maximum, C before gamma. " + strings.Join(found, "; ") + "."
	return table.When(len(f.Panels) > 0, f), errors.Join(problems...)
}

// ticksOf are the ticks of values that are drawn at equal distances.
func ticksOf(values []float64) (ticks []plots.Tick) {
	for i, v := range values {
		ticks = append(ticks, plots.Tick{Value: float64(i), Label: fmt.Sprintf("%.3g", v)})
	}
	return ticks
}

// place is where a value is among them.
func place(values []float64, v float64) float64 { return float64(slices.Index(values, v)) }

// mostPairs is how many pairs of rows are drawn where none has a method of the paper's own in it.
const mostPairs = 6

// splitBySplit sets the accuracies of two rows against each other, a point for each split: rows of the paper's own methods and the others of
// the same representation, or, without such, the first pairs.
func splitBySplit(frame *summary.Frame, pairs []summary.Pair) plots.Figure {
	k, m, name := frame.Family, frame.Family.Metric, pairs[0].A.Dataset
	own := func(l *summary.Row) bool { return k.Category(l.Method) == k.Categories()[0] }
	chosen := slices.DeleteFunc(slices.Clone(pairs), func(p summary.Pair) bool {
		return !own(p.A) || own(p.B) || summary.Represented(p.A.First()) != summary.Represented(p.B.First())
	})
	if len(chosen) == 0 {
		chosen = pairs[:min(len(pairs), mostPairs)]
	}
	f := plots.Figure{Name: "split_by_split-" + plots.FileWord(name), Columns: 3,
		Title: name + ": " + m.Label + " of two rows on each split, " + m.Sign,
		Data:  []plots.Data{{Header: []string{"first", "second", "first_" + m.Score, "second_" + m.Score}}}}
	var found []string
	for _, p := range chosen {
		s := plots.Series{Colour: 1}
		for _, v := range p.Scores {
			f.Data[0].Add(p.A.Method, p.B.Method, v[0], v[1])
			s.Put(v[1], v[0])
		}
		f.Panels = append(f.Panels, plots.XY{XLabel: p.B.Method, YLabel: p.A.Method, Diagonal: true,
			Series: []plots.Series{s}, Note: p.Text() + "."})
		found = append(found, "against "+p.B.Method+", "+p.Text())
	}
	f.Alt = "Test accuracies of two rows on the splits of " + name + ", a point for each split and a panel for each two rows; above the line the " +
		"row of the vertical axis is higher. " + strings.Join(found, "; ") + "."
	return f
}

// TimeAccuracy is the figure of a classification run that holds durations: what every row costs, and how well it does.
func TimeAccuracy(frame *summary.Frame) []plots.Figure {
	k, m := frame.Family, frame.Family.Metric
	f := plots.Figure{Name: "time_accuracy", Title: "Time against accuracy", Columns: 2,
		Data: []plots.Data{{Header: []string{"dataset", "method", "splits", "cpu_seconds", m.Score + "_mean", "standard_error"}}}}
	var found []string
	for _, set := range summary.Groups(frame.Rows, ofRow) {
		x := plots.XY{Title: set[0].Dataset, XLabel: "CPU seconds of all cells of the row", YLabel: m.Label + ", " + m.Sign, LogX: true}
		for i, category := range k.Categories() {
			s := plots.Series{Name: cmp.Or(category, "rows of our own"), Whiskers: true, Colour: i + 1}
			for _, l := range set {
				seconds, known := frame.Cost(l.All())
				if c := l.Judged(); c != nil && known && seconds > 0 && k.Category(l.Method) == category {
					of := m.Sample(m.Measure, c.Runs)
					e, _ := m.Sampling(l.Dataset).StdError(of)
					s.Put(seconds, of.Mean, of.Mean-e, of.Mean+e)
					s.Labels = append(s.Labels, l.Method)
					f.Data[0].Add(l.Dataset, l.Method, of.N, seconds, of.Mean, e)
					found = append(found, fmt.Sprintf("%s %s %.1f %s in %.3g s", l.Dataset, l.Method, of.Mean, m.Sign, seconds))
				}
			}
			x.Add(s)
		}
		if len(x.Series) > 0 {
			f.Panels = append(f.Panels, x)
		}
	}
	f.Alt = "Mean nested accuracy of every row against the processor time of all its cells and of the products that they rest on, such as " +
		"matrices of distances, which count once in every row; bars of one standard error, for splits that share graphs. " + strings.Join(found,
		"; ") + "."
	return table.When(len(f.Panels) > 0, f)
}
