package loader_test

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/test/must"
)

// weighted has a triangle listed once, and a graph of one edge listed in both directions.
var weighted = files{
	"A":               "1, 2\n2, 3\n3, 1\n4, 5\n5, 4\n",
	"graph_indicator": "1\n1\n1\n2\n2\n",
	"graph_labels":    "0\n1\n",
	"edge_attributes": "0.5\n2\n1e-3\n7\n7\n",
}

func TestEdgeWeights(t *testing.T) {
	read := func(f files, which string) *datasets.Dataset {
		t.Helper()
		d := must.Get(loader.Options{EdgeWeights: which}.Read(f.fsys(), "X"))
		for k := range d.Graphs {
			check(t, d, k)
		}
		return d
	}
	d := read(weighted, "attribute")
	if got, want := d.Graphs[0].Adjacency(), []float64{0, 0.5, 1e-3, 0.5, 0, 2, 1e-3, 2, 0}; !slices.Equal(got, want) {
		t.Errorf("weights %v, want %v", got, want)
	}
	if got, want := d.Graphs[1].Adjacency(), []float64{0, 7, 7, 0}; !slices.Equal(got, want) {
		t.Errorf("weights %v, want %v", got, want)
	}
	if !d.Weighted || d.UnusedEdges || d.ZeroWeight != "" {
		t.Errorf("weighted %v, unused %v, zero at %q", d.Weighted, d.UnusedEdges, d.ZeroWeight)
	}
	plain := read(weighted, "none")
	without := weighted.without("edge_attributes")
	if plain.Digest != read(without, "").Digest || plain.Digest == d.Digest || plain.Weighted || !plain.UnusedEdges || plain.Graphs[0].Weights != nil {
		t.Error("attributes that are not used are to leave nothing but a note")
	}
	if read(weighted.with("edge_attributes", "0.5\n2\n2e-3\n7\n7\n"), "attribute").Digest == d.Digest {
		t.Error("another weight, the same digest")
	}
	if read(weighted.with("edge_attributes", "9,0.5\n9, 2\n9,1e-3\n8,7\n8,7.0\n"), "attribute:1").Digest != d.Digest {
		t.Error("the second of two attributes is not the only one of one")
	}
	// Repeated lines, loops and nodes that do not follow each other.
	same := files{"A": "3,1\n1,2\n4,5\n2,3\n2,1\n4,4\n", "graph_indicator": "1\n1\n1\n2\n2\n", "graph_labels": "0\n1\n", "edge_attributes": "1e-3\n0.5\n7\n2\n0.5\n3\n"}
	must.Same(t, read(same, "attribute").Digest, d.Digest, "the digest after another order of lines")
	zero := read(weighted.with("edge_attributes", "0.5\n0\n1e-3\n7\n7\n"), "attribute")
	must.Contain(t, zero.ZeroWeight, "X_edge_attributes.txt:2")
}

