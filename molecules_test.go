package ogdl_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"ogdl/internal/test/golden"
)

// molecules draws 30 rings, 30 chains and 30 trees of 8 to 16 nodes. One node in eight of a ring is O, of a chain N, of a tree either.
func molecules() string {
	rng := rand.New(rand.NewPCG(1, 90))
	var out strings.Builder
	for i := range 90 {
		class, other := []string{"ring", "chain", "tree"}[i%3], []string{"O", "N", "ON"}[i%3]
		n := 8 + rng.IntN(9)
		edges, labels := [][2]int{}, make([]string, n)
		for v := range n {
			labels[v] = "C"
			if rng.IntN(8) == 0 {
				labels[v] = string(other[rng.IntN(len(other))])
			}
			switch {
			case v > 0 && class == "tree":
				edges = append(edges, [2]int{rng.IntN(v), v})
			case v > 0:
				edges = append(edges, [2]int{v - 1, v})
			}
		}
		if class == "ring" {
			edges = append(edges, [2]int{0, n - 1})
		}
		line, _ := json.Marshal(map[string]any{"name": fmt.Sprintf("%s %d", class, i/3), "class": class, "labels": labels, "edges": edges})
		out.Write(append(line, '\n'))
	}
	return out.String()
}

// TestMolecules: the sample that ships is what is drawn here.
func TestMolecules(t *testing.T) {
	golden.Check(t, "docs/molecules.jsonl", molecules())
}
