package main

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ogdl/internal/test/must"
)

// stored lists the files in the session's store that match a pattern.
func (s *session) stored(pattern string) []string {
	s.t.Helper()
	return s.files("out/store/" + pattern)
}

// TestCorruptFilesAreComputedAgain flips a byte of a file of each kind, or cuts it: the run
// names each file, computes what depends on it and nothing else, and the bytes are as before.
func TestCorruptFilesAreComputedAgain(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program again and again")
	}
	t.Parallel()
	s := newSession(t, killable)
	s.run(exitOK)
	want := s.results()
	rng := rand.New(rand.NewPCG(1, 1))
	flip := func(at func(n int) int) func([]byte) []byte {
		return func(good []byte) []byte {
			good[at(len(good))] ^= 1 << rng.IntN(8)
			return good
		}
	}
	spoilt := 0
	for _, spoil := range []func([]byte) []byte{
		flip(func(int) int { return 0 }), flip(func(n int) int { return n - 1 }), flip(rng.IntN), flip(rng.IntN),
		func(good []byte) []byte { return good[:rng.IntN(len(good))] },
	} {
		s.forget("SC") // a matrix is read for cells that are missing
		cells := s.records()
		rng.Shuffle(len(cells), func(i, j int) { cells[i], cells[j] = cells[j], cells[i] })
		block := s.blocks()[rng.IntN(scBlocks)]
		paths := []string{s.stored("*/" + cells[0].ID + ".json")[0], s.stored("*/" + cells[1].ID + "-*.npz")[0], s.stored("*/" + cells[2].ID + ".timing.json")[0],
			block, filepath.Join(filepath.Dir(block), "head.json")}
		for _, path := range paths {
			good := must.Get(os.ReadFile(path))
			must.Do(t, os.WriteFile(path, spoil(good), 0o666))
			spoilt++
		}
		s.run(exitOK, "-verify") // without it a file of the right size is read when somebody uses it
		s.wantErr(paths...)
		s.wantErr("cell "+cells[0].ID+" cannot be used, a run computes it again", "cell "+cells[1].ID+" cannot be used, a run computes it again",
			"the times of cell "+cells[2].ID+" cannot be used, a run computes it again",
			"its description cannot be used, it is written again", "cannot be used, it is computed again",
			"7 to compute", "computed 7 cells", "1 block computed", "9 read from the store")
		s.same(want)
		s.run(exitOK).wantErr("computed 0 cells")
		if strings.Contains(s.stderr, "corrupt") {
			t.Errorf("still corrupt:\n%s", s.stderr)
		}
	}
	t.Logf("%d corrupt files named and computed again", spoilt)
}

// forget removes the records of a method's cells.
func (s *session) forget(method string) {
	s.t.Helper()
	for _, r := range s.records() {
		if r.Method == method {
			must.Do(s.t, os.Remove(filepath.Join(s.dir, "out", "store", r.ID[:2], r.ID+".json")))
		}
	}
}

// TestCorruptTimesAreTold: what a matrix cost only informs; a report names what it cannot read.
func TestCorruptTimesAreTold(t *testing.T) {
	if testing.Short() {
		t.Skip("runs the program again and again")
	}
	t.Parallel()
	s := newSession(t, killable)
	s.run(exitOK)
	want := s.results()
	for _, pattern := range []string{"products/*/*/00003.timing.json", "products/*/*/head.json", "*/*.timing.json"} {
		path := s.stored(pattern)[0]
		good := must.Get(os.ReadFile(path))
		bad := slices.Clone(good)
		bad[len(bad)/2] ^= 1
		must.Do(t, os.WriteFile(path, bad, 0o666))
		s.run(exitOK, "-report").wantErr("left out of the times: record: "+path, "corrupt")
		must.Do(t, os.WriteFile(path, good, 0o666))
		s.same(want)
	}
}
