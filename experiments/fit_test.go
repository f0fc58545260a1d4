package main

import (
	"archive/zip"
	"context"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ogdl/datasets"
	"ogdl/experiments/internal/fit"
	"ogdl/internal/artifact"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
	"ogdl/reports"

	"github.com/google/go-cmp/cmp"
)

// writeLines writes a small D1 as JSON Lines, each graph with its number of blocks as name; with classes or without.
func (s *session) writeLines(name string, graphs int, classes bool) string {
	s.t.Helper()
	d := must.Get(datasets.D1(&datasets.SimulationSettings{MinOrder: 15, MaxOrder: 30, Graphs: graphs}, rand.New(rand.NewPCG(1, 2))))
	var b strings.Builder
	for k := range d.Graphs {
		var edges []string
		for i, nb := range d.Graphs[k].Neighbors {
			for _, j := range nb {
				if int(j) > i {
					edges = append(edges, fmt.Sprintf("[%d,%d]", i, j))
				}
			}
		}
		class := ""
		if classes {
			class = fmt.Sprintf(`,"class":"%d blocks"`, d.Classes[k]+1)
		}
		fmt.Fprintf(&b, "{\"edges\":[%s],\"nodes\":%d,\"name\":\"g%d\"%s}\n", strings.Join(edges, ","), d.Graphs[k].Order(), d.Classes[k]+1, class)
	}
	s.write(name, b.String())
	return filepath.Join(s.dir, name)
}

// TestFit: three blocks are three clusters of three atoms, whether or not classes say how many; embed finds the weights and clusters of the fit again.
func TestFit(t *testing.T) {
	if !*full {
		t.Skip("runs with -full: learns of sixty graphs")
	}
	t.Parallel()
	s := newSession(t, "")
	graphs := s.writeLines("d1.jsonl", 20, false)
	out := filepath.Join(s.dir, "fit")
	args := func(more ...string) []string {
		return append([]string{"-graphs", graphs, "-atoms", "3..4", "-order", "6"}, more...)
	}
	s.verb(exitOK, "fit", args("-out", out)...)
	s.wantOut("60 graphs of d1, embedded over 4 atoms of order 6", "fall into 3 clusters", "A test of the embeddings alone: 3 clusters.", "written: "+out)
	want := filesBelow(t, out, unpromised)
	for _, name := range []string{"graphs.csv", "dictionary.npz", "index.html", "figures/embedding.svg", "figures/held_out.csv"} {
		if want[name] == "" {
			t.Errorf("no %s among %d files", name, len(want))
		}
	}
	rows := rowsOf(t, filepath.Join(out, "graphs.csv"))
	if len(rows) != 61 || strings.Join(rows[0], " ") != "graph name cluster distance reconstruction percentile w0 w1 w2 w3" {
		t.Fatalf("%d rows, %v", len(rows), rows[0])
	}
	for _, part := range []string{"<title>graph 59 g3, cluster ", `<a href="#graph-0">`, `<div class="one" id="graph-0">`, `id="by-error"`,
		"What each cluster holds", "The same clusters without the dictionary?", " over 5 repetitions. A test"} {
		if !strings.Contains(want["index.html"], part) {
			t.Errorf("the page lacks %s", part)
		}
	}
	clusters := map[string]map[string]int{}
	for _, row := range rows[1:] {
		if clusters[row[1]] == nil {
			clusters[row[1]] = map[string]int{}
		}
		clusters[row[1]][row[2]]++
	}
	if len(clusters["g1"]) != 1 || len(clusters["g2"]) > 2 || len(clusters["g3"]) > 2 {
		t.Errorf("clusters by blocks: %v", clusters)
	}
	s.verb(exitFatal, "fit", args("-out", out, "-seed", "2")...).wantErr("is there already: -force")
	s.verb(exitOK, "fit", args("-out", out)...).wantOut("done already: nothing was computed")
	if diff := cmp.Diff(want, filesBelow(t, out, unpromised)); diff != "" {
		t.Errorf("the same fit again (-first +again)\n%s", diff)
	}
	must.Same(t, readArrays(t, filepath.Join(out, "dictionary.npz"))[artifact.ClustersFound].Int, []int{3}, "separated clusters")
	// The same graphs through embed.
	embedded := filepath.Join(s.dir, "embedded")
	s.verb(exitOK, "embed", "-from", out, "-data", graphs, "-out", embedded)
	cell, got := readArrays(t, filepath.Join(out, "dictionary.npz")), readArrays(t, embedded+".npz")
	if !slices.Equal(cell[artifact.Weights].Float, got[artifact.Weights].Float) || !slices.Equal(cell[artifact.Assignment].Int, got[artifact.Assignment].Int) {
		t.Error("embed finds other weights or clusters than the fit")
	}
	// Its table is the fit's, but for the rounding of the distance.
	again := rowsOf(t, embedded+".csv")
	for i := range again {
		if i > 0 {
			a, _ := strconv.ParseFloat(rows[i][3], 64)
			if b, err := strconv.ParseFloat(again[i][3], 64); err != nil || !(math.Abs(a-b) <= 1e-12) {
				t.Errorf("line %d: distance %s, the fit's %s", i+1, again[i][3], rows[i][3])
			}
			again[i][3] = rows[i][3]
		}
	}
	must.Same(t, again, rows, "embed's table, and the fit's")
	// With classes their number is that of the clusters.
	classes := s.writeLines("classes.jsonl", 10, true)
	s.verb(exitOK, "fit", "-graphs", classes, "-atoms", "3", "-order", "6", "-out", filepath.Join(s.dir, "classes"), "-set", "epochs=5", "-classify")
	s.wantOut("fall into 3 clusters, the number of classes", "The adjusted Rand Index with the 3 classes is ", "The clusters know only the number of classes.", "An SVM on the embeddings predicts ")
	if text := read(t, filepath.Join(s.dir, "classes", "graphs.csv")); !strings.HasPrefix(text, "graph,name,class,predicted,cluster,") || !strings.Contains(text, ",3 blocks,") {
		t.Errorf("%.200s", text)
	}
}

