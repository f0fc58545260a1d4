package gw

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
)

// A space that was set is the space that is made of the same values.
func TestSetIsNewSpace(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	draw := func(n, d int) (c, a []float64) {
		c, a = make([]float64, n*n), make([]float64, n*d)
		for i := range n {
			for j := 0; j <= i; j++ {
				c[i*n+j] = rng.NormFloat64()
				c[j*n+i] = c[i*n+j] * (1 + 1e-15*rng.Float64()) // averaged away
			}
		}
		for k := range a {
			a[k] = rng.NormFloat64()
		}
		return c, a
	}
	for n := 1; n < 12; n++ {
		d := n % 3
		p := make([]float64, n)
		for i := range p {
			p[i] = float64(2*i+1) / float64(n*n)
		}
		zero := make([]float64, n*n)
		s, err := NewSpace(zero, make([]float64, n*d), n, d, p) // compressed
		if err != nil {
			t.Fatal(err)
		}
		c, a := draw(n, d)
		want := must.Get(NewSpace(c, a, n, d, p))
		must.Do(t, s.Set(c, a))
		if s.sparse || !slices.Equal(s.c, want.c) || !slices.Equal(s.a, want.a) || !slices.Equal(s.p, want.p) ||
			!slices.Equal(s.cp, want.cp) || !slices.Equal(s.c2p, want.c2p) || s.pc2p != want.pc2p {
			t.Errorf("order %d: another space", n)
		}
		must.Check(t, testing.AllocsPerRun(5, func() { _ = s.Set(c, a) }), 0, "allocations")
		c[0] = math.NaN()
		if s.Set(c, a) == nil {
			t.Error("NaN: no error")
		}
		if c[0] = 1; n > 1 {
			c[1] += 1
			if s.Set(c, a) == nil {
				t.Error("asymmetric: no error")
			}
			c[1] -= 1
		}
		if d > 0 {
			a[d-1] = math.Inf(1)
			if s.Set(c, a) == nil {
				t.Error("infinite feature: no error")
			}
		}
	}
	s := must.Get(NewTarget(2, 0, nil))
	must.Panic(t, "", map[string]func(){"wrong shape": func() { _ = s.Set(make([]float64, 3), nil) }})
}
