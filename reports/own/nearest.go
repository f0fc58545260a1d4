package own

import (
	"fmt"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/figures"
	"ogdl/reports/plots"
)

// Bounds of the graphs that are drawn beside their models.
const (
	clustersDrawn = 8
	largestDrawn  = 100
)

// nearest are up to two graphs next to the centre of a cluster, of those that can be drawn.
func (f *Page) nearest(cluster int) []int {
	out := slices.DeleteFunc(f.members(cluster), func(i int) bool { return f.Data.Graphs[i].Order() > largestDrawn })
	return out[:min(len(out), 2)]
}

// nearestFigure draws the graphs nearest to each centre beside their models.
func (f *Page) nearestFigure() (plots.Figure, error) {
	fig := plots.Figure{Name: "graphs", Title: "Graphs nearest to the centre of each cluster, and their models", Columns: 4}
	d, err := artifact.ReadDictionary(f.Kept)
	if err != nil {
		return fig, err
	}
	data := plots.Data{Header: []string{"cluster", "graph", "name", "nodes", "distance", "reconstruction"}}
	labels, features, err := f.nodeLabels(d)
	if err != nil {
		return fig, err
	}
	var strongest [][]int // of the panels
	top, adjacency := 1.0, fmt.Sprint(f.Params["representation"]) == string(datasets.KindAdjacency)
	for _, a := range d.Atoms {
		top = max(top, slices.Max(a.V))
	}
	var said []string
	for c := range min(f.Found, clustersDrawn) {
		var parts []string
		for _, i := range f.nearest(c) {
			g, m := &f.Data.Graphs[i], d.Mix(d.Weights[i]...)
			what, err := strings.TrimSpace(fmt.Sprintf("graph %d %s", f.Number[i], f.Name[i])), f.Reconstruction[i]
			fig.Panels = append(fig.Panels, plots.Graph{Title: fmt.Sprintf("%d: %s", c, short(what)), N: g.Order(), Weights: scaled(g.Adjacency(), 1),
				Seed: uint64(c + 1)})
			if adjacency {
				fig.Panels = append(fig.Panels, plots.Graph{Title: "its model", N: m.N, Weights: scaled(m.V, top), Seed: uint64(c + 1)})
			} else {
				fig.Panels = append(fig.Panels, plots.Matrix{Title: "its model", Rows: m.N, Cols: m.N, Values: m.V, Max: top, Bar: true})
			}
			if labels != nil {
				strongest = append(strongest, labels.StrongestOf(features[i]), labels.StrongestIn(d.Weights[i]))
			}
			data.Add(c, f.Number[i], f.Name[i], g.Order(), f.Distance[i], err)
			parts = append(parts, fmt.Sprintf("%s (%s, reconstruction error %.3g)", what, words.Plural(g.Order(), "node", "nodes"), err))
		}
		switch len(parts) {
		case 0:
			said = append(said, fmt.Sprintf("%d: none of at most %d nodes", c, largestDrawn))
			continue
		case 1: // a row a cluster
			fig.Panels, strongest = append(fig.Panels, plots.Graph{}, plots.Graph{}), append(strongest, nil, nil)
		}
		said = append(said, fmt.Sprintf("%d: %s", c, strings.Join(parts, ", ")))
	}
	if len(fig.Panels) == 0 {
		fig.Panels, fig.Columns = []plots.Panel{plots.Graph{Title: "no graph is small enough"}}, 1
	}
	if more := f.Found - clustersDrawn; more > 0 {
		said = append(said, fmt.Sprintf("%d smaller clusters are not drawn", more))
	}
	coloured := ""
	if labels != nil {
		coloured = ", coloured by their strongest label"
		groups, colours := figures.LabelColours(labels, f.Data.Digest, strongest)
		for k, of := range colours {
			if g, ok := fig.Panels[k].(plots.Graph); ok && g.N > 0 {
				g.NodeGroup, g.Groups = of, groups
				fig.Panels[k] = g
			}
		}
	}
	fig.Data = []plots.Data{data}
	fig.Alt = "A row for each cluster: the graphs whose embeddings are nearest to its centre, each with the model that the atoms make of it. The " +
		"darker an edge, the larger its entry; nodes of graph and model stand in no common order" + coloured +
		". Cluster " + strings.Join(said, "; ") + "."
	return fig, nil
}

// nodeLabels are the labels of a dictionary's nodes, and the features of every graph's; nil where nodes have no labels.
func (f *Page) nodeLabels(d *artifact.Dictionary) (labels *artifact.Labels, features [][]float64, err error) {
	if labels, err = artifact.ReadLabels(f.Kept, len(d.Atoms), d.Atoms[0].N); err != nil || labels == nil {
		return nil, nil, err
	}
	features, err = f.Features.Apply(f.Data)
	return labels, features, err
}
