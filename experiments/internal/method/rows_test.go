package method_test

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/gdl"
	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/ot/gw"
)

// computed computes a configuration of one repetition, with these blocks on D1.
func computed(t *testing.T, table string, blocks ...string) []exptest.Computed {
	t.Helper()
	config := "table = \"" + table + "\"\nrepetitions = 1\n"
	for _, b := range blocks {
		config += exptest.D1(b)
	}
	cells, _ := exptest.Compute(t, t.TempDir(), config)
	return cells
}

// scored wants a grouping of all graphs into at most three clusters, and these scores.
func scored(t *testing.T, cells []exptest.Computed, scores ...string) {
	t.Helper()
	for _, r := range cells {
		if len(r.Assignment) != 12 || r.Convergence.Solves == 0 || slices.Max(r.Assignment) > 2 {
			t.Fatalf("%s: clusters %v, %+v", r.Method, r.Assignment, r.Convergence)
		}
		for _, name := range append(scores, "ri", "ari", "objective", "inertia") {
			if _, ok := r.Scores[name]; !ok {
				t.Errorf("%s: no score %s in %v", r.Method, name, r.Scores)
			}
		}
	}
}

// onSimplex wants rows of non-negative numbers that sum to 1.
func onSimplex(t *testing.T, a npz.Array) {
	t.Helper()
	for row := range slices.Chunk(a.Float, a.Shape[1]) {
		sum := 0.0
		for _, x := range row {
			sum += x
		}
		if slices.Min(row) < 0 || !(math.Abs(sum-1) <= 1e-9) {
			t.Fatalf("%s: a row %v", a.Name, row)
		}
	}
}

// TestRivals: what GWF-r, GWF-f and GW-k hand back.
func TestRivals(t *testing.T) {
	t.Parallel()
	gwf := "atoms = 3\nepochs = 2\nprox_steps = 5\nkmeans_restarts = 3\n"
	cells := computed(t, "clustering", "method = \"GWF-r\"\nweights = [\"before\", \"after\"]\n"+gwf,
		"method = \"GWF-f\"\norder = 5\nkeep = \"last\"\nembedding = [\"trained\", \"fresh\"]\n"+gwf, "method = \"GW-k\"\norder = 6\ngwk_restarts = [1, 3]\n")
	scored(t, cells)
	inertia, learned := map[string]float64{}, map[string][]float64{}
	for _, r := range cells {
		if r.Method == "GW-k" {
			// One run is the first of three, whose best is kept.
			inertia[fmt.Sprint(r.Params["gwk_restarts"])] = r.Scores["inertia"]
			if got := r.Scores["objective"] * 12; !(math.Abs(got-r.Scores["inertia"]) <= 1e-12) ||
				r.Arrays["centroid0_C"].Shape[0] != 6 {
				t.Errorf("GW-k: mean objective x 12 = %v, inertia %v, centroids of order %v", got, r.Scores["inertia"], r.Arrays["centroid0_C"].Shape)
			}
			continue
		}
		onSimplex(t, r.Arrays[artifact.Weights])
		learned[fmt.Sprint(r.Params["embedding"])] = r.Arrays[artifact.Weights].Float
		// Centres of points on the simplex lie on it.
		centers, sum := r.Arrays[artifact.Centers], 0.0
		for _, x := range centers.Float {
			sum += x
		}
		simplex := math.Abs(sum-float64(centers.Shape[0])) < 1e-9
		if simplex != (r.Params["weights"] == "after") || len(r.EpochLoss) != 2 {
			t.Errorf("weights %s the softmax: centres %v; losses %v", r.Params["weights"], centers.Float, r.EpochLoss)
		}
	}
	if slices.Equal(learned["trained"], learned["fresh"]) {
		t.Error("weights found afresh are those learned with the atoms")
	}
	if one, three := inertia["1"], inertia["3"]; three > one {
		t.Errorf("inertia %v of three runs, %v of one", three, one)
	}
}

