// Package spaces turns the graphs of a data set into the spaces that solvers take.
package spaces

import (
	"cmp"
	"fmt"

	"ogdl/datasets"
	"ogdl/ot/gw"
)

// Settings says how a graph becomes a space. The zero value, and nil, mean the adjacency matrix,
// uniform node weights and no features.
type Settings struct {
	Structure datasets.Structure
	Weights   datasets.Weights
	// Features is the map that [datasets.Features.Fit] has learned; nil for graphs without
	// features. New graphs go through the map of the graphs that a dictionary was learned from.
	Features *datasets.FeatureMap
}

// Of returns the graphs of d as spaces, in their order. unseen lists labels that the features do
// not know: nodes with such a label have zeros. A graph without nodes is an error (see
// [datasets.Dataset.WithoutEmpty]), and so is whatever structure, weights or features reject; the
// error names the graph.
func Of(d *datasets.Dataset, set *Settings) (spaces []*gw.Space, unseen []datasets.Unseen, err error) {
	s := *cmp.Or(set, &Settings{})
	if d.ZeroWeight != "" && s.Structure.Kind == datasets.KindShortestPath {
		return nil, nil, fmt.Errorf("%s; as the length of an edge it must be above 0", d.ZeroWeight)
	}
	var rows [][]float64
	if s.Features != nil {
		if rows, unseen, err = s.Features.ApplyKnown(d); err != nil {
			return nil, nil, err
		}
	}
	spaces = make([]*gw.Space, len(d.Graphs))
	for i := range d.Graphs {
		var row []float64
		if rows != nil {
			row = rows[i]
		}
		if spaces[i], err = s.Space(&d.Graphs[i], row); err != nil {
			return nil, nil, fmt.Errorf("data set %s, graph %d (from 0): %w", d.Name, i, err)
		}
	}
	return spaces, unseen, nil
}

// Space returns one graph as a space, with these features of its nodes, row by row; nil without
// Features. Whatever structure, node weights or [gw.NewSpace] reject is an error, and so is a graph
// without nodes. A nil graph panics, and so does another number of features than Features has.
func (s *Settings) Space(g *datasets.Graph, row []float64) (*gw.Space, error) {
	s = cmp.Or(s, &Settings{})
	c, err := s.Structure.Matrix(g)
	if err != nil {
		return nil, err
	}
	p, err := s.Weights.Of(g)
	if err != nil {
		return nil, err
	}
	dim := 0
	if s.Features != nil {
		dim = s.Features.Dim
	}
	return gw.NewSpace(c, row, g.Order(), dim, p)
}
