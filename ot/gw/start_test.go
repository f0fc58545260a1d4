package gw_test

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
	"ogdl/ot/gw/gwtest"
)

// byStrength are the nodes from the weakest on, equal ones in their order, or from the strongest on. The strength is C p.
func byStrength(s *gw.Space, reverse bool) []int {
	c, n := gwtest.Structure(s), s.N()
	sign, x, order := 1.0, make([]float64, n), make([]int, n)
	if reverse {
		sign = -1
	}
	for i := range n {
		for j, p := range s.P() {
			x[i] += sign * c[i*n+j] * p
		}
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(x[a], x[b]) })
	return order
}

// The sorted starts are the north-west corner of the nodes in order, at their true value, and a
// descent from them goes down.
func TestSortedStarts(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, dim := range []int{0, 2} {
		for _, size := range [][2]int{{5, 5}, {7, 4}, {3, 8}, {1, 6}, {20, 13}} {
			for _, kind := range []int{weighted, molecules, cliques} {
				x, y, alpha := drawGraph(t, rng, kind, size[0], dim, true), drawGraph(t, rng, kind, size[1], dim, true), 1.0
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
					at := fmt.Sprintf("%v, dim %d, kind %d, reverse %v", size, dim, kind, reverse)
					must.Near(t, at, tight(&s, x.N(), y.N()), want, 1e-12)
					before := s.Value()
					must.Within(t, gw.Objective(x, y, alpha, want), before, 1e-12, "value")
					s.Descend(context.Background(), nil)
					if after := s.Value(); !(after <= before+1e-12) {
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
