// Command distance compares two graphs: their Gromov-Wasserstein distance, and which node goes with which.
package main

import (
	"context"
	"fmt"
	"log"
	"math"

	"ogdl/ot/gw"
)

func main() {
	// A path of four nodes, and a square with a tail.
	path, err := gw.FromEdges(4, [][2]int{{0, 1}, {1, 2}, {2, 3}}, nil, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	tailed, err := gw.FromEdges(5, [][2]int{{0, 1}, {1, 2}, {2, 3}, {3, 0}, {3, 4}}, nil, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	r, err := gw.SolveSpaces(context.Background(), path, tailed, 1, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("distance %.3f, %v\n", math.Sqrt(r.Value), r.Status)
	for i := range path.N() { // the coupling, n x m row by row
		fmt.Printf("node %d: %.2f\n", i, r.T[i*tailed.N():(i+1)*tailed.N()])
	}

	// The distances of all pairs, row by row.
	D, _, err := gw.Pairwise(context.Background(), []*gw.Space{path, tailed, path}, 1, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("all pairs: %.3f\n", D)
}

// Output:
// distance 0.381, converged
// node 0: [0.00 0.15 0.00 0.00 0.10]
// node 1: [0.20 0.00 0.05 0.00 0.00]
// node 2: [0.00 0.05 0.00 0.20 0.00]
// node 3: [0.00 0.00 0.15 0.00 0.10]
// all pairs: [0.000 0.381 0.000 0.381 0.000 0.381 0.000 0.381 0.000]