// TestEmbeddedGraphs: GW k-means clusters the embedded graphs of GDL, GDL_h and GWF, whose graphs keep their orders.
func TestEmbeddedGraphs(t *testing.T) {
	t.Parallel()
	fit := "atoms = 3\norder = 5\ninit = \"random\"\nepochs = 2\nbatch = 4\n"
	gwf := "atoms = 3\nepochs = 1\nprox_steps = 5\ncluster_by = \"gw_kmeans\"\n"
	cells := computed(t, "clustering_gw_kmeans", "method = \"GDL\"\ncluster_by = \"gw_kmeans\"\nlambda = [0, 0.01]\n"+fit,
		"method = \"GDL_h\"\nlambda = [0, 0.01]\ncentroid_weights = \"mean\"\n"+fit, "method = \"GWF-r\"\n"+gwf, "method = \"GWF-f\"\norder = 5\n"+gwf)
	scored(t, cells, "mean_max_weight", "loss_last")
	for _, r := range cells {
		onSimplex(t, r.Arrays[artifact.Weights])
		if _, ok := r.Arrays[artifact.Centers]; ok || r.Params["kmeans_restarts"] != nil {
			t.Errorf("%s: k-means beside GW k-means", r.Method)
		}
		p := r.Arrays["centroid0_p"].Float
		if strings.HasPrefix(r.Method, "GWF") {
			// The median of 10 and 15, whichever order the atoms have.
			if _, ok := r.Scores["max_marginal_error"]; !ok || len(p) < 10 || len(p) > 15 {
				t.Errorf("%s: centroids of order %d, scores %v", r.Method, len(p), r.Scores)
			}
			continue
		}
		uniform := slices.ContainsFunc(p, func(x float64) bool { return math.Abs(x-0.2) > 1e-12 })
		if _, ok := r.Scores["reconstruction"]; !ok || len(p) != 5 || uniform != (r.Method == "GDL_h") {
			t.Errorf("%s: centroid's weights %v", r.Method, p)
		}
		if r.Method == "GDL_h" {
			onSimplex(t, r.Arrays[artifact.NodeWeights])
		}
	}
}

// TestEveryKeyReachesItsMethod: keys that the other tests leave at their defaults change what is learned or how long it takes.
func TestEveryKeyReachesItsMethod(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	t.Parallel()
	for _, c := range []struct{ table, method, keys string }{
		{"clustering_gw_kmeans", "GDL_h", "mu = [0, 0.1]"},
		{"clustering_gw_kmeans", "GDL_h", "step_weights = [0.001, 0.1]"},
		{"clustering_gw_kmeans", "GDL_h", "step_structure = [0.01, 0.1]"},
		{"clustering_gw_kmeans", "GDL_h", "optimizer = [\"adam\", \"sgd\"]"},
		{"clustering_gw_kmeans", "GDL_h", "unmix_tol = [1e-1, 1e-6]"},
		{"runtimes", "GDL-time", "time_precision = [1e-1, 1e-6]"},
		{"runtimes", "GWF-time", "time_precision = [0.5, 1e-6]"},
		{"clustering", "GWF-r", "gamma = [0.1, 1]"},
		{"clustering", "GWF-r", "step_weights = [0.01, 0.5]"},
		{"clustering", "GWF-r", "step_structure = [0.01, 0.5]"},
		{"clustering", "GWF-r", "weights_adam = \"visited\"\nweight_steps = [1, 3]"},
		{"clustering", "GWF-r", "prox_sweeps = [1, 5]"},
		{"clustering", "GWF-r", "barycentre = [\"one_step\", \"full\"]"},
		{"clustering", "GWF-r", "positive = [\"relu\", \"sigmoid\"]"},
		{"clustering", "GWF-r", "warm = [false, true]"},
		{"clustering", "GWF-r", "batch = [2, 16]"},
		{"clustering", "GW-k", "gwk_restarts = [1, 3]"},
		{"clustering", "GW-k", "order = 4\ngwk_restarts = 20\ngwk_iterations = [1, 100]"},
		{"clustering", "GW-k", "order = 4\ngwk_restarts = 20\ngwk_tol = [0.5, 1e-9]"},
		{"clustering", "GW-k", "gwk_gw_iterations = [1, 100]"},
		{"clustering", "GW-k", "gwk_gw_tol_rel = [0.5, 1e-9]"},
		{"clustering", "GW-k", "barycentre_rounds = [1, 100]"},
		{"clustering", "GW-k", "barycentre_tol = [0.5, 1e-9]"},
	} {
		fit := "method = \"" + c.method + "\"\n"
		if c.method != "GW-k" {
			fit += "atoms = 3\nepochs = 2\n"
		}
		if strings.HasPrefix(c.method, "GDL") {
			fit += "order = 5\ninit = \"random\"\n"
		}
		cells := computed(t, c.table, fit+c.keys+"\n")
		if a, b := cells[0], cells[1]; a.Scores["objective"] == b.Scores["objective"] && a.Convergence == b.Convergence {
			t.Errorf("%s, %s: objective %v and %+v either way", c.method, c.keys, a.Scores["objective"], a.Convergence)
		}
	}
}

