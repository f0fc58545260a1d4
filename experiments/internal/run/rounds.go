package run

import (
	"context"
	"fmt"
	"io"
	"slices"
	"sync"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
	"ogdl/internal/words"
)

// Run computes cells in rounds, one after the other: those of the grid, then those that confirm what is chosen of it. Who
// makes one says what it works with, and reads the counts of all rounds from it.
type Run struct {
	protocol.Env
	Options
	Config *grid.Config
	Stderr io.Writer
	Log    *Log // of the cells that are finished; nil: none

	Before   int                  // cells that were done already
	due      map[string]bool      // cells of the last round that were not done
	reported map[spec.Source]bool // data sets whose change has been reported

	// Of the last round.
	progress *progress
	forecast *forecast // of the time that is left; nil: nobody asks
	queue    *queue
	stop     context.CancelCauseFunc // ends it

	// storing is held for reading by those that store and count a result, and for writing when the
	// round is left: from then on nothing is stored or counted. Nobody holds mu while a disk is at work.
	storing sync.RWMutex
	closed  bool

	mu      sync.Mutex
	Counts  map[string]int
	Failed  []*record.Record
	skipped map[string]int // by reason
	broken  error          // the store rejected a record
}

// Round computes what is missing of the cells. what comes before the number of cells in the line about them.
func (r *Run) Round(ctx context.Context, what string, cells []*spec.Cell) error {
	r.init()
	known := Survey(ctx, r.Store, cells, r.Verify, r.Stderr)
	checkDigests(ctx, r.Data, cells, known, r.reported, r.Stderr)
	r.due, r.Absent = map[string]bool{}, map[string]bool{}
	before := 0
	var pending []*spec.Cell
	for i, x := range cells {
		switch done := known[i].State == StateDone; {
		case r.computes(known[i].State):
			pending = append(pending, x)
			r.Absent[x.ID] = !known[i].current
			r.due[x.ID] = !done
		case done:
			before++
		default:
			r.due[x.ID] = true
		}
	}
	r.Data.Expect(pending)
	announce(r.Data, pending, r.Stderr)
	r.Before += before
	if r.Shard.Of > 1 {
		what = "shard " + r.Shard.String() + ": " + what
	}
	fmt.Fprintf(r.Stderr, "%s%s: %d done already, %d to compute%s, %s\n", what, words.Plural(len(cells), "cell", "cells"), before, len(pending),
		measured(cells, pending, known), words.Plural(r.Workers, "worker", "workers"))
	if len(pending) == 0 {
		if r.Rerun != "" && before < len(cells) {
			fmt.Fprintln(r.Stderr, "-rerun failed: none has failed; without it what has not run is computed, and cells whose data have changed are such")
		}
		return nil
	}
	var err error
	if r.forecast, err = r.expected(ctx, cells, pending, known); err != nil {
		return err
	}
	r.progress = newProgress(r.Stderr, before, len(pending), r.forecast)
	r.Data.Logf, r.Logf = r.progress.logf, r.progress.logf
	defer r.progress.stop()
	return r.run(ctx, pending)
}

// measured says what the cells to compute will take by the times of those that are done, the ledger's included. Short times are not worth a word.
func measured(cells, pending []*spec.Cell, known []Known) string {
	took := Times{}
	for i, c := range cells {
		took.Add(c.Kind(), known[i].seconds, c.Work())
	}
	hours, unknown := 0.0, 0
	for _, c := range pending {
		rate, there := took.Rate(c.Kind())
		if !there {
			unknown++
		}
		hours += rate * c.Work() / 3600
	}
	switch {
	case hours < 0.1:
		return ""
	case unknown > 0:
		return fmt.Sprintf(" (about %.1f hours of one core for %d of them, no measured time for %d)", hours, len(pending)-unknown, unknown)
	}
	return fmt.Sprintf(" (about %.1f hours of one core)", hours)
}

// init makes what the first round finds.
func (r *Run) init() {
	if r.Counts == nil {
		r.Counts, r.skipped, r.reported = map[string]int{}, map[string]int{}, map[spec.Source]bool{}
		r.Cache = r.newCache()
	}
}

// Confirm computes the cells that confirm the choices of the rows that are whole now. Of rows
// that were whole before, the filter and the shard say which; rows that this run has
// completed nobody else may come back to, so it confirms them wholly.
func (r *Run) Confirm(ctx context.Context, sel *Selection) error {
	r.Data.Logf = func(format string, args ...any) { fmt.Fprintf(r.Stderr, format+"\n", args...) } // the progress has ended
	now, err := ConfirmationOf(ctx, r.Config, sel.rows, r.Store, func(c *spec.Cell, rec *record.Record) bool {
		digest, err := r.Data.Digest(ctx, c)
		return err != nil || digest == rec.Digest // data that are not there contradict nothing
	})
	if err != nil {
		return err
	}
	var cells []*spec.Cell
	for _, row := range sel.rows {
		mine := now.of[row.rowKey]
		completed := slices.ContainsFunc(row.cells, func(x *spec.Cell) bool { return r.due[x.ID] })
		if _, before := sel.Further.of[row.rowKey]; before && !completed {
			mine = r.Shard.Pick(sel.Filter.Pick(mine))
		}
		cells = append(cells, mine...)
	}
	if len(now.Open) > 0 {
		defer fmt.Fprintf(r.Stderr, "%s whose cells are not all there: %s\n", words.Plural(len(now.Open), "row", "rows"), now)
	}
	if len(cells) == 0 {
		return nil
	}
	return r.Round(ctx, "to confirm what is chosen: ", cells)
}

// expected knows what cells took that have run before, and which matrices are there.
func (r *Run) expected(ctx context.Context, cells, pending []*spec.Cell, known []Known) (*forecast, error) {
	there := map[string]float64{}
	if slices.ContainsFunc(pending, func(c *spec.Cell) bool { return c.Shared() != "" }) {
		stored, err := product.StoredProducts(ctx, r.Store)
		if err != nil {
			return nil, err
		}
		for _, x := range stored {
			key := spec.ContentText(x.Head.Content)
			there[key] = max(there[key], x.Part)
		}
	}
	f := newForecast(pending, there, r.Workers)
	for i, c := range cells {
		f.learn(c, known[i].seconds)
	}
	return f, nil
}
