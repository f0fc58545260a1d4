package figures

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// Simplex draws, for every data set, the weights of all graphs on three atoms as points of a
// triangle, one triangle per configuration from the smallest lambda on, and below them one typical
// graph of every class, with its letter in the triangles (the paper's Figure 2).
func Simplex(frame *summary.Frame, arrays Arrays) ([]plots.Figure, []table.Table, error) {
	all, err := trials(frame, arrays)
	slices.SortStableFunc(all, func(a, b *trial) int {
		return cmp.Or(cmp.Compare(a.row.Dataset, b.row.Dataset), cmp.Compare(a.Lambda(), b.Lambda()))
	})
	drawn, notes := withAtoms(all, 3, ", a triangle three corners.")
	figs := table.Map(summary.Groups(drawn, func(t *trial) string { return t.row.Dataset }), simplexFigure)
	number(figs)
	tab := simplexTable(frame, all)
	tab.Notes = append(tab.Notes, notes...)
	return figs, []table.Table{tab}, err
}

// simplexFigure draws the triangles of one data set.
func simplexFigure(all []*trial) plots.Figure {
	first := all[0].best
	samples := typical(first)
	f := plots.Figure{
		Name: "simplex-" + plots.FileWord(all[0].row.Dataset), Columns: 3,
		Title: fmt.Sprintf("Embeddings of %s in the simplex of three atoms", all[0].row.Dataset),
		Data:  []plots.Data{{Header: []string{"parameters", "graph", "class", "atom 1", "atom 2", "atom 3", "drawn as"}}},
	}
	letter := map[int]string{} // of a sample, by the number of the graph
	for i, g := range samples {
		letter[g.Index] = string(rune('a' + i%26))
	}
	var spread, drawn []string
	for _, t := range all {
		c, shown := t.best, letter
		if c.Record.Digest != first.Record.Digest { // other graphs have other numbers
			shown = nil
		}
		p := simplexPanel(t, shown)
		for i, w := range c.Weights {
			class := words.If(c.Classes != nil, "%d", c.Class(i)+1)
			f.Data[0].Add(p.Title, i, class, w[c.order[0]], w[c.order[1]], w[c.order[2]], shown[i])
		}
		f.Panels = append(f.Panels, p)
		drawn = append(drawn, t.describeBest())
		spread = append(spread, fmt.Sprintf("%.3f (%s)", paper.StatOf(c.largest(-1)).Mean, p.Title))
	}
	for _, g := range samples {
		n := g.Structure.N
		order, _ := arrange(g.Structure)
		f.Panels = append(f.Panels, plots.Graph{
			Title: fmt.Sprintf("%s: %s, %d nodes", letter[g.Index], className(all[0].row.Dataset, g.Class), n),
			N:     n, Weights: permuted(g.Structure, order).V, NodeGroup: slices.Repeat([]int{g.Class + 1}, n),
		})
	}
	f.Alt = fmt.Sprintf("Weights of the graphs of %s on three atoms, one point per graph, coloured by class; the corners are the atoms, "+
		"from the densest (1) to the sparsest (3). Mean largest weight: %s. Drawn: the repetition of the lowest mean objective, %s.",
		all[0].row.Dataset, strings.Join(spread, ", "), strings.Join(drawn, ", "))
	f.Alt += words.If(len(samples) > 0, " The graphs below have their letters in the triangles: of every class the one nearest to "+
		"the median of the class's weights, at the first of the settings, among those kept of at most %d nodes.", readableOrder)
	return f
}

// simplexPanel returns the triangle of a setting, with the letters of some graphs.
func simplexPanel(t *trial, letters map[int]string) plots.XY {
	const high = 0.8660254037844386 // of a triangle of side 1
	c := t.best
	edge := plots.Series{Style: plots.Line, Guide: true, X: []float64{0, 1, 0.5, 0}, Y: []float64{0, 0, high, 0}}
	corners := plots.Series{Style: plots.Words, X: []float64{0.1, 0.9, 0.5}, Y: []float64{-0.13, -0.13, high + 0.05},
		Labels: []string{"atom 1", "atom 2", "atom 3"}}
	graphs, lettered := make([]plots.Series, max(c.ClassCount(), 1)), plots.Series{Name: "drawn below", Colour: black}
	for k := range graphs {
		if graphs[k].Colour = k + 1; c.Classes != nil {
			graphs[k].Name = className(t.row.Dataset, k)
		}
	}
	for i, w := range c.Weights {
		x, y := w[c.order[1]]+w[c.order[2]]/2, float64(high*w[c.order[2]])
		s := &graphs[max(c.Class(i), 0)]
		s.Put(x, y)
		if l, ok := letters[i]; ok {
			lettered.Put(x, y)
			lettered.Labels = append(lettered.Labels, l)
		}
	}
	x := plots.XY{Title: t.Describe(t.row.Names), Bare: true, Aspect: high, Series: graphs}
	x.Add(lettered)
	x.Series = append(x.Series, edge, corners)
	return x
}

