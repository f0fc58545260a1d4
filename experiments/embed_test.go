package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/egotest"
	"ogdl/internal/npz"
	"ogdl/internal/test/must"
)

// writeTU is egotest.WriteTU below the session's folder.
func (s *session) writeTU(path string, seed uint64, graphs int) {
	s.t.Helper()
	if !filepath.IsAbs(path) {
		path = filepath.Join(s.dir, path)
	}
	egotest.WriteTU(s.t, path, seed, graphs)
}

// ownConfig is a configuration of two cells on the folder OWN beside it.
func ownConfig(extra string) string {
	return head("clustering") + `[[grid]]
path = "OWN"
method = "GDL"
atoms = 3
epochs = 2
batch = 4
kmeans_restarts = 4
` + extra
}

// ownSession has a configuration and beside it the folder OWN, of so many graphs of each of three classes.
func ownSession(t *testing.T, graphs int, config string) *session {
	s := newSession(t, config)
	s.writeTU("OWN", 1, graphs)
	return s
}

// TestEmbedInEveryDictionary embeds in the dictionaries of all of GDL's methods.
func TestEmbedInEveryDictionary(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 4, "")
	for method, keys := range map[string]string{
		"GDL-online":    "table = \"figure_online\"\nsegment_graphs = \"class\"\nheld_out_graphs = 2\n",
		"GDL-distances": "table = \"figure_distances\"\nepochs = 1\n",
		"GDL-time":      "table = \"runtimes\"\nepochs = 1\ntime_graphs = 2\n",
	} {
		table, keys, _ := strings.Cut(keys, "\n")
		out := filepath.Join(s.dir, method)
		s.write("grid.toml", fmt.Sprintf("%s\nrepetitions = 1\n[[grid]]\npath = %q\nmethod = %q\nfeatures = \"labels\"\nalpha = 0.5\natoms = 2\norder = 5\n%s",
			table, filepath.Join(s.dir, "OWN"), method, keys))
		s.verb(exitOK, "run", "-config", filepath.Join(s.dir, "grid.toml"), "-out", out)
		files := s.files(method + "/store/*/*.npz")
		must.Equal(t, len(files), 1, "%s: %v", method, files)
		s.verb(exitOK, "embed", "-dict", files[0], "-data", filepath.Join(s.dir, "OWN"), "-out", filepath.Join(out, "embedded"))
		if w := readArrays(t, filepath.Join(out, "embedded.npz"))[artifact.Weights]; len(w.Shape) != 2 || w.Shape[0] != 12 || w.Shape[1] != 2 {
			t.Errorf("%s: weights of shape %v", method, w.Shape)
		}
	}
}

// TestEmbedReproducesTheCell embeds the very graphs that a cell was fitted on: the
// weights and the clusters must be the cell's own, bit by bit.
func TestEmbedReproducesTheCell(t *testing.T) {
	t.Parallel()
	for name, extra := range map[string]string{
		"structure":    "lambda = 0.01\nrepresentation = \"shortest_path\"\n",
		"labels":       "features = \"labels\"\nalpha = 0.5\nw_step = \"conditional_gradient\"\nw_steps = 50\n",
		"standardised": "features = \"attributes\"\nscaling = \"standardise\"\nalpha = 0.3\nnode_weights = \"power\"\nweight_a = 0.5\n",
	} {
		t.Run(name, func(t *testing.T) {
			s := ownSession(t, 4, ownConfig(extra))
			s.writeTU("NEW", 2, 3)
			s.run(exitOK)
			dict, out := s.stored("*/*.npz")[0], filepath.Join(s.dir, "embedded")
			s.verb(exitOK, "embed", "-dict", dict, "-data", filepath.Join(s.dir, "OWN"), "-out", out)
			s.wantOut("12 graphs of OWN embedded over 3 atoms")
			cell, got := readArrays(t, dict), readArrays(t, out+".npz")
			must.Same(t, cell[artifact.Weights].Float, got[artifact.Weights].Float, "weights, and the cell's")
			must.Same(t, cell[artifact.Assignment].Int, got[artifact.Assignment].Int, "assigned by the cell, and by embed")
			checkCSV(t, out+".csv", got)

			// New graphs go through the same features. What is there is not replaced unasked.
			before := read(t, out+".csv")
			s.verb(exitFatal, "embed", "-dict", dict, "-data", filepath.Join(s.dir, "NEW"), "-out", out)
			s.wantErr("-force")
			must.Same(t, read(t, out+".csv"), before, "the embedding that was there")
			s.verb(exitOK, "embed", "-dict", dict, "-data", filepath.Join(s.dir, "NEW"), "-out", out, "-force")
			must.Check(t, readArrays(t, out+".npz")[artifact.Weights].Shape[0], 9, "graphs embedded")
		})
	}
}

