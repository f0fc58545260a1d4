//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"ogdl/experiments/internal/fit"
	"ogdl/internal/artifact"
	"ogdl/internal/test/must"

	"github.com/google/go-cmp/cmp"
)

// TestFitKilled kills a fit at moments from its beginning to its last files, and gives the same
// command again: it goes on, computes no cell twice, and the folder is the same as without a kill.
// Files depend neither on the workers nor on a fit that was stopped while it wrote them. Another
// seed gives other files. embed finds the weights and clusters again.
func TestFitKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program again and again")
	}
	s := newSession(t, "")
	graphs := s.writeLines("d1.jsonl", 4, false)
	args := func(out, workers string) []string {
		return []string{"fit", "-graphs", graphs, "-atoms", "2..3", "-clusters", "2..3", "-order", "5", "-set", "epochs=2", "-out", out,
			"-workers", workers}
	}
	const cells = 2 * 2 * fit.Repetitions
	whole, embedded := filepath.Join(s.dir, "whole"), filepath.Join(s.dir, "embedded")
	s.verb(exitOK, "fit", args(whole, "1")[1:]...)
	want := filesBelow(t, whole, unpromised)
	same := func(folder, after string) {
		t.Helper()
		if diff := cmp.Diff(want, filesBelow(t, folder, unpromised)); diff != "" {
			t.Errorf("%s other files (-want +got):\n%.2000s", after, diff)
		}
	}
	s.verb(exitOK, "embed", "-from", whole, "-data", graphs, "-out", embedded)
	learned, found := readArrays(t, filepath.Join(whole, fit.DictionaryFile)), readArrays(t, embedded+".npz")
	if !slices.Equal(learned[artifact.Weights].Float, found[artifact.Weights].Float) ||
		!slices.Equal(learned[artifact.Assignment].Int, found[artifact.Assignment].Int) {
		t.Error("embed finds other weights or clusters than the fit")
	}
	must.Do(t, os.WriteFile(filepath.Join(whole, fit.UnfinishedFile), nil, 0o666))
	s.verb(exitFatal, "embed", "-from", whole, "-data", graphs, "-out", embedded)
	s.wantErr(whole+": a fit was stopped while it wrote this folder", "-force")
	s.verb(exitOK, "fit", append(args(whole, "4"), "-force")[1:]...)
	same(whole, "after a fit that was stopped")
	s.verb(exitOK, "fit", append(args(whole, "4"), "-force", "-seed", "2")[1:]...)
	if filesBelow(t, whole, unpromised)["graphs.csv"] == want["graphs.csv"] {
		t.Error("another seed gives the same file")
	}
	moments := min(20, max(2, *kills/5))
	killed := 0
	for k := range moments {
		out := filepath.Join(s.dir, fmt.Sprint("killed", k))
		// The last quarter of the moments is after the last cell, among figures and files.
		goal := (cells + 1) * 4 * k / (3 * moments)
		c := s.startVerb("", args(out, []string{"1", "2", "8"}[k%3])...)
		for !c.ended() && recordsIn(out) < min(goal, cells) {
			time.Sleep(200 * time.Microsecond)
		}
		if goal > cells {
			for late := time.Now().Add(time.Duration(goal-cells) * 8 * time.Millisecond); !c.ended() && time.Now().Before(late); {
				time.Sleep(200 * time.Microsecond)
			}
		}
		if err := c.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		if c.wait() == exitOK { // it was faster
			continue
		}
		killed++
		before := recordsIn(out)
		again := s.startVerb("", args(out, "2")...)
		if code := again.wait(); code != exitOK || !strings.Contains(again.output(), fmt.Sprintf("%d done already", before)) && before > 0 {
			t.Fatalf("moment %d, %d cells: exit code %d\n%s", k, before, code, again.output())
		}
		same(out, fmt.Sprintf("killed at moment %d", k))
	}
	t.Logf("%d kills of a fit at %d moments", killed, moments)
	if killed < moments/2 {
		t.Errorf("%d kills at %d moments", killed, moments)
	}
}

// recordsIn counts the records in a folder of results.
func recordsIn(out string) int {
	found, _ := filepath.Glob(filepath.Join(out, "store", "??", "*.json"))
	n := 0
	for _, path := range found {
		if !strings.Contains(path, "timing") {
			n++
		}
	}
	return n
}
