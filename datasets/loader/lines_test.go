package loader_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/fuzztest"
	"ogdl/internal/test/must"
)

// linesFile writes a file of JSON Lines.
func linesFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "set.jsonl")
	must.Do(t, os.WriteFile(path, []byte(text), 0o644))
	return path
}

const threeLines = "\xef\xbb\xbf" + `{"edges": [[0,1],[2,1,0.5]], "nodes": 4, "labels": ["O","C","O","H"], "attributes": [[1,2],[3,4],[5,6],[-7,8e1]], "class": "b", "name": "x"}

  {"class": "a", "edges": [], "nodes": 0, "name": null}` + "\r\n" +
	`{"edges": [[1,0,2],[0,1,2.0]], "labels": ["C","C"], "attributes": [[0,0],[0,1]], "class": "b"}`

func TestLines(t *testing.T) {
	path := linesFile(t, threeLines)
	d := must.Get(loader.LoadFolder(path))
	want := &datasets.Dataset{
		Name: "set", Classes: []int{1, 0, 1}, ClassValues: []int{0, 1}, ClassTexts: []string{"a", "b"}, Names: []string{"x", "", ""},
		LabelValues: [][]int{{0, 1, 2}}, LabelTexts: []string{"C", "H", "O"}, AttributeDim: 2, UnusedEdges: true,
		Graphs: []datasets.Graph{
			{Neighbors: [][]int32{{1}, {0, 2}, {1}, {}}, Labels: [][]int{{2, 0, 2, 1}}, Attributes: []float64{1, 2, 3, 4, 5, 6, -7, 80}},
			{Neighbors: [][]int32{}},
			{Neighbors: [][]int32{{1}, {0}}, Labels: [][]int{{0, 0}}, Attributes: []float64{0, 0, 0, 1}},
		},
	}
	want.Digest = want.ComputeDigest()
	must.Same(t, d, want, "the data set")
	weighted := must.Get(loader.Options{EdgeWeights: "attribute"}.LoadFolder(path))
	want.UnusedEdges, want.Weighted = false, true
	want.Graphs[0].Weights, want.Graphs[1].Weights, want.Graphs[2].Weights = [][]float64{{1}, {1, 0.5}, {0.5}, {}}, [][]float64{}, [][]float64{{2}, {2}}
	want.Digest = want.ComputeDigest()
	must.Same(t, weighted, want, "with weights")
	kept, empty := d.WithoutEmpty()
	if empty != 1 || !slices.Equal(kept.Names, []string{"x", ""}) {
		t.Errorf("without empty graphs: names %q", kept.Names)
	}
	// Streamed, they are the same graphs, with the digest.
	s := must.Get(loader.OpenStream(path))
	defer s.Close()
	var none context.Context
	must.Fail(t, must.Err(s.Digest(none)), "ctx is nil")
	digest, err := s.Digest(t.Context())
	if err != nil || digest != d.Digest || s.Len() != 3 || s.Order(0) != 4 || s.Order(1) != 0 || s.Class(1) != 0 {
		t.Errorf("stream: digest %s, %d graphs, orders %d %d: %v", digest, s.Len(), s.Order(0), s.Order(1), err)
	}
	// A file that changes is found out.
	must.Do(t, os.WriteFile(path, []byte(strings.Replace(threeLines, "[0,1]", "[0,3]", 1)), 0o644))
	must.Fail(t, must.Err(s.At(0)), "changed since", "a changed file")
}

// TestLinesOfIntegers: labels and classes that are integers are those of the TU format, and so is the digest.
func TestLinesOfIntegers(t *testing.T) {
	d := must.Get(loader.LoadFolder(linesFile(t, `{"edges":[[0,1]],"labels":[7,3],"class":-1}`+"\n"+`{"edges":[[0,1],[1,2]],"labels":[3,3,3],"class":4}`)))
	tu := must.Get(loader.Read(files{"A": "1,2\n3,4\n4,5\n", "graph_indicator": "1\n1\n2\n2\n2\n", "graph_labels": "-1\n4\n", "node_labels": "7\n3\n3\n3\n3\n"}.fsys(), "X"))
	tu.Name = d.Name
	must.Same(t, d, tu, "the set from JSON Lines, and from TU")
}

// TestNodeZero: where no graph has an edge at node 0, the file probably counts from 1.
func TestNodeZero(t *testing.T) {
	for text, doubts := range map[string]int{
		`{"edges":[[1,2],[2,3]]}` + "\n" + `{"edges":[[2,1]]}` + "\n" + `{"edges":[],"nodes":2}`: 1,
		`{"edges":[[1,2]]}` + "\n" + `{"edges":[[1,2],[1,0]]}`:                                   0,
		`{"edges":[],"nodes":3}`: 0,
		`{"edges":[[0,1]],"nodes":4.0}` + "\n" + `{"edges":[[0,1]],"nodes":null}`: 0,
	} {
		path := linesFile(t, text)
		d, err := loader.LoadFolder(path)
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		if got := strings.Join(d.Doubts, "|"); len(d.Doubts) != doubts || doubts > 0 && !strings.Contains(got, path+": node 0 has no edge in any graph") {
			t.Errorf("%s: doubts %q", text, got)
		}
	}
}