func checkCSV(t *testing.T, path string, want map[string]npz.Array) {
	t.Helper()
	rows := rowsOf(t, path)
	must.Check(t, strings.Join(rows[0], " "), "graph name class cluster distance reconstruction w0 w1 w2", "header")
	for i, row := range rows[1:] {
		w, err := strconv.ParseFloat(row[7], 64)
		if err != nil || w != want[artifact.Weights].Float[3*i+1] || row[0] != strconv.Itoa(i) || row[1] != "" ||
			row[2] != strconv.Itoa(i/4) || row[3] != strconv.Itoa(want[artifact.Assignment].Int[i]) {
			t.Errorf("line %d: %v", i+2, row)
		}
	}
}

func TestEmbedErrors(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 3, ownConfig("features = \"labels\"\nalpha = 0.5\n"))
	s.run(exitOK)
	files := s.stored("*/*.npz")
	own := filepath.Join(s.dir, "OWN")
	s.write("not.npz", "PK")
	s.write("stopped/fit.toml", "")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{}, "-data is missing"},
		{[]string{"-dict", files[0]}, "-data is missing"},
		{[]string{"-graphs", own}, "embed takes its graphs by -data"},
		{[]string{"-data", own}, "name one dictionary: -from DIR of a fit, -dict FILE.npz, or -config NAME with -row TERMS"},
		{[]string{"-data", own, "-dict", files[0], "-from", s.dir}, "name one dictionary"},
		{[]string{"-data", own, "-config", "smoke"}, "name one dictionary"},
		{[]string{"-data", own, "-from", s.dir}, "is not a folder that fit has written"},
		{[]string{"-data", own, "-from", filepath.Join(s.dir, "stopped")}, "stopped: the fit in this folder is unfinished: run the same fit again"},
		{[]string{"-dict", files[0], "-data", own, "stray"}, "stray"},
		{[]string{"-dict", files[0], "-data", own, "-workers", "0"}, "\"0\" for flag -workers"},
		{[]string{"-dict", filepath.Join(s.dir, "absent.npz"), "-data", own}, "absent.npz"},
		{[]string{"-dict", filepath.Join(s.dir, "not.npz"), "-data", own}, "not.npz"},
		{[]string{"-dict", files[0], "-data", filepath.Join(s.dir, "absent")}, "absent"},
		{[]string{"-dict", files[0], "-data", own, "-out", filepath.Join(s.dir, "not.npz", "x")}, "not in a writable folder"},
	} {
		s.verb(exitFatal, "embed", c.args...).wantErr(c.want)
	}
	s.verb(exitOK, "embed", "-h").wantOut("-dict")
}

