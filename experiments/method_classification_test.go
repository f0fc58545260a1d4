package main

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/sharedtest"
)

// kernelGrid is a grid of the methods that take distances of graphs, or kernels, on sets that are drawn.
const kernelGrid = `table = "classification"
repetitions = 2
[[grid]]
dataset = "D1"
sbm_graphs = 12
sbm_order_max = 12
method = "FGWK"
representation = ["adjacency", "shortest_path"]
C = [1, 100]
gamma = [0.5, 8]
[[grid]]
dataset = "D1"
sbm_graphs = 12
sbm_order_max = 12
method = "S-GWK"
starts = 2
skip = 2
repetitions = 3
distance_scale = ["max", "median"]
C = [1, 100]
gamma = [0.5, 8]
[[grid]]
dataset = "D1"
sbm_graphs = 12
sbm_order_max = 12
method = "GK"
graphlet_draws = [0, 20]
folds = "drawn"
C = [1, 100]
[[grid]]
dataset = "D1"
sbm_graphs = 12
sbm_order_max = 12
method = "SPK"
C = [1, 100]
`

// kernelCells is their number: FGWK, S-GWK, GK, SPK.
const kernelCells = 4 + 6 + 4 + 2

// TestClassification: the bytes are those of any number of workers, of a run in parts, and a second run computes nothing.
func TestClassification(t *testing.T) {
	t.Parallel()
	s := newSession(t, kernelGrid)
	s.run(exitOK, "-workers", "1")
	want := s.results()
	s.run(exitOK)
	s.wantErr(fmt.Sprintf("%d done already, 0 to compute", kernelCells))
	for _, r := range s.records() {
		checkClassified(t, s, r)
	}
	parts := newSession(t, kernelGrid)
	parts.run(exitOK, "-workers", "2", "-filter", "method=S-GWK repetition=2")
	parts.run(exitOK, "-workers", "2", "-filter", "method!=FGWK")
	parts.run(exitOK, "-workers", "2")
	compareResults(t, "in parts", parts.results(), want)
}

