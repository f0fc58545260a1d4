package loader_test

import (
	"errors"
	"fmt"
	"testing/fstest"

	"ogdl/datasets"
	"ogdl/datasets/loader"
)

// A triangle and an edge, in two classes.
func ExampleRead() {
	folder := fstest.MapFS{
		"SHAPES_A.txt":               {Data: []byte("1, 2\n2, 3\n3, 1\n4, 5\n")},
		"SHAPES_graph_indicator.txt": {Data: []byte("1\n1\n1\n2\n2\n")},
		"SHAPES_graph_labels.txt":    {Data: []byte("1\n-1\n")},
	}
	d, err := loader.Read(folder, "SHAPES")
	if err != nil {
		fmt.Println(err)
		return
	}
	for k := range d.Graphs {
		c, err := datasets.Structure{Kind: datasets.KindAdjacency}.Matrix(&d.Graphs[k])
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println(d.ClassValues[d.Classes[k]], c)
	}
	// Output:
	// 1 [0 1 1 1 0 1 1 1 0]
	// -1 [0 1 1 0]
}

// A set that is not there comes with the command that fetches it.
func ExampleLoad() {
	_, err := loader.Load("data", "IMDB-B")
	fmt.Println(errors.Is(err, loader.ErrMissing))
	fmt.Println(err)
	// Output:
	// true
	// loader: data/IMDB-BINARY: data set not there; fetch it by: scripts/fetch_tudatasets.sh IMDB-BINARY
}
