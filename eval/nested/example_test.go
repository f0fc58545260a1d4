package nested_test

import (
	"context"
	"fmt"
	"math"

	"ogdl/eval/nested"
)

// Forty numbers of two classes: C and gamma are chosen on nine tenths of them, and the rest tells what the choice is worth.
func Example() {
	const n = 40
	labels, D := make([]int, n), make([]float64, n*n)
	for i := range n {
		labels[i] = i / 5 % 2
		for j := range n {
			D[i*n+j] = math.Abs(float64(i - j))
		}
	}
	kernel, err := nested.Exponential(D, n)
	if err != nil {
		fmt.Println(err)
		return
	}
	split, err := nested.Released(labels, 0, nested.Folds)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := nested.Search(context.Background(), kernel, labels, split, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("C", r.C, "gamma", r.Gamma, "inner accuracy", r.Inner.RatString())
	fmt.Println(r.Correct, "of", len(split.Test), "right:", split.Test, "are of", r.Predictions)
	fmt.Println(r.Fits, "fits,", r.Capped, "at the cap")
	// Output:
	// C 10 gamma 0.0625 inner accuracy 53/60
	// 3 of 4 right: [22 30 17 16] are of [0 1 1 1]
	// 3151 fits, 0 at the cap
}

// A kernel whose parameter is its place in a list.
func ExampleSearch() {
	const n = 40
	labels, list := make([]int, n), [][]float64{make([]float64, n*n), make([]float64, n*n)}
	for i := range n {
		labels[i] = i % 2
		for j := range n {
			list[0][i*n+j] = 1 / (1 + math.Abs(float64(i-j)))
			if i%2 == j%2 {
				list[1][i*n+j] = 1
			}
		}
	}
	split, err := nested.Released(labels, 7, nested.Folds)
	if err != nil {
		fmt.Println(err)
		return
	}
	kernel := func(k float64) ([]float64, error) { return list[int(k)], nil }
	r, err := nested.Search(context.Background(), kernel, labels, split, &nested.Settings{C: []float64{.1, 1, 10}, Gamma: []float64{0, 1}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("kernel", r.Gamma, "with C", r.C, "accuracy", r.Accuracy)
	// Output:
	// kernel 1 with C 0.1 accuracy 1
}
