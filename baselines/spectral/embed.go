package spectral

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
)

var errNoContext = errors.New("spectral: ctx is nil, expected a context")

// Embedding holds the first eigenvectors of a normalised Laplacian, from which labels come.
type Embedding struct {
	N, K int
	// Vectors is N x K, row by row. Its columns u solve the generalised problem
	// (D - W) u = lambda D u of Shi & Malik, with u'Du = 1: they are D^{-1/2} v for
	// the eigenvectors v of the normalised Laplacian. The entry of largest magnitude
	// of a column is positive. Graphs with equal rows of distances have equal rows if
	// Eigenvalues[K-1] is below 1 by more than rounding. Otherwise vectors tell equal graphs apart.
	Vectors []float64
	// Eigenvalues are the first K+1 (N where K = N), ascending. Where the last two are
	// equal to rounding, the vectors are not determined by the data.
	Eigenvalues []float64
}

// Embed returns the first k eigenvectors of the normalised Laplacian
// I - D^{-1/2} W D^{-1/2} of the affinity W = exp(-gamma dist), where dist is the
// n x n matrix of distances, row by row, and D holds the row sums of W. gamma has the inverse of
// the distances' unit; the paper's comparison tries 2^-10 to 2^10. For several kinds of labels at
// one gamma call Embed once, because it takes nearly all the time.
//
// The first eigenvector is kept, as in scikit-learn's SpectralClustering (spectral clustering needs
// it where there are several components). W keeps its diagonal of ones (scikit-learn drops it), so
// that no degree is below 1: however large gamma is, nothing is divided by zero. Once all
// affinities between distinct graphs underflow, W is a block of ones for each set of equal graphs,
// every block has eigenvalue 0, and which of them the vectors show is arbitrary, but the same at
// every call. Small gamma is harmless (the vectors have a limit) until gamma times the largest
// distance comes near 1e-13, where exp no longer tells the distances apart.
//
// The matrix must be symmetric within 1e-12 of its largest entry, with finite entries >= 0 and a
// zero diagonal, gamma finite and positive, n >= 1 and k between 1 and n; anything else, and a nil
// ctx, is an error. A length other than n*n panics. Cost O(n^2) and about 4/3 m^3 multiply-adds,
// where m is the number of distinct rows; memory O(n^2).
//
// When the context ends first its error is returned, within a second at n = 1500.
func Embed(ctx context.Context, dist []float64, n, k int, gamma float64) (*Embedding, error) {
	switch {
	case ctx == nil:
		return nil, errNoContext
	case n < 1:
		return nil, fmt.Errorf("spectral: n is %d, expected at least one graph", n)
	case len(dist) != n*n:
		panic(fmt.Sprintf("spectral: %d distances for %d graphs", len(dist), n))
	}
	if k < 1 || k > n {
		return nil, fmt.Errorf("spectral: %d clusters of %d graphs, expected between 1 and the number of graphs", k, n)
	}
	if !(gamma > 0) || math.IsInf(gamma, 1) {
		return nil, fmt.Errorf("spectral: gamma is %v, expected a finite number > 0", gamma)
	}
	if err := check(dist, n); err != nil {
		return nil, err
	}
	// Equal rows are one vertex of larger weight. This omits the eigenvectors that distinguish
	// equal graphs; their eigenvalue is 1.
	first, group := equalRows(dist, n)
	e, err := embed(ctx, dist, n, k, gamma, first, group)
	if err == nil && len(first) < n && (e == nil || e.Eigenvalues[k-1] >= 1) {
		every := make([]int, n)
		for i := range every {
			every[i] = i
		}
		return embed(ctx, dist, n, k, gamma, every, every)
	}
	return e, err
}

func check(dist []float64, n int) error {
	scale := 0.0
	for at, v := range dist {
		if !(v >= 0) || math.IsInf(v, 1) {
			return fmt.Errorf("spectral: distance (%d, %d) is %v, expected a finite number >= 0", at/n, at%n, v)
		}
		scale = max(scale, v)
	}
	for i := range n {
		if v := dist[i*n+i]; v != 0 {
			return fmt.Errorf("spectral: distance (%d, %d) is %v, expected 0", i, i, v)
		}
		for j := range i {
			if x, y := dist[i*n+j], dist[j*n+i]; math.Abs(x-y) > 1e-12*scale {
				return fmt.Errorf("spectral: distances are not symmetric: entry (%d, %d) is %v and (%d, %d) is %v", i, j, x, j, i, y)
			}
		}
	}
	return nil
}

// equalRows groups the rows of the matrix: first[g] is the first one of group g,
// ascending, and group[i] the group of row i.
func equalRows(dist []float64, n int) (first, group []int) {
	seen := make(map[string]int, n)
	group = make([]int, n)
	buf := make([]byte, 0, 8*n)
	for i := range n {
		buf = buf[:0]
		for _, v := range dist[i*n : (i+1)*n] {
			buf = binary.LittleEndian.AppendUint64(buf, math.Float64bits(v+0)) // -0 is 0
		}
		g, ok := seen[string(buf)]
		if !ok {
			g = len(first)
			seen[string(buf)] = g
			first = append(first, i)
		}
		group[i] = g
	}
	return first, group
}

// embed works on the vertices first, each standing for the rows of its group. It
// returns nil where they are fewer than k.
func embed(ctx context.Context, dist []float64, n, k int, gamma float64, first, group []int) (*Embedding, error) {
	m := len(first)
	if m < k {
		return nil, nil
	}
	count, degree := make([]float64, m), make([]float64, m)
	for _, g := range group {
		count[g]++
	}
	w := make([]float64, m*m)
	for g, i := range first {
		for h, j := range first[:g] {
			v := math.Exp(-gamma * dist[i*n+j])
			w[g*m+h] = v
			degree[g] += float64(v * count[h])
			degree[h] += float64(v * count[g])
		}
		w[g*m+g] = 1
	}
	for g := range degree {
		degree[g] += count[g]
	}
	root := make([]float64, m) // of the part of its group's degree that a row has
	for g := range root {
		root[g] = math.Sqrt(count[g] / degree[g])
	}
	values, vectors, err := smallest(ctx, m, k, func(a []float64) {
		for g := range m {
			for h := range g {
				a[g*m+h] = -float64(float64(w[g*m+h]*root[g]) * root[h])
			}
			a[g*m+g] = 1 - float64(root[g]*root[g])
		}
	})
	if err != nil {
		return nil, err
	}
	e := &Embedding{N: n, K: k, Vectors: make([]float64, n*k)}
	if m < n {
		values = append(values[:min(k+1, m)], 1) // of the omitted vectors
		slices.Sort(values)
	}
	for _, v := range values[:min(k+1, n)] {
		e.Eigenvalues = append(e.Eigenvalues, max(0, v)) // below 0 by rounding only
	}
	for c := range k {
		v := vectors[c*m : (c+1)*m]
		far := 0.0
		for g := range v {
			v[g] /= math.Sqrt(count[g] * degree[g])
			if math.Abs(v[g]) > math.Abs(far) {
				far = v[g]
			}
		}
		for i, g := range group {
			e.Vectors[i*k+c] = math.Copysign(1, far) * v[g]
		}
	}
	return e, nil
}
