package gw_test

import (
	"context"
	"fmt"

	"ogdl/ot/gw"
)

// A path of three nodes, with a feature that marks its middle, against the same
// path with its nodes in another order.
func ExampleProximal_Solve() {
	path, err := gw.NewSpace([]float64{
		0, 1, 0,
		1, 0, 1,
		0, 1, 0}, []float64{0, 1, 0}, 3, 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	moved, err := gw.NewSpace([]float64{
		0, 1, 1,
		1, 0, 0,
		1, 0, 0}, []float64{1, 0, 0}, 3, 1, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var s gw.Proximal
	r, err := s.Solve(context.Background(), path, moved, 0.5, nil, &gw.ProximalSettings{Gamma: 0.1})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("FGW^2 = %.4f, %v\n", r.Value, r.Status)
	fmt.Printf("the middle goes to the first node: %.3f\n", r.T[1*3+0])
	// Output:
	// FGW^2 = 0.0000, converged
	// the middle goes to the first node: 0.333
}
