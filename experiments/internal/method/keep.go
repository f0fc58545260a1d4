package method

import (
	"fmt"

	"ogdl/experiments/internal/spec"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/ot/gw"
)

const keepAll = "all"

// keepParam asks for graphs and models in the npz: figures are drawn from the store alone.
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
func (out *Result) keep(t *Task, d *gdl.Dictionary, embeddings []gdl.Embedding) error {
	all := &artifact.Population{Classes: t.Data.Classes, Proportions: t.Proportions, Errs: out.Reconstruction}
	var kept []artifact.Kept
	for _, i := range t.keptGraphs() {
		s := t.Spaces[i]
		m, err := d.Model(embeddings[i].W, embeddings[i].V)
		if err != nil {
			return fmt.Errorf("keep_graphs: graph %d: %w", i, err)
		}
		kept = append(kept, artifact.Kept{Index: i, Class: all.Class(i), Structure: artifact.Matrix{N: s.N(), V: tight(s)}, Weights: s.P(),
			Model: artifact.Matrix{N: m.N(), V: tight(m)}, Nodes: m.P(), Err: all.Errs[i]})
	}
	if kept == nil {
		return nil
	}
	for _, s := range t.Spaces {
		all.Orders = append(all.Orders, s.N())
	}
	out.Arrays = append(out.Arrays, artifact.KeptArrays(kept, all)...)
	return nil
}

// ModelsOf builds the models of embeddings.
func ModelsOf(d *gdl.Dictionary, embeddings []gdl.Embedding) (models []*gw.Space, err error) {
	models = make([]*gw.Space, len(embeddings))
	for i, e := range embeddings {
		if models[i], err = d.Model(e.W, e.V); err != nil {
			return nil, fmt.Errorf("graph %d: %w", i, err)
		}
	}
	return models, nil
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
