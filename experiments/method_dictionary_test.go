package main

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ogdl/eval/nested"
	"ogdl/experiments/internal/product"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/ot/gw"
)

// learningD1 describes a set of three classes, and dictionaries of it.
const learningD1 = `dataset = "D1"
sbm_graphs = 12
sbm_order_max = 15
epochs = 2
batch = 8
atoms = 3
`

const fewKernels = `C = [1, 1000]
gamma = [0.1, 10]
`

// classified is a grid of all methods that take dictionaries, of repetition 1 of the clustering tables.
func classified(repetitions int) string {
	out := fmt.Sprintf("table = \"classification\"\nname = \"svm\"\nrepetitions = %d\n", repetitions)
	for _, m := range []string{"GDL-w", "GDL-g", "GWF-r + SVM", "GWF-f + SVM"} {
		out += "[[grid]]\n" + learningD1 + fewKernels + "dictionary_repetition = 1\nmethod = \"" + m + "\"\n"
		if strings.HasPrefix(m, "GWF") {
			out += "prox_gamma = 0.1\n"
		}
	}
	return out
}

// dictionaryBlock reads the arrays of a dictionary that a record rests on.
func (s *session) dictionaryBlock(r *record.Record, at int) []npz.Array {
	s.t.Helper()
	store, err := record.Open(filepath.Join(s.dir, "out"))
	if err != nil {
		s.t.Fatal(err)
	}
	if u := r.Products[at]; u.Kind != product.KindDictionary || u.Convergence.Solves == 0 {
		s.t.Fatalf("%s rests on %+v", r.Method, u)
	}
	b, state, err := store.Block(r.Products[at].ID, 0)
	if state != record.Whole {
		s.t.Fatal(state, err)
	}
	return b.Arrays
}

// cellArrays reads the npz of a record.
func (s *session) cellArrays(r *record.Record) []npz.Array {
	s.t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "out", "store", r.ID[:2], r.ID+"-*.npz"))
	if err != nil || len(files) != 1 {
		s.t.Fatal(files, err)
	}
	src, err := os.ReadFile(files[0])
	if err != nil {
		s.t.Fatal(err)
	}
	arrays, err := npz.Read(bytes.NewReader(src), int64(len(src)))
	if err != nil {
		s.t.Fatal(err)
	}
	return arrays
}

// TestDictionariesAreThoseOfClustering: what classification takes is, bit for bit, what the cells of clustering tables keep; distances
// are those of the packages; everything is shared by the splits, and computed once.
func TestDictionariesAreThoseOfClustering(t *testing.T) {
	t.Parallel()
	clustering := "table = \"clustering\"\nrepetitions = 2\n"
	for _, m := range []string{"GDL", "GWF-r", "GWF-f"} {
		clustering += "[[grid]]\n" + learningD1 + "kmeans_restarts = 2\nmethod = \"" + m + "\"\n"
		if m != "GDL" {
			clustering += "gamma = 0.1\n"
		}
	}
	s := newSession(t, clustering)
	s.run(exitOK)
	kept := map[string]*record.Record{}
	for _, r := range s.records() {
		if r.Repetition == 1 {
			kept[r.Method] = r
		}
	}
	s.write("grid.toml", classified(2))
	s.run(exitOK, "-workers", "2")
	want := s.results()
	rests := map[string]string{} // on which dictionary a method's cells rest
	for _, r := range s.records() {
		learner := strings.TrimSuffix(strings.NewReplacer("-w", "", "-g", "").Replace(r.Method), " + SVM")
		if _, classifies := r.Scores[artifact.Accuracy]; !classifies {
			continue
		}
		of := kept[learner]
		if id := r.Products[0].ID; rests[learner] == "" {
			rests[learner] = id
		} else if rests[learner] != id {
			t.Errorf("%s has a dictionary of its own", r.Method)
		}
		learned := s.dictionaryBlock(r, 0)
		for _, a := range s.cellArrays(of) {
			switch {
			case strings.HasPrefix(a.Name, "cell_") || a.Name == "centers" || a.Name == "assignment":
				continue
			}
			got, err := npz.Find(learned, a.Name)
			if err != nil || !reflect.DeepEqual(*got, a) {
				t.Errorf("%s: %s is not that of the cell of %s: %v", r.Method, a.Name, learner, err)
			}
		}
		if r.Scores[artifact.Objective] != of.Scores[artifact.Objective] || r.Scores[artifact.ChosenAlpha] != 1 ||
			r.Products[0].Convergence != of.Convergence {
			t.Errorf("%s: %v, %+v; the cell of %s has %v, %+v", r.Method, r.Scores, r.Products[0], learner, of.Scores, of.Convergence)
		}
		if a := r.Scores[artifact.Accuracy]; learner == "GDL" && a < 0.7 {
			t.Errorf("%s: accuracy %v", r.Method, a)
		}
	}
	if len(rests) != 3 {
		t.Errorf("dictionaries %v", rests)
	}

	other := newSession(t, classified(2))
	other.run(exitOK, "-workers", "1")
	for name, text := range other.results() {
		if strings.HasPrefix(name, "store") && want[name] != text {
			t.Errorf("%s differs", name)
		}
	}
	other.run(exitOK)
	other.wantErr("8 done already, 0 to compute")
	other.run(exitOK, "-force")
	other.wantErr("0 blocks computed")
}

