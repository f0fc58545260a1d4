package run

import (
	"context"
	"runtime"
	"slices"
	"sync"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/ledger"
	"ogdl/internal/parallel"
	"ogdl/internal/record"
	"ogdl/reports/summary"
)

// AddTo adds to a ledger what a store has finished of the cells of a grid and of all that may confirm their choices. It returns how many of them the
// ledger had not. The store is one that consults no ledger. A cell that stands there with other numbers is an error that names it; nothing is
// written before [ledger.Ledger.Save].
func AddTo(ctx context.Context, l *ledger.Ledger, c *grid.Config, cells []*spec.Cell, store *record.Store) (added int, err error) {
	ids, err := store.List()
	if err != nil {
		return 0, err
	}
	there := make(map[string]bool, len(ids))
	for _, id := range ids {
		there[id] = true
	}
	elsewhere := len(ids) // cells of the store that the grid does not ask for: some may confirm a choice
	for _, x := range cells {
		if there[x.ID] {
			elsewhere--
		}
	}
	before := l.Len()
	starts := Configurations(cells)
	products := map[string]float64{}
	took := func(id string) float64 {
		if _, known := products[id]; !known {
			products[id] = productSeconds(store, id)
		}
		return products[id]
	}
	var mu sync.Mutex // of the ledger and of products
	err = parallel.Each(runtime.GOMAXPROCS(0), len(starts), func(_, k int) error {
		to := len(cells)
		if k+1 < len(starts) {
			to = starts[k+1]
		}
		of := slices.Clone(cells[starts[k]:to])
		known := func(x *spec.Cell) bool {
			if there[x.ID] {
				return true
			}
			mu.Lock()
			defer mu.Unlock()
			r, _ := l.Find(x.ID)
			return r != nil
		}
		if !slices.ContainsFunc(of, known) {
			return nil // nor are there any that confirm it
		}
		if c.Confirm > 0 && elsewhere > 0 {
			of = append(of, Fresh(c, of[0])...)
		}
		var runs []summary.Run
		for _, x := range of {
			if err := ctx.Err(); err != nil {
				return err
			}
			if !there[x.ID] {
				continue
			}
			if r, _, err := store.Head(x.ID); err == nil && current(x, r) {
				runs = append(runs, summary.Run{Expected: Expected(x), Record: r})
			}
		}
		summary.Fold(runs)
		kept := summary.Keep(runs)
		mu.Lock()
		defer mu.Unlock()
		for i, x := range runs {
			t, _, err := store.Timing(x.ID)
			if err != nil {
				t = nil // tables name it as left out of the times
			}
			if err := l.Add(x.Record, kept[i], t, took); err != nil {
				return err
			}
		}
		return nil
	})
	return l.Len() - before, err
}

// productSeconds is the processor time of a product's blocks; 0 unless it is known of all.
func productSeconds(store *record.Store, id string) float64 {
	p, _, err := store.Product(id)
	if err != nil || p == nil {
		return 0
	}
	wall, cpu, timed := store.ProductCost(p)
	if timed < p.Blocks {
		return 0
	}
	return summary.Processor(cpu, wall)
}

// Configurations are the places where the cells of each configuration begin: those of one follow each other.
func Configurations(cells []*spec.Cell) []int {
	var starts []int
	for i, x := range cells {
		if i == 0 || !x.Repeats(cells[i-1]) {
			starts = append(starts, i)
		}
	}
	return starts
}