// TestFitFeatures: attributes come before labels, are standardised, and the dictionary carries the vocabulary.
func TestFitFeatures(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	var b strings.Builder
	for k := range 12 {
		fmt.Fprintf(&b, `{"edges":[[0,1],[1,2,0.5],[2,%d]],"labels":["C","O","%s","H"],"attributes":[[1,100],[2,200],[%d,0],[0,0]]}`+"\n", 3*(k%2), []string{"C", "N"}[k%2], k)
	}
	b.WriteString(`{"edges":[]}` + "\n")
	s.write("g.jsonl", b.String())
	graphs, out := filepath.Join(s.dir, "g.jsonl"), filepath.Join(s.dir, "fit")
	learn := func(more ...string) {
		t.Helper()
		s.verb(exitOK, "fit", append([]string{"-graphs", graphs, "-atoms", "2", "-clusters", "2", "-out", out, "-force", "-set", "epochs=2"}, more...)...)
	}
	learn()
	s.wantOut("2 features, attributes of the nodes (alpha 0.", "1 graph without nodes is left out", "the attributes are the features", "edge_weights=attribute weighs edges by them")
	if text := strings.Join(readArrays(t, filepath.Join(out, "dictionary.npz"))[artifact.Features].Text, ""); !strings.Contains(text, `"Mean":`) {
		t.Errorf("scaling is not stored: %s", text)
	}
	learn("-features", "labels", "-alpha", ".7", "-set", "edge_weights=attribute")
	s.wantOut("4 features, labels of the nodes (alpha 0.7)")
	for _, picture := range []string{"atoms", "graphs"} { // nodes are coloured by label, with a legend
		if svg := read(t, filepath.Join(out, "figures", picture+".svg")); !strings.Contains(svg, ">C</text>") || !strings.Contains(svg, ">N</text>") {
			t.Errorf("%s.svg names no labels", picture)
		}
	}
	if text := strings.Join(readArrays(t, filepath.Join(out, "dictionary.npz"))[artifact.Features].Text, ""); !strings.Contains(text, `"Texts":["C","H","N","O"]`) {
		t.Errorf("the vocabulary is not stored: %s", text)
	}
}

