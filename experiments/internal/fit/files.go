package fit

import (
	"bytes"
	"context"
	"encoding/csv"
	"slices"
	"strconv"

	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/protocol"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/reports"
)

// Names of the files that a fit writes.
const (
	GraphsFile     = "graphs.csv"
	DictionaryFile = "dictionary.npz"
	PageFile       = "index.html"
	// UnfinishedFile is there where a fit was stopped between its files' taking their places.
	UnfinishedFile = "UNFINISHED.txt"
)

// unfinished is what it says.
const unfinished = "A fit was stopped while it wrote this folder: its files may be of two fits. Run fit again, with -force.\n"

// Write puts the files of the fit into a folder, all of them or, where the context ends or something fails before the first is in
// its place, none. Where it is stopped
// between the first and the last, [UnfinishedFile] stays.
func (f *Fit) Write(ctx context.Context, dir string) error {
	folder := reports.NewFolder(dir)
	page, err := f.page(ctx, folder)
	if err != nil {
		return err
	}
	graphs, err := f.csv()
	if err != nil {
		return err
	}
	dictionary, err := f.npz()
	if err != nil {
		return err
	}
	folder.Add(GraphsFile, graphs)
	folder.Add(DictionaryFile, dictionary)
	folder.Add(PageFile, page)
	folder.Sign(UnfinishedFile, unfinished)
	return folder.Write(ctx)
}

// name is that of a graph, "" where it has none.
func (f *Fit) name(i int) string {
	if f.Data.Names == nil {
		return ""
	}
	return f.Data.Names[i]
}

// class is that of a graph, as the file has it.
func (f *Fit) class(i int) string { return f.Data.ClassName(f.Data.Classes[i]) }

// weights are those of a graph over the atoms.
func (f *Fit) weights() ([]float64, error) {
	x := f.trials[f.best]
	a, err := npz.Find(x.Arrays, artifact.Weights)
	if err != nil {
		return nil, err
	}
	return a.Float, nil
}

// csv has one line a graph.
func (f *Fit) csv() ([]byte, error) {
	w, err := f.weights()
	if err != nil {
		return nil, err
	}
	x, s := f.trials[f.best], f.Chosen.Atoms
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	columns := []struct {
		name string
		of   func(i int) string
		not  bool // there
	}{
		{"graph", func(i int) string { return strconv.Itoa(f.Number[i]) }, false},
		{"name", f.name, false},
		{"class", f.class, f.Data.Classes == nil},
		{"predicted", func(i int) string { return f.Data.ClassName(f.Classified.HeldOut[i]) }, f.Classified == nil},
		{"cluster", func(i int) string { return strconv.Itoa(f.Labels[i]) }, false},
		{"distance", func(i int) string { return number(f.Distance[i]) }, false},
		{"reconstruction", func(i int) string { return number(x.Reconstruction[i]) }, false},
	}
	lines := make([][]string, 1+len(f.Labels))
	for _, c := range columns {
		if c.not {
			continue
		}
		lines[0] = append(lines[0], c.name)
		for i := range f.Labels {
			lines[i+1] = append(lines[i+1], c.of(i))
		}
	}
	for k := range s {
		lines[0] = append(lines[0], "w"+strconv.Itoa(k))
		for i := range f.Labels {
			lines[i+1] = append(lines[i+1], number(w[i*s+k]))
		}
	}
	var b bytes.Buffer
	err = csv.NewWriter(&b).WriteAll(lines)
	return b.Bytes(), err
}

// npz has the arrays of a cell, which embed takes.
func (f *Fit) npz() ([]byte, error) {
	x, n := f.trials[f.best], len(f.Labels)
	arrays := append(slices.Clone(x.Arrays),
		npz.Array{Name: artifact.Centers, Shape: []int{f.Chosen.Clusters, x.Width}, Float: f.Centers},
		npz.Array{Name: artifact.Assignment, Shape: []int{n}, Int: f.Labels},
		npz.Array{Name: "graph", Shape: []int{n}, Int: f.Number})
	arrays, err := f.described(arrays)
	if err != nil {
		return nil, err
	}
	return npz.Pack(arrays)
}

// described adds to arrays what the parameters and the features were.
func (f *Fit) described(arrays []npz.Array) ([]npz.Array, error) {
	return protocol.Describe(arrays, &record.Record{Method: method.GDL().Name, Dataset: f.Data.Name},
		&method.Task{Params: f.Params, Features: f.Features})
}
