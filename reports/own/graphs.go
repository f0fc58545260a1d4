package own

import (
	"cmp"
	"context"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"ogdl/datasets"
	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/figures"
	"ogdl/reports/page"
	"ogdl/reports/plots"
)

// Bounds on the graphs that are drawn next to their models.
const (
	clustersDrawn = 8
	largestDrawn  = 100
	strangeDrawn  = 8
	mostDrawn     = 24      // graphs in the list
	mostBytes     = 1 << 20 // of their pictures, nearly
)

// pairs draws graphs next to their models.
type pairs struct {
	*Page
	*artifact.Dictionary
	labels    *artifact.Labels // of nodes; nil where nodes have none
	features  [][]float64      // of the graphs' nodes
	adjacency bool
	top       float64 // the darkest entry of a model
}

// newPairs reads the kept dictionary.
func (f *Page) newPairs() (p pairs, err error) {
	p = pairs{Page: f, adjacency: fmt.Sprint(f.Params["representation"]) == string(datasets.KindAdjacency)}
	if p.Dictionary, err = artifact.ReadDictionary(f.Kept); err != nil {
		return p, err
	}
	p.top = figures.Darkest(p.Atoms)
	if p.labels, err = artifact.ReadLabels(f.Kept, len(p.Atoms), p.Atoms[0].N); err == nil && p.labels != nil {
		p.features, err = f.Features.Apply(f.Data)
	}
	return p, err
}

// draw draws a graph below its title, and its model.
func (p pairs) draw(i int, title string) []plots.Panel {
	g, m := &p.Data.Graphs[i], p.Mix(p.Dictionary.Weights[i]...)
	panels := []plots.Panel{plots.Graph{Title: title, N: g.Order(), Weights: scaled(g.Adjacency(), 1)}}
	if p.adjacency {
		return append(panels, plots.Graph{Title: "its model", N: m.N, Weights: scaled(m.V, p.top)})
	}
	return append(panels, plots.Matrix("its model", m.N, m.V, p.top))
}

// strongest are the labels of the nodes of a graph and of its model.
func (p pairs) strongest(i int) [][]int {
	if p.labels == nil {
		return [][]int{nil, nil}
	}
	return [][]int{p.labels.StrongestOf(p.features[i]), p.labels.StrongestIn(p.Dictionary.Weights[i])}
}

// colour colours the nodes of panels by their labels.
func (p pairs) colour(panels []plots.Panel, strongest [][]int) {
	if p.labels == nil {
		return
	}
	groups, colours := figures.LabelColours(p.labels, p.Data.Digest, strongest)
	for k, of := range colours {
		if g, ok := panels[k].(plots.Graph); ok {
			g.NodeGroup, g.Groups = of, groups
			panels[k] = g
		}
	}
}

// nearest are up to this many graphs next to the centre of a cluster, of those that can be drawn.
func (f *Page) nearest(cluster, most int) []int {
	out := slices.DeleteFunc(f.members(cluster), f.large)
	return out[:min(len(out), most)]
}

// large reports whether a graph is too large to be drawn.
func (f *Page) large(i int) bool { return f.Data.Graphs[i].Order() > largestDrawn }

// called is the number and the name of a graph.
func (f *Page) called(i int) string {
	return strings.TrimSpace(fmt.Sprintf("%d %s", f.Number[i], f.Name[i]))
}

// nearestFigure draws the graph nearest to each centre next to its model.
func (p pairs) nearestFigure() plots.Figure {
	fig := plots.Figure{Name: "graphs", Title: "The graph nearest to the centre of each cluster, and its model", Columns: 4,
		Data: []plots.Data{{Header: []string{"cluster", "graph", "name", "nodes", "distance", "reconstruction"}}}}
	var strongest [][]int // of the panels
	said := ""
	for c := range min(p.Found, clustersDrawn) {
		for _, i := range p.nearest(c, 1) {
			order, err := p.Data.Graphs[i].Order(), p.Reconstruction[i]
			fig.Panels = append(fig.Panels, p.draw(i, fmt.Sprintf("%d: %s", c, short("graph "+p.called(i))))...)
			strongest = append(strongest, p.strongest(i)...)
			fig.Data[0].Add(c, p.Number[i], p.Name[i], order, p.Distance[i], err)
			said += fmt.Sprintf(" Cluster %d: graph %s (%s, reconstruction error %.3g).", c, p.called(i),
				words.Plural(order, "node", "nodes"), err)
		}
	}
	if len(fig.Panels) == 0 {
		fig.Panels, fig.Columns = []plots.Panel{plots.Graph{Title: "no graph is small enough"}}, 1
	}
	coloured := words.If(p.labels != nil, ", coloured by their strongest label")
	p.colour(fig.Panels, strongest)
	fig.Alt = fmt.Sprintf("The graph of at most %d nodes whose embedding is nearest to the centre of its cluster, with the model that the "+
		"atoms make of it, for the largest clusters. The stronger the colour of an edge, the larger its entry; nodes of graph and "+
		"model have no common order%s.%s",
		largestDrawn, coloured, said)
	return fig
}

