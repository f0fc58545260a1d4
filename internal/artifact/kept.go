package artifact

import (
	"math"
	"slices"

	"ogdl/internal/npz"
)

// Bounds on the numbers in a file, which may be any. More classes have no legend, and the square of
// an order must be a number.
const (
	maxClasses = 1000
	maxOrder   = 1 << 20
)

// Matrix is a structure matrix, N x N, row by row.
type Matrix struct {
	N int
	V []float64
}

// At is an entry.
func (m Matrix) At(i, j int) float64 { return m.V[i*m.N+j] }

// Dictionary is what a cell has learned: atoms of one order, and the weights of every graph.
type Dictionary struct {
	Atoms   []Matrix
	Weights [][]float64 // one row per graph, one entry per atom
}

// ReadDictionary finds atoms and weights among a cell's arrays.
func ReadDictionary(arrays []npz.Array) (*Dictionary, error) {
	f := npz.Among(arrays, "reports: a cell's dictionary")
	c, w := f.Floats(Atoms, 3, false), f.Floats(Weights, 2, false)
	if f.Err() != nil {
		return nil, f.Err()
	}
	s, n := c.Shape[0], c.Shape[1]
	if s == 0 || n == 0 {
		f.Fail(Atoms, "is empty")
	}
	f.FloatsOf(Atoms, s, n, n)
	f.FloatsOf(Weights, w.Shape[0], s)
	if f.Err() != nil {
		return nil, f.Err()
	}
	d := &Dictionary{Weights: slices.Collect(slices.Chunk(w.Float, s))}
	for v := range slices.Chunk(c.Float, n*n) {
		d.Atoms = append(d.Atoms, Matrix{n, v})
	}
	return d, nil
}

// Mix is the model C(w), the sum of w_s C_s.
func (d *Dictionary) Mix(w ...float64) Matrix {
	m := Matrix{d.Atoms[0].N, make([]float64, len(d.Atoms[0].V))}
	for s, a := range d.Atoms {
		for e, x := range a.V {
			m.V[e] += float64(w[s] * x)
		}
	}
	return m
}

// Kept is a graph of the cell's data with its model, for the parameter keep_graphs.
type Kept struct {
	Index     int // in the data, from 0
	Class     int // from 0; -1 without classes
	Structure Matrix
	Weights   []float64 // of the nodes
	Model     Matrix
	Nodes     []float64 // the model's node weights
	Err       float64   // (F)GW^2 between the two
}

// keptArrays hold m kept graphs of orders n_1 .. n_m, and models of order N. Matrices and vectors of differing sizes
// follow each other.
type keptArrays struct {
	graph, order, class  []int
	c, p, errs, model, h []float64
}

const (
	keptGraph = "kept_graph"
	keptOrder = "kept_order"
	keptClass = "kept_class"
	// KeptModel names the models' structures.
	KeptModel = "kept_model_C"
)

func (k *keptArrays) fields(m, nodes, entries, n int) []npz.Slot {
	return []npz.Slot{
		npz.SlotOf(keptGraph, &k.graph, m), npz.SlotOf(keptOrder, &k.order, m), npz.SlotOf("kept_C", &k.c, entries), npz.SlotOf("kept_p", &k.p, nodes),
		npz.SlotOf("kept_reconstruction", &k.errs, m), npz.SlotOf(KeptModel, &k.model, m, n, n), npz.SlotOf("kept_model_h", &k.h, m, n),
	}
}

// KeptArrays returns the arrays of kept graphs, at least one, and of the facts known of all graphs.
func KeptArrays(kept []Kept, all *Population) []npz.Array {
	var k keptArrays
	for _, g := range kept {
		k.graph, k.order = append(k.graph, g.Index), append(k.order, g.Structure.N)
		k.c, k.p, k.errs = append(k.c, g.Structure.V...), append(k.p, g.Weights...), append(k.errs, g.Err)
		k.model, k.h, k.class = append(k.model, g.Model.V...), append(k.h, g.Nodes...), append(k.class, g.Class)
	}
	fields := k.fields(len(kept), len(k.p), len(k.c), kept[0].Model.N)
	if all.Classes != nil {
		fields = append(fields, npz.SlotOf(keptClass, &k.class, len(kept)))
	}
	return npz.Arrays(append(fields, all.fields(len(all.Orders), all.Classes != nil, all.Proportions != nil)...)...)
}

