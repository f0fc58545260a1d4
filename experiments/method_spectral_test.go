package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
)

// scBlocks is the number of blocks of its matrix, far more than its size suggests.
const scBlocks = 10

// scSession is a session whose matrices are cut into scBlocks blocks.
func scSession(t *testing.T, config string) *session {
	s := newSession(t, config)
	cutDistances(s.methods)
	return s
}

// cutDistances has the methods cut their matrices of distances into scBlocks blocks.
func cutDistances(ms method.Table) {
	for i := range ms {
		if whole := ms[i].Products; whole != nil {
			ms[i].Products = func(c *spec.Cell) []spec.Product {
				all := whole(c)
				for i := range all {
					if d, ok := all[i].(product.Distances); ok {
						d.Blocks = scBlocks
						all[i] = d
					}
				}
				return all
			}
		}
	}
}

// Blocks lists the blocks of distances in the session's store.
func (s *session) blocks() []string {
	s.t.Helper()
	m, err := filepath.Glob(filepath.Join(s.dir, "out", "store", "products", "*", "*", "*.npz"))
	if err != nil {
		s.t.Fatal(err)
	}
	return m
}

// TestSpectral: D1 has three kinds of graphs that their distances tell apart, the
// matrix is computed once for all cells, and no byte depends on the number of workers.
func TestSpectral(t *testing.T) {
	t.Parallel()
	s := scSession(t, exptest.Sc)
	s.run(exitOK, "-workers", "1")
	s.wantErr("8 cells: 0 done already", "shared products: 10 blocks computed", " 0 read from the store")
	want := s.results()
	if n := len(s.blocks()); n != scBlocks {
		t.Errorf("%d blocks in the store", n)
	}
	recs := s.records()
	for _, r := range recs {
		if r.Status != record.OK || len(r.Assignment) != 15 || r.NPZSum == "" || len(r.Products) != 1 || r.Products[0].ID != recs[0].Products[0].ID {
			t.Fatalf("record %+v", r)
		}
		if c := r.Products[0].Convergence; c.Solves != 15*14/2 || c.Iterations < c.Solves || r.Convergence != (record.Convergence{}) {
			t.Errorf("convergence %+v, own %+v", c, r.Convergence)
		}
		if gamma, _ := r.Number("gamma"); gamma == 16 && r.Scores["ri"] < 0.9 {
			t.Errorf("%s: Rand Index %v", r.Text("labels"), r.Scores["ri"])
		}
		if g, cut := r.Scores["eigengap"], r.Scores["ncut"]; !(g > 0 && g < 1) || !(cut > 0 && cut < 2) {
			t.Errorf("eigengap %v, cut %v", g, cut)
		}
		if _, has := r.Params["kmeans_restarts"]; has != (r.Text("labels") == "kmeans") {
			t.Errorf("%s: kmeans_restarts %v", r.Text("labels"), r.Params["kmeans_restarts"])
		}
	}
	store, err := record.Open(filepath.Join(s.dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	head, _, err := store.Product(recs[0].Products[0].ID)
	if err != nil || head.Kind != "gw_distances" || head.Content["digest"] != recs[0].Digest {
		t.Errorf("head %+v, %v", head, err)
	}
	seconds, _, timed := store.ProductCost(head)
	if timed != scBlocks || seconds <= 0 {
		t.Errorf("cost %v s of %d blocks", seconds, timed)
	}
	shared := 0.0
	for _, r := range recs {
		timing, _, err := store.Timing(r.ID)
		if err != nil {
			t.Fatal(err)
		}
		shared += timing.ProductSeconds
	}
	if shared < seconds {
		t.Errorf("cells spent %v s on a matrix of %v s", shared, seconds)
	}

	for _, workers := range []string{"2", "8"} {
		other := scSession(t, exptest.Sc)
		other.run(exitOK, "-workers", workers)
		other.wantErr("10 blocks computed")
		other.same(want)
	}
	s.run(exitOK)
	s.wantErr("8 done already, 0 to compute")
	s.same(want)
	s.run(exitOK, "-force")
	s.wantErr("0 blocks computed", "10 read from the store")
	s.same(want)
}

// TestSpectralNumbersOfClusters: cells on one matrix and gamma have eigenvectors of their own
// number, and those of one gamma none of another's.
func TestSpectralNumbersOfClusters(t *testing.T) {
	t.Parallel()
	s := newSession(t, "repetitions = 1\ntable = \"clustering\"\n"+simulatedBlock("method = \"SC\"\nclusters = [2, 3, 4]\ngamma = [1, 4]\nkmeans_restarts = 2\n"))
	s.run(exitOK, "-workers", "1")
	first := map[float64]bool{}
	for _, r := range s.records() {
		k, _ := r.Number("clusters")
		values := s.arraysOf(r)["eigenvalues"].Float
		if len(values) != int(k)+1 {
			t.Errorf("%v clusters: %d eigenvalues", k, len(values))
			continue
		}
		if got := values[len(values)-1] - values[len(values)-2]; got != r.Scores["eigengap"] {
			t.Errorf("%v clusters: eigengap %v, want %v", k, r.Scores["eigengap"], got)
		}
		first[values[1]] = true
	}
	if len(first) != 2 {
		t.Errorf("%d second eigenvalues under two gammas", len(first))
	}
}

// TestSpectralAfterDamage: blocks that are gone or corrupt are computed again, no others.
func TestSpectralAfterDamage(t *testing.T) {
	t.Parallel()
	s := scSession(t, exptest.Sc)
	s.run(exitOK)
	want := s.results()
	blocks := s.blocks()
	if err := os.Remove(blocks[2]); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(blocks[5])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(blocks[5], data[:len(data)/2], 0o666); err != nil {
		t.Fatal(err)
	}
	s.run(exitOK, "-list")
	s.wantOut("8 cells: 8 done")
	s.run(exitOK, "-force")
	s.wantErr("D1 distances alpha=1 seed=1: block 5 cannot be used, it is computed again", "corrupt", "2 blocks computed", "8 read from the store")
	s.same(want)
}

// TestSpectralInterrupted: a run that is stopped among the blocks keeps them.
func TestSpectralInterrupted(t *testing.T) {
	t.Parallel()
	whole := scSession(t, exptest.Sc)
	whole.run(exitOK)
	s := scSession(t, strings.NewReplacer("sbm_graphs = 5", "sbm_graphs = 40", "[1, 16]", "16").Replace(exptest.Sc))
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		for len(s.blocks()) < 2 {
			time.Sleep(time.Millisecond)
		}
		cancel()
	}()
	s.runContext(ctx, exitInterrupted, "-workers", "2")
	s.wantErr("interrupted: 0 cells are kept", "blocks computed")
	kept := len(s.blocks())
	if kept < 2 || kept >= scBlocks {
		t.Fatalf("%d blocks were kept", kept)
	}
	for _, r := range s.records() {
		if r.Status != record.Cancelled || r.Products != nil {
			t.Errorf("record %+v", r)
		}
	}
	s.run(exitOK)
	s.wantErr("0 done already", string(rune('0'+scBlocks-kept))+" blocks computed", string(rune('0'+kept))+" read from the store")
}

// TestTimeoutWithoutProducts: what a cell waits for with others is not its own time.
func TestTimeoutWithoutProducts(t *testing.T) {
	t.Parallel()
	s := scSession(t, "timeout = \"1s\"\n"+exptest.Sc)
	for i := range s.methods {
		if m := &s.methods[i]; m.Name == "SC" {
			fit := m.Fit
			m.Fit = func(ctx context.Context, task *method.Task) (*method.Result, error) {
				task.Watch.Pause(func() {
					select { // as a matrix that takes long
					case <-ctx.Done():
					case <-time.After(1200 * time.Millisecond):
					}
				})
				return fit(ctx, task)
			}
		}
	}
	s.run(exitOK, "-workers", "8")
	store, err := record.Open(filepath.Join(s.dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range s.records() {
		timing, _, err := store.Timing(r.ID)
		if r.Status != record.OK || err != nil || timing.ProductSeconds < 1.2 || timing.Seconds > 1 {
			t.Errorf("%s, %+v, %v", r.Status, timing, err)
		}
	}
}

// TestDistancesIdentity: what decides the distances tells matrices apart, in the store and
// in a run; what only decides how they are clustered does not.
func TestDistancesIdentity(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	identify := func(lines string) (id, key string) {
		t.Helper()
		folder := "OWN"
		if lines == "other data" {
			folder, lines = "OTHER", ""
		}
		if !strings.Contains(lines, "features") {
			lines += "features = \"attributes\"\n"
		}
		if !strings.Contains(lines, "alpha") {
			lines += "alpha = 0.5\n"
		}
		c := exptest.Parse(t, fmt.Sprintf("table = \"clustering\"\n[[grid]]\npath = %q\nmethod = \"SC\"\n%s", filepath.Join(dir, folder), lines)).Cells()[0]
		p := c.Products()[0]
		return record.NewProduct(p.Kind().Name, p.Content(), 1).ID, p.Key()
	}
	id, key := identify("")
	for _, same := range []string{"gamma = 2\n", "labels = \"discretise\"\n", "clusters = 2\n", "kmeans_restarts = 3\n"} {
		if x, y := identify(same); x != id || y != key {
			t.Errorf("%sanother matrix", same)
		}
	}
	ids, keys := map[string]string{id: "the base"}, map[string]string{key: "the base"}
	for _, other := range []string{
		"other data", "alpha = 0.6\n", "gw_tol_rel = 1e-8\n", "gw_tol_abs = 1e-8\n", "gw_iterations = 100\n",
		"features = \"labels\"\n", "scaling = \"standardise\"\n", "representation = \"shortest_path\"\n",
		"representation = \"shortest_path\"\nunreachable = \"max_plus_one\"\n", "representation = \"heat_kernel\"\n",
		"representation = \"heat_kernel\"\nheat_time = 2\n", "node_weights = \"power\"\n",
		"node_weights = \"power\"\nweight_a = 1\n", "node_weights = \"power\"\nweight_b = 0.5\n",
	} {
		x, y := identify(other)
		if was, taken := ids[x]; taken {
			t.Errorf("%q has the matrix of %q in the store", other, was)
		}
		if was, taken := keys[y]; taken {
			t.Errorf("%q has the matrix of %q in a run", other, was)
		}
		ids[x], keys[y] = other, other
	}
}
