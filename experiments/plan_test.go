package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ogdl/experiments/internal/cost"
	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/plan"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
)

// TestSizes: every data set that is not drawn has its size in the table, so that no shard rests on
// a guess.
func TestSizes(t *testing.T) {
	for _, name := range spec.KnownDatasets() {
		if s, ok := spec.Sizes[name]; !ok && !spec.IsSimulated(name) {
			t.Errorf("no size of %s", name)
		} else if ok && (s.Distinct > s.Graphs || s.Classes < 2 || !(s.Density > 0 && s.Density <= 1) || s.Order < s.Median/2) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// TestCostIsPositive: every cell that ships costs something, finite and of a sane size.
func TestCostIsPositive(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"clustering-quick", "clustering_gw_kmeans", "clustering_enzymes", "runtimes", "rivals", "datasets"} {
		c := exptest.Config(t, name)
		for _, x := range c.Cells() {
			seconds, bytes := x.Cost(), x.Disk()
			if !(seconds > 0 && seconds < 1e5) || !(bytes > 0 && bytes < 1e9) {
				t.Errorf("%s: %v s, %v bytes", x, seconds, bytes)
			}
			b := cost.Burdens([]*spec.Cell{x}, nil)[0]
			if shared := len(x.Products()) > 0; shared != (b.Products() > 0) || shared != (b.Shared != "") {
				t.Errorf("%s: its matrix costs %v s", x, b.Products())
			}
		}
	}
}

// planOf runs -plan -json.
func (s *session) planOf(args ...string) (p plan.Plan) {
	s.t.Helper()
	s.run(exitOK, append([]string{"-plan", "-json"}, args...)...)
	if err := json.Unmarshal([]byte(s.stdout), &p); err != nil {
		s.t.Fatalf("%v\n%s", err, s.stdout)
	}
	return p
}

func TestPlanCounts(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Mixed)
	p := s.planOf("-limit", "1h")
	if p.Cells != 14 || p.Done != 0 || p.Pending != 14 || p.ShardsForLimit != 1 || p.Products.Pending != 1 || len(p.Kinds) != 3 || !(p.CPUSeconds > 0) || p.DiskBytes <= 0 {
		t.Errorf("%+v", p)
	}
	for _, k := range p.Kinds {
		if k.From != "none" || k.Timings != 0 {
			t.Errorf("%+v", k)
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "out")); err == nil {
		t.Error("-plan has written something")
	}
	s.run(exitOK, "-plan")
	s.wantOut("grid: 14 cells, 0 done, 14 to compute", "14 cells are of methods without timings (plan -calibrate")

	// The shards' plans add up.
	pending := 0
	for _, part := range []string{"0/3", "1/3", "2/3"} {
		pending += s.planOf("-shard", part).Pending
	}
	if pending != 14 {
		t.Errorf("the shards have %d cells to compute", pending)
	}
	if p := s.planOf("-filter", "method=SC"); p.Cells != 4 || p.Pending != 4 {
		t.Errorf("%+v", p)
	}

	s.run(exitOK, "-filter", "method!=GW-k atoms!=5 gamma!=16")
	p = s.planOf()
	if p.Cells != 14 || p.Done != 8 || p.Pending != 6 || p.Products.Pending != 0 || p.Products.Timings != 1 {
		t.Errorf("%+v", p)
	}
	s.run(exitOK)
	if p = s.planOf("-force"); p.Done != 0 || p.Pending != 14 || p.Products.Pending != 0 || !(p.CPUSeconds > 0) {
		t.Errorf("-force: %+v", p)
	}
	p = s.planOf("-limit", "1h")
	if p.Done != 14 || p.Pending != 0 || p.CPUSeconds != 0 || p.DiskBytes != 0 || p.ShardsForLimit != 0 || p.Products.Pending != 0 || p.LongestCellSeconds != 0 {
		t.Errorf("%+v", p)
	}
}

// retime sets the CPU time of all done cells, and of the blocks of matrices.
func (s *session) retime(seconds func(c *spec.Cell) float64) {
	s.t.Helper()
	cells := exptest.Parse(s.t, read(s.t, filepath.Join(s.dir, "grid.toml"))).Cells()
	store := s.store()
	for _, c := range cells {
		r, _, err := store.Get(c.ID)
		if err != nil || r == nil {
			continue
		}
		arrays, err := store.NPZ(c.ID)
		if err != nil {
			s.t.Fatal(err)
		}
		if err := store.Put(r, &record.Timing{ID: c.ID, Seconds: 1e6, CPUSeconds: seconds(c)}, arrays); err != nil {
			s.t.Fatal(err)
		}
	}
}