// TestDistances measures all pairs of 12 graphs three times.
func TestDistances(t *testing.T) {
	t.Parallel()
	cells := computed(t, "figure_distances", "method = \"GDL-distances\"\natoms = 3\norder = 4\ninit = \"random\"\nepochs = 2\nlambda = [0, 0.01]\n")
	for _, r := range cells {
		const pairs = 12 * 11 / 2
		if r.Assignment != nil || len(r.Products) != 1 || r.Products[0].Convergence.Solves != pairs {
			t.Errorf("clusters %v, products %+v", r.Assignment, r.Products)
		}
		graphs, models, embeddings := r.Arrays[artifact.DistancesGraphs].Float, r.Arrays[artifact.DistancesModels].Float, r.Arrays[artifact.DistancesEmbeddings].Float
		if len(graphs) != pairs || len(models) != pairs || len(embeddings) != pairs {
			t.Fatalf("%d, %d and %d distances, want %d of each", len(graphs), len(models), len(embeddings), pairs)
		}
		// The dictionary and the weights of the same file say what the embeddings' distances are.
		c, w := r.Arrays["C"].Float, r.Arrays[artifact.Weights].Float
		d := &gdl.Dictionary{S: 3, N: 4, Alpha: 1, C: [][]float64{c[:16], c[16:32], c[32:]}, Q: r.Arrays["q"].Float}
		for p, i := 0, 0; i < 12; i++ {
			for j := i + 1; j < 12; j++ {
				if want, err := d.Distance(w[3*i:3*i+3], w[3*j:3*j+3]); err != nil || !(math.Abs(embeddings[p]-want) <= 1e-9) ||
					models[p] > embeddings[p]+1e-9 {
					t.Fatalf("%d and %d: embeddings %v apart, want %v (%v); models %v apart", i, j, embeddings[p], want, err, models[p])
				}
				p++
			}
		}
		must.Same(t, r.Arrays["classes"].Int, []int{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}, "classes")
		for _, q := range artifact.DistancePairs() {
			for _, name := range []string{"pearson", "spearman", "pearson_within", "pearson_between"} {
				if v, ok := r.Scores[q.Score(name)]; !ok || v < -1 || v > 1 {
					t.Errorf("%s is %v, %v", q.Score(name), v, ok)
				}
			}
		}
		if r.Scores["bound_violations"] != 0 || !(r.Scores["bound_attained"] >= 0 && r.Scores["bound_attained"] <= 1) {
			t.Errorf("scores of the bound: %v", r.Scores)
		}
	}
	// Both lambdas rest on one matrix of the graphs' distances.
	must.Check(t, cells[0].Products[0].ID, cells[1].Products[0].ID, "products")
}

// TestSpectral: distances tell the three kinds of graphs of D1 apart, and their matrix is computed once for all cells.
func TestSpectral(t *testing.T) {
	t.Parallel()
	cells, store := exptest.Compute(t, t.TempDir(), exptest.Sc)
	shared := 0.0
	for _, r := range cells {
		shared += r.Timing.ProductSeconds
		if len(r.Assignment) != 15 || len(r.Products) != 1 || r.Products[0].ID != cells[0].Products[0].ID {
			t.Fatalf("record %+v", r.Record)
		}
		if c := r.Products[0].Convergence; c.Solves != 15*14/2 || c.Iterations < c.Solves || r.Convergence != (record.Convergence{}) {
			t.Errorf("convergence %+v, own %+v", c, r.Convergence)
		}
		if gamma, _ := r.Number("gamma"); gamma == 16 && r.Scores["ri"] < 0.9 {
			t.Errorf("%s: Rand Index %v", r.Params["labels"], r.Scores["ri"])
		}
		if g, cut := r.Scores["eigengap"], r.Scores["ncut"]; !(g > 0 && g < 1) || !(cut > 0 && cut < 2) {
			t.Errorf("eigengap %v, cut %v", g, cut)
		}
		if _, has := r.Params["kmeans_restarts"]; has != (r.Params["labels"] == "kmeans") {
			t.Errorf("%s: kmeans_restarts %v", r.Params["labels"], r.Params["kmeans_restarts"])
		}
	}
	head, err := store.Product(cells[0].Products[0].ID)
	if err != nil || head.Kind != "gw_distances" || head.Content["digest"] != cells[0].Digest {
		t.Errorf("head %+v, %v", head, err)
	}
	if seconds, _, timed := store.ProductCost(head); timed != head.Blocks || seconds <= 0 || shared < seconds {
		t.Errorf("%d of %d blocks took %v s, cells spent %v s on them", timed, head.Blocks, seconds, shared)
	}
}

