package gdl

import (
	"fmt"
	"math/rand/v2"
	"slices"

	"ogdl/ot/gw"
)

// ExtendedDictionary is a dictionary with node weights of its own for every atom
// (the paper's extended model, GDL_h, here with features too): S
// atoms (C_s, A_s, h_s) of order N. A graph is modelled by two embeddings on the
// simplex, w for structure and features and v for the node weights,
//
//	Ct(w) = sum_s w_s C_s    At(w) = sum_s w_s A_s    ht(v) = sum_s v_s h_s
//
// It is plain data; Check says whether it is sound, and everything that takes a
// dictionary calls it.
type ExtendedDictionary struct {
	S int // number of atoms, >= 1
	N int // order of every atom, >= 1
	D int // feature dimension, 0 for GW

	// Alpha weighs structure against features: alpha GW + (1 - alpha) W, in
	// [0, 1]; it must be 1 where D = 0.
	Alpha float64

	C [][]float64 // S structures, N*N row-major, symmetric
	A [][]float64 // S feature matrices, N*D row-major; nil where D = 0
	H [][]float64 // S vectors of N node weights, each on the simplex
}

// Extend gives the atoms of a dictionary, which it copies, node weights of their
// own: entries uniform on [0.9, 1), normalised, as the reference code starts
// them. The dictionary's shared weights Q are not taken over. A dictionary that
// Check refuses and a nil rng are errors.
func Extend(d *Dictionary, rng *rand.Rand) (*ExtendedDictionary, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if rng == nil {
		return nil, errNoRand
	}
	c := d.Clone()
	x := &ExtendedDictionary{S: c.S, N: c.N, D: c.D, Alpha: c.Alpha, C: c.C, A: c.A, H: make([][]float64, c.S)}
	for s := range x.H {
		h, sum := make([]float64, x.N), 0.0
		for k := range h {
			h[k] = 0.9 + float64(0.1*rng.Float64())
			sum += h[k]
		}
		for k := range h {
			h[k] /= sum
		}
		x.H[s] = h
	}
	return x, nil
}

// Clone returns a deep copy.
func (d *ExtendedDictionary) Clone() *ExtendedDictionary {
	c := *d
	c.C, c.A, c.H = clone(d.C), clone(d.A), clone(d.H)
	return &c
}

func clone(x [][]float64) [][]float64 {
	if x == nil {
		return nil
	}
	y := make([][]float64, len(x))
	for s := range x {
		y[s] = slices.Clone(x[s])
	}
	return y
}

// Check returns an error where the dictionary is nil or breaks what Dictionary.Check
// holds; node weights are those of the atoms. Slices of the wrong length panic.
func (d *ExtendedDictionary) Check() error {
	if _, err := d.weights(); err != nil {
		return err
	}
	return d.plain().Check()
}

// weights checks the atoms' node weights and returns them summing to one but for
// rounding.
func (d *ExtendedDictionary) weights() ([][]float64, error) {
	if d == nil {
		return nil, errNoDictionary
	}
	if err := checkSizes(d.S, d.N, d.D); err != nil {
		return nil, err
	}
	if len(d.H) != d.S {
		panic("gdl: the dictionary's slices do not fit its S, N and D")
	}
	w := make([][]float64, d.S)
	for s, h := range d.H {
		if len(h) != d.N {
			panic("gdl: the dictionary's slices do not fit its S, N and D")
		}
		sum, err := gw.SumWeights(h)
		if err != nil {
			return nil, fmt.Errorf("gdl: atom %d: node %w", s, err)
		}
		w[s] = make([]float64, d.N)
		for k, x := range h {
			w[s][k] = x / sum
		}
	}
	return w, nil
}

// plain is the dictionary with the first atom's node weights for all, sharing
// the atoms.
func (d *ExtendedDictionary) plain() *Dictionary {
	return &Dictionary{S: d.S, N: d.N, D: d.D, Alpha: d.Alpha, C: d.C, A: d.A, Q: d.H[0]}
}

// Model returns the graph that the embeddings w and v (length S, on the simplex)
// stand for, (Ct(w), At(w), ht(v)), as package gw sees it: what GW distances and
// barycentres of embedded graphs are taken of. It always has N nodes: those whose
// weight is zero are kept, as they change no distance and couplings of an
// embedding fit the model as they stand. A dictionary that is nil, weights
// off the simplex and values that are not finite are errors. Cost O(S N (N + D)).
func (d *ExtendedDictionary) Model(w, v []float64) (*gw.Space, error) {
	if d == nil {
		return nil, errNoDictionary
	}
	if len(w) != d.S || len(v) != d.S {
		panic(fmt.Sprintf("gdl: weights of length %d and %d for %d atoms", len(w), len(v), d.S))
	}
	C, A := d.plain().Reconstruct(w)
	h := make([]float64, d.N)
	mix(h, d.H, v)
	return gw.NewSpace(C, A, d.N, d.D, h)
}

// extendedModel is what a change of the dictionary changes. Workers share it and
// only read it.
type extendedModel struct {
	*model             // gram is that of the first atom's node weights
	h      [][]float64 // node weights, each summing to one but for rounding
	equal  bool        // all atoms have the same node weights
	weight []float64   // packed like the atoms: 1 on the diagonal, 1/2 above it
}

func newExtendedModel(d *ExtendedDictionary) (*extendedModel, error) {
	h, err := d.weights()
	if err != nil {
		return nil, err
	}
	m := &extendedModel{h: h, equal: true}
	for _, h := range d.H {
		m.equal = m.equal && equal(h, d.H[0])
	}
	if m.model, err = newModel(d.plain()); err != nil {
		return nil, err
	}
	m.weight = make([]float64, len(m.packed[0]))
	for k := range d.N {
		m.weight[m.row[k]+k] = 1
		for l := k + 1; l < d.N; l++ {
			m.weight[m.row[k]+l] = 0.5
		}
	}
	return m, nil
}
