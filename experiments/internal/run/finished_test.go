package run

import (
	"flag"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"ogdl/experiments/internal/exptest"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/ledger"
	"ogdl/internal/parallel"
	"ogdl/internal/record"
	"ogdl/internal/test/must"
)

// finishedStore is a folder that TestFinishedStore fills, on a file system in memory since every file is synced:
//
//	go test ./experiments/internal/run -run TestFinishedStore -finished /dev/shm/finished
//	ogdl run -config clustering -filter 'dataset=MUTAG method=GDL' -out /dev/shm/finished
var finishedStore = flag.String("finished", "", "folder to fill with records of all cells of the ledger and of clustering.toml, to measure runs and reports with")

// TestFinishedStore writes a record and a timing of each cell of the ledger, and of the other cells of the largest configuration. Labels and losses
// are invented, in the numbers that real ones have.
func TestFinishedStore(t *testing.T) {
	if *finishedStore == "" {
		t.Skip("-finished names no folder")
	}
	store := must.Get(record.Open(*finishedStore))
	kept := must.Get(ledger.Open("../../../docs/reproduction/ledger"))
	digests := map[string]string{} // by data set
	cells := map[string]*spec.Cell{}
	for _, x := range exptest.Config(t, "clustering").Cells() {
		cells[x.ID] = x
		if r, _ := kept.Find(x.ID); r != nil {
			digests[x.Dataset] = r.Digest
		}
	}
	ids := slices.Concat(slices.Collect(maps.Keys(cells)), kept.IDs())
	slices.Sort(ids)
	ids = slices.Compact(ids)
	must.Do(t, parallel.Each(2, len(ids), func(_, i int) error {
		r := rand.New(rand.NewPCG(1, uint64(i)))
		rec, timing := kept.Find(ids[i])
		if x := cells[ids[i]]; rec == nil {
			rec = exptest.Record(x, digests[x.Dataset])
			rec.Scores = map[string]float64{"ri": 0.5 + r.Float64()/5, "ari": r.Float64() / 5, "objective": r.Float64(), "inertia": r.Float64(),
				"trivial_one": 0.5, "trivial_independent": 0.5}
			rec.Convergence = record.Convergence{Solves: 1000, Iterations: 5000, MaxGap: 1e-9}
			timing = &record.Timing{Seconds: 1, CPUSeconds: 1, PeakRSS: 1e8, Host: "invented"}
		}
		for range spec.Sizes[rec.Dataset].Graphs {
			rec.Assignment = append(rec.Assignment, uint16(r.IntN(3)))
		}
		for range 40 {
			rec.EpochLoss = append(rec.EpochLoss, r.Float64())
		}
		return store.Put(rec, timing, nil)
	}))
	t.Logf("%d records", len(ids))
}

// BenchmarkFilter looks up the cells that a filter names, as a run does when all of them are done, in the store that TestFinishedStore fills:
//
//	go test ./experiments/internal/run -run - -bench Filter -finished /dev/shm/finished
func BenchmarkFilter(b *testing.B) {
	if *finishedStore == "" {
		b.Skip("-finished names no folder")
	}
	store, err := record.Open(*finishedStore)
	must.Do(b, err)
	c := exptest.Config(b, "clustering")
	for b.Loop() {
		sel, err := NewSelection(b.Context(), &Options{Filter: "dataset=MUTAG method=GDL atoms_per_class=4"}, c, protocol.Methods().Described(), store)
		must.Do(b, err)
		_, err = Survey(b.Context(), store, sel.Cells, false, io.Discard)
		must.Do(b, err)
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
