package figures

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// ByLargest returns the places of values, the place of the largest first, and places of equal ones in their order.
func ByLargest[T cmp.Ordered](values []T) []int {
	order := make([]int, len(values))
	for k := range order {
		order[k] = k
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(values[b], values[a]) })
	return order
}

// DensestFirst returns the places of atoms in the file, from the densest to the sparsest: figures number them in this order, from 1.
func DensestFirst(atoms []artifact.Matrix) []int {
	return ByLargest(table.Map(atoms, func(a artifact.Matrix) float64 { return paper.StatOf(a.V).Mean }))
}

// Darkest returns the largest entry of atoms, at least 1, which is the darkest in their pictures.
func Darkest(atoms []artifact.Matrix) float64 {
	top := 1.0
	for _, a := range atoms {
		top = max(top, slices.Max(a.V))
	}
	return top
}

// Atoms draws the atoms of every configuration as matrices and as graphs, the darkness of an edge
// being its entry (the paper's Figure 1, top).
func Atoms(frame *summary.Frame, arrays Arrays) ([]plots.Figure, []table.Table, error) {
	all, err := trials(frame, arrays)
	var figs []plots.Figure
	for i, name := range figureNames("atoms", all) {
		if all[i].best != nil {
			figs = append(figs, atomsFigure(name, all[i]))
		}
	}
	return figs, []table.Table{atomsTable(frame.Spec, all), atomsRepetitionsTable(frame.Spec, all)}, err
}

// widest is how many panels are side by side, at most.
const widest = 4

func atomsFigure(name string, t *trial) plots.Figure {
	c := t.best
	var matrices, graphs []plots.Panel
	data := plots.Data{Header: []string{"atom", "place in the file", "row", "column", "node of the row", "node of the column", "block of the row",
		"entry"}}
	coloured := fmt.Sprintf("coloured by block (groups whose mean entry is at least %.1f) where these are few", joined)
	var groups []plots.Group
	var colours [][]int
	if c.labels != nil {
		groups, colours = LabelColours(c.labels, c.Record.Digest, c.labels.Strongest)
	}
	if colours != nil {
		data.Header = append(data.Header, "label of the row")
		coloured = "coloured by their strongest label"
	}
	var counts []int
	for k, at := range c.order {
		order, block := arrange(c.Atoms[at])
		m := permuted(c.Atoms[at], order)
		matrices = append(matrices, plots.Matrix(fmt.Sprintf("atom %d", k+1), m.N, m.V, Darkest(c.Atoms)))
		g, blocks := plots.Graph{N: m.N, Weights: m.V, Groups: groups}, slices.Max(block)+1
		for i, row := range order {
			if colours != nil {
				g.NodeGroup = append(g.NodeGroup, colours[at][row])
			} else if blocks < manyBlocks {
				g.NodeGroup = append(g.NodeGroup, block[row]+1)
			}
			for j, column := range order {
				line := []any{k + 1, at, i, j, row, column, block[row], m.At(i, j)}
				if colours != nil {
					line = append(line, labelName(c.labels, c.Record.Digest, c.labels.Strongest[at][row]))
				}
				data.Add(line...)
			}
		}
		graphs, counts = append(graphs, g), append(counts, blocks)
	}
	f := plots.Figure{
		Name: name, Title: fmt.Sprintf("Atoms learned on %s%s", t.row.Dataset, t.describe()),
		Alt: fmt.Sprintf("The %s of order %d learned on %s%s, from the densest to the sparsest: each as a matrix and as a graph. "+
			"The stronger the colour of a field or an edge, the larger the entry; in adjacency matrices 0 is no edge "+
			"and 1 an edge, though "+
			"what is learned may be larger. Nodes are ordered by average linkage, so that blocks stand on the diagonal, and %s. Blocks per atom: %s. %s",
			words.Plural(len(c.Atoms), "atom", "atoms"), c.Atoms[0].N, t.row.Dataset, t.describe(), coloured, joinInts(counts, ", "), t.drawn()),
		Data: []plots.Data{data},
	}
	f.Alt = strings.TrimSpace(f.Alt)
	if n := len(c.order); n <= widest {
		f.Columns, f.Panels = n, slices.Concat(matrices, graphs)
		return f
	}
	f.Columns = widest
	for k := range matrices {
		f.Panels = append(f.Panels, matrices[k], graphs[k])
	}
	return f
}

