package fit

import (
	"context"
	"slices"

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
	graphs, err := f.CSV()
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
	folder.List(f.Force)
	folder.Sign(UnfinishedFile, unfinished)
	return folder.Write(ctx)
}

// npz has the arrays of a cell, which embed takes.
func (f *Fit) npz() ([]byte, error) {
	x, n := f.trials[f.best], len(f.Number)
	arrays := append(slices.Clone(x.Arrays),
		npz.Array{Name: artifact.Centers, Shape: []int{f.Chosen.Clusters, x.Width}, Float: f.Centers},
		npz.Array{Name: artifact.Assignment, Shape: []int{n}, Int: f.Cluster},
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
