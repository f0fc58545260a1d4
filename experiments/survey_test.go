package main

import (
	"os"
	"strings"
	"testing"
	"time"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/test/must"
)

// spoilQuietly flips a bit in the middle of a file and gives it back its time.
func spoilQuietly(t *testing.T, path string) {
	t.Helper()
	info := must.Get(os.Stat(path))
	data := must.Get(os.ReadFile(path))
	data[len(data)/2] ^= 1
	must.Do(t, os.WriteFile(path, data, 0o666))
	must.Do(t, os.Chtimes(path, time.Time{}, info.ModTime()))
}

// TestQuietDamage: arrays that are damaged without a change of size or time are found by -verify; a run
// that does not read them takes the store's word, and computes them again afterwards. A record that
// cannot be read is named by -list too.
func TestQuietDamage(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	want := s.results()
	id := s.records()[0].ID
	spoilQuietly(t, s.stored("*/" + id + "-*.npz")[0])
	s.run(exitOK).wantErr("4 done already, 0 to compute")
	s.run(exitOK, "-list").wantOut("4 done, 0 pending")
	s.run(exitOK, "-list", "-verify").wantOut("3 done, 1 pending").wantErr("cell " + id + " cannot be used")
	s.run(exitOK, "-verify")
	s.wantErr("cell "+id+" cannot be used, a run computes it again", "3 done already, 1 to compute")
	s.same(want)
	s.run(exitOK, "-verify").wantErr("4 done already, 0 to compute")
	s.write(strings.TrimPrefix(s.store().Path(id), s.dir), "not a record")
	s.run(exitOK, "-list").wantOut("3 done, 1 pending").wantErr("cell " + id + " cannot be used, a run computes it again")
	for _, with := range []string{"-report", "-plan"} {
		s.run(exitFatal, "-verify", with).wantErr("has no such flag; it belongs to run, list")
	}
}