// manyBlocks is the number of blocks from which colours would say nothing.
const manyBlocks = 7

// listed are numbers as a cell.
func listed(x []int, between string) table.Cell {
	return table.List(joinInts(x, between), table.Map(x, table.Int[int])...)
}

// joinInts writes numbers with a sign between them.
func joinInts(x []int, between string) string {
	return strings.Join(strings.Fields(strings.Trim(fmt.Sprint(x), "[]")), between)
}

// structureOf returns the sizes of an atom's blocks, and the mean off-diagonal entries inside
// blocks and between them; a mean without entries is missing.
func structureOf(m artifact.Matrix) (sizes []int, within, between table.Cell) {
	_, block := arrange(m)
	sizes = make([]int, slices.Max(block)+1)
	for _, b := range block {
		sizes[b]++
	}
	within = table.Num(meanEntry(m, func(i, j int) bool { return i != j && block[i] == block[j] }), 3)
	between = table.Num(meanEntry(m, func(i, j int) bool { return block[i] != block[j] }), 3)
	return sizes, within.If(len(sizes) < m.N), between.If(len(sizes) > 1)
}

func atomsTable(spec summary.Spec, all []*trial) table.Table {
	t := tableOf(all, "parameters", table.Table{Name: "atoms",
		Title: spec.Titled("Atoms of the dictionary of the lowest mean objective, from the densest to the sparsest"), Columns: table.Columns{
			{Title: "atom", Key: true, Right: true}, {Title: "order", CSV: "nodes", Right: true},
			{Title: "blocks", Right: true}, {Title: "sizes", CSV: "block_size", Listed: true},
			{Title: "mean entry", Right: true}, {Title: "inside blocks", Right: true}, {Title: "between blocks", Right: true},
			{Title: "mean weight", Right: true}, {Title: "mean weight by class", CSV: "mean_weight_class", Listed: true},
			{Title: "place in the file", Right: true},
		}})
	for _, x := range all {
		c := x.best
		if c == nil {
			t.AddUpTo(table.None(), x.head(t))
			continue
		}
		for k, at := range c.order {
			m := c.Atoms[at]
			sizes, within, between := structureOf(m)
			weights := table.Map(c.Weights, func(w []float64) float64 { return w[at] })
			t.Add(x.head(t), k+1, m.N, len(sizes), listed(sizes, "+"), table.Num(density(m), 3), within, between,
				paper.StatOf(weights).Plain(3), c.byClass(at), at)
		}
	}
	t.Note("Blocks: groups of nodes that average linkage joins at a mean entry of at least 0.5, as likely joined as not. Mean entries leave out " +
		"the diagonal.")
	t.Note(table.When(slices.ContainsFunc(all, func(x *trial) bool { return x.best != nil && x.best.Classes != nil }),
		"Mean weight by class: of the atom in the graphs of every class, in the order of the classes.")...)
	t.Note(missingNote(all)...)
	return t
}

// byClass is the mean weight of an atom in the graphs of each class; blank without classes.
func (c *learned) byClass(atom int) table.Cell {
	weights := make([][]float64, c.ClassCount())
	for i, k := range c.Classes {
		weights[k] = append(weights[k], c.Weights[i][atom])
	}
	parts, cells := make([]string, len(weights)), make([]table.Cell, len(weights))
	for k, w := range weights {
		if len(w) > 0 {
			cells[k] = table.Num(paper.StatOf(w).Mean, 2)
		}
		parts[k] = cells[k].Plain()
	}
	return table.List(strings.Join(parts, ", "), cells...).If(c.Classes != nil)
}

