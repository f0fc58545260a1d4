package gin_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"ogdl/baselines/gin"
)

// path is a tree of n nodes, whose only input is 1: they differ by their neighbours alone.
func path(n int) gin.Graph {
	g := gin.Graph{Neighbors: make([][]int32, n)}
	for i := range n {
		if i > 0 {
			g.Neighbors[i] = append(g.Neighbors[i], int32(i-1))
		}
		if i < n-1 {
			g.Neighbors[i] = append(g.Neighbors[i], int32(i+1))
		}
		g.Inputs = append(g.Inputs, 1)
	}
	return g
}

// star is another.
func star(n int) gin.Graph {
	g := gin.Graph{Neighbors: make([][]int32, n), Inputs: []float64{1}}
	for i := 1; i < n; i++ {
		g.Neighbors[0] = append(g.Neighbors[0], int32(i))
		g.Neighbors[i] = []int32{0}
		g.Inputs = append(g.Inputs, 1)
	}
	return g
}

// Paths are class 0, stars class 1. Those of eleven nodes are watched, not learned from.
func Example() {
	var graphs []gin.Graph
	var classes []int
	for n := 4; n <= 10; n++ {
		graphs, classes = append(graphs, path(n), star(n)), append(classes, 0, 1)
	}
	watched := []gin.Graph{path(11), star(11)}
	r, err := gin.Train(context.Background(), graphs, classes, watched, &gin.Settings{Hidden: 8, Epochs: 60}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("loss %.1f, then %.1f\n", r.Loss[0], r.Loss[59])
	fmt.Println("after the last epoch:", r.Watched[59])
	told, err := r.Model.Predict([]gin.Graph{star(5), star(12), path(6)})
	fmt.Println(told, err)
	// Output:
	// loss 4.3, then 0.0
	// after the last epoch: [0 1]
	// [1 1 0] <nil>
}