// TestJSONLines: one file of JSON Lines is a data set of a configuration and what embed takes. Labels that the dictionary does not
// know are warnings.
func TestJSONLines(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	s.write("own.jsonl", `{"edges":[[0,1],[1,2]],"labels":["C","O","C"],"class":"a"}
{"edges":[[0,1],[1,2],[0,2]],"labels":["C","N","C"],"class":"b","name":"ring"}
{"edges":[[0,1],[1,2],[2,3]],"labels":["C","O","O","C"],"class":"a"}
{"edges":[[0,1],[1,2],[0,2],[2,3]],"labels":["N","C","C","O"],"class":"b"}
`)
	s.write("grid.toml", `table = "clustering"
repetitions = 1
[[grid]]
path = "own.jsonl"
method = "GDL"
features = "labels"
alpha = 0.5
atoms = 2
epochs = 2
[[grid]]
path = "own.jsonl"
method = "GDL"
edge_weights = "attribute"
atoms = 2
epochs = 2
`)
	s.run(exitOK)
	if csv := read(t, filepath.Join(s.dir, "out", "grid", "clustering_cells.csv")); strings.Count(csv, "own,GDL") != 1 || strings.Count(csv, ",ok,") != 2 || strings.Contains(csv, "jsonl") {
		t.Error(csv)
	}
	s.run(exitOK, "-list").wantOut("2 cells")
	s.run(exitOK).wantErr("2 done already, 0 to compute")
	s.write("stream.toml", "table = \"figure_online\"\nrepetitions = 1\n[[grid]]\npath = \"own.jsonl\"\nmethod = \"GDL-online\"\nfeatures = \"labels\"\nalpha = 0.5\n"+
		"atoms = 2\norder = 3\nsegment_graphs = 4\nheld_out_graphs = 1\n")
	s.verb(exitOK, "run", "-config", filepath.Join(s.dir, "stream.toml"), "-out", filepath.Join(s.dir, "streamed"))
	s.write("new.jsonl", `{"edges":[]}
{"edges":[[0,1],[1,2]],"labels":["Br","O","Br"],"name":"far"}
{"edges":[[0,1],[1,2]],"labels":["C","O","C"]}
{"edges":[[0,1],[1,2]],"labels":["C","Br","C"]}
`)
	var dict string
	for _, path := range s.stored("*/*.npz") {
		if _, ok := readArrays(t, path)["A"]; ok {
			dict = path
		}
	}
	out := filepath.Join(s.dir, "new")
	s.verb(exitOK, "embed", "-dict", dict, "-data", filepath.Join(s.dir, "new.jsonl"), "-out", out)
	s.wantOut("Warning: the dictionary was not learned on label Br: 3 nodes of 2 graphs have no feature for it (1 (far), 3)", "3 graphs of new embedded",
		"new: 1 graph without nodes is left out.\n")
	if !regexp.MustCompile(`mean reconstruction error 0\.0*\d{1,4}\n`).MatchString(s.stdout) {
		t.Errorf("more than 4 digits: %s", s.stdout)
	}
	if text := read(t, out+".csv"); !strings.HasPrefix(text, "graph,name,cluster,distance,") ||
		!strings.Contains(text, "\n1,far,") || !strings.Contains(text, "\n2,,") {
		t.Error(text)
	}
	s.write("ints.jsonl", `{"edges":[[0,1]],"labels":[1,2]}`)
	s.verb(exitFatal, "embed", "-dict", dict, "-data", filepath.Join(s.dir, "ints.jsonl"), "-out", out, "-force")
	s.wantErr("node labels are integers, and the features were made for texts")
}

// TestEmbedRow embeds in the cell that a row of a table chooses.
func TestEmbedRow(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 4, ownConfig("lambda = [0, 0.01, 0.1]\n"))
	s.run(exitOK)
	embed := func(want int, row string) {
		t.Helper()
		s.verb(want, "embed", "-config", filepath.Join(s.dir, "grid.toml"), "-results", filepath.Join(s.dir, "out"), "-row", row,
			"-data", filepath.Join(s.dir, "OWN"), "-out", filepath.Join(s.dir, "row"), "-force")
	}
	embed(exitOK, "dataset=OWN method=GDL_lambda")
	s.wantOut("OWN, GDL_lambda, lambda 0.", "12 graphs of OWN embedded over 3 atoms")
	id, _, _ := strings.Cut(strings.TrimPrefix(s.stdout, "dictionary: cell "), " ")
	files := s.stored(id[:2] + "/" + id + "-*.npz")
	if len(files) != 1 || !slices.Equal(readArrays(t, files[0])[artifact.Weights].Float, readArrays(t, filepath.Join(s.dir, "row.npz"))[artifact.Weights].Float) {
		t.Errorf("other weights than those of %s in %v", id, files)
	}
	for row, want := range map[string]string{
		"method=GDL*": "matches 2 rows of grid, want one; there are 'dataset=OWN method=GDL', 'dataset=OWN method=GDL_lambda'",
		"dataset=X":   "matches 0 rows",
		"atoms=3":     `embed: -row "atoms=3": unknown key "atoms"; allowed: dataset, method`,
		"x":           `embed: -row "x": at "x": expected key`,
	} {
		embed(exitFatal, row)
		s.wantErr(want)
	}
}

func read(t *testing.T, path string) string {
	t.Helper()
	return string(must.Get(os.ReadFile(path)))
}

