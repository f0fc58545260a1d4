package main

import (
	"bytes"
	"context"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/artifact"
	"ogdl/internal/npz"
	"ogdl/internal/record"
)

// simulatedBlock is a [[grid]] block on 12 graphs of D1, four of each kind.
func simulatedBlock(lines string) string {
	return "[[grid]]\ndataset = \"D1\"\nsbm_graphs = 4\nsbm_order_max = 15\n" + lines
}

// equalForWorkers runs a configuration with 1, 2 and 8 workers, wants the same bytes,
// and returns the session of the first.
func equalForWorkers(t *testing.T, config string) *session {
	t.Helper()
	first := newSession(t, config)
	first.run(exitOK, "-workers", "1")
	want := first.results()
	for _, workers := range []string{"2", "8"} {
		other := newSession(t, config)
		other.run(exitOK, "-workers", workers)
		other.same(want)
	}
	return first
}

// arraysOf reads what a cell has learned.
func (s *session) arraysOf(r *record.Record) map[string]npz.Array {
	s.t.Helper()
	return readArrays(s.t, s.store().NPZPath(r))
}

func (s *session) store() *record.Store {
	s.t.Helper()
	store, err := record.Open(filepath.Join(s.dir, "out"))
	if err != nil {
		s.t.Fatal(err)
	}
	return store
}

