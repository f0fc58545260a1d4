package method

import (
	"bytes"
	"encoding/csv"
	"strconv"

	"ogdl/datasets"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/words"
)

// Placed are graphs and their places over the atoms of a dictionary: what fit and embed write of each.
type Placed struct {
	Data      *datasets.Dataset // without graphs that have no nodes
	LeftOut   string            // says how many those are, "" where there are none
	Number    []int             // of each graph in the file, from 0
	Name      []string          // "" where it has none
	Class     []string          // as the file has it; nil without classes
	Predicted []string          // its class as an SVM has it that has not seen its own; nil where nobody asked

	Weights        []float64 // graphs x atoms
	NodeWeights    []float64 // graphs x atoms, where the atoms' node weights differ
	Reconstruction []float64
	Cluster        []int     // nil without clusters
	Distance       []float64 // to the centre of the cluster, in the Mahalanobis metric
}

// Place numbers the graphs of a data set that have nodes.
func Place(d *datasets.Dataset) Placed {
	var p Placed
	for i := range d.Graphs {
		if d.Graphs[i].Order() > 0 {
			p.Number = append(p.Number, i)
		}
	}
	var empty int
	if p.Data, empty = d.WithoutEmpty(); empty > 0 {
		p.LeftOut = words.Plural(empty, "graph without nodes is left out.", "graphs without nodes are left out.")
	}
	if p.Name = p.Data.Names; p.Name == nil {
		p.Name = make([]string, len(p.Number))
	}
	p.Class = p.Data.ClassNames(p.Data.Classes)
	return p
}

// CSV has a line for each graph. Columns of classes are there where there are classes; those of clusters are empty where there are none.
func (p *Placed) CSV() ([]byte, error) {
	lines := make([][]string, 1+len(p.Number))
	add := func(name string, of func(i int) string) {
		lines[0] = append(lines[0], name)
		for i := range p.Number {
			lines[i+1] = append(lines[i+1], of(i))
		}
	}
	text := func(name string, of []string) {
		if of != nil {
			add(name, func(i int) string { return words.CSV(of[i]) })
		}
	}
	add("graph", func(i int) string { return strconv.Itoa(p.Number[i]) })
	text("name", p.Name)
	text("class", p.Class)
	text("predicted", p.Predicted)
	if p.Cluster == nil {
		none := make([]string, len(p.Number))
		text("cluster", none)
		text("distance", none)
	} else {
		add("cluster", func(i int) string { return strconv.Itoa(p.Cluster[i]) })
		add("distance", func(i int) string { return spec.Short(p.Distance[i]) })
	}
	add("reconstruction", func(i int) string { return spec.Short(p.Reconstruction[i]) })
	for k, weights := range [][]float64{p.Weights, p.NodeWeights} {
		s := len(weights) / len(p.Number)
		for j := range s {
			add("wv"[k:k+1]+strconv.Itoa(j), func(i int) string { return spec.Short(weights[i*s+j]) })
		}
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(lines)
	return b.Bytes(), err
}
