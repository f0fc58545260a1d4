// Command stream learns from a stream of graphs at constant memory, and reports when the stream changes.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"math/rand/v2"

	"ogdl/datasets"
	"ogdl/gdl"
	"ogdl/ot/gw"
)

func main() {
	rng := rand.New(rand.NewPCG(1, 2))
	drawn := 0
	source := func(context.Context) (*gw.Space, error) {
		if drawn++; drawn > 800 {
			return nil, io.EOF
		}
		sizes := []int{12} // one block; from graph 401 on three
		if drawn > 400 {
			sizes = []int{4, 4, 4}
		}
		g, err := datasets.BlockModel{Within: 0.9, Between: 0.1}.Sample(sizes, rng)
		if err != nil {
			return nil, err
		}
		return gw.NewSpace(g.Adjacency(), nil, g.Order(), 0, nil)
	}
	start, err := gdl.InitRandom(2, 6, 0, 1, rng)
	if err != nil {
		log.Fatal(err)
	}
	learner, err := gdl.NewOnline(start, &gdl.OnlineSettings{
		StepC: 0.05, Every: 200,
		Detector: &gdl.ChangePointSettings{Window: 200},
		OnEvent: func(e gdl.Event) {
			if e.Kind == gdl.ChangePoint {
				fmt.Printf("step %d: a change at step %d or so\n", e.Step, e.Onset)
				return
			}
			fmt.Printf("step %d: mean loss %.2f\n", e.Step, e.Loss)
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	if _, err := learner.Run(context.Background(), gdl.SourceFunc(source), 0); err != nil {
		log.Fatal(err)
	}
	fmt.Println(learner.Graphs(), "graphs")
}

// Output:
// step 200: mean loss 0.16
// step 400: mean loss 0.13
// step 405: a change at step 401 or so
// step 600: mean loss 0.21
// step 800: mean loss 0.17
// 800 graphs
