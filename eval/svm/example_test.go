package svm_test

import (
	"context"
	"fmt"
	"math"

	"ogdl/eval/svm"
)

// Points on a line, of a class that surrounds the other.
func Example() {
	train := []float64{-4, -3.5, -3, -1, 0, 1, 3, 3.5, 4}
	labels := []int{1, 1, 1, 0, 0, 0, 1, 1, 1}
	kernel := func(x, z float64) float64 { return math.Exp(-(x - z) * (x - z) / 2) }

	n := len(train)
	K := make([]float64, n*n)
	for i, x := range train {
		for j, z := range train {
			K[i*n+j] = kernel(x, z)
		}
	}
	model, err := svm.Fit(context.Background(), K, labels, 10, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, x := range []float64{-3.2, .5, 2.9} {
		row := make([]float64, n)
		for j, z := range train {
			row[j] = kernel(x, z)
		}
		label, err := model.Label(row)
		fmt.Println(x, "is of class", label, err)
	}
	// Output:
	// -3.2 is of class 1 <nil>
	// 0.5 is of class 0 <nil>
	// 2.9 is of class 1 <nil>
}

// All C of a grid, on the even rows of a kernel matrix, scored on the odd ones. What one C needs of the matrix serves
// all.
func ExampleProblem() {
	labels := []int{3, 3, 3, 3, 8, 8, 8, 8}
	n := len(labels)
	K := make([]float64, n*n)
	for i := range n {
		for j := range n {
			K[i*n+j] = math.Exp(-math.Abs(float64(i - j)))
		}
	}
	var p svm.Problem
	if err := p.Reset(K, labels, []int{0, 2, 4, 6}); err != nil {
		fmt.Println(err)
		return
	}
	for _, C := range []float64{.01, 1, 100} {
		model, err := p.Fit(context.Background(), C, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		right := 0
		for i := 1; i < n; i += 2 {
			if label, err := model.Label(K[i*n : (i+1)*n]); err == nil && label == labels[i] {
				right++
			}
		}
		fmt.Printf("C %v: %v after %d iterations, %d of 4 right\n", C, model.Status(), model.Pairs[0].Iterations, right)
	}
	// Output:
	// C 0.01: converged after 2 iterations, 3 of 4 right
	// C 1: converged after 2 iterations, 3 of 4 right
	// C 100: converged after 5 iterations, 4 of 4 right
}
