package figures

import (
	"fmt"
	"math"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"strconv"
	"strings"
)

// unlabelledFigure draws the sweep of data without classes: stability and the share of the largest
// cluster; false where no data set has one.
func (s sweep) unlabelledFigure(lines []*summary.Row, colours map[string]int) (plots.Figure, bool) {
	f := plots.Figure{
		Name:    "stability_" + s.param,
		Title:   "Stability against " + s.param + ", data without classes",
		Columns: 2,
		Data:    []plots.Data{{Header: []string{"dataset", "method", s.param, "seeds", "stability", "largest_cluster", "objective_mean", "objective_std", "other parameters"}}},
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
		panels := []plots.XY{
			{Title: name, YLabel: "stability, %", XLabel: at.label, XTicks: at.ticks, Note: fewerSeeds(tracks)},
			{Title: name, YLabel: "largest cluster, %", XLabel: at.label, XTicks: at.ticks},
		}
		for i, t := range tracks {
			aside := float64(2*i+1-len(tracks)) / 2 * at.step
			for k, of := range []func(*summary.Config) float64{func(c *summary.Config) float64 { return c.Stability }, func(c *summary.Config) float64 { return c.Largest }} {
				one := plots.Series{Name: t.name, Style: plots.LinePoints, Colour: t.colour}
				for _, c := range t.configs {
					if v := of(c); !math.IsNaN(v) {
						one.X, one.Y = append(one.X, at.place(s.value(c).Number)+aside), append(one.Y, 100*v)
					}
				}
				if len(one.X) > 0 {
					panels[k].Series = append(panels[k].Series, one)
				}
			}
			for _, c := range t.configs {
				o := c.Stat("objective", 1)
				f.Data[0].Rows = append(f.Data[0].Rows, []string{name, t.name, s.value(c).Text, strconv.Itoa(c.Done),
					percentText(c.Stability), percentText(c.Largest), fixed(o.Mean, o), fixed(o.Std, o), t.fixed})
			}
		}
		if len(panels[0].Series) == 0 && len(panels[1].Series) == 0 {
			continue // not clustered
		}
		found = append(found, name)
		f.Panels = append(f.Panels, panels[0], panels[1])
	}
	f.Alt = fmt.Sprintf("Stability (left: the mean adjusted Rand Index between the clusterings of two seeds) and share of the largest cluster (right) "+
		"against %s, a row of panels per data set without classes: %s. The methods stand a little aside of each other. The other parameters stay as in the method's "+
		"configuration chosen without labels.", s.label, strings.Join(found, ", "))
	return f, len(f.Panels) > 0
}

// percentText is a fraction in percent with two decimals, "" where there is none.
func percentText(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(100*v, 'f', 2, 64)
}
