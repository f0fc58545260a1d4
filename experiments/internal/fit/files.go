package fit

import (
	"context"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/reports"
)

// Names of the files that a fit writes.
const (
	ConfigFile     = "fit.toml"
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

// npz has the arrays of the kept cell, which embed takes, with the clusters by their sizes.
func (f *Fit) npz() ([]byte, error) {
	n := len(f.Number)
	var arrays []npz.Array
	for _, a := range f.kept {
		switch a.Name {
		case artifact.Reconstruction, artifact.Centers, artifact.Assignment:
			continue
		case artifact.Method: // as a fit has always had them, the clusters come before it
			if f.mahalanobis {
				arrays = append(arrays, npz.Array{Name: artifact.Centers, Shape: []int{f.found, f.width}, Float: f.centers})
			}
			arrays = append(arrays, npz.Array{Name: artifact.Assignment, Shape: []int{n}, Int: f.Cluster},
				npz.Array{Name: "graph", Shape: []int{n}, Int: f.Number})
		}
		arrays = append(arrays, a)
	}
	return npz.Pack(arrays)
}
