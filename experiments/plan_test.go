package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"testing"
	"time"

	"ogdl/internal/record"
)

// mixed is a grid of several methods on simulated data that takes below a second.
const mixed = `table = "clustering"
repetitions = 2
[[grid]]
dataset = "D1"
sbm_graphs = 4
sbm_order_max = 15
method = "GDL"
atoms = [2, 3, 4, 5]
order = 5
init = "random"
epochs = 2
batch = 4
kmeans_restarts = 4
[[grid]]
dataset = "D1"
sbm_graphs = 4
sbm_order_max = 15
method = "GW-k"
[[grid]]
dataset = "D1"
sbm_graphs = 4
sbm_order_max = 15
method = "SC"
gamma = [1, 16]
gw_tol_rel = 1e-5
`

// TestSizes: every data set that is not drawn has its size in the table, so that no shard rests on
// a guess.
func TestSizes(t *testing.T) {
	for _, name := range knownDatasets() {
		if s, ok := sizes[name]; !ok && !isSimulated(name) {
			t.Errorf("no size of %s", name)
		} else if ok && (s.distinct > s.graphs || s.classes < 2 || !(s.density > 0 && s.density <= 1) || s.order < s.median/2) {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

// TestCostIsPositive: every cell that ships costs something, finite and of a sane size.
func TestCostIsPositive(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"clustering-quick", "clustering_gw_kmeans", "clustering_enzymes", "runtimes", "rivals", "datasets"} {
		c := configOf(t, name)
		for _, x := range c.cells() {
			cost, bytes := x.cost(), x.disk()
			if !(cost > 0 && cost < 1e5) || !(bytes > 0 && bytes < 1e9) {
				t.Errorf("%s: %v s, %v bytes", x, cost, bytes)
			}
			b := burdens([]*cell{x}, nil)[0]
			if shared := x.method.products != nil; shared != (b.products() > 0) || shared != (b.shared != "") {
				t.Errorf("%s: its matrix costs %v s", x, b.products())
			}
		}
	}
}

// planOf runs -plan -json.
func (s *session) planOf(args ...string) (p plan) {
	s.t.Helper()
	s.run(exitOK, append([]string{"-plan", "-json"}, args...)...)
	if err := json.Unmarshal([]byte(s.stdout), &p); err != nil {
		s.t.Fatalf("%v\n%s", err, s.stdout)
	}
	return p
}

func TestPlanCounts(t *testing.T) {
	t.Parallel()
	s := newSession(t, mixed)
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
func (s *session) retime(seconds func(c *cell) float64) {
	s.t.Helper()
	cells := mustParse(s.t, read(s.t, filepath.Join(s.dir, "grid.toml"))).cells()
	store := s.store()
	for _, c := range cells {
		r, _, err := store.Get(c.id)
		if err != nil || r == nil {
			continue
		}
		arrays, err := store.NPZ(c.id)
		if err != nil {
			s.t.Fatal(err)
		}
		if err := store.Put(r, &record.Timing{ID: c.id, Seconds: 1e6, CPUSeconds: seconds(c)}, arrays); err != nil {
			s.t.Fatal(err)
		}
	}
}

// TestPlanScales: what is missing is expected to take what like cells took, scaled by the
// model: timings of the kind, else of the method, else of the others.
func TestPlanScales(t *testing.T) {
	t.Parallel()
	s := newSession(t, mixed)
	s.run(exitOK, "-filter", "atoms<=3 method=GDL")
	s.retime(func(c *cell) float64 { return 7 * c.cost() })
	p := s.planOf()
	var want float64
	for _, c := range mustParse(t, mixed).cells() {
		if c.method.name == "GDL" && c.params.integer("atoms") > 3 {
			want += 7 * c.cost()
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

	// The same method on other data: its median ratio.
	s.write("grid.toml", "table = \"clustering\"\n[[grid]]\ndataset = \"MUTAG\"\nmethod = \"GDL\"\natoms = [2, 4]\n")
	p = s.planOf()
	if len(p.Kinds) != 1 || p.Kinds[0].From != "method" || p.Kinds[0].Timings != 4 {
		t.Errorf("%+v", p.Kinds)
	}
	s.run(exitOK, "-plan")
	s.wantOut("10 cells rest on timings of other data sets")
}

func TestScales(t *testing.T) {
	s := scales{half: 10}
	k, other, elsewhere := kindKey{"GDL", "MUTAG"}, kindKey{"GDL", "BZR"}, kindKey{"SC", "BZR"}
	if b := s.basis(k); b.ratio != 1 || b.n != 0 || b.from != fromNone {
		t.Errorf("%+v", b)
	}
	s.add(k, 2, 1)
	s.add(k, 2, 1)
	if b := s.basis(k); b.ratio != 2 || b.n != 2 || s.speaks(k) {
		t.Errorf("its own timings: %+v", b)
	}
	s.add(k, 8, 1)
	if b := s.basis(k); b.ratio != 4 || b.from != fromKind || b.n != 3 || b.low != 0.5 || b.high != 2 {
		t.Errorf("total over total: %+v", b)
	}
	// 12 s are 12/22 of a vote, beside one for the model; and in the method again, beside one for all.
	vote := 12.0 / 22
	all := vote * math.Log(4) / (vote + 1)
	if b := s.basis(elsewhere); math.Abs(b.ratio-math.Exp(all)) > 1e-12 || b.from != fromOthers || b.n != 3 {
		t.Errorf("other methods: %+v", b)
	}
	if b := s.basis(other); math.Abs(b.ratio-math.Exp((vote*math.Log(4)+all)/(vote+1))) > 1e-12 || b.from != fromMethod || b.n != 3 {
		t.Errorf("other data: %+v", b)
	}
	// However long and far off, no kind has more than a vote: the second method draws at most by the fifth root.
	for _, name := range []string{"A", "B", "C"} {
		s.add(kindKey{"GWF-r", name}, 1e6, 1e6)
	}
	s.add(k, 1e12, 1)
	if b := s.basis(elsewhere); b.ratio > math.Pow(s.kinds[k].total.ratio(), 1.0/5)*1.01 {
		t.Errorf("one kind decides: %+v", b)
	}
}

// TestPlanIgnoresToys: the timings of smoke's small cells leave the plan of large grids on other data as the model has it.
func TestPlanIgnoresToys(t *testing.T) {
	t.Parallel()
	s := newSession(t, tiny)
	of := func(name string) plan {
		t.Helper()
		return s.planOf("-config", name)
	}
	before := map[string]plan{}
	for _, name := range []string{"clustering-quick", "clustering_gw_kmeans"} {
		before[name] = of(name)
	}
	smoke := recording{cells: map[string]float64{}}
	cells := configOf(t, "smoke").cells()
	for _, c := range cells {
		smoke.cells[c.String()] = 3 * c.cost()
	}
	smoke.keep(t, s.store(), cells)
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

// TestWall: cells share the cores, longest first; those that measure time run alone.
func TestWall(t *testing.T) {
	plain, alone := &cell{method: &method{}}, &cell{method: &method{alone: true}}
	pending := []planned{{plain, 0, 3}, {plain, 1, 5}, {plain, 2, 4}, {alone, 3, 10}}
	for n, want := range map[int]float64{1: 12 + 6 + 10, 2: 7 + 3 + 10, 3: 5 + 2 + 10, 100: 5 + 0.06 + 10} {
		if got := wall(pending, 6, n); math.Abs(got-want) > 1e-9 {
			t.Errorf("%d cores: %v s, want %v", n, got, want)
		}
	}
}

// TestShardsForLimit: every shard ends within the limit, and one shard fewer would not.
func TestShardsForLimit(t *testing.T) {
	t.Parallel()
	c := configOf(t, "clustering-quick.toml")
	cells := c.cells()
	known := &knowledge{}
	p, err := makePlan(t.Context(), cells, known)
	if err != nil {
		t.Fatal(err)
	}
	for _, limit := range []time.Duration{time.Hour, 10 * time.Minute, 5 * time.Minute} {
		n, longest := p.shardsFor(limit, 2)
		if longest > limit.Seconds() || longest != p.longestShard(n, 2) {
			t.Errorf("%s: %d shards, the longest takes %v s", limit, n, longest)
		}
		if n > 1 && p.longestShard(n-1, 2) <= limit.Seconds() && n < 20 {
			t.Errorf("%s: %d shards, but %d do", limit, n, n-1)
		}
	}
	// No number of shards makes a cell shorter.
	if n, longest := p.shardsFor(time.Second, 2); longest < p.LongestCellSeconds || n < 1 || n > len(cells) {
		t.Errorf("%d shards, the longest takes %v s", n, longest)
	}
}

// TestPlanShards: -plan -shards says of every shard what -list and -plan say of it alone, whatever is done.
func TestPlanShards(t *testing.T) {
	t.Parallel()
	s := newSession(t, mixed)
	counts := regexp.MustCompile(`(\d+) pending, (\d+) failed\n$`)
	check := func(n int, args ...string) (some int) {
		t.Helper()
		p := s.planOf(append([]string{"-workers", "2", "-shards", strconv.Itoa(n)}, args...)...)
		if len(p.Shards) != n {
			t.Fatalf("%d shards, want %d", len(p.Shards), n)
		}
		for i, x := range p.Shards {
			of := append([]string{"-workers", "2", "-shard", fmt.Sprintf("%d/%d", i, n)}, args...)
			s.run(exitOK, append([]string{"-list"}, of...)...)
			m := counts.FindStringSubmatch(s.stdout)
			if m == nil {
				t.Fatalf("-list of shard %d/%d ends with no counts:\n%s", i, n, s.stdout)
			}
			pending, _ := strconv.Atoi(m[1])
			failed, _ := strconv.Atoi(m[2])
			if alone := s.planOf(of...).WallSeconds["2"]; x.Shard != i || x.Pending != pending+failed || x.Seconds != alone {
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
	s := newSession(t, mixed)
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
	whole := newSession(t, mixed)
	whole.run(exitOK)
	want := whole.results()
	for name, text := range got {
		if want[name] != text {
			t.Errorf("%s differs from that of an ordinary run", name)
		}
	}

	known := &knowledge{states: map[string]state{}}
	all, err := makePlan(t.Context(), mustParse(t, mixed).cells(), known)
	if err != nil {
		t.Fatal(err)
	}
	run, left := calibration(all, math.Inf(1))
	if len(run) != 3 || len(left) != 0 || !slices.IsSortedFunc(run, func(a, b sampleKind) int { return int(math.Copysign(1, a.cost-b.cost)) }) {
		t.Errorf("%v, %v", run, left)
	}
	run, left = calibration(all, run[0].cost*1.01)
	if len(run) != 1 || len(left) != 2 {
		t.Errorf("%v, %v", run, left)
	}
}

// TestPlanTextIsWhole: every kind of line is there, and numbers are aligned by unit.
func TestPlanTextIsWhole(t *testing.T) {
	t.Parallel()
	s := newSession(t, mixed)
	s.run(exitOK, "-plan", "-workers", "3", "-limit", "1ms")
	for _, want := range []string{`(?m)^ +method +cells +done +to compute +CPU time`, `matrices of distances +1 `, `total +14 +0 +14 `,
		`on 1 core .* on 2 cores .* on 3 cores .*\(-workers\), on 8 cores .* on 64 cores`, `The longest cell takes`, `No number of shards is within the limit`} {
		if !regexp.MustCompile(want).MatchString(s.stdout) {
			t.Errorf("the plan lacks %s:\n%s", want, s.stdout)
		}
	}
	for seconds, want := range map[float64]string{0.004: "0.00 s", 12: "12 s", 150: "2.5 min", 8000: "2.2 h", 3.6e6: "1000 h"} {
		if got := duration(seconds); got != want {
			t.Errorf("%v s reads %q, want %q", seconds, got, want)
		}
	}
	for size, want := range map[float64]string{1500: "2 kB", 2.5e6: "2.5 MB", 3e9: "3.0 GB"} {
		if got := diskBytes(size).String(); got != want {
			t.Errorf("%v bytes read %q, want %q", size, got, want)
		}
	}
}
