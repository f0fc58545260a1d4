package method

import (
	"fmt"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/ot/gw"
)

const keepAll = "all"

// keepParam asks for graphs and their models in the cell's npz, for figures, which are
// drawn from the store alone.
func keepParam() spec.Param {
	return spec.Int("keep_graphs",
		"graphs kept with their models for figures: the first so many of every class, or of the set where it has none", 0, 0, 1e6, keepAll)
}

// keptGraphs are the graphs that keep_graphs asks for, ascending.
func (t *Task) keptGraphs() []int {
	all, each := t.Params.Text("keep_graphs") == keepAll, t.Params.Integer("keep_graphs")
	seen := map[int]int{}
	var out []int
	for i := range t.Spaces {
		class := 0
		if t.Data.Classes != nil {
			class = t.Data.Classes[i]
		}
		if all || seen[class] < each {
			seen[class]++
			out = append(out, i)
		}
	}
	return out
}

// keep adds the graphs of keep_graphs to the arrays, each with its model and its reconstruction
// error. It adds class, order and error of all graphs.
func (out *Result) keep(t *Task, model func(graph int) (*gw.Space, error), reconstruction func(graph int) float64) error {
	var kept []artifact.Kept
	for _, i := range t.keptGraphs() {
		s := t.Spaces[i]
		m, err := model(i)
		if err != nil {
			return fmt.Errorf("keep_graphs: graph %d: %w", i, err)
		}
		k := artifact.Kept{Index: i, Class: -1, Structure: artifact.Matrix{N: s.N(), V: tight(s)}, Weights: s.P(),
			Model: artifact.Matrix{N: m.N(), V: tight(m)}, Nodes: m.P(), Err: reconstruction(i)}
		if t.Data.Classes != nil {
			k.Class = t.Data.Classes[i]
		}
		kept = append(kept, k)
	}
	if kept == nil {
		return nil
	}
	all := &artifact.Population{Classes: t.Data.Classes, Proportions: t.Proportions}
	for i, s := range t.Spaces {
		all.Orders, all.Errs = append(all.Orders, s.N()), append(all.Errs, reconstruction(i))
	}
	out.Arrays = append(out.Arrays, artifact.KeptArrays(kept, all)...)
	return nil
}

// ModelsOf builds the models of n graphs, all of one order.
func ModelsOf(n, order int, model func(graph int) (*gw.Space, error)) func() ([]*gw.Space, int, error) {
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