// largest are the largest weights of the graphs of a class, or of all (-1).
func (c *learned) largest(class int) []float64 {
	var out []float64
	for i, w := range c.Weights {
		if class < 0 || c.Class(i) == class {
			out = append(out, slices.Max(w))
		}
	}
	return out
}

// typical chooses one kept graph of every class: the nearest to the median of the class's weights,
// atom by atom, among the readable ones (any, where a class has none). None without classes.
func typical(c *learned) []artifact.Kept {
	var out []artifact.Kept
	for class := range c.ClassCount() {
		center := make([]float64, len(c.Atoms))
		for s := range center {
			var column []float64
			for i, w := range c.Weights {
				if c.Classes[i] == class {
					column = append(column, w[s])
				}
			}
			if len(column) > 0 {
				center[s] = median(column)
			}
		}
		away := func(g artifact.Kept) float64 {
			sum := 0.0
			for s, x := range c.Weights[g.Index] {
				sum += float64((x - center[s]) * (x - center[s]))
			}
			return sum
		}
		of := slices.DeleteFunc(slices.Clone(c.kept), func(g artifact.Kept) bool { return g.Class != class })
		if small := readable(of); len(small) > 0 {
			of = small
		}
		if len(of) > 0 {
			out = append(out, slices.MinFunc(of, func(a, b artifact.Kept) int { return cmp.Compare(away(a), away(b)) }))
		}
	}
	return out
}

// readableOrder bounds sample graphs: larger ones cannot be read in a picture.
const readableOrder = 30

// readable are those graphs that are small enough for a picture.
func readable(of []artifact.Kept) []artifact.Kept {
	return slices.DeleteFunc(slices.Clone(of), func(g artifact.Kept) bool { return g.Structure.N > readableOrder })
}

// median orders x and returns the mean of its middle two numbers.
func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// corner is the weight from which a graph is in a corner of the simplex.
const corner = 0.9

func simplexTable(f *summary.Frame, all []*trial) table.Table {
	m := f.Family.Metric
	t := tableOf(all, "parameters", table.Table{Name: "simplex", Title: f.Titled("How near to the corners of the simplex the graphs are"),
		Columns: table.Columns{
			{Title: "class", Key: true}, {Title: "graphs", Right: true}, {Title: "largest weight", Spread: true},
			{Title: "in a corner, %", Spread: true}, {Title: "largest weight, drawn", Right: true},
			{Title: "in a corner, drawn, %", Right: true}, {Title: m.Short + ", " + m.Sign, Spread: true},
			{Title: "repetitions", Counted: true},
		}})
	for _, x := range all {
		classes := 0
		for _, c := range x.cells {
			classes = max(classes, c.ClassCount())
		}
		for class := -1; class < classes; class++ {
			name := "all"
			if class >= 0 {
				name = className(x.row.Dataset, class)
			}
			if x.best == nil {
				t.Add(x.head(t), name, slices.Repeat([]table.Cell{table.None()}, 6), x.repetitions())
				continue
			}
			var weights, corners []float64
			for _, c := range x.cells {
				l := c.largest(class)
				weights, corners = append(weights, paper.StatOf(l).Mean), append(corners, cornered(l))
			}
			l := x.best.largest(class)
			t.Add(x.head(t), name, len(l), paper.StatOf(weights).Rounded(3), paper.StatOf(corners).Rounded(1),
				table.Num(paper.StatOf(l).Mean, 3), table.Num(cornered(l), 1),
				paper.StatOf(summary.Values(x.Runs, m.Score, m.Scale)).Cell("").If(class < 0), x.repetitions())
		}
	}
	t.Note(fmt.Sprintf("Largest weight: mean over the graphs of the largest of a graph's weights. In a corner: graphs whose largest "+
		"weight is above %.1f. Mean (std) over repetitions; drawn: the repetition of the lowest mean objective, in the figure.", corner))
	t.Note(missingNote(all)...)
	return t
}

// cornered is the share of weights above corner, in percent.
func cornered(largest []float64) float64 {
	n := len(summary.Pick(largest, func(w float64) bool { return w > corner }))
	return 100 * float64(n) / float64(len(largest))
}
