package run

import (
	"flag"
	"math/rand/v2"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/spec"
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
	cells := exptest.Config(t, "clustering").Cells()
	if err := parallel.Each(4, len(cells), func(_, i int) error {
		x := cells[i]
		r := rand.New(rand.NewPCG(1, uint64(i)))
		rec := &record.Record{ID: x.ID, Status: record.OK, Method: x.Method.Name, MethodVersion: x.Method.Version, Dataset: x.Dataset, Params: x.Params,
			BaseSeed: x.Seed, Repetition: x.Repetition, Digest: "d" + x.Dataset, LoaderVersion: 1,
			Scores:      map[string]float64{"ri": 0.5 + r.Float64()/5, "ari": r.Float64() / 5, "objective": r.Float64(), "inertia": r.Float64(), "trivial_one": 0.5, "trivial_independent": 0.5},
			Convergence: record.Convergence{Solves: 1000, Iterations: 5000, MaxGap: 1e-9}}
		for range int(spec.Sizes[x.Dataset].Graphs) {
			rec.Assignment = append(rec.Assignment, uint16(r.IntN(3)))
		}
		for range 40 {
			rec.EpochLoss = append(rec.EpochLoss, r.Float64())
		}
		return store.Put(rec, &record.Timing{ID: x.ID, Seconds: 1, CPUSeconds: 1, PeakRSS: 1e8, Host: "invented"}, nil)
	}); err != nil {
		t.Fatal(err)
	}
}

func TestCurrentRecord(t *testing.T) {
	c := exptest.Parse(t, "table = \"clustering\"\n"+"[[grid]]\nmethod = \"GDL\"\ndataset = \"D1\"\natoms = 3\n").Cells()[0]
	good := record.Record{ID: c.ID, Status: record.OK, Method: "GDL", MethodVersion: c.Method.Version, LoaderVersion: 1, Dataset: "D1",
		BaseSeed: c.Seed, Repetition: c.Repetition, Scores: map[string]float64{"ri": 0.5}}
	if !current(c, &good) {
		t.Fatal("the cell's own record must count")
	}
	for name, change := range map[string]func(*record.Record){
		"failed":     func(r *record.Record) { r.Status = record.Failed },
		"version":    func(r *record.Record) { r.MethodVersion-- },
		"data set":   func(r *record.Record) { r.Dataset = "D2" },
		"loader":     func(r *record.Record) { r.LoaderVersion++ },
		"method":     func(r *record.Record) { r.Method = "GWF" },
		"seed":       func(r *record.Record) { r.BaseSeed++ },
		"repetition": func(r *record.Record) { r.Repetition++ },
		"score":      func(r *record.Record) { r.Scores = map[string]float64{"ri": 2.5} },
	} {
		r := good
		change(&r)
		if current(c, &r) {
			t.Errorf("a record of another %s counts", name)
		}
	}
}
