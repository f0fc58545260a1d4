package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"ogdl/internal/record"
)

// job is what a verb works with: a configuration, the data and the store.
type job struct {
	program
	o              *options
	config         *config
	lib            *library
	store          *record.Store
	stdout, stderr io.Writer
}

// open reads the configuration as -set has it, and finds the store. No data are looked at.
func (p program) open(o *options, stdout, stderr io.Writer) (*job, error) {
	src, source, err := openConfig(o.config)
	if err != nil {
		return nil, err
	}
	c, err := parseConfig(src, source, p.methods.described(), o.set...)
	if err != nil {
		return nil, err
	}
	if o.report && len(o.set) == 0 {
		set := settingsOf(o, c)
		if was, err := parseConfig(src, source, p.methods.described(), set...); err == nil {
			c, o.set = was, set
		}
	}
	fmt.Fprintf(stderr, "configuration: %s", c.source)
	for _, s := range o.set {
		fmt.Fprintf(stderr, " -set %s", s.text)
	}
	fmt.Fprintln(stderr)
	lib := newLibrary(o.data)
	lib.memory = openMemory(o.out)
	lib.logf = func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) }
	store, err := record.Open(o.out)
	if err != nil {
		return nil, fmt.Errorf("-out %s: %w", o.out, err)
	}
	if o.verify {
		store.ForgetVerified()
	}
	return &job{p, o, c, lib, store, stdout, stderr}, nil
}

// selected looks for the users' folders and finds the cells that the options name. writes says that the tables
// of the configuration are going to be written.
func (j *job) selected(ctx context.Context, writes bool) (*selection, error) {
	if err := j.lib.know(ctx, j.config.folders(), j.config.beside(), j.o.computes(), !j.o.list, j.stderr); err != nil {
		return nil, err
	}
	if writes {
		if err := checkFolder(j.o, j.config); err != nil {
			return nil, err
		}
	}
	sel, err := newSelection(ctx, &j.o.runOptions, j.config, j.methods.described(), j.store)
	if err != nil {
		return nil, err
	}
	for _, value := range sel.filter.idle(sel.grid) {
		fmt.Fprintf(j.stderr, "-filter: %s\n", value)
	}
	return sel, nil
}

// run computes what is missing and writes the tables.
func (j *job) run(ctx context.Context) (int, error) {
	sel, err := j.selected(ctx, true)
	if err != nil {
		return exitFatal, err
	}
	return j.compute(ctx, sel)
}

// list shows the cells.
func (j *job) list(ctx context.Context) (int, error) {
	sel, err := j.selected(ctx, false)
	if err != nil {
		return exitFatal, err
	}
	defer j.remember()
	states, records := survey(ctx, j.store, sel.cells, j.o.verify, j.stderr)
	list(j.stdout, sel.cells, states, records, sel.further)
	return exitOK, nil
}

// report writes the tables from the store.
func (j *job) report(ctx context.Context) (int, error) {
	sel, err := j.selected(ctx, true)
	if err != nil {
		return exitFatal, err
	}
	defer j.remember()
	return exitOK, render(ctx, j.o, j.config, sel.grid, j.store, j.stdout, j.stderr)
}

// remember keeps which arrays have been found whole, and the digests of users' folders. Without it they are read again.
func (j *job) remember() {
	j.lib.memory.save()
	if err := j.store.Remember(); err != nil {
		fmt.Fprintf(j.stderr, "the next run will read all arrays again: %v\n", err)
	}
}

