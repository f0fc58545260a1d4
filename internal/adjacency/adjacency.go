// Package adjacency checks lists of neighbours.
package adjacency

import (
	"fmt"
	"slices"
)

// Check returns an error unless the lists are of an undirected graph without loops: for each node its neighbours, ascending, distinct,
// without the node itself, and symmetric.
func Check(neighbors [][]int32) error {
	for i, list := range neighbors {
		for k, j := range list {
			switch {
			case j < 0 || int(j) >= len(neighbors):
				return fmt.Errorf("node %d has the neighbour %d, expected one of %d nodes", i, j, len(neighbors))
			case int(j) == i:
				return fmt.Errorf("node %d is its own neighbour, expected a graph without loops", i)
			case k > 0 && j <= list[k-1]:
				return fmt.Errorf("neighbours of node %d: %d after %d, expected ascending ones", i, j, list[k-1])
			}
		}
	}
	for i, list := range neighbors { // all of them ascend
		for _, j := range list {
			if _, back := slices.BinarySearch(neighbors[j], int32(i)); !back {
				return fmt.Errorf("node %d has the neighbour %d, but %d not the neighbour %d", i, j, j, i)
			}
		}
	}
	return nil
}
