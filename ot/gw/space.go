package gw

import (
	"errors"
	"fmt"
	"math"

	"ogdl/internal/vec"
)

// Space is a graph with structure C, features A and node weights p. It caches the values that every
// solve needs.
type Space struct {
	n, d, ld int

	c  []float64 // n rows of stride ld, zeros in the padding
	a  []float64 // n*d
	at []float64 // its transpose, d rows of stride ld, zeros in the padding
	p  []float64

	cp   []float64 // C p
	c2p  []float64 // (C o C) p
	pc2p float64   // p'(C o C)p

	// Compressed rows of C, when they are worth their indices.
	sparse bool
	filled bool    // so many that a kernel adds a row with its zeros sooner; the sums are the same
	unit   float64 // what every stored entry is, if they are equal; else 0
	rowPtr []int32
	col    []int32
	val    []float64
}

// NewSpace checks and copies a graph of order n from 1 to 131072 (for matrices by rows see
// [FromRows], for lists of edges [FromEdges]): C is n*n row-major and symmetric (asymmetry of
// rounding size, 1e-12 of the largest entry, is averaged away); A is n*d row-major, or nil with d =
// 0 for a graph without features; p holds n non-negative weights summing to 1 within 1e-6 (they are
// renormalised), or is nil for uniform weights. Objectives square the entries of C and A, so none
// may be above 1e100 in size, and the largest of either must be 0 or at least 1e-100. Other values
// are errors; slices of the wrong length panic. Time and memory are O(n^2 + nd).
func NewSpace(C, A []float64, n, d int, p []float64) (*Space, error) {
	if err := checkShape(n, d); err != nil {
		return nil, err
	}
	if len(C) != n*n || len(A) != n*d || (p != nil && len(p) != n) {
		panic(fmt.Sprintf("gw: NewSpace: n = %d, d = %d with len(C) = %d, len(A) = %d, len(p) = %d", n, d, len(C), len(A), len(p)))
	}
	scale, err := checkSizes(C, A, n, d)
	if err != nil {
		return nil, err
	}
	w, err := weights(p, n)
	if err != nil {
		return nil, err
	}
	s := newSpace(n, d, w)
	if err := s.fill(C, scale); err != nil {
		return nil, err
	}
	copy(s.a, A)
	s.derive()
	s.compress()
	return s, nil
}

// Set replaces structure and features by others of the same shapes, checked as by
// NewSpace; weights stay. It allocates nothing and drops any compressed form.
// After an error the space is not to be used before a Set that succeeds. A
// [Solver] that the space is bound to must be bound again. Cost O(n^2 + nd).
func (s *Space) Set(C, A []float64) error {
	if len(C) != s.n*s.n || len(A) != len(s.a) {
		panic(fmt.Sprintf("gw: Set: len(C) = %d, len(A) = %d for n = %d, d = %d", len(C), len(A), s.n, s.d))
	}
	if err := checkSpace("the space to set", s); err != nil {
		return err
	}
	scale, err := checkSizes(C, A, s.n, s.d)
	if err != nil {
		return err
	}
	if err := s.fill(C, scale); err != nil {
		return err
	}
	copy(s.a, A)
	s.sparse = false
	s.derive()
	return nil
}

// fill copies a structure whose largest absolute value is scale.
func (s *Space) fill(C []float64, scale float64) error {
	n := s.n
	for i := range n {
		for j := i; j < n; j++ {
			x, y := C[i*n+j], C[j*n+i]
			if math.Abs(x-y) > 1e-12*scale {
				return fmt.Errorf("gw: structure is not symmetric: entry (%d, %d) is %v and (%d, %d) is %v", i, j, x, j, i, y)
			}
			if x != y {
				x = float64(x/2) + float64(y/2)
			}
			s.c[i*s.ld+j], s.c[j*s.ld+i] = x, x
		}
	}
	return nil
}

// NewTarget returns a space whose structure and features are zero and are meant
// to be changed in place by Mix: the model side of an unmixing. n, d and q are as n,
// d and p in NewSpace.
func NewTarget(n, d int, q []float64) (*Space, error) {
	if err := checkShape(n, d); err != nil {
		return nil, err
	}
	if q != nil && len(q) != n {
		panic(fmt.Sprintf("gw: NewTarget: n = %d, d = %d, len(q) = %d", n, d, len(q)))
	}
	w, err := weights(q, n)
	if err != nil {
		return nil, err
	}
	return newSpace(n, d, w), nil
}