// atomsRepetitionsTable says what every repetition found.
func atomsRepetitionsTable(spec summary.Spec, all []*trial) table.Table {
	t := tableOf(all, "parameters", table.Table{Name: "atoms_repetitions", Title: spec.Titled("Blocks of the atoms that every repetition found"),
		Notes: missingNote(all), Columns: table.Columns{
			{Title: "seed", Key: true, Right: true}, {Title: "repetition", Key: true, Right: true},
			{Title: "mean objective", Right: true}, {Title: "reconstruction", Right: true},
			{Title: "blocks of the atoms", CSV: "blocks", Listed: true}, {Title: "drawn"},
		}})
	for _, x := range all {
		for _, c := range x.cells {
			var counts []int
			for _, at := range c.order {
				sizes, _, _ := structureOf(c.Atoms[at])
				counts = append(counts, len(sizes))
			}
			t.Add(x.head(t), c.BaseSeed, c.Repetition, c.ScoreCell(artifact.Objective, 1, 6), c.ScoreCell(artifact.Reconstruction, 1, 6),
				listed(counts, ", "), words.If(c == x.best, "yes"))
		}
	}
	return t
}

// LabelColours names colours after the labels in these pictures, of data of this digest, and gives every node the number of its label's: strongest
// are the labels of the nodes of each picture, -1 without one. The first label is black, as carbon is. All pictures of one cell agree: where
// there are more labels than colours, those that are rarest in the cell's atoms have none.
func LabelColours(l *artifact.Labels, digest string, strongest [][]int) (names []plots.Group, colours [][]int) {
	count, here := make([]float64, len(l.Texts)), slices.Concat(strongest...)
	for _, label := range slices.Concat(l.Strongest...) {
		if label >= 0 {
			count[label]++
		}
	}
	shown := ByLargest(count)
	shown = shown[:min(len(shown), plots.Colours)]
	slices.Sort(shown)
	colourOf := map[int]int{}
	for i, label := range shown {
		colourOf[label] = append([]int{black}, otherColours...)[i]
		if slices.Contains(here, label) {
			names = append(names, plots.Group{Name: labelName(l, digest, label), Colour: colourOf[label]})
		}
	}
	for _, picture := range strongest {
		colours = append(colours, table.Map(picture, func(label int) int { return colourOf[label] }))
	}
	return names, colours
}

// labelName is the name of a label: its text, or what the readme of a published data set calls it.
func labelName(l *artifact.Labels, digest string, label int) string {
	if label < 0 {
		return ""
	}
	if known := datasets.NodeLabels(digest); l.Numbers != nil {
		if v := l.Numbers[label]; v >= 0 && v < len(known) {
			return known[v]
		}
		return "label " + l.Texts[label]
	}
	return l.Texts[label]
}

// Learned draws the atoms of the best dictionary of each data set that is not in the paper. The
// best dictionary is the shown setting with the highest mean score. The error names dictionaries
// that cannot be read.
func Learned(f *summary.Frame, arrays Arrays) (figs []plots.Figure, err error) {
	if arrays == nil {
		return nil, nil
	}
	var problems []error
	var all []*trial
	others := summary.Pick(f.Rows, func(l *summary.Row) bool {
		return !slices.Contains(f.Family.Datasets, f.Family.Printed.DatasetName(l.Dataset)) && l.Shown() != nil &&
			strings.HasPrefix(l.Method, dictionaryMethod)
	})
	for _, set := range summary.Groups(others, ofRow) {
		row := slices.MaxFunc(set, func(a, b *summary.Row) int { return cmp.Compare(a.Metric.Mean(a.Shown()), b.Metric.Mean(b.Shown())) })
		runs := scored(row.Shown(), artifact.Objective)
		if len(runs) == 0 {
			continue
		}
		run := slices.MinFunc(runs, byObjective)
		best, err := arraysOf(run, arrays, readLearned)
		if problems = append(problems, err); err == nil {
			best.Run = run
			cells := make([]*learned, len(runs)) // as many repetitions; the best one is read
			all = append(all, &trial{Config: row.Shown(), row: row, cells: cells, best: best})
		}
	}
	for i, name := range figureNames("dictionary", all) {
		figs = append(figs, atomsFigure(name, all[i]))
	}
	return figs, errors.Join(problems...)
}
