package figures

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/reports/paper"
	"ogdl/reports/plots"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// comparison has a cell of GDL and the cell of GDL_h with the same settings and seed: the same
// graphs, modelled without node weights and with them.
type comparison struct {
	plain, extended *learned
	nodes           [][]float64 // node weights of every atom
	mixed           [][]float64 // of every graph: weights of the atoms' node weights
}

// Weights draws two graphs with their models by GDL and by GDL_h (the paper's Figure 5)
// for every configuration of GDL_h that has one of GDL with the same settings.
func Weights(frame *summary.Frame, arrays Arrays) ([]plots.Figure, []table.Table, error) {
	all, err := trials(frame, arrays)
	problems := []error{err}
	of := func(extended bool) []*trial {
		return summary.Pick(all, func(t *trial) bool { return len(t.Runs) > 0 && (t.Runs[0].Method == "GDL_h") == extended })
	}
	plain, extended := of(false), of(true)
	var figs []plots.Figure
	means, drawn := weightsTables(frame.Spec, extended)
	for i, name := range figureNames("weights", extended) {
		t := extended[i]
		pairs, err := compare(t, counterpart(t, plain), arrays)
		problems = append(problems, err)
		means.Add(t.head(means), meansCells(t, pairs))
		if len(pairs) == 0 {
			continue
		}
		chosen := pairs[0].choose()
		if len(chosen) == 0 {
			drawn.Note(fmt.Sprintf("%s%s: no kept graph has at most %d nodes; none is drawn.", t.row.Dataset, t.describe(), drawable))
			continue
		}
		figs = append(figs, weightsFigure(name, t, pairs[0], chosen, &drawn))
	}
	return figs, []table.Table{means, drawn}, errors.Join(problems...)
}

// counterpart is the configuration of GDL whose parameters are GDL_h's, as far as both
// have them and they are not of the clustering; one without cells if there is none.
func counterpart(t *trial, plain []*trial) *trial {
	for _, other := range plain {
		differs := func(k string) bool {
			w, both := other.Params.Get(k)
			return both && !strings.HasPrefix(k, "cluster") && !strings.HasPrefix(k, "kmeans_") && w != t.Params.At(k)
		}
		if other.row.Dataset == t.row.Dataset && !slices.ContainsFunc(t.Params.Names(), differs) {
			return other
		}
	}
	return &trial{}
}

// compare finds the repetitions that both have, with the graphs that they kept.
func compare(t, other *trial, arrays Arrays) ([]*comparison, error) {
	var out []*comparison
	var problems []error
	for _, x := range t.cells {
		at := slices.IndexFunc(other.cells, func(o *learned) bool {
			return o.BaseSeed == x.BaseSeed && o.Repetition == x.Repetition
		})
		if at < 0 {
			continue
		}
		c := &comparison{plain: other.cells[at], extended: x}
		_, err := arraysOf(x.Run, arrays, c.read)
		problems, out = append(problems, err), append(out, table.When(err == nil, c)...)
	}
	return out, errors.Join(problems...)
}

// read adds the node weights and returns c. It sees that both cells kept the same graphs.
func (c *comparison) read(found []npz.Array) (*comparison, error) {
	f := npz.Among(found, "reports: a cell's node weights")
	s, n := len(c.extended.Atoms), c.extended.Atoms[0].N
	h, v := f.FloatsOf(artifact.AtomsNodeWeights, s, n), f.FloatsOf(artifact.NodeWeights, len(c.extended.Weights), s)
	if f.Err() != nil {
		return nil, f.Err()
	}
	c.nodes, c.mixed = slices.Collect(slices.Chunk(h, n)), slices.Collect(slices.Chunk(v, s))
	same := slices.EqualFunc(c.plain.kept, c.extended.kept, func(a, b artifact.Kept) bool { return a.Index == b.Index })
	if !same || len(c.plain.kept) == 0 {
		return nil, fmt.Errorf("reports: %d graphs kept, in the cell of GDL %d: want the same ones, and some", len(c.extended.kept),
			len(c.plain.kept))
	}
	if order := c.extended.kept[0].Model.N; order != n {
		return nil, fmt.Errorf("reports: array %q: models of order %d from atoms of order %d", artifact.KeptModel, order, n)
	}
	return c, nil
}

