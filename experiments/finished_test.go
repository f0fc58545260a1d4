package main

import (
	"flag"
	"math/rand/v2"
	"testing"

	"ogdl/internal/parallel"
	"ogdl/internal/record"
)

// finishedStore is a folder that TestFinishedStore fills, on a file system in memory since every file is synced:
//
//	go test ./experiments -run TestFinishedStore -finished /dev/shm/finished
//	/usr/bin/time -v go run ./experiments -config clustering.toml -out /dev/shm/finished -report
var finishedStore = flag.String("finished", "", "folder to fill with invented records of every cell of clustering.toml, to measure reports with")

// TestFinishedStore invents a record and a timing, of the sizes that real ones have, for each cell of the largest
// configuration.
func TestFinishedStore(t *testing.T) {
	if *finishedStore == "" {
		t.Skip("-finished names no folder")
	}
	store, err := record.Open(*finishedStore)
	if err != nil {
		t.Fatal(err)
	}
	cells := configOf(t, "clustering").cells()
	if err := parallel.Each(4, len(cells), func(_, i int) error {
		x := cells[i]
		r := rand.New(rand.NewPCG(1, uint64(i)))
		rec := &record.Record{ID: x.id, Status: record.OK, Method: x.method.name, MethodVersion: x.method.version, Dataset: x.dataset, Params: x.params,
			BaseSeed: x.seed, Repetition: x.repetition, Digest: "d" + x.dataset, LoaderVersion: 1,
			Scores:      map[string]float64{"ri": 0.5 + r.Float64()/5, "ari": r.Float64() / 5, "objective": r.Float64(), "inertia": r.Float64(), "trivial_one": 0.5, "trivial_independent": 0.5},
			Convergence: record.Convergence{Solves: 1000, Iterations: 5000, MaxGap: 1e-9}}
		for range int(sizes[x.dataset].graphs) {
			rec.Assignment = append(rec.Assignment, uint16(r.IntN(3)))
		}
		for range 40 {
			rec.EpochLoss = append(rec.EpochLoss, r.Float64())
		}
		return store.Put(rec, &record.Timing{ID: x.id, Seconds: 1, CPUSeconds: 1, PeakRSS: 1e8, Host: "invented"}, nil)
	}); err != nil {
		t.Fatal(err)
	}
}
