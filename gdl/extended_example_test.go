package gdl_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"ogdl/datasets"
	"ogdl/gdl"
	"ogdl/ot/gw"
)

// Learn node weights too, embed the graphs, and take the GW distance of two
// embedded graphs, whose models have weights of their own.
func Example_extended() {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	set, err := datasets.D1(nil, rng)
	if err != nil {
		log.Fatal(err)
	}
	graphs := make([]*gw.Space, 60)
	for k := range graphs {
		g := &set.Graphs[5*k]
		var err error
		if graphs[k], err = gw.NewSpace(g.Adjacency(), nil, g.Order(), 0, nil); err != nil {
			log.Fatal(err)
		}
	}
	atoms, err := gdl.InitRandom(3, 6, 0, 1, rng)
	if err != nil {
		log.Fatal(err)
	}
	start, err := gdl.Extend(atoms, rng)
	if err != nil {
		log.Fatal(err)
	}
	fit, err := gdl.Train(ctx, graphs, start, &gdl.TrainSettings{Epochs: 3, StepC: 0.02, NonNegative: true}, rng)
	if err != nil {
		log.Fatal(err)
	}
	d := fit.Dictionary
	embeddings, err := d.Embed(ctx, graphs, nil, 2)
	if err != nil {
		log.Fatal(err)
	}
	var models [2]*gw.Space
	for k, e := range []gdl.Embedding{embeddings[0], embeddings[59]} {
		if models[k], err = d.Model(e.W, e.V); err != nil {
			log.Fatal(err)
		}
	}
	var solver gw.Solver
	r, err := solver.Solve(ctx, models[0], models[1], d.Alpha, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("loss fell:", fit.EpochLoss[2] < fit.EpochLoss[0])
	fmt.Println("one block and three are apart:", r.Value > 0.01)
	// Output:
	// loss fell: true
	// one block and three are apart: true
}