// TestDistancesOfDictionaries holds what the kernels are made of to gdl and gw.
func TestDistancesOfDictionaries(t *testing.T) {
	t.Parallel()
	s := newSession(t, classified(1))
	s.run(exitOK)
	for _, r := range s.records() {
		if r.Method != "GDL-w" && r.Method != "GDL-g" {
			continue
		}
		arrays := s.dictionaryBlock(r, 0)
		packed, err := npz.Pack(arrays)
		if err != nil {
			t.Fatal(err)
		}
		d, _, err := gdl.ReadNPZ(bytes.NewReader(packed), int64(len(packed)))
		if err != nil {
			t.Fatal(err)
		}
		w, err := npz.Find(arrays, artifact.Weights)
		if err != nil {
			t.Fatal(err)
		}
		n := w.Shape[0]
		row := func(i int) []float64 { return w.Float[i*d.S : (i+1)*d.S] }
		D, scale := make([]float64, n*n), 0.0
		var solver gw.Solver
		for i := range n {
			for j := range n {
				var err error
				if r.Method == "GDL-w" {
					D[i*n+j], err = d.Distance(row(i), row(j))
				} else {
					var x, y *gw.Space
					if x, err = d.Model(row(min(i, j)), nil); err != nil {
						t.Fatal(err)
					}
					if y, err = d.Model(row(max(i, j)), nil); err != nil {
						t.Fatal(err)
					}
					got, e := solver.Solve(t.Context(), x, y, 1, nil, &gw.Settings{TolRel: 1e-9, MaxIter: 200})
					if err = e; i != j && !slices.Equal(row(i), row(j)) {
						D[i*n+j] = got.Value
					}
				}
				if err != nil {
					t.Fatal(err)
				}
				scale = max(scale, D[i*n+j])
			}
		}
		for i := range n { // as Exponential wants them
			for j := range i {
				D[i*n+j] = D[j*n+i]
			}
		}
		kernel, err := nested.Exponential(D, n)
		if err != nil {
			t.Fatal(err)
		}
		classes := make([]int, n)
		for i := range classes {
			classes[i] = i / 12
		}
		split, err := nested.Released(classes, 0, nested.Folds)
		if err != nil {
			t.Fatal(err)
		}
		found, err := nested.Search(t.Context(), kernel, classes, split, &nested.Settings{C: []float64{1, 1000}, Gamma: []float64{0.1, 10}})
		if err != nil {
			t.Fatal(err)
		}
		inner, err := npz.Find(s.cellArrays(r), artifact.InnerCorrect)
		if err != nil || !slices.Equal(inner.Int, found.Numerators) || r.Scores[artifact.Accuracy] != found.Accuracy {
			t.Errorf("%s: inner %v, accuracy %v; from the packages %v, %v (%v)",
				r.Method, inner.Int, r.Scores[artifact.Accuracy], found.Numerators, found.Accuracy, err)
		}
	}
}

// learnable writes a folder of two classes in the TU format: 13 rings with random chords each, whose attributes tell
// classes apart. Graphs that odd says are of another kind.
func learnable(s *session, name string, odd func(graph int) bool) {
	rng := rand.New(rand.NewPCG(3, 4))
	var edges, indicator, labels, attributes strings.Builder
	node := 0
	for g := range 26 {
		n, shift := 5+rng.IntN(3), float64(g%2)
		values := make([]float64, n)
		for i := range values {
			values[i] = shift + rng.NormFloat64()
		}
		chord := rng.IntN(n)
		if odd(g) {
			n, values = 4, []float64{50, -20, 30, 7}
			chord = 0
		}
		for i := range n {
			fmt.Fprintf(&edges, "%d, %d\n%d, %d\n", node+i+1, node+(i+1)%n+1, node+(i+1)%n+1, node+i+1)
			fmt.Fprintf(&indicator, "%d\n", g+1)
			fmt.Fprintf(&attributes, "%v\n", values[i])
		}
		if to := (chord + 2) % n; true {
			fmt.Fprintf(&edges, "%d, %d\n%d, %d\n", node+chord+1, node+to+1, node+to+1, node+chord+1)
		}
		fmt.Fprintf(&labels, "%d\n", g%2)
		node += n
	}
	for ending, text := range map[string]string{"A": edges.String(), "graph_indicator": indicator.String(), "graph_labels": labels.String(),
		"node_attributes": attributes.String()} {
		s.write(filepath.Join(name, filepath.Base(name)+"_"+ending+".txt"), text)
	}
}