// TestSpectralNumbersOfClusters: cells on one matrix and gamma have eigenvectors of their own number, and those of one gamma none of another's.
func TestSpectralNumbersOfClusters(t *testing.T) {
	t.Parallel()
	second := map[float64]bool{}
	for _, r := range computed(t, "clustering", "method = \"SC\"\nclusters = [2, 3, 4]\ngamma = [1, 4]\nkmeans_restarts = 2\n") {
		k, _ := r.Number("clusters")
		values := r.Arrays["eigenvalues"].Float
		if n := len(values); n != int(k)+1 || values[n-1]-values[n-2] != r.Scores["eigengap"] {
			t.Errorf("%v clusters: eigenvalues %v, eigengap %v", k, values, r.Scores["eigengap"])
		}
		second[values[1]] = true
	}
	must.Check(t, len(second), 2, "second eigenvalues under two gammas")
}

// TestDistancesIdentity: what decides the distances tells matrices apart, in the store and in a run; what only decides how they are clustered does not.
func TestDistancesIdentity(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	identify := func(lines string) (id, key string) {
		t.Helper()
		folder := "OWN"
		if lines == "other data" {
			folder, lines = "OTHER", ""
		}
		for _, base := range []string{"features = \"attributes\"\n", "alpha = 0.5\n"} {
			if name, _, _ := strings.Cut(base, " "); !strings.Contains(lines, name) {
				lines += base
			}
		}
		c := exptest.Parse(t, fmt.Sprintf("table = \"clustering\"\n[[grid]]\npath = %q\nmethod = \"SC\"\n%s", filepath.Join(dir, folder), lines)).Cells()[0]
		p := c.Products()[0]
		return record.NewProduct(p.Kind, p.Content, 1).ID, p.Key()
	}
	id, key := identify("")
	for _, same := range []string{"gamma = 2\n", "labels = \"discretise\"\n", "clusters = 2\n", "kmeans_restarts = 3\n"} {
		if x, y := identify(same); x != id || y != key {
			t.Errorf("%sanother matrix", same)
		}
	}
	seen := map[string]string{id: "the base", key: "the base"}
	for _, other := range []string{
		"other data", "alpha = 0.6\n", "gw_tol_rel = 1e-8\n", "gw_tol_abs = 1e-8\n", "gw_iterations = 100\n",
		"features = \"labels\"\n", "scaling = \"standardise\"\n", "representation = \"shortest_path\"\n",
		"representation = \"shortest_path\"\nunreachable = \"max_plus_one\"\n", "representation = \"heat_kernel\"\n",
		"representation = \"heat_kernel\"\nheat_time = 2\n", "node_weights = \"power\"\n",
		"node_weights = \"power\"\nweight_a = 1\n", "node_weights = \"power\"\nweight_b = 0.5\n",
	} {
		x, y := identify(other)
		if seen[x]+seen[y] != "" {
			t.Errorf("%q has the matrix of %q in the store, of %q in a run", other, seen[x], seen[y])
		}
		seen[x], seen[y] = other, other
	}
}

// TestTimes: GDL-time and GWF-time time the embedding of single graphs, and have no parameters of what they leave out.
func TestTimes(t *testing.T) {
	t.Parallel()
	fit := "atoms = 3\nepochs = 1\ntime_graphs = 5\n"
	for _, r := range computed(t, "runtimes", "method = \"GDL-time\"\norder = 5\ninit = \"random\"\nbatch = 4\n"+fit,
		"method = \"GWF-time\"\nprox_steps = 5\ninit = [\"random\", \"fixed\"]\n"+fit) {
		e := r.Timing.Embed
		if e == nil || e.Graphs != 5 || r.Scores["graphs_timed"] != 5 || !(e.MeanMS > 0) || !(e.MedianMS > 0) || e.P90MS < e.MedianMS {
			t.Errorf("%s: %+v", r.Method, e)
		}
		if r.Assignment != nil || r.Scores["objective"] <= 0 || r.Convergence.Solves == 0 {
			t.Errorf("%s: clusters %v, scores %v, %+v", r.Method, r.Assignment, r.Scores, r.Convergence)
		}
		for _, name := range []string{"weights", "embedding", "clusters", "kmeans_restarts"} {
			if _, ok := r.Params[name]; ok {
				t.Errorf("%s has the parameter %s, which nothing looks at", r.Method, name)
			}
		}
	}
}

