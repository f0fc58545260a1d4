package gw_test

import (
	"context"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// strengths of the nodes, C p.
func strengths(s *gw.Space) []float64 {
	c, ld := s.C()
	out := make([]float64, s.N())
	for i := range out {
		for j, p := range s.P() {
			out[i] += c[i*ld+j] * p
		}
	}
	return out
}

// byStrength are the nodes from the weakest on, equal ones in their order, or from the strongest on.
func byStrength(s *gw.Space, reverse bool) []int {
	x := strengths(s)
	order := make([]int, len(x))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		d := x[a] - x[b]
		if reverse {
			d = -d
		}
		switch {
		case d < 0:
			return -1
		case d > 0:
			return 1
		}
		return 0
	})
	return order
}

// The sorted starts are the north-west corner of the nodes in order, at their true value, and a
// descent from them goes down.
func TestSortedStarts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	draw := func(n, dim int, ties bool) *gw.Space {
		c, a := make([]float64, n*n), make([]float64, n*dim)
		for i := range n {
			for j := range i {
				x := rng.Float64()
				if ties {
					x = math.Round(x)
				}
				c[i*n+j], c[j*n+i] = x, x
			}
		}
		for i := range a {
			a[i] = rng.Float64()
		}
		p := make([]float64, n)
		for i := range p {
			p[i] = 1 / float64(n)
		}
		return must.Get(gw.NewSpace(c, a, n, dim, p))
	}
	for _, dim := range []int{0, 2} {
		for _, size := range [][2]int{{5, 5}, {7, 4}, {3, 8}, {1, 6}, {20, 13}} {
			for _, ties := range []bool{false, true} {
				x, y, alpha := draw(size[0], dim, ties), draw(size[1], dim, ties), 1.0
				if dim > 0 {
					alpha = 0.4
				}
				for _, reverse := range []bool{false, true} {
					want := corner(x.P(), y.P(), byStrength(x, false), byStrength(y, reverse))
					var s gw.Solver
					must.Do(t, s.Bind(x, y, alpha))
					if reverse {
						s.StartReverse()
					} else {
						s.StartSorted()
					}
					T, ld := s.Coupling()
					for i := range x.N() {
						for j := range y.N() {
							if math.Abs(T[i*ld+j]-want[i*y.N()+j]) > 1e-12 {
								t.Fatalf("%v, dim %d, ties %v, reverse %v: entry (%d, %d) is %v, expected %v", size, dim, ties, reverse, i, j, T[i*ld+j], want[i*y.N()+j])
							}
						}
					}
					before := s.Value()
					if v := gw.Objective(x, y, alpha, want); math.Abs(v-before) > 1e-12 {
						t.Fatalf("value %v, expected %v", before, v)
					}
					s.Descend(context.Background(), nil)
					if after := s.Value(); after > before+1e-12 {
						t.Fatalf("a descent from %v to %v", before, after)
					}
					s.Retarget() // recomputes everything from the coupling
				}
			}
		}
	}
}

// corner is the north-west corner rule over nodes in these orders.
func corner(p, q []float64, rows, cols []int) []float64 {
	t := make([]float64, len(p)*len(q))
	p, q = slices.Clone(p), slices.Clone(q)
	for i, j := 0, 0; i < len(rows) && j < len(cols); {
		r, c := rows[i], cols[j]
		x := min(p[r], q[c])
		t[r*len(q)+c] += x
		p[r] -= x
		q[c] -= x
		if p[r] <= q[c] {
			i++
		} else {
			j++
		}
	}
	return t
}

func TestSortedStartBeforeBind(t *testing.T) {
	must.Panic(t, "", map[string]func(){
		"StartSorted":  new(gw.Solver).StartSorted,
		"StartReverse": new(gw.Solver).StartReverse,
	})
}

// Where the first step from p q' goes all the way, it ends where the sorted start begins.
func TestPassedSorted(t *testing.T) {
	complete := func(n int) []float64 {
		c := make([]float64, n*n)
		for i := range c {
			if i%(n+1) != 0 {
				c[i] = 1
			}
		}
		return c
	}
	path := []float64{0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0, 1, 0, 0, 1, 0}
	for _, c := range []struct {
		x, y []float64
		n, m int
	}{{path, path, 4, 4}, {complete(4), path, 4, 4}, {path, complete(3), 4, 3}} {
		x := must.Get(gw.NewSpace(c.x, nil, c.n, 0, nil))
		y := must.Get(gw.NewSpace(c.y, nil, c.m, 0, nil))
		var s, first gw.Solver
		for _, s := range []*gw.Solver{&s, &first} {
			must.Do(t, s.Bind(x, y, 1))
		}
		if s.PassedSorted() {
			t.Fatal("passed before any step")
		}
		s.StartSorted()
		first.Descend(context.Background(), &gw.Settings{MaxIter: 1})
		a, _ := s.Coupling()
		b, _ := first.Coupling()
		if first.PassedSorted() != slices.Equal(a, b) {
			t.Errorf("%d x %d: passed is %v, the couplings are %v and %v", c.n, c.m, first.PassedSorted(), a, b)
		}
	}
}
