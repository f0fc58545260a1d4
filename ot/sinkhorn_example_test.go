package ot_test

import (
	"fmt"

	"ogdl/ot"
)

// The less the entropy weighs, the closer the plan is to the exact one.
func ExampleSinkhorn_Solve() {
	var s ot.Sinkhorn
	if err := s.Reset([]float64{0.5, 0.5}, []float64{0.25, 0.75}); err != nil {
		fmt.Println(err)
		return
	}
	costs := []float64{
		0, 1,
		1, 0}
	for _, epsilon := range []float64{1, 0.1, 1e-5} {
		r, err := s.Solve(costs, 2, epsilon, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		plan, _ := s.Plan()
		fmt.Printf("epsilon %g: cost %.3f, first row %.3f, %v\n", epsilon, r.Value, plan[:2], r.Status)
	}
	// Output:
	// epsilon 1: cost 0.337, first row [0.207 0.293], scaled
	// epsilon 0.1: cost 0.250, first row [0.250 0.250], scaled
	// epsilon 1e-05: cost 0.250, first row [0.250 0.250], scaled
}
