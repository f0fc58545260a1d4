package spectral

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"ogdl/internal/vec"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/lapack/gonum"
	"gonum.org/v1/gonum/mat"
)

// smallest returns all eigenvalues of a symmetric n x n matrix, ascending, and
// orthonormal eigenvectors of the first k as rows (k x n). fill writes the matrix,
// row by row; its lower triangle is enough, and it may be called again.
//
// The matrix is made tridiagonal, and only the wanted eigenvectors are computed, by
// inverse iteration: O(4/3 n^3), several times faster than a full decomposition.
// The latter steps in where the residual of a vector is not of the size of rounding.
func smallest(ctx context.Context, n, k int, fill func(a []float64)) (values, vectors []float64, err error) {
	a := make([]float64, n*n)
	fill(a)
	t := newTridiagonal(n)
	tau := make([]float64, max(1, n-1))
	if err := reduce(ctx, n, a, t.d, t.e, tau); err != nil {
		return nil, nil, err
	}

	t.flush()
	var lapack gonum.Implementation
	values = append([]float64(nil), t.d...)
	if !lapack.Dsterf(n, values, append([]float64(nil), t.e...)) {
		return nil, nil, fmt.Errorf("spectral: the eigenvalues did not converge")
	}
	vectors = make([]float64, k*n)
	for j := range k {
		if err := ctx.Err(); err != nil {
			return nil, nil, err
		}
		if !t.vector(values[j], vectors[:(j+1)*n]) {
			return full(ctx, n, k, fill)
		}
	}
	if n > 1 && k > 0 {
		// Q = H_0 ... H_(n-2) leaves the first component alone.
		z, query := make([]float64, n*k), make([]float64, 1)
		vec.Transpose(vectors, n, k, n, z, k)
		lapack.Dormqr(blas.Left, blas.NoTrans, n-1, k, n-1, a[n:], n, tau, z[k:], k, query, -1)
		work := make([]float64, int(query[0]))
		lapack.Dormqr(blas.Left, blas.NoTrans, n-1, k, n-1, a[n:], n, tau, z[k:], k, work, len(work))
		vec.Transpose(z, k, n, k, vectors, n)
	}
	return values, vectors, nil
}

// Eigenvalues returns all eigenvalues of a symmetric n x n matrix A, row by row, ascending, in
// O(4/3 n^3). Only the lower triangle is read. Errors: a nil ctx, n < 1, an entry that is not finite,
// an eigenvalue that overflows, no convergence, and the end of the context. An A whose length is not
// n*n panics.
func Eigenvalues(ctx context.Context, A []float64, n int) ([]float64, error) {
	if len(A) != n*n {
		panic("spectral: A is not n x n")
	}
	size := 0.0
	for i := range n {
		for _, x := range A[i*n : i*n+i+1] {
			size = max(size, math.Abs(x))
		}
	}
	switch {
	case ctx == nil:
		return nil, errNoContext
	case n < 1 || !(size <= math.MaxFloat64):
		return nil, fmt.Errorf("spectral: a matrix of order %d with an entry of size %v, expected 1 at least and finite entries", n, size)
	}
	unit := 0 // power of two: entries of other sizes would overflow, or be flushed
	if size > 0x1p300 || size < 0x1p-30 {
		_, unit = math.Frexp(size)
	}
	values, _, err := smallest(ctx, n, 0, func(a []float64) {
		for i, x := range A {
			a[i] = math.Ldexp(x, -unit)
		}
	})
	for i := range values {
		if values[i] = math.Ldexp(values[i], unit); math.IsInf(values[i], 0) {
			return nil, errors.New("spectral: an eigenvalue overflows")
		}
	}
	return values, err
}

