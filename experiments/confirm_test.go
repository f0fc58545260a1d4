package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/run"
	"ogdl/internal/disktest"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// confirmGrid is a grid of two rows of four configurations each, whose choices three fresh
// repetitions confirm. Learning is poor, so that scores differ.
var confirmGrid = head("clustering") + "confirm = 3\n" + exptest.D1(`method = "GDL"
lambda = [0, 0.01]
atoms = [1, 2, 3, 4]
order = 4
init = "random"
epochs = 1
batch = 4
kmeans_restarts = 1
`)

var unconfirmed = strings.Replace(confirmGrid, "confirm = 3\n", "", 1)

// idsOf are the ids of -list; confirmGrid ones only, if asked.
func (s *session) idsOf(confirmGrid bool) []string {
	s.t.Helper()
	s.run(exitOK, "-list")
	var out []string
	for line := range strings.Lines(s.stdout) {
		if id, _, found := strings.Cut(line, "  "); found && (!confirmGrid || strings.Contains(line, "[confirms a choice]")) {
			out = append(out, id)
		}
	}
	return out
}

// TestConfirm: after the grid the chosen configurations are computed on fresh repetitions, as
// the ordinary cells that a larger grid asks for, and nothing that is chosen or drawn
// depends on them. Flags and gc treat them as cells of the grid.
func TestConfirm(t *testing.T) {
	t.Parallel()
	s := newSession(t, confirmGrid)
	s.write("grid.toml", "seed = [2, 1]\n"+confirmGrid)
	s.run(exitOK, "-list").wantOut("32 cells: 0 done, 32 pending, 0 failed, 12 to 24 to be chosen\n")
	s.write("grid.toml", confirmGrid)
	s.run(exitOK, "-list").wantOut("16 cells: 0 done, 16 pending, 0 failed, 6 to 12 to be chosen\n")
	s.run(exitOK, "-plan").wantOut("16 cells, 0 done, 16 to compute, 6 to 12 to be chosen")
	if p := s.planOf(); p.Cells != 16 || p.ToBeChosen.Least != 6 || p.ToBeChosen.Most != 12 || p.ToBeChosen.CPUSeconds != 0 {
		t.Errorf("%+v", p.ToBeChosen)
	}
	s.run(exitOK).wantErr("16 cells: 0 done already, 16 to compute", "re-runs: ")
	want := s.results()
	extra := s.idsOf(true)
	if n := len(extra); n < 6 || n > 12 || n%3 != 0 || n != len(s.records())-16 {
		t.Fatalf("%d cells confirm choices, of %d records", n, len(s.records()))
	}
	s.wantOut(fmt.Sprintf("%d cells: %d done, 0 pending, 0 failed\n", 16+len(extra), 16+len(extra)))
	if p := s.planOf(); p.Cells != 16+len(extra) || p.Pending != 0 || p.ToBeChosen.Most != 0 {
		t.Errorf("%d cells, %d pending, %+v", p.Cells, p.Pending, p.ToBeChosen)
	}
	for _, r := range s.records() {
		if slices.Contains(extra, r.ID) != (r.Repetition >= 2) || r.Repetition >= 5 {
			t.Errorf("%s is repetition %d", r.ID, r.Repetition)
		}
	}
	s.run(exitOK)
	s.wantErr("16 cells: 16 done already, 0 to compute", fmt.Sprintf("re-runs: %d cells: %d done already, 0 to compute", len(extra), len(extra)))
	s.same(want)
	s.run(exitOK, "-report")
	s.same(want)

	// A grid without them chooses and draws the same.
	plain := newSession(t, unconfirmed)
	plain.run(exitOK)
	for name, text := range plain.results() {
		if (ofCell(name) || strings.Contains(name, "figures") || strings.Contains(name, "_configurations")) && want[name] != text {
			t.Errorf("%s depends on the confirmation", name)
		}
	}
	// A larger grid finds them done.
	larger := strings.Replace(unconfirmed, "repetitions = 2", "repetitions = 5", 1)
	s.write("grid.toml", larger)
	s.run(exitOK, "-list")
	s.wantOut(fmt.Sprintf("40 cells: %d done, %d pending, 0 failed\n", 16+len(extra), 24-len(extra)))
	if testing.Short() {
		return // the rest takes long under the race detector, and has nothing for it
	}

	// What -cell, -rerun, -force and -gc do with cells that confirm.
	s.write("grid.toml", confirmGrid)
	s.run(exitOK, "-cell", extra[1]).wantErr("computed 1 cell in").wantOut("the same bytes as before")
	s.run(exitOK, "-force", "-filter", "repetition=3")
	s.wantErr(fmt.Sprintf("re-runs: %d cells: 0 done already", len(extra)/3))
	s.same(want)
	s.run(exitOK, "-force").wantErr(fmt.Sprintf("computed %d cells", 16+len(extra)))
	s.same(want)

	s.age()
	if g := s.named(confirmGrid); g.kept.n != 16+len(extra) || len(g.garbage) > 0 {
		t.Errorf("%v are kept, %d are not", g.kept, len(g.garbage))
	}

	// A row that is not whole may be confirmed again as it was: nothing goes, nothing is chosen.
	gone := s.idsOf(false)[0]
	must.Do(t, os.Remove(s.store().Path(gone)))
	s.age()
	if g := s.named(confirmGrid); len(g.garbage) > 0 {
		t.Errorf("%d would go", len(g.garbage))
	}
	s.run(exitOK, "-list").wantOut("3 to 6 to be chosen")
	s.run(exitOK, "-rerun", "failed") // nothing is failed
	s.wantErr("1 row whose cells are not all there: 3 to 6 to be chosen", "computed 0 cells")
	s.run(exitOK).wantErr("16 cells: 15 done already, 1 to compute", "0 to compute")
	s.same(want)

	// Fewer repetitions, and none of them is named any more.
	s.write("grid.toml", unconfirmed)
	s.run(exitOK)
	s.age()
	if g := s.named(unconfirmed); len(g.garbage) != len(extra) {
		t.Errorf("%d would go, want %d", len(g.garbage), len(extra))
	}
}