// TestOnline: streams hand back what their figure and table need. The second has batches that segments do not fill, and takes held-out losses
// between their ends.
func TestOnline(t *testing.T) {
	t.Parallel()
	cells, _ := exptest.Compute(t, t.TempDir(), exptest.Streams)
	for _, r := range cells {
		batch, _ := r.Number("batch")
		each := int(math.Ceil(600 / batch))
		if len(r.Digest) != 64 || r.Scores["steps"] != float64(3*each) || r.Scores["graphs"] != 1800 || r.Convergence.Solves < 1800 {
			t.Fatalf("record %+v", r.Record)
		}
		a := r.Arrays
		ends := a["segment_ends"].Int
		if !slices.Equal(ends, []int{each, 2 * each, 3 * each}) || !slices.Equal(a["segment_labels"].Text, []string{"4, 5, 6, 7", "8, 9, 10", "1, 2, 3"}) {
			t.Errorf("ends %v of %v", ends, a["segment_labels"].Text)
		}
		var looks []int
		for step := 0; step <= 3*each; step++ {
			if step%70 == 0 || slices.Contains(ends, step) {
				looks = append(looks, step)
			}
		}
		held := a["held_out_loss"]
		if !slices.Equal(a["held_out_step"].Int, looks) || !slices.Equal(held.Shape, []int{len(looks), 3}) {
			t.Errorf("held-out losses %v at %v", held.Shape, a["held_out_step"].Int)
		}
		if got, want := r.Scores["held_out_B_after_C"], held.Float[len(held.Float)-2]; got != want {
			t.Errorf("held-out loss of B at the end %v, want %v", got, want)
		}
		if got, want := r.Scores["held_out_C_start"], held.Float[2]; got != want || !(want > r.Scores["held_out_C_after_C"]) {
			t.Errorf("held-out loss of C at the start %v, want %v, above that at the end", got, want)
		}
		mean := 0.0
		for k, loss := range a["stream_loss"].Float {
			mean += (loss - mean) / float64(min(k+1, 50))
			must.Equal(t, a["stream_mean"].Float[k], mean, "running mean at step %d", k+1)
		}
		if n := len(a["alarm_step"].Int); n == 0 || float64(n) != r.Scores["alarms"] || a["alarm_step"].Int[0] <= 30 || !slices.Equal(a["C"].Shape, []int{2, 6, 6}) {
			t.Errorf("alarms at %v, a dictionary of shape %v", a["alarm_step"].Int, a["C"].Shape)
		}
	}
}

// TestKeepGraphs finds the first graphs of every class in the arrays, with models between which and the graphs the stored objective can be
// attained, and no other change.
func TestKeepGraphs(t *testing.T) {
	t.Parallel()
	for _, learner := range []string{"GDL", "GDL_h"} {
		block := "method = \"" + learner + "\"\natoms = 2\norder = 4\ninit = \"random\"\nepochs = 1\ncluster_by = \"gw_kmeans\"\n"
		before := computed(t, "clustering_gw_kmeans", block)[0].Arrays
		after := computed(t, "clustering_gw_kmeans", block+"keep_graphs = 2\n")[0].Arrays
		for name, a := range before {
			b := after[name]
			if name != artifact.Params && !(slices.Equal(a.Shape, b.Shape) && slices.Equal(a.Float, b.Float) && slices.Equal(a.Int, b.Int) && slices.Equal(a.Text, b.Text)) {
				t.Errorf("array %s changed", name)
			}
		}
		if want := []int{0, 1, 4, 5, 8, 9}; !slices.Equal(after["kept_graph"].Int, want) || !slices.Equal(after["kept_class"].Int, []int{0, 0, 1, 1, 2, 2}) {
			t.Fatalf("kept %v of the classes %v, want %v", after["kept_graph"].Int, after["kept_class"].Int, want)
		}
		c, p := after["kept_C"].Float, after["kept_p"].Float
		space := func(c []float64, n int, p []float64) *gw.Space {
			return must.Get(gw.NewSpace(c, nil, n, 0, p))
		}
		for k, n := range after["kept_order"].Int {
			graph := space(c[:n*n], n, p[:n])
			c, p = c[n*n:], p[n:]
			model := space(after[artifact.KeptModel].Float[k*16:(k+1)*16], 4, after["kept_model_h"].Float[k*4:(k+1)*4])
			r := must.Get(gw.SolveSpaces(t.Context(), graph, model, 1, nil))
			// Both are local minima; the graphs are small enough for the same one, or nearly so.
			if got := after["kept_reconstruction"].Float[k]; !(math.Abs(got-r.Value) <= 0.2*r.Value) {
				t.Errorf("graph %d: objective %v in the store, %v solved afresh", k, got, r.Value)
			}
		}
		if len(c)+len(p) > 0 {
			t.Errorf("%d + %d numbers are left", len(c), len(p))
		}
	}
}

