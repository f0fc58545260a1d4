package source

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/egotest"
	"ogdl/internal/test/must"
)

// TestSegmentsOfFiles: what is held out is not streamed, segments hold their classes alone,
// and graphs repeat only where there are too few.
func TestSegmentsOfFiles(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "OWN")
	egotest.WriteTU(t, dir, 3, 12)
	files := must.Get(loader.OpenStream(dir))
	defer files.Close()
	text := func(g *datasets.Graph) string { return fmt.Sprint(g.Neighbors, g.Attributes) }
	class := map[string]int{}
	for k := range files.Len() {
		g, c, err := files.Next()
		if err != nil {
			t.Fatal(k, err)
		}
		class[text(g)] = c
	}
	for _, c := range []struct {
		graphs any
		want   int
		repeat bool
	}{{int64(5), 5, false}, {int64(8), 8, false}, {int64(40), 40, true}, {WordClass, 8, false}} {
		x := &spec.Cell{Dataset: "OWN", Params: spec.Values{"segment_graphs": c.graphs, "held_out_graphs": int64(4)}}
		got, err := (&Stream{files: files}).Segments(x, func(stage string) *rand.Rand { return Rand(1, "OWN", 0, stage) })
		if err != nil || len(got) != 3 {
			t.Fatalf("%d segments, %v", len(got), err)
		}
		for i, seg := range got {
			if seg.Name != string("ABC"[i]) || seg.Graphs != c.want || len(seg.Held) != 4 {
				t.Errorf("segment %s: %d graphs, %d held out", seg.Name, seg.Graphs, len(seg.Held))
			}
			seen := map[string]bool{}
			for _, g := range seg.Held {
				seen[text(g)] = true
			}
			repeated := false
			streamed := map[string]bool{}
			for k := range seg.Graphs {
				g := must.Get(seg.At(k))
				if seen[text(g)] || class[text(g)] != i {
					t.Fatalf("segment %s streams a graph that is held out, or of class %d", seg.Name, class[text(g)])
				}
				repeated = repeated || streamed[text(g)]
				streamed[text(g)] = true
			}
			must.Check(t, repeated, c.repeat, "%v graphs of 8: repeated", c.graphs)
		}
	}
	stages := func(stage string) *rand.Rand { return Rand(1, "OWN", 0, stage) }
	params := spec.Values{"segment_graphs": int64(5), "held_out_graphs": int64(12)}
	if _, err := (&Stream{files: files}).Segments(&spec.Cell{Dataset: "OWN", Params: params}, stages); err == nil || !strings.Contains(err.Error(), "held_out_graphs = 12") {
		t.Errorf("nothing is left to stream: %v", err)
	}
	if _, err := (&Stream{files: files}).Segments(&spec.Cell{Dataset: spec.NameTriangles, Params: params}, stages); err == nil || !strings.Contains(err.Error(), "expected 45000") {
		t.Errorf("36 graphs as TRIANGLES: %v", err)
	}
}

// TestOpenAfterItsContext: a data set whose opening was interrupted is opened by the next, one that
// is not there is not there for all.
func TestOpenAfterItsContext(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	egotest.WriteTU(t, filepath.Join(dir, "OWN"), 3, 4)
	row := spec.Method{Input: spec.InputStream}
	own, none := &spec.Cell{Method: &row, Dataset: "OWN", Own: &spec.Own{Folder: filepath.Join(dir, "OWN")}}, &spec.Cell{Method: &row, Dataset: spec.NameTwitch}
	lib := NewLibrary(dir, "")
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	for range 2 {
		if o, err := lib.Open(ended, own); !errors.Is(err, context.Canceled) {
			t.Fatalf("%v, %v", o, err)
		}
	}
	o, err := lib.Open(t.Context(), own)
	if err != nil || o.files.Len() != 12 {
		t.Fatal(err)
	}
	must.Check(t, must.Get(lib.Open(t.Context(), own)), o, "opened twice")
	for range 2 {
		if _, err := lib.Open(t.Context(), none); !errors.Is(err, loader.ErrMissing) {
			t.Errorf("error %v", err)
		}
	}
}
