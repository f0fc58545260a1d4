package gw

import (
	"context"
	"fmt"
	"strings"
)

// Solve finds the Gromov-Wasserstein coupling of two structure matrices, C1 (n rows of n entries)
// and C2 (m of m), under the node weights p and q, nil for uniform ones: [Solver.Solve] from p q'
// for graphs without features, in one call. The result is the caller's. For features see
// [SolveSpaces]; to solve many problems, keep a [Solver].
//
// A nil context, a matrix that is empty, not square or not symmetric, entries and weights that
// [NewSpace] rejects and several starts without Rand are errors that name the argument.
func Solve(ctx context.Context, C1, C2 [][]float64, p, q []float64, set *Settings) (Result, error) {
	for _, w := range []struct {
		name string
		p    []float64
		n    int
	}{{"p", p, len(C1)}, {"q", q, len(C2)}} {
		if w.p != nil && len(w.p) != w.n {
			return Result{}, fmt.Errorf("gw: %s has %d weights, expected %d", w.name, len(w.p), w.n)
		}
		if _, err := SumWeights(w.p); w.p != nil && err != nil {
			return Result{}, fmt.Errorf("gw: %s: %w", w.name, err)
		}
	}
	x, err := FromRows(C1, nil, p)
	if err != nil {
		return Result{}, inArgument("C1", err)
	}
	y, err := FromRows(C2, nil, q)
	if err != nil {
		return Result{}, inArgument("C2", err)
	}
	return SolveSpaces(ctx, x, y, 1, set)
}

// inArgument adds the name of the argument to an error of this package.
func inArgument(name string, err error) error {
	return fmt.Errorf("gw: %s: %s", name, strings.TrimPrefix(err.Error(), "gw: "))
}

// SolveSpaces is [Solver.Solve] from p q' for two spaces, with features or without, in one call.
// The result is the caller's.
func SolveSpaces(ctx context.Context, x, y *Space, alpha float64, set *Settings) (Result, error) {
	return new(Solver).Solve(ctx, x, y, alpha, nil, set)
}

// FromRows is [NewSpace] for matrices by rows: C has n rows of n entries, A is nil, for a graph
// without features, or has n rows of one length. Rows of other lengths are errors, and so is
// another number of weights.
func FromRows(C, A [][]float64, p []float64) (*Space, error) {
	n := len(C)
	if err := checkShape(n, 0); err != nil {
		return nil, err
	}
	c, err := flat("structure", C, n, n)
	if err != nil {
		return nil, err
	}
	return fromFlat(c, A, n, p)
}

// FromEdges returns the graph of n nodes, counted from 0, with these undirected edges: C_ij = C_ji
// is the edge's weight, 1 where weights is nil, and 0 where there is no edge. A, one row of
// features per node, and p are as in [FromRows].
//
// An edge that leaves the nodes is an error, and so are weights that are not one per edge, and an
// edge that is listed twice, in either direction, with different weights.
func FromEdges(n int, edges [][2]int, weights []float64, A [][]float64, p []float64) (*Space, error) {
	if err := checkShape(n, 0); err != nil {
		return nil, err
	}
	if weights != nil && len(weights) != len(edges) {
		return nil, fmt.Errorf("gw: %d weights for %d edges, expected as many, or nil", len(weights), len(edges))
	}
	c := make([]float64, n*n)
	listed := make(map[[2]int]bool, len(edges))
	for e, edge := range edges {
		i, j := min(edge[0], edge[1]), max(edge[0], edge[1])
		if i < 0 || j >= n {
			return nil, fmt.Errorf("gw: edge %d is (%d, %d), expected nodes 0 to %d", e, edge[0], edge[1], n-1)
		}
		w := 1.0
		if weights != nil {
			w = weights[e]
		}
		if listed[[2]int{i, j}] && c[i*n+j] != w {
			return nil, fmt.Errorf("gw: edge %d, (%d, %d), has weight %v and is listed before with %v", e, edge[0], edge[1], w, c[i*n+j])
		}
		listed[[2]int{i, j}] = true
		c[i*n+j], c[j*n+i] = w, w
	}
	return fromFlat(c, A, n, p)
}

func fromFlat(c []float64, A [][]float64, n int, p []float64) (*Space, error) {
	d := 0
	if len(A) > 0 {
		d = len(A[0])
	}
	var a []float64
	if A != nil {
		var err error
		if a, err = flat("features", A, n, d); err != nil {
			return nil, err
		}
	}
	if p != nil && len(p) != n {
		return nil, fmt.Errorf("gw: %d node weights for %d nodes", len(p), n)
	}
	return NewSpace(c, a, n, d, p)
}

// flat returns n rows of d entries in one slice.
func flat(what string, rows [][]float64, n, d int) ([]float64, error) {
	if len(rows) != n {
		return nil, fmt.Errorf("gw: %s: %d rows for %d nodes", what, len(rows), n)
	}
	out := make([]float64, 0, n*d)
	for i, row := range rows {
		if len(row) != d {
			return nil, fmt.Errorf("gw: %s: row %d has %d entries, expected %d", what, i, len(row), d)
		}
		out = append(out, row...)
	}
	return out, nil
}