// TestPlanScales: what is missing is expected to take what like cells took, scaled by the
// model: timings of the kind, else of the method, else of the others.
func TestPlanScales(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Mixed)
	s.run(exitOK, "-filter", "atoms<=3 method=GDL")
	s.retime(func(c *spec.Cell) float64 { return 7 * c.Cost() })
	p := s.planOf()
	var want float64
	for _, c := range exptest.Parse(t, exptest.Mixed).Cells() {
		if c.Method.Name == "GDL" && c.Params.Integer("atoms") > 3 {
			want += 7 * c.Cost()
		}
	}
	for _, k := range p.Kinds {
		from, timings := "others", 4
		if k.Method == "GDL" {
			from = "kind"
			if math.Abs(k.CPUSeconds-want) > 1e-9*want {
				t.Errorf("%v CPU seconds, want %v", k.CPUSeconds, want)
			}
		}
		if k.From != from || k.Timings != timings {
			t.Errorf("%+v", k)
		}
	}
	s.run(exitOK, "-plan")
	s.wantOut("1.00 to 1.00", "6 cells are of methods without timings")
	// Cells of the grid itself count alone as soon as there are three, whatever others of their kind took.
	s.write("grid.toml", strings.Replace(exptest.Mixed, "epochs = 2", "epochs = 3", 1))
	for _, c := range []struct {
		atoms   string
		timings int
	}{{"2", 4 + 2}, {"3", 4}} {
		s.run(exitOK, "-filter", "method=GDL atoms="+c.atoms)
		s.retime(func(c *spec.Cell) float64 { return 3 * c.Cost() })
		p = s.planOf("-filter", "method=GDL")
		want = 0
		for _, cell := range exptest.Parse(t, read(t, filepath.Join(s.dir, "grid.toml"))).Cells() {
			if cell.Method.Name == "GDL" && cell.Params.Integer("atoms") > 3 {
				want += 3 * cell.Cost()
			}
		}
		if k := p.Kinds[0]; k.Timings != c.timings || c.timings == 4 && math.Abs(k.CPUSeconds-want) > 1e-9*want {
			t.Errorf("atoms %s: %+v, want %v seconds of those with more than 3", c.atoms, k, want)
		}
	}

	// The same method on other data: its median ratio.
	s.write("grid.toml", "table = \"clustering\"\n[[grid]]\ndataset = \"MUTAG\"\nmethod = \"GDL\"\natoms = [2, 4]\n")
	p = s.planOf()
	if len(p.Kinds) != 1 || p.Kinds[0].From != "method" || p.Kinds[0].Timings != 8 {
		t.Errorf("%+v", p.Kinds)
	}
	s.run(exitOK, "-plan")
	s.wantOut("10 cells rest on timings of other data sets")
}

// TestPlanIgnoresToys: the timings of smoke's small cells leave the plan of large grids on other data as the model has it.
func TestPlanIgnoresToys(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	of := func(name string) plan.Plan {
		t.Helper()
		return s.planOf("-config", name)
	}
	before := map[string]plan.Plan{}
	for _, name := range []string{"clustering-quick", "clustering_gw_kmeans"} {
		before[name] = of(name)
	}
	smoke := exptest.Recording{Cells: map[string]float64{}}
	cells := exptest.Config(t, "smoke").Cells()
	for _, c := range cells {
		smoke.Cells[c.String()] = 3 * c.Cost()
	}
	smoke.Keep(t, s.store(), cells)
	if p := of("smoke"); p.Kinds[0].From != "kind" {
		t.Errorf("smoke's own cells: %+v", p)
	}
	for name, want := range before {
		got := of(name)
		if ratio := got.CPUSeconds / want.CPUSeconds; math.Abs(ratio-1) > 0.05 {
			t.Errorf("%s takes %.0f s, with the timings of smoke %.0f s", name, want.CPUSeconds, got.CPUSeconds)
		}
		if ratio := float64(got.DiskBytes) / float64(want.DiskBytes); math.Abs(ratio-1) > 0.05 {
			t.Errorf("%s takes %v, with smoke in the store %v", name, want.DiskBytes, got.DiskBytes)
		}
	}
}

