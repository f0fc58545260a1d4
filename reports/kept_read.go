package reports

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

// matrix is a structure matrix, n x n, row by row.
type matrix struct {
	n int
	v []float64
}

func (m matrix) at(i, j int) float64 { return m.v[i*m.n+j] }

// dictionary is what a cell has learned: atoms of one order, and the weights of every graph.
type dictionary struct {
	atoms   []matrix
	weights [][]float64 // one row per graph, one entry per atom
}

// readDictionary finds atoms and weights among a cell's arrays.
func readDictionary(arrays []npz.Array) (*dictionary, error) {
	f := npz.Among(arrays, "reports: a cell's dictionary")
	c, w := f.Floats(arrayAtoms, 3, false), f.Floats(arrayWeights, 2, false)
	if f.Err() != nil {
		return nil, f.Err()
	}
	s, n := c.Shape[0], c.Shape[1]
	if s == 0 || n == 0 {
		f.Fail(arrayAtoms, "is empty")
	}
	f.FloatsOf(arrayAtoms, s, n, n)
	f.FloatsOf(arrayWeights, w.Shape[0], s)
	if f.Err() != nil {
		return nil, f.Err()
	}
	d := &dictionary{}
	for k := range s {
		d.atoms = append(d.atoms, matrix{n, c.Float[k*n*n : (k+1)*n*n]})
	}
	for i := range w.Shape[0] {
		d.weights = append(d.weights, w.Float[i*s:(i+1)*s])
	}
	return d, nil
}

// mix is the model C(w), the sum of w_s C_s.
func (d *dictionary) mix(w ...float64) matrix {
	m := matrix{d.atoms[0].n, make([]float64, len(d.atoms[0].v))}
	for s, a := range d.atoms {
		for e, x := range a.v {
			m.v[e] += float64(w[s] * x)
		}
	}
	return m
}

// keptGraph is a graph of the cell's data with its model.
type keptGraph struct {
	index     int // in the data, from 0
	class     int // from 0; -1 without classes
	structure matrix
	weights   []float64 // of the nodes
	model     matrix
	nodes     []float64 // the model's node weights
	err       float64   // (F)GW^2 between the two
}

// readKept finds the graphs that a cell has kept; none where keep_graphs was 0.
func readKept(arrays []npz.Array) ([]keptGraph, error) {
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
	out := make([]keptGraph, m)
	for i, k := range orders {
		g := keptGraph{index: index.Int[i], class: -1, err: errs[i], structure: matrix{k, c[:k*k]}, weights: p[:k],
			model: matrix{n, model[i*n*n : (i+1)*n*n]}, nodes: h[i*n : (i+1)*n]}
		c, p = c[k*k:], p[k:]
		if class != nil {
			g.class = class[i]
		}
		out[i] = g
	}
	return out, nil
}

// population is what is known of every graph of a cell's data.
type population struct {
	orders      []int
	classes     []int     // from 0; nil without classes
	proportions []float64 // nil but for D2
	errs        []float64 // (F)GW^2 between graph and model
}

// readPopulation finds that of n graphs; the fields are nil where keep_graphs was 0.
func readPopulation(arrays []npz.Array, n int) (p population, err error) {
	f := npz.Among(arrays, "reports: a cell's graphs")
	if !f.Has(DataOrder) {
		return p, nil
	}
	p.orders, p.errs = f.IntsOf(DataOrder, n), f.FloatsOf(DataError, n)
	if f.Has(DataClass) {
		p.classes = f.IntsOf(DataClass, n)
		for _, k := range p.classes {
			if k < 0 || k >= maxClasses {
				f.Fail(DataClass, "holds %d: want 0 to %d", k, maxClasses-1)
			}
		}
	}
	if f.Has(DataProportion) {
		p.proportions = f.FloatsOf(DataProportion, n)
	}
	return p, f.Err()
}

// classCount is the number of classes, empty ones below the last included.
func (p *population) classCount() int {
	if len(p.classes) == 0 {
		return 0
	}
	return slices.Max(p.classes) + 1
}

// class is that of a graph; -1 without classes.
func (p *population) class(graph int) int {
	if p.classes == nil {
		return -1
	}
	return p.classes[graph]
}
