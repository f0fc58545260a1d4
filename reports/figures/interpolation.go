package figures

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"ogdl/eval"
	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// stations are the weights of the second atom at which graphs and models are drawn; steps
// how finely the models between them are looked at.
const (
	stations = 5
	steps    = 100
)

// Interpolation draws, for every configuration of two atoms, graphs of the data from
// one atom to the other, and below them models C(w) = (1-w) C_1 + w C_2 as graphs and as
// matrices (the paper's Figure 3); and the proportion of the blocks against w.
func Interpolation(frame *summary.Frame, arrays Arrays) ([]plots.Figure, []table.Table, error) {
	all, err := trials(frame, arrays)
	var figs []plots.Figure
	names := figureNames("interpolation", all)
	drawn, notes := withAtoms(all, 2, "; the way leads from one to another.")
	for _, t := range drawn {
		name := names[slices.Index(all, t)]
		figs = append(append(figs, interpolationFigure(name, t)), proportionFigure(name+"-proportion", t)...)
	}
	tab := interpolationTable(frame.Spec, all)
	tab.Notes = append(tab.Notes, notes...)
	return figs, []table.Table{tab}, err
}

// second is a graph's weight on the second atom, the sparser one.
func (c *learned) second(graph int) float64 { return c.Weights[graph][c.order[1]] }

// between is the model with weight w on the second atom.
func (c *learned) between(w float64) artifact.Matrix {
	x := make([]float64, 2)
	x[c.order[0]], x[c.order[1]] = 1-w, w
	return c.Mix(x...)
}

// passing chooses the kept graphs whose weights on the second atom are nearest to the
// stations, each once, among the readable ones.
func (c *learned) passing() []artifact.Kept {
	from := readable(c.kept)
	var out []artifact.Kept
	for i := range min(stations, len(from)) {
		w := station(i)
		at := 0
		for j, g := range from {
			if math.Abs(c.second(g.Index)-w) < math.Abs(c.second(from[at].Index)-w) {
				at = j
			}
		}
		out = append(out, from[at])
		from = slices.Delete(from, at, at+1)
	}
	slices.SortStableFunc(out, func(a, b artifact.Kept) int { return cmp.Compare(c.second(a.Index), c.second(b.Index)) })
	return out
}

func station(i int) float64 { return float64(i) / (stations - 1) }

func interpolationFigure(name string, t *trial) plots.Figure {
	c := t.best
	samples := c.passing()
	f := plots.Figure{
		Name: name, Columns: stations,
		Title: fmt.Sprintf("From one atom to the other: graphs of %s and models%s", t.row.Dataset, t.describe()),
		Data:  []plots.Data{{Name: "models", Header: []string{"w", "row", "column", "entry"}}},
	}
	for _, g := range samples {
		title := fmt.Sprintf("w %.2f", c.second(g.Index))
		var groups []int
		if c.Proportions != nil {
			title += fmt.Sprintf(", share %.2f", c.Proportions[g.Index])
			first := c.Proportions[g.Index] * float64(g.Structure.N) // the first nodes of a graph of D2 are its smaller block
			groups = twoGroups(g.Structure.N, func(node int) bool { return float64(node)+0.5 < first })
		}
		f.Panels = append(f.Panels, plots.Graph{Title: title, N: g.Structure.N, Weights: g.Structure.V, NodeGroup: groups})
	}
	var matrices []plots.Panel
	order, _ := arrange(c.between(0.5)) // one order and one place for all: the nodes of the atoms correspond
	middle := permuted(c.between(0.5), order)
	for i := range stations {
		w := station(i)
		m := permuted(c.between(w), order)
		from, small := smallPart(m)
		groups := twoGroups(m.N, func(node int) bool { return from <= node && node < from+small })
		title := fmt.Sprintf("w %.2f", w)
		f.Panels = append(f.Panels, plots.Graph{Title: title, N: m.N, Weights: m.V, NodeGroup: groups, Places: middle.V})
		matrices = append(matrices, plots.Matrix(title, m.N, m.V, Darkest(c.Atoms)))
		for e, x := range m.V {
			f.Data[0].Add(w, e/m.N, e%m.N, x)
		}
	}
	f.Panels = append(f.Panels, matrices...)
	above := words.If(len(samples) > 0, "Top: %d graphs of %s whose weights on the second atom are nearest to %d values from 0 to "+
		"1, among those kept of at most %d nodes, with the share of nodes in the smaller block where it is known. ",
		len(samples), t.row.Dataset, stations, readableOrder)
	f.Alt = strings.TrimSpace(fmt.Sprintf("%sMiddle and bottom: the models (1-w) C1 + w C2 between the two atoms of order %d, as graphs and as "+
		"matrices: the stronger the colour of an edge or a field, the larger the entry of the model. "+
		"Colours: the smaller block and the larger. %s",
		above, c.Atoms[0].N, t.drawn()))
	return f
}

// twoGroups colours n nodes: the smaller block, and the others.
func twoGroups(n int, smaller func(node int) bool) []int {
	groups := make([]int, n)
	for i := range groups {
		if groups[i] = 2; smaller(i) {
			groups[i] = 1
		}
	}
	return groups
}

// seconds are the weights of all graphs on the second atom.
func (c *learned) seconds() []float64 {
	return table.Map(c.Weights, func(w []float64) float64 { return w[c.order[1]] })
}

// way is what the models are like at steps+1 values of w: the share of nodes in the smaller
// part when they are cut in two, in one order of the nodes, and the share by density.
func (t *trial) way(c *learned) (w, cut, byDensity []float64) {
	order, _ := arrange(c.between(0.5))
	for i := range steps + 1 {
		w = append(w, float64(i)/steps)
		m := permuted(c.between(w[i]), order)
		_, small := smallPart(m)
		cut = append(cut, float64(small)/float64(m.N))
		byDensity = append(byDensity, t.byDensity(m))
	}
	return w, cut, byDensity
}

