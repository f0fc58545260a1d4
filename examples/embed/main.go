// Command embed keeps a dictionary in a file, and puts graphs that it has not seen into it.
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"path/filepath"

	"ogdl/datasets"
	"ogdl/datasets/spaces"
	"ogdl/gdl"
)

// draw returns graphs of one and of two blocks.
func draw(sizes [][]int, rng *rand.Rand) *datasets.Dataset {
	d := &datasets.Dataset{Name: "blocks"}
	for _, s := range sizes {
		g, err := datasets.BlockModel{Within: 0.9, Between: 0.1}.Sample(s, rng)
		if err != nil {
			log.Fatal(err)
		}
		d.Graphs = append(d.Graphs, g)
	}
	return d
}

func main() {
	ctx, rng := context.Background(), rand.New(rand.NewPCG(1, 2))
	var sizes [][]int
	for k := range 20 {
		sizes = append(sizes, []int{12 + k}, []int{6 + k/2, 6 + k/2})
	}
	graphs, _, err := spaces.Of(draw(sizes, rng), nil)
	if err != nil {
		log.Fatal(err)
	}
	fit, err := gdl.Learn(ctx, graphs, 2, 6, &gdl.Settings{TrainSettings: gdl.TrainSettings{Epochs: 40, NonNegative: true}}, rng)
	if err != nil {
		log.Fatal(err)
	}
	path := filepath.Join(os.TempDir(), fmt.Sprintf("blocks-%d.npz", os.Getpid())) // numpy.load reads it, too
	if err := fit.Dictionary.SaveNPZ(path, map[string]string{"data": "blocks"}); err != nil {
		log.Fatal(err)
	}
	defer os.Remove(path)

	dictionary, meta, err := gdl.LoadNPZ(path)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d atoms of order %d, learned from %s\n", dictionary.S, dictionary.N, meta["data"])
	fresh, _, err := spaces.Of(draw([][]int{{20}, {10, 10}, {5, 5, 5, 5}}, rng), nil)
	if err != nil {
		log.Fatal(err)
	}
	embeddings, err := dictionary.Embed(ctx, fresh, nil, 0)
	if err != nil {
		log.Fatal(err)
	}
	for k, name := range []string{"one block", "two blocks", "four blocks"} { // the last is unlike all graphs of the fit
		fmt.Printf("%-11s weights %.2f, error %.3f\n", name, embeddings[k].W, embeddings[k].Reconstruction)
	}
}

// Output:
// 2 atoms of order 6, learned from blocks
// one block   weights [0.04 0.96], error 0.091
// two blocks  weights [0.95 0.05], error 0.116
// four blocks weights [0.99 0.01], error 0.229