// compareResults names the files that differ.
func compareResults(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for name, text := range want {
		if got[name] != text {
			t.Errorf("%s: %s differs", what, name)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%s: %d files, want %d", what, len(got), len(want))
	}
}

// checkClassified compares a record with the arrays beside it.
func checkClassified(t *testing.T, s *session, r *record.Record) {
	t.Helper()
	f := npz.Among(s.cellArrays(r), r.ID)
	n := int(r.Scores[artifact.TestSize])
	predictions, truth, tests := f.IntsOf(artifact.Predictions, n), f.IntsOf(artifact.Truth, n), f.IntsOf(artifact.TestGraphs, n)
	Cs, gammas := f.Floats(artifact.InnerC, 1, false), f.Floats(artifact.InnerGamma, 1, false)
	if f.Err() != nil {
		t.Fatal(f.Err())
	}
	right := f.IntsOf(artifact.InnerCorrect, len(Cs.Float), len(gammas.Float))
	if f.Err() != nil {
		t.Fatal(f.Err())
	}
	correct := 0
	for k := range truth {
		if truth[k] == predictions[k] {
			correct++
		}
	}
	v := r.Scores
	best := slices.Index(right, slices.Max(right))
	if v[artifact.Accuracy] != float64(correct)/float64(n) || !slices.IsSorted(tests) || v[artifact.InnerNumerator] != float64(right[best]) ||
		math.Abs(v[artifact.InnerAccuracy]-v[artifact.InnerNumerator]/v[artifact.InnerDenominator]) > 1e-15 ||
		v[artifact.ChosenC] != Cs.Float[best/len(gammas.Float)] || v[artifact.Fits] != float64(10*len(right)+1) || v[artifact.MajorityAll] != 1./3 {
		t.Errorf("%s: scores %v, %d of %d right, inner %v", r.Method, v, correct, n, right)
	}
	if gamma, ok := v[artifact.ChosenGamma]; ok != (r.Params["gamma"] != nil) || ok && gamma != gammas.Float[best%len(gammas.Float)] {
		t.Errorf("%s: gamma %v of %v", r.Method, gamma, gammas.Float)
	}
	if least := v[artifact.LeastEigenvalue]; r.Params["gamma"] == nil && least < -1e-9 {
		t.Errorf("%s: a least eigenvalue of %v", r.Method, least)
	}
}

// writeRings writes a folder of n rings, the classes of whose graphs are these in turn; with labels and attributes of nodes if given.
func (s *session) writeRings(path string, n int, class func(k int) int, onNodes bool) {
	name := filepath.Join(path, filepath.Base(path))
	var edges, indicator, classes, labels, attributes strings.Builder
	node := 0
	for k := range n {
		order := 4 + k%5
		for i := range order {
			a, b := node+i+1, node+(i+1)%order+1
			fmt.Fprintf(&edges, "%d, %d\n%d, %d\n", a, b, b, a)
			fmt.Fprintln(&indicator, k+1)
			fmt.Fprintln(&labels, i*class(k)%2)
			fmt.Fprintf(&attributes, "%d, 0.5\n", i*class(k))
		}
		node += order
		fmt.Fprintln(&classes, class(k))
	}
	s.write(name+"_A.txt", edges.String())
	s.write(name+"_graph_indicator.txt", indicator.String())
	s.write(name+"_graph_labels.txt", classes.String())
	if onNodes {
		s.write(name+"_node_labels.txt", labels.String())
		s.write(name+"_node_attributes.txt", attributes.String())
	}
}

// TestClassificationMistakes: what cannot be classified is told before anything runs, with key and data set.
func TestClassificationMistakes(t *testing.T) {
	t.Parallel()
	s := newSession(t, "")
	two := func(k int) int { return k % 2 }
	s.writeRings("ONE", 30, func(int) int { return 7 }, true)
	s.writeRings("FEW", 60, func(k int) int { return min(1, k) }, true)
	s.writeRings("BORDER", 20, two, true)
	s.writeRings("BARE", 30, two, false)
	s.writeRings("FULL", 30, two, true)
	for block, want := range map[string]string{
		`dataset = "D2"` + "\nmethod = \"FGWK\"":                                     "grid.toml:4: dataset = \"D2\": D2 has no classes",
		`dataset = "D1"` + "\nsbm_graphs = 10\nmethod = \"GK\"":                      "grid.toml:4: dataset = \"D1\": D1 has 10 graphs of each class, of which a training part may have 9: must be one at least for each of the 10 inner folds",
		`dataset = ["MUTAG", "IMDB-B"]` + "\nmethod = \"WLK\"":                       "grid.toml:4: dataset = \"IMDB-B\": IMDB-B has no node labels, which WLK compares",
		`dataset = "IMDB-M"` + "\nmethod = \"RWK\"":                                  "grid.toml:4: dataset = \"IMDB-M\": IMDB-M has no node labels, which RWK compares",
		`dataset = ["BZR", "MUTAG"]` + "\nmethod = \"PROPAK\"":                       "grid.toml:4: dataset = \"MUTAG\": MUTAG has no real attributes of nodes, which PROPAK compares",
		`dataset = "PTC-MR"` + "\nmethod = \"HOPPERK\"":                              "grid.toml:4: dataset = \"PTC-MR\": PTC-MR has no real attributes of nodes, which HOPPERK compares",
		`dataset = "MUTAG"` + "\nmethod = \"RWK\"\nwalk_lambda = [0.1, 0.2]":         "grid.toml:6: walk_lambda = 0.2: must be at most 0.139 for MUTAG",
		`dataset = "MUTAG"` + "\nmethod = \"FGWK\"\nC = [1, 0]":                      "grid.toml:6: C = [1, 0]: must be a list of different numbers, each a number from 1e-50",
		`dataset = "MUTAG"` + "\nmethod = \"GK\"\ngamma = 1":                         "unknown key for method GK",
		`path = "ONE"` + "\nmethod = \"SPK\"":                                        "grid.toml:4: path = \"ONE\": ONE has one class only",
		`path = "FEW"` + "\nmethod = \"FGWK\"":                                       "grid.toml:4: path = \"FEW\": FEW has 1 graph of class \"0\": must be 2 at least",
		`path = "BORDER"` + "\nmethod = \"GK\"":                                      "grid.toml:4: path = \"BORDER\": BORDER has 10 graphs of class \"0\", of which a training part may have 9",
		`path = "BORDER"` + "\nmethod = \"GK\"\nfolds = \"drawn\"\ninner_folds = 12": "grid.toml:7: inner_folds = 12: BORDER has 10 graphs of class \"0\", of which a training part may have 9",
		`path = "BARE"` + "\nmethod = \"WLK\"":                                       "grid.toml:4: path = \"BARE\": BARE has no node labels, which WLK compares",
		`path = "BARE"` + "\nmethod = \"HOPPERK\"":                                   "grid.toml:4: path = \"BARE\": BARE has no real attributes of nodes, which HOPPERK compares",
		`path = "FULL"` + "\nmethod = \"RWK\"\nwalk_lambda = [0.1, 1]":               "grid.toml:6: walk_lambda = 1: must be below 0.25 for FULL",
	} {
		s.write("grid.toml", "table = \"classification\"\nrepetitions = 2\n[[grid]]\n"+block+"\n")
		s.run(exitFatal)
		s.wantErr(want)
	}
	if left := s.stored("*/*"); len(left) > 0 {
		t.Errorf("something ran: %v", left)
	}
}

// TestSmallestClasses: what TestClassificationMistakes rejects runs with a graph more, on every split.
func TestSmallestClasses(t *testing.T) {
	t.Parallel()
	s := newSession(t, `table = "classification"
repetitions = 10
[[grid]]
path = ["EQUAL", "UNEQUAL"]
method = "GK"
C = 1
folds = ["released", "drawn"]
[[grid]]
path = "RARE"
method = "GK"
C = 1
inner_folds = [3, 4]
`)
	s.writeRings("RARE", 30, func(k int) int { return min(1, k/3) }, false)
	s.writeRings("EQUAL", 24, func(k int) int { return k % 2 }, false)
	s.writeRings("UNEQUAL", 62, func(k int) int { return min(1, k/11) }, false)
	s.run(exitOK)
	s.wantErr("computed 60 cells")
	for _, r := range s.records() {
		folds, given := r.Params["inner_folds"]
		missing := strings.Contains(strings.Join(r.Notes, ""), "to learn from: some of the 4 inner folds are without it")
		if given != (r.Dataset == "RARE") || missing != (folds == 4.0) {
			t.Errorf("%s: inner_folds %v, notes %q", r.Dataset, folds, r.Notes)
		}
	}
}

// TestOwnKernels: all graph kernels work on a folder of one's own, the ladders of their parameters are one product each, and a value beside the
// ladder has its own.
func TestOwnKernels(t *testing.T) {
	t.Parallel()
	s := newSession(t, `table = "classification"
repetitions = 1
`)
	s.writeRings("RINGS", 40, func(k int) int { return k / 3 % 2 }, true)
	text := read(t, filepath.Join(s.dir, "grid.toml"))
	for _, lines := range []string{`method = "RWK"` + "\nwalk_lambda = [1e-3, 1e-2, 0.2]", `method = "WLK"` + "\ndepth = [1, 9, 11]", `method = "HOPPERK"` + "\nnode_kernel = [\"linear\", \"gaussian\"]",
		`method = "PROPAK"` + "\nt_max = [1, 20]", `method = "SPK"` + "\nnode_labels = [\"if_any\", \"never\"]", `method = "GK"`} {
		text += "[[grid]]\npath = \"RINGS\"\nC = [1, 100]\n" + lines + "\n"
	}
	s.write("grid.toml", text)
	s.run(exitOK)
	s.wantErr("shared products: 10 blocks computed")
	for _, r := range s.records() {
		// The classes tell labels and attributes, but not rings.
		if a := r.Scores[artifact.Accuracy]; a < 1 && r.Method != "GK" && r.Method != "SPK" {
			t.Errorf("%s %v: accuracy %v", r.Method, r.Params, a)
		}
	}
}

// TestNestedMUTAG: cells of SPK on MUTAG have the choices, accuracies and predictions of scikit-learn's search.
func TestNestedMUTAG(t *testing.T) {
	t.Parallel()
	var ref struct {
		SPK []struct {
			Seed        int
			C           float64
			Inner       float64 `json:"val"`
			Test        float64
			Predictions []int `json:"pred"`
		}
	}
	sharedtest.JSON(t, "classification/nested_MUTAG.json", &ref)
	s := newSession(t, "table = \"classification\"\nrepetitions = 2\n[[grid]]\ndataset = \"MUTAG\"\nmethod = \"SPK\"\n")
	if code := s.program(context.Background(), "-config", filepath.Join(s.dir, "grid.toml"), "-out", filepath.Join(s.dir, "out"),
		"-data", sharedtest.Data(t, "MUTAG")); code != exitOK {
		t.Fatal(s.stderr)
	}
	for _, r := range s.records() {
		want := ref.SPK[r.Repetition]
		if want.Seed != r.Repetition {
			t.Fatalf("split %d is that of seed %d", r.Repetition, want.Seed)
		}
		v := r.Scores
		if v[artifact.ChosenC] != want.C || math.Abs(v[artifact.InnerAccuracy]-want.Inner) > 1e-12 || math.Abs(v[artifact.Accuracy]-want.Test) > 1e-12 {
			t.Errorf("split %d: C %v, inner %v, test %v; scikit-learn has %v", r.Repetition, v[artifact.ChosenC], v[artifact.InnerAccuracy], v[artifact.Accuracy], want)
		}
	}
}

// TestWholeRows: accuracies of whole rows over the released splits are within 3 points of those known for them. They hang on ties
// between Gromov-Wasserstein distances of graphs of zeros and ones, so means alone can be compared.
func TestWholeRows(t *testing.T) {
	if !*full {
		t.Skip("runs with -full, for minutes")
	}
	s := newSession(t, `table = "classification"
repetitions = 10
[[grid]]
dataset = ["MUTAG", "PTC-MR"]
method = "FGWK"
features = "labels"
representation = ["adjacency", "shortest_path"]
alpha = 0.5
[[grid]]
dataset = "BZR"
method = "FGWK"
features = "attributes"
alpha = 0.5
repetitions = 5
[[grid]]
dataset = "MUTAG"
method = "WLK"
depth = [1, 2, 3, 4, 5, 6, 7, 8, 9]
svm_iterations = 200_000
repetitions = 20
`)
	data := os.Getenv("OGDL_DATA")
	if data == "" {
		data = sharedtest.Data(t, "MUTAG", "PTC_MR", "BZR")
	}
	if code := s.program(context.Background(), "-config", filepath.Join(s.dir, "grid.toml"), "-out", filepath.Join(s.dir, "out"),
		"-data", data); code != exitOK {
		t.Fatal(s.stderr)
	}
	// The cell of each split with the highest inner accuracy, of equal ones that of the smallest depth.
	best := map[string]map[int]*record.Record{}
	for _, r := range s.records() {
		row := fmt.Sprint(r.Method, " ", r.Dataset, " ", r.Params["representation"])
		if best[row] == nil {
			best[row] = map[int]*record.Record{}
		}
		rank := func(r *record.Record) (inner, depth float64) {
			depth, _ = r.Params["depth"].(float64)
			return r.Scores[artifact.InnerNumerator] / r.Scores[artifact.InnerDenominator], -depth
		}
		if old := best[row][r.Repetition]; old != nil {
			i, d := rank(r)
			if j, e := rank(old); i < j || i == j && d < e {
				continue
			}
		}
		best[row][r.Repetition] = r
	}
	for row, want := range map[string]float64{"FGWK MUTAG adjacency": 80, "FGWK MUTAG shortest_path": 83.7, "FGWK PTC-MR adjacency": 62, "FGWK PTC-MR shortest_path": 56,
		"FGWK BZR adjacency": 85.9, "WLK MUTAG <nil>": 87.1} {
		mean := 0.0
		for _, r := range best[row] {
			mean += 100 * r.Scores[artifact.Accuracy] / float64(len(best[row]))
		}
		t.Logf("%s: %.2f over %d splits, known %v", row, mean, len(best[row]), want)
		if !(math.Abs(mean-want) <= 3) {
			t.Errorf("%s: accuracy %.2f, want %v within 3", row, mean, want)
		}
	}
}
