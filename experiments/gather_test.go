package main

import (
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/internal/disk"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// countingFiles counts how often records are read.
type countingFiles struct {
	disk.OS
	mu    sync.Mutex
	heads map[string]int // by id
}

func (f *countingFiles) Open(path string) (io.ReadCloser, error) {
	if id, isRecord := strings.CutSuffix(filepath.Base(path), ".json"); isRecord && len(id) == len(record.ID(nil)) {
		f.mu.Lock()
		f.heads[id]++
		f.mu.Unlock()
	}
	return f.OS.Open(path)
}

// counted opens the store of a result folder, and what counts its reads.
func counted(t *testing.T, dir string) (*record.Store, *countingFiles) {
	t.Helper()
	files := &countingFiles{heads: map[string]int{}}
	store := must.Get(record.OpenOn(files, dir))
	return store, files
}

// TestGather: a report reads every record once, in the order of its cells, and holds at most
// 2 kB of each: 1,000 labels would take as much again, and are gone.
func TestGather(t *testing.T) {
	dir := t.TempDir()
	store := must.Get(record.Open(dir))
	cells := exptest.Config(t, "clustering-quick").Cells()[:200]
	for _, x := range cells {
		r := exptest.Record(x, "d")
		r.Scores, r.Assignment, r.EpochLoss = map[string]float64{"ri": 0.5, "objective": 1}, make(record.Labels, 1000), make([]float64, 40)
		must.Do(t, store.Put(r, &record.Timing{ID: x.ID, Seconds: 1, Host: "h"}, nil))
	}
	store, files := counted(t, dir)
	before := exptest.Live()
	runs := must.Get(newReader(store, io.Discard).read(t.Context(), cells))
	held := (exptest.Live() - before) / int64(len(cells))
	must.Equal(t, len(runs), len(cells), "cells")
	for i, x := range cells {
		r := runs[i]
		if r.ID != x.ID || r.Record.ID != x.ID || r.Timing.ID != x.ID || files.heads[x.ID] != 1 {
			t.Fatalf("cell %d: %s, record %s, timing %s instead of %s; read %d times", i, r.ID, r.Record.ID, r.Timing.ID, x.ID, files.heads[x.ID])
		}
		if r.Record.Assignment != nil {
			t.Fatalf("cell %d holds its labels", i)
		}
	}
	if t.Logf("%d bytes held of each record", held); held > 2000 {
		t.Errorf("%d bytes held of each record, at most 2000", held)
	}
	runtime.KeepAlive(runs)
}
