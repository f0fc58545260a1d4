package gdl

import (
	"fmt"
	"math"

	"ogdl/internal/vec"
	"ogdl/ot/gw"

	"gonum.org/v1/gonum/mat"
)

// Dictionary is S graph atoms of order N with features of dimension D, shared
// node weights, and the trade-off alpha that they were made for. It is plain
// data; Check says whether it is sound, and everything that takes a dictionary
// calls it.
type Dictionary struct {
	S int // number of atoms, >= 1
	N int // order of every atom, >= 1
	D int // feature dimension, 0 for GW

	// Alpha weighs structure against features: alpha GW + (1 - alpha) W, in
	// [0, 1]; it must be 1 where D = 0.
	Alpha float64

	C [][]float64 // S structures, N*N row-major, symmetric
	A [][]float64 // S feature matrices, N*D row-major; nil where D = 0
	Q []float64   // N node weights on the simplex, shared by all atoms
}

// NewDictionary returns S zero atoms of order N and feature dimension D with
// uniform node weights. S or N below 1 and D below 0 are errors; alpha is not
// looked at (Check does).
func NewDictionary(S, N, D int, alpha float64) (*Dictionary, error) {
	if err := checkSizes(S, N, D); err != nil {
		return nil, err
	}
	return newDictionary(S, N, D, alpha), nil
}

// newDictionary is NewDictionary for sizes that are in range.
func newDictionary(S, N, D int, alpha float64) *Dictionary {
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
	for k := range d.Q {
		d.Q[k] = 1 / float64(N)
	}
	return d
}

// Clone returns a deep copy.
func (d *Dictionary) Clone() *Dictionary {
	c := newDictionary(d.S, d.N, d.D, d.Alpha)
	for s := range d.S {
		copy(c.C[s], d.C[s])
		if d.D > 0 {
			copy(c.A[s], d.A[s])
		}
	}
	copy(c.Q, d.Q)
	return c
}

// maxAtoms keeps the S x S matrices of inner products, which nothing else in a
// dictionary's file bounds, at half a gigabyte.
const maxAtoms = 1 << 13

// Check returns an error where the dictionary is nil or its values break its
// contract: S or N below 1, D below 0, more than 8192 atoms, alpha outside [0, 1] (or not 1 without features), atoms that package gw
// refuses (entries that are not finite, or whose squares overflow, and structures
// that are not symmetric), node weights off the simplex by more than 1e-9. Slices of the
// wrong length panic.
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
	if len(d.C) != d.S || len(d.Q) != d.N || (d.D > 0 && len(d.A) != d.S) || (d.D == 0 && len(d.A) != 0) {
		panic("gdl: the dictionary's slices do not fit its S, N and D")
	}
	if d.S > maxAtoms {
		return nil, fmt.Errorf("gdl: %d atoms, expected at most %d", d.S, maxAtoms)
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
		x, err := gw.NewSpace(d.C[s], a, d.N, d.D, d.Q)
		if err != nil {
			return nil, fmt.Errorf("gdl: atom %d: %w", s, err)
		}
		atoms[s] = x
	}
	return atoms, nil
}

