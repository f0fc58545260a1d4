package own

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"ogdl/eval"
	"ogdl/reports/paper"
	"ogdl/reports/table"
)

// mostLabels is how many labels are counted, the most frequent first.
const mostLabels = 100

// counts returns d standardised numbers for each graph: nodes, edges, density and the counts of
// node labels.
func (f *Page) counts() (x []float64, d int) {
	type label struct{ column, value int }
	all := map[label]int{}
	for i := range f.Data.Graphs {
		for c, values := range f.Data.Graphs[i].Labels {
			for _, v := range values {
				all[label{c, v}]++
			}
		}
	}
	labels := slices.SortedFunc(maps.Keys(all), func(a, b label) int {
		return cmp.Or(cmp.Compare(all[b], all[a]), cmp.Compare(a.column, b.column), cmp.Compare(a.value, b.value))
	})
	labels = labels[:min(len(labels), mostLabels)]
	d = 3 + len(labels)
	for i := range f.Data.Graphs {
		g := &f.Data.Graphs[i]
		n, edges := float64(g.Order()), float64(g.Edges())
		x = append(x, n, edges, 2*edges/max(n*(n-1), 1))
		row := make([]float64, len(labels))
		for c, values := range g.Labels {
			for _, v := range values {
				if k := slices.Index(labels, label{c, v}); k >= 0 {
					row[k]++
				}
			}
		}
		x = append(x, row...)
	}
	for k := range d {
		var column []float64
		for i := k; i < len(x); i += d {
			column = append(column, x[i])
		}
		s := paper.StatOf(column)
		for i := k; i < len(x); i += d {
			x[i] = (x[i] - s.Mean) / cmp.Or(s.Std, math.Inf(1)) // a constant becomes 0
		}
	}
	return x, d
}

// baseline compares the clusters with those of k-means on counts.
func (f *Page) baseline() (table.Table, error) {
	t := table.Table{Name: "baseline", Title: "What the dictionary adds to counts",
		Notes: []string{"Counts: k-means with as many clusters on the numbers of nodes and edges, the density and the counts of node " +
			"labels, each standardised. ARI: adjusted Rand Index, 1 for equal clusterings and about 0 for independent ones."}}
	t.With(table.Columns{{Title: "clustered by", Key: true}, {Title: "cluster sizes"}, {Title: "ARI with the first", Right: true},
		{Title: "ARI with the classes", Right: true, Hidden: f.Data.Classes == nil}})
	x, d := f.counts()
	rng := rand.New(rand.NewPCG(uint64(f.Seed), 0))
	c, err := eval.KMeans(x, len(f.Cluster), d, f.Found, &eval.KMeansSettings{Restarts: 20}, rng)
	if err != nil {
		return t, err
	}
	add := func(name string, labels []int) {
		classes := table.Cell{}
		if f.Data.Classes != nil {
			classes = table.Num(eval.AdjustedRandIndex(labels, f.Data.Classes), 3)
		}
		t.Add(name, sizesText(labels), table.Num(eval.AdjustedRandIndex(labels, f.Cluster), 3), classes)
	}
	add("the dictionary", f.Cluster)
	add("counts alone", c.Labels)
	return t, nil
}

// sizesText lists the sizes of clusters, the largest first.
func sizesText(labels []int) string {
	sizes := slices.DeleteFunc(Sizes(labels), func(n int) bool { return n == 0 })
	slices.Sort(sizes)
	slices.Reverse(sizes)
	return strings.Trim(fmt.Sprint(sizes), "[]")
}
