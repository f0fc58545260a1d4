package artifact

import (
	"math"
	"slices"

	"ogdl/internal/npz"
)

// Bounds of what figures read: a file may hold any number. More classes have no legend, and
// the square of an order must be a number.
const (
	maxClasses = 1000
	maxOrder   = 1 << 20
)

// Matrix is a structure matrix, n x n, row by row.
type Matrix struct {
	N int
	V []float64
}

func (m Matrix) At(i, j int) float64 { return m.V[i*m.N+j] }

// Dictionary is what a cell has learned: atoms of one order, and the weights of every graph.
type Dictionary struct {
	Atoms   []Matrix
	Weights [][]float64 // one row per graph, one entry per atom
}

// ReadDictionary finds atoms and weights among a cell's arrays.
func ReadDictionary(arrays []npz.Array) (*Dictionary, error) {
	f := npz.Among(arrays, "reports: a cell's dictionary")
	c, w := f.Floats(ArrayAtoms, 3, false), f.Floats(ArrayWeights, 2, false)
	if f.Err() != nil {
		return nil, f.Err()
	}
	s, n := c.Shape[0], c.Shape[1]
	if s == 0 || n == 0 {
		f.Fail(ArrayAtoms, "is empty")
	}
	f.FloatsOf(ArrayAtoms, s, n, n)
	f.FloatsOf(ArrayWeights, w.Shape[0], s)
	if f.Err() != nil {
		return nil, f.Err()
	}
	d := &Dictionary{}
	for k := range s {
		d.Atoms = append(d.Atoms, Matrix{n, c.Float[k*n*n : (k+1)*n*n]})
	}
	for i := range w.Shape[0] {
		d.Weights = append(d.Weights, w.Float[i*s:(i+1)*s])
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

// Kept is a graph of the cell's data with its model.
type Kept struct {
	Index     int // in the data, from 0
	Class     int // from 0; -1 without classes
	Structure Matrix
	Weights   []float64 // of the nodes
	Model     Matrix
	Nodes     []float64 // the model's node weights
	Err       float64   // (F)GW^2 between the two
}

// ReadKept finds the graphs that a cell has kept; none where keep_graphs was 0.
func ReadKept(arrays []npz.Array) ([]Kept, error) {
	f := npz.Among(arrays, "reports: a cell's kept graphs")
	if !f.Has(KeptGraph) {
		return nil, nil
	}
	index, order := f.Get(KeptGraph, 1, false), f.Get(KeptOrder, 1, false)
	models := f.Floats(KeptModel, 3, false)
	if f.Err() != nil {
		return nil, f.Err()
	}
	m, n := index.Shape[0], models.Shape[1]
	f.IntsOf(KeptGraph, m)
	orders := f.IntsOf(KeptOrder, order.Shape[0])
	nodes, entries := 0, 0
	for _, k := range orders {
		if k < 0 || k > maxOrder || entries > math.MaxInt-k*k {
			f.Fail(KeptOrder, "holds %d", k)
			break
		}
		nodes, entries = nodes+k, entries+k*k
	}
	orders = f.IntsOf(KeptOrder, m)
	c, p, errs := f.FloatsOf(KeptC, entries), f.FloatsOf(KeptP, nodes), f.FloatsOf(KeptError, m)
	model, h := f.FloatsOf(KeptModel, m, n, n), f.FloatsOf(KeptH, m, n)
	var class []int
	if f.Has(KeptClass) {
		class = f.IntsOf(KeptClass, m)
		for _, k := range class {
			if k < 0 || k >= maxClasses {
				f.Fail(KeptClass, "holds %d: want 0 to %d", k, maxClasses-1)
			}
		}
	}
	if f.Err() != nil {
		return nil, f.Err()
	}
	out := make([]Kept, m)
	for i, k := range orders {
		g := Kept{Index: index.Int[i], Class: -1, Err: errs[i], Structure: Matrix{k, c[:k*k]}, Weights: p[:k],
			Model: Matrix{n, model[i*n*n : (i+1)*n*n]}, Nodes: h[i*n : (i+1)*n]}
		c, p = c[k*k:], p[k:]
		if class != nil {
			g.Class = class[i]
		}
		out[i] = g
	}
	return out, nil
}

// Population is what is known of every graph of a cell's data.
type Population struct {
	Orders      []int
	Classes     []int     // from 0; nil without classes
	Proportions []float64 // nil but for D2
	Errs        []float64 // (F)GW^2 between graph and model
}

// ReadPopulation finds that of n graphs; the fields are nil where keep_graphs was 0.
func ReadPopulation(arrays []npz.Array, n int) (p Population, err error) {
	f := npz.Among(arrays, "reports: a cell's graphs")
	if !f.Has(DataOrder) {
		return p, nil
	}
	p.Orders, p.Errs = f.IntsOf(DataOrder, n), f.FloatsOf(DataError, n)
	if f.Has(DataClass) {
		p.Classes = f.IntsOf(DataClass, n)
		for _, k := range p.Classes {
			if k < 0 || k >= maxClasses {
				f.Fail(DataClass, "holds %d: want 0 to %d", k, maxClasses-1)
			}
		}
	}
	if f.Has(DataProportion) {
		p.Proportions = f.FloatsOf(DataProportion, n)
	}
	return p, f.Err()
}

// ClassCount is the number of classes, empty ones below the last included.
func (p *Population) ClassCount() int {
	if len(p.Classes) == 0 {
		return 0
	}
	return slices.Max(p.Classes) + 1
}

// Class is that of a graph; -1 without classes.
func (p *Population) Class(graph int) int {
	if p.Classes == nil {
		return -1
	}
	return p.Classes[graph]
}