func newSpace(n, d int, w []float64) *Space {
	ld := vec.Pad(n)
	s := &Space{n: n, d: d, ld: ld, c: make([]float64, n*ld), p: w, cp: make([]float64, ld)[:n], c2p: make([]float64, ld)[:n]}
	if d > 0 {
		s.a, s.at = make([]float64, n*d), make([]float64, d*ld)
	}
	return s
}

func weights(p []float64, n int) ([]float64, error) {
	w := make([]float64, n)
	if p == nil {
		for i := range w {
			w[i] = 1 / float64(n)
		}
		return w, nil
	}
	sum, err := SumWeights(p)
	if err != nil {
		return nil, fmt.Errorf("gw: %w", err)
	}
	for i, x := range p {
		w[i] = x / sum
	}
	return w, nil
}

// SumWeights returns the sum of node weights. Errors: an entry that is negative or not finite, or a
// sum that differs from 1 by more than 1e-6, the rounding of single precision. The error begins
// with "weight" or "weights" and names no package, so that the caller can add a prefix.
func SumWeights(p []float64) (float64, error) {
	sum := 0.0
	for i, x := range p {
		if !(x >= 0) || math.IsInf(x, 0) {
			return 0, fmt.Errorf("weight %d is %v, expected a finite number >= 0", i, x)
		}
		sum += x
	}
	if math.Abs(sum-1) > 1e-6 {
		return 0, fmt.Errorf("weights sum to %v, expected 1 within 1e-6", sum)
	}
	return sum, nil
}

// Mix sets s to the weighted combination of atoms of its own order and feature
// dimension: C = sum_s w_s C_s, A = sum_s w_s A_s. Weights p stay. It allocates
// nothing and drops any compressed form. A nil atom, s itself, an atom of another order
// or feature dimension, and a weight that is not finite are errors, and s is as it was. A mix whose squares
// overflow is an error too; s is then not to be used before a Set or Mix that succeeds. Slices of
// different lengths panic. Cost O(S n (n + d)) over the nonzero weights.
func (s *Space) Mix(atoms []*Space, w []float64) error {
	if len(atoms) != len(w) {
		panic(fmt.Sprintf("gw: Mix: %d atoms with %d weights", len(atoms), len(w)))
	}
	if err := checkSpace("the space to set", s); err != nil {
		return err
	}
	for k, t := range atoms {
		switch {
		case t == nil:
			return fmt.Errorf("gw: atom %d is nil", k)
		case t == s:
			return fmt.Errorf("gw: atom %d is the space to set, expected another one", k)
		case t.n != s.n || t.d != s.d:
			return fmt.Errorf("gw: atom %d has order %d and feature dimension %d, expected %d and %d", k, t.n, t.d, s.n, s.d)
		case math.IsNaN(w[k]) || math.IsInf(w[k], 0):
			return fmt.Errorf("gw: the weight of atom %d is %v, expected a finite number", k, w[k])
		}
	}
	clear(s.c)
	clear(s.a)
	var four [4]int // atoms with weight that are not in yet
	some := 0
	for k := range atoms {
		if w[k] == 0 {
			continue
		}
		four[some] = k
		if some++; some < len(four) {
			continue
		}
		some = 0
		t0, t1, t2, t3 := atoms[four[0]], atoms[four[1]], atoms[four[2]], atoms[four[3]]
		w0, w1, w2, w3 := w[four[0]], w[four[1]], w[four[2]], w[four[3]]
		vec.AxpyInTurn(w0, w1, w2, w3, t0.c, t1.c, t2.c, t3.c, s.c)
		vec.AxpyInTurn(w0, w1, w2, w3, t0.a, t1.a, t2.a, t3.a, s.a)
	}
	for _, k := range four[:some] {
		vec.Axpy(w[k], atoms[k].c, s.c)
		vec.Axpy(w[k], atoms[k].a, s.a)
	}
	s.sparse = false
	s.derive()
	if !(s.pc2p+vec.Dot(s.a, s.a) <= math.MaxFloat64) {
		return errors.New("gw: the mix overflows: weights are too large for these atoms")
	}
	return nil
}