// TestWeightsOfOne: a set whose edges are to have weights, and all weigh 1, is probably not the one that was meant.
func TestWeightsOfOne(t *testing.T) {
	for text, want := range map[string]string{`{"edges":[[0,1,1],[1,2]]}`: "no edge has another weight than 1", `{"edges":[[0,1,1],[1,2,2]]}`: ""} {
		d := must.Get(loader.Options{EdgeWeights: "attribute"}.LoadFolder(linesFile(t, text)))
		if got := strings.Join(d.Doubts, "|"); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("%s: doubts %q", text, got)
		}
	}
}

// TestLinesErrors: everything that is wrong is named by file, line and key.
func TestLinesErrors(t *testing.T) {
	const fine = `{"edges":[[0,1]]}` + "\n"
	for _, c := range []struct{ text, want string }{
		{"", `:1: no graph at all`},
		{"\n\n", `no graph at all`},
		{fine + "[1]", `:2: "[1]", want a graph`},
		{fine + `{"nodes":3}`, `:2: "edges" is missing`},
		{fine + `{"edges":null}`, `:2: "edges" is missing`},
		{`{"edges":[],"edgs":[]}`, `unknown key "edgs"; allowed: edges, nodes,`},
		{`{"edges":[],"edges":[]}`, `:1: "edges" is there twice`},
		{`{"edges":[]} {}`, `more than one graph`},
		{`{"edges":[]`, `does not end: the line ends`},
		{`{"edges":[[0,1]`, `"edges": want a list of [i, j] or [i, j, weight]: the line ends`},
		{`{"edges":[[0,"1"]]}`, `"edges": want a list of [i, j] or [i, j, weight]: "1" is not a finite number`},
		{`{"edges":[[null,1]]}`, `"edges": want a list of`},
		{`{"edges":{}}`, `"edges": want a list of [i, j] or [i, j, weight]: found object`},
		{`{"edges":[[0,1,1,1]]}`, `"edges": edge 0 (from 0) has 4 numbers`},
		{`{"edges":[[0,1],null]}`, `"edges": edge 1 (from 0) has 0 numbers`},
		{`{"edges":[[0,-1]]}`, `"edges": edge 0 (from 0) has the node -1, want whole numbers from 0 to 131071`},
		{`{"edges":[[0,0.5]]}`, `has the node 0.5`},
		{`{"edges":[[0,1e18]]}`, `has the node 1e+18`},
		{`{"edges":[[0,1],[2,2]]}`, `"edges": edge 1 (from 0) joins node 2 to itself`},
		{`{"edges":[[0,1,-1]]}`, `has the weight -1`},
		{`{"edges":[[0,1,NaN]]}`, `"edges": want a list of`},
		{`{"edges":[[0,1,1e999]]}`, `"edges": want a list of [i, j] or [i, j, weight]: 1e999 is beyond float64`},
		{`{"edges":[[0,1],[1,0,2]]}`, `"edges": [0, 1] has the weights 1 and 2`},
		{`{"edges":[[0,1],[1,0],[0,1]]}`, `"edges": [0, 1] is there more than twice`},
		{`{"edges":[[0,5]],"nodes":5}`, `"nodes": 5, want at least 6: an edge has node 5, and nodes count from 0`},
		{`{"edges":[],"nodes":-1}`, `"nodes": -1, want 0 to 131072`},
		{`{"edges":[],"nodes":131073}`, `"nodes": 131073, want 0 to 131072`},
		{`{"edges":[],"nodes":2.5}`, `"nodes": want a whole number: found 2.5`},
		{`{"edges":[[0,1]],"labels":[1]}`, `"labels": 1, want at least 2 labels: an edge has node 1, and nodes count from 0`},
		{`{"edges":[[0,1]],"attributes":[[1]]}`, `"attributes": 1, want at least 2 lists: an edge has node 1`},
		{`{"edges":[[0,1]],"labels":[1,2],"nodes":3}`, `"labels": 2 for 3 nodes (by "nodes")`},
		{`{"edges":[[0,1]],"labels":[1,"a"]}`, `"labels": "a" of node 1 (from 0) is a string, others are integers`},
		{`{"edges":[[0,1]],"labels":["a",1]}`, `"labels": 1 of node 1 (from 0) is a number, others are strings`},
		{`{"edges":[[0,1]],"labels":[1,null]}`, `"labels": null of node 1 (from 0) is neither an integer nor a string`},
		{`{"edges":[[0,1]],"labels":[1,1.5]}`, `"labels": 1.5 of node 1 (from 0) is neither an integer of at most 18 digits nor a string`},
		{`{"edges":[[0,1]],"attributes":[[1],[1,2]]}`, `"attributes": node 1 (from 0) has 2, want as many as node 0: 1`},
		{`{"edges":[[0,1]],"attributes":[[],[]]}`, `"attributes": node 0 (from 0) has none, want at least 1`},
		{`{"edges":[[0,1]],"attributes":[[1],[null]]}`, `"attributes": want a list`},
		{`{"edges":[[0,1]],"labels":[1,1],"attributes":[[1]]}`, `"attributes": 1 for 2 nodes (by "labels")`},
		{fine + `{"edges":[],"class":1}`, `:2: "class": all graphs have one or none, and that of line 1 has not`},
		{`{"edges":[],"class":1}` + "\n" + fine, `:2: "class": all graphs have one or none, and that of line 1 has`},
		{`{"edges":[],"class":1}` + "\n" + `{"edges":[],"class":"x"}`, `:2: "class": "x" is a string`},
		{`{"edges":[],"class":true}`, `"class": true is neither an integer nor a string`},
		{`{"edges":[],"name":1}`, `"name": want a string: found number`},
		{fine + `{"edges":[],"labels":[1]}`, `:2: "labels": all graphs have them or none, and that of line 1 has not`},
		{`{"edges":[],"attributes":[[1]]}` + "\n" + `{"edges":[],"attributes":[[1,2]]}`, `:2: "attributes": 2 a node, and those of line 1 are 1`},
		{"{\"edges\":[],\"name\":\"\xff\"}", `:1: not UTF-8`},
		{strings.Repeat(`{"edges":[],"nodes":131072}`+"\n", 10), `nodes so far, more than the file has bytes`},
	} {
		path := linesFile(t, c.text)
		_, err := loader.LoadFolder(path)
		if err == nil || !strings.HasPrefix(err.Error(), "loader: "+path+":") || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%.60s: error %v, want %q", c.text, err, c.want)
		} else if strings.HasPrefix(c.want, `"edges": `) && strings.Contains(err.Error(), "attributes") {
			t.Errorf("%.60s: error %v speaks of attributes", c.text, err)
		}
	}
	must.Fail(t, must.Err((loader.Options{EdgeWeights: "attribute:1"}).LoadFolder(linesFile(t, fine))), "attribute:1 is not among them", "a second weight")
}

