package own

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"ogdl/eval"
	"ogdl/internal/artifact"
	"ogdl/reports/paper"
	"ogdl/reports/table"
)

// sizes has a row for each cluster.
func (f *Page) sizes() table.Table {
	t := table.Table{Name: "clusters", Title: "The clusters, the largest first",
		Notes: []string{"Distance: to the centre of the cluster, in " + f.metric() + ". Reconstruction: squared (fused) Gromov-Wasserstein " +
			"distance between a graph and its model."}}
	classes := f.Data.Classes != nil
	t.With(table.Columns{
		{Title: "cluster", Key: true, Right: true}, {Title: "graphs", Right: true}, {Title: "share, %", Right: true},
		{Title: "mean order", Right: true}, {Title: "mean distance", Right: true}, {Title: "mean reconstruction", Right: true},
		{Title: "nearest to the centre"}, {Title: "graphs by class", Hidden: !classes},
	})
	for c := range f.Found {
		var orders, distances, errs []float64
		byClass := map[string]int{}
		members := f.members(c)
		for _, i := range members {
			orders = append(orders, float64(f.Data.Graphs[i].Order()))
			distances, errs = append(distances, f.Distance[i]), append(errs, f.Reconstruction[i])
			if classes {
				byClass[f.Class[i]]++
			}
		}
		var parts []string
		for _, class := range slices.Sorted(maps.Keys(byClass)) {
			parts = append(parts, fmt.Sprintf("%s: %d", class, byClass[class]))
		}
		t.Add(c, len(orders), table.Num(100*float64(len(orders))/float64(len(f.Cluster)), 1), table.Num(paper.StatOf(orders).Mean, 1),
			table.Num(paper.StatOf(distances).Mean, 3), table.Num(paper.StatOf(errs).Mean, 4), f.nearestNames(members), strings.Join(parts, ", "))
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

// nearestNames names the graphs next to a centre.
func (f *Page) nearestNames(members []int) string {
	var names []string
	for _, i := range members[:min(namedNearest, len(members))] {
		names = append(names, f.called(i))
	}
	return strings.Join(names, ", ")
}

// runs has a row for each repetition of the chosen setting.
func (f *Page) runs() table.Table {
	t := table.Table{Name: "repetitions", Title: "The clusters of each repetition", Columns: table.Columns{
		{Title: "repetition", Key: true, Right: true}, {Title: "mean objective", Right: true}, {Title: "cluster sizes"},
		{Title: "ARI with the kept one", Right: true},
	},
		Notes: []string{"The dictionary of the lowest mean objective is kept. ARI: adjusted Rand Index of the two clusterings."}}
	for k, r := range f.Chosen.Runs {
		with := table.Num(eval.AdjustedRandIndex(f.Labels[k], f.Cluster), 3)
		if k == f.Best {
			with = table.Txt("kept")
		}
		t.Add(table.Int(r.Record.Repetition), table.Num(r.Record.Scores[artifact.Objective], 5), table.Txt(sizesText(f.Labels[k])), with)
	}
	return t
}

// settings has every parameter of the fit.
func (f *Page) settings() table.Table {
	t := table.Table{Name: "settings", Title: "Settings", Columns: table.Columns{{Title: "key", Key: true}, {Title: "value"}},
		Notes: []string{"-set key=value gives a key another value; -order, -alpha, -lambda and -features are short for theirs."}}
	t.Add(table.Txt("seed"), table.Txt(fmt.Sprint(f.Seed)))
	for _, key := range append([]string{"atoms"}, f.Keys...) {
		if _, ok := f.Params[key]; ok {
			t.Add(table.Txt(key), table.Txt(fmt.Sprint(f.Params[key])))
		}
	}
	return t
}

// Sizes returns the number of graphs of each cluster.
func Sizes(labels []int) []int {
	sizes := make([]int, slices.Max(labels)+1)
	for _, k := range labels {
		sizes[k]++
	}
	return sizes
}