// TestPlanShards: -plan -shards says of every shard what -list and -plan say of it alone, whatever is done.
func TestPlanShards(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Mixed)
	counts := regexp.MustCompile(`(\d+) pending, (\d+) failed\n$`)
	check := func(n int, args ...string) (some int) {
		t.Helper()
		p := s.planOf(append([]string{"-workers", "2", "-shards", strconv.Itoa(n)}, args...)...)
		if len(p.Shards) != n {
			t.Fatalf("%d shards, want %d", len(p.Shards), n)
		}
		for i, x := range p.Shards {
			of := append([]string{"-shard", fmt.Sprintf("%d/%d", i, n)}, args...)
			s.run(exitOK, append([]string{"-list"}, of...)...)
			m := counts.FindStringSubmatch(s.stdout)
			if m == nil {
				t.Fatalf("-list of shard %d/%d ends with no counts:\n%s", i, n, s.stdout)
			}
			pending, _ := strconv.Atoi(m[1])
			failed, _ := strconv.Atoi(m[2])
			if alone := s.planOf(append(of, "-workers", "2")...).WallSeconds["2"]; x.Shard != i || x.Pending != pending+failed || x.Seconds != alone {
				t.Errorf("%+v: -list %d/%d has %d pending and %d failed, -plan %v s", x, i, n, pending, failed, alone)
			}
			if x.Pending > 0 {
				some++
			}
		}
		return some
	}
	check(3)
	s.run(exitOK, "-filter", "method!=GW-k atoms!=5 gamma!=16")
	// Failures, which -list counts apart, are missing too.
	failed := 0
	for _, r := range s.records() {
		if r.Method == "GDL" && r.Repetition == 0 {
			r.Status, r.Reason = record.Failed, "for the test"
			if err := s.store().Put(r, nil, nil); err != nil {
				t.Fatal(err)
			}
			failed++
		}
	}
	if failed != 3 {
		t.Fatalf("%d failures, want 3", failed)
	}
	check(1)
	check(3)
	check(4, "-filter", "method=GDL")
	if some := check(20); some == 0 || some > 9 {
		t.Errorf("%d of 20 shards have something to compute, of 9 cells", some)
	}
	s.run(exitOK, "-plan", "-shards", "3", "-workers", "2")
	s.wantOut("Of 3 shards ", "time with -workers 2")
	s.run(exitOK, "-filter", "method=GDL")
	if some := check(3, "-filter", "method=GDL"); some != 0 {
		t.Errorf("%d shards of a finished grid have something to compute", some)
	}
	if p := s.planOf(); p.Shards == nil || len(p.Shards) != 0 {
		t.Errorf("without -shards: %+v", p.Shards)
	}
}

// TestCalibrate: a few cells of every kind are computed, as ordinary ones; then nothing is left
// to calibrate. What is over the budget is said.
func TestCalibrate(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Mixed)
	p := s.planOf("-calibrate")
	s.wantErr("8 cells: 0 done already, 8 to compute")
	if p.Done != 8 || p.Pending != 6 { // 3 of GDL, 2 of GW-k, 3 of SC
		t.Errorf("%+v", p)
	}
	for _, k := range p.Kinds {
		if k.Method != "GW-k" && (k.From != "kind" || k.Timings != 3) {
			t.Errorf("%+v", k)
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "out", "grid")); err == nil {
		t.Error("a calibration has written tables")
	}
	s.run(exitOK, "-plan", "-calibrate")
	s.wantErr("nothing to calibrate")
	got := s.results()
	whole := newSession(t, exptest.Mixed)
	whole.run(exitOK)
	want := whole.results()
	for name, text := range got {
		if want[name] != text {
			t.Errorf("%s differs from that of an ordinary run", name)
		}
	}
}

// TestPlanTextIsWhole: every kind of line is there, and numbers are aligned by unit.
func TestPlanTextIsWhole(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Mixed)
	s.run(exitOK, "-plan", "-workers", "3", "-limit", "1ms")
	for _, want := range []string{`(?m)^ +method +cells +done +to compute +CPU time`, `shared products +1 `, `total +14 +0 +14 `,
		`on 1 core .* on 2 cores .* on 3 cores .*\(-workers\), on 8 cores .* on 64 cores`, `The longest cell takes`, `The longest shared product takes`, `No number of shards ends within`} {
		if !regexp.MustCompile(want).MatchString(s.stdout) {
			t.Errorf("the plan lacks %s:\n%s", want, s.stdout)
		}
	}
	for seconds, want := range map[float64]string{0.004: "0.00 s", 12: "12 s", 150: "2.5 min", 8000: "2.2 h", 3.6e6: "1000 h"} {
		if got := plan.Duration(seconds); got != want {
			t.Errorf("%v s reads %q, want %q", seconds, got, want)
		}
	}
	for size, want := range map[float64]string{1500: "2 kB", 2.5e6: "2.5 MB", 3e9: "3.0 GB"} {
		if got := plan.DiskBytes(size).String(); got != want {
			t.Errorf("%v bytes read %q, want %q", size, got, want)
		}
	}
}
