package loader_test

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/internal/test/must"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// files maps the suffix of each file to its contents.
type files map[string]string

func (f files) fsys() fstest.MapFS {
	m := fstest.MapFS{}
	for suffix, data := range f {
		m["X_"+suffix+".txt"] = &fstest.MapFile{Data: []byte(data)}
	}
	return m
}

func (f files) size() int {
	n := 0
	for _, data := range f {
		n += len(data)
	}
	return n
}

func (f files) with(suffix, data string) files {
	g := maps.Clone(f)
	g[suffix] = data
	return g
}

func (f files) without(suffix string) files {
	g := maps.Clone(f)
	delete(g, suffix)
	return g
}

// small has a path of three nodes, a graph of one node and an edge.
var small = files{
	"A":               "1, 2\n2, 1\n2, 3\n3, 2\n5, 6\n6, 5\n",
	"graph_indicator": "1\n1\n1\n2\n3\n3\n",
	"graph_labels":    "-1\n1\n1\n",
	"node_labels":     "7\n0\n7\n3\n0\n3\n",
	"node_attributes": "0.5, 1\n-2, 1e3\n3, 1\n4, 1\n5, 1\n6, 1\n",
}

func smallWant() *datasets.Dataset {
	d := &datasets.Dataset{
		Name: "X",
		Graphs: []datasets.Graph{
			{Neighbors: [][]int32{{1}, {0, 2}, {1}}, Labels: [][]int{{7, 0, 7}}, Attributes: []float64{.5, 1, -2, 1000, 3, 1}},
			{Neighbors: [][]int32{{}}, Labels: [][]int{{3}}, Attributes: []float64{4, 1}},
			{Neighbors: [][]int32{{1}, {0}}, Labels: [][]int{{0, 3}}, Attributes: []float64{5, 1, 6, 1}},
		},
		Classes: []int{0, 1, 1}, ClassValues: []int{-1, 1},
		LabelValues: [][]int{{0, 3, 7}}, AttributeDim: 2,
	}
	d.Digest = d.ComputeDigest()
	return d
}

func read(t *testing.T, f files) *datasets.Dataset {
	t.Helper()
	return must.Get(loader.Read(f.fsys(), "X"))
}

