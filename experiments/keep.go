package main

import (
	"fmt"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/ot/gw"
)

const keepAll = "all"

// keepParam asks for graphs and their models in the cell's npz, for figures, which are
// drawn from the store alone.
func keepParam() param {
	return param{name: "keep_graphs", kind: integer, def: int64(0), min: 0, max: 1e6, words: []string{keepAll},
		doc: "graphs kept with their models for figures: the first so many of every class, or of the set where it has none"}
}

// keptGraphs are the graphs that keep_graphs asks for, ascending.
func (t *task) keptGraphs() []int {
	all, each := t.params.text("keep_graphs") == keepAll, t.params.integer("keep_graphs")
	seen := map[int]int{}
	var out []int
	for i := range t.spaces {
		class := 0
		if t.data.Classes != nil {
			class = t.data.Classes[i]
		}
		if all || seen[class] < each {
			seen[class]++
			out = append(out, i)
		}
	}
	return out
}

// keep adds to the arrays the graphs that keep_graphs asks for, with their models and
// the objective between the two (see artifact.KeptGraph and its neighbours), and what is known
// of all graphs.
func (out *fitted) keep(t *task, model func(graph int) (*gw.Space, error), reconstruction func(graph int) float64) error {
	graphs := t.keptGraphs()
	if len(graphs) == 0 {
		return nil
	}
	var orders, classes []int
	var c, p, errs, modelC, modelH []float64
	N := 0
	for _, i := range graphs {
		s := t.spaces[i]
		m, err := model(i)
		if err != nil {
			return fmt.Errorf("keep_graphs: graph %d: %w", i, err)
		}
		N = m.N()
		orders = append(orders, s.N())
		c, p = append(c, tight(s)...), append(p, s.P()...)
		modelC, modelH = append(modelC, tight(m)...), append(modelH, m.P()...)
		errs = append(errs, reconstruction(i))
		if t.data.Classes != nil {
			classes = append(classes, t.data.Classes[i])
		}
	}
	m := len(graphs)
	out.arrays = append(out.arrays,
		npz.Array{Name: artifact.KeptGraph, Shape: []int{m}, Int: graphs},
		npz.Array{Name: artifact.KeptOrder, Shape: []int{m}, Int: orders},
		npz.Array{Name: artifact.KeptC, Shape: []int{len(c)}, Float: c},
		npz.Array{Name: artifact.KeptP, Shape: []int{len(p)}, Float: p},
		npz.Array{Name: artifact.KeptError, Shape: []int{m}, Float: errs},
		npz.Array{Name: artifact.KeptModel, Shape: []int{m, N, N}, Float: modelC},
		npz.Array{Name: artifact.KeptH, Shape: []int{m, N}, Float: modelH})
	if classes != nil {
		out.arrays = append(out.arrays, npz.Array{Name: artifact.KeptClass, Shape: []int{m}, Int: classes})
	}
	out.arrays = append(out.arrays, aboutAll(t, reconstruction)...)
	return nil
}

// aboutAll is what is known of every graph, kept or not.
func aboutAll(t *task, reconstruction func(graph int) float64) []npz.Array {
	shape := []int{len(t.spaces)}
	orders, errs := make([]int, len(t.spaces)), make([]float64, len(t.spaces))
	for i, s := range t.spaces {
		orders[i], errs[i] = s.N(), reconstruction(i)
	}
	arrays := []npz.Array{{Name: artifact.DataOrder, Shape: shape, Int: orders}, {Name: artifact.DataError, Shape: shape, Float: errs}}
	if t.data.Classes != nil {
		arrays = append(arrays, npz.Array{Name: artifact.DataClass, Shape: shape, Int: t.data.Classes})
	}
	if t.proportions != nil {
		arrays = append(arrays, npz.Array{Name: artifact.DataProportion, Shape: shape, Float: t.proportions})
	}
	return arrays
}

// modelsOf builds the models of n graphs, all of one order.
func modelsOf(n, order int, model func(graph int) (*gw.Space, error)) func() ([]*gw.Space, int, error) {
	return func() ([]*gw.Space, int, error) {
		spaces := make([]*gw.Space, n)
		for i := range spaces {
			var err error
			if spaces[i], err = model(i); err != nil {
				return nil, 0, fmt.Errorf("graph %d: %w", i, err)
			}
		}
		return spaces, order, nil
	}
}

// tight is a space's structure matrix without the padding of its rows.
func tight(s *gw.Space) []float64 {
	n := s.N()
	c, ld := s.C()
	out := make([]float64, 0, n*n)
	for i := range n {
		out = append(out, c[i*ld:i*ld+n]...)
	}
	return out
}
