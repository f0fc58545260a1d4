package classify_test

import (
	"bytes"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"ogdl/eval/nested"
	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/product"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/egotest"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// d1 is the head of a block on a set of three classes.
func d1(graphs int, method string) string {
	return fmt.Sprintf("[[grid]]\ndataset = \"D1\"\nsbm_graphs = %d\nsbm_order_max = 15\nmethod = %q\n", graphs, method)
}

func head(repetitions int) string {
	return fmt.Sprintf("table = \"classification\"\nrepetitions = %d\n", repetitions)
}

// TestKernels compares records with the arrays beside them.
func TestKernels(t *testing.T) {
	t.Parallel()
	const grid = "C = [1, 100]\ngamma = [0.5, 8]\n"
	cells, _ := exptest.Compute(t, t.TempDir(), head(2)+d1(12, "FGWK")+"representation = [\"adjacency\", \"shortest_path\"]\n"+grid+
		d1(12, "S-GWK")+"starts = 2\nskip = 2\ndistance_scale = [\"max\", \"median\"]\n"+grid+
		d1(12, "GK")+"graphlet_draws = [0, 20]\nfolds = \"drawn\"\nC = [1, 100]\n"+d1(12, "SPK")+"C = [1, 100]\n")
	for _, r := range cells {
		v, n := r.Scores, int(r.Scores[artifact.TestSize])
		predictions, truth, right := r.Arrays[artifact.Predictions].Int, r.Arrays[artifact.Truth].Int, r.Arrays[artifact.InnerCorrect].Int
		Cs, gammas := r.Arrays[artifact.InnerC].Float, r.Arrays[artifact.InnerGamma].Float
		correct := 0
		for k := range truth {
			if truth[k] == predictions[k] {
				correct++
			}
		}
		best := slices.Index(right, slices.Max(right))
		if len(truth) != n || v[artifact.Accuracy] != float64(correct)/float64(n) || !slices.IsSorted(r.Arrays[artifact.TestGraphs].Int) ||
			v[artifact.InnerNumerator] != float64(right[best]) ||
			!(math.Abs(v[artifact.InnerAccuracy]-v[artifact.InnerNumerator]/v[artifact.InnerDenominator]) <= 1e-15) ||
			v[artifact.ChosenC] != Cs[best/len(gammas)] || v[artifact.Fits] != float64(10*len(right)+1) || v[artifact.MajorityAll] != 1./3 {
			t.Errorf("%s: scores %v, %d of %d right, inner %v", r.Method, v, correct, n, right)
		}
		if gamma, ok := v[artifact.ChosenGamma]; ok != (r.Params["gamma"] != nil) || ok && gamma != gammas[best%len(gammas)] {
			t.Errorf("%s: gamma %v of %v", r.Method, gamma, gammas)
		}
		if least := v[artifact.LeastEigenvalue]; r.Params["gamma"] == nil && least < -1e-9 {
			t.Errorf("%s: a least eigenvalue of %v", r.Method, least)
		}
	}
}

// TestOwnKernels: all graph kernels work on a folder of one's own, the ladders of their parameters are one product each, and a value beside the
// ladder has its own.
func TestOwnKernels(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	egotest.WriteRings(t, filepath.Join(dir, "RINGS"), 40, func(k int) int { return k / 3 % 2 }, true)
	text := head(1)
	for _, lines := range []string{`method = "RWK"` + "\nwalk_lambda = [1e-3, 1e-2, 0.2]", `method = "WLK"` + "\ndepth = [1, 9, 11]", `method = "HOPPERK"` + "\nnode_kernel = [\"linear\", \"gaussian\"]",
		`method = "PROPAK"` + "\nt_max = [1, 20]", `method = "SPK"` + "\nnode_labels = [\"if_any\", \"never\"]", `method = "GK"`} {
		text += "[[grid]]\npath = \"RINGS\"\nC = [1, 100]\n" + lines + "\n"
	}
	cells, store := exptest.Compute(t, dir, text)
	products, err := store.Products()
	if err != nil || len(products) != 10 {
		t.Errorf("%d products, %v", len(products), err)
	}
	for _, r := range cells {
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
	cells, _ := exptest.Compute(t, sharedtest.Data(t, "MUTAG"), head(2)+"[[grid]]\ndataset = \"MUTAG\"\nmethod = \"SPK\"\n")
	for _, r := range cells {
		want, v := ref.SPK[r.Repetition], r.Scores
		if want.Seed != r.Repetition || v[artifact.ChosenC] != want.C ||
			!(math.Abs(v[artifact.InnerAccuracy]-want.Inner) <= 1e-12) || !(math.Abs(v[artifact.Accuracy]-want.Test) <= 1e-12) {
			t.Errorf("split %d: C %v, inner %v, test %v; scikit-learn has %v", r.Repetition, v[artifact.ChosenC], v[artifact.InnerAccuracy], v[artifact.Accuracy], want)
		}
	}
}

// TestNetworks holds what GIN-0 reports to its arrays: the epoch is that of the highest mean accuracy of ten folds, the same for all of them, or that
// of the highest inner accuracy of each; the folds are a partition; accuracies are those at the epoch.
func TestNetworks(t *testing.T) {
	t.Parallel()
	cells, _ := exptest.Compute(t, t.TempDir(), head(11)+d1(13, "GIN-0")+"hidden = 6\nlayers = 2\nepochs = 12\nbatch = 16\nepoch_chosen_on = [\"test\", \"train_tenth\"]\n")
	printed := map[int]exptest.Computed{}
	for _, r := range cells {
		right, epoch := r.Arrays[artifact.RightByEpoch].Int, int(r.Scores[artifact.Epoch])
		must.Within(t, r.Scores[artifact.Accuracy]*r.Scores[artifact.TestSize], float64(right[epoch-1]), 1e-9, "%v: right at epoch %d", r.Params, epoch)
		if len(r.EpochLoss) != 12 || !(r.EpochLoss[11] < r.EpochLoss[0]) {
			t.Errorf("losses %v", r.EpochLoss)
		}
		if r.Params["epoch_chosen_on"] == "test" {
			printed[r.Repetition] = r
			if _, ok := r.Scores[artifact.InnerAccuracy]; ok {
				t.Error("an inner accuracy where nothing is held out")
			}
			continue
		}
		inner := r.Arrays[artifact.InnerByEpoch].Int
		if most := slices.Max(inner); epoch != 1+slices.Index(inner, most) || r.Scores[artifact.InnerNumerator] != float64(most) {
			t.Errorf("epoch %d of %v", epoch, inner)
		}
		if got := r.Scores[artifact.InnerDenominator]; got != 4 && got != 3 {
			t.Errorf("%v graphs held out of about 35", got)
		}
	}
	var tested []int
	means := make([]*big.Rat, 12)
	for f := range 10 {
		tests := printed[f].Arrays[artifact.TestGraphs].Int
		tested = append(tested, tests...)
		for e, n := range printed[f].Arrays[artifact.RightByEpoch].Int {
			if means[e] == nil {
				means[e] = new(big.Rat)
			}
			means[e].Add(means[e], big.NewRat(int64(n), int64(len(tests))))
		}
	}
	best := 0
	for e, m := range means {
		if m.Cmp(means[best]) > 0 {
			best = e
		}
	}
	for f := range 10 {
		if got := printed[f].Scores[artifact.Epoch]; got != float64(best+1) {
			t.Errorf("fold %d: epoch %v, the highest mean is that of %d: %v", f, got, best+1, means)
		}
	}
	slices.Sort(tested)
	if len(tested) != 39 || len(slices.Compact(tested)) != 39 {
		t.Errorf("%d graphs are tested, expected each of 39 once", len(tested))
	}
	if slices.Equal(printed[0].Arrays[artifact.TestGraphs].Int, printed[10].Arrays[artifact.TestGraphs].Int) {
		t.Error("repetition 10 has the fold of repetition 0")
	}
}

const fewKernels = "C = [1, 1000]\ngamma = [0.1, 10]\n"

// learning is a block that learns dictionaries.
func learning(method, lines string) string {
	return d1(12, method) + "epochs = 2\nbatch = 8\natoms = 3\n" + lines
}

// classified is a grid of all methods that take dictionaries, of repetition 1 of the clustering tables.
func classified() (text string) {
	for _, m := range []string{"GDL-w", "GDL-g", "GWF-r + SVM", "GWF-f + SVM"} {
		lines := fewKernels + "dictionary_repetition = 1\n"
		if strings.HasPrefix(m, "GWF") {
			lines += "prox_gamma = 0.1\n"
		}
		text += learning(m, lines)
	}
	return text
}

// dictionaryOf reads the arrays of a dictionary that a cell rests on.
func dictionaryOf(t *testing.T, store *record.Store, r exptest.Computed, at int) []npz.Array {
	t.Helper()
	if u := r.Products[at]; u.Kind != product.KindDictionary || u.Convergence.Solves == 0 {
		t.Fatalf("%s rests on %+v", r.Method, u)
	}
	arrays, err := store.Block(r.Products[at].ID, 0)
	if arrays == nil {
		t.Fatal(err)
	}
	return arrays
}

// TestDictionariesAreThoseOfClustering: what classification takes is, bit for bit, what the cells of clustering tables keep, and is computed once
// for all splits.
func TestDictionariesAreThoseOfClustering(t *testing.T) {
	t.Parallel()
	clustering := "table = \"clustering\"\nrepetitions = 2\n" + learning("GDL", "kmeans_restarts = 2\n")
	for _, m := range []string{"GWF-r", "GWF-f"} {
		clustering += learning(m, "kmeans_restarts = 2\ngamma = 0.1\n")
	}
	kept := map[string]exptest.Computed{}
	cells, _ := exptest.Compute(t, t.TempDir(), clustering)
	for _, r := range cells {
		if r.Repetition == 1 {
			kept[r.Method] = r
		}
	}
	cells, store := exptest.Compute(t, t.TempDir(), head(2)+classified())
	rests := map[string]string{} // on which dictionary a method's cells rest
	for _, r := range cells {
		learner := strings.TrimSuffix(strings.NewReplacer("-w", "", "-g", "").Replace(r.Method), " + SVM")
		of := kept[learner]
		if id := r.Products[0].ID; rests[learner] == "" {
			rests[learner] = id
		} else {
			must.Check(t, rests[learner], id, "the dictionary of %s", r.Method)
		}
		learned := dictionaryOf(t, store, r, 0)
		for name, a := range of.Arrays {
			if strings.HasPrefix(name, "cell_") || name == artifact.Centers || name == artifact.Assignment {
				continue
			}
			if got, err := npz.Find(learned, name); err != nil || !reflect.DeepEqual(*got, a) {
				t.Errorf("%s: %s is not that of the cell of %s: %v", r.Method, name, learner, err)
			}
		}
		if r.Scores[artifact.Objective] != of.Scores[artifact.Objective] || r.Scores[artifact.ChosenAlpha] != 1 || r.Products[0].Convergence != of.Convergence {
			t.Errorf("%s: %v, %+v; the cell of %s has %v, %+v", r.Method, r.Scores, r.Products[0], learner, of.Scores, of.Convergence)
		}
		if a := r.Scores[artifact.Accuracy]; learner == "GDL" && a < 0.7 {
			t.Errorf("%s: accuracy %v", r.Method, a)
		}
	}
	must.Check(t, len(rests), 3, "count of dictionaries %v", rests)
	for _, r := range cells {
		if r.Repetition == 0 && (r.Method == "GDL-w" || r.Method == "GDL-g") {
			holdKernel(t, store, r)
		}
	}
}

// holdKernel holds what the kernel of a cell is made of to gdl and gw.
func holdKernel(t *testing.T, store *record.Store, r exptest.Computed) {
	t.Helper()
	arrays := dictionaryOf(t, store, r, 0)
	packed := must.Get(npz.Pack(arrays))
	d := must.First(gdl.ReadNPZ(bytes.NewReader(packed), int64(len(packed))))
	w := must.Get(npz.Find(arrays, artifact.Weights))
	n := w.Shape[0]
	row := func(i int) []float64 { return w.Float[i*d.S : (i+1)*d.S] }
	distance := func(i, j int) float64 {
		if r.Method == "GDL-w" {
			return must.Get(d.Distance(row(i), row(j)))
		}
		if slices.Equal(row(i), row(j)) {
			return 0
		}
		var models [2]*gw.Space
		for side, k := range []int{j, i} {
			models[side] = must.Get(d.Model(row(k), nil))
		}
		return must.Get(gw.SolveSpaces(t.Context(), models[0], models[1], 1, &gw.Settings{TolRel: 1e-9, MaxIter: 200})).Value
	}
	D := make([]float64, n*n)
	for i := range n {
		for j := range i {
			D[i*n+j] = distance(i, j)
			D[j*n+i] = D[i*n+j]
		}
	}
	kernel := must.Get(nested.Exponential(D, n))
	classes := make([]int, n)
	for i := range classes {
		classes[i] = i / 12
	}
	split := must.Get(nested.Released(classes, 0, nested.Folds))
	set := &nested.Settings{C: []float64{1, 1000}, Gamma: []float64{0.1, 10}}
	found := must.Get(nested.Search(t.Context(), kernel, classes, split, set))
	if inner := r.Arrays[artifact.InnerCorrect].Int; !slices.Equal(inner, found.Numerators) || r.Scores[artifact.Accuracy] != found.Accuracy {
		t.Errorf("%s: inner %v, accuracy %v; from the packages %v, %v", r.Method, inner, r.Scores[artifact.Accuracy], found.Numerators, found.Accuracy)
	}
}

// learnable writes a folder of two classes in the TU format: 13 rings with a random chord each, whose attributes tell
// classes apart. Graphs that odd says are of another kind.
func learnable(t *testing.T, odd func(graph int) bool) (dir string) {
	dir = t.TempDir()
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
			n, values, chord = 4, []float64{50, -20, 30, 7}, 0
		}
		edge := func(i, j int) {
			fmt.Fprintf(&edges, "%d, %d\n%d, %d\n", node+i+1, node+j+1, node+j+1, node+i+1)
		}
		for i := range n {
			edge(i, (i+1)%n)
			fmt.Fprintf(&indicator, "%d\n", g+1)
			fmt.Fprintf(&attributes, "%v\n", values[i])
		}
		edge(chord, (chord+2)%n)
		fmt.Fprintf(&labels, "%d\n", g%2)
		node += n
	}
	egotest.WriteFiles(t, filepath.Join(dir, "LEARN"), map[string]string{"_A.txt": edges.String(), "_graph_indicator.txt": indicator.String(),
		"_graph_labels.txt": labels.String(), "_node_attributes.txt": attributes.String()})
	return dir
}

