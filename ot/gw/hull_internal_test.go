package gw

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"ogdl/internal/test/must"
)

// chain is a path with rings and chords, with features, and weights that are uneven if asked for.
func chain(t *testing.T, rng *rand.Rand, n, d int, uneven bool) *Space {
	c, a := make([]float64, n*n), make([]float64, n*d)
	for i := 1; i < n; i++ {
		j := i - 1 - rng.IntN(min(i, 2))
		c[i*n+j], c[j*n+i] = 1, 1
		if i%6 == 5 {
			c[i*n+i-5], c[(i-5)*n+i] = 1, 1
		}
	}
	for i := range a {
		a[i] = rng.NormFloat64()
	}
	var p []float64
	if uneven {
		p = make([]float64, n)
		sum := 0.0
		for i := range p {
			p[i] = 0.1 + rng.Float64()
			sum += p[i]
		}
		for i := range p {
			p[i] /= sum
		}
	}
	return must.Get(NewSpace(c, a, n, d, p))
}

// TestHullMixes stops descents at every iteration, and holds that coupling, gradient and value are those of the
// coupling's definition, and that none is above the one before.
func TestHullMixes(t *testing.T) {
	used := 0
	for seed := uint64(0); used < 200; seed++ {
		if seed == 10000 {
			t.Fatalf("a hull of three couplings in %d iterations only", used)
		}
		rng := rand.New(rand.NewPCG(seed, 1))
		d, alpha := 0, 1.0
		if seed%2 == 1 {
			d, alpha = 2, 0.9
		}
		n, m := 5+rng.IntN(12), 5+rng.IntN(12)
		if seed%8 > 1 { // where a conditional gradient zigzags
			n, m = 20, 20
		}
		x, y := chain(t, rng, n, d, seed%4 > 1), chain(t, rng, m, d, seed%4 > 1)
		var s Solver
		must.Do(t, s.Bind(x, y, alpha))
		if _, iterations := s.Descend(context.Background(), nil); iterations <= hullAfter+1 {
			continue
		}
		must.Do(t, s.Bind(x, y, alpha))
		before := s.Value()
		for range 60 {
			s.Descend(context.Background(), &Settings{MaxIter: 1, TolRel: -1, TolAbs: -1})
			value := s.Value()
			if value > before+1e-13 {
				t.Fatalf("seed %d: value %v after %v", seed, value, before)
			}
			before = value
			if s.hull.size > 2 {
				used++
			}
			tight := make([]float64, 0, x.n*y.n)
			for i := range x.n {
				row := 0.0
				for _, v := range s.t[i*s.ld : i*s.ld+y.n] {
					if v < 0 {
						t.Fatalf("seed %d: mass %v", seed, v)
					}
					row += v
					tight = append(tight, v)
				}
				must.Within(t, row, x.p[i], 1e-14, "seed %d: row %d has mass", seed, i)
			}
			want := Objective(x, y, alpha, tight)
			must.Within(t, value, want, 1e-12*(1+want), "seed %d: value, and by definition", seed)
			carried := append([]float64(nil), s.k...)
			again := s
			again.k, again.work, again.ct, again.hull = make([]float64, len(s.k)), make([]float64, len(s.work)), make([]float64, len(s.ct)), hull{}
			again.refresh()
			for k, v := range again.k {
				must.Within(t, carried[k], v, 1e-12*(1+math.Abs(v)), "seed %d: gradient at %d, and recomputed", seed, k)
			}
		}
	}
}

// TestHullDescends moves weights on quadratics of any curvature: they stay on the simplex, their objective does not rise,
// and where moves suffice no gradient is left above the lowest by the gap.
func TestHullDescends(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var h hull
		h.resize(2, 2, 4)
		n := 2 + rng.IntN(hullMax-1)
		h.size = n
		sum := 0.0
		for i := range n {
			h.l[i], h.w[i] = rng.NormFloat64(), rng.ExpFloat64()
			sum += h.w[i]
			for j := range i + 1 {
				v := rng.NormFloat64()
				if i == j {
					v += float64(seed % 4)
				}
				h.s[i*hullMax+j], h.s[j*hullMax+i] = v, v
			}
		}
		for i := range n {
			h.w[i] /= sum
		}
		value := func() float64 {
			f := 0.0
			for i := range n {
				f += h.l[i] * h.w[i]
				for j := range n {
					f += h.s[i*hullMax+j] * h.w[i] * h.w[j] / 2
				}
			}
			return f
		}
		before, left := value(), math.Inf(1)
		for range 100 {
			h.descend(1e-9)
			total, least, most := 0.0, math.Inf(1), math.Inf(-1)
			for i, w := range h.w[:n] {
				g := h.l[i]
				for j := range n {
					g += h.s[i*hullMax+j] * h.w[j]
				}
				if total += w; w < 0 {
					t.Fatalf("seed %d: weight %v", seed, w)
				}
				least = min(least, g)
				if w > 0 {
					most = max(most, g)
				}
			}
			left = most - least
			must.Within(t, total, 1, 1e-13, "seed %d: weights of sum", seed)
			after := value()
			if after > before+1e-13 {
				t.Fatalf("seed %d: %v after %v", seed, after, before)
			}
			before = after
		}
		if !(left <= 1e-8) {
			t.Errorf("seed %d: a gradient is %v above the lowest", seed, left)
		}
	}
}
