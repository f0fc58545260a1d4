package kernels

import (
	"context"
	"math/rand/v2"
)

// Census returns the numbers of induced subgraphs of three nodes with 0..3 edges.
func Census(g *Graph) [4]float64 {
	phi := census(g)
	return [4]float64(phi[:4])
}

// Sample returns sampled ones.
func Sample(g *Graph, draws int, rng *rand.Rand) [4]float64 {
	phi := sample(g, draws, rng)
	return [4]float64(phi[:4])
}

// HopCounts returns, for b = 0..diameter and a = 0..b, the number of shortest paths of b edges with node v at place a.
func HopCounts(g *Graph, v int) (M [][]float64) {
	var p paths
	if err := p.count(context.Background(), g); err != nil {
		panic(err)
	}
	row := p.m[v*p.size : (v+1)*p.size]
	for b := range p.wide {
		M = append(M, row[b*(b+1)/2:][:b+1])
	}
	return M
}