// ReadKept finds the graphs that a cell has kept; none where keep_graphs was 0.
func ReadKept(arrays []npz.Array) ([]Kept, error) {
	f := npz.Among(arrays, "reports: a cell's kept graphs")
	if !f.Has(keptGraph) {
		return nil, nil
	}
	var k keptArrays
	m, models := f.Length(keptGraph), f.Floats(KeptModel, 3, false)
	orders := f.IntsOf(keptOrder, f.Length(keptOrder))
	if f.Err() != nil {
		return nil, f.Err()
	}
	n, nodes, entries := models.Shape[1], 0, 0
	for _, o := range orders {
		if o < 0 || o > maxOrder || entries > math.MaxInt-o*o {
			f.Fail(keptOrder, "holds %d", o)
			break
		}
		nodes, entries = nodes+o, entries+o*o
	}
	f.Fill(k.fields(m, nodes, entries, n)...)
	readClasses(f, keptClass, &k.class, m)
	if f.Err() != nil {
		return nil, f.Err()
	}
	out := make([]Kept, m)
	for i, o := range k.order {
		out[i] = Kept{Index: k.graph[i], Class: -1, Err: k.errs[i], Structure: Matrix{o, k.c[:o*o]}, Weights: k.p[:o],
			Model: Matrix{n, k.model[i*n*n : (i+1)*n*n]}, Nodes: k.h[i*n : (i+1)*n]}
		k.c, k.p = k.c[o*o:], k.p[o:]
		if k.class != nil {
			out[i].Class = k.class[i]
		}
	}
	return out, nil
}

// readClasses reads classes where there are some.
func readClasses(f *npz.Fields, name string, to *[]int, n int) {
	if !f.Has(name) {
		return
	}
	f.Fill(npz.SlotOf(name, to, n))
	for _, k := range *to {
		if k < 0 || k >= maxClasses {
			f.Fail(name, "holds %d: want 0 to %d", k, maxClasses-1)
		}
	}
}

// Population holds facts on every graph of a cell's data, for the parameter keep_graphs.
type Population struct {
	Orders      []int
	Classes     []int     // from 0; nil without classes
	Proportions []float64 // share of nodes in the first block; nil but for D2
	Errs        []float64 // (F)GW^2 between graph and model
}

// Arrays of a fit of own graphs.
const (
	ClustersFound = "clusters_found" // separated clusters that the test finds, 0 if there are none
	Warnings      = "warnings"       // texts: warnings and notes of the fit
)

// Names of the orders of all graphs, and of their reconstruction errors.
const (
	DataOrder      = "data_order"
	DataErrors     = "data_reconstruction"
	dataClass      = "data_class"
	dataProportion = "data_block_proportion"
)

func (p *Population) fields(n int, classes, proportions bool) []npz.Slot {
	out := []npz.Slot{npz.SlotOf(DataOrder, &p.Orders, n), npz.SlotOf(DataErrors, &p.Errs, n)}
	if classes {
		out = append(out, npz.SlotOf(dataClass, &p.Classes, n))
	}
	if proportions {
		out = append(out, npz.SlotOf(dataProportion, &p.Proportions, n))
	}
	return out
}

// ReadPopulation finds the population of n graphs; the fields are nil where keep_graphs was 0.
func ReadPopulation(arrays []npz.Array, n int) (p Population, err error) {
	f := npz.Among(arrays, "reports: a cell's graphs")
	if !f.Has(DataOrder) {
		return p, nil
	}
	f.Fill(p.fields(n, false, f.Has(dataProportion))...)
	readClasses(f, dataClass, &p.Classes, n)
	return p, f.Err()
}

// ClassCount is the number of classes, empty ones below the last included.
func (p *Population) ClassCount() int {
	if len(p.Classes) == 0 {
		return 0
	}
	return slices.Max(p.Classes) + 1
}

// Class returns the class of a graph; -1 without classes.
func (p *Population) Class(graph int) int {
	if p.Classes == nil {
		return -1
	}
	return p.Classes[graph]
}
