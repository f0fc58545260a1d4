package main

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/run"
	"ogdl/internal/record"
)

// spoilQuietly flips a bit in the middle of a file and gives it back its time.
func spoilQuietly(t *testing.T, path string) {
	t.Helper()
	info, err := os.Stat(path)
	must(t, err)
	data, err := os.ReadFile(path)
	must(t, err)
	data[len(data)/2] ^= 1
	must(t, os.WriteFile(path, data, 0o666))
	must(t, os.Chtimes(path, time.Time{}, info.ModTime()))
}

// TestQuietDamage: arrays that are damaged without a change of size or time are found by -verify; a run
// that does not read them takes the store's word, and computes them again afterwards.
func TestQuietDamage(t *testing.T) {
	t.Parallel()
	s := newSession(t, exptest.Tiny)
	s.run(exitOK)
	want := s.results()
	id := s.records()[0].ID
	spoilQuietly(t, s.stored("*/" + id + "-*.npz")[0])
	s.run(exitOK)
	s.wantErr("4 done already, 0 to compute")
	s.run(exitOK, "-list")
	s.wantOut("4 done, 0 pending")
	s.run(exitOK, "-list", "-verify")
	s.wantOut("3 done, 1 pending")
	s.wantErr("cell " + id + " cannot be used")
	s.run(exitOK, "-verify")
	s.wantErr("cell "+id+" cannot be used, a run computes it again", "3 done already, 1 to compute")
	s.same(want)
	s.run(exitOK, "-verify")
	s.wantErr("4 done already, 0 to compute")
	for _, with := range []string{"-report", "-plan"} {
		s.run(exitFatal, "-verify", with)
		s.wantErr("has no such flag; it belongs to run, list")
	}
}

// TestSurveyKeepsLittle: what a run holds of a finished cell does not grow with its graphs, epochs and
// parameters.
func TestSurveyKeepsLittle(t *testing.T) {
	const n = 300
	cells := exptest.Parse(t, strings.Replace(exptest.Tiny, "repetitions = 2", fmt.Sprintf("repetitions = %d", n/2), 1)).Cells()
	store, err := record.Open(t.TempDir())
	must(t, err)
	for _, c := range cells {
		r := &record.Record{
			ID: c.ID, Status: record.OK, Method: c.Method.Name, MethodVersion: c.Method.Version, Dataset: c.Dataset,
			Params: c.Params, BaseSeed: c.Seed, Repetition: c.Repetition, LoaderVersion: 1,
			Assignment: make(record.Labels, 1000), EpochLoss: make([]float64, 40), Scores: map[string]float64{"ri": 0.5},
		}
		must(t, store.Put(r, &record.Timing{}, []byte("arrays")))
	}
	held := func() uint64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := held()
	known, _ := run.Survey(t.Context(), store, cells, true, io.Discard)
	each := (float64(held()) - float64(before)) / n // other tests may have let go of some meanwhile
	t.Logf("%.0f bytes for each of %d cells", each, n)
	if len(known) != n || each > 1500 {
		t.Errorf("%.0f bytes held for each of %d records", each, len(known))
	}
	runtime.KeepAlive(known)
	runtime.KeepAlive(cells)
}
