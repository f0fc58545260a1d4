package gw_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// A path of three nodes against a triangle, in one call.
func ExampleSolve() {
	path := [][]float64{{0, 1, 0}, {1, 0, 1}, {0, 1, 0}}
	triangle := [][]float64{{0, 1, 1}, {1, 0, 1}, {1, 1, 0}}
	r, err := gw.Solve(context.Background(), path, triangle, nil, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("GW^2 = %.4f, %v\n", r.Value, r.Status)
	// Output: GW^2 = 0.2222, converged
}

// Two graphs from their edges, with one feature per node.
func ExampleFromEdges() {
	path, err := gw.FromEdges(3, [][2]int{{0, 1}, {1, 2}}, nil, [][]float64{{0}, {1}, {0}}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	pair, err := gw.FromEdges(2, [][2]int{{0, 1}}, []float64{0.5}, [][]float64{{0}, {1}}, []float64{0.6, 0.4})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := gw.SolveSpaces(context.Background(), path, pair, 0.5, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("FGW^2 = %.4f\n", r.Value)
	// Output: FGW^2 = 0.1156
}

// One call is what a solver finds between spaces made the long way.
func TestOneCall(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	n, d := 6, 2
	c, a, p := make([]float64, n*n), make([]float64, n*d), []float64{.3, .1, .1, .2, .2, .1}
	var edges [][2]int
	var weights []float64
	for i := range n {
		for j := range i + 1 {
			if rng.IntN(2) == 0 {
				continue
			}
			w := rng.Float64()
			c[i*n+j], c[j*n+i] = w, w
			edges, weights = append(edges, [2]int{i, j}, [2]int{j, i}), append(weights, w, w)
		}
	}
	for k := range a {
		a[k] = rng.Float64()
	}
	rows := func(x []float64, width int) [][]float64 { return slices.Collect(slices.Chunk(x, width)) }
	want := space(t, c, a, p, d)
	listed := must.Get(gw.FromEdges(n, edges, weights, rows(a, d), p))
	byRows := must.Get(gw.FromRows(rows(c, n), rows(a, d), p))
	other := space(t, []float64{0, 1, 1, 0}, []float64{1, 2, 3, 4}, nil, 2)
	var s gw.Solver
	r := must.Get(s.Solve(ctx, want, other, 0.4, nil, nil))
	for name, x := range map[string]*gw.Space{"edges": listed, "rows": byRows} {
		got, err := gw.SolveSpaces(ctx, x, other, 0.4, nil)
		if err != nil || got.Value != r.Value || !slices.Equal(got.T, r.T) {
			t.Errorf("%s: %v (%v), expected %v", name, got.Value, err, r.Value)
		}
	}
	plain := must.Get(s.Solve(ctx, space(t, c, nil, p, 0), space(t, []float64{0, 1, 1, 0}, nil, nil, 0), 1, nil, nil))
	got, err := gw.Solve(ctx, rows(c, n), [][]float64{{0, 1}, {1, 0}}, p, nil, nil)
	if err != nil || got.Value != plain.Value || !slices.Equal(got.T, plain.T) {
		t.Errorf("matrices: %v (%v), expected %v", got.Value, err, plain.Value)
	}
}

// What cannot be a graph is an error that names the argument.
func TestMakeErrors(t *testing.T) {
	square := [][]float64{{0, 1}, {1, 0}}
	rows := func(C, A [][]float64, p []float64) error { return must.Err(gw.FromRows(C, A, p)) }
	edges := func(n int, e [][2]int, w []float64) error { return must.Err(gw.FromEdges(n, e, w, nil, nil)) }
	solve := func(C1, C2 [][]float64) error { return must.Err(gw.Solve(ctx, C1, C2, nil, nil, nil)) }
	for _, c := range []struct {
		err  error
		want string
	}{
		{rows(nil, nil, nil), "order n is 0"},
		{rows([][]float64{{0, 1}, {1}}, nil, nil), "structure: row 1 has 1 entries, expected 2"},
		{rows(square, [][]float64{{1}}, nil), "features: 1 rows for 2 nodes"},
		{rows(square, [][]float64{{1}, {1, 2}}, nil), "features: row 1 has 2 entries, expected 1"},
		{rows(square, nil, []float64{1}), "1 node weights for 2 nodes"},
		{rows(square, nil, []float64{1, 1}), "weights sum to 2"},
		{rows([][]float64{{0, 1}, {2, 0}}, nil, nil), "not symmetric"},
		{edges(0, nil, nil), "order n is 0"},
		{edges(1<<40, nil, nil), "the order n is"},
		{edges(2, [][2]int{{0, 2}}, nil), "edge 0 is (0, 2), expected nodes 0 to 1"},
		{edges(2, [][2]int{{0, 1}, {-1, 0}}, nil), "edge 1 is (-1, 0)"},
		{edges(2, [][2]int{{0, 1}, {1, 0}}, []float64{1, 2}), "has weight 2 and is listed before with 1"},
		{edges(2, [][2]int{{0, 1}}, []float64{1, 2}), "2 weights for 1 edges"},
		{edges(2, [][2]int{{0, 1}}, []float64{1e200}), "structure entry (0, 1) is 1e+200"},
		{solve(nil, square), "C1: "},
		{solve(square, [][]float64{{0, 1}, {2, 0}}), "C2: "},
	} {
		if c.err == nil || !strings.HasPrefix(c.err.Error(), "gw: ") || strings.Count(c.err.Error(), "gw: ") > 1 || !strings.Contains(c.err.Error(), c.want) {
			t.Errorf("error %v, want one with %q", c.err, c.want)
		}
	}
}
