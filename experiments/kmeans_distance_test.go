package main

import (
	"math"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/internal/artifact"
)

// TestDistanceOfKMeans: k-means of the same weights in GDL's own distance, in the Euclidean one and in that of scaled weights. Each centre is the
// mean of its graphs in the coordinates said, whose squared distances sum to the inertia; embed does not assign in a distance that is not its own.
func TestDistanceOfKMeans(t *testing.T) {
	t.Parallel()
	s := equalForWorkers(t, "table = \"clustering\"\nrepetitions = 1\n"+
		simulatedBlock("method = \"GDL\"\natoms = 3\norder = 5\nepochs = 2\nkmeans_restarts = 3\ncluster_by = [\"embedding\", \"weights\", \"scaled_weights\"]\n"))
	scored(t, s.records())
	s.wantOut("GDL by weights", "GDL by scaled_weights", "1 of 1")
	own := filepath.Join(s.dir, "new.jsonl")
	s.write("new.jsonl", "{\"edges\": [[0,1],[1,2]]}\n{\"edges\": [[0,1],[1,2],[0,2]]}\n")
	var first []float64
	for _, r := range s.records() {
		by, a := r.Text("cluster_by"), s.arraysOf(r)
		w := a[artifact.Weights]
		if first == nil {
			first = w.Float
		}
		n, width := w.Shape[0], w.Shape[1]
		x := make([]float64, n*width)
		for j := range width {
			var mean, square float64
			for i := range n {
				x[i*width+j] = w.Float[i*width+j]
				mean += x[i*width+j] / float64(n)
			}
			for i := range n {
				square += math.Pow(x[i*width+j]-mean, 2) / float64(n)
			}
			for i := range n {
				if by == "scaled_weights" {
					x[i*width+j] = (x[i*width+j] - mean) / math.Sqrt(square)
				}
			}
		}
		for i := range first {
			if first[i] != w.Float[i] {
				t.Fatalf("%s: other weights", by)
			}
		}
		if by != "embedding" {
			inertia := 0.0
			for i, k := range r.Assignment {
				for j := range width {
					inertia += math.Pow(x[i*width+j]-a[artifact.Centers].Float[int(k)*width+j], 2)
				}
			}
			if want := r.Scores[artifact.Inertia]; !(want > 0) || math.Abs(inertia-want) > 1e-9*want {
				t.Errorf("%s: inertia %v of the labels, the record says %v", by, inertia, want)
			}
		}
		s.verb(exitOK, "embed", "-dict", s.store().NPZPath(r), "-data", own, "-out", filepath.Join(s.dir, "embedded_"+by))
		said := "clustered by " + by + ", not in the Mahalanobis distance: nothing assigned"
		if got := strings.Contains(s.stdout, said); got != (by != "embedding") {
			t.Errorf("%s: %s", by, s.stdout)
		}
	}
}