func TestBadEdgeWeights(t *testing.T) {
	for name, x := range map[string]struct {
		file, which string
		want        string
	}{
		"negative":          {"0.5\n-2\n1\n7\n7\n", "attribute", `X_edge_attributes.txt:2: edge weight "-2" is negative`},
		"not a number":      {"0.5\nNaN\n1\n7\n7\n", "attribute", `X_edge_attributes.txt:2: edge weight "NaN"`},
		"infinite":          {"0.5\n2\ninf\n7\n7\n", "attribute", `X_edge_attributes.txt:3: edge weight "inf"`},
		"too large":         {"0.5\n2\n1e999\n7\n7\n", "attribute", `X_edge_attributes.txt:3: edge weight "1e999"`},
		"word":              {"0.5\ntwo\n1\n7\n7\n", "attribute", `X_edge_attributes.txt:2: edge weight "two"`},
		"directions differ": {"0.5\n2\n1\n7\n8\n", "attribute", `X_edge_attributes.txt:5: weight 8 of edge "5, 4", which another line gives as 7`},
		"too short":         {"0.5\n2\n1\n7\n", "attribute", `the file ends after record 4, but the last edge of X_A.txt is 5`},
		"too long":          {"0.5\n2\n1\n7\n7\n1\n", "attribute", `X_edge_attributes.txt:6: record 6, but the last edge of X_A.txt is 5`},
		"several":           {"1, 2\n1, 2\n1, 2\n1, 2\n1, 2\n", "attribute", `X_edge_attributes.txt:1: 2 attributes of an edge; which weighs edges must be said: attribute:K, K from 0 to 1`},
		"beyond the last":   {"1, 2\n1, 2\n1, 2\n1, 2\n1, 2\n", "attribute:2", `X_edge_attributes.txt:1: 2 attributes of an edge, attribute:2 is not among them; K is from 0 to 1`},
		"ragged":            {"1, 2\n1\n1, 2\n1, 2\n1, 2\n", "attribute:0", `X_edge_attributes.txt:2: number of values: 1, want 2`},
		"unknown":           {"", "weights", `edge weights "weights", want "none", "attribute" or "attribute:K"`},
		"a sign":            {"", "attribute:+1", `"attribute:K" with K from 0 on`},
	} {
		f := weighted.with("edge_attributes", x.file)
		_, err := loader.Options{EdgeWeights: x.which}.Read(f.fsys(), "X")
		if err == nil || !strings.HasPrefix(err.Error(), "loader: ") || !strings.Contains(err.Error(), x.want) {
			t.Errorf("%s: error %v, want %q", name, err, x.want)
		}
	}
	if d, err := loader.Read(weighted.with("edge_attributes", "0.5, x\n").fsys(), "X"); err != nil || !d.UnusedEdges {
		t.Errorf("bad attributes that nobody asks for: %v", err)
	}
	_, err := loader.Options{EdgeWeights: "attribute"}.Read(weighted.without("edge_attributes").fsys(), "X")
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "X_edge_attributes.txt") {
		t.Errorf("without a file: %v", err)
	}
}

// TestUsableWeights: of the attributes those are named that weigh edges.
func TestUsableWeights(t *testing.T) {
	lines := linesFile(t, `{"edges":[[0,1,0.5]]}`)
	usable, _ := loader.UsableWeights(lines, true)
	must.Same(t, usable, []string{"attribute"}, "JSON Lines")
	for text, want := range map[string][2]string{
		"0.5\n2\n1\n7\n7\n": {"[attribute]"},
		"0.5\n0\n1\n7\n7\n": {"[]", "has weight 0"}, // of no use here
		"-1\n2\n1\n7\n7\n":  {"[]", "is negative"},
		"-1, 2, 3\n1, 2, 3\n1, 2, 3\n1, 2, 3\n1, 2, 4\n": {"[attribute:1]"},
		"-1, -2\n1, 2\n1, 2\n1, 2\n1, 2\n":               {"[]", "is negative"},
		"1, 2\n1, 2\n1, 2\n1, 2\n1, 2\n":                 {"[attribute:0 attribute:1]"},
		"1\n":                                            {"[]", "ends after record 1"},
	} {
		dir := t.TempDir()
		write(t, dir, weighted.with("edge_attributes", text))
		usable, why := loader.UsableWeights(dir, false)
		if must.Check(t, fmt.Sprint(usable), want[0], "%q", text); !strings.Contains(why, want[1]) {
			t.Errorf("%q: %s, want %s", text, why, want[1])
		}
	}
}

// FuzzEdgeWeights: whatever the attributes of edges hold, weights come out finite, not negative and
// symmetric, or an error that says where.
func FuzzEdgeWeights(f *testing.F) {
	f.Fuzz(func(t *testing.T, a, indicator, edgeAttributes, which []byte) {
		x := weightedFiles(a, indicator, edgeAttributes)
		d, err := loader.Options{EdgeWeights: string(which)}.Read(x.fsys(), "X")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "loader: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		for k := range d.Graphs {
			check(t, d, k)
		}
	})
}

func weightedFiles[S string | []byte](a, indicator, edgeAttributes S) files {
	x := fuzzed(a, indicator, a[:0], a[:0], a[:0])
	if len(edgeAttributes) > 0 {
		x["edge_attributes"] = string(edgeAttributes)
	}
	return x
}
