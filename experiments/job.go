package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strings"
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
	lib.tell = func(line string) { fmt.Fprintln(stderr, line) }
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
	if err := j.lib.know(ctx, j.o, j.config, j.stderr); err != nil {
		return nil, err
	}
	if writes {
		if err := checkFolder(j.o, j.config); err != nil {
			return nil, err
		}
	}
	sel, err := j.selection(ctx, j.o, j.config, j.store)
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

// plan says what is missing of the cells and what it will take, after a calibration if that was asked for.
func (j *job) plan(ctx context.Context) (int, error) {
	sel, err := j.selected(ctx, false)
	if err != nil {
		return exitFatal, err
	}
	defer j.remember()
	code := exitOK
	if j.o.calibrate {
		if code, err = j.calibrate(ctx, sel); code != exitOK && code != exitFailed {
			return code, err
		}
		if sel, err = j.selection(ctx, j.o, j.config, j.store); err != nil { // a choice may have become known
			return exitFatal, err
		}
	}
	return code, j.showPlan(ctx, sel)
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
	if err := countable(lib, c, sel.ofGrid(o)); err != nil {
		return exitFatal, err
	}
	if err := computable(lib, sel.ofGrid(o), store); err != nil {
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
	r := &rounds{o: o, config: c, store: store, lib: lib, fit: j.methods.fit, company: others > 0, stderr: stderr, told: map[source]bool{}}
	err = r.compute(ctx, "", sel.ofGrid(o))
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
		fmt.Fprint(stderr, r.lib.shelf.bench.summary())
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

// summary ends a run: time, peak memory, failures and what was skipped.
func (s *schedule) summary(w io.Writer, took time.Duration) {
	fmt.Fprintf(w, "computed %s in %s", plural(s.counts[record.OK], "cell", "cells"), took.Round(10*time.Millisecond))
	if rss := peakRSS(); rss > 0 {
		fmt.Fprintf(w, ", peak memory %d MB", rss>>20)
	}
	if s.shared > 0 {
		fmt.Fprintf(w, "; %s computed meanwhile by another run on this folder", plural(s.shared, "more was", "more were"))
	}
	if s.vain > 0 {
		fmt.Fprintf(w, ", %d of them here too, in vain", s.vain)
	}
	fmt.Fprintln(w)
	fmt.Fprint(w, s.lib.shelf.bench.summary())
	for _, reason := range sortedKeys(s.skipped) {
		fmt.Fprintf(w, "skipped %s: %s\n", plural(s.skipped[reason], "cell", "cells"), s.lib.placed(reason))
	}
	if len(s.failed) == 0 {
		return
	}
	slices.SortFunc(s.failed, func(a, b *record.Record) int { return compareRecords(a, b) })
	fmt.Fprintf(w, "%s failed, for the reasons above; stacks and parameters are in the store:\n", plural(len(s.failed), "cell", "cells"))
	const shown = 10
	kinds := map[string][]string{}
	var order []string
	for _, r := range s.failed {
		kind := fmt.Sprintf("%s on %s, %s", r.Method, r.Dataset, r.Status)
		if kinds[kind] == nil {
			order = append(order, kind)
		}
		kinds[kind] = append(kinds[kind], r.ID)
	}
	for _, kind := range order {
		ids, more := kinds[kind], ""
		if n := len(ids) - shown; n > 0 {
			ids, more = ids[:shown], fmt.Sprintf(" and %d more", n)
		}
		fmt.Fprintf(w, "  %s: %s%s\n", kind, strings.Join(ids, " "), more)
	}
	fmt.Fprintln(w, "after mending the cause, -rerun failed computes them again")
}

// folder is where a configuration's tables go.
func folder(o *options, c *config) string { return filepath.Join(o.out, c.name) }
