package own

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/eval"
	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// contents has a row for each cluster: what its graphs are.
func (f *Page) contents() table.Table {
	labels, classes := f.labels(), f.Data.Classes != nil
	t := table.Table{Name: "contents", Title: "What each cluster holds, the largest first"}
	if len(labels) > 0 {
		t.Notes = []string{"Graphs by label: how many graphs of the cluster have a node with the label. Mean share of nodes: over graphs."}
		if len(labels) > namedLabels {
			t.Notes[0] += fmt.Sprintf(" The %d most frequent of %d labels.", namedLabels, len(labels))
			labels = labels[:namedLabels]
		}
	}
	t.Columns = table.Columns{
		{Title: "cluster", Key: true, Right: true}, {Title: "graphs", Right: true}, {Title: "graphs by class", Hidden: !classes},
		{Title: "graphs by label", Hidden: len(labels) == 0}, {Title: "mean share of nodes, %", Hidden: len(labels) == 0},
		{Title: "mean nodes", Right: true}, {Title: "mean edges", Right: true},
	}
	for c := range f.Found {
		var nodes, edges []float64
		byClass := map[string]int{}
		with, share := make([]int, len(labels)), make([]float64, len(labels))
		for _, i := range f.members(c) {
			g := &f.Data.Graphs[i]
			nodes, edges = append(nodes, float64(g.Order())), append(edges, float64(g.Edges()))
			if classes {
				byClass[f.Class[i]]++
			}
			for k, l := range labels {
				if n := l.in(g); n > 0 {
					with[k]++
					share[k] += float64(n) / float64(g.Order())
				}
			}
		}
		var classTexts, graphTexts, shareTexts []string
		for _, name := range slices.Sorted(maps.Keys(byClass)) {
			classTexts = append(classTexts, fmt.Sprintf("%s: %d", name, byClass[name]))
		}
		for k, l := range labels {
			name := f.labelName(l)
			graphTexts = append(graphTexts, fmt.Sprintf("%s: %d", name, with[k]))
			shareTexts = append(shareTexts, fmt.Sprintf("%s: %.0f", name, 100*share[k]/float64(len(nodes))))
		}
		t.Add(c, len(nodes), strings.Join(classTexts, ", "), strings.Join(graphTexts, ", "), strings.Join(shareTexts, ", "),
			table.Num(paper.StatOf(nodes).Mean, 1), table.Num(paper.StatOf(edges).Mean, 1))
	}
	return t
}

// namedLabels is how many labels the table of contents names, the most frequent first.
const namedLabels = 6

// labelName is the text of a label, or its number, in a file of several columns with the column.
func (f *Page) labelName(l label) string {
	known := datasets.NodeLabels(f.Data.Digest)
	switch {
	case l.value >= 0 && l.value < len(f.Data.LabelTexts):
		return f.Data.LabelTexts[l.value]
	case len(f.Data.LabelValues) > 1:
		return fmt.Sprintf("%d in column %d", l.value, l.column)
	case l.value >= 0 && l.value < len(known):
		return known[l.value]
	}
	return fmt.Sprint(l.value)
}

// sizes has a row for each cluster: how its graphs lie in it.
func (f *Page) sizes() table.Table {
	t := table.Table{Name: "clusters", Title: "Distances and errors in the clusters",
		Notes: []string{"Distance: to the centre of the cluster, in " + f.metric() + ". Reconstruction error: squared (fused) Gromov-Wasserstein " +
			"distance between a graph and its model."}}
	t.Columns = table.Columns{
		{Title: "cluster", Key: true, Right: true}, {Title: "share of graphs, %", Right: true}, {Title: "nearest to the centre"},
		{Title: "mean distance", Right: true}, {Title: "mean reconstruction error", Right: true},
	}
	for c := range f.Found {
		var distances, errs []float64
		var names []string
		for _, i := range f.members(c) {
			distances, errs, names = append(distances, f.Distance[i]), append(errs, f.Reconstruction[i]), append(names, f.called(i))
		}
		share, nearest := 100*float64(len(names))/float64(len(f.Cluster)), names[:min(namedNearest, len(names))]
		t.Add(c, table.Num(share, 1), strings.Join(nearest, ", "), table.Num(paper.StatOf(distances).Mean, 3),
			table.Num(paper.StatOf(errs).Mean, 4))
	}
	return t
}

// namedNearest is how many graphs next to a centre are named.
const namedNearest = 5

// members are the graphs of a cluster, those next to its centre first.
func (f *Page) members(cluster int) (out []int) {
	for i, k := range f.Cluster {
		if k == cluster {
			out = append(out, i)
		}
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(f.Distance[a], f.Distance[b]) })
	return out
}

// runs has a row for each repetition of the chosen setting.
func (f *Page) runs() table.Table {
	t := table.Table{Name: "repetitions", Title: "The clusters of each repetition", Columns: table.Columns{
		{Title: "repetition", Key: true, Right: true}, {Title: "mean " + f.objective(), Right: true}, {Title: "cluster sizes"},
		{Title: "ARI with the page's", Right: true}, {Title: "kept"},
	},
		Notes: []string{"The repetition is kept whose clusters are the tightest in the embeddings of all (of equal ones, the lowest mean " +
			f.objective() + "). ARI: adjusted Rand Index with the clusters of this page."}}
	if f.Mahalanobis {
		t.Notes = append(t.Notes, "This table clusters each repetition by itself. The clusters of the page are k-means of the embeddings of all repetitions "+
			"together, continued in the kept one.")
	}
	for k, r := range f.Chosen.Runs {
		t.Add(table.Int(r.Record.Repetition), table.Num(r.Record.Scores[artifact.Objective], 5), table.Txt(sizesText(f.Labels[k])),
			table.Num(eval.AdjustedRandIndex(f.Labels[k], f.Cluster), 3), words.If(k == f.Best, "kept"))
	}
	return t
}