// TestFitAlike: where graphs cannot be told apart, or one cluster is asked for, there is a page, and a plain word where one is due; embed takes it.
func TestFitAlike(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	const cycle, star = `{"edges":[[0,1],[1,2],[2,3],[3,4],[4,0]]}` + "\n", `{"edges":[[0,1],[0,2],[0,3],[0,4],[0,5],[0,6]]}` + "\n"
	s.write("cycles.jsonl", strings.Repeat(cycle, 3))
	s.write("star.jsonl", strings.Repeat(cycle, 24)+star)
	s.write("dots.jsonl", strings.Repeat(`{"edges":[],"nodes":1}`+"\n", 3))
	const alike, few = "cannot be told apart: over these atoms all have the same embedding", "one cluster holds 95 % of the graphs or more"
	for i, c := range []struct{ args, warning, clusters string }{
		{"cycles.jsonl -atoms 2", alike, "fall into 1 cluster."},
		{"dots.jsonl -atoms 2", alike, "fall into 1 cluster."},
		{"star.jsonl -atoms 1 -clusters 2..3", alike, "fall into 1 cluster."},
		{"star.jsonl -atoms 1..2", "", "no clusters found"},
		{"star.jsonl -atoms 2 -clusters 2", few, "over 2 atoms of order 5 by structure alone, are cut into 2 clusters, the number that -clusters gives."},
		{"star.jsonl -atoms 2 -clusters 4", "4 clusters cannot be told apart: the graphs have only 2 different embeddings", "are cut into 2 clusters."},
		{"star.jsonl -atoms 2 -clusters 1 -set epochs=1", "", "fall into 1 cluster."}, // no losses to draw
		{"star.jsonl -atoms 2..3 -clusters 1", "", "fall into 1 cluster."},
	} {
		file, rest, _ := strings.Cut(c.args, " ")
		graphs, out := filepath.Join(s.dir, file), filepath.Join(s.dir, fmt.Sprintf("fit%d", i))
		if !strings.Contains(rest, "epochs") {
			rest += " -set epochs=2"
		}
		s.verb(exitOK, "fit", append([]string{"-graphs", graphs, "-out", out}, strings.Fields(rest)...)...)
		s.wantOut(c.warning, c.clusters)
		if page := read(t, filepath.Join(out, "index.html")); strings.Contains(page, `class="warning"`) != (c.warning != "") || strings.Contains(page, "NaN") ||
			!strings.Contains(page, `<a href="graphs.csv">`) || !strings.Contains(page, `<a href="dictionary.npz">`) ||
			strings.Contains(page, "chosen by a test for separated clusters") != (i < 4) {
			t.Errorf("%s: a warning, NaN, files or a choice on the page", c.args)
		}
		s.verb(exitOK, "embed", "-from", out, "-data", graphs, "-out", filepath.Join(out, "embedded"))
	}
	s.verb(exitOK, "fit", "-graphs", filepath.Join(s.dir, "cycles.jsonl"), "-atoms", "1", "-order", "6", "-set", "epochs=1", "-out", filepath.Join(s.dir, "large"))
	s.wantOut("Atoms have 6 nodes, more than the largest graph, which has 5")
}