// TestSameData writes one data set in the many ways of the collection.
func TestSameData(t *testing.T) {
	crlf := files{}
	padded := files{}
	for suffix, data := range small {
		crlf[suffix] = "\xef\xbb\xbf" + strings.ReplaceAll(data, "\n", "\r\n")
		padded[suffix] = "\n \n" + strings.ReplaceAll(strings.ReplaceAll(data, ",", "\t ,"), "\n", " \t\n\n")
	}
	for name, f := range map[string]files{
		"as it is":          small,
		"CRLF and BOM":      crlf,
		"blanks":            padded,
		"no last line end":  small.with("A", strings.TrimSuffix(small["A"], "\n")),
		"no spaces":         small.with("A", strings.ReplaceAll(small["A"], " ", "")),
		"one direction":     small.with("A", "1, 2\n3, 2\n6, 5\n"),
		"repeated edges":    small.with("A", small["A"]+small["A"]+"3, 2\n"),
		"loops":             small.with("A", small["A"]+"4, 4\n1, 1\n"),
		"another order":     small.with("A", "6, 5\n3, 2\n2, 1\n"),
		"padded attributes": small.with("node_attributes", "  0.500000,  1.0\n-2,1000\n+3, 1.\n 4, 1\n 5, .1e1\n 6, 1\n"),
		"reals for integers": small.with("graph_labels", "-1.0\n1.0\n1e0\n").
			with("node_labels", "7.0\n0\n7\n3.00\n0\n3\n"),
		"missing ids":    small.with("graph_indicator", "2\n2\n2\n7\n90\n90\n"),
		"beyond windows": small.with("A", strings.Repeat(" ", 200_000)+"1,2"+strings.Repeat("\n", 100_000)+"2,3\n5,6"),
		"other files":    small.with("edge_labels", "what\never").with("graph_attributes", "nan"),
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(smallWant(), read(t, f)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

func TestGraphIDs(t *testing.T) {
	orders := func(d *datasets.Dataset) (n []int) {
		for k := range d.Graphs {
			n = append(n, d.Graphs[k].Order())
		}
		return n
	}
	for _, c := range []struct {
		name    string
		f       files
		orders  []int
		classes []int
	}{
		{"no graph has a node, all files", files{"A": "", "graph_indicator": "", "graph_labels": "1\n2\n", "node_labels": "", "node_attributes": "\n"},
			[]int{0, 0}, []int{0, 1}},
		{"empty graphs", files{"A": "", "graph_indicator": "2\n2\n4\n", "graph_labels": "5\n5\n6\n5\n6\n"},
			[]int{0, 2, 0, 1, 0}, []int{0, 0, 1, 0, 1}},
		{"no classes", files{"A": "1,2", "graph_indicator": "1\n1\n3\n"}, []int{2, 1}, nil},
		{"no nodes", files{"A": "", "graph_indicator": "", "graph_labels": "1\n2\n"}, []int{0, 0}, []int{0, 1}},
		{"nodes of a graph apart", files{"A": "1,3\n2,4", "graph_indicator": "2\n1\n2\n1\n2\n", "graph_labels": "1\n2\n"},
			[]int{2, 3}, []int{0, 1}},
		{"apart, ids missing", files{"A": "1,3\n2,4", "graph_indicator": "9\n4\n9\n4\n9\n", "graph_labels": "1\n2\n"},
			[]int{2, 3}, []int{0, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := read(t, c.f)
			must.Same(t, orders(d), c.orders, "orders")
			must.Same(t, d.Classes, c.classes, "classes")
		})
	}
}

func TestErrors(t *testing.T) {
	for _, c := range []struct{ file, data, want string }{
		{"A", "1, 2\n\n1, 7\n", `X_A.txt:3: edge "1, 7", want node ids from 1 to 6`},
		{"A", "0, 1\n", "X_A.txt:1: edge"},
		{"A", "1, -2\n", "X_A.txt:1: edge"},
		{"A", "1, 99999999999999999999\n", "X_A.txt:1: edge"},
		{"A", "1, 2\n3, 4\n", `X_A.txt:2: edge "3, 4" joins nodes of two graphs`},
		{"A", "1 2\n", `X_A.txt:1: edge "1 2", want two node ids`},
		{"A", "1, 2, 3\n", "want two node ids"},
		{"A", "1.5, 2\n", "want two node ids"},
		{"A", "1,\n", "want two node ids"},
		{"graph_indicator", "1\n1\n1\n0\n3\n3\n", `X_graph_indicator.txt:4: graph id "0"`},
		{"graph_indicator", "1\n1\n1\n-2\n3\n3\n", "X_graph_indicator.txt:4"},
		{"graph_indicator", "1\n1\n1\n4294967297\n3\n3\n", "X_graph_indicator.txt:4"},
		{"graph_indicator", "99999999999999\n", "want an integer from 1 to 2147483647"},
		{"graph_indicator", "1\n1\nx\n", `X_graph_indicator.txt:3: graph id "x"`},
		{"graph_indicator", "1\n1\n1\n2\n4\n5\n", "X_graph_labels.txt:3: 3 classes, but X_graph_indicator.txt has graph ids up to 5, 4 of them distinct"},
		{"graph_labels", "1\n2\n", "X_graph_labels.txt:2: 2 classes"},
		{"graph_labels", "1\n2.5\n1\n", `X_graph_labels.txt:2: class "2.5", want one integer`},
		{"graph_labels", "1\n2, 3\n1\n", "X_graph_labels.txt:2: class"},
		{"graph_labels", "1\nnan\n1\n", "X_graph_labels.txt:2: class"},
		{"node_labels", "1\n2\n3\n4\n5\n", "X_node_labels.txt:5: the file ends after node 5 of 6"},
		{"node_labels", "1\n2\n3\n4\n5\n6\n7\n", "X_node_labels.txt:7: record 7, but the last node is 6"},
		{"node_labels", "1\n2\n3, 3\n4\n5\n6\n", "X_node_labels.txt:3: number of values: 2, want 1"},
		{"node_labels", "1, 1\n2\n3, 3\n4\n5\n6\n", "X_node_labels.txt:2: number of values: 1, want 2"},
		{"node_labels", "1\n2\n3\nC\n5\n6\n", `X_node_labels.txt:4: node label "C", want an integer`},
		{"node_labels", "", "X_node_labels.txt:1: no record, want one for each node up to 6"},
		{"node_labels", "1,2,3,4,5,6\n", "X_node_labels.txt:1: the file ends after node 1 of 6"},
		{"node_attributes", "1\n2\nNaN\n4\n5\n6\n", `X_node_attributes.txt:3: attribute 1, "NaN", is not a finite number`},
		{"node_attributes", "1,1\n2,-inf\n3,3\n4,4\n5,5\n6,6\n", `X_node_attributes.txt:2: attribute 2, "-inf", is not a finite number`},
		{"node_attributes", "1\n2\n3\n4\n5\n1e999\n", `X_node_attributes.txt:6: attribute 1, "1e999", is beyond float64`},
		{"node_attributes", "1\n2\n3\n4\n5\n0x10\n", "X_node_attributes.txt:6: attribute 1"},
		{"node_attributes", "1\n2\n3\n4\n5\n1_0\n", "X_node_attributes.txt:6: attribute 1"},
		{"node_attributes", "1\n2\n3\n4\n5\n.\n", "X_node_attributes.txt:6: attribute 1"},
		{"node_attributes", "1,2\n1,2\n1,2\n1,\n1,2\n1,2\n", `X_node_attributes.txt:4: attribute 2, "", is not a finite number`},
		{"node_attributes", "1,2\n1,2\n1,2\n1,2,\n1,2\n1,2\n", "X_node_attributes.txt:4: number of values: 3, want 2"},
	} {
		t.Run(c.file+" "+c.want, func(t *testing.T) {
			d, err := loader.Read(small.with(c.file, c.data).fsys(), "X")
			if strings.HasPrefix(c.file, "node_") { // stops those alone who ask for it
				if err != nil || len(d.Doubts) != 1 {
					t.Fatalf("error %v, doubts %v", err, d.Doubts)
				}
				kind, none := datasets.KindLabels, len(d.LabelValues) == 0 && d.Graphs[0].Labels == nil
				if c.file == "node_attributes" {
					kind, none = datasets.KindAttributes, d.AttributeDim == 0 && d.Graphs[0].Attributes == nil
				}
				if _, err = (datasets.Features{Kind: kind}).Fit(d); !none {
					t.Errorf("read %+v", d)
				}
			}
			if err == nil {
				t.Fatalf("read %+v, want an error", d)
			}
			if !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %q, want %q", err, c.want)
			}
		})
	}
	for _, file := range []string{"A", "graph_indicator"} {
		_, err := loader.Read(small.without(file).fsys(), "X")
		if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "X_"+file) {
			t.Errorf("without %s: error %v", file, err)
		}
	}
	if _, err := loader.Read(files{"A": "", "graph_indicator": ""}.fsys(), "X"); err == nil {
		t.Error("a data set without graphs was read")
	}
	m := small.fsys()
	m["X_A.txt"].Mode = fs.ModeNamedPipe
	must.Fail(t, must.Err(loader.Read(m, "X")), "not a regular file", "a pipe")
}

// TestDisagreement: the graphs that have a class and no node are named.
func TestDisagreement(t *testing.T) {
	for classes, want := range map[string]string{
		"1\n2\n1\n":             "",
		"5\n1\n2\n1\n":          "X_graph_labels.txt has 4 classes, and X_graph_indicator.txt has nodes of 3 graphs only (none of graph 3, from 0)",
		"5\n1\n2\n1\n5\n5\n6\n": "nodes of 3 graphs only (none of graph 3, 4, 5 and 1 more, from 0)",
	} {
		d, err := loader.Read(small.with("graph_labels", classes).fsys(), "X")
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(d.Doubts, ""); (got == "") != (want == "") || !strings.Contains(got, want) {
			t.Errorf("doubts %q, want %q", got, want)
		}
	}
}

// TestReals compares the reader's numbers with fmt's, bit by bit.
func TestReals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var want []float64
		var b strings.Builder
		format := rapid.SampledFrom([]string{"%v", "%.6f", "%.17g", "%.3e", " %+8.2f ", "%25.20f"})
		for range 3 {
			x := rapid.Float64().Draw(t, "x")
			if rapid.Bool().Draw(t, "near") {
				x = math.Mod(x, 1000)
			}
			s := fmt.Sprintf(format.Draw(t, "format"), x)
			var y float64
			if _, err := fmt.Sscan(s, &y); err != nil || math.IsInf(y, 0) {
				t.Skip(s)
			}
			want = append(want, y)
			b.WriteString(s + "\n")
		}
		d := must.Get(loader.Read(files{"A": "", "graph_indicator": "1\n1\n1\n", "node_attributes": b.String()}.fsys(), "X"))
		for i, x := range d.Graphs[0].Attributes {
			if math.Float64bits(x) != math.Float64bits(want[i]) {
				t.Errorf("%q read as %v, want %v", b.String(), d.Graphs[0].Attributes, want)
			}
		}
	})
}

