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

// Fit a dictionary to simulated graphs of one, two or three blocks, embed them in
// it, and reconstruct the first.
func Example() {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	set, err := datasets.D1(nil, rng)
	if err != nil {
		log.Fatal(err)
	}
	graphs := make([]*gw.Space, len(set.Graphs))
	for k := range graphs {
		g := &set.Graphs[k]
		var err error
		if graphs[k], err = gw.NewSpace(g.Adjacency(), nil, g.Order(), 0, nil); err != nil {
			log.Fatal(err)
		}
	}
	start, err := gdl.InitRandom(3, 6, 0, 1, rng) // 3 atoms of order 6
	if err != nil {
		log.Fatal(err)
	}
	fit, err := gdl.Train(ctx, graphs, start, &gdl.TrainSettings{Epochs: 3, NonNegative: true}, rng)
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
	// 300 graphs, 3 weights each; a model of order 6
	// loss fell: true entries: 36
}