// TestFitNone: graphs without clusters are one cluster, which title, terminal and table say; the test's verdict is there where a number is given.
func TestFitNone(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	rng := rand.New(rand.NewPCG(5, 6))
	var b strings.Builder
	for range 30 {
		var edges []string
		for i := range 12 {
			for j := range i {
				if rng.Float64() < 0.3 {
					edges = append(edges, fmt.Sprintf("[%d,%d]", j, i))
				}
			}
		}
		fmt.Fprintf(&b, "{\"edges\":[%s],\"nodes\":12}\n", strings.Join(edges, ","))
	}
	s.write("er.jsonl", b.String())
	out := filepath.Join(s.dir, "er")
	args := []string{"-graphs", filepath.Join(s.dir, "er.jsonl"), "-atoms", "2", "-set", "epochs=3", "-out", out}
	s.verb(exitOK, "fit", args...).wantOut("fall into 1 cluster", "no clusters found")
	must.Contain(t, read(t, filepath.Join(out, "index.html")), "<title>er: no clusters found")
	for _, row := range rowsOf(t, filepath.Join(out, "graphs.csv"))[1:] {
		must.Equal(t, row[2], "0", "the cluster of a graph")
	}
	s.verb(exitOK, "fit", append(args, "-clusters", "3", "-force")...)
	s.wantOut("are cut into 3 clusters, the number that -clusters gives, ", "no clusters found")
	cut := read(t, filepath.Join(out, "index.html"))
	must.Contain(t, cut, "<title>er: no clusters found, cut into 3 clusters", `class="warning"`)
	s.verb(exitOK, "fit", append(args, "-clusters", "3")...).wantOut("This fit was done already: nothing was computed.\nwritten: ")
	must.Same(t, read(t, filepath.Join(out, "index.html")), cut, "the page of the same command")
	arrays := readArrays(t, filepath.Join(out, "dictionary.npz"))
	must.Same(t, arrays[artifact.ClustersFound].Int, []int{0}, "separated clusters")
	must.Contain(t, strings.Join(arrays[artifact.Warnings].Text, "\n"), "the clusterings of the repetitions do not agree")
	s.write("er/index.html", "mine")
	s.verb(exitFatal, "fit", append(args, "-clusters", "3")...).wantErr("or replace it by fit -force")
	// A fit without a page goes on, and replaces no file that was changed.
	must.Do(t, os.Remove(filepath.Join(out, "index.html")))
	s.write("er/graphs.csv", "mine")
	s.verb(exitFatal, "fit", append(args, "-clusters", "3")...).wantErr("or replace it by fit -force")
	s.verb(exitOK, "fit", append(args, "-clusters", "3", "-force")...)
	// Nor does -force replace a file that no fit wrote.
	s.write("own/graphs.csv", "mine")
	s.verb(exitFatal, "fit", append(args[:len(args)-1:len(args)-1], filepath.Join(s.dir, "own"), "-force")...).wantErr("no report wrote ")
	must.Same(t, read(t, filepath.Join(s.dir, "own", "graphs.csv")), "mine", "the user's file")
	// Other names, and classes that are too few, are refused by the flag that gives them.
	s.write("my graphs.jsonl", b.String())
	s.verb(exitFatal, "fit", "-graphs", filepath.Join(s.dir, "my graphs.jsonl"), "-atoms", "2").wantErr(`my graphs.jsonl": must be a folder`)
	s.write("one.jsonl", strings.ReplaceAll(b.String(), "}", `, "class": "a"}`))
	s.verb(exitFatal, "fit", "-graphs", filepath.Join(s.dir, "one.jsonl"), "-atoms", "2", "-out", filepath.Join(s.dir, "one"), "-classify")
	s.wantErr("-classify: nested: labels of 1 classes")
	s.verb(exitFatal, "fit", append(args, "-method", "GDL_h", "-atoms", "2..3")...).wantErr("-atoms: -method GDL_h takes one number")
}

// TestFitOccupied: a fit looks for each of its files before it computes anything.
func TestFitOccupied(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	out, own := filepath.Join(s.dir, "fit"), filepath.Join(s.dir, "own")
	graphs := s.writeLines("d1.jsonl", 4, false)
	args := []string{"-graphs", graphs, "-atoms", "2..3", "-clusters", "2", "-order", "4", "-set", "epochs=2"}
	s.verb(exitOK, "fit", append(args, "-out", out)...)
	_, list, _ := strings.Cut(read(t, filepath.Join(out, reports.SumsFile)), "\n")
	must.Contain(t, list, "figures/embedding.svg", "figures/held_out.csv")
	for line := range strings.Lines(list + "sum  " + fit.UnfinishedFile) {
		_, name, _ := strings.Cut(strings.TrimSpace(line), "  ")
		s.write("own/"+name, "mine")
		must.Fail(t, fit.Occupied(own, false), filepath.FromSlash(name))
		must.Do(t, os.Remove(filepath.Join(own, name)))
	}
	s.write("own/figures/embedding.svg", "mine")
	s.verb(exitFatal, "fit", append(args, "-out", own, "-force")...).wantErr("no report wrote ", "embedding.svg")
	if files := filesBelow(t, own, unpromised); len(files) != 1 || files["figures/embedding.svg"] != "mine" {
		t.Errorf("a fit that stops leaves %d files", len(files))
	}
}

