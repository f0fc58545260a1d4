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
	"ogdl/reports/paper"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

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
		for _, l := range labels {
			row = append(row, float64(l.in(g)))
		}
		rows = append(rows, row)
	}
	return rows
}

// standardised has rows one after the other, each column less its mean over its deviation.
func standardised(rows [][]float64) []float64 {
	x, d := slices.Concat(rows...), len(rows[0])
	for k := range d {
		var column []float64
		for _, row := range rows {
			column = append(column, row[k])
		}
		s := paper.StatOf(column)
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
	t.With(table.Columns{{Title: "clustered by", Key: true}, {Title: "cluster sizes"}, {Title: "ARI with the first", Right: true},
		{Title: "ARI with the classes", Right: true, Hidden: f.Data.Classes == nil}})
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
