package gdl

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"ogdl/ot/gw"
)

// Dictionary is S graph atoms of order N with features of dimension D, their node
// weights, and the trade-off alpha that they were made for. Either all atoms share
// one vector of node weights, or each has its own (the paper's extended model,
// GDL_h, here with features too). A graph is then modelled by two embeddings on the
// simplex, w for structure and features and v for the node weights,
//
//	Ct(w) = sum_s w_s C_s    At(w) = sum_s w_s A_s    ht(v) = sum_s v_s h_s
//
// It is plain data. Check validates it, and every function that takes a dictionary calls Check.
type Dictionary struct {
	S int // number of atoms, >= 1
	N int // order of every atom, >= 1
	D int // feature dimension, 0 for GW

	// Alpha weighs structure against features: alpha GW + (1 - alpha) W, in
	// [0, 1]; it must be 1 where D = 0.
	Alpha float64

	C [][]float64 // S structures, N*N row-major, symmetric
	A [][]float64 // S feature matrices, N*D row-major; nil where D = 0

	// Node weights, each vector on the simplex. Exactly one of Q and H is set.
	Q []float64   // N weights that all atoms share
	H [][]float64 // S vectors of N weights, one per atom
}

// NewDictionary returns S zero atoms of order N and feature dimension D with
// uniform node weights that all share. Sizes that Check rejects are errors; alpha is not
// looked at (Check does).
func NewDictionary(S, N, D int, alpha float64) (*Dictionary, error) {
	if err := checkSizes(S, N, D); err != nil {
		return nil, err
	}
	d := &Dictionary{S: S, N: N, D: D, Alpha: alpha, C: make([][]float64, S), Q: make([]float64, N)}
	for s := range S {
		d.C[s] = make([]float64, N*N)
	}
	if D > 0 {
		d.A = make([][]float64, S)
		for s := range S {
			d.A[s] = make([]float64, N*D)
		}
	}
	level(d.Q)
	return d, nil
}

