package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/grid"
	"ogdl/internal/test/must"
)

// full runs the promises of this file on rivals.toml too and to the end on all grids, TestFullStream, TestReproduction, TestFit and more: minutes.
var full = flag.Bool("full", false, "hold rivals.toml too to equal bytes for any workers, shards and interruptions, and stream generated files of the size of TWITCH-EGOS (500 MB in the temporary folder)")

// head is that of a configuration with this table, each setting twice.
func head(table string) string { return "table = \"" + table + "\"\nrepetitions = 2\n" }

// graphs is a [[grid]] block on graphs of D1, so many of each kind.
func graphs(each, orderMax int, lines string) string {
	return fmt.Sprintf("[[grid]]\ndataset = \"D1\"\nsbm_graphs = %d\nsbm_order_max = %d\n%s\n", each, orderMax, lines)
}

var (
	gwfLines = "atoms = 2\nepochs = 2\nprox_steps = 5\nkmeans_restarts = 5\n"
	// everyMethod is a grid of all methods of the clustering table.
	everyMethod = head("clustering") +
		exptest.D1("method = \"GDL\"\nlambda = [0, 0.01]\natoms = 3\norder = 6\nepochs = 3\nkmeans_restarts = 5\n") +
		exptest.D1("method = \"GWF-r\"\n"+gwfLines) +
		exptest.D1("method = \"GWF-f\"\nwarm = true\n"+gwfLines) +
		exptest.D1("method = \"GW-k\"\n") +
		exptest.D1("method = \"SC\"\ngamma = [1, 16]\nlabels = [\"kmeans\", \"discretise\"]\ngw_tol_rel = 1e-6\n")
	// classified is a grid of methods that classify: by distances, by a product of kernels, by dictionaries, two networks and supervised GWF.
	classified = head("classification") +
		graphs(12, 12, "method = \"FGWK\"\nC = [1, 100]\ngamma = [0.5, 8]") +
		graphs(12, 12, "method = \"GK\"\ngraphlet_draws = 20\nC = [1, 100]") +
		graphs(12, 12, "method = \"GDL-g\"\natoms = 3\nepochs = 2\nC = [1, 100]\ngamma = [0.5, 8]") +
		graphs(13, 15, "method = \"GIN-0\"\nhidden = 6\nlayers = 2\nepochs = 12\nbatch = 16") +
		graphs(13, 15, "method = \"PSCN\"\nwidth = 12\nepochs = 3") +
		graphs(13, 15, "method = \"GWF-f + MLP\"\natoms = 3\nepochs = 2")
	// nodeWeights is one of GDL_h, whose table is another.
	nodeWeights = head("clustering_gw_kmeans") + exptest.D1("method = \"GDL_h\"\natoms = 2\norder = 5\nepochs = 2\n")
)

// TestTheSameBytes: records, arrays, matrices, tables and pages do not depend on the number
// of workers, on GOMAXPROCS, on how the cells are shared out between machines and in which order
// these run, or on when a run is interrupted.
func TestTheSameBytes(t *testing.T) {
	grids := map[string]string{"every method": everyMethod, "GDL_h": nodeWeights, "classification": classified, "streams": exptest.Streams,
		"distances": head("figure_distances") + exptest.D1("method = \"GDL-distances\"\natoms = 3\norder = 4\nepochs = 2\n"),
		"times":     head("runtimes") + exptest.D1("method = \"GDL-time\"\natoms = 3\norder = 5\nepochs = 1\ntime_graphs = 5\n")}
	if *full {
		text := must.First(grid.Open("rivals"))
		grids["rivals"] = string(text)
	}
	for name, grid := range grids {
		t.Run(name, func(t *testing.T) {
			reference := newSession(t, grid)
			reference.run(exitOK, "-workers", "1")
			want := reference.results()
			if len(want) < 6 {
				t.Fatalf("only %d files to compare", len(want))
			}
			t.Run("8 workers", func(t *testing.T) { runsTheSame(t, grid, want, "-workers", "8") })
			if name != "every method" && !*full {
				return
			}
			for _, cores := range []int{1, 4} {
				t.Run(fmt.Sprintf("GOMAXPROCS %d", cores), func(t *testing.T) {
					defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
					runsTheSame(t, grid, want)
				})
			}
			for _, n := range []int{3, 17} { // of 17 some have nothing to do, which is no error
				t.Run(fmt.Sprintf("%d shards", n), func(t *testing.T) { shardsTheSame(t, grid, want, n) })
			}
			t.Run("interrupted", func(t *testing.T) { interruptedTheSame(t, grid, want) })
		})
	}
}

// runsTheSame runs the grid in a folder of its own.
func runsTheSame(t *testing.T, grid string, want map[string]string, args ...string) {
	s := newSession(t, grid)
	s.run(exitOK, args...)
	s.same(want)
}

// shardsTheSame runs shards in a random order, each in a folder of its own, and copies their
// stores into one.
func shardsTheSame(t *testing.T, grid string, want map[string]string, n int) {
	merged := newSession(t, grid)
	for _, i := range rand.Perm(n) {
		one := newSession(t, grid)
		part := fmt.Sprintf("%d/%d", i, n)
		one.run(exitOK, "-shard", part).wantErr("shard "+part+": ", "0 done already")
		one.wantOut("report writes the tables")
		absent(t, filepath.Join(one.dir, "out", "grid"))
		copyOver(t, filepath.Join(merged.dir, "out", "store"), filepath.Join(one.dir, "out", "store"))
	}
	merged.run(exitOK, "-report")
	merged.same(want)
	merged.run(exitOK).wantErr(" 0 to compute")
	merged.same(want)
}

// copyOver is cp -r from/. to: what is there is written over.
func copyOver(t *testing.T, to, from string) {
	t.Helper()
	must.Do(t, filepath.WalkDir(from, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		if d.IsDir() {
			return os.MkdirAll(filepath.Join(to, name), 0o755)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, name), text, 0o644)
	}))
}

// interruptedTheSame stops runs at random instants, as Ctrl-C does, until one comes to its
// end.
func interruptedTheSame(t *testing.T, grid string, want map[string]string) {
	s := newSession(t, grid)
	interrupted := 0
	for limit := 20 * time.Millisecond; ; limit += limit / 8 {
		ctx, cancel := context.WithCancel(t.Context())
		timer := time.AfterFunc(rand.N(limit), cancel)
		code := s.try(ctx, "-workers", "3")
		timer.Stop()
		cancel()
		if code == exitOK {
			break
		}
		if code != exitInterrupted {
			t.Fatalf("exit code %d\n%s", code, s.stderr)
		}
		interrupted++
	}
	if interrupted == 0 {
		t.Error("no run was interrupted")
	}
	s.same(want) // nothing is left behind either
}
