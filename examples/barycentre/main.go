// Command barycentre averages cycles of several lengths: the mean is a cycle, too.
package main

import (
	"context"
	"fmt"
	"log"

	"ogdl/datasets"
	"ogdl/ot/gw"
)

// cycle returns the shortest-path matrix of a cycle, relative to its length, as a space.
func cycle(n int) (*gw.Space, error) {
	g := &datasets.Graph{Neighbors: make([][]int32, n)}
	for i := range n {
		next, before := int32((i+1)%n), int32((i+n-1)%n)
		g.Neighbors[i] = []int32{min(next, before), max(next, before)}
	}
	c, err := datasets.Structure{Kind: datasets.KindShortestPath}.Matrix(g)
	if err != nil {
		return nil, err
	}
	for k := range c {
		c[k] /= float64(n)
	}
	return gw.NewSpace(c, nil, n, 0, nil)
}

func main() {
	var graphs []*gw.Space
	for _, n := range []int{6, 8, 12} {
		g, err := cycle(n)
		if err != nil {
			log.Fatal(err)
		}
		graphs = append(graphs, g)
	}
	r, err := gw.Barycentre(context.Background(), graphs, nil, nil, 1, &gw.BarycentreSettings{Order: 6})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%v after %d rounds, mean GW^2 %.4f\n", r.Status, r.Iterations, r.Value)
	c, stride := r.Space.C()
	for i := range r.Space.N() {
		fmt.Printf("%.2f\n", c[i*stride:i*stride+r.Space.N()])
	}
}

// Output:
// converged after 3 rounds, mean GW^2 0.0030
// [0.03 0.16 0.33 0.47 0.34 0.17]
// [0.16 0.03 0.16 0.34 0.47 0.34]
// [0.33 0.16 0.03 0.17 0.34 0.47]
// [0.47 0.34 0.17 0.03 0.16 0.33]
// [0.34 0.47 0.34 0.16 0.03 0.16]
// [0.17 0.34 0.47 0.33 0.16 0.03]