// TestKeepAboutAll: with any graph kept, orders, classes and errors of all are there, and of D2, whose blocks vary, their proportions.
func TestKeepAboutAll(t *testing.T) {
	t.Parallel()
	cells, _ := exptest.Compute(t, t.TempDir(), "table = \"clustering\"\nrepetitions = 1\n[[grid]]\ndataset = [\"D1\", \"D2\"]\nsbm_graphs = 7\n"+
		"sbm_order_max = 20\nmethod = \"GDL\"\natoms = 2\norder = 6\ninit = \"random\"\nepochs = 1\nkeep_graphs = 2\n")
	for _, r := range cells {
		a := r.Arrays
		orders, errs, shares, classes := a[artifact.DataOrder].Int, a["data_reconstruction"].Float, a["data_block_proportion"].Float, a["data_class"].Int
		mean := 0.0
		for _, e := range errs {
			mean += e / float64(len(errs))
		}
		if len(orders) != len(errs) || !(math.Abs(mean-r.Scores["reconstruction"]) <= 1e-12) {
			t.Errorf("%s: %d orders, %d errors of mean %v, want %v", r.Dataset, len(orders), len(errs), mean, r.Scores["reconstruction"])
		}
		if r.Dataset == "D1" {
			if want := slices.Repeat([]int{0, 1, 2}, 7); !slices.Equal(classes, slices.Sorted(slices.Values(want))) || shares != nil {
				t.Errorf("D1: classes %v, proportions %v", classes, shares)
			}
			continue
		}
		if len(shares) != 7 || len(orders) != 7 || classes != nil {
			t.Fatalf("D2: %d proportions of %d graphs, classes %v", len(shares), len(orders), classes)
		}
		for i, share := range shares {
			nodes := share * float64(orders[i])
			if !(share > 0 && share <= 0.5) || !(math.Abs(nodes-math.Round(nodes)) <= 1e-9) {
				t.Errorf("graph %d: a first block of %v of %d nodes", i, share, orders[i])
			}
		}
	}
}

// TestDistanceOfKMeans: k-means of the same weights in GDL's own distance, in the Euclidean one and in the Euclidean one of scaled weights. Each
// centre is the mean of its graphs in the coordinates said, whose squared distances sum to the inertia.
func TestDistanceOfKMeans(t *testing.T) {
	t.Parallel()
	cells := computed(t, "clustering", "method = \"GDL\"\natoms = 3\norder = 5\nepochs = 2\nkmeans_restarts = 3\ncluster_by = [\"embedding\", \"weights\", \"scaled_weights\"]\n")
	scored(t, cells)
	for _, r := range cells {
		by, w := r.Params["cluster_by"], r.Arrays[artifact.Weights]
		if !slices.Equal(w.Float, cells[0].Arrays[artifact.Weights].Float) {
			t.Fatalf("%s: other weights", by)
		}
		n, width := w.Shape[0], w.Shape[1]
		x := slices.Clone(w.Float)
		for j := range width {
			var mean, square float64
			for i := range n {
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
		inertia := 0.0
		for i, k := range r.Assignment {
			for j := range width {
				inertia += math.Pow(x[i*width+j]-r.Arrays[artifact.Centers].Float[int(k)*width+j], 2)
			}
		}
		if want := r.Scores[artifact.Inertia]; by != "embedding" && (!(want > 0) || !(math.Abs(inertia-want) <= 1e-9*want)) {
			t.Errorf("%s: inertia %v of the labels, the record says %v", by, inertia, want)
		}
	}
}
