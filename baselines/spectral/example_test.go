package spectral_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"ogdl/baselines/spectral"
	"ogdl/ot/gw"
)

// Three paths and three cliques, of four to six nodes.
func Example() {
	var graphs []*gw.Space
	for k := range 6 {
		n := 4 + k/2
		c := make([]float64, n*n)
		for i := range n {
			for j := range i {
				if k%2 == 1 || i == j+1 {
					c[i*n+j], c[j*n+i] = 1, 1
				}
			}
		}
		g, err := gw.NewSpace(c, nil, n, 0, nil)
		if err != nil {
			fmt.Println(err)
			return
		}
		graphs = append(graphs, g)
	}
	D, took, err := gw.Pairwise(context.Background(), graphs, 1, nil, 2)
	if err != nil {
		fmt.Println(err)
		return
	}
	e, err := spectral.Embed(context.Background(), D, len(graphs), 2, 4)
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := e.Cluster(&spectral.Settings{Labels: spectral.Discretise}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	together := r.Labels[0] == r.Labels[2] && r.Labels[0] == r.Labels[4] &&
		r.Labels[1] == r.Labels[3] && r.Labels[1] == r.Labels[5]
	fmt.Printf("%d solves, first distance %.3f\n", took.Solves, D[1])
	fmt.Println("paths apart from cliques:", together && r.Labels[0] != r.Labels[1])
	// Output:
	// 15 solves, first distance 0.612
	// paths apart from cliques: true
}