// gain is how much closer a kept graph's model comes with node weights.
func (c *comparison) gain(k int) float64 { return c.plain.kept[k].Err - c.extended.kept[k].Err }

// largestDrawn bounds the graphs that are chosen, as a multiple of the models' order: more nodes
// than that cannot be told apart in a small picture.
const largestDrawn = 3

// drawable is the most nodes that a picture takes where no graph is of the size wished for.
const drawable = 100

// picked is one of the kept graphs, and why it is drawn.
type picked struct {
	at  int
	why string
}

// choose takes, among the kept graphs with more nodes than their models have, up to largestDrawn
// times as many, the one that node weights bring closest to its model, and the one of the median gain; among
// all that are drawable where there are none of that size, and none without any. Ties go to the first in the data.
func (c *comparison) choose() []picked {
	var gains []float64
	for k := range c.extended.kept {
		gains = append(gains, c.gain(k))
	}
	for _, fits := range []func(n, order int) bool{
		func(n, order int) bool { return n > order && n <= largestDrawn*order },
		func(n, _ int) bool { return n <= drawable },
	} {
		all := summary.Pick(ByLargest(gains), func(k int) bool {
			g := c.extended.kept[k]
			return fits(g.Structure.N, g.Model.N)
		})
		if len(all) > 0 {
			return append([]picked{{all[0], "largest gain"}}, table.When(len(all) > 1, picked{all[len(all)/2], "median gain"})...)
		}
	}
	return nil
}

// weightsDrawn are the atoms whose node weights are drawn for every graph.
const weightsDrawn = 2

// weightsFigure draws a row per graph, and adds it to the table of drawn graphs.
func weightsFigure(name string, t *trial, c *comparison, chosen []picked, drawn *table.Table) plots.Figure {
	shown := min(weightsDrawn, len(c.extended.Atoms))
	f := plots.Figure{Name: name, Columns: 3 + shown,
		Title: fmt.Sprintf("Graphs of %s and their models over %d atoms of order %d%s", t.row.Dataset, len(c.extended.Atoms),
			c.extended.Atoms[0].N, t.describe())}
	entries := plots.Data{Header: []string{"graph", "picture", "row", "column", "entry"}}
	nodes := plots.Data{Name: "nodes", Header: []string{"graph", "picture", "node", "weight"}}
	said := ""
	for _, x := range chosen {
		p, e := c.plain.kept[x.at], c.extended.kept[x.at]
		index := strconv.Itoa(e.Index)
		add := func(picture, title, note string, m artifact.Matrix, weights []float64) {
			f.Panels = append(f.Panels, plots.Graph{Title: title, N: m.N, Weights: m.V, NodeSize: weights, Note: note})
			for k, w := range weights {
				nodes.Add(index, picture, k, csvNumber(w))
			}
			for i := range m.N {
				for j := range m.N {
					entries.Add(index, picture, i, j, csvNumber(m.At(i, j)))
				}
			}
		}
		add("graph", "graph "+index, fmt.Sprintf("%d nodes, %s", e.Structure.N, x.why), e.Structure, e.Weights)
		add("GDL", "model by GDL", t.gw()+"² "+distance2(p.Err), p.Model, p.Nodes)
		add("GDL_h", "model by GDL_h", t.gw()+"² "+distance2(e.Err), e.Model, e.Nodes)
		for _, s := range ByLargest(c.mixed[e.Index])[:shown] {
			add("atom "+strconv.Itoa(s), fmt.Sprintf("weights of atom %d", s), fmt.Sprintf("v = %.2f", c.mixed[e.Index][s]), e.Model,
				c.nodes[s])
		}
		said += fmt.Sprintf("Graph %s, of %d nodes, has the %s: its model by GDL, whose nodes weigh the same, is at %s² %s from it, that by GDL_h "+
			"at %s. ",
			index, e.Structure.N, x.why, t.gw(), distance2(p.Err), distance2(e.Err))
		drawn.Add(t.head(*drawn), index, x.why, e.Structure.N, table.Num(density(e.Structure), 2), table.Num(p.Err, 4),
			table.Num(e.Err, 4), table.Num(slices.Max(e.Nodes)*float64(len(e.Nodes)), 2), negligible(e.Nodes))
	}
	f.Alt = said + fmt.Sprintf("From left to right: the graph, its model by GDL, its model by GDL_h, and on that structure the node weights of "+
		"the %d atoms that matter most in it. The larger a node, the higher its weight; the "+
		"stronger the colour of an edge, the larger its entry. Graphs and atoms are counted from 0, as in the cell's file. "+
		"Seed %d, repetition %d.",
		shown, c.extended.BaseSeed, c.extended.Repetition)
	f.Data = []plots.Data{entries, nodes}
	return f
}