// figure draws a graph, its model and its weights.
func (p pairs) figure(i int) plots.Figure {
	w := p.Dictionary.Weights[i]
	bars := plots.Series{Style: plots.Points, Whiskers: true}
	panel := plots.XY{Title: "its weights", XLabel: "atom", Aspect: 1,
		YTicks: []plots.Tick{{Value: 0, Label: "0"}, {Value: 1, Label: "1"}}}
	for k, at := range figures.DensestFirst(p.Atoms) {
		x := float64(k + 1)
		bars.Put(x, w[at], 0, w[at])
		panel.XTicks = append(panel.XTicks, plots.Tick{Value: x, Label: fmt.Sprint(k + 1)})
	}
	panel.Series = []plots.Series{bars}
	panels := p.draw(i, "the graph")
	p.colour(panels, p.strongest(i))
	class := ""
	if p.Class != nil {
		class = ", class " + p.Class[i]
	}
	alt := fmt.Sprintf("%s, cluster %d%s. Reconstruction error %.3g, percentile %.0f; distance to the centre %.3g.",
		words.Plural(p.Data.Graphs[i].Order(), "node", "nodes"), p.Cluster[i], class, p.Reconstruction[i], p.Percentile[i], p.Distance[i])
	return plots.Figure{Name: "graph", Title: "Graph " + p.called(i), Untitled: true, Alt: alt, Formats: []string{"svg"}, Width: 14,
		Columns: 3, Panels: append(panels, panel)}
}

// anchor names the place of a graph on the page.
func (f *Page) anchor(i int) string { return fmt.Sprintf("graph-%d", f.Number[i]) }

// lists returns the lists of graphs that the page draws one by one, and which were drawn: nearest
// to each centre, unlike the others, and a sample of the rest.
func (p pairs) lists(ctx context.Context) (lists []page.Links, drawn map[int]bool, err error) {
	drawn, size := map[int]bool{}, 0
	add := func(title string, graphs []int) {
		list := page.Links{Title: title}
		for _, i := range graphs {
			x := page.Entry{ID: p.anchor(i), Name: p.called(i)}
			if !drawn[i] {
				if err != nil || size > mostBytes || len(drawn) == mostDrawn {
					break
				}
				var files []plots.File
				fig := p.figure(i)
				if files, err = plots.Files(fig); err == nil {
					err = ctx.Err()
				}
				if err != nil {
					break
				}
				drawn[i], size = true, size+len(files[0].Data)
				x.Figure = &page.Figure{Title: fig.Title, Alt: fig.Alt, SVG: template.HTML(files[0].Data)}
			}
			list.Entries = append(list.Entries, x)
		}
		if list.Entries != nil {
			lists = append(lists, list)
		}
	}
	for c := range min(p.Found, clustersDrawn) {
		add(fmt.Sprintf("Nearest to the centre of cluster %d", c), p.nearest(c, 2))
	}
	var strange, others []int
	for i, at := range p.Percentile {
		switch {
		case p.large(i):
		case at > Unlike:
			strange = append(strange, i)
		case !drawn[i]:
			others = append(others, i)
		}
	}
	slices.SortStableFunc(strange, func(a, b int) int { return cmp.Compare(p.Reconstruction[b], p.Reconstruction[a]) })
	add("Unlike the others, by the reconstruction error", strange[:min(len(strange), strangeDrawn)])
	room := max(mostDrawn-len(drawn), 1)
	var spread []int
	for k := range min(room, len(others)) {
		spread = append(spread, others[k*len(others)/min(room, len(others))])
	}
	add("Others", spread)
	return lists, drawn, err
}
