package datasets_test

import (
	"fmt"
	"math/rand/v2"

	"ogdl/datasets"
)

// A stream of graphs with four to seven triangles.
func ExampleTriangleStream() {
	set := &datasets.TriangleSettings{Labels: []int{4, 5, 6, 7}}
	stream, err := datasets.NewTriangleStream(set, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		fmt.Println(err)
		return
	}
	for range 3 {
		g, class, err := stream.Next()
		if err != nil {
			fmt.Println(err)
			return
		}
		through := 0.0
		for _, x := range g.Attributes {
			through += x
		}
		// Each triangle goes through three nodes.
		fmt.Println(through == 3*float64(stream.Labels()[class]))
	}
	// Output:
	// true
	// true
	// true
}