// TestConfirmIsTheSame: whatever the workers, the filters and the shards, together or copied
// into one folder.
func TestConfirmIsTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	t.Parallel()
	whole := newSession(t, confirmGrid)
	whole.run(exitOK, "-workers", "1")
	want := whole.results()
	runsTheSame(t, confirmGrid, want, "-workers", "3")

	filtered := newSession(t, confirmGrid)
	filtered.run(exitOK, "-filter", "repetition=0")
	filtered.wantErr("2 rows whose cells are not all there: 6 to 12 to be chosen")
	must.Check(t, len(filtered.records()), 8, "records after half of the grid")
	filtered.run(exitOK, "-filter", "repetition=1", "-filter", "lambda=0")
	if n := len(filtered.idsOf(true)); n == 0 || n > 6 {
		t.Errorf("%d cells confirm the row that is whole", n)
	}
	filtered.wantOut("3 to 6 to be chosen")
	filtered.run(exitOK, "-filter", "repetition=1")
	filtered.run(exitOK, "-report")
	filtered.same(want)

	together := newSession(t, confirmGrid)
	together.run(exitOK, "-shard", "1/2")
	together.run(exitOK, "-shard", "0/2").wantErr("shard 0/2: re-runs: ")
	together.run(exitOK, "-report")
	together.same(want)

	apart := newSession(t, confirmGrid)
	for i := range 3 {
		one := newSession(t, confirmGrid)
		one.run(exitOK, "-shard", fmt.Sprintf("%d/3", i))
		copyOver(t, filepath.Join(apart.dir, "out", "store"), filepath.Join(one.dir, "out", "store"))
	}
	must.Check(t, len(apart.records()), 16, "records of shards apart")
	// The choices are known now, and shards part what confirms them.
	left := apart.planOf("-shards", "2")
	sum := 0
	for i, x := range left.Shards {
		apart.run(exitOK, "-shard", fmt.Sprintf("%d/2", i)).wantErr(fmt.Sprintf(", %d to compute", x.Pending))
		sum += x.Pending
	}
	if sum != len(apart.records())-16 || sum != left.Pending {
		t.Errorf("%d in shards, %d pending, %d records", sum, left.Pending, len(apart.records()))
	}
	apart.run(exitOK, "-report")
	apart.same(want)
}

