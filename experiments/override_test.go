package main

import (
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
	"ogdl/reports"
)

func idsIn(cells []*spec.Cell) (ids []string) {
	for _, c := range cells {
		ids = append(ids, c.ID)
	}
	return ids
}

// TestSet: -set gives the cells of the edited file, says so on the page, and leaves a configuration with the same cells.
func TestSet(t *testing.T) {
	t.Parallel()
	s := newSession(t, "# The head.\n"+exptest.Tiny)
	s.run(exitOK, "-set", "atoms=2", "-set", "lambda = [0, 0.02]")
	s.wantErr("grid.toml -set atoms=2 -set 'lambda=[0, 0.02]'\n", "4 cells: 0 done already, 4 to compute")
	made := s.results()
	kept := read(t, filepath.Join(s.dir, "out", "grid", reports.ConfigFile))
	if !strings.HasPrefix(kept, "# The head.\n# -set atoms=2\n# -set lambda=[0, 0.02]\n") {
		t.Errorf("the configuration that was run reads\n%s", kept)
	}
	must.Check(t, strings.Contains(exptest.Parse(t, kept).Ran, "# -set"), false, "a copy of it says what was set before")
	edited := strings.NewReplacer("atoms = 3", "atoms = 2", "[0, 0.01]", "[0, 0.02]").Replace(exptest.Tiny)
	want := idsIn(exptest.Parse(t, edited).Cells())
	must.Same(t, idsIn(exptest.Parse(t, kept).Cells()), want, "its cells")
	if page := read(t, filepath.Join(s.dir, "out", "grid", reports.IndexPage)); !strings.Contains(page, "# -set atoms=2") || !strings.Contains(page, "atoms = 2") {
		t.Error("the page does not show what was run")
	}
	for _, id := range want {
		if !slices.ContainsFunc(s.records(), func(r *record.Record) bool { return r.ID == id }) {
			t.Errorf("cell %s is not there", id)
		}
	}
	// A report is of what was run, and other verbs of what they are given.
	s.run(exitOK, "-report").wantErr("grid.toml -set atoms=2 -set 'lambda=[0, 0.02]'\n")
	s.same(made)
	s.run(exitOK, "-report", "-set", "lambda=[0, 0.02]", "-set", "atoms=2")
	s.run(exitOK, "-cell", want[0], "-set", "atoms=2", "-set", "lambda=[0, 0.02]")
	s.wantOut("grid.toml -set atoms=2 -set 'lambda=[0, 0.02]' -out ")
	s.run(exitOK, "-list").wantOut("0 done, 4 pending")
	s.run(exitOK, "-list", "-set", "atoms=2").wantOut("2 done, 2 pending")
	s.run(exitOK).wantErr("4 to compute")
	s.run(exitOK, "-report").wantErr("grid.toml\n")
	if kept = read(t, filepath.Join(s.dir, "out", "grid", reports.ConfigFile)); strings.Contains(kept, "# -set") {
		t.Errorf("the configuration reads\n%s", kept)
	}
}

// TestWhoTakesSettings: report and embed take the -set of the run in the result folder, verdicts does not.
func TestWhoTakesSettings(t *testing.T) {
	dir := t.TempDir()
	place := filepath.Join(dir, "smoke", reports.ConfigFile)
	must.Do(t, os.MkdirAll(filepath.Dir(place), 0o777))
	must.Do(t, os.WriteFile(place, []byte(grid.SetLine+"atoms=2\n"), 0o666))
	for verb, want := range map[string]int{"report": 1, "embed": 1, "verdicts": 0} {
		o := newOptions(verb)
		o.config, o.out = grid.Embedded+"smoke.toml", dir
		must.Do(t, must.Err(program{methods: protocol.Methods(), stderr: io.Discard}.open(o)))
		must.Check(t, len(o.set), want, "settings of %s", verb)
	}
}

// TestSetInBlocks: every block that has the key gets the value, and no other.
func TestSetInBlocks(t *testing.T) {
	t.Parallel()
	s := newSession(t, killable)
	s.run(exitOK, "-list", "-set", "order=6", "-set", "sbm_graphs=5", "-set", "gamma=2.0")
	edited := strings.NewReplacer("order = 5", "order = 6", "sbm_graphs = 4", "sbm_graphs = 5", "[1, 16]", "2.0").Replace(killable)
	for _, id := range idsIn(exptest.Parse(t, edited).Cells()) {
		s.wantOut(id)
	}
	must.Check(t, strings.Count(s.stdout, "  pending  "), len(exptest.Parse(t, edited).Cells()), "cells")
	s.run(exitFatal, "-list", "-set", "dataset=D2").wantErr(`clusters = "classes": D2 has no classes; must be a number`)
}

// TestSetMistakes: each is named by its key with what was expected, and nothing is written.
func TestSetMistakes(t *testing.T) {
	t.Parallel()
	s := newSession(t, killable)
	for _, c := range []struct{ set, want string }{
		{"atms=3", "-set: atms = 3: unknown key; did you mean atoms?"},
		{"alpha=0.5", "-set: alpha = 0.5: no [[grid]] block of grid.toml has this key; there are atoms, "},
		{"repetitions=3", "-set: repetitions = 3: is a top-level key; -set overrides keys of [[grid]] blocks: atoms, "},
		{"atoms=0", "-set: atoms = 0: must be an integer from 1 to "},
		{"atoms=many", `-set: atoms = "many": must be an integer from 1 to `},
		{"atoms=[2, 2]", "-set: atoms = 2: listed twice"},
		{"init=randm", `-set: init = "randm": must be "sample", `},
		{"dataset=MUTG", `-set: dataset = "MUTG": unknown data set`},
		{"method=SC", "unknown key for method SC"},
		{"atoms", "must be key=value, such as atoms=6"},
		{"=3", "must be key=value"},
		{"atoms=", "must be key=value"},
		{"atoms=3\ntable=2", "must be key=value"},
	} {
		s.run(exitFatal, "-set", c.set).wantErr(c.want)
	}
	s.run(exitFatal, "-set", "sbm_graphs=-1")
	if n := strings.Count(s.stderr, "sbm_graphs"); n != 1 {
		t.Errorf("three blocks have the key, and %d mistakes are named:\n%s", n, s.stderr)
	}
	s.run(exitFatal, "-set", "atoms=2", "-set", "atoms=3").wantErr("atoms is set twice")
	absent(t, filepath.Join(s.dir, "out"))
}
