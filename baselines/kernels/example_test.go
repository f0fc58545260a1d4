package kernels_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"ogdl/baselines/kernels"
)

// molecules are a path, a ring and a star of four nodes, of two kinds of atoms.
func molecules() []kernels.Graph {
	return []kernels.Graph{
		{Neighbors: [][]int32{{1}, {0, 2}, {1, 3}, {2}}, Labels: []int{8, 6, 6, 8}, Attributes: []float64{1, 0, 0, 1}},
		{Neighbors: [][]int32{{1, 3}, {0, 2}, {1, 3}, {0, 2}}, Labels: []int{6, 6, 6, 6}, Attributes: []float64{0, 0, 0, 0}},
		{Neighbors: [][]int32{{1, 2, 3}, {0}, {0}, {0}}, Labels: []int{6, 8, 8, 6}, Attributes: []float64{0, 1, 1, 0}},
	}
}

// show prints a matrix of three graphs, or what is wrong.
func show(K []float64, err error) {
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range 3 {
		fmt.Printf("%.4g\n", K[i*3:i*3+3])
	}
}

func ExampleShortestPath() {
	K, err := kernels.ShortestPath(context.Background(), molecules(), kernels.WithLabels)
	if err == nil {
		K, err = kernels.Normalize(K, 3)
	}
	show(K, err)
	// Output:
	// [1 0.3651 0.8333]
	// [0.3651 1 0.3651]
	// [0.8333 0.3651 1]
}

// Matrices of all depths come from one run.
func ExampleWeisfeilerLehman() {
	all, err := kernels.WeisfeilerLehman(context.Background(), molecules(), 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	for h, K := range all {
		fmt.Println("depth", h)
		show(K, nil)
	}
	// Output:
	// depth 0
	// [8 8 8]
	// [8 16 8]
	// [8 8 8]
	// depth 1
	// [16 8 12]
	// [8 32 8]
	// [12 8 14]
	// depth 2
	// [24 8 12]
	// [8 48 8]
	// [12 8 20]
}

func ExampleGraphlets() {
	show(kernels.Graphlets(context.Background(), molecules()))
	// Output:
	// [8 8 6]
	// [8 16 12]
	// [6 12 10]
}

// The number of draws that published code takes for one of its settings.
func ExampleSampledGraphlets() {
	const draws = 441 // epsilon and delta of .1
	K, err := kernels.SampledGraphlets(context.Background(), molecules(), draws, rand.New(rand.NewPCG(1, 2)))
	if err == nil {
		K, err = kernels.Normalize(K, 3)
	}
	fmt.Println(draws, "draws")
	show(K, err)
	// Output:
	// 441 draws
	// [1 0.6925 0.658]
	// [0.6925 1 0.9501]
	// [0.658 0.9501 1]
}

// A lambda beyond convergence is an error that names the limit.
func ExampleRandomWalk() {
	ctx := context.Background()
	all, err := kernels.RandomWalk(ctx, molecules(), []float64{.1, .01}, kernels.WithoutLabels, 1)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, K := range all {
		show(K, nil)
	}
	limit, err := kernels.RandomWalkLimit(ctx, molecules(), kernels.WithoutLabels)
	fmt.Println("lambda below", limit, err)
	_, err = kernels.RandomWalk(ctx, molecules(), []float64{.3}, kernels.WithoutLabels, 1)
	fmt.Println(err)
	// Output:
	// [20.95 23.16 21.21]
	// [23.16 26.67 23.64]
	// [21.21 23.64 21.54]
	// [16.37 16.5 16.37]
	// [16.5 16.67 16.5]
	// [16.37 16.5 16.37]
	// lambda below 0.25 <nil>
	// kernels: lambda is 0.3, where the walks of graphs 1 and 1 do not converge, or too slowly: expected a number below 0.9997 times 0.25 (1 / the largest spectral radius of a product of two graphs)
}

func ExampleGraphHopper() {
	show(kernels.GraphHopper(context.Background(), molecules()))
	// Output:
	// [28 0 28]
	// [0 0 0]
	// [28 0 44]
}

func ExampleGraphHopperGaussian() {
	show(kernels.GraphHopperGaussian(context.Background(), molecules(), 1, 1))
	// Output:
	// [116.6 162.5 119.5]
	// [162.5 336 190.3]
	// [119.5 190.3 150.5]
}

// The same draws serve any number of steps.
func ExamplePropagation() {
	draws, err := kernels.NewDraws(3, 1, .5, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	all, err := kernels.Propagation(context.Background(), molecules(), draws, []int{1, 3})
	if err != nil {
		fmt.Println(err)
		return
	}
	show(all[0], nil)
	show(all[1], nil)
	// Output:
	// [8 8 8]
	// [8 16 8]
	// [8 8 8]
	// [24 16 20]
	// [16 48 24]
	// [20 24 28]
}