const learnableHead = "[[grid]]\npath = \"LEARN\"\nfeatures = \"attributes\"\natoms = 3\nepochs = 2\nbatch = 8\n" + fewKernels

// TestTrainedOnTheTrainingPart: with dictionary_on = "train" nothing of the test graphs enters a dictionary; with "all" it does.
func TestTrainedOnTheTrainingPart(t *testing.T) {
	t.Parallel()
	classes := make([]int, 26)
	for i := range classes {
		classes[i] = i % 2
	}
	split := must.Get(nested.Released(classes, 0, nested.Folds))
	tested := func(g int) bool { return slices.Contains(split.Test, g) }
	folders := []string{learnable(t, func(int) bool { return false }), learnable(t, tested)}
	for _, method := range []string{"GDL-w", "GDL-g"} {
		for _, on := range []string{"train", "all"} {
			var learned [2][]npz.Array
			var weights [2][]float64
			for i, dir := range folders {
				cells, store := exptest.Compute(t, dir, fmt.Sprintf("%s%smethod = %q\ndictionary_on = %q\nscaling = \"standardise\"\nalphas = [0.3, 0.7]\n",
					head(1), learnableHead, method, on))
				learned[i] = dictionaryOf(t, store, cells[0], 1)
				w, err := npz.Find(learned[i], artifact.Weights)
				if err != nil || w.Shape[0] != 26 {
					t.Fatal(w, err)
				}
				weights[i] = w.Float
			}
			same := true
			for _, name := range []string{"C", "A", "q", "product_objective"} {
				x := must.Get(npz.Find(learned[0], name))
				y := must.Get(npz.Find(learned[1], name))
				same = same && slices.Equal(x.Float, y.Float)
			}
			must.Check(t, same, on == "train", "%s, %s: the dictionary stays with other test graphs", method, on)
			for i := range 26 {
				if alike := slices.Equal(weights[0][3*i:3*i+3], weights[1][3*i:3*i+3]); on == "train" && alike != !tested(i) {
					t.Errorf("%s: the weights of graph %d are the same with other test graphs: %v", method, i, alike)
				}
			}
		}
	}
}

// TestLowestObjectiveChoosesAlpha: of the dictionaries of several alphas the one of the lowest objective is taken, and the record says which.
func TestLowestObjectiveChoosesAlpha(t *testing.T) {
	t.Parallel()
	dir := learnable(t, func(int) bool { return false })
	of := func(alphas string) []exptest.Computed {
		cells, _ := exptest.Compute(t, dir, head(1)+learnableHead+"method = \"GDL-g\"\nalphas = "+alphas+"\n")
		return cells
	}
	best := slices.MinFunc(of("[[0.2], [0.5], [0.9]]"), func(a, b exptest.Computed) int {
		return int(math.Copysign(1, a.Scores[artifact.Objective]-b.Scores[artifact.Objective]))
	})
	r := of("[0.2, 0.9, 0.5]")[0]
	for _, name := range []string{artifact.Objective, artifact.ChosenAlpha, artifact.InnerNumerator, artifact.Accuracy, artifact.LeastEigenvalue} {
		must.Check(t, r.Scores[name], best.Scores[name], "%s, and of the best of three", name)
	}
	if r.Params["alphas"] != "0.2 0.5 0.9" || len(r.Products) != 4 {
		t.Errorf("alphas %s, rests on %v", r.Params["alphas"], r.Products)
	}
}
