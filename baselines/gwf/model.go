package gwf

import (
	"fmt"
	"slices"

	"ogdl/internal/npz"
	"ogdl/ot/gw"
)

// Atom is a graph of the factorization: structure, features and node weights.
type Atom struct {
	N int       // order, >= 1
	C []float64 // structure, N*N row-major, symmetric, entries >= 0
	A []float64 // features, N*D row-major; nil where D = 0
	P []float64 // node weights on the simplex; they are not learned
}

// Model is a factorization: K atoms, each of an order of its own, with features of one dimension,
// and the trade-off alpha they were made for. It is plain data. Check validates it, and every
// function that takes a model calls Check.
type Model struct {
	D int // feature dimension, 0 for GW

	// Alpha weighs structure against features: alpha GW + (1 - alpha) W, in
	// [0, 1]; it must be 1 where D = 0.
	Alpha float64

	Atoms []Atom
}

// K returns the number of atoms, 0 of a nil model.
func (m *Model) K() int {
	if m == nil {
		return 0
	}
	return len(m.Atoms)
}

// Clone returns a deep copy, nil of nil.
func (m *Model) Clone() *Model {
	if m == nil {
		return nil
	}
	c := &Model{D: m.D, Alpha: m.Alpha, Atoms: make([]Atom, len(m.Atoms))}
	for k, a := range m.Atoms {
		c.Atoms[k] = Atom{N: a.N, C: slices.Clone(a.C), A: slices.Clone(a.A), P: slices.Clone(a.P)}
	}
	return c
}

// Arrays returns the model as arrays of an npz archive:
//
//	alpha       float
//	orders      K ints, the atoms' orders
//	C0, C1 ...  structures, N_k x N_k
//	A0, A1 ...  features, N_k x D (absent for GW)
//	p0, p1 ...  node weights, N_k
//
// They are views into the model; a nil one has none.
func (m *Model) Arrays() []npz.Array {
	if m == nil {
		return nil
	}
	orders := make([]int, len(m.Atoms))
	for k := range m.Atoms {
		orders[k] = m.Atoms[k].N
	}
	arrays := []npz.Array{
		{Name: "alpha", Float: []float64{m.Alpha}},
		{Name: "orders", Shape: []int{len(orders)}, Int: orders},
	}
	for k, a := range m.Atoms {
		arrays = append(arrays, npz.Array{Name: fmt.Sprint("C", k), Shape: []int{a.N, a.N}, Float: a.C})
		if m.D > 0 {
			arrays = append(arrays, npz.Array{Name: fmt.Sprint("A", k), Shape: []int{a.N, m.D}, Float: a.A})
		}
		arrays = append(arrays, npz.Array{Name: fmt.Sprint("p", k), Shape: []int{a.N}, Float: a.P})
	}
	return arrays
}

// Check returns an error where the model is nil or its values break its contract: no
// atoms, an order below 1, D below 0, alpha outside [0, 1] (or not 1 without features),
// a structure that has negative entries or that package gw rejects (not symmetric, not
// finite, squares that overflow), features likewise, node weights off the simplex by
// more than 1e-6. Slices of the wrong length panic.
func (m *Model) Check() error {
	_, err := m.spaces()
	return err
}

// spaces checks the model and returns its atoms as gw spaces.
func (m *Model) spaces() ([]*gw.Space, error) {
	if m == nil {
		return nil, errNoModel
	}
	if m.D < 0 {
		return nil, fmt.Errorf("gwf: D, the feature dimension, is %d, expected at least 0", m.D)
	}
	if len(m.Atoms) == 0 {
		return nil, fmt.Errorf("gwf: a model without atoms")
	}
	if !(m.Alpha >= 0 && m.Alpha <= 1) {
		return nil, fmt.Errorf("gwf: alpha is %v, expected a number in [0, 1]", m.Alpha)
	}
	if m.D == 0 && m.Alpha != 1 {
		return nil, fmt.Errorf("gwf: alpha is %v without features, expected 1", m.Alpha)
	}
	out := make([]*gw.Space, len(m.Atoms))
	for k := range m.Atoms {
		s, err := m.space(k)
		if err != nil {
			return nil, err
		}
		out[k] = s
	}
	return out, nil
}

func (m *Model) space(k int) (*gw.Space, error) {
	a := &m.Atoms[k]
	if a.N < 1 {
		return nil, fmt.Errorf("gwf: atom %d: N, its order, is %d, expected at least 1", k, a.N)
	}
	if len(a.C) != a.N*a.N || len(a.A) != a.N*m.D || len(a.P) != a.N {
		panic(fmt.Sprintf("gwf: atom %d of order %d and dimension %d has slices of length %d (C), %d (A) and %d (P)",
			k, a.N, m.D, len(a.C), len(a.A), len(a.P)))
	}
	for i, x := range a.C {
		if x < 0 {
			return nil, fmt.Errorf("gwf: atom %d: structure entry (%d, %d) is %v, expected a number >= 0", k, i/a.N, i%a.N, x)
		}
	}
	s, err := gw.NewSpace(a.C, a.A, a.N, m.D, a.P)
	if err != nil {
		return nil, fmt.Errorf("gwf: atom %d: %w", k, err)
	}
	return s, nil
}
