package gwkmeans_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"ogdl/baselines/gwkmeans"
	"ogdl/ot/gw"
)

// Rings and complete graphs of several orders.
func ExampleCluster() {
	var graphs []*gw.Space
	for n := 5; n <= 8; n++ {
		ring, complete := make([]float64, n*n), make([]float64, n*n)
		for i := range n {
			for j := range n {
				if i != j {
					complete[i*n+j] = 1
				}
			}
			ring[i*n+(i+1)%n], ring[(i+1)%n*n+i] = 1, 1
		}
		for _, c := range [][]float64{ring, complete} {
			g, err := gw.NewSpace(c, nil, n, 0, nil)
			if err != nil {
				fmt.Println(err)
				return
			}
			graphs = append(graphs, g)
		}
	}
	r, err := gwkmeans.Cluster(context.Background(), graphs, 2, 1, nil, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	together := r.Labels[0] == r.Labels[2] && r.Labels[1] == r.Labels[3]
	fmt.Println(r.Status, "with centroids of order", r.Centroids[0].N())
	fmt.Println("rings together:", together, "apart from the complete graphs:", r.Labels[0] != r.Labels[1])
	// Output:
	// converged with centroids of order 6
	// rings together: true apart from the complete graphs: true
}