// TestFitUnread: files that a fit does not ask for do not stop it, and what it says of them is true.
func TestFitUnread(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	s.write("G/G_A.txt", "1, 2\n2, 1\n3, 4\n4, 3\n4, 5\n5, 4\n")
	s.write("G/._G_A.txt", "\x00")
	s.write("G/G_graph_indicator.txt", "1\n1\n2\n2\n2\n")
	s.write("G/G_node_labels.txt", "1\n1, 2\n1\n1\n1\n")
	s.write("G/G_edge_attributes.txt", "-1, 2, 1\n-1, 2, 2\n-1, 2, 1\n-1, 2, 1\n-1, 2, 1\n-1, 2, 1\n")
	learn := func(code int, more ...string) {
		t.Helper()
		s.verb(code, "fit", append([]string{"-graphs", filepath.Join(s.dir, "G"), "-atoms", "1", "-clusters", "1", "-set", "epochs=2",
			"-out", filepath.Join(s.dir, "out"), "-force"}, more...)...)
	}
	learn(exitFatal)
	s.wantErr("G_node_labels.txt:2: number of values: 2", "-features none fits without")
	learn(exitFatal, "-features", "labels")
	s.wantErr("G_node_labels.txt:2: number of values: 2")
	learn(exitOK, "-features", "none")
	s.wantOut("Warning: Node labels cannot be used: ", "-set edge_weights=attribute:1 weighs edges by them")
	learn(exitOK, "-features", "none", "-set", "edge_weights=attribute:1")
}

// TestFitKnown: a folder with the name of a published data set is the user's own, and the fit reports
// edge labels, which it does not use.
func TestFitKnown(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	s.write("MUTAG/MUTAG_A.txt", "1, 2\n2, 1\n3, 4\n4, 3\n4, 5\n5, 4\n")
	s.write("MUTAG/MUTAG_graph_indicator.txt", "1\n1\n2\n2\n2\n")
	s.write("MUTAG/MUTAG_edge_labels.txt", "0\n0\n1\n1\n1\n1\n")
	graphs, out := filepath.Join(s.dir, "MUTAG"), filepath.Join(s.dir, "out")
	s.verb(exitOK, "fit", "-graphs", graphs, "-atoms", "1", "-clusters", "1", "-set", "epochs=2", "-out", out)
	s.wantOut("2 graphs of MUTAG", "Labels of edges (MUTAG_edge_labels.txt) are not used.")
	s.verb(exitOK, "embed", "-from", out, "-data", graphs, "-out", filepath.Join(s.dir, "new"))
	s.verb(exitOK, "report", "-config", filepath.Join(out, fit.ConfigFile), "-out", out).wantOut("MUTAG-own")
}

