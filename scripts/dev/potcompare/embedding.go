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
	"ogdl/internal/usage"
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
	graphs, err := graphs(f, q.Count)
	if err != nil {
		return 0, err
	}
	if q.Atoms < 1 || q.Order < 1 || q.Epochs < 1 || len(graphs) == 0 {
		return 0, fmt.Errorf("%d atoms of order %d of %d graphs in %d epochs: at least 1 of each is needed", q.Atoms, q.Order, len(graphs), q.Epochs)
	}
	start, _, err := gdl.InitSample(graphs, q.Atoms, q.Order, 1, rand.New(rand.NewPCG(q.Seed, 0)))
	if err != nil {
		return 0, err
	}
	begin := usage.ProcessCPU()
	training, err := gdl.Train(context.Background(), graphs, start,
		&gdl.TrainSettings{Epochs: q.Epochs, Batch: 16, StepC: 0.01, NonNegative: true}, rand.New(rand.NewPCG(q.Seed, 1)))
	seconds := usage.ProcessCPU() - begin
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
func graphs(f *npz.Fields, count int) ([]*gw.Space, error) {
	out := make([]*gw.Space, max(count, 0))
	for k := range out {
		var err error
		if out[k], err = space(f, fmt.Sprintf("C_%d", k), ""); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// write writes the weights w_0, w_1, ... and couplings T_0, T_1, ... of the last
// round.
func (u *unmixing) write(path string) error {
	var arrays []npz.Array
	for k, w := range u.w {
		if w == nil {
			return errors.New("write before round")
		}
		arrays = append(arrays,
			npz.Array{Name: fmt.Sprintf("w_%d", k), Shape: []int{len(w)}, Float: w},
			npz.Array{Name: fmt.Sprintf("T_%d", k), Shape: []int{u.graphs[k].N(), u.order}, Float: u.t[k]})
	}
	return write(path, arrays)
}
