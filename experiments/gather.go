package main

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"sync"
	"sync/atomic"

	"ogdl/internal/parallel"
	"ogdl/internal/record"
	"ogdl/reports"
)

// gathered is what a store has of cells, for a report.
type gathered struct {
	expected []reports.Expected
	records  []record.Record
	timings  []record.Timing
	blocks   []record.BlockTiming // of the products that the records rest on

	products map[string]bool // whose blocks are there
	told     contradictions
	thrift   sync.Once // see manyRecords
	restore  func()
}

// done ends what add began.
func (g *gathered) done() {
	if g.restore != nil {
		g.restore()
	}
}

// manyRecords is from where on a report spends time on collecting garbage to hold less: more than
// a quarter above what it needs would be hundreds of MB then.
const (
	manyRecords    = 10_000
	garbagePercent = 25
)

// thrifty lowers how much garbage may gather until the function that it returns is called.
func thrifty() (restore func()) {
	before := debug.SetGCPercent(garbagePercent)
	if 0 <= before && before < garbagePercent {
		debug.SetGCPercent(before)
	}
	return func() { debug.SetGCPercent(before) }
}

// gatherPart is how many cells a worker reads before it takes the next: a few configurations,
// whose records share much.
const gatherPart = 64

// add reads what a store has of cells, on all cores and in their order. What cannot be used is told to w and left out.
func (g *gathered) add(ctx context.Context, store reader, cells []*cell, w io.Writer) error {
	type found struct {
		record          *record.Record
		timing          *record.Timing
		trouble, untime error
	}
	all := make([]found, len(cells))
	var read atomic.Int64
	parts := (len(cells) + gatherPart - 1) / gatherPart
	if err := parallel.Each(runtime.GOMAXPROCS(0), parts, func(_, k int) error {
		var before found
		for i := k * gatherPart; i < min((k+1)*gatherPart, len(cells)); i++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			f := &all[i]
			if f.record, _, f.trouble = store.Head(cells[i].id); f.record == nil {
				continue
			}
			f.timing, _, f.untime = store.Timing(cells[i].id)
			f.record.ID = cells[i].id
			if before.record != nil {
				f.record.Share(before.record)
			}
			if f.timing != nil && before.timing != nil {
				f.timing.Share(before.timing)
			}
			if before = *f; read.Add(1) > manyRecords {
				g.thrift.Do(func() { g.restore = thrifty() })
			}
		}
		return nil
	}); err != nil {
		return err
	}
	records, timings := 0, 0
	for _, f := range all {
		if f.record != nil {
			records++
		}
		if f.timing != nil {
			timings++
		}
	}
	g.expected = slices.Grow(g.expected, len(cells))
	g.records, g.timings = slices.Grow(g.records, records), slices.Grow(g.timings, timings)
	for i, x := range cells {
		f := all[i]
		all[i] = found{} // what is copied goes
		g.expected = append(g.expected, expected(x))
		if f.trouble != nil {
			fmt.Fprintf(w, "left out of the tables: %v\n", f.trouble)
		}
		if f.record == nil || g.told.found(x, f.record, w) {
			continue
		}
		g.records = append(g.records, *f.record)
		if f.untime != nil {
			fmt.Fprintf(w, "left out of the times: %v\n", f.untime)
		}
		if f.timing != nil {
			g.timings = append(g.timings, *f.timing)
		}
		for _, u := range f.record.Products {
			if !g.products[u.ID] {
				g.products[u.ID] = true
				g.blocks = append(g.blocks, blockTimings(store, u.ID, w)...)
			}
		}
	}
	return nil
}