// Reconstruct returns the model graph of the weights w (length S): its structure
// Ct(w), N*N row-major, and its features At(w), N*D, nil without features.
func (d *Dictionary) Reconstruct(w []float64) (C, A []float64) {
	if len(w) != d.S {
		panic(fmt.Sprintf("gdl: %d weights for %d atoms", len(w), d.S))
	}
	C = make([]float64, d.N*d.N)
	mix(C, d.C, w)
	if d.D > 0 {
		A = make([]float64, d.N*d.D)
		mix(A, d.A, w)
	}
	return C, A
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

// Mahalanobis returns the S x S matrix of propositions 1 and 2, row-major,
//
//	M_st = alpha sum_kl q_k q_l C_s,kl C_t,kl + (1 - alpha) sum_k q_k <A_s,k - o, A_t,k - o>
//
// symmetric and positive semi-definite. Features are taken relative to o = A_1,1,
// those of the first atom's first node, so that M does not change when all features
// move together; the propositions have o = 0, and the difference is of no account
// between weights that sum to one. For any weights w1, w2 on the simplex
// (w1 - w2)'M(w1 - w2) bounds FGW^2 between the two model graphs from above: it
// is the objective at the diagonal coupling diag(q). The same matrix is the
// quadratic form of an unmixing. Cost O(S^2 N (N + D)).
func (d *Dictionary) Mahalanobis() []float64 {
	m, a := make([]float64, d.S*d.S), make([][]float64, len(d.A))
	for s := range a {
		a[s] = make([]float64, d.N*d.D)
		relative(a[s], d.A[s], d.origin())
	}
	d.gram(m, nil, a, make([]float64, d.N*(d.N+d.D)))
	return m
}

// origin is the point of the feature space that features are taken relative to,
// so that nothing that is multiplied out loses digits to an offset of all of
// them. It is an entry and no mean: where features are exact in binary, so are
// they relative to it, and no offset changes a bit. A view, nil without features.
func (d *Dictionary) origin() []float64 {
	if d.D == 0 {
		return nil
	}
	return d.A[0][:d.D]
}

// relative sets dst to the features a less the origin o.
func relative(dst, a, o []float64) {
	for i := 0; i < len(a); i += len(o) {
		for j, x := range o {
			dst[i+j] = a[i+j] - x
		}
	}
}

// gram fills in the entries of changed atoms, with features a relative to the
// origin; nil stands for all. scratch has N (N + D) entries.
func (d *Dictionary) gram(m []float64, changed []bool, a [][]float64, scratch []float64) {
	x, y := scratch[:d.N*d.N], scratch[d.N*d.N:]
	for s := range d.S {
		for k, qk := range d.Q {
			for l, ql := range d.Q {
				x[k*d.N+l] = float64(qk*ql) * d.C[s][k*d.N+l]
			}
			for j := k * d.D; j < (k+1)*d.D; j++ {
				y[j] = qk * a[s][j]
			}
		}
		for t := 0; t <= s; t++ {
			if changed != nil && !changed[s] && !changed[t] {
				continue
			}
			v := float64(d.Alpha * vec.Dot(x, d.C[t]))
			if d.D > 0 {
				v += float64((1 - d.Alpha) * vec.Dot(y, a[t]))
			}
			m[s*d.S+t], m[t*d.S+s] = v, v
		}
	}
}

// featureProduct is sum_k q_k <X_k, Y_k>.
func featureProduct(x, y, q []float64, d int) float64 {
	sum := 0.0
	for k, qk := range q {
		row := 0.0
		for j, v := range x[k*d : k*d+d] {
			row += float64(v * y[k*d+j])
		}
		sum += float64(qk * row)
	}
	return sum
}

// Distance is the Mahalanobis distance of two embeddings,
// sqrt((w1 - w2)'M(w1 - w2)): an upper bound of the FGW distance (the root of
// FGW^2) between their model graphs. It computes M on every call; for many
// pairs take SymmetricRoot once.
func (d *Dictionary) Distance(w1, w2 []float64) float64 {
	if len(w1) != d.S || len(w2) != d.S {
		panic(fmt.Sprintf("gdl: weights of length %d and %d for %d atoms", len(w1), len(w2), d.S))
	}
	m, sum := d.Mahalanobis(), 0.0
	for s := range d.S {
		row := 0.0
		for t := range d.S {
			row += float64(m[s*d.S+t] * (w1[t] - w2[t]))
		}
		sum += float64((w1[s] - w2[s]) * row)
	}
	return math.Sqrt(max(sum, 0)) // rounding may leave M slightly indefinite
}

// SymmetricRoot returns the symmetric positive semi-definite R with R R = M for
// a symmetric positive semi-definite s x s matrix M: with M of Mahalanobis, the
// Euclidean distance of R w1 and R w2 is the Mahalanobis distance of w1 and w2.
// Eigenvalues below zero, which rounding leaves, count as zero. M is row-major
// and must be symmetric and finite; wrong shapes panic, and so does an
// eigen-decomposition that does not converge, which finite input excludes.
// Cost O(s^3).
func SymmetricRoot(M []float64, s int) []float64 {
	if s < 1 || len(M) != s*s {
		panic(fmt.Sprintf("gdl: SymmetricRoot: %d entries for a matrix of order %d", len(M), s))
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(s, append([]float64(nil), M...)), true) {
		panic("gdl: SymmetricRoot: the eigen-decomposition failed; is M finite?")
	}
	values := eigen.Values(nil)
	var v mat.Dense
	eigen.VectorsTo(&v)
	root := make([]float64, s*s)
	for k, x := range values {
		r := math.Sqrt(max(x, 0))
		if r == 0 {
			continue
		}
		for i := range s {
			f := r * v.At(i, k)
			for j := 0; j <= i; j++ {
				root[i*s+j] += float64(f * v.At(j, k))
			}
		}
	}
	for i := range s {
		for j := range i {
			root[j*s+i] = root[i*s+j]
		}
	}
	return root
}

// Apply returns R w for a symmetric root R: the coordinates in which plain
// k-means is k-means in the Mahalanobis distance. dst is reused when it has
// length len(w), and allocated when nil.
func Apply(R, w, dst []float64) []float64 {
	s := len(w)
	if len(R) != s*s || (dst != nil && len(dst) != s) {
		panic(fmt.Sprintf("gdl: Apply: %d entries for %d weights", len(R), s))
	}
	if dst == nil {
		dst = make([]float64, s)
	}
	for i := range dst {
		sum := 0.0
		for j, x := range w {
			sum += float64(R[i*s+j] * x)
		}
		dst[i] = sum
	}
	return dst
}
