package ot_test

import (
	"fmt"

	"ogdl/ot"
)

// Two bakeries supply three cafes at least cost.
func ExampleSolve() {
	bakeries := []float64{0.6, 0.4}
	cafes := []float64{0.5, 0.25, 0.25}
	distances := []float64{
		1, 2, 3,
		3, 1, 1,
	}
	s, err := ot.Solve(bakeries, cafes, distances)
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range bakeries {
		fmt.Printf("%.2f\n", s.Plan[3*i:3*i+3])
	}
	fmt.Printf("cost %.2f, at least %.2f\n", s.Value, s.DualValue)
	// Output:
	// [0.50 0.10 0.00]
	// [0.00 0.15 0.25]
	// cost 1.10, at least 1.10
}

// As costs change, each solve starts from the basis of the last.
func ExampleSolver() {
	var s ot.Solver
	if err := s.Reset([]float64{0.5, 0.5}, []float64{0.5, 0.5}); err != nil {
		fmt.Println(err)
		return
	}
	costs := []float64{0, 1, 1, 0}
	for range 2 {
		s.SolveUnchecked(costs, 2, ot.Warm)
		rows, cols, mass := s.Arcs()
		for k := range mass {
			fmt.Println(rows[k], "->", cols[k], mass[k])
		}
		costs[0] = 3
	}
	// Unordered output:
	// 0 -> 0 0.5
	// 1 -> 1 0.5
	// 0 -> 1 0.5
	// 1 -> 0 0.5
}