// Copy sets s to structure and features of t, a space of the same order, feature dimension and
// weights, as Mix does where t is the only atom, of weight 1. It drops any compressed form. A nil t,
// other sizes, and node weights that differ by more than 1e-12 are errors.
func (s *Space) Copy(t *Space) error {
	if err := checkSpace("the space to copy", t); err != nil {
		return err
	}
	if s.n != t.n || s.d != t.d {
		return fmt.Errorf("gw: the space to copy has order %d and feature dimension %d, expected %d and %d", t.n, t.d, s.n, s.d)
	}
	for i, p := range t.p {
		if math.Abs(p-s.p[i]) > 1e-12 {
			return fmt.Errorf("gw: the space to copy has weight %v of node %d, expected %v", p, i, s.p[i])
		}
	}
	copy(s.c, t.c)
	copy(s.a, t.a)
	copy(s.at, t.at)
	copy(s.cp, t.cp)
	copy(s.c2p, t.c2p)
	s.pc2p, s.sparse = t.pc2p, false
	return nil
}

// Reweigh replaces the node weights by p, as in NewSpace but not nil, and
// allocates nothing; after an error s is as it was. A [Solver] that the space is
// bound to must be bound again. Cost O(n^2).
func (s *Space) Reweigh(p []float64) error {
	if len(p) != s.n {
		panic(fmt.Sprintf("gw: Reweigh: %d weights for %d nodes", len(p), s.n))
	}
	sum, err := SumWeights(p)
	if err != nil {
		return fmt.Errorf("gw: %w", err)
	}
	for i, x := range p {
		s.p[i] = x / sum
	}
	s.derive()
	return nil
}

func (s *Space) derive() {
	vec.Transpose(s.a, s.d, s.n, s.d, s.at, s.ld)
	s.moments()
}

// moments computes what depends on structure and weights.
func (s *Space) moments() {
	s.pc2p = 0
	vec.Moments(s.c, s.ld, s.p, s.cp[:s.ld], s.c2p[:s.ld])
	for i, p := range s.p {
		s.pc2p += float64(s.c2p[i] * p)
	}
}

// compress stores the rows of C without zeros when at least half of it is zero,
// or when all others are equal, as in an adjacency matrix of any scale (then products
// become sums).
func (s *Space) compress() {
	nnz, unit, equal := 0, 0.0, true
	for _, x := range s.c {
		if x != 0 {
			if nnz == 0 {
				unit = x
			}
			nnz++
			equal = equal && x == unit
		}
	}
	if !equal && 2*nnz > s.n*s.n {
		return
	}
	s.sparse, s.filled, s.unit = true, vec.Kernels() != "go" && 4*nnz > s.n*s.n, 0
	if equal {
		s.unit = unit
	}
	s.rowPtr = make([]int32, s.n+1)
	s.col = make([]int32, 0, nnz)
	if !equal {
		s.val = make([]float64, 0, nnz)
	}
	for i := range s.n {
		for j, x := range s.c[i*s.ld : i*s.ld+s.n] {
			if x != 0 {
				s.col = append(s.col, int32(j))
				if !equal {
					s.val = append(s.val, x)
				}
			}
		}
		s.rowPtr[i+1] = int32(len(s.col))
	}
}

// N returns the number of nodes.
func (s *Space) N() int { return s.n }

// D returns the feature dimension, 0 without features.
func (s *Space) D() int { return s.d }

// C returns the structure matrix, a view: entry (i, j) is at c[i*ld+j], the padding of a row holds
// zeros. It must not be written to.
func (s *Space) C() (c []float64, ld int) { return s.c, s.ld }

// A returns the n x d feature matrix, row-major; a view, nil without features. It must not be written to.
func (s *Space) A() []float64 { return s.a }

// P returns the vector of node weights, a view. It must not be written to.
func (s *Space) P() []float64 { return s.p }

// SelfTerm returns p'(C o C)p, the constant that the graph's own structure adds to every
// Gromov-Wasserstein objective.
func (s *Space) SelfTerm() float64 { return s.pc2p }

// Scale returns the size of the graph in the unit of the objective,
//
//	alpha p'(C o C)p + (1 - alpha) sum_i p_i |a_i - m|^2   with m = sum_i p_i a_i,
//
// which is the objective against a single node without a loop, of features m. Tolerances are
// relative to it. It is quadratic in the scale of structure and features, and does not change when
// all features move. Cost O(nd).
func (s *Space) Scale(alpha float64) float64 {
	f := 0.0
	if alpha < 1 {
		for k := range s.d {
			// Relative to the first node, so that nothing cancels far from zero.
			first, mean, sum := s.a[k], 0.0, 0.0
			for i, p := range s.p {
				mean += float64(p * (s.a[i*s.d+k] - first))
			}
			for i, p := range s.p {
				x := (s.a[i*s.d+k] - first) - mean
				sum += float64(p * float64(x*x))
			}
			f += sum
		}
	}
	return float64(alpha*s.pc2p) + float64((1-alpha)*f)
}
