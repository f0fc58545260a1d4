package run

import (
	"context"
	"fmt"
	"io"
	"slices"

	"ogdl/experiments/internal/cost"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
)

// Rounds are the parts of a run that come one after the other: the grid, then the cells
// that confirm what is chosen of it.
type Rounds struct {
	O          *Options
	Config     *grid.Config
	Store      *record.Store
	Data       *source.Library
	Methods    method.Table
	Concurrent bool // other runs are on the same folder as this one begins
	Stderr     io.Writer

	S      *schedule            // of the last round, with the counts of all
	Before int                  // cells that were done already
	due    map[string]bool      // cells of the last round that were not done
	Told   map[spec.Source]bool // data sets whose change has been told
}

// Compute computes what is missing of the cells and leaves the counts of all rounds in
// s. what comes before the number of cells in the line about them.
func (r *Rounds) Compute(ctx context.Context, what string, cells []*spec.Cell) error {
	states, records := Survey(ctx, r.Store, cells, true, r.Stderr)
	checkDigests(ctx, r.Data, cells, states, records, r.Told, r.Stderr)
	pending := pick(r.O, cells, states)
	r.due = map[string]bool{}
	r.Data.Expect(pending)
	announce(r.Data, pending, r.Stderr)
	before := 0
	for _, x := range cells {
		if states[x.ID] == StateDone {
			before++
		} else {
			r.due[x.ID] = true
		}
	}
	for _, x := range pending {
		if states[x.ID] == StateDone {
			before--
		}
	}
	r.Before += before
	if r.O.Shard.Of > 1 {
		what = "shard " + r.O.Shard.String() + ": " + what
	}
	fmt.Fprintf(r.Stderr, "%s%s: %d done already, %d to compute, %s\n", what, spec.Plural(len(cells), "cell", "cells"), before, len(pending),
		spec.Plural(r.O.Workers, "worker", "workers"))
	s := &schedule{workers: r.O.Workers, failfast: r.O.Failfast, concurrent: r.Concurrent,
		Env: protocol.Env{Methods: r.Methods, Data: r.Data, Store: r.Store, Absent: map[string]bool{}, Timeout: r.Config.Timeout, Where: protocol.Provenance()}}
	for _, x := range pending {
		s.Absent[x.ID] = !records[x.ID].current
	}
	earlier := r.S
	r.S = s
	var err error
	if len(pending) > 0 {
		if s.forecast, err = r.forecast(ctx, cells, pending, records); err != nil {
			return err
		}
		s.progress = newProgress(r.Stderr, before, len(pending), s.forecast)
		r.Data.Logf, s.Logf = s.progress.logf, s.progress.logf
		err = s.run(ctx, pending)
		s.progress.stop()
	}
	s.add(earlier)
	return err
}

// add adds the counts of an earlier round; nil has none.
func (s *schedule) add(earlier *schedule) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Counts == nil { // nothing was to be computed
		s.Counts, s.skipped, s.Cache = map[string]int{}, map[string]int{}, &product.Cache{}
	}
	if earlier == nil {
		return
	}
	for status, n := range earlier.Counts {
		s.Counts[status] += n
	}
	for reason, n := range earlier.skipped {
		s.skipped[reason] += n
	}
	s.shared += earlier.shared
	s.duplicated += earlier.duplicated
	s.Cache.Count(earlier.Cache.Read, earlier.Cache.Computed, earlier.Cache.CPUSeconds)
	s.Failed = append(earlier.Failed, s.Failed...)
}

// Confirm computes the cells that confirm the choices of the rows that are whole now. Of rows
// that were whole before, the filter and the shard say which; rows that this run has
// completed nobody else may come back to, so it confirms them wholly.
func (r *Rounds) Confirm(ctx context.Context, sel *Selection) error {
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
		if _, before := sel.Further.of[row.rowKey]; before && !row.any(r.due) {
			mine = r.O.Shard.Pick(sel.Filter.Pick(mine))
		}
		cells = append(cells, mine...)
	}
	if len(now.Open) > 0 {
		defer fmt.Fprintf(r.Stderr, "%s whose cells are not all there: %s\n", spec.Plural(len(now.Open), "row", "rows"), now)
	}
	if len(cells) == 0 {
		return nil
	}
	return r.Compute(ctx, "to confirm what is chosen: ", cells)
}

// forecast knows what cells took that have run before, and which matrices are there.
func (r *Rounds) forecast(ctx context.Context, cells, pending []*spec.Cell, records map[string]brief) (*forecast, error) {
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
	f := newForecast(cost.Burdens(pending, there), r.O.Workers)
	for _, c := range cells {
		f.learn(c, records[c.ID].seconds)
	}
	return f, nil
}
