//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"

	"ogdl/gdl"
	"ogdl/internal/npz"
	"ogdl/ot/gw"
)

// precision is the relative change that ends the embeddings whose times the paper
// gives.
const precision = 1e-4

// learn makes a dictionary of the graphs of a file, by the settings of
// configs/runtimes.toml but for the number of epochs, writes its atoms and those that it began with, and
// returns the CPU seconds of the learning.
func learn(q request) (float64, error) {
	f, err := open(q.File)
	if err != nil {
		return 0, err
	}
	graphs := f.graphs(q.Count)
	if f.err != nil {
		return 0, f.err
	}
	if q.Atoms < 1 || q.Order < 1 || q.Epochs < 1 || len(graphs) == 0 {
		return 0, fmt.Errorf("%d atoms of order %d of %d graphs in %d epochs: at least 1 of each is needed", q.Atoms, q.Order, len(graphs), q.Epochs)
	}
	start, _, err := gdl.InitSample(graphs, q.Atoms, q.Order, 1, rand.New(rand.NewPCG(q.Seed, 0)))
	if err != nil {
		return 0, err
	}
	begin := cpu()
	training, err := gdl.Train(context.Background(), graphs, start,
		&gdl.TrainSettings{Epochs: q.Epochs, Batch: 16, StepC: 0.01, NonNegative: true}, rand.New(rand.NewPCG(q.Seed, 1)))
	seconds := cpu() - begin
	if err != nil {
		return 0, err
	}
	atoms := func(name string, d *gdl.Dictionary) npz.Array {
		return npz.Array{Name: name, Shape: []int{d.S, d.N, d.N}, Float: slices.Concat(d.C...)}
	}
	return seconds, write(q.Out, []npz.Array{atoms("atoms", training.Dictionary), atoms("start", start)})
}

func write(path string, arrays []npz.Array) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(npz.Write(f, arrays), f.Close())
}

// graphs reads the structures C_0, C_1, ... of a file.
func (f *file) graphs(count int) (graphs []*gw.Space) {
	for k := range count {
		graphs = append(graphs, f.space(fmt.Sprintf("C_%d", k), ""))
	}
	return graphs
}

// embedding is an unmixing that keeps what the last round found.
type embedding struct {
	unmixing
	w, t [][]float64
}

func loadEmbedding(f *file, q request) (solver, error) {
	u, err := newUnmixing(f, q.Count)
	if err != nil {
		return nil, err
	}
	u.settings = gdl.UnmixSettings{Tol: precision}
	e := &embedding{unmixing: *u, w: make([][]float64, q.Count), t: make([][]float64, q.Count)}
	e.keep = func(k int, found *gdl.Embedding) {
		e.w[k] = append(e.w[k][:0], found.W...)
		e.t[k] = e.t[k][:0]
		for i := range e.graphs[k].N() {
			e.t[k] = append(e.t[k], found.T[i*found.TStride:][:e.order]...)
		}
	}
	return e, nil
}

// write writes the weights w_0, w_1, ... and couplings T_0, T_1, ... of the last
// round.
func (e *embedding) write(path string) error {
	var arrays []npz.Array
	for k, w := range e.w {
		if w == nil {
			return errors.New("write before round")
		}
		arrays = append(arrays,
			npz.Array{Name: fmt.Sprintf("w_%d", k), Shape: []int{len(w)}, Float: w},
			npz.Array{Name: fmt.Sprintf("T_%d", k), Shape: []int{e.graphs[k].N(), e.order}, Float: e.t[k]})
	}
	return write(path, arrays)
}
