package gdl_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"ogdl/datasets"
	"ogdl/datasets/spaces"
	"ogdl/gdl"
	"ogdl/ot/gw"
)

// Fit a dictionary of 3 atoms of order 6 to simulated graphs of one, two or three blocks, embed
// them in it, and reconstruct the first.
func Example() {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	graphs := blocks(rng)
	set := &gdl.Settings{Init: gdl.RandomInit, TrainSettings: gdl.TrainSettings{Epochs: 3, NonNegative: true}}
	fit, err := gdl.Learn(ctx, graphs, 3, 6, set, rng)
	if err != nil {
		log.Fatal(err)
	}
	embeddings, err := fit.Dictionary.Embed(ctx, graphs, nil, 2)
	if err != nil {
		log.Fatal(err)
	}
	C, _, _ := fit.Dictionary.Reconstruct(embeddings[0].W)
	fmt.Printf("%d graphs, %d weights each; a model of order %d\n", len(embeddings), len(embeddings[0].W), fit.Dictionary.N)
	fmt.Println("loss fell:", fit.EpochLoss[2] < fit.EpochLoss[0], "entries:", len(C))
	// Output:
	// 30 graphs, 3 weights each; a model of order 6
	// loss fell: true entries: 36
}

// Learn node weights too, embed the graphs, and take the GW distance of two
// embedded graphs, whose models have weights of their own.
func Example_extended() {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	graphs := blocks(rng)
	set := &gdl.Settings{Init: gdl.RandomInit, NodeWeights: true, TrainSettings: gdl.TrainSettings{Epochs: 3, StepC: 0.02, NonNegative: true}}
	fit, err := gdl.Learn(ctx, graphs, 3, 6, set, rng)
	if err != nil {
		log.Fatal(err)
	}
	d := fit.Dictionary
	embeddings, err := d.Embed(ctx, graphs, nil, 2)
	if err != nil {
		log.Fatal(err)
	}
	var models [2]*gw.Space
	for k, e := range []gdl.Embedding{embeddings[0], embeddings[len(graphs)-1]} {
		if models[k], err = d.Model(e.W, e.V); err != nil {
			log.Fatal(err)
		}
	}
	r, err := gw.SolveSpaces(ctx, models[0], models[1], d.Alpha, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("loss fell:", fit.EpochLoss[2] < fit.EpochLoss[0])
	fmt.Println("one block and three are apart:", r.Value > 0.01)
	// Output:
	// loss fell: true
	// one block and three are apart: true
}

// blocks draws graphs of one, two and three blocks, as spaces.
func blocks(rng *rand.Rand) []*gw.Space {
	set, err := datasets.D1(&datasets.SimulationSettings{Graphs: 10}, rng)
	if err != nil {
		log.Fatal(err)
	}
	graphs, _, err := spaces.Of(set, nil)
	if err != nil {
		log.Fatal(err)
	}
	return graphs
}