func TestFitErrors(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	graphs := s.writeLines("d1.jsonl", 2, false)
	s.write("one.jsonl", `{"edges":[[0,1]]}`+"\n"+`{"edges":[]}`+"\n")
	for _, c := range []struct{ args, want string }{
		{"", "-graphs is missing"},
		{"-graphs G", "-atoms is missing, such as -atoms 2..10"},
		{"-graphs G -atoms 0", "must be a whole number from 1 on, or a range"},
		{"-graphs G -atoms 5..2", "the smaller end first"},
		{"-graphs G -atoms 1..99,100..101", "at most 100 numbers"},
		{"-graphs G -atoms 2 stray", `unexpected argument "stray"; graphs have a flag: -graphs stray`},
		{"-graphs G -atoms 2 -workers 0", "\"0\" for flag -workers: must be a whole number from 1 to"},
		{"-graphs G -atoms 7", `-atoms=7: 7 atoms start from as many graphs, there are 6; init = "random" needs none`},
		{"-graphs G -atoms 2..5", "-atoms: one number, or several up to 4: held-out graphs"},
		{"-graphs G -atoms 2 -set init=sample_per_class", "-set init=sample_per_class: a fit learns without classes"},
		{"-graphs ONE -atoms 2", "a fit needs at least 2 graphs with nodes: one has 1"},
		{"-graphs G -atoms 2 -alpha 2", `-alpha=2: must be a number from 0 to 1`},
		{"-graphs G -atoms 2 -order 0", `-order=0: must be an integer`},
		{"-graphs G -atoms 2 -lambda -1", `-lambda=-1: must be`},
		{"-graphs G -atoms 2 -set alpha=2", "-alpha=2: must be"},
		{"-graphs G -atoms 2 -set alpha=[1,2]", "-alpha=2: must be"},
		{"-graphs G -atoms 2 -set batch=[0,2]", "-set batch=0: must be"},
		{"-graphs G -atoms 2 -method SC", "-method SC: must be GDL or GDL_h"},
		{"-graphs G -atoms 2 -clusters 9", "-clusters 9: there are 6 graphs"},
		{"-graphs G -atoms 2 -alpha 0.5", "-alpha=0.5: must be 1 without node features"},
		{"-graphs G -atoms 2 -features labels", "has no node labels"},
		{"-graphs G -atoms 2 -features label", `-features="label": must be "none", "labels", "attributes" or "degree"; did you mean labels?`},
		{"-graphs G -atoms 2 -features degree,none", `-features ["degree", "none"]: one kind, or -alpha too`},
		{"-graphs G -atoms 2 -set epohcs=3", "did you mean epochs?"},
		{"-graphs G -atoms 2 -set cluster_by=gw_kmeans", "-set cluster_by: not a key here; allowed: "},
		{"-graphs G -atoms 2 -set clusters=2", "-set clusters: it has a flag of its own, -clusters"},
		{"-graphs G -atoms 2 -order x", "must be"},
		{"-graphs G -atoms 2 -classify", "-classify: d1 has no classes"},
		{"-graphs nothing -atoms 2", "data set not there"},
	} {
		args := strings.Fields(strings.NewReplacer(" G", " "+graphs, " ONE", " "+filepath.Join(s.dir, "one.jsonl")).Replace(c.args))
		s.verb(exitFatal, "fit", append(args, "-out", filepath.Join(s.dir, "out"))...).wantErr(c.want)
	}
	// What cannot be written is found before anything is learned.
	s.verb(exitFatal, "fit", "-graphs", graphs, "-atoms", "2", "-set", "epochs=1000000", "-out", filepath.Join(graphs, "out"))
	s.wantErr("fit: -out " + filepath.Join(graphs, "out") + ": ")
	s.verb(exitFatal, "fit", "-graphs", graphs, "-atoms", "2", "-out", graphs)
	s.wantErr("fit: -out " + graphs + ": not a writable folder")
	// One that is interrupted before it begins leaves nothing.
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr strings.Builder
	if code := execute(ctx, []string{"fit", "-graphs", graphs, "-atoms", "2", "-out", filepath.Join(s.dir, "out")}, &stdout, &stderr); code != exitInterrupted {
		t.Errorf("exit code %d: %s", code, stderr.String())
	}
	absent(t, filepath.Join(s.dir, "out"))
	s.verb(exitOK, "fit", "-graphs", graphs, "-atoms", "2", "-out", filepath.Join(s.dir, "out"))
}

// TestFitOfOld: embed finds in the dictionary.npz of an older fit what the program that wrote it did.
func TestFitOfOld(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	old := filepath.Join("testdata", "fit_bcf26da")
	s.verb(exitOK, "embed", "-from", old, "-data", filepath.Join(old, "graphs.jsonl"), "-out", filepath.Join(s.dir, "new"))
	if got := read(t, filepath.Join(s.dir, "new.csv")); got != read(t, filepath.Join(old, "embedded.csv")) {
		t.Errorf("other weights, clusters or distances:\n%s", got)
	}
}

// TestUnlike: graphs that a dictionary reconstructs worse than those of its fit are named, and the table ranks them.
func TestUnlike(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	graphs, out := s.writeLines("d1.jsonl", 6, false), filepath.Join(s.dir, "fit")
	s.verb(exitOK, "fit", "-graphs", graphs, "-atoms", "3", "-order", "6", "-set", "epochs=5", "-out", out)
	var edges []string
	for i := range 36 {
		edges = append(edges, fmt.Sprintf("[%d,%d]", i/6, 6+i%6))
	}
	bipartite := fmt.Sprintf("{\"edges\":[%s],\"name\":\"bipartite\"}\n", strings.Join(edges, ","))
	s.write("new.jsonl", bipartite+strings.SplitAfter(read(t, graphs), "\n")[0])
	s.verb(exitOK, "embed", "-from", out, "-data", filepath.Join(s.dir, "new.jsonl"), "-out", filepath.Join(s.dir, "new"))
	s.wantOut("new: 1 of 2 graphs is unlike the graphs of the fit (above the 99th percentile of their errors, without outliers): 0 (bipartite)\n")
	if got := readArrays(t, filepath.Join(s.dir, "new.npz"))["percentile"].Float; len(got) != 2 || got[0] != 100 || !(got[1] < 99) {
		t.Errorf("percentiles %v", got)
	}
}