// compute computes what is missing, then renders.
func (j *job) compute(ctx context.Context, sel *selection) (int, error) {
	o, c, lib, store, stdout, stderr := j.o, j.config, j.lib, j.store, j.stdout, j.stderr
	if err := countable(lib, c, sel.ofGrid(&o.runOptions)); err != nil {
		return exitFatal, err
	}
	if err := computable(lib, sel.ofGrid(&o.runOptions), store); err != nil {
		return exitFatal, err
	}
	leave, others, err := store.Join()
	if err != nil {
		return exitFatal, err
	}
	defer func() {
		if err := leave(); err != nil {
			fmt.Fprintf(stderr, "leftover files could not be removed: %v\n", err)
		}
	}()
	if _, err := store.Sweep(); err != nil {
		fmt.Fprintf(stderr, "leftover files could not be removed: %v\n", err)
	}
	lib.memory.save()
	defer j.remember()
	var old *record.Record // with its numbers, of the one cell that is computed again
	if o.cell != "" {
		old, _, _ = store.Head(sel.cells[0].id)
	}
	started := time.Now()
	r := &rounds{o: &o.runOptions, config: c, store: store, data: lib, methods: j.methods, concurrent: others > 0, stderr: stderr, told: map[source]bool{}}
	err = r.compute(ctx, "", sel.ofGrid(&o.runOptions))
	if err == nil && ctx.Err() == nil && !o.plan && o.cell == "" && !(o.failfast && len(r.s.failed) > 0) {
		err = r.confirm(ctx, sel)
	}
	if err != nil && !errors.Is(err, context.Canceled) && !errors.Is(err, errFailfast) {
		return exitFatal, err
	}
	s := r.s
	if ctx.Err() != nil {
		// No tables: they could take longer than a user who stopped the run waits.
		fmt.Fprintf(stderr, "interrupted: %s kept in %s; run the same command again to go on, or add -report for the tables of what is there\n",
			plural(r.before+s.counts[record.OK], "cell is", "cells are"), store.Dir())
		fmt.Fprint(stderr, r.s.cache.summary())
		return exitInterrupted, nil
	}
	if o.cell != "" {
		if s.counts[record.Skipped] == 0 {
			compareCell(store, sel.cells[0], old, stderr)
		}
	}
	// Tables are always of the whole configuration: a part that was picked takes its
	// place among the rest. A shard leaves them to whoever has all shards.
	switch {
	case o.plan: // a calibration: the plan follows
	case o.shard.of > 1:
		fmt.Fprintf(stdout, "records: %s (-report writes the tables when the records of all %d shards are in one folder)\n", store.Dir(), o.shard.of)
	default:
		if err := render(ctx, o, c, sel.grid, store, stdout, stderr); err != nil {
			s.summary(stderr, time.Since(started))
			if ctx.Err() != nil {
				fmt.Fprintln(stderr, "interrupted: all cells are kept, the tables stay as they were; -report writes them")
				return exitInterrupted, nil
			}
			return exitFatal, err
		}
	}
	s.summary(stderr, time.Since(started))
	if len(s.failed) > 0 {
		return exitFailed, nil
	}
	return exitOK, nil
}

// compareCell says whether a cell that was computed again came out the same.
func compareCell(store *record.Store, c *cell, old *record.Record, w io.Writer) {
	now, _, err := store.Head(c.id)
	if err != nil || now == nil {
		return // the table shows it as missing
	}
	fmt.Fprintf(w, "%s: %s", c, now.Status)
	if ri, ok := now.Scores["ri"]; ok {
		fmt.Fprintf(w, ", Rand Index %.4f %%", 100*ri)
	}
	if old != nil && old.Status == record.OK && now.Status == record.OK {
		switch {
		case old.NPZSum == now.NPZSum:
			fmt.Fprint(w, ", the same bytes as before")
		case sameNumbers(old, now):
			// The arrays' file also names all parameters, and later revisions have more of them.
			fmt.Fprintf(w, ", the same numbers as before (by %s), though not the same file", old.Provenance.Code())
		default:
			fmt.Fprintf(w, ", NOT the same as before (by %s on %s)", old.Provenance.Code(), old.Provenance.GOARCH)
		}
	}
	fmt.Fprintf(w, "\nrecord: %s\n", store.Path(c.id))
}

// sameNumbers compares what two records of a cell say: scores, clusters, losses and how the solves ended.
func sameNumbers(a, b *record.Record) bool {
	return maps.Equal(a.Scores, b.Scores) && slices.Equal(a.Assignment, b.Assignment) && slices.Equal(a.EpochLoss, b.EpochLoss) &&
		a.Convergence == b.Convergence && a.Digest == b.Digest
}

// folder is where a configuration's tables go.
func folder(o *options, c *config) string { return filepath.Join(o.out, c.name) }
