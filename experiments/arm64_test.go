package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"ogdl/eval"
	"ogdl/experiments/internal/grid"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// arm64 runs the program built for arm64 under an emulator: a minute or two.
var arm64 = flag.Bool("arm64", false, "compare the numbers of the program built for arm64, under QEMU, with this processor's")

// acrossProcessors is what numbers of two processors may differ by, relative to the larger of
// their size and 1, as long as no discrete choice flips.
const acrossProcessors = 1e-9

// TestNumbersOfArm64: tables and records of arm64 are those of this processor up to rounding. A
// pivot, an assignment or a stopping rule within rounding of a tie could flip and change a
// number by more; with integer flows and sums that are nowhere fused none does here.
func TestNumbersOfArm64(t *testing.T) {
	if !*arm64 {
		t.Skip("takes minutes under an emulator; -arm64 runs it")
	}
	emulator := ""
	for _, name := range []string{"qemu-aarch64-static", "qemu-aarch64"} {
		if path, err := exec.LookPath(name); err == nil {
			emulator = path
		}
	}
	if emulator == "" && runtime.GOARCH != "arm64" {
		t.Skip("no qemu-aarch64-static (Debian: qemu-user-static)")
	}
	binary := filepath.Join(t.TempDir(), "experiments")
	build := exec.Command("go", "build", "-o", binary, ".")
	build.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	smoke := must.First(grid.Open("smoke"))
	for _, grid := range []struct{ name, config, filter string }{
		{"every method", everyMethod, "repetition>=0"}, {"GDL_h", nodeWeights, "repetition>=0"}, {"GIN-0", classified, "method=GIN-0 repetition=0"},
		// The emulator takes 20 times as long, and longer than the timeout where others work beside it.
		{"smoke", strings.Replace(string(smoke), `timeout = "5m"`, `timeout = "5h"`, 1), "repetition=0 lambda=0"},
	} {
		t.Run(grid.name, func(t *testing.T) {
			here, there := newSession(t, grid.config), newSession(t, grid.config)
			here.run(exitOK, "-filter", grid.filter)
			here.run(exitOK, "-report")
			of := []string{"-config", filepath.Join(there.dir, "grid.toml"), "-out", filepath.Join(there.dir, "out")}
			for _, args := range [][]string{append([]string{binary, "run", "-filter", grid.filter}, of...), append([]string{binary, "report"}, of...)} {
				if emulator != "" {
					args = append([]string{emulator}, args...)
				}
				if out, err := exec.Command(args[0], args[1:]...).CombinedOutput(); err != nil {
					t.Fatalf("%v\n%s", err, out)
				}
			}
			var d difference
			d.tables(t, here, there)
			d.records(t, here, there)
			t.Logf("%d numbers, %d of them not the same bits or digits, the largest relative difference is %.2g; %d equal clusterings number their clusters otherwise", d.numbers, d.differ, d.largest, d.renamed)
			if d.numbers == 0 {
				t.Error("nothing was compared")
			}
		})
	}
}

// difference counts numbers that were compared.
type difference struct {
	numbers, differ int
	largest         float64
	renamed         int // clusterings whose clusters have other numbers
}

func (d *difference) compare(t *testing.T, what string, a, b float64) {
	t.Helper()
	d.numbers++
	if a == b || math.IsNaN(a) && math.IsNaN(b) {
		return
	}
	d.differ++
	relative := math.Abs(a-b) / max(1, math.Abs(a), math.Abs(b))
	d.largest = max(d.largest, relative)
	if !(relative <= acrossProcessors) {
		t.Errorf("%s: %v here, %v there", what, a, b)
	}
}

// tables compares the CSV files of two runs, cell by cell.
func (d *difference) tables(t *testing.T, here, there *session) {
	t.Helper()
	names := here.files("out/grid/*.csv")
	if len(names) == 0 {
		t.Fatal("no tables")
	}
	for _, path := range names {
		name := filepath.Base(path)
		a, b := rowsOf(t, path), rowsOf(t, filepath.Join(there.dir, "out", "grid", name))
		if len(a) != len(b) {
			t.Errorf("%s: %d rows here, %d there", name, len(a), len(b))
			continue
		}
		for i := range a {
			if len(a[i]) != len(b[i]) {
				t.Errorf("%s:%d: %q here, %q there", name, i+1, a[i], b[i])
				continue
			}
			for j, text := range a[i] {
				x, errX := strconv.ParseFloat(text, 64)
				y, errY := strconv.ParseFloat(b[i][j], 64)
				switch {
				case errX == nil && errY == nil:
					d.compare(t, fmt.Sprintf("%s:%d", name, i+1), x, y)
				case text != b[i][j] && !strings.Contains(text, runtime.GOARCH):
					t.Errorf("%s:%d: %q here, %q there", name, i+1, text, b[i][j])
				}
			}
		}
	}
}

// records compares scores and losses, and wants clusterings (but for the clusters' numbers) and counts equal: those are where a
// choice that flips would show.
func (d *difference) records(t *testing.T, here, there *session) {
	t.Helper()
	other := map[string]*record.Record{}
	for _, r := range there.records() {
		other[r.ID] = r
	}
	for _, a := range here.records() {
		b := other[a.ID]
		if b == nil || b.Status != a.Status {
			t.Errorf("%s has no counterpart", a.ID)
			continue
		}
		// Runs of k-means that end at one clustering tie up to rounding, and which of them is
		// kept decides how the clusters are numbered, not what they hold.
		if !slices.Equal(a.Assignment, b.Assignment) {
			d.renamed++
			if len(a.Assignment) != len(b.Assignment) || eval.AdjustedRandIndex(a.Assignment, b.Assignment) != 1 {
				t.Errorf("%s, %s: another clustering", a.ID, a.Method)
			}
		}
		must.Check(t, a.Digest, b.Digest, "%s: digest of the data", a.ID)
		if x, y := a.Convergence, b.Convergence; x.Solves != y.Solves || x.Iterations != y.Iterations || x.CapHits != y.CapHits {
			t.Errorf("%s: solves %+v here, %+v there", a.ID, x, y)
		}
		for name, x := range a.Scores {
			d.compare(t, a.ID+" "+name, x, b.Scores[name])
		}
		for e := range a.EpochLoss {
			d.compare(t, a.ID+" loss", a.EpochLoss[e], b.EpochLoss[e])
		}
	}
}
