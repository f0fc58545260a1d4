package gw_test

import (
	"context"
	"math"
	"strings"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// TestArguments holds that arguments that cannot be are errors which name them.
func TestArguments(t *testing.T) {
	var none context.Context
	edge := []float64{0, 1, 1, 0}
	x, featured := space(t, edge, nil, nil, 0), space(t, edge, []float64{1, 2}, nil, 1)
	target := must.Get(gw.NewTarget(2, 0, nil))
	structure := func(v float64) func() error {
		return func() error { return must.Err(gw.NewSpace([]float64{0, v, v, 0}, nil, 2, 0, nil)) }
	}
	features := func(v float64) func() error {
		return func() error { return must.Err(gw.NewSpace(edge, []float64{0, 0, 0, v}, 2, 2, nil)) }
	}
	var s gw.Solver
	solve := func(x, y *gw.Space) func() error {
		return func() error { return must.Err(s.Solve(ctx, x, y, 1, nil, nil)) }
	}
	var p gw.Proximal
	prox := func(x, y *gw.Space) func() error {
		return func() error { return must.Err(p.Solve(ctx, x, y, 1, nil, &gw.ProximalSettings{Gamma: 1})) }
	}
	caps := func(set gw.Settings) func() error {
		return func() error { return must.Err(s.Solve(ctx, x, x, 1, nil, &set)) }
	}
	steps := func(set gw.ProximalSettings) func() error {
		return func() error { return must.Err(p.Solve(ctx, x, x, 1, nil, &set)) }
	}
	alpha := func(x *gw.Space, v float64) func() error {
		return func() error { return must.Err(p.Solve(ctx, x, x, v, nil, &gw.ProximalSettings{Gamma: 1})) }
	}
	bary := func(start *gw.Space, graphs ...*gw.Space) func() error {
		return func() error { return must.Err(gw.Barycentre(ctx, graphs, nil, start, 1, nil)) }
	}
	for _, c := range []struct {
		name string
		call func() error
		want string
	}{
		{"order 0", func() error { return must.Err(gw.NewSpace(nil, nil, 0, 0, nil)) }, "order n is 0"},
		{"order -1", func() error { return must.Err(gw.NewSpace(nil, nil, -1, 0, nil)) }, "order n is -1"},
		{"d -1", func() error { return must.Err(gw.NewSpace(edge, nil, 2, -1, nil)) }, "feature dimension d is -1"},
		{"target of order 0", func() error { return must.Err(gw.NewTarget(0, 0, nil)) }, "order n is 0"},
		{"target of d -1", func() error { return must.Err(gw.NewTarget(2, -1, nil)) }, "feature dimension d is -1"},
		{"C 1e154", structure(1e154), "structure entry (0, 1) is 1e+154"},
		{"C 1e160", structure(-1e160), "structure entry (0, 1) is -1e+160"},
		{"C 1e300", structure(1e300), "structure entry (0, 1) is 1e+300"},
		{"C infinite", structure(math.Inf(-1)), "structure entry (0, 1) is -Inf"},
		{"C 1e-150", structure(1e-150), "structure entry (0, 1) is 1e-150"},
		{"C 5e-324", structure(5e-324), "structure entry (0, 1) is 5e-324"},
		{"A 1e154", features(1e154), "feature (1, 1) is 1e+154"},
		{"A NaN", features(math.NaN()), "feature (1, 1) is NaN"},
		{"A 1e-150", features(-1e-150), "feature (1, 1) is -1e-150"},
		{"set 1e154", func() error { return target.Set([]float64{0, 0, 0, 1e154}, nil) }, "structure entry (1, 1) is 1e+154"},
		{"solve nil x", solve(nil, x), "x is nil"},
		{"solve nil y", solve(x, nil), "y is nil"},
		{"solve zero x", solve(new(gw.Space), x), "x has order 0"},
		{"solve features", solve(x, featured), "x has feature dimension 0 and y 1"},
		{"solve nil ctx", func() error { return must.Err(s.Solve(none, x, x, 1, nil, nil)) }, "ctx is nil"},
		{"solve MaxIter", caps(gw.Settings{MaxIter: -1}), "-1"},
		{"solve Starts", caps(gw.Settings{Starts: -1}), "-1"},
		{"bind nil", func() error { return s.Bind(x, nil, 1) }, "y is nil"},
		{"start unbound", func() error { return new(gw.Solver).Start(nil) }, "before Bind"},
		{"proximal nil x", prox(nil, x), "x is nil"},
		{"proximal nil y", prox(x, nil), "y is nil"},
		{"proximal features", prox(featured, x), "x has feature dimension 1 and y 0"},
		{"proximal nil set", func() error { return must.Err(p.Solve(ctx, x, x, 1, nil, nil)) }, "set is nil"},
		{"proximal Outer", steps(gw.ProximalSettings{Gamma: 1, Outer: -1}), "-1"},
		{"proximal Sweeps", steps(gw.ProximalSettings{Gamma: 1, Sweeps: -1}), "-1"},
		{"proximal Gamma 5e-324", steps(gw.ProximalSettings{Gamma: 5e-324}), "Gamma is 5e-324"},
		{"proximal Gamma 0", steps(gw.ProximalSettings{}), "Gamma is 0"},
		{"proximal Gamma -1", steps(gw.ProximalSettings{Gamma: -1}), "Gamma is -1"},
		{"proximal Gamma NaN", steps(gw.ProximalSettings{Gamma: math.NaN()}), "Gamma is NaN"},
		{"proximal Gamma infinite", steps(gw.ProximalSettings{Gamma: math.Inf(1)}), "Gamma is +Inf"},
		{"proximal alpha .5", alpha(x, .5), "without features"},
		{"proximal alpha 1.5", alpha(featured, 1.5), "alpha is 1.5"},
		{"proximal nil ctx", func() error { return must.Err(p.Solve(none, x, x, 1, nil, &gw.ProximalSettings{Gamma: 1})) }, "ctx is nil"},
		{"barycentre of none", bary(x), "graphs is empty"},
		{"barycentre nil graph", bary(x, x, nil), "graphs[1] is nil"},
		{"barycentre nil start", bary(nil, x), "start is nil"},
		{"barycentre features", bary(x, x, featured), "graphs[1] has feature dimension 1 and start 0"},
		{"barycentre nil ctx", func() error { return must.Err(gw.Barycentre(none, []*gw.Space{x}, nil, x, 1, nil)) }, "ctx is nil"},
		{"order 2^40", func() error { return must.Err(gw.NewSpace(nil, nil, 1<<40, 0, nil)) }, "the order n is"},
		{"d 2^63-1", func() error { return must.Err(gw.NewTarget(2, math.MaxInt, nil)) }, "the feature dimension d is"},
		{"copy nil", func() error { return target.Copy(nil) }, "the space to copy is nil"},
		{"copy order", func() error { return target.Copy(space(t, []float64{0}, nil, nil, 0)) }, "has order 1 and feature dimension 0, expected 2 and 0"},
		{"copy features", func() error { return target.Copy(featured) }, "feature dimension 1, expected 2 and 0"},
		{"copy weights", func() error { return target.Copy(space(t, edge, nil, []float64{.25, .75}, 0)) }, "weight 0.25 of node 0, expected 0.5"},
		{"set zero", func() error { return new(gw.Space).Set(nil, nil) }, "the space to set has order 0"},
		{"mix nil", func() error { return target.Mix([]*gw.Space{nil}, []float64{1}) }, "atom 0 is nil"},
		{"mix itself", func() error { return target.Mix([]*gw.Space{x, target}, []float64{1, 1}) }, "atom 1 is the space to set"},
		{"mix order", func() error { return target.Mix([]*gw.Space{space(t, []float64{0}, nil, nil, 0)}, []float64{1}) }, "atom 0 has order 1"},
		{"mix weight", func() error { return target.Mix([]*gw.Space{x}, []float64{math.NaN()}) }, "weight of atom 0 is NaN"},
		{"mix overflow", func() error { return target.Mix([]*gw.Space{x}, []float64{1e160}) }, "the mix overflows"},
		{"length of p", func() error {
			return must.Err(gw.Solve(ctx, [][]float64{{0}}, [][]float64{{0}}, []float64{1, 0}, nil, nil))
		}, "p has 2 weights, expected 1"},
	} {
		func() {
			defer func() {
				if r := recover(); r != nil {
					t.Errorf("%s: panic %v, expected an error with %q", c.name, r, c.want)
				}
			}()
			err := c.call()
			if err == nil || !strings.HasPrefix(err.Error(), "gw: ") || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: error %v, expected one with %q", c.name, err, c.want)
			}
		}()
	}
	for name, v := range map[string]float64{
		"nil space": gw.Objective(nil, x, 1, make([]float64, 4)),
		"features":  gw.Objective(x, featured, 1, make([]float64, 4)),
	} {
		if !math.IsNaN(v) {
			t.Errorf("objective, %s: %v, expected NaN", name, v)
		}
	}
	// A number added to all entries changes no objective.
	for _, by := range []float64{0, 1e4, 1e8} {
		a, b := space(t, []float64{by, by + 1, by + 1, by}, nil, nil, 0), space(t, []float64{by, by + 2, by + 2, by}, nil, nil, 0)
		must.Within(t, gw.Objective(a, b, 1, []float64{.5, 0, 0, .5}), .5, 1e-12, "objective at %g", by)
	}
	must.Do(t, s.Bind(x, x, 1))
	if status, _ := s.Descend(none, nil); status != gw.Converged {
		t.Errorf("a context that never ends: %v", status)
	}
}