// TestWrittenAndRead writes random graphs, whose nodes and edges lie anywhere in the files, reads them
// back, whole and as a stream.
func TestWrittenAndRead(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		graphs := rapid.IntRange(1, 5).Draw(t, "graphs")
		of := rapid.SliceOfN(rapid.IntRange(0, graphs-1), 1, 24).Draw(t, "graph of each node")
		want := &datasets.Dataset{Name: "X", Graphs: make([]datasets.Graph, graphs), LabelValues: [][]int{{}, {}}, AttributeDim: 1}
		var a, indicator, classes, labels, attributes strings.Builder
		for k := range graphs {
			fmt.Fprintf(&classes, "%d\n", k)
			want.Classes, want.ClassValues = append(want.Classes, k), append(want.ClassValues, k)
			want.Graphs[k].Neighbors = [][]int32{}
		}
		local := make([]int32, len(of))
		for i, k := range of {
			g := &want.Graphs[k]
			local[i] = int32(g.Order())
			g.Neighbors = append(g.Neighbors, []int32{})
			if g.Labels == nil {
				g.Labels = make([][]int, 2)
			}
			for c, v := range []int{i % 3, i * i} {
				g.Labels[c] = append(g.Labels[c], v)
				want.LabelValues[c] = append(want.LabelValues[c], v)
			}
			g.Attributes = append(g.Attributes, float64(i)+.5)
			fmt.Fprintf(&indicator, "%d\n", k+1)
			fmt.Fprintf(&labels, "%d,%d\n", i%3, i*i)
			fmt.Fprintf(&attributes, "%d.5\n", i)
		}
		for c, values := range want.LabelValues {
			slices.Sort(values)
			want.LabelValues[c] = slices.Compact(values)
		}
		node := rapid.IntRange(0, len(of)-1)
		for range rapid.IntRange(0, 40).Draw(t, "edges") {
			i, j := node.Draw(t, "i"), node.Draw(t, "j")
			if of[i] != of[j] {
				continue
			}
			fmt.Fprintf(&a, "%d, %d\n", i+1, j+1)
			nb := want.Graphs[of[i]].Neighbors
			for _, end := range [][2]int32{{local[i], local[j]}, {local[j], local[i]}} {
				if at, there := slices.BinarySearch(nb[end[0]], end[1]); !there && i != j {
					nb[end[0]] = slices.Insert(nb[end[0]], at, end[1])
				}
			}
		}
		f := files{"A": a.String(), "graph_indicator": indicator.String(), "graph_labels": classes.String(),
			"node_labels": labels.String(), "node_attributes": attributes.String()}
		want.Digest = want.ComputeDigest()
		got := must.Get(loader.Read(f.fsys(), "X"))
		got.Doubts = nil // on graphs without nodes
		must.Same(t, got, want, "the data set")
		s := must.Get(loader.NewStream(f.fsys(), "X"))
		defer s.Close()
		streamed := drain(t, s)
		streamed.Doubts = nil
		must.Same(t, streamed, want, "the stream")
	})
}

