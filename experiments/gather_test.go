package main

import (
	"io"
	"runtime"
	"sync"
	"testing"

	"ogdl/datasets/loader"
	"ogdl/internal/record"
)

// countingReader counts how often records are read.
type countingReader struct {
	reader
	mu    sync.Mutex
	heads map[string]int
}

func (r *countingReader) Head(id string) (*record.Record, record.State, error) {
	r.mu.Lock()
	r.heads[id]++
	r.mu.Unlock()
	return r.reader.Head(id)
}

// longRecord is a record of 1,000 graphs and 40 epochs.
func longRecord(x *cell) *record.Record {
	return &record.Record{ID: x.id, Status: record.OK, Method: x.method.name, MethodVersion: x.method.version, LoaderVersion: loader.Version, Dataset: x.dataset, Params: x.params,
		BaseSeed: x.seed, Repetition: x.repetition, Digest: "d", Scores: map[string]float64{"ri": 0.5, "objective": 1},
		Assignment: make(record.Labels, 1000), EpochLoss: make([]float64, 40)}
}

// TestGather: a report reads every record once, in the order of its cells, and holds at most
// 5 kB of each: 1,000 labels took 8 kB and parameters 2 kB.
func TestGather(t *testing.T) {
	dir := t.TempDir()
	store, err := record.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	cells := configOf(t, "clustering").cells()[:3*gatherPart]
	for _, x := range cells {
		if err := store.Put(longRecord(x), &record.Timing{ID: x.id, Seconds: 1, Host: "h"}, nil); err != nil {
			t.Fatal(err)
		}
	}
	counted := &countingReader{reader: store, heads: map[string]int{}}
	live := func() int64 {
		runtime.GC()
		runtime.GC()
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		return int64(m.HeapAlloc)
	}
	before := live()
	g := &gathered{products: map[string]bool{}, told: contradictions{}}
	if err := g.add(t.Context(), counted, cells, io.Discard); err != nil {
		t.Fatal(err)
	}
	held := (live() - before) / int64(len(cells))
	if len(g.records) != len(cells) || len(g.timings) != len(cells) || len(g.expected) != len(cells) {
		t.Fatalf("%d records, %d timings, %d expected of %d cells", len(g.records), len(g.timings), len(g.expected), len(cells))
	}
	for i, x := range cells {
		if g.records[i].ID != x.id || g.timings[i].ID != x.id || counted.heads[x.id] != 1 {
			t.Fatalf("cell %d: record %s, timing %s instead of %s; read %d times", i, g.records[i].ID, g.timings[i].ID, x.id, counted.heads[x.id])
		}
	}
	if t.Logf("%d bytes held of each record", held); held > 5000 {
		t.Errorf("%d bytes held of each record, at most 5000", held)
	}
	runtime.KeepAlive(g)
}