// scored wants records that ended well, with a grouping of all graphs into at most
// three clusters and these scores.
func scored(t *testing.T, recs []*record.Record, scores ...string) {
	t.Helper()
	if len(recs) == 0 {
		t.Fatal("no records")
	}
	for _, r := range recs {
		if r.Status != record.OK || len(r.Assignment) != 12 || r.Convergence.Solves == 0 {
			t.Fatalf("%s: %s, %d graphs, %+v", r.Method, r.Status, len(r.Assignment), r.Convergence)
		}
		for _, c := range r.Assignment {
			if c > 2 {
				t.Fatalf("%s: cluster %d", r.Method, c)
			}
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
	for i := range a.Shape[0] {
		sum := 0.0
		for _, x := range a.Float[i*a.Shape[1] : (i+1)*a.Shape[1]] {
			if !(x >= 0) {
				t.Fatalf("%s: row %d holds %v", a.Name, i, x)
			}
			sum += x
		}
		if math.Abs(sum-1) > 1e-9 {
			t.Fatalf("%s: row %d sums to %v", a.Name, i, sum)
		}
	}
}

// TestRivalsEndToEnd: GWF-r, GWF-f and GW-k from the data to their tables.
func TestRivalsEndToEnd(t *testing.T) {
	t.Parallel()
	head := "table = \"clustering\"\nrepetitions = 1\n"
	gwf := "atoms = 3\nepochs = 2\nprox_steps = 5\nkmeans_restarts = 3\n"
	s := equalForWorkers(t, head+
		simulatedBlock("method = \"GWF-r\"\nweights = [\"before\", \"after\"]\n"+gwf)+
		simulatedBlock("method = \"GWF-f\"\norder = 5\nkeep = \"last\"\nembedding = [\"trained\", \"fresh\"]\n"+gwf)+
		simulatedBlock("method = \"GW-k\"\norder = 6\ngwk_restarts = [1, 3]\n"))
	recs := s.records()
	scored(t, recs)
	s.wantOut("GWF-r", "GWF-f", "GW-k", "2 of 2")
	orders := map[string]map[int]bool{}
	inertia, learned := map[string]float64{}, map[string][]float64{}
	for _, r := range recs {
		arrays := s.arraysOf(r)
		if orders[r.Method] == nil {
			orders[r.Method] = map[int]bool{}
		}
		for name, a := range arrays {
			if r.Method == "GW-k" && strings.HasPrefix(name, "centroid") && strings.HasSuffix(name, "C") {
				orders[r.Method][a.Shape[0]] = true
			}
		}
		switch r.Method {
		case "GW-k":
			// One run is the first of three, whose best is kept.
			inertia[r.Text("gwk_restarts")] = r.Scores["inertia"]
			if got := r.Scores["objective"] * 12; math.Abs(got-r.Scores["inertia"]) > 1e-12 {
				t.Errorf("GW-k: mean objective x 12 = %v, inertia %v", got, r.Scores["inertia"])
			}
		default:
			onSimplex(t, arrays[artifact.Weights])
			learned[r.Text("embedding")] = arrays[artifact.Weights].Float
			// Centres of points on the simplex lie on it.
			centers := arrays[artifact.Centers]
			sum := 0.0
			for _, x := range centers.Float {
				sum += x
			}
			if simplex := math.Abs(sum-float64(centers.Shape[0])) < 1e-9; simplex != (r.Text("weights") == "after") {
				t.Errorf("weights %s the softmax: centres %v", r.Text("weights"), centers.Float)
			}
			if len(r.EpochLoss) != 2 {
				t.Errorf("%s: losses %v", r.Method, r.EpochLoss)
			}
		}
	}
	if slices.Equal(learned["trained"], learned["fresh"]) {
		t.Error("weights found afresh are those learned with the atoms")
	}
	if len(orders["GW-k"]) != 1 || !orders["GW-k"][6] {
		t.Errorf("centroids of orders %v", orders["GW-k"])
	}
	if one, three := inertia["1"], inertia["3"]; three > one {
		t.Errorf("inertia %v of three runs, %v of one", three, one)
	}
}

// TestEmbeddedGraphsEndToEnd: GDL and GDL_h, whose embedded graphs GW k-means
// clusters.
func TestEmbeddedGraphsEndToEnd(t *testing.T) {
	t.Parallel()
	fit := "atoms = 3\norder = 5\ninit = \"random\"\nepochs = 2\nbatch = 4\n"
	s := equalForWorkers(t, "table = \"clustering_gw_kmeans\"\nrepetitions = 1\n"+
		simulatedBlock("method = \"GDL\"\ncluster_by = \"gw_kmeans\"\nlambda = [0, 0.01]\n"+fit)+
		simulatedBlock("method = \"GDL_h\"\nlambda = [0, 0.01]\ncentroid_weights = \"mean\"\n"+fit))
	recs := s.records()
	scored(t, recs, "reconstruction", "mean_max_weight", "loss_last")
	s.wantOut("GDL_lambda", "GDL_h", "GDL_h_lambda")
	if strings.Contains(s.stdout, "GDL by") {
		t.Errorf("a row of its own for what the table is about:\n%s", s.stdout)
	}
	for _, r := range recs {
		arrays := s.arraysOf(r)
		onSimplex(t, arrays[artifact.Weights])
		if _, ok := arrays[artifact.Centers]; ok {
			t.Errorf("%s: centres of k-means beside GW k-means", r.Method)
		}
		if _, ok := r.Params["kmeans_restarts"]; ok {
			t.Errorf("%s: parameters of k-means", r.Method)
		}
		p, ok := arrays["centroid0_p"]
		if !ok || len(p.Float) != 5 {
			t.Fatalf("%s: centroid's weights %v", r.Method, p.Float)
		}
		uniform := true
		for _, x := range p.Float {
			uniform = uniform && math.Abs(x-0.2) < 1e-12
		}
		if uniform != (r.Method == "GDL") {
			t.Errorf("%s: centroid's weights %v", r.Method, p.Float)
		}
		if r.Method == "GDL_h" {
			onSimplex(t, arrays[artifact.NodeWeights])
		}
	}
}

// TestGWFGraphsEndToEnd: GWF's embedded graphs, which keep the graphs' orders, under GW
// k-means.
func TestGWFGraphsEndToEnd(t *testing.T) {
	t.Parallel()
	fit := "atoms = 3\nepochs = 1\nprox_steps = 5\ncluster_by = \"gw_kmeans\"\n"
	s := equalForWorkers(t, "table = \"clustering_gw_kmeans\"\nrepetitions = 1\n"+
		simulatedBlock("method = \"GWF-r\"\n"+fit)+simulatedBlock("method = \"GWF-f\"\norder = 5\n"+fit))
	recs := s.records()
	scored(t, recs, "mean_max_weight", "loss_last", "max_marginal_error")
	for _, r := range recs {
		arrays := s.arraysOf(r)
		if _, ok := arrays[artifact.Centers]; ok {
			t.Errorf("%s: centres of k-means beside GW k-means", r.Method)
		}
		// The median of 10 and 15, whichever order the atoms have.
		if n := len(arrays["centroid0_p"].Float); n < 10 || n > 15 {
			t.Errorf("%s: centroids of order %d", r.Method, n)
		}
	}
}

// TestClusterByDecidesTheGrouping: the same dictionary, grouped in two ways, in two
// tables.
func TestClusterByDecidesTheGrouping(t *testing.T) {
	t.Parallel()
	fit := "atoms = 3\norder = 5\ninit = \"random\"\nepochs = 1\nbatch = 4\nmethod = \"GDL\"\n"
	a := newSession(t, "table = \"clustering\"\nrepetitions = 1\n"+simulatedBlock(fit+"kmeans_restarts = 3\n"))
	a.run(exitOK)
	b := newSession(t, "table = \"clustering_gw_kmeans\"\nrepetitions = 1\n"+simulatedBlock(fit+"cluster_by = \"gw_kmeans\"\n"))
	b.run(exitOK)
	x, y := a.records()[0], b.records()[0]
	if x.ID == y.ID {
		t.Error("one cell")
	}
	for _, name := range []string{"objective", "reconstruction", "loss_last"} {
		if x.Scores[name] != y.Scores[name] {
			t.Errorf("%s: %v by k-means, %v by GW k-means: the draws are not paired", name, x.Scores[name], y.Scores[name])
		}
	}
	if y.Convergence.Solves <= x.Convergence.Solves {
		t.Errorf("%d solves with GW k-means, %d without", y.Convergence.Solves, x.Convergence.Solves)
	}
	// Its embeddings have no centres that new graphs could be assigned to.
	b.writeTU("NEW", 1, 1)
	var stdout, stderr bytes.Buffer
	code := execute(context.Background(), []string{"embed", "-dict", b.store().NPZPath(y), "-data", filepath.Join(b.dir, "NEW"), "-out", filepath.Join(b.dir, "new")}, &stdout, &stderr)
	if code != exitOK || !strings.Contains(stdout.String(), "clustered by GW k-means") {
		t.Errorf("exit code %d, embedding said:\n%s%s", code, stdout.String(), stderr.String())
	}
}

// TestEveryKeyReachesItsMethod: keys that the other tests leave at their defaults change
// what is learned or how long it takes.
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
	} {
		t.Run(c.method+" "+c.keys, func(t *testing.T) {
			fit := "atoms = 3\nepochs = 2\n"
			if strings.HasPrefix(c.method, "GDL") {
				fit += "order = 5\ninit = \"random\"\n"
			}
			s := newSession(t, "repetitions = 1\ntable = \""+c.table+"\"\n"+strings.Replace(simulatedBlock("method = \""+c.method+"\"\n"+fit+c.keys+"\n"), "sbm_graphs = 4", "sbm_graphs = 2", 1))
			s.run(exitOK)
			recs := s.records()
			if len(recs) != 2 {
				t.Fatalf("%d records", len(recs))
			}
			a, b := recs[0], recs[1]
			if a.Scores["objective"] == b.Scores["objective"] && a.Convergence == b.Convergence {
				t.Errorf("objective %v and %+v either way", a.Scores["objective"], a.Convergence)
			}
		})
	}
}
