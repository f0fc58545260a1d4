package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ogdl/experiments/internal/protocol"
	"ogdl/internal/ledger"
	"ogdl/internal/sharedtest"
	"ogdl/internal/test/must"
)

// TestCheck computes one run of a number of the paper; a ledger with another score is exit code 3. Nothing is written.
func TestCheck(t *testing.T) {
	t.Parallel()
	data := sharedtest.Data(t, "MUTAG")
	dir := t.TempDir()
	published := publishedOf(t, filepath.Join(dir, "published"), "MUTAG_GDL")
	right, forged := filepath.Join(dir, "right"), filepath.Join(dir, "forged")
	publishedOf(t, right, "MUTAG_WLK")
	for path, factor := range map[string]float64{right: 1, forged: 1.01} {
		l := must.Get(ledger.Open(path))
		for _, id := range published.IDs() {
			r, tm := published.Find(id)
			r.Scores = maps.Clone(r.Scores) // the ledger holds them once
			r.Scores["ri"] *= factor
			must.Do(t, must.Err(l.Add(r, r.Kept, tm, nil)))
		}
		must.Do(t, l.Save())
	}
	s := &session{t: t, dir: dir, methods: protocol.Methods()}
	check := func(want int, wants string, args ...string) {
		t.Helper()
		code := s.program(context.Background(), append([]string{"check", "-table", "clustering-quick"}, args...)...)
		if out := s.stdout + s.stderr; code != want || !strings.Contains(out, wants) {
			t.Errorf("check %s: exit code %d, want %d and %q\n%s", args, code, want, wants, out)
		}
	}
	check(exitOK, "MUTAG GDL, alpha 0.9997, atoms_per_class 2, repetition 5: Rand Index 72.31, as in the ledger; the paper has 70.02 (0.29)\n",
		"MUTAG", "GDL", "-ledger", right, "-data", data)
	check(exitFailed, "Rand Index 72.31, NOT as in the ledger, which has 73.04", "MUTAG", "GDL", "-ledger", forged, "-data", data)
	check(exitFatal, "fetch it by: scripts/fetch_tudatasets.sh MUTAG", "MUTAG", "GDL", "-ledger", right, "-data", filepath.Join(dir, "none"))
	check(exitFatal, "did you mean MUTAG GDL?", "MUTAG", "GLD", "-ledger", right)
	check(exitFatal, "did you mean MUTAG GDL-w (ADJ) or MUTAG GDL-w (SP)?", "MUTAG", "GDL-w", "-ledger", right, "-table", "classification")
	check(exitOK, "MUTAG WLK, depth 1, repetition 0: accuracy ", "MUTAG", "WLK", "-ledger", right, "-data", data, "-table", "classification")
	check(exitFatal, "MUTAG SC: the ledger has no run of it", "MUTAG", "SC", "-ledger", right)
	check(exitOK, "atoms_per_class 2, repetition 5: Rand Index 73.77, as in the ledger", "MUTAG", "GDL", "-ledger", right, "-data", data, "-table", "clustering_released")
	check(exitFatal, "no table of scores has this name", "MUTAG", "GDL", "-ledger", right, "-table", "figures")
	check(exitFatal, "check: expected DATASET METHOD, as in: ogdl check MUTAG GDL", "MUTAG")
	if left, _ := filepath.Glob(filepath.Join(dir, "*")); len(left) != 3 {
		t.Errorf("files: %s", left)
	}
}

// publishedOf copies a file of the published ledger into a folder, and opens it.
func publishedOf(t *testing.T, folder, name string) *ledger.Ledger {
	t.Helper()
	name += ledger.Ending
	text := read(t, filepath.Join("..", "docs", reproductionFolder, "ledger", name))
	must.Do(t, errors.Join(os.MkdirAll(folder, 0o777), os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666)))
	return must.Get(ledger.Open(folder))
}