// reduce makes the lower triangle of a, n x n, tridiagonal, bit for bit as LAPACK's
// Dsytrd does: d, e and the reflectors in a and tau. Between blocks of 32
// columns it looks whether the context has ended.
func reduce(ctx context.Context, n int, a, d, e, tau []float64) error {
	var lapack gonum.Implementation
	block := lapack.Ilaenv(1, "DSYTRD", string(blas.Lower), n, -1, -1, -1)
	// From here on LAPACK goes column by column.
	last := max(block, lapack.Ilaenv(3, "DSYTRD", string(blas.Lower), n, -1, -1, -1))
	w := make([]float64, n*block)
	done := 0
	for ; done < n-last; done += block {
		if err := ctx.Err(); err != nil {
			return err
		}
		rest, next := n-done, done+block
		lapack.Dlatrd(blas.Lower, rest, block, a[done*n+done:], n, e[done:], tau[done:], w, block)
		blas64.Implementation().Dsyr2k(blas.Lower, blas.NoTrans, rest-block, block, -1, a[next*n+done:], n, w[block*block:], block, 1, a[next*n+next:], n)
		for j := done; j < next; j++ {
			a[(j+1)*n+j] = e[j]
			d[j] = a[j*n+j]
		}
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	lapack.Dsytd2(blas.Lower, n-done, a[done*n+done:], n, d[done:], e[done:], tau[done:])
	return nil
}

// full is smallest by a decomposition of the whole matrix, which cannot be stopped:
// when the context ends first it is left to run out on its own.
func full(ctx context.Context, n, k int, fill func(a []float64)) (values, vectors []float64, err error) {
	var got struct {
		values, vectors []float64
		err             error
		panicked        any
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer func() { got.panicked = recover() }()
		got.values, got.vectors, got.err = decompose(n, k, fill)
	}()
	select {
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	case <-done:
	}
	if got.panicked != nil {
		panic(got.panicked) // where the caller can catch it
	}
	return got.values, got.vectors, got.err
}

func decompose(n, k int, fill func(a []float64)) (values, vectors []float64, err error) {
	a := make([]float64, n*n)
	fill(a)
	s := mat.NewSymDense(n, nil)
	for i := range n {
		for j := range i + 1 {
			s.SetSym(i, j, a[i*n+j])
		}
	}
	var e mat.EigenSym
	if !e.Factorize(s, true) {
		return nil, nil, fmt.Errorf("spectral: the eigenvalues did not converge")
	}
	q := e.RawQ()
	vectors = make([]float64, k*n)
	for j := range k {
		for i := range n {
			vectors[j*n+i] = q.At(i, j)
		}
	}
	return e.RawValues(), vectors, nil
}

// tridiagonal is a symmetric matrix with diagonal d and off-diagonal e, and room
// for the factors P(T - lambda I) = LU with row exchanges: U has three diagonals.
type tridiagonal struct {
	n             int
	d, e          []float64
	u0, u1, u2, l []float64
	swap          []bool
}

func newTridiagonal(n int) *tridiagonal {
	room := func() []float64 { return make([]float64, n) }
	return &tridiagonal{n: n, d: room(), e: make([]float64, max(0, n-1)), u0: room(), u1: room(), u2: room(), l: room(), swap: make([]bool, n)}
}

// norm returns the largest sum of a row.
func (t *tridiagonal) norm() float64 {
	m := 0.0
	for i := range t.n {
		s := math.Abs(t.d[i])
		if i > 0 {
			s += math.Abs(t.e[i-1])
		}
		if i < t.n-1 {
			s += math.Abs(t.e[i])
		}
		m = max(m, s)
	}
	return m
}

// flush makes zeros of what lies beyond the square of rounding, for a matrix made of
// terms of size 1 as a Laplacian is: it changes no digit, and LAPACK's scaling of blocks
// as small as 1e-146 panics in gonum 0.17.
func (t *tridiagonal) flush() {
	tiny := 0x1p-106 * max(1, t.norm())
	for _, x := range [][]float64{t.d, t.e} {
		for i := range x {
			if math.Abs(x[i]) < tiny {
				x[i] = 0
			}
		}
	}
}

// factor prepares solve for T - lambda I; pivots below tiny are set to it.
func (t *tridiagonal) factor(lambda, tiny float64) {
	n := t.n
	for i := range n {
		t.u0[i], t.u1[i], t.u2[i] = t.d[i]-lambda, 0, 0
		if i < n-1 {
			t.u1[i] = t.e[i]
		}
	}
	for i := range n {
		if i == n-1 {
			if math.Abs(t.u0[i]) < tiny {
				t.u0[i] = tiny
			}
			break
		}
		low := t.e[i]
		if t.swap[i] = math.Abs(low) > math.Abs(t.u0[i]); t.swap[i] {
			t.l[i] = t.u0[i] / low
			t.u0[i] = low
			t.u1[i], t.u0[i+1] = t.u0[i+1], t.u1[i]-float64(t.l[i]*t.u0[i+1])
			t.u2[i], t.u1[i+1] = t.u1[i+1], -float64(t.l[i]*t.u1[i+1])
			continue
		}
		if math.Abs(t.u0[i]) < tiny {
			t.u0[i] = tiny
		}
		t.l[i] = low / t.u0[i]
		t.u0[i+1] -= float64(t.l[i] * t.u1[i])
	}
}

// solve replaces x by the solution of (T - lambda I) y = x.
func (t *tridiagonal) solve(x []float64) {
	n := t.n
	for i := range n - 1 {
		if t.swap[i] {
			x[i], x[i+1] = x[i+1], x[i]
		}
		x[i+1] -= float64(t.l[i] * x[i])
	}
	for i := n - 1; i >= 0; i-- {
		v := x[i]
		if i+1 < n {
			v -= float64(t.u1[i] * x[i+1])
		}
		if i+2 < n {
			v -= float64(t.u2[i] * x[i+2])
		}
		x[i] = v / t.u0[i]
	}
}

// residual returns the largest entry of |T x - lambda x|.
func (t *tridiagonal) residual(lambda float64, x []float64) float64 {
	m := 0.0
	for i, v := range x {
		r := float64((t.d[i] - lambda) * v)
		if i > 0 {
			r += float64(t.e[i-1] * x[i-1])
		}
		if i < t.n-1 {
			r += float64(t.e[i] * x[i+1])
		}
		m = max(m, math.Abs(r))
	}
	return m
}

// vector fills the last n entries of z with a unit eigenvector of the eigenvalue lambda, orthogonal
// to the unit vectors before it. It reports whether the residual came down to rounding.
func (t *tridiagonal) vector(lambda float64, z []float64) bool {
	const eps = 0x1p-52
	n, norm := t.n, cmp.Or(t.norm(), 1)
	x, before := z[len(z)-n:], z[:len(z)-n]
	// Equal eigenvalues need different starts.
	rng := rand.New(rand.NewPCG(uint64(n), uint64(len(before))))
	for i := range x {
		x[i] = float64(rng.Float64()) - 0.5
	}
	t.factor(lambda, eps*norm)
	for it := range 12 {
		size := floats.Norm(x, 2)
		if !(size > 0) || math.IsInf(size, 1) {
			return false
		}
		floats.Scale(1/size, x)
		t.solve(x)
		size = floats.Norm(x, 2)
		if !(size > 0) || math.IsInf(size, 1) {
			return false
		}
		floats.Scale(1/size, x)
		for range 2 {
			for k := 0; k < len(before); k += n {
				floats.AddScaled(x, -floats.Dot(before[k:k+n], x), before[k:k+n])
			}
		}
		size = floats.Norm(x, 2)
		if size < 1e-3 {
			continue // nearly all of it lay in the vectors before: go on from the rest
		}
		floats.Scale(1/size, x)
		for k := 0; k < len(before); k += n {
			floats.AddScaled(x, -floats.Dot(before[k:k+n], x), before[k:k+n])
		}
		if it > 0 && t.residual(lambda, x) <= float64(n)*eps*norm {
			return true
		}
	}
	return false
}
