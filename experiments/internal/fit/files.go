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
)

// Write puts the files of the fit into a folder, all of them or, where the context ends or something fails before the first is in
// its place, none.
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
func (f *Fit) class(i int) string {
	k := f.Data.Classes[i]
	if f.Data.ClassTexts != nil {
		return f.Data.ClassTexts[k]
	}
	return strconv.Itoa(f.Data.ClassValues[k])
}

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
	head := []string{"graph", "name", "class", "cluster", "distance", "reconstruction"}
	for k := range s {
		head = append(head, "w"+strconv.Itoa(k))
	}
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
	lines := [][]string{head}
	for i := range f.Data.Graphs {
		class := ""
		if f.Data.Classes != nil {
			class = f.class(i)
		}
		line := []string{strconv.Itoa(f.Number[i]), f.name(i), class, strconv.Itoa(f.Labels[i]), number(f.Distance[i]), number(x.Reconstruction[i])}
		for _, v := range w[i*s : (i+1)*s] {
			line = append(line, number(v))
		}
		lines = append(lines, line)
	}
	if f.Data.Classes == nil {
		for k := range lines {
			lines[k] = slices.Delete(lines[k], 2, 3)
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
	arrays, err := protocol.Describe(arrays, &record.Record{Method: method.GDL().Name, Dataset: f.Data.Name}, &method.Task{Params: f.Params,
		Features: f.Features})
	if err != nil {
		return nil, err
	}
	return npz.Pack(arrays)
}