// TestLinesMemory reads files that promise much and hold little.
func TestLinesMemory(t *testing.T) {
	const k = 50_000
	list := func(of string, n int) string { return strings.TrimSuffix(strings.Repeat(of+",", n), ",") }
	var edges strings.Builder
	for i := range k / 2 {
		fmt.Fprintf(&edges, "[%d,%d],", i, i+1)
	}
	for name, text := range map[string]string{
		"graphs":     strings.Repeat(`{"edges":[]}`+"\n", k/10),
		"nodes":      strings.Repeat(`{"edges":[],"nodes":9}`+"\n", k/10),
		"edges":      `{"edges":[` + strings.TrimSuffix(edges.String(), ",") + `]}`,
		"no edges":   `{"edges":[` + list("[]", k) + `]}`,
		"labels":     `{"edges":[],"labels":[` + list("1", k/2) + `]}`,
		"attributes": `{"edges":[],"attributes":[` + list("[1]", k/2) + `]}`,
		"columns":    `{"edges":[],"attributes":[[` + list("1", k) + `]]}`,
		"depth":      `{"edges":` + strings.Repeat("[", k),
		"a name":     `{"edges":[],"name":"` + strings.Repeat("x", k) + `"}`,
		"keys":       `{` + list(`"a":1`, k),
	} {
		t.Run(name, func(t *testing.T) {
			path := linesFile(t, text)
			_ = within(t, "reading", lineShare*len(text)+lineSlack, func() error { return must.Err(loader.LoadFolder(path)) })
		})
	}
}

// lineShare bounds what reading JSON Lines allocates in all (twice, as every line is read twice) beside lineSlack: the window, and a
// million nodes.
const lineShare, lineSlack = 256, 256<<10 + 32<<20

// FuzzLines: no input panics, takes more than its share of memory, or leaves a data set that breaks the promises of its types; a
// stream gives the same graphs.
func FuzzLines(f *testing.F) {
	f.Fuzz(func(t *testing.T, text []byte, which []byte) {
		path := linesFile(t, string(text))
		o := loader.Options{EdgeWeights: string(which)}
		var d *datasets.Dataset
		err := within(t, "reading", lineShare*len(text)+lineSlack, func() (err error) { d, err = o.LoadFolder(path); return })
		if err != nil {
			if !strings.HasPrefix(err.Error(), "loader: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %q", err)
			}
			return
		}
		for k := range d.Graphs {
			check(t, d, k)
		}
		if d.Weighted {
			return
		}
		s := must.Get(loader.OpenStream(path))
		defer s.Close()
		if digest, err := s.Digest(t.Context()); digest != d.Digest {
			t.Errorf("digest %s of the stream, %s of the set: %v", digest, d.Digest, err)
		}
	})
}

func TestLinesSeeds(t *testing.T) {
	fuzztest.Seeds(t, "FuzzLines", func(args []string) error {
		return must.Err(loader.Options{EdgeWeights: args[1]}.LoadFolder(linesFile(t, args[0])))
	})
}