// distance2 is a squared distance in text.
func distance2(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }

// negligible counts the nodes that weigh less than a tenth of an equal share.
func negligible(weights []float64) int {
	return len(summary.Pick(weights, func(w float64) bool { return w*float64(len(weights)) < 0.1 }))
}

// weightsTables are the tables of means and of drawn graphs, without rows.
func weightsTables(spec summary.Spec, all []*trial) (means, drawn table.Table) {
	means = tableOf(all, "configuration", table.Table{Name: "weights", Title: spec.Titled("Models without and with node weights, mean (std) over repetitions"),
		Columns: table.Columns{
			{Title: "GW² by GDL", Spread: true}, {Title: "GW² by GDL_h", Spread: true},
			{Title: "graphs closer by GDL_h, %", Spread: true}, {Title: "repetitions", Counted: true},
		},
		Notes: []string{"GW²: mean over the kept graphs of the squared (fused) Gromov-Wasserstein distance between a graph and its model. " +
			"Closer: the share of the kept graphs whose model by GDL_h is nearer than that by GDL. Repetitions: those that both have."}})
	drawn = tableOf(all, "configuration", table.Table{Name: "weights_graphs", Title: spec.Titled("Graphs drawn with their models"),
		Columns: table.Columns{
			{Title: "graph", Key: true}, {Title: "selected for", CSV: "chosen_for"}, {Title: "nodes", Right: true},
			{Title: "density", Right: true}, {Title: "GW² by GDL", Right: true}, {Title: "GW² by GDL_h", Right: true},
			{Title: "largest weight x N", Right: true}, {Title: "negligible nodes", Right: true},
		},
		Notes: []string{fmt.Sprintf("Among the kept graphs with more nodes than the models' N, up to %d N: the one whose GW² falls most from GDL "+
			"to GDL_h, and the one whose fall is the median. Graphs are counted from 0. Negligible: nodes of the model by GDL_h that weigh less "+
			"than 0.1 / N.", largestDrawn)}})
	return means, drawn
}

// meansCells are those behind the configuration.
func meansCells(t *trial, pairs []*comparison) (row []table.Cell) {
	if len(pairs) == 0 {
		return []table.Cell{table.None(), table.None(), table.None(), table.Count(0, len(t.Runs))}
	}
	var means [3][]float64 // by GDL, by GDL_h, and the share of graphs closer by that
	for _, c := range pairs {
		var sums [3]float64
		for k := range c.extended.kept {
			sums[0] += c.plain.kept[k].Err
			sums[1] += c.extended.kept[k].Err
			if c.gain(k) > 0 {
				sums[2] += 100
			}
		}
		for i, sum := range sums {
			means[i] = append(means[i], sum/float64(len(c.extended.kept)))
		}
	}
	for i, x := range means {
		cell := paper.StatOf(x).Rounded([]int{4, 4, 1}[i])
		cell.Mark = table.Fewer(len(pairs), len(t.Runs))
		row = append(row, cell)
	}
	return append(row, table.Count(len(pairs), len(t.Runs)))
}
