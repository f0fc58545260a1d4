package egotest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/internal/test/must"
)

// WriteTU writes a simulated set with labels and attributes as a TU folder.
func WriteTU(t testing.TB, path string, seed uint64, graphs int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	d := must.Get(datasets.D1(&datasets.SimulationSettings{MinOrder: 10, MaxOrder: 15, Step: 5, Graphs: graphs}, r))
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
	WriteFiles(t, path, map[string]string{
		"_A.txt": a.String(), "_graph_indicator.txt": indicator.String(), "_graph_labels.txt": classes.String(),
		"_node_labels.txt": labels.String(), "_node_attributes.txt": attributes.String(),
	})
}

// WriteRings writes a TU folder of n rings, with labels and attributes of nodes if asked for. class is the class of a graph.
func WriteRings(t testing.TB, path string, n int, class func(k int) int, onNodes bool) {
	t.Helper()
	var edges, indicator, classes, labels, attributes strings.Builder
	node := 0
	for k := range n {
		order := 4 + k%5
		for i := range order {
			a, b := node+i+1, node+(i+1)%order+1
			fmt.Fprintf(&edges, "%d, %d\n%d, %d\n", a, b, b, a)
			fmt.Fprintln(&indicator, k+1)
			fmt.Fprintln(&labels, i*class(k)%2)
			fmt.Fprintf(&attributes, "%d, 0.5\n", i*class(k))
		}
		node += order
		fmt.Fprintln(&classes, class(k))
	}
	files := map[string]string{"_A.txt": edges.String(), "_graph_indicator.txt": indicator.String(), "_graph_labels.txt": classes.String()}
	if onNodes {
		files["_node_labels.txt"], files["_node_attributes.txt"] = labels.String(), attributes.String()
	}
	WriteFiles(t, path, files)
}

// WriteFiles writes a TU folder of these texts, by the endings of their names.
func WriteFiles(t testing.TB, path string, files map[string]string) {
	t.Helper()
	must.Do(t, os.MkdirAll(path, 0o755))
	for ending, text := range files {
		must.Do(t, os.WriteFile(filepath.Join(path, filepath.Base(path)+ending), []byte(text), 0o644))
	}
}
