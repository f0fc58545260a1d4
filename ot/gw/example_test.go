package gw_test

import (
	"context"
	"fmt"

	"ogdl/ot/gw"
)

// A path of three nodes against a triangle.
func ExampleSolver_Solve() {
	path, err := gw.NewSpace([]float64{
		0, 1, 0,
		1, 0, 1,
		0, 1, 0}, nil, 3, 0, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	triangle, err := gw.NewSpace([]float64{
		0, 1, 1,
		1, 0, 1,
		1, 1, 0}, nil, 3, 0, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var s gw.Solver
	r, err := s.Solve(context.Background(), path, triangle, 1, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("GW^2 = %.4f, %v, gap %.0e\n", r.Value, r.Status, r.Gap)
	// Output: GW^2 = 0.2222, converged, gap 0e+00
}
