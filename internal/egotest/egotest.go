// Package egotest generates files of the size of TWITCH-EGOS, for tests of what streams
// them.
package egotest

import (
	"bufio"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"ogdl/datasets"
	"ogdl/internal/test/must"
)

// What the collection's page says of TWITCH-EGOS, and what shared/tudatasets
// counts: First graphs are of label 0, the others of label 1.
const (
	Name                = "twitch_egos"
	Graphs, First       = 127_094, 58_761
	MeanOrder, MeanEdge = 29.67, 86.59
)

// Graph draws the graph of number k, counted from 0 and always the same one: a node
// joined to all others, which are joined at random.
func Graph(k int) *datasets.Graph {
	rng := rand.New(rand.NewPCG(uint64(k), 1))
	n := 14 + rng.IntN(32) + rng.IntN(5)/4
	g := &datasets.Graph{Neighbors: make([][]int32, n)}
	for i := range n {
		for j := range i {
			// Of (n-1)(n-2)/2 pairs about 2.02 (n-1) are joined.
			if j == 0 || rng.Float64()*float64(n-2) < 4.04 {
				g.Neighbors[i] = append(g.Neighbors[i], int32(j))
				g.Neighbors[j] = append(g.Neighbors[j], int32(i))
			}
		}
	}
	return g
}

// Class is the label of graph k: the classes are interleaved, in the proportion of the
// collection's.
func Class(k int) int {
	if k*First/Graphs < (k+1)*First/Graphs {
		return 0
	}
	return 1
}

// Write writes the first n graphs as files in the TU text format into the folder dir, which it
// makes, every edge in both directions; all Graphs are 500 MB. It returns how many
// nodes and edges they have, and holds one graph at a time.
func Write(t testing.TB, dir string, n int) (nodes, edges int) {
	t.Helper()
	must.Do(t, os.MkdirAll(dir, 0o777))
	create := func(suffix string) *bufio.Writer {
		f := must.Get(os.Create(filepath.Join(dir, Name+"_"+suffix+".txt")))
		t.Cleanup(func() { f.Close() })
		return bufio.NewWriterSize(f, 1<<20)
	}
	adjacency, indicator, labels := create("A"), create("graph_indicator"), create("graph_labels")
	var buf []byte
	for k := range n {
		g := Graph(k)
		for i, nb := range g.Neighbors {
			buf = buf[:0]
			for _, j := range nb {
				buf = strconv.AppendInt(buf, int64(nodes+1+i), 10)
				buf = append(buf, ", "...)
				buf = strconv.AppendInt(buf, int64(nodes+1)+int64(j), 10)
				buf = append(buf, '\n')
			}
			adjacency.Write(buf)
			indicator.WriteString(strconv.Itoa(k+1) + "\n")
		}
		labels.WriteString(strconv.Itoa(Class(k)) + "\n")
		nodes += g.Order()
		edges += g.Edges()
	}
	for _, w := range []*bufio.Writer{adjacency, indicator, labels} {
		must.Do(t, w.Flush())
	}
	return nodes, edges
}
