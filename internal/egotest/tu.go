package egotest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/datasets"
)

// WriteTU writes a simulated set with labels and attributes as a TU folder.
func WriteTU(t testing.TB, path string, seed uint64, graphs int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	d, err := datasets.D1(&datasets.SimulationSettings{MinOrder: 10, MaxOrder: 15, Step: 5, Graphs: graphs}, r)
	if err != nil {
		t.Fatal(err)
	}
	var a, indicator, labels, attributes, classes strings.Builder
	node := 0
	for i, g := range d.Graphs {
		fmt.Fprintln(&classes, d.Classes[i])
		for v := range g.Order() {
			fmt.Fprintln(&indicator, i+1)
			fmt.Fprintln(&labels, 3+2*(v%3))
			fmt.Fprintf(&attributes, "%g, %g\n", float64(d.Classes[i])+r.NormFloat64(), r.NormFloat64())
			for _, w := range g.Neighbors[v] {
				fmt.Fprintf(&a, "%d, %d\n", node+v+1, node+int(w)+1)
			}
		}
		node += g.Order()
	}
	name := filepath.Base(path)
	for suffix, text := range map[string]string{
		"_A.txt": a.String(), "_graph_indicator.txt": indicator.String(), "_graph_labels.txt": classes.String(),
		"_node_labels.txt": labels.String(), "_node_attributes.txt": attributes.String(),
	} {
		if err := os.MkdirAll(path, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(path, name+suffix), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
