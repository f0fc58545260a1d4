package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"

	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/parallel"
	"ogdl/internal/record"
	"ogdl/reports/summary"
)

// gathered is what a report has read of a store, besides the cells that it gave to who asked.
type gathered struct {
	blocks         []record.BlockTiming // of the products that the records rest on
	products       map[string]bool      // whose blocks are there
	contradictions run.Contradictions
}

func newGathered() *gathered {
	return &gathered{products: map[string]bool{}, contradictions: run.Contradictions{}}
}

// From manyRecords on a report collects garbage more often, to hold less: the half of what it needs, in
// the place of as much again.
const (
	manyRecords    = 10_000
	garbagePercent = 50
)

// thrifty lowers how much garbage may gather until the function that it returns is called.
func thrifty(cells int) (restore func()) {
	if cells < manyRecords {
		return func() {}
	}
	before := debug.SetGCPercent(garbagePercent)
	if 0 <= before && before < garbagePercent {
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}

// unusable is what a report cannot use of a cell.
type unusable struct {
	at             int
	record, timing error
	contradiction  string
}

// add reads what a store has of cells, on all cores, configuration by configuration: labels go as soon as all that
// tables ask of them is known. It returns the cells in their order. What cannot be used is written to w and left out.
func (g *gathered) add(ctx context.Context, store *record.Store, cells []*spec.Cell, w io.Writer) ([]summary.Run, error) {
	runs := make([]summary.Run, len(cells))
	parts := run.Configurations(cells)
	workers := runtime.GOMAXPROCS(0)
	before := make([]*summary.Run, workers) // what each worker has read last: the next shares much with it
	var mu sync.Mutex
	var troubles []unusable
	if err := parallel.Each(workers, len(parts), func(worker, k int) error {
		from, to := parts[k], len(cells)
		if k+1 < len(parts) {
			to = parts[k+1]
		}
		for i := from; i < to; i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			x, r := cells[i], &runs[i]
			u := unusable{at: i}
			r.Expected = run.Expected(x)
			r.Place = i
			if r.Record, _, u.record = store.Head(x.ID); r.Record != nil {
				r.Record.ID = x.ID
				u.contradiction = run.Contradiction(x, r.Record)
			}
			if u.contradiction != "" {
				r.Record = nil
			}
			if r.Record != nil {
				r.Record.Params = resolved(x, r.Record)
				r.Timing, _, u.timing = store.Timing(x.ID)
				if b := before[worker]; b != nil {
					r.Record.Share(b.Record)
					if r.Timing != nil && b.Timing != nil {
						r.Timing.Share(b.Timing)
					}
				}
				before[worker] = r
			}
			if u != (unusable{at: i}) {
				mu.Lock()
				troubles = append(troubles, u)
				mu.Unlock()
			}
		}
		run.Fold(runs[from:to])
		return nil
	}); err != nil {
		return nil, err
	}
	slices.SortFunc(troubles, func(a, b unusable) int { return cmp.Compare(a.at, b.at) })
	for _, u := range troubles {
		if u.record != nil {
			fmt.Fprintf(w, "left out of the tables: %v\n", u.record)
		}
		g.contradictions.Report(cells[u.at], u.contradiction, w)
		if u.timing != nil {
			fmt.Fprintf(w, "left out of the times: %v\n", u.timing)
		}
	}
	for _, r := range runs {
		if r.Record == nil {
			continue
		}
		for _, u := range r.Record.Products {
			if !g.products[u.ID] {
				g.products[u.ID] = true
				g.blocks = append(g.blocks, blockTimings(store, u.ID, w)...)
			}
		}
	}
	return runs, nil
}

// resolved are the parameters of a record that were asked for as something else: "median" has become a number.
func resolved(x *spec.Cell, r *record.Record) map[string]any {
	out := map[string]any{}
	for name, v := range r.Params {
		asked, there := x.Params[name]
		if _, isText := asked.(string); !there || isText && asked != v {
			out[name] = v
		}
	}
	return out
}
