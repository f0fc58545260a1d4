package main

import (
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/plan"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

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
	if p.Cells != 14 || p.Done != 0 || p.Pending != 14 || p.ShardsForLimit != 0 || p.Products.Pending != 1 || len(p.Kinds) != 3 || p.CPUSeconds != 0 ||
		p.Unmeasured != 15 {
		t.Errorf("%+v", p)
	}
	absent(t, filepath.Join(s.dir, "out"))
	s.run(exitOK, "-plan")
	s.wantOut("grid: 14 cells, 0 done, 14 to compute", "15 cells and products have no time", "run -for 5m")

	// The shards' plans add up.
	pending := 0
	for _, part := range []string{"0/3", "1/3", "2/3"} {
		pending += s.planOf("-shard", part).Pending
	}
	must.Check(t, pending, 14, "cells that the shards are to compute")
	if p := s.planOf("-filter", "method=SC"); p.Cells != 4 || p.Pending != 4 {
		t.Errorf("%+v", p)
	}

	s.run(exitOK, "-filter", "method!=GW-k atoms!=5 gamma!=16")
	p = s.planOf()
	if p.Cells != 14 || p.Done != 8 || p.Pending != 6 || p.Products.Pending != 0 || p.Unmeasured != 2 || !(p.CPUSeconds > 0) || p.DiskBytes <= 0 {
		t.Errorf("%+v", p)
	}
	s.run(exitOK)
	if p = s.planOf("-force"); p.Done != 0 || p.Pending != 14 || p.Products.Pending != 0 || !(p.CPUSeconds > 0) {
		t.Errorf("-force: %+v", p)
	}
	p = s.planOf("-limit", "1h")
	if p.Done != 14 || p.Pending != 0 || p.CPUSeconds != 0 || p.DiskBytes != 0 || p.ShardsForLimit != 0 || p.Products.Pending != 0 {
		t.Errorf("%+v", p)
	}
}

// retime sets the CPU time of all done cells, and of the blocks of matrices.
func (s *session) retime(seconds func(c *spec.Cell) float64) {
	s.t.Helper()
	cells := exptest.Parse(s.t, read(s.t, filepath.Join(s.dir, "grid.toml"))).Cells()
	store := s.store()
	for _, c := range cells {
		r, err := store.Get(c.ID)
		if err != nil || r == nil {
			continue
		}
		arrays := must.Get(store.NPZ(c.ID))
		must.Do(s.t, store.Put(r, &record.Timing{ID: c.ID, Seconds: 1e6, CPUSeconds: seconds(c)}, arrays))
	}
}

// TestPlanScales: cells that are missing are expected to take what cells of their method on their data set took, by their work. Cells of the
// grid count alone; those of other grids count for kinds of which the grid has no time.
func TestPlanScales(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Mixed)
	s.run(exitOK, "-filter", "atoms<=3 method=GDL")
	seconds := 7.0
	s.retime(func(c *spec.Cell) float64 { return seconds * c.Work() })
	expect := func(timings int) {
		t.Helper()
		var want float64
		for _, c := range exptest.Parse(t, read(t, filepath.Join(s.dir, "grid.toml"))).Cells() {
			if c.Method.Name == "GDL" && c.Params.Integer("atoms") > 3 {
				want += seconds * c.Work()
			}
		}
		for _, k := range s.planOf().Kinds {
			if k.Method == "GDL" && (!(math.Abs(k.CPUSeconds-want) <= 1e-9*want) || k.Timings != timings) ||
				k.Method != "GDL" && (k.CPUSeconds != 0 || k.Timings != 0) {
				t.Errorf("%+v, want %v s by %d timings", k, want, timings)
			}
		}
	}
	expect(4)
	s.write("grid.toml", strings.Replace(exptest.Mixed, "epochs = 2", "epochs = 3", 1))
	if p := s.planOf("-filter", "method=GDL"); p.Kinds[0].Timings != 4 || p.Unmeasured != 0 || !(p.CPUSeconds > 0) {
		t.Errorf("times of another grid: %+v", p)
	}
	s.run(exitOK, "-plan", "-filter", "method=GDL", "-limit", "9h")
	s.wantOut("\nMeasured in other configurations, whose cells may be shorter or longer: GDL on D1.\nShards that each end within 9h0m0s with -workers ")
	s.run(exitOK, "-filter", "method=GDL atoms=2,3")
	seconds = 3
	s.retime(func(c *spec.Cell) float64 { return seconds * c.Work() })
	expect(4)
	s.write("grid.toml", "table = \"clustering\"\n[[grid]]\ndataset = \"MUTAG\"\nmethod = \"GDL\"\natoms = [2, 4]\n")
	s.run(exitOK, "-plan").wantOut("10 cells and products have no time")
}