// TestNothingIsConfirmedOfAFailedRow: its cells are not all there.
func TestNothingIsConfirmedOfAFailedRow(t *testing.T) {
	t.Parallel()
	s, calls := probeSession(t, `"ok", "fail"`, 0)
	s.write("grid.toml", strings.Replace(read(t, filepath.Join(s.dir, "grid.toml")), "repetitions = 2", "repetitions = 2\nconfirm = 4", 1))
	s.run(exitFailed).wantErr("1 row whose cells are not all there: 4 to 8 to be chosen")
	must.Check(t, calls.Load(), 4, "fits, those of the grid")
	s.methods[len(s.methods)-1].Fit = probeOK
	s.run(exitOK, "-rerun", "failed")
	s.wantErr("2 done already, 2 to compute", "re-runs: 4 cells: 0 done already, 0 to compute")
	s.run(exitOK)
	s.wantErr("4 cells: 4 done already, 0 to compute", "re-runs: 4 cells: 0 done already, 4 to compute")
	must.Check(t, len(s.records()), 8, "records")
}

// TestChoiceFollowsTheGrid: a grid that grows chooses anew among all its cells, and confirms that.
func TestChoiceFollowsTheGrid(t *testing.T) {
	if testing.Short() {
		t.Skip("takes long under the race detector, and has nothing for it")
	}
	t.Parallel()
	whole := newSession(t, confirmGrid)
	whole.run(exitOK)
	want := whole.idsOf(true)
	s := newSession(t, strings.Replace(confirmGrid, "[1, 2, 3, 4]", "[1]", 1))
	s.run(exitOK)
	first := s.idsOf(true)
	must.Check(t, len(first), 6, "cells that confirm two rows of one configuration")
	s.write("grid.toml", confirmGrid)
	s.run(exitOK, "-list").wantOut("6 to 12 to be chosen")
	s.run(exitOK)
	must.Same(t, s.idsOf(true), want, "cells that confirm")
	done := map[string]bool{}
	for _, r := range s.records() {
		done[r.ID] = r.Status == record.OK
	}
	for _, id := range slices.Concat(first, want) {
		if !done[id] {
			t.Errorf("%s is not there", id)
		}
	}
}

// TestReportReadsRecordsOnce: the choices are made from the records that the tables are made from.
func TestReportReadsRecordsOnce(t *testing.T) {
	t.Parallel()
	s := newSession(t, strings.Replace(confirmGrid, "[1, 2, 3, 4]", "[1]", 1))
	s.run(exitOK)
	c := exptest.Config(t, filepath.Join(s.dir, "grid.toml"))
	store, files := counted(t, filepath.Join(s.dir, "out"))
	if _, _, err := frameOf(t.Context(), c, c.Cells(), store, io.Discard); err != nil {
		t.Fatal(err)
	}
	for id, n := range files.heads {
		must.Check(t, n, 1, "reads of %s", id)
	}
	must.Check(t, len(files.heads), 4+6, "records that are read")
}

// TestSeedsInAnyOrder: a report finds a row whole, and its confirmation, whatever the order of the seeds.
func TestSeedsInAnyOrder(t *testing.T) {
	t.Parallel()
	c := exptest.Parse(t, "seed = [2, 1]\n"+strings.Replace(confirmGrid, "[1, 2, 3, 4]", "1", 1))
	store := must.Get(record.OpenOn(disktest.New(), "/out"))
	for _, x := range c.Cells() {
		for _, y := range append(run.Fresh(c, x), x) {
			must.Do(t, store.Put(exptest.Record(y, fmt.Sprint("data of seed ", y.Seed)), nil, nil))
		}
	}
	f := must.First(frameOf(t.Context(), c, c.Cells(), store, io.Discard))
	confirmed := 0
	for r := range f.All() {
		if r.Confirm {
			confirmed++
		}
	}
	must.Check(t, confirmed, 2*2*3, "confirming cells in the report, 3 of each of 2 rows and seeds")
}
