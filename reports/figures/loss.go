package figures

import (
	"fmt"
	"strings"

	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// LossName is the name of the figure of losses.
const LossName = "loss"

// Loss draws the mean loss of every epoch, a panel per data set; no figure where there is none.
func Loss(frame *summary.Frame) []plots.Figure {
	m, colours := frame.Family.Metric, rowColours(frame.Rows)
	f := plots.Figure{Name: LossName, Title: "Mean loss per epoch", Columns: 2,
		Data: []plots.Data{{Header: []string{"dataset", "method", "epoch", m.Repetitions(), "loss_mean", "loss_std", "parameters"}}}}
	var found []string
	for _, set := range summary.Groups(frame.Rows, ofRow) {
		x := plots.XY{Title: set[0].Dataset, XLabel: "epoch", YLabel: "mean loss"}
		for _, l := range set {
			c := l.Shown()
			if c == nil {
				continue
			}
			s := plots.Series{Name: l.Method, Style: plots.LinePoints, Colour: colours[l.Method]}
			for epoch, v := range epochLosses(c) {
				s.Put(float64(epoch+1), v.Mean, v.Mean-v.Std, v.Mean+v.Std)
				f.Data[0].Add(l.Dataset, l.Method, epoch+1, v.N, v.Mean, v.Std, c.Describe(l.Names))
			}
			if n := len(s.Y); n > 1 {
				x.Series = append(x.Series, s)
				found = append(found, fmt.Sprintf("%s %s from %.3g to %.3g", l.Dataset, l.Method, s.Y[0], s.Y[n-1]))
			}
		}
		if len(x.Series) > 0 {
			f.Panels = append(f.Panels, x)
		}
	}
	f.Alt = "Mean loss of the graphs in every epoch of learning, a panel per data set: mean over the " + m.Repetitions() + ", with a band " +
		"of one standard deviation, for the setting of each method selected with the labels, or, of data without classes, the one " +
		"selected without labels. Each method is shown with its own objective, and alpha scales it: levels compare within a method, not between " +
		"them. From the first epoch to the last: " + strings.Join(found, "; ") + "."
	return table.When(len(f.Panels) > 0, f)
}

// epochLosses are the losses of a configuration's runs, epoch by epoch, as far as all runs that
// finished have them.
func epochLosses(c *summary.Config) (out []paper.Stat) {
	for {
		var values []float64
		for _, r := range c.Runs {
			if r.OK() && len(out) < len(r.Record.EpochLoss) {
				values = append(values, r.Record.EpochLoss[len(out)])
			}
		}
		if len(values) < max(1, c.Done) {
			return out
		}
		out = append(out, paper.StatOf(values))
	}
}