// TestPlanShards: -plan -shards says of every shard what -list and -plan say of it alone, whatever is done.
func TestPlanShards(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Mixed)
	counts := regexp.MustCompile(`(\d+) pending, (\d+) failed\n$`)
	check := func(n int, args ...string) (some int) {
		t.Helper()
		p := s.planOf(append([]string{"-workers", "2", "-shards", strconv.Itoa(n)}, args...)...)
		must.Equal(t, len(p.Shards), n, "shards")
		for i, x := range p.Shards {
			of := append([]string{"-shard", fmt.Sprintf("%d/%d", i, n)}, args...)
			s.run(exitOK, append([]string{"-list"}, of...)...)
			m := counts.FindStringSubmatch(s.stdout)
			if m == nil {
				t.Fatalf("-list of shard %d/%d ends with no counts:\n%s", i, n, s.stdout)
			}
			pending, _ := strconv.Atoi(m[1])
			failed, _ := strconv.Atoi(m[2])
			if alone := s.planOf(append(of, "-workers", "2")...).WallSeconds; x.Shard != i || x.Pending != pending+failed || x.Seconds != alone {
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
			must.Do(t, s.store().Put(r, nil, nil))
			failed++
		}
	}
	must.Equal(t, failed, 3, "failures")
	check(1)
	check(3)
	check(4, "-filter", "method=GDL")
	if some := check(20); some == 0 || some > 9 {
		t.Errorf("%d of 20 shards have something to compute, of 9 cells", some)
	}
	s.run(exitOK, "-plan", "-shards", "3", "-workers", "2").wantOut("Of 3 shards ", "time with -workers 2")
	s.run(exitOK, "-filter", "method=GDL")
	must.Check(t, check(3, "-filter", "method=GDL"), 0, "shards of a finished grid have something to compute")
	if p := s.planOf(); p.Shards == nil || len(p.Shards) != 0 {
		t.Errorf("without -shards: %+v", p.Shards)
	}
}

// TestPlanTextIsWhole: every kind of line is there, and numbers are aligned by unit.
func TestPlanTextIsWhole(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Mixed)
	s.run(exitOK, "-filter", "method!=GW-k atoms!=5 gamma!=16")
	s.run(exitOK, "-plan", "-workers", "3", "-limit", "1ns", "-force")
	for _, want := range []string{`(?m)^ +method +cells +done +to compute +CPU time +disk +not measured`, `GW-k on D1 +2 +0 +2 `, `total +14 +0 +14 `,
		`^grid: 14 cells, .*No total is known: 2 of 14 cells and products have no measured time\n`,
		`Time with -workers 3: at least `, `No number of shards was found that each end within 1ns with -workers 3: of at least \d+ the longest takes at least `,
		`2 cells and products have no time`} {
		if !regexp.MustCompile(want).MatchString(s.stdout) {
			t.Errorf("the plan lacks %s:\n%s", want, s.stdout)
		}
	}
	for seconds, want := range map[float64]string{0.004: "0.00 s", 12: "12 s", 150: "2.5 min", 8000: "2.2 h", 3.6e6: "1000 h"} {
		must.Check(t, plan.Duration(seconds), want, "%v s reads", seconds)
	}
	for size, want := range map[float64]string{1500: "2 kB", 2.5e6: "2.5 MB", 3e9: "3.0 GB"} {
		must.Check(t, plan.DiskBytes(size).String(), want, "%v bytes read", size)
	}
}
