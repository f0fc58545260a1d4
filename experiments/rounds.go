package main

import (
	"context"
	"fmt"
	"io"
	"slices"

	"ogdl/internal/record"
)

// rounds are the parts of a run that come one after the other: the grid, then the cells
// that confirm what is chosen of it.
type rounds struct {
	o          *runOptions
	config     *config
	store      *record.Store
	data       *library
	methods    methodTable
	concurrent bool // other runs are on the same folder as this one begins
	stderr     io.Writer

	s      *schedule       // of the last round, with the counts of all
	before int             // cells that were done already
	due    map[string]bool // cells of the last round that were not done
	told   map[source]bool // data sets whose change has been told
}

// compute computes what is missing of the cells and leaves the counts of all rounds in
// s. what comes before the number of cells in the line about them.
func (r *rounds) compute(ctx context.Context, what string, cells []*cell) error {
	states, records := survey(ctx, r.store, cells, true, r.stderr)
	checkDigests(ctx, r.data, cells, states, records, r.told, r.stderr)
	pending := pick(r.o, cells, states)
	r.due = map[string]bool{}
	r.data.expect(pending)
	announce(r.data, pending, r.stderr)
	before := 0
	for _, x := range cells {
		if states[x.id] == stateDone {
			before++
		} else {
			r.due[x.id] = true
		}
	}
	for _, x := range pending {
		if states[x.id] == stateDone {
			before--
		}
	}
	r.before += before
	if r.o.shard.of > 1 {
		what = "shard " + r.o.shard.String() + ": " + what
	}
	fmt.Fprintf(r.stderr, "%s%s: %d done already, %d to compute, %s\n", what, plural(len(cells), "cell", "cells"), before, len(pending),
		plural(r.o.workers, "worker", "workers"))
	s := &schedule{workers: r.o.workers, failfast: r.o.failfast, concurrent: r.concurrent,
		env: env{methods: r.methods, data: r.data, store: r.store, absent: map[string]bool{}, timeout: r.config.timeout, where: provenance()}}
	for _, x := range pending {
		s.absent[x.id] = !records[x.id].current
	}
	earlier := r.s
	r.s = s
	var err error
	if len(pending) > 0 {
		if s.forecast, err = r.forecast(ctx, cells, pending, records); err != nil {
			return err
		}
		s.progress = newProgress(r.stderr, before, len(pending), s.forecast)
		r.data.logf, s.logf = s.progress.logf, s.progress.logf
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
	if s.counts == nil { // nothing was to be computed
		s.counts, s.skipped, s.cache = map[string]int{}, map[string]int{}, &cache{}
	}
	if earlier == nil {
		return
	}
	for status, n := range earlier.counts {
		s.counts[status] += n
	}
	for reason, n := range earlier.skipped {
		s.skipped[reason] += n
	}
	s.shared += earlier.shared
	s.duplicated += earlier.duplicated
	s.cache.count(earlier.cache.read, earlier.cache.computed, earlier.cache.cpuSeconds)
	s.failed = append(earlier.failed, s.failed...)
}

// confirm computes the cells that confirm the choices of the rows that are whole now. Of rows
// that were whole before, the filter and the shard say which; rows that this run has
// completed nobody else may come back to, so it confirms them wholly.
func (r *rounds) confirm(ctx context.Context, sel *selection) error {
	r.data.logf = func(format string, args ...any) { fmt.Fprintf(r.stderr, format+"\n", args...) } // the progress has ended
	now, err := r.config.confirmation(ctx, sel.rows, r.store, func(c *cell, rec *record.Record) bool {
		digest, err := r.data.digest(ctx, c)
		return err != nil || digest == rec.Digest // data that are not there contradict nothing
	})
	if err != nil {
		return err
	}
	var cells []*cell
	for _, row := range sel.rows {
		mine := now.of[row.rowKey]
		if _, before := sel.further.of[row.rowKey]; before && !row.any(r.due) {
			mine = r.o.shard.pick(sel.filter.pick(mine))
		}
		cells = append(cells, mine...)
	}
	if len(now.open) > 0 {
		defer fmt.Fprintf(r.stderr, "%s whose cells are not all there: %s\n", plural(len(now.open), "row", "rows"), now)
	}
	if len(cells) == 0 {
		return nil
	}
	return r.compute(ctx, "to confirm what is chosen: ", cells)
}

// forecast knows what cells took that have run before, and which matrices are there.
func (r *rounds) forecast(ctx context.Context, cells, pending []*cell, records map[string]brief) (*forecast, error) {
	there := map[string]float64{}
	if slices.ContainsFunc(pending, func(c *cell) bool { return c.shared() != "" }) {
		stored, err := storedProducts(ctx, r.store)
		if err != nil {
			return nil, err
		}
		for _, x := range stored {
			key := contentText(x.head.Content)
			there[key] = max(there[key], x.part)
		}
	}
	f := newForecast(burdens(pending, there), r.o.workers)
	for _, c := range cells {
		f.learn(c, records[c.id].seconds)
	}
	return f, nil
}
