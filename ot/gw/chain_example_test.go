package gw_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"ogdl/ot/gw"
)

// A path of eight nodes against the same with one edge more. From p q' the descent ends in a local minimum; from couplings of a
// chain it finds the least value, two entries of 64 that differ.
func ExampleChain_Solve() {
	path, more := make([]float64, 64), make([]float64, 64)
	join := func(c []float64, i, j int) { c[i*8+j], c[j*8+i] = 1, 1 }
	for i := range 7 {
		join(path, i, i+1)
		join(more, i, i+1)
	}
	join(more, 0, 2)
	x, err := gw.NewSpace(path, nil, 8, 0, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	y, err := gw.NewSpace(more, nil, 8, 0, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var (
		s gw.Solver
		c gw.Chain
	)
	ctx := context.Background()
	one, err := s.Solve(ctx, x, y, 1, nil, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("from p q': %d / 64\n", int(64*one.Value+.5))
	best, err := c.Solve(ctx, &s, x, y, 1, &gw.ChainSettings{Starts: 10, Skip: 10, Rand: rand.New(rand.NewPCG(1, 2))}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("from eleven starts: %d / 64\n", int(64*best.Value+.5))
	// Output:
	// from p q': 6 / 64
	// from eleven starts: 2 / 64
}

// The chain alone: couplings of two weights, ten steps apart.
func ExampleChain_Step() {
	var c gw.Chain
	if err := c.Reset([]float64{.5, .5}, []float64{.2, .3, .5}); err != nil {
		fmt.Println(err)
		return
	}
	rng := rand.New(rand.NewPCG(1, 2))
	for range 2 {
		for range 10 {
			if err := c.Step(rng); err != nil {
				fmt.Println(err)
				return
			}
		}
		T := c.Coupling()
		fmt.Printf("%.2f\n%.2f\n\n", T[:3], T[3:])
	}
	// Output:
	// [0.07 0.19 0.24]
	// [0.13 0.11 0.26]
	//
	// [0.12 0.00 0.38]
	// [0.08 0.30 0.12]
}
