package run

import (
	"context"
	"errors"
	"runtime"
	"slices"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/ledger"
	"ogdl/internal/parallel"
	"ogdl/internal/record"
	"ogdl/reports/summary"
)

// Added counts the cells that Add handled.
type Added struct {
	Cells     int     // cells that are new in the ledger
	Near      int     // cells with numbers within 1e-9 of the ledger's; the ledger keeps its own
	Conflicts []error // cells that the ledger has with other numbers, the first of each method on a data set
	Refused   int     // further cells of these methods on these data sets, which were not added

	named map[string]bool // finished cells of the store that a grid asks for, or that may confirm its choices
}

// Unnamed returns how many cells of the store no grid has asked for, or have not finished.
func (added *Added) Unnamed(store *record.Store) int {
	ids, _ := store.List()
	return len(ids) - len(added.named)
}

// Add adds the finished cells of a grid and their possible re-runs to a ledger. The store is one
// that consults no ledger. If a cell conflicts, no cell of its method on its data set is added.
// Nothing is written before [ledger.Ledger.Save].
func (added *Added) Add(ctx context.Context, l *ledger.Ledger, c *grid.Config, cells []*spec.Cell, store *record.Store) error {
	ids, err := store.List()
	if err != nil {
		return err
	}
	there := func(x *spec.Cell) bool {
		_, found := slices.BinarySearch(ids, x.ID)
		return found
	}
	elsewhere := len(ids) - len(summary.Pick(cells, there)) // cells that the grid does not ask for: some may confirm a choice
	before, starts := l.Len(), Bounds(cells)
	if added.named == nil {
		added.named = map[string]bool{}
	}
	found := make([][]summary.Run, len(starts)-1)
	err = parallel.Each(runtime.GOMAXPROCS(0), len(found), func(_, k int) error {
		of := slices.Clone(cells[starts[k]:starts[k+1]])
		if !slices.ContainsFunc(of, func(x *spec.Cell) bool { return there(x) || l.Has(x.ID) }) {
			return nil // nor are there any that confirm it
		}
		if c.Confirm > 0 && elsewhere > 0 {
			of = append(of, Fresh(c, of[0])...)
		}
		for _, x := range summary.Pick(of, there) {
			if r, err := store.Head(x.ID); err == nil && current(x, r) {
				r.EpochLoss = nil
				if len(found[k]) > 0 {
					r.Share(found[k][0].Record)
				}
				t, _ := store.Timing(x.ID) // tables name an unreadable one as missing in the times
				found[k] = append(found[k], summary.Run{Expected: Expected(x), Record: r, Timing: t})
			}
		}
		Fold(found[k])
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	products := map[string]float64{}
	took := func(id string) float64 { // processor time of all blocks; 0 unless it is known of all
		if _, known := products[id]; !known {
			products[id] = 0
			if p, _ := store.Product(id); p != nil {
				if wall, cpu, timed := store.ProductCost(p); timed >= p.Blocks {
					products[id] = summary.Processor(cpu, wall)
				}
			}
		}
		return products[id]
	}
	conflicts := map[[2]string]bool{}
	for _, runs := range found {
		kept := summary.Keep(runs)
		for i, x := range runs {
			added.named[x.ID] = true
			near, err := l.Add(x.Record, kept[i], x.Timing, took)
			if near {
				added.Near++
			}
			conflict := (*ledger.Conflict)(nil)
			switch {
			case err == nil:
			case !errors.As(err, &conflict):
				return err
			case !conflicts[[2]string{conflict.Method, conflict.Dataset}]:
				conflicts[[2]string{conflict.Method, conflict.Dataset}] = true
				added.Conflicts = append(added.Conflicts, err)
			}
		}
	}
	for kind := range conflicts {
		added.Refused += l.Refuse(kind[0], kind[1])
	}
	added.Cells += l.Len() - before
	return nil
}

// Bounds returns the index of the first cell of each setting, and the number of cells at the end.
// Cells of one setting must be adjacent.
func Bounds(cells []*spec.Cell) (starts []int) {
	for i, x := range cells {
		if i == 0 || x.Setting != cells[i-1].Setting {
			starts = append(starts, i)
		}
	}
	return append(starts, len(cells))
}
