package loader_test

import (
	"fmt"
	"io"
	"testing/fstest"

	"ogdl/datasets/loader"
)

// A triangle, an edge and a path, first in order, then one by itself.
func ExampleStream() {
	folder := fstest.MapFS{
		"SHAPES_A.txt":               {Data: []byte("1, 2\n2, 3\n3, 1\n4, 5\n6, 7\n7, 8\n")},
		"SHAPES_graph_indicator.txt": {Data: []byte("1\n1\n1\n2\n2\n3\n3\n3\n")},
		"SHAPES_graph_labels.txt":    {Data: []byte("1\n-1\n1\n")},
	}
	// On disk: loader.OpenStream("path/to/SHAPES").
	s, err := loader.NewStream(folder, "SHAPES")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	values := s.Head().ClassValues
	for {
		g, class, err := s.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Println("class", values[class], "with", g.Order(), "nodes and", g.Edges(), "edges")
	}
	g, err := s.At(1)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(g.Neighbors)
	// Output:
	// class 1 with 3 nodes and 3 edges
	// class -1 with 2 nodes and 1 edges
	// class 1 with 3 nodes and 2 edges
	// [[1] [0]]
}