// TestUnlikeMUTAG: paths of carbon are unlike the molecules of MUTAG, whatever their length, and of the molecules few are.
func TestUnlikeMUTAG(t *testing.T) {
	if !*full {
		t.Skip("runs with -full: learns of MUTAG")
	}
	t.Parallel()
	z := must.Get(zip.OpenReader(filepath.Join(sharedtest.Dir(t), "tudatasets", "MUTAG.zip")))
	defer z.Close()
	s := newSession(t, "")
	for _, f := range z.File {
		if _, of, ok := strings.Cut(filepath.Base(f.Name), "MUTAG_"); ok {
			r := must.Get(f.Open())
			text := must.Get(io.ReadAll(r))
			s.write("molecules/molecules_"+of, string(text))
		}
	}
	var edges, graph, labels strings.Builder
	node, paths := 0, 0
	for n := 5; n <= 30; n++ {
		paths++
		for i := range n {
			node++
			fmt.Fprintln(&graph, paths)
			fmt.Fprintln(&labels, 0)
			if i > 0 {
				fmt.Fprintf(&edges, "%d, %d\n%d, %d\n", node-1, node, node, node-1)
			}
		}
	}
	s.write("paths/paths_A.txt", edges.String())
	s.write("paths/paths_graph_indicator.txt", graph.String())
	s.write("paths/paths_node_labels.txt", labels.String())
	out := filepath.Join(s.dir, "fit")
	s.verb(exitOK, "fit", "-graphs", filepath.Join(s.dir, "molecules"), "-atoms", "4", "-alpha", "0.5", "-out", out)
	s.verb(exitOK, "embed", "-from", out, "-data", filepath.Join(s.dir, "paths"), "-out", filepath.Join(s.dir, "new"))
	s.wantOut("paths: 26 of 26 graphs are unlike the graphs of the fit (above the 99th percentile of their errors, without outliers): 0, 1, 2, 3, ",
		", 24, 25\n")
	s.verb(exitOK, "embed", "-from", out, "-data", filepath.Join(s.dir, "molecules"), "-out", filepath.Join(s.dir, "old"))
	unlike := 0
	for _, p := range readArrays(t, filepath.Join(s.dir, "old.npz"))["percentile"].Float {
		if p > 99 {
			unlike++
		}
	}
	if unlike < 1 || unlike > 188/10 {
		t.Errorf("%d of the molecules are unlike themselves", unlike)
	}
}

// TestFitLists: lists of settings are chosen from, another method of the table has files of the same names, and embed finds the cells by -row.
func TestFitLists(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	graphs, out := s.writeLines("d1.jsonl", 6, false), filepath.Join(s.dir, "lists")
	s.verb(exitOK, "fit", "-graphs", graphs, "-atoms", "2", "-clusters", "2", "-order", "5", "-set", "epochs=[2,3]", "-lambda", "0,.001", "-out", out)
	s.wantOut("are cut into 2 clusters", "with stability 0.")
	s.wantErr("computed 20 cells", "shared products: 20 blocks computed")
	must.Contain(t, read(t, filepath.Join(out, "index.html")), "epochs 2, lambda 0.001", "epochs 3, lambda 0.001",
		"Of settings that differ in epochs, lambda the most stable one is taken.")
	s.verb(exitOK, "embed", "-config", filepath.Join(out, fit.ConfigFile), "-results", out, "-row", "method=GDL", "-data", graphs, "-out", filepath.Join(s.dir, "row"))
	s.verb(exitOK, "gc", "-out", out).wantOut("40 cells and products", "nothing to remove")
	h := filepath.Join(s.dir, "h")
	s.verb(exitOK, "fit", "-method", "GDL_h", "-graphs", graphs, "-atoms", "2", "-clusters", "2", "-order", "5", "-set", "epochs=2", "-out", h)
	if head, _, _ := strings.Cut(read(t, filepath.Join(h, "graphs.csv")), "\n"); head != "graph,name,cluster,distance,reconstruction,percentile,w0,w1,v0,v1" {
		t.Errorf("columns %s", head)
	}
	s.verb(exitOK, "embed", "-from", h, "-data", graphs, "-out", filepath.Join(s.dir, "h_new"))
}
