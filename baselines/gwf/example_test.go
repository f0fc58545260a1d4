package gwf_test

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"

	"ogdl/baselines/gwf"
	"ogdl/ot/gw"
)

func Example() {
	// Complete graphs and stars of several orders.
	var graphs []*gw.Space
	for n := 5; n < 10; n++ {
		for _, complete := range []bool{true, false} {
			c := make([]float64, n*n)
			for i := range n {
				for j := range n {
					if i != j && (complete || i == 0 || j == 0) {
						c[i*n+j] = 1
					}
				}
			}
			g, err := gw.NewSpace(c, nil, n, 0, nil)
			if err != nil {
				log.Fatal(err)
			}
			graphs = append(graphs, g)
		}
	}
	rng := rand.New(rand.NewPCG(1, 2))
	init, err := gwf.InitRandomOrder(graphs, 2, 1, rng)
	if err != nil {
		log.Fatal(err)
	}
	set := &gwf.Settings{ZAdam: gwf.Visited, Transport: gwf.Transport{Gamma: 0.1}, Epochs: 20, Batch: 5}
	learned, err := gwf.Train(context.Background(), graphs, init, set, rng)
	if err != nil {
		log.Fatal(err)
	}
	first, last := learned.EpochLoss[0], learned.EpochLoss[len(learned.EpochLoss)-1]
	fmt.Println("the loss fell by half or more:", last < first/2)

	embedded, err := learned.Model.Embed(context.Background(), graphs, &gwf.EmbedSettings{Transport: set.Transport}, 1)
	if err != nil {
		log.Fatal(err)
	}
	apart := true
	for i := 2; i < len(graphs); i += 2 {
		apart = apart && (embedded[i].W[0] > 0.5) == (embedded[0].W[0] > 0.5)
		apart = apart && (embedded[i+1].W[0] > 0.5) != (embedded[0].W[0] > 0.5)
	}
	fmt.Println("complete graphs and stars lean on different atoms:", apart)
	// Output:
	// the loss fell by half or more: true
	// complete graphs and stars lean on different atoms: true
}