// TestEmbedInAnyDictionary: cells of GDL_h, and dictionaries that are no cell's.
func TestEmbedInAnyDictionary(t *testing.T) {
	t.Parallel()
	s := ownSession(t, 4, "")
	s.write("grid.toml", strings.NewReplacer("kmeans_restarts = 4\n", "cluster_by = \"none\"\nmu = 0.01\nrepresentation = \"shortest_path\"\n",
		`"GDL"`, `"GDL_h"`, `"clustering"`, `"clustering_gw_kmeans"`, "repetitions = 2", "repetitions = 1").Replace(ownConfig("")))
	s.write("grid.toml", strings.Replace(read(t, filepath.Join(s.dir, "grid.toml")), `table = "clustering_gw_kmeans"`, `table = "figure_weights"`, 1))
	s.run(exitOK)
	files := s.stored("*/*.npz")
	embedIn := func(want int, args ...string) string {
		t.Helper()
		s.verb(want, "embed", append([]string{"-data", filepath.Join(s.dir, "OWN")}, args...)...)
		return s.stdout + s.stderr
	}
	folder := filepath.Join(s.dir, "embedded") + "/"
	embedIn(exitOK, "-dict", files[0], "-out", folder)
	cell, got := readArrays(t, files[0]), readArrays(t, filepath.Join(folder, "embedding_OWN.npz"))
	for _, name := range []string{artifact.Weights, artifact.NodeWeights} {
		if len(got[name].Float) != 36 || !slices.Equal(cell[name].Float, got[name].Float) {
			t.Errorf("%s: other than the cell's", name)
		}
	}
	text := read(t, filepath.Join(folder, "embedding_OWN.csv"))
	if !strings.HasPrefix(text, "graph,name,class,cluster,distance,reconstruction,w0,w1,w2,v0,v1,v2\n0,,0,,,") {
		t.Errorf("%.200s", text)
	}
	embedIn(exitFatal, "-dict", files[0], "-out", folder)
	s.wantErr("is there already: -force")
	embedIn(exitFatal, "-dict", files[0], "-out", folder, "-force", "-set", "lambda=0")
	s.wantErr("leave out -set")
	// The dictionary alone, as the library writes it: the settings of the cell give its numbers.
	src := []byte(read(t, files[0]))
	for name, write := range map[string]func(*bytes.Buffer) error{
		"extended": func(b *bytes.Buffer) error {
			d, _, err := gdl.ReadNPZ(bytes.NewReader(src), int64(len(src)))
			return errors.Join(err, d.WriteNPZ(b, nil))
		},
		"extended stream": func(b *bytes.Buffer) error {
			d, _, err := gdl.ReadNPZ(bytes.NewReader(src), int64(len(src)))
			o, err2 := gdl.NewOnline(d, nil)
			return errors.Join(err, err2, o.WriteCheckpoint(b))
		},
		"plain": func(b *bytes.Buffer) error {
			e, _, err := gdl.ReadNPZ(bytes.NewReader(src), int64(len(src)))
			q := make([]float64, e.N)
			for i := range q {
				q[i] = 1 / float64(e.N)
			}
			d := &gdl.Dictionary{S: e.S, N: e.N, D: e.D, Alpha: e.Alpha, C: e.C, A: e.A, Q: q}
			return errors.Join(err, d.WriteNPZ(b, nil))
		},
	} {
		var b bytes.Buffer
		must.Do(t, write(&b))
		s.write(name+".npz", b.String())
		args := []string{"-dict", filepath.Join(s.dir, name+".npz"), "-out", filepath.Join(s.dir, name+"_out"), "-set", "representation=shortest_path"}
		if name != "plain" {
			args = append(args, "-set", "mu = 0.01")
		}
		text := embedIn(exitOK, args...)
		if !strings.Contains(text, "not a cell's") || !strings.Contains(text, "settings: representation=shortest_path") || strings.Count(text, "edge_weights=") != 1 {
			t.Error(text)
		}
		got := readArrays(t, filepath.Join(s.dir, name+"_out.npz"))
		if same := slices.Equal(cell[artifact.Weights].Float, got[artifact.Weights].Float); len(got[artifact.Weights].Float) != 36 || same != (name != "plain") {
			t.Errorf("%s: the weights of the cell: %v", name, same)
		}
	}
	for set, want := range map[string]string{
		"representatoin=adjacency": "did you mean representation?", "representation=shortest-path": "did you mean shortest_path?", "epochs=3": "-set epochs: not a key here; allowed: ", "lambda=-1": "must be", "lambda": "must be key=value",
		"features=labels": "the dictionary has 0",
	} {
		embedIn(exitFatal, "-dict", filepath.Join(s.dir, "plain.npz"), "-out", filepath.Join(s.dir, "none"), "-set", set)
		s.wantErr(want)
	}
	absent(t, filepath.Join(s.dir, "none.npz"))
}