// TestTrainedOnTheTrainingPart: with dictionary_on = "train" nothing of the test graphs enters a dictionary; with "all" it does.
func TestTrainedOnTheTrainingPart(t *testing.T) {
	t.Parallel()
	classes := make([]int, 26)
	for i := range classes {
		classes[i] = i % 2
	}
	split, err := nested.Released(classes, 0, nested.Folds)
	if err != nil {
		t.Fatal(err)
	}
	learn := func(on, method string, odd func(int) bool) (r *record.Record, arrays []npz.Array, weights [][]float64) {
		s := newSession(t, fmt.Sprintf("table = \"classification\"\nrepetitions = 1\n[[grid]]\npath = \"LEARN\"\nmethod = %q\ndictionary_on = %q\n"+
			"features = \"attributes\"\nscaling = \"standardise\"\nalphas = [0.3, 0.7]\natoms = 3\nepochs = 2\nbatch = 8\n%s", method, on, fewKernels))
		learnable(s, "LEARN", odd)
		s.run(exitOK)
		r = s.records()[0]
		arrays = s.dictionaryBlock(r, 1)
		w, err := npz.Find(arrays, artifact.Weights)
		if err != nil {
			t.Fatal(err)
		}
		for row := range slices.Chunk(w.Float, 3) {
			if sum := row[0] + row[1] + row[2]; math.Abs(sum-1) > 1e-12 {
				t.Errorf("weights %v", row)
			}
			weights = append(weights, row)
		}
		return r, arrays, weights
	}
	none, tested := func(int) bool { return false }, func(g int) bool { return slices.Contains(split.Test, g) }
	for _, method := range []string{"GDL-w", "GDL-g"} {
		for _, on := range []string{"train", "all"} {
			r, a, w := learn(on, method, none)
			_, b, v := learn(on, method, tested)
			if len(w) != 26 || len(r.Products) < 2 {
				t.Fatalf("%d rows of weights; rests on %v", len(w), r.Products)
			}
			same := true
			for _, name := range []string{"C", "A", "q", "product_objective"} {
				x, err := npz.Find(a, name)
				if err != nil {
					t.Fatal(err)
				}
				y, err := npz.Find(b, name)
				if err != nil {
					t.Fatal(err)
				}
				same = same && slices.Equal(x.Float, y.Float)
			}
			if same != (on == "train") {
				t.Errorf("%s, %s: other test graphs leave the dictionary as it is: %v", method, on, same)
			}
			for i := range w {
				if on == "train" && slices.Equal(w[i], v[i]) != !tested(i) {
					t.Errorf("%s: graph %d has the weights %v, with other test graphs %v", method, i, w[i], v[i])
				}
			}
		}
	}
}

// TestLowestObjectiveChoosesAlpha: of the dictionaries of several alphas the one of the lowest objective is taken, and the record says which.
func TestLowestObjectiveChoosesAlpha(t *testing.T) {
	t.Parallel()
	grid := func(alphas string) string {
		return "table = \"classification\"\nrepetitions = 1\n[[grid]]\npath = \"LEARN\"\nmethod = \"GDL-g\"\nfeatures = \"attributes\"\n" +
			"alphas = " + alphas + "\natoms = 3\nepochs = 2\nbatch = 8\n" + fewKernels
	}
	s := newSession(t, grid("[[0.2], [0.5], [0.9]]"))
	learnable(s, "LEARN", func(int) bool { return false })
	s.run(exitOK)
	var best *record.Record
	for _, r := range s.records() {
		if best == nil || r.Scores[artifact.Objective] < best.Scores[artifact.Objective] {
			best = r
		}
	}
	s.write("grid.toml", grid("[0.2, 0.9, 0.5]"))
	s.run(exitOK)
	for _, r := range s.records() {
		if r.Text("alphas") != "0.2 0.5 0.9" {
			continue
		}
		for _, name := range []string{artifact.Objective, artifact.ChosenAlpha, artifact.InnerNumerator, artifact.Accuracy, artifact.LeastEigenvalue} {
			if r.Scores[name] != best.Scores[name] {
				t.Errorf("%s is %v, of the best of three %v", name, r.Scores[name], best.Scores[name])
			}
		}
		if len(r.Products) != 4 {
			t.Errorf("rests on %v", r.Products)
		}
		return
	}
	t.Error("no cell of three alphas")
}