// varying names the parameters in which the settings that were tried differ.
func (f *Page) varying() []string {
	return summary.Varying(table.Map(f.Tried, func(c *summary.Config) summary.Params { return c.Params }))
}

// tried has a row for each setting that was tried.
func (f *Page) tried() table.Table {
	names := f.varying()
	t := table.Table{Name: "tried", Title: "All settings"}
	t.Columns = table.Columns{
		{Title: "setting", Key: true}, {Title: "stability", Right: true}, {Title: "mean " + f.objective(), Right: true}, {Title: "taken"},
	}
	for _, c := range f.Tried {
		t.Add(c.Params.Describe(names), table.Num(c.Stability, 3).If(!math.IsNaN(c.Stability)),
			table.Num(c.Mean(artifact.Objective), 5), words.If(c == f.Chosen, "taken"))
	}
	return t
}

// settings has every parameter of the fit.
func (f *Page) settings() table.Table {
	t := table.Table{Name: "settings", Title: "Settings", Columns: table.Columns{{Title: "key", Key: true}, {Title: "value"}},
		Notes: []string{"-set key=value gives a key another value; -order, -alpha, -lambda and -features are short for theirs."}}
	if f.Balanced > 0 && f.Balanced != 0.5 {
		t.Notes = append(t.Notes, fmt.Sprintf("At alpha %g structure and features would have equal shares of the mean cost between random pairs of graphs.",
			f.Balanced))
	}
	t.Add(table.Txt("seed"), table.Txt(fmt.Sprint(f.Seed)))
	for _, key := range append([]string{"atoms"}, f.Keys...) {
		if _, ok := f.Params[key]; ok {
			t.Add(table.Txt(key), table.Txt(fmt.Sprint(f.Params[key])))
		}
	}
	return t
}

// mostLabels is how many labels are counted, the most frequent first.
const mostLabels = 100

// label is a value of a column of node labels.
type label struct{ column, value int }

// in returns how many nodes of a graph have the label.
func (l label) in(g *datasets.Graph) (n int) {
	if l.column < len(g.Labels) {
		for _, v := range g.Labels[l.column] {
			if v == l.value {
				n++
			}
		}
	}
	return n
}

// labels are the labels of all nodes, the most frequent first.
func (f *Page) labels() []label {
	all := map[label]int{}
	for i := range f.Data.Graphs {
		for c, values := range f.Data.Graphs[i].Labels {
			for _, v := range values {
				all[label{c, v}]++
			}
		}
	}
	return slices.SortedFunc(maps.Keys(all), func(a, b label) int {
		return cmp.Or(cmp.Compare(all[b], all[a]), cmp.Compare(a.column, b.column), cmp.Compare(a.value, b.value))
	})
}

// counts are the numbers of nodes and edges, the density and the counts of node labels of every graph.
func (f *Page) counts() (rows [][]float64) {
	labels := f.labels()
	labels = labels[:min(len(labels), mostLabels)]
	for i := range f.Data.Graphs {
		g := &f.Data.Graphs[i]
		n, edges := float64(g.Order()), float64(g.Edges())
		row := []float64{n, edges, 2 * edges / max(n*(n-1), 1)}
		rows = append(rows, append(row, table.Map(labels, func(l label) float64 { return float64(l.in(g)) })...))
	}
	return rows
}

// standardised has rows one after the other, each column less its mean over its deviation.
func standardised(rows [][]float64) []float64 {
	x, d := slices.Concat(rows...), len(rows[0])
	for k := range d {
		s := paper.StatOf(table.Map(rows, func(row []float64) float64 { return row[k] }))
		for i := k; i < len(x); i += d {
			x[i] = (x[i] - s.Mean) / cmp.Or(s.Std, math.Inf(1)) // a constant becomes 0
		}
	}
	return x
}

// baseline compares the clusters with clusters of k-means on counts.
func (f *Page) baseline() (table.Table, error) {
	t := table.Table{Name: "baseline", Title: "The same clusters without the dictionary?",
		Notes: []string{"Counts: k-means with as many clusters on the numbers of nodes and edges, the density and the counts of node " +
			"labels, each standardised. ARI: adjusted Rand Index, 1 for equal clusterings and about 0 for independent ones."}}
	t.Columns = table.Columns{
		{Title: "clustered by", Key: true}, {Title: "cluster sizes"}, {Title: "ARI with the first", Right: true},
		{Title: "ARI with the classes", Right: true, Hidden: f.Data.Classes == nil},
	}
	add := func(name string, labels []int) {
		classes := table.Cell{}
		if f.Data.Classes != nil {
			classes = table.Num(eval.AdjustedRandIndex(labels, f.Data.Classes), 3)
		}
		t.Add(name, sizesText(labels), table.Num(eval.AdjustedRandIndex(labels, f.Cluster), 3), classes)
	}
	add("the dictionary", f.Cluster)
	counts, rng := f.counts(), rand.New(rand.NewPCG(uint64(f.Seed), 0))
	c, err := eval.KMeans(standardised(counts), len(counts), len(counts[0]), f.Found, &eval.KMeansSettings{Restarts: 20}, rng)
	if err != nil {
		return t, err
	}
	add("counts alone", c.Labels)
	return t, nil
}

// sizesText lists the sizes of clusters, the largest first.
func sizesText(labels []int) string { return strings.Trim(fmt.Sprint(summary.SizesOf(labels)), "[]") }
