package main

import (
	"fmt"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/test/must"
)

// raceGrid is a grid whose three rows race: some settings of each are ruled out.
var raceGrid = `table = "clustering"
repetitions = 5
confirm = 3
race = true
` + exptest.D1(`method = "GDL"
lambda = [0, 0.01, 0.1]
atoms = [1, 2, 3, 4]
order = 4
init = "random"
epochs = 2
batch = 4
kmeans_restarts = 2
`) + exptest.D1("method = \"SC\"\ngamma = [0.001, 1, 16, 1024]\nlabels = [\"kmeans\", \"discretise\"]\n")

// TestRace: a run computes only what can still be selected, list, plan and tables say what is ruled out, and the
// selected settings are those of the whole grid. What is decided does not depend on workers, on the order of cells, on
// shards or on interruptions.
func TestRace(t *testing.T) {
	t.Parallel()
	s := newSession(t, raceGrid)
	if p := s.planOf(); p.Cells != 100 || p.Pending != 23 || p.MayBe.Cells != 77 || p.RuledOut != 0 {
		t.Errorf("before: %d cells, %d to compute, %d may be, %d ruled out", p.Cells, p.Pending, p.MayBe.Cells, p.RuledOut)
	}
	s.run(exitOK, "-plan").wantOut("23 to compute, 77 more unless a race rules them out")
	s.run(exitOK, "-workers", "1")
	s.wantErr("23 cells: 0 done already, 23 to compute", "race: 17 cells: 0 done", "race: 12 cells: 0 done", "computed 94 cells")
	want := s.results()
	for file, part := range map[string]string{
		"clustering.txt": " of 4 settings have all repetitions. A race ruled out 1 setting after ",
		"clustering.md":  "| 3 of 4 |",
	} {
		must.Contain(t, strings.Join(strings.Fields(want["grid/"+file]), " "), part)
	}
	if strings.Contains(want["grid/clustering.txt"], "#") {
		t.Error("the choice is marked as one among a part of the grid")
	}
	if p := s.planOf(); p.Pending != 0 || p.MayBe.Cells != 0 || p.RuledOut != 24 || p.ToBeChosen.Most != 0 {
		t.Errorf("after: %d to compute, %d may be, %d ruled out, %d to be chosen", p.Pending, p.MayBe.Cells, p.RuledOut,
			p.ToBeChosen.Most)
	}
	s.run(exitOK, "-list")
	s.wantOut("  ruled out  GDL D1 atoms=1 ", "94 done, 0 pending, 0 failed, 24 ruled out by a race\n")

	runsTheSame(t, raceGrid, want, "-workers", "3")
	interruptedTheSame(t, raceGrid, want)
	shards := newSession(t, raceGrid)
	must.Check(t, shards.try(t.Context(), "-shard", "0/2"), exitFatal, "a race by shards: exit code")
	shards.wantErr("a race decides between whole repetitions", "-filter repetition=0")
	for _, k := range []int{0, 1, 1, 2, 3, 4} { // the pilots' repetition 1 comes first
		shards.run(exitOK, "-plan", "-shards", "2", "-filter", fmt.Sprintf("repetition=%d", k))
		for _, part := range []string{"1/2", "0/2"} {
			shards.run(exitOK, "-filter", fmt.Sprintf("repetition=%d", k), "-shard", part)
		}
	}
	shards.run(exitOK).wantErr("76 cells: 76 done already, 0 to compute")
	shards.same(want)

	// The whole grid afterwards finds them done, and selects the same.
	chosen := func() (out []string) {
		for line := range strings.Lines(read(t, s.dir+"/out/grid/clustering_configurations.csv")) {
			if strings.Contains(line, "with labels") {
				out = append(out, strings.Join(strings.Split(line, ",")[:6], ","))
			}
		}
		return out
	}
	raced := chosen()
	s.write("grid.toml", strings.Replace(raceGrid, "race = true\n", "", 1))
	s.run(exitOK).wantErr("100 cells: 76 done already, 24 to compute")
	if whole := chosen(); len(raced) < 3 || strings.Join(whole, "\n") != strings.Join(raced, "\n") {
		t.Errorf("selected by the race:\n%s\nof the whole grid:\n%s", raced, whole)
	}
}