func write(t testing.TB, dir string, f files) {
	t.Helper()
	must.Do(t, os.MkdirAll(dir, 0o755))
	for suffix, data := range f {
		must.Do(t, os.WriteFile(filepath.Join(dir, "X_"+suffix+".txt"), []byte(data), 0o644))
	}
}

func TestFolders(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "X"), small)
	write(t, filepath.Join(dir, "mine"), small)
	for name, load := range map[string]func() (*datasets.Dataset, error){
		"Load":       func() (*datasets.Dataset, error) { return loader.Load(dir, "X") },
		"LoadFolder": func() (*datasets.Dataset, error) { return loader.LoadFolder(filepath.Join(dir, "mine")) },
	} {
		d, err := load()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		must.Same(t, d, smallWant(), "%s", name)
	}
	bad := filepath.Join(dir, "X", "X_node_labels.txt")
	must.Do(t, os.WriteFile(bad, []byte("1\nx\n"), 0o644))
	if d, err := loader.Load(dir, "X"); err != nil || !strings.Contains(d.LabelProblem, bad+":2: ") {
		t.Errorf("problem %q, error %v, want the path %s", d.LabelProblem, err, bad)
	}
	// What macOS leaves beside a file is none, and the files may be in raw/.
	must.Do(t, os.WriteFile(filepath.Join(dir, "mine", "._X_A.txt"), nil, 0o644))
	write(t, filepath.Join(dir, "geometric", "raw"), small)
	write(t, filepath.Join(dir, "Y", "raw"), files{"A": "", "graph_indicator": "1\n"})
	for name, data := range map[string]string{"X_A.txt": "Y_A.txt", "X_graph_indicator.txt": "Y_graph_indicator.txt"} {
		must.Do(t, os.Rename(filepath.Join(dir, "Y", "raw", name), filepath.Join(dir, "Y", "raw", data)))
	}
	for _, path := range []string{"mine", "geometric"} {
		if d, err := loader.LoadFolder(filepath.Join(dir, path)); err != nil || d.Digest != smallWant().Digest {
			t.Errorf("%s: %v", path, err)
		}
	}
	if d, err := loader.Load(dir, "Y"); err != nil || len(d.Graphs) != 1 {
		t.Errorf("Y/raw: %v", err)
	}
	// Archives are not read: errors say what to do.
	for name, text := range map[string]string{"zipped/X.zip": "PK\x03\x04", "d.jsonl.gz": "\x1f\x8b\x08\x00", "Z.zip": "PK\x03\x04",
		"part/X_A.txt": "", "part/X_graph_indicator.txt.gz": "\x1f\x8b"} {
		must.Do(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755))
		must.Do(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	for path, want := range map[string]string{"zipped": "unpack X.zip first", "zipped/X.zip": "unpack it first (unzip", "d.jsonl.gz": "unpack it first",
		"d.jsonl": "d.jsonl.gz is there: unpack it first", "part": "unpack X_graph_indicator.txt.gz first"} {
		must.Fail(t, must.Err(loader.LoadFolder(filepath.Join(dir, path))), want, path)
	}
	if _, err := loader.Load(dir, "Z"); !errors.Is(err, loader.ErrMissing) || !strings.Contains(err.Error(), "Z.zip is there: unpack it first") {
		t.Errorf("Z.zip: error %v", err)
	}
	must.Do(t, os.WriteFile(filepath.Join(dir, "mine", "Y_A.txt"), nil, 0o644))
	for path, want := range map[string]string{
		filepath.Join(dir, "mine"):    "several data sets (X, Y)",
		dir:                           "holds no file NAME_A.txt",
		filepath.Join(dir, "nothing"): "nothing",
		filepath.Join(dir, "mine", "X_graph_labels.txt"):   "a set of the TU format is named by its folder",
		filepath.Join(dir, "mine", "X_graph_labels.txt/x"): "X_graph_labels.txt",
	} {
		must.Fail(t, must.Err(loader.LoadFolder(path)), want, path)
	}
	for _, name := range []string{"", "..", "../X", "a/b", "a\x00b"} {
		if _, err := loader.Load(dir, name); err == nil || errors.Is(err, loader.ErrMissing) {
			t.Errorf("Load(%q): error %v", name, err)
		}
	}
}

