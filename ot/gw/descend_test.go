package gw_test

import (
	"context"
	"testing"

	"ogdl/ot/gw"
)

// TestIterate tells iterations objectives and whether they were full, and sees
// where the rules stop.
func TestIterate(t *testing.T) {
	type move struct {
		f    float64
		full bool
	}
	repeat := func(m move, n int) []move {
		s := make([]move, n)
		for i := range s {
			s[i] = m
		}
		return s
	}
	flat, full := move{1, false}, move{1, true}
	never := &gw.Settings{TolRel: -1, TolAbs: -1}
	for name, c := range map[string]struct {
		set        *gw.Settings
		moves      []move // from an objective of 1
		status     gw.Status
		iterations int
	}{
		"nothing moves":                 {nil, []move{flat}, gw.Converged, 1},
		"whatever the tolerances":       {never, []move{flat}, gw.Converged, 1},
		"below TolAbs":                  {&gw.Settings{TolRel: -1, TolAbs: 0.1}, []move{{0.8, false}, {0.75, false}}, gw.Converged, 2},
		"below TolRel":                  {&gw.Settings{TolRel: 0.1, TolAbs: -1}, []move{{0.8, false}, {0.73, false}}, gw.Converged, 2},
		"three full steps":              {nil, repeat(full, 4), gw.Converged, 4},
		"and without tolerances":        {never, repeat(full, 4), gw.Converged, 4},
		"a way down behind them":        {nil, append(repeat(full, 3), move{0.5, false}, move{0.5, false}), gw.Converged, 5},
		"three in all":                  {nil, append(repeat(full, 2), move{0.5, true}, move{0.5, true}, move{0.5, true}), gw.Converged, 5},
		"full steps down do not count":  {never, append([]move{{0.9, true}, {0.8, true}, {0.7, true}, {1, false}}, repeat(full, 4)...), gw.Converged, 8},
		"full and less than TolAbs":     {&gw.Settings{TolAbs: 0.1}, []move{{0.95, true}, {0.5, false}, {0.5, false}}, gw.Converged, 3},
		"the cap":                       {&gw.Settings{TolRel: -1, TolAbs: -1, MaxIter: 2}, []move{{0.9, false}, {0.8, false}}, gw.MaxIterations, 2},
		"the cap on a plateau":          {&gw.Settings{MaxIter: 2}, repeat(full, 2), gw.MaxIterations, 2},
		"convergence comes before caps": {&gw.Settings{MaxIter: 1}, []move{flat}, gw.Converged, 1},
	} {
		k := 0
		status, iterations := c.set.Iterate(context.Background(), 1, func() (float64, bool) {
			m := c.moves[k] // panics where the rules go on for too long
			k++
			return m.f, m.full
		})
		if status != c.status || iterations != c.iterations || k != iterations {
			t.Errorf("%s: %v after %d iterations and %d steps, want %v after %d", name, status, iterations, k, c.status, c.iterations)
		}
	}
}

func TestIterateCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	f := 1.0
	var set *gw.Settings
	status, iterations := set.Iterate(ctx, f, func() (float64, bool) {
		if f /= 2; f == 1.0/4 {
			cancel()
		}
		return f, false
	})
	if status != gw.Cancelled || iterations != 2 {
		t.Errorf("%v after %d iterations, want it seen after 2", status, iterations)
	}
}
