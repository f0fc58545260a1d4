package gdl

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"ogdl/eval"
	"ogdl/internal/vec"
	"ogdl/ot/gw"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
)

// Mahalanobis returns the S x S matrix of propositions 1 and 2, row-major,
//
//	M_st = alpha sum_kl q_k q_l (C_s,kl - c)(C_t,kl - c) + (1 - alpha) sum_k q_k <A_s,k - o, A_t,k - o>
//
// symmetric and positive semi-definite. Features are taken relative to o = [gw.Origin], mostly the
// features of the first atom's first node, so that M does not change when all features move
// together, and structures relative to c = [gw.Offset], mostly 0; the propositions have o = 0 and c
// = 0. Between weights that sum to one the differences cancel. For any weights w1, w2 on the
// simplex (w1 - w2)'M(w1 - w2) bounds FGW^2 between the two model graphs from above: it is the
// objective at the diagonal coupling diag(q). The same matrix is the quadratic form of an unmixing.
// Cost O(S^2 N (N + D)).
//
// A dictionary that Check rejects is an error, and so are atoms whose node weights
// differ: no such matrix bounds the distances of their models.
func (d *Dictionary) Mahalanobis() ([]float64, error) {
	m, err := d.evenModel()
	if err != nil {
		return nil, err
	}
	return m.gram, nil
}

// evenModel returns the model of a dictionary whose atoms have the same node weights.
func (d *Dictionary) evenModel() (*model, error) {
	m, err := newModel(d)
	if err == nil && m.uneven {
		err = errors.New("gdl: the atoms have different node weights, expected the same: there is no Mahalanobis distance between their models")
	}
	return m, err
}

// origin returns the point that features are taken relative to, a view.
func (d *Dictionary) origin() []float64 {
	p := d.H
	if p == nil {
		p = make([][]float64, len(d.A))
		for s := range p {
			p[s] = d.Q
		}
	}
	return gw.Origin(d.A, p, d.D)
}

// gram fills in the entries of changed atoms, with structures c relative to the offset and features
// a relative to the origin; nil means all. scratch has N (N + D) + 2 S entries.
func (d *Dictionary) gram(m []float64, changed []bool, c, a [][]float64, scratch []float64) {
	size, q := d.N*(d.N+d.D), d.shared()
	x, y, ofC, ofA := scratch[:d.N*d.N], scratch[d.N*d.N:size], scratch[size:size+d.S], scratch[size+d.S:]
	for s := range d.S {
		for k, qk := range q {
			for l, ql := range q {
				x[k*d.N+l] = float64(qk*ql) * c[s][k*d.N+l]
			}
			for j := k * d.D; j < (k+1)*d.D; j++ {
				y[j] = qk * a[s][j]
			}
		}
		first := 0 // that has changed; later unchanged atoms are recomputed to the same value
		if changed != nil && !changed[s] {
			for first <= s && !changed[first] {
				first++
			}
		}
		vec.Dots(c[first:s+1], x, ofC[first:])
		if d.D > 0 {
			vec.Dots(a[first:s+1], y, ofA[first:])
		}
		for t := first; t <= s; t++ {
			v := float64(d.Alpha * ofC[t])
			if d.D > 0 {
				v += float64((1 - d.Alpha) * ofA[t])
			}
			m[s*d.S+t], m[t*d.S+s] = v, v
		}
	}
}

// featureProduct returns sum_k q_k <X_k, Y_k>.
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

// Distance returns the Mahalanobis distance of two embeddings, sqrt((w1 - w2)'M(w1 - w2)): an upper
// bound of the FGW distance (the root of FGW^2) between their model graphs. It is the norm of the
// models' difference, so it keeps its digits where they are near. For many pairs take Coordinates
// once. Errors: as Mahalanobis has them, weights of another length or below 0, and a sum off 1 by
// more than 1e-6. Cost O(S^2 N (N + D)).
func (d *Dictionary) Distance(w1, w2 []float64) (float64, error) {
	m, err := d.evenModel()
	if err != nil {
		return 0, err
	}
	if err := cmp.Or(d.checkEmbedded("w1", w1), d.checkEmbedded("w2", w2)); err != nil {
		return 0, err
	}
	difference := make([]float64, d.S)
	floats.SubTo(difference, w1, w2)
	if err := m.level.Mix(m.atoms, difference); err != nil {
		return 0, fmt.Errorf("gdl: %w", err)
	}
	C, ld := m.level.C()
	q, sum := m.level.P(), 0.0
	for k, qk := range q {
		for l, ql := range q {
			sum += float64(d.Alpha * qk * ql * C[k*ld+l] * C[k*ld+l])
		}
		for _, a := range m.level.A()[k*d.D : (k+1)*d.D] {
			sum += float64((1 - d.Alpha) * qk * a * a)
		}
	}
	return math.Sqrt(sum), nil
}

// Coordinates returns points whose Euclidean distances are the Mahalanobis distances of the
// embeddings: len(embeddings) x S numbers, row by row, as eval.KMeans takes them. Points of
// several calls share their axes. Errors: as Mahalanobis has them, weights of another length or
// below 0, and a sum off 1 by more than 1e-6.
func (d *Dictionary) Coordinates(embeddings []Embedding) ([]float64, error) {
	M, err := d.Mahalanobis()
	if err != nil {
		return nil, err
	}
	root, err := symmetricRoot(M, d.S)
	if err != nil {
		return nil, err
	}
	points := make([]float64, 0, len(embeddings)*d.S)
	for k, e := range embeddings {
		if err := d.checkEmbedded(fmt.Sprintf("embedding %d", k), e.W); err != nil {
			return nil, err
		}
		points = append(points, apply(root, e.W)...)
	}
	return points, nil
}

// Cluster returns k-means clusters of the embeddings in the Mahalanobis distance. Centers are in
// the space of [Dictionary.Coordinates]. Errors come from Coordinates and [eval.KMeans].
func Cluster(d *Dictionary, embeddings []Embedding, k int, set *eval.KMeansSettings, rng *rand.Rand) (eval.Clustering, error) {
	points, err := d.Coordinates(embeddings)
	if err != nil {
		return eval.Clustering{}, err
	}
	return eval.KMeans(points, len(embeddings), d.S, k, set, rng)
}

// symmetricRoot returns the symmetric positive semi-definite R with R R = M for a symmetric
// positive semi-definite s x s matrix M: with M of Mahalanobis, the Euclidean distance of R w1 and
// R w2 is the Mahalanobis distance of w1 and w2. Negative eigenvalues come from rounding and count
// as zero. M is row-major, symmetric and finite; only its diagonal and the entries above it are
// read. An eigen-decomposition that does not converge is an error. Cost O(s^3).
func symmetricRoot(M []float64, s int) ([]float64, error) {
	largest := 0.0
	for _, x := range M {
		largest = max(largest, math.Abs(x))
	}
	m := append([]float64(nil), M...)
	for k, x := range m {
		// Below the rounding of the root. The decomposition may not survive entries of 1e-122 next
		// to entries of 1.
		if math.Abs(x) <= 0x1p-104*largest {
			m[k] = 0
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(s, m), true) {
		return nil, errors.New("gdl: the eigen-decomposition of the matrix did not converge")
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
				root[j*s+i] = root[i*s+j]
			}
		}
	}
	return root, nil
}

// apply returns R w for a symmetric root R: the coordinates in which plain
// k-means is k-means in the Mahalanobis distance.
func apply(R, w []float64) []float64 {
	s := len(w)
	out := make([]float64, s)
	for i := range out {
		for j, x := range w {
			out[i] += float64(R[i*s+j] * x)
		}
	}
	return out
}