func TestMissing(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, os.WriteFile(filepath.Join(dir, ".secret"), nil, 0o666))
	if _, err := loader.OpenStream(filepath.Join(dir, ".nothere")); !errors.Is(err, loader.ErrMissing) || strings.Contains(err.Error(), "secret") {
		t.Errorf("error %v", err)
	}
	for _, c := range []struct{ dir, name, want string }{
		{"data", "IMDB-B", "fetch it by: scripts/fetch_tudatasets.sh IMDB-BINARY"},
		{"data/", "TRIANGLES", "fetch it by: scripts/fetch_tudatasets.sh TRIANGLES"},
		{"elsewhere", "PROTEIN", "fetch it by: scripts/fetch_tudatasets.sh PROTEINS_full -data elsewhere"},
		{"it's here", "MUTAG", `fetch it by: scripts/fetch_tudatasets.sh MUTAG -data 'it'\''s here'`},
		{"data", "twitch_egos_partial", "fetch it by: scripts/fetch_tudatasets.sh twitch_egos_partial --from DIR-or-URL"},
		{"data", "NCI1", "not one that scripts/fetch_tudatasets.sh fetches either"},
	} {
		_, err := loader.Load(c.dir, c.name)
		if !errors.Is(err, loader.ErrMissing) {
			t.Errorf("Load(%q, %q): error %v does not wrap ErrMissing", c.dir, c.name, err)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || strings.HasPrefix(c.want, "fetch") && !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("Load(%q, %q): error %q, want %q", c.dir, c.name, err, c.want)
		}
	}
}
