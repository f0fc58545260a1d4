package gdl

import (
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
)

// quadratic is J(w) = w'Mw - 2c'w - lambda |w|^2, by definition.
func quadratic(m, c, w []float64, lambda float64) float64 {
	v, s := 0.0, len(w)
	for i := range s {
		for j := range s {
			v += w[i] * m[i*s+j] * w[j]
		}
		v -= 2*c[i]*w[i] + lambda*w[i]*w[i]
	}
	return v
}

// enumerate is the global minimum over the simplex, from the stationary point of
// every face.
func enumerate(m, c []float64, lambda float64) float64 {
	s, low := len(c), math.Inf(1)
	for face := 1; face < 1<<s; face++ {
		var on []int
		for i := range s {
			if face>>i&1 == 1 {
				on = append(on, i)
			}
		}
		// Stationarity on the face: 2 H w = 2 c + mu 1, 1'w = 1.
		k := len(on)
		a := make([][]float64, k+1)
		for r := range k {
			a[r] = make([]float64, k+2)
			for t := range k {
				a[r][t] = m[on[r]*s+on[t]]
			}
			a[r][r] -= lambda
			a[r][k], a[r][k+1] = 1, c[on[r]]
		}
		a[k] = make([]float64, k+2)
		for t := range k {
			a[k][t] = 1
		}
		a[k][k+1] = 1
		x, ok := eliminate(a)
		if !ok {
			continue // singular: the minimum is attained on a smaller face as well
		}
		w, inside := make([]float64, s), true
		for r, i := range on {
			w[i] = x[r]
			inside = inside && x[r] >= -1e-12
		}
		if inside {
			low = min(low, quadratic(m, c, w, lambda))
		}
	}
	return low
}

// eliminate solves the augmented system by Gauss with partial pivoting.
func eliminate(a [][]float64) ([]float64, bool) {
	n := len(a)
	for k := range n {
		p := k
		for r := k; r < n; r++ {
			if math.Abs(a[r][k]) > math.Abs(a[p][k]) {
				p = r
			}
		}
		if math.Abs(a[p][k]) < 1e-11 {
			return nil, false
		}
		a[k], a[p] = a[p], a[k]
		for r := range n {
			if r == k {
				continue
			}
			f := a[r][k] / a[k][k]
			for t := k; t <= n; t++ {
				a[r][t] -= f * a[k][t]
			}
		}
	}
	x := make([]float64, n)
	for k := range n {
		x[k] = a[k][n] / a[k][k]
	}
	return x, true
}

// problem draws M = B'B with B of the given rank, with copies of atoms where
// duplicates is set, and c = B't, as unmixing makes them.
func problem(rng *rand.Rand, s, rank int, duplicates bool) (m, c []float64) {
	b := make([][]float64, s)
	for i := range b {
		b[i] = make([]float64, rank)
		for k := range b[i] {
			b[i][k] = rng.Float64()
		}
		if duplicates && i > 0 && rng.IntN(3) == 0 {
			copy(b[i], b[rng.IntN(i)])
		}
	}
	t := make([]float64, rank)
	for k := range t {
		t[k] = 1.5 * rng.Float64()
	}
	m, c = make([]float64, s*s), make([]float64, s)
	for i := range s {
		for j := range s {
			for k := range rank {
				m[i*s+j] += b[i][k] * b[j][k]
			}
		}
		for k := range rank {
			c[i] += b[i][k] * t[k]
		}
	}
	return m, c
}

func TestSimplexQPAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var q simplexQP
	var worst, missed, cases float64
	for range 3000 {
		s := 1 + rng.IntN(7)
		m, c := problem(rng, s, 1+rng.IntN(8), rng.IntN(2) == 0)
		lambda := []float64{0, 0.01, 0.1, 1}[rng.IntN(4)]
		q.reset(m, s, lambda, true)
		w := make([]float64, s)
		for round := range 3 { // later rounds start from the last corral
			if round > 0 {
				for i := range c {
					c[i] *= 0.8 + 0.4*rng.Float64()
				}
			}
			q.solve(c, w)
			must.Simplex(t, "weights", w, 1e-14)
			d := quadratic(m, c, w, lambda) - enumerate(m, c, lambda)
			if lambda == 0 && !(d <= 1e-10) || !(d >= -1e-9) {
				t.Fatalf("round %d: S = %d, lambda = %v: off the global minimum by %v\nM = %v\nc = %v", round, s, lambda, d, m, c)
			}
			if lambda > 0 && round == 0 {
				cases++
				worst = max(worst, d)
				if d > 1e-9 {
					missed++
				}
			}
		}
	}
	t.Logf("lambda > 0, first rounds: %v of %v miss the global minimum, by at most %v", missed, cases, worst)
	if missed > 0.01*cases {
		t.Errorf("%v of %v first rounds with lambda > 0 miss the global minimum", missed, cases)
	}
}

// Optimality without enumeration, up to the largest dictionary of the paper: at
// a minimum of a convex J no vertex is downhill.
func TestSimplexQPLargeAndSingular(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var q simplexQP
	for range 300 {
		s := 8 + rng.IntN(41)
		m, c := problem(rng, s, 1+rng.IntN(60), rng.IntN(2) == 0)
		q.reset(m, s, 0, true)
		w := make([]float64, s)
		q.solve(c, w)
		must.Simplex(t, "weights", w, 1e-14)
		inner, low, size := 0.0, math.Inf(1), 0.0
		for i := range s {
			g := -c[i]
			for j := range s {
				g += m[i*s+j] * w[j]
			}
			inner += w[i] * g
			low = min(low, g)
			size = max(size, math.Abs(c[i]), m[i*s+i])
		}
		if !(inner-low <= 1e-11*size) {
			t.Fatalf("S = %d: gap %v at scale %v", s, inner-low, size)
		}
	}
}

func TestSimplexQPZeroMatrix(t *testing.T) {
	var q simplexQP
	q.reset(make([]float64, 9), 3, 0, true)
	w := make([]float64, 3)
	q.solve([]float64{1, 3, 2}, w)
	must.Check(t, w[1], 1, "the second entry of w = %v", w)
	q.solve([]float64{4, 3, 2}, w)
	must.Check(t, w[0], 1, "the first entry of w = %v", w)
}
