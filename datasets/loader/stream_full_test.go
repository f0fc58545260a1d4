package loader_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/egotest"
	"ogdl/internal/test/must"

	"github.com/google/go-cmp/cmp"
)

var full = flag.Bool("full", false, "stream generated files of the size of TWITCH-EGOS (500 MB in the temporary folder, half a minute)")

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
	nodes, edges := egotest.Write(t, dir, egotest.Graphs)
	order, edge := float64(nodes)/egotest.Graphs, float64(edges)/egotest.Graphs
	t.Logf("%d graphs, %.3f nodes and %.3f edges each, written in %v", egotest.Graphs, order, edge, time.Since(begin).Round(time.Millisecond))
	if order < egotest.MeanOrder || edge < egotest.MeanEdge {
		t.Fatalf("want the collection's %v nodes and %v edges or more", egotest.MeanOrder, egotest.MeanEdge)
	}
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
			must.Get(fmt.Sscan(rest, &kb))
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
	s := must.Get(loader.OpenStream(dir))
	defer s.Close()
	lap("OpenStream")
	for range s.Len() {
		must.Get2(s.Next())
	}
	lap("Next, all graphs")
	var first []int
	for k := range s.Len() {
		if s.Class(k) == 0 {
			first = append(first, k)
		}
	}
	if s.Len() != egotest.Graphs || len(first) != egotest.First {
		t.Fatalf("%d graphs, %d of the first class, want %d and %d", s.Len(), len(first), egotest.Graphs, egotest.First)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	rng.Shuffle(len(first), func(i, j int) { first[i], first[j] = first[j], first[i] })
	for _, k := range first {
		must.Get(s.At(k))
	}
	lap("At, the first class shuffled")
	digest := must.Get(s.Digest(t.Context()))
	lap("Digest " + digest)
	if mb := peak(t); mb > 300 {
		t.Errorf("peak of resident memory %.1f MB, want below 300", mb)
	}
	for k := range s.Len() {
		g := must.Get(s.At(k))
		// cmp takes its time: look closer only where something differs.
		if want := egotest.Graph(k); !sameEdges(want, g) || s.Class(k) != egotest.Class(k) {
			t.Fatalf("graph %d of class %d, want class %d (-want +got)\n%s", k, s.Class(k), egotest.Class(k), cmp.Diff(want, g))
		}
	}
	lap("compared with what was generated")
}

func sameEdges(a, b *datasets.Graph) bool {
	return b.Labels == nil && b.Attributes == nil && slices.EqualFunc(a.Neighbors, b.Neighbors, slices.Equal[[]int32])
}