// Clone returns a deep copy, nil of nil.
func (d *Dictionary) Clone() *Dictionary {
	if d == nil {
		return nil
	}
	c := *d
	c.C, c.A, c.H, c.Q = clone(d.C), clone(d.A), clone(d.H), slices.Clone(d.Q)
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

// Extend gives the atoms of a dictionary, which it copies, node weights of their
// own: entries uniform on [0.9, 1), normalised, as the reference code starts
// them. Node weights that it has are not taken over. A dictionary that
// Check rejects and a nil rng are errors.
func Extend(d *Dictionary, rng *rand.Rand) (*Dictionary, error) {
	if err := d.Check(); err != nil {
		return nil, err
	}
	if rng == nil {
		return nil, errNoRand
	}
	x := d.Clone()
	x.Q, x.H = nil, make([][]float64, x.S)
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

// maxAtoms keeps the S x S matrices of inner products, which nothing else in a
// dictionary's file bounds, at half a gigabyte.
const maxAtoms = 1 << 13

// maxOrder and maxDimension are the limits of gw.NewSpace.
const (
	maxOrder     = 1 << 17
	maxDimension = 1 << 24
)

// Check returns an error where the dictionary is nil or its values break its contract: S or N below
// 1, D below 0, more than 8192 atoms, N above 2^17, D above 2^24, alpha outside [0, 1] (or not 1
// without features), atoms that package gw rejects (entries that are not finite, or whose squares
// overflow, and structures that are not symmetric), node weights off the simplex by more than 1e-6, and both kinds of node
// weights or neither. Slices of the wrong length panic.
func (d *Dictionary) Check() error {
	_, err := d.spaces()
	return err
}

// spaces checks the dictionary and returns its atoms as gw spaces.
func (d *Dictionary) spaces() ([]*gw.Space, error) {
	if d == nil {
		return nil, errNoDictionary
	}
	if err := checkSizes(d.S, d.N, d.D); err != nil {
		return nil, err
	}
	if len(d.C) != d.S || (d.D > 0 && len(d.A) != d.S) || (d.D == 0 && len(d.A) != 0) {
		panic(wrongSlices)
	}
	if err := d.checkWeights(); err != nil {
		return nil, err
	}
	if !(d.Alpha >= 0 && d.Alpha <= 1) {
		return nil, fmt.Errorf("gdl: alpha is %v, expected a number in [0, 1]", d.Alpha)
	}
	if d.D == 0 && d.Alpha != 1 {
		return nil, fmt.Errorf("gdl: alpha is %v without features, expected 1", d.Alpha)
	}
	atoms := make([]*gw.Space, d.S)
	for s := range atoms {
		var a []float64
		if d.D > 0 {
			a = d.A[s]
		}
		x, err := gw.NewSpace(d.C[s], a, d.N, d.D, d.shared())
		if err != nil {
			return nil, fmt.Errorf("gdl: atom %d: %w", s, err)
		}
		atoms[s] = x
	}
	return atoms, nil
}

const wrongSlices = "gdl: the dictionary's slices do not fit its S, N and D"

// checkWeights returns an error for bad node weights.
func (d *Dictionary) checkWeights() error {
	switch {
	case d.Q == nil && d.H == nil:
		return errors.New("gdl: the dictionary has no node weights, expected Q (shared) or H (of the atoms' own)")
	case d.Q != nil && d.H != nil:
		return errors.New("gdl: the dictionary has shared node weights Q and also the atoms' own H, expected one of the two")
	case d.H == nil:
		if len(d.Q) != d.N {
			panic(wrongSlices)
		}
		if _, err := gw.SumWeights(d.Q); err != nil {
			return fmt.Errorf("gdl: node %w", err)
		}
	case len(d.H) != d.S:
		panic(wrongSlices)
	}
	for s, h := range d.H {
		if len(h) != d.N {
			panic(wrongSlices)
		}
		if _, err := gw.SumWeights(h); err != nil {
			return fmt.Errorf("gdl: atom %d: node %w", s, err)
		}
	}
	return nil
}

// shared returns the node weights that all atoms share, or the first atom's. Weights of single
// precision are normalised.
func (d *Dictionary) shared() []float64 {
	q := d.Q
	if d.H != nil {
		q = d.H[0]
	}
	sum, err := gw.SumWeights(q)
	if err != nil || math.Abs(sum-1) <= 1e-9 {
		return q
	}
	q = slices.Clone(q)
	for k := range q {
		q[k] /= sum
	}
	return q
}

// uneven reports whether atoms have different node weights.
func (d *Dictionary) uneven() bool {
	return slices.ContainsFunc(d.H, func(h []float64) bool { return !slices.Equal(h, d.H[0]) })
}

// Reconstruct returns the model graph of the weights w (length S): its structure
// Ct(w), N*N row-major, and its features At(w), N*D, nil without features. Any finite weights will
// do. A dictionary that Check rejects, weights that are not finite, a w of another length and entries
// that overflow are errors. Cost O(S N (N + D)).
func (d *Dictionary) Reconstruct(w []float64) (C, A []float64, err error) {
	if err := d.Check(); err != nil {
		return nil, nil, err
	}
	if len(w) != d.S {
		return nil, nil, fmt.Errorf("gdl: w has %d weights, expected one for each of the %d atoms", len(w), d.S)
	}
	for s, x := range w {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return nil, nil, fmt.Errorf("gdl: w[%d] is %v, expected a finite number", s, x)
		}
	}
	C = make([]float64, d.N*d.N)
	mix(C, d.C, w)
	if d.D > 0 {
		A = make([]float64, d.N*d.D)
		mix(A, d.A, w)
	}
	for _, x := range slices.Concat(C, A) {
		if !(math.Abs(x) <= math.MaxFloat64) {
			return nil, nil, errors.New("gdl: the model of w overflows")
		}
	}
	return C, A, nil
}

// Model returns the model graph (Ct(w), At(w), ht(v)) of the embeddings w and v (length S, on the
// simplex). GW distances and barycentres of embedded graphs use it. If atoms share node weights, v
// is empty and the model has these weights. It always has N nodes. Nodes of weight zero are kept:
// they change no distance, and couplings of an embedding fit the model. A dictionary that Check
// rejects, weights below 0 and a sum off 1 by more than 1e-6 are errors. Cost O(S N (N + D)).
func (d *Dictionary) Model(w, v []float64) (*gw.Space, error) {
	C, A, err := d.Reconstruct(w)
	if err != nil {
		return nil, err
	}
	if len(v) != len(d.H) {
		return nil, fmt.Errorf("gdl: v has %d weights, expected one for each of %d atoms with node weights of their own", len(v), len(d.H))
	}
	if err := d.checkEmbedded("w", w); err != nil {
		return nil, err
	}
	h := d.Q
	if d.H != nil {
		if err := d.checkEmbedded("v", v); err != nil {
			return nil, err
		}
		h = make([]float64, d.N)
		mix(h, d.H, v)
	}
	return gw.NewSpace(C, A, d.N, d.D, h)
}

// checkEmbedded returns an error for weights that are not on the simplex of the atoms.
func (d *Dictionary) checkEmbedded(name string, w []float64) error {
	if len(w) != d.S {
		return fmt.Errorf("gdl: %s has %d weights, expected one for each of the %d atoms", name, len(w), d.S)
	}
	if _, err := gw.SumWeights(w); err != nil {
		return fmt.Errorf("gdl: %s: %w", name, err)
	}
	return nil
}

// mix sets dst to sum_s w_s x_s.
func mix(dst []float64, x [][]float64, w []float64) {
	clear(dst)
	for s, ws := range w {
		if ws == 0 {
			continue
		}
		for k, v := range x[s] {
			dst[k] += float64(ws * v)
		}
	}
}
