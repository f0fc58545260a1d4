package loader_test

import (
	"bufio"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ogdl/datasets"
	"ogdl/datasets/loader"
)

var full = flag.Bool("full", false, "stream generated files of the size of TWITCH-EGOS (500 MB in the temporary folder, minutes)")

// What the collection's page says of TWITCH-EGOS, and what shared/tudatasets
// counts: 58,761 graphs of label 0, the others of label 1.
const (
	egoGraphs, egoFirst       = 127_094, 58_761
	egoMeanOrder, egoMeanEdge = 29.67, 86.59
)

// egoGraph draws the graph of that number: a node joined to all others, which
// are joined at random.
func egoGraph(k int) *datasets.Graph {
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

// egoClass interleaves the classes, in the proportion of the collection's.
func egoClass(k int) int {
	if k*egoFirst/egoGraphs < (k+1)*egoFirst/egoGraphs {
		return 0
	}
	return 1
}

// writeEgos writes the files, every edge in both directions.
func writeEgos(t *testing.T, dir string) {
	t.Helper()
	const suffixes = "A graph_indicator graph_labels"
	w := map[string]*bufio.Writer{}
	for _, suffix := range strings.Fields(suffixes) {
		f, err := os.Create(filepath.Join(dir, "twitch_egos_"+suffix+".txt"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		w[suffix] = bufio.NewWriterSize(f, 1<<20)
	}
	first, edges, buf := 1, 0, []byte(nil)
	for k := range egoGraphs {
		g := egoGraph(k)
		for i, nb := range g.Neighbors {
			buf = buf[:0]
			for _, j := range nb {
				buf = strconv.AppendInt(buf, int64(first+i), 10)
				buf = append(buf, ", "...)
				buf = strconv.AppendInt(buf, int64(first)+int64(j), 10)
				buf = append(buf, '\n')
			}
			w["A"].Write(buf)
			w["graph_indicator"].WriteString(strconv.Itoa(k+1) + "\n")
		}
		w["graph_labels"].WriteString(strconv.Itoa(egoClass(k)) + "\n")
		first += g.Order()
		edges += g.Edges()
	}
	for _, b := range w {
		if err := b.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	order, edge := float64(first-1)/egoGraphs, float64(edges)/egoGraphs
	if order < egoMeanOrder || edge < egoMeanEdge {
		t.Fatalf("generated %.3f nodes and %.3f edges a graph, want the collection's %v and %v or more", order, edge, egoMeanOrder, egoMeanEdge)
	}
	t.Logf("%d graphs, %.3f nodes and %.3f edges each", egoGraphs, order, edge)
}

// egoFolder names the files in the environment of the process that is measured.
const egoFolder = "OGDL_TEST_EGO_FOLDER"

// TestFullSize streams files of the size of TWITCH-EGOS in a process of its own
// and holds its peak of resident memory below 300 MB.
func TestFullSize(t *testing.T) {
	if !*full {
		t.Skip("only with -full")
	}
	dir := t.TempDir()
	begin := time.Now()
	writeEgos(t, dir)
	t.Logf("written in %v", time.Since(begin).Round(time.Millisecond))
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullSizeChild$", "-test.v")
	cmd.Env = append(os.Environ(), egoFolder+"="+dir)
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(out), "--- PASS: TestFullSizeChild") {
		t.Error("the measured process did nothing")
	}
}

// peak returns VmHWM, the peak of the process's resident memory in MB.
func peak(t *testing.T) float64 {
	t.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Skip("no /proc: ", err)
	}
	var kb float64
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			if _, err := fmt.Sscan(rest, &kb); err != nil {
				t.Fatal(err)
			}
		}
	}
	if kb == 0 {
		t.Fatal("no VmHWM")
	}
	return kb / 1024
}

// TestFullSizeChild is what TestFullSize measures: the index, every graph in
// order, and the graphs of one class in random order, each compared with what was
// generated.
func TestFullSizeChild(t *testing.T) {
	dir := os.Getenv(egoFolder)
	if dir == "" {
		t.Skip("a part of TestFullSize")
	}
	start := time.Now()
	lap := func(what string) {
		t.Logf("%s: %v, peak %.1f MB", what, time.Since(start).Round(time.Millisecond), peak(t))
		start = time.Now()
	}
	lap("nothing")
	s, err := loader.OpenStream(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	lap("OpenStream")
	for range s.Len() {
		if _, _, err := s.Next(); err != nil {
			t.Fatal(err)
		}
	}
	lap("Next, all graphs")
	var first []int
	for k := range s.Len() {
		if s.Class(k) == 0 {
			first = append(first, k)
		}
	}
	if s.Len() != egoGraphs || len(first) != egoFirst {
		t.Fatalf("%d graphs, %d of the first class, want %d and %d", s.Len(), len(first), egoGraphs, egoFirst)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(first), func(i, j int) { first[i], first[j] = first[j], first[i] })
	for _, k := range first {
		if _, err := s.At(k); err != nil {
			t.Fatal(err)
		}
	}
	lap("At, the first class shuffled")
	digest, err := s.Digest(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lap("Digest " + digest)
	if mb := peak(t); mb > 300 {
		t.Errorf("peak of resident memory %.1f MB, want below 300", mb)
	}
	for k := range s.Len() {
		g, err := s.At(k)
		if err != nil {
			t.Fatal(err)
		}
		// cmp takes its time: look closer only where something differs.
		if want := egoGraph(k); !sameEdges(want, g) || s.Class(k) != egoClass(k) {
			t.Fatalf("graph %d of class %d, want class %d (-want +got)\n%s", k, s.Class(k), egoClass(k), cmp.Diff(want, g))
		}
	}
	lap("compared with what was generated")
}

func sameEdges(a, b *datasets.Graph) bool {
	if a.Order() != b.Order() || b.Labels != nil || b.Attributes != nil {
		return false
	}
	for i, nb := range a.Neighbors {
		if len(nb) != len(b.Neighbors[i]) {
			return false
		}
		for k, j := range nb {
			if j != b.Neighbors[i][k] {
				return false
			}
		}
	}
	return true
}