// byDensity is shareByDensity with the probabilities that D2 was drawn with.
func (t *trial) byDensity(m artifact.Matrix) float64 {
	return shareByDensity(m, t.Params.At("sbm_p_in").Number, t.Params.At("sbm_p_out").Number)
}

// misfit is the root mean square of the differences between the graphs' shares and the
// shares in their models by density.
func (t *trial) misfit(c *learned) float64 {
	sum := 0.0
	for i, w := range c.seconds() {
		d := t.byDensity(c.between(w)) - c.Proportions[i]
		sum += float64(d * d)
	}
	return math.Sqrt(sum / float64(len(c.Weights)))
}

// proportionFigure draws the proportion of the blocks against w, where it is known.
func proportionFigure(name string, t *trial) []plots.Figure {
	c := t.best
	if c.Proportions == nil {
		return nil
	}
	w, shares := c.seconds(), c.Proportions
	at, cut, byDensity := t.way(c)
	pearson, spearman := eval.Pearson(w, shares), eval.Spearman(w, shares)
	graphs := plots.Data{Name: "graphs", Header: []string{"graph", "order", "w", "share of the smaller block", "squared GW to the model"}}
	for i := range w {
		graphs.Add(i, c.Orders[i], w[i], shares[i], c.Errs[i])
	}
	models := plots.Data{Name: "models", Header: []string{"w", "share of the smaller part", "share by density"}}
	for i := range at {
		models.Add(at[i], cut[i], byDensity[i])
	}
	return []plots.Figure{{
		Name: name, Title: fmt.Sprintf("How large the smaller block is, told by the weight w: graphs of %s%s", t.row.Dataset, t.describe()),
		Alt: strings.TrimSpace(fmt.Sprintf("Share of nodes in the smaller block of each of %d graphs against its weight w on the sparser of two "+
			"atoms, from w = 0, the denser atom alone, to w = 1, the sparser one: Pearson correlation %.3f, Spearman %.3f. The line is the share "+
			"that two blocks of the density of the model (1-w) C1 + w C2 would have, the steps are the share of its nodes in the smaller part when "+
			"it is cut in two. %s", len(w), pearson, spearman, t.drawn())),
		Panels: []plots.Panel{plots.XY{
			XLabel: "w: weight on the sparser atom, from 0 (the denser one) to 1", YLabel: "share of nodes in the smaller block",
			Series: []plots.Series{
				{Name: "graphs of " + t.row.Dataset, X: w, Y: shares, Style: plots.Points},
				{Name: "model (1-w) C1 + w C2, by its density", X: at, Y: byDensity, Style: plots.Line},
				{Name: "the same model, cut in two", X: at, Y: cut, Style: plots.Steps},
			},
			Note: fmt.Sprintf("One point a graph. Pearson correlation of w and the share: %.3f, Spearman %.3f.", pearson, spearman),
		}},
		Data: []plots.Data{graphs, models},
	}}
}

func interpolationTable(spec summary.Spec, all []*trial) table.Table {
	t := tableOf(all, "parameters", table.Table{Name: "interpolation", Title: spec.Titled("Weights on two atoms and the proportion of the blocks"),
		Columns: table.Columns{
			{Title: "seed", Key: true, Right: true}, {Title: "repetition", Key: true, Right: true},
			{Title: "Pearson", Spread: true}, {Title: "Spearman", Spread: true}, {Title: "reconstruction", Spread: true},
			{Title: "misfit", Right: true}, {Title: "share at w = 0", CSV: "share_at_0", Right: true},
			{Title: "share at w = 1", CSV: "share_at_1", Right: true}, {Title: "falls on the way", Right: true},
			{Title: "drawn"},
		}})
	for _, x := range all {
		var pearson, spearman, errs []float64
		for _, c := range x.cells {
			if len(c.Atoms) != 2 {
				continue
			}
			var first, second, misfit table.Cell
			if c.Proportions != nil {
				p, s := eval.Pearson(c.seconds(), c.Proportions), eval.Spearman(c.seconds(), c.Proportions)
				pearson, spearman = append(pearson, p), append(spearman, s)
				first, second, misfit = table.Num(p, 4), table.Num(s, 4), table.Num(x.misfit(c), 4)
			}
			errs = append(errs, summary.Values([]summary.Run{c.Run}, "reconstruction", 1)...)
			_, cut, _ := x.way(c)
			falls := 0
			for i := range steps {
				if cut[i+1] < cut[i] {
					falls++
				}
			}
			t.Add(x.head(t), c.BaseSeed, c.Repetition, first, second, c.ScoreCell("reconstruction", 1, 4), misfit, table.Num(cut[0], 3),
				table.Num(cut[steps], 3), falls, words.If(c == x.best, "yes"))
		}
		t.AddUpTo(table.Cell{}, x.head(t), "all", x.repetitions(), paper.StatOf(pearson).Rounded(4),
			paper.StatOf(spearman).Rounded(4), paper.StatOf(errs).Rounded(4))
	}
	t.Note("Correlations of a graph's weight w on the second (sparser) atom with the share of its nodes in the smaller block. "+
		"Reconstruction: mean (F)GW^2 between graph and model. All: mean (std) over repetitions.",
		"Misfit: root mean square of the difference between a graph's share and the share that two blocks of the density of (1-w) C1 + w C2 would "+
			"have.",
		fmt.Sprintf("Share at w: of the model's nodes in the smaller part when it is cut in two; falls: how often it falls between two of %d "+
			"values of w from 0 to 1.", steps+1))
	t.Note(missingNote(all)...)
	return t
}
