package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ogdl/experiments/internal/compare"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/ledger"
	"ogdl/internal/lock"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports"
)

// job is what a verb works with: a configuration, the data and the store.
type job struct {
	program
	o              *options
	config         *grid.Config
	lib            *source.Library
	store          *record.Store
	stdout, stderr io.Writer
}

// open reads the configuration as -set has it, and finds the store. No data are looked at.
func (p program) open(o *options, stdout, stderr io.Writer) (*job, error) {
	src, from, err := grid.Open(o.config)
	if err != nil {
		return nil, err
	}
	c, err := grid.Parse(src, from, p.methods.Described(), o.set...)
	if err != nil {
		return nil, err
	}
	if o.Report && len(o.set) == 0 {
		set := settingsOf(o, c)
		if was, err := grid.Parse(src, from, p.methods.Described(), set...); err == nil {
			c, o.set = was, set
		}
	}
	fmt.Fprintf(stderr, "configuration: %s", c.Source)
	for _, s := range o.set {
		fmt.Fprintf(stderr, " -set %s", s.Text)
	}
	fmt.Fprintln(stderr)
	lib := source.NewLibrary(o.data)
	lib.Memory = source.OpenMemory(o.out)
	lib.Logf = func(format string, args ...any) { fmt.Fprintf(stderr, format+"\n", args...) }
	store, err := record.Open(o.out)
	if err != nil {
		return nil, fmt.Errorf("-out %s: %w", o.out, err)
	}
	if o.ledger != "" {
		l, err := ledger.Open(o.ledger)
		if err != nil {
			return nil, fmt.Errorf("-ledger: %w", err)
		}
		store.Consult(l)
		if _, err := os.Stat(o.ledger); errors.Is(err, fs.ErrNotExist) {
			if !o.adds() {
				return nil, fmt.Errorf("-ledger %s: there is none", o.ledger)
			}
			fmt.Fprintf(stderr, "ledger: %s, a new one\n", o.ledger)
		} else {
			fmt.Fprintf(stderr, "ledger: %s, %s\n", o.ledger, words.Plural(l.Len(), "cell", "cells"))
		}
	}
	return &job{p, o, c, lib, store, stdout, stderr}, nil
}

// selected looks for the users' folders and finds the cells that the options name. writes says that the tables
// of the configuration are going to be written.
func (j *job) selected(ctx context.Context, writes bool) (*run.Selection, error) {
	if err := j.lib.Know(ctx, j.config.Folders(), j.config.Beside(), j.o.computes(), !j.o.list, j.stderr); err != nil {
		return nil, err
	}
	sel, err := run.NewSelection(ctx, &j.o.Options, j.config, j.methods.Described(), j.store)
	if err != nil {
		return nil, err
	}
	if writes {
		var datasets []string
		for i, x := range sel.Grid {
			if i == 0 || x.Dataset != sel.Grid[i-1].Dataset {
				datasets = append(datasets, x.Dataset)
			}
		}
		if err := checkFolder(j.o, j.config, datasets); err != nil {
			return nil, err
		}
		if line := reports.Without(folder(j.o, j.config)); line != "" {
			fmt.Fprintln(j.stderr, line)
		}
	}
	for _, value := range sel.Filter.Idle(sel.Grid, true) {
		fmt.Fprintf(j.stderr, "-filter: %s\n", value)
	}
	return sel, nil
}

// run computes what is missing and writes the tables, but for a part of the grid, of which it shows the rows alone.
func (j *job) run(ctx context.Context) (int, error) {
	sel, err := j.selected(ctx, !j.o.picks())
	if err != nil {
		return exitFatal, err
	}
	return j.compute(ctx, sel)
}

// List shows the cells.
func (j *job) list(ctx context.Context) (int, error) {
	sel, err := j.selected(ctx, false)
	if err != nil {
		return exitFatal, err
	}
	defer j.lib.Memory.Save()
	run.List(j.stdout, sel.Cells, run.Survey(ctx, j.store, sel.Cells, j.o.Verify, j.stderr), sel.Further)
	return exitOK, nil
}

// Report writes the tables from the store.
func (j *job) report(ctx context.Context) (int, error) {
	sel, err := j.selected(ctx, true)
	if err != nil {
		return exitFatal, err
	}
	defer j.lib.Memory.Save()
	return exitOK, j.render(ctx, sel.Grid)
}

// enter adds to the ledger what the store has finished of the configuration, but for a run of one cell, which is only compared. The ledger is
// read anew: others may have added to it meanwhile. It reports whether the ledger has other numbers for some cells.
func (j *job) enter(ctx context.Context, cells []*spec.Cell) (conflict bool, err error) {
	if j.o.ledger == "" {
		return false, nil
	}
	l, err := ledger.Open(j.o.ledger)
	if err != nil {
		return false, err
	}
	own, err := record.Open(j.o.out)
	if err != nil {
		return false, err
	}
	added, err := run.AddTo(ctx, l, j.config, cells, own)
	switch {
	case err != nil:
	case j.o.adds():
		err = save(l, j.o.ledger, added, j.stderr)
	default:
		for _, conflict := range added.Conflicts {
			fmt.Fprintln(j.stderr, conflict)
		}
	}
	if err != nil {
		return false, fmt.Errorf("-ledger: %w", err)
	}
	return len(added.Conflicts) > 0, nil
}

// lock keeps other processes from working on the store until release is called; those that share may share it. A
// process that is alone may sweep what interrupted runs have left, which looks at the names of all files.
func (j *job) lock(share, sweep bool) (release func(), err error) {
	if err := j.store.MakeDir(); err != nil {
		return nil, err
	}
	l, err := lock.Take(j.store.Dir(), share, func() {
		if !sweep {
			return
		}
		if _, err := j.store.Sweep(); err != nil {
			fmt.Fprintf(j.stderr, "leftover files could not be removed: %v\n", err)
		}
	})
	var held *lock.HeldError
	switch {
	case errors.As(err, &held):
		return nil, fmt.Errorf("%w; wait until it ends, or give both a -shard", err)
	case errors.Is(err, lock.ErrNoSupport):
		fmt.Fprintf(j.stderr, "%s: %v; nothing keeps a second run from computing the same cells\n", j.store.Dir(), err)
		l = nil
	case err != nil:
		return nil, err
	}
	if err := j.store.Prepare(); err != nil {
		l.Release()
		return nil, err
	}
	return l.Release, nil
}

// Compute computes what is missing, then renders.
func (j *job) compute(ctx context.Context, sel *run.Selection) (int, error) {
	o, c, lib, store, stdout, stderr := j.o, j.config, j.lib, j.store, j.stdout, j.stderr
	if err := run.Countable(lib, c, sel.OfGrid(&o.Options)); err != nil {
		return exitFatal, err
	}
	if err := run.Computable(lib, sel.OfGrid(&o.Options), store); err != nil {
		return exitFatal, err
	}
	release, err := j.lock(o.Shard.Of > 1, o.Filter == "" && o.Cell == "")
	if err != nil {
		return exitFatal, err
	}
	defer release()
	lib.Memory.Save()
	defer j.lib.Memory.Save()
	var old *record.Record // with its numbers, of the one cell that is computed again
	if o.Cell != "" {
		old, _, _ = store.Head(sel.Cells[0].ID)
	}
	var log *run.Log
	if o.log != "" {
		if log, err = run.OpenLog(o.log); err != nil {
			return exitFatal, err
		}
		defer func() {
			if err := log.Close(ctx.Err() != nil, 500*time.Millisecond); err != nil {
				fmt.Fprintf(stderr, "the log is not whole: %v\n", err)
			}
		}()
	}
	started := time.Now()
	computing := ctx
	if o.lasts > 0 {
		var stop context.CancelFunc
		computing, stop = context.WithTimeout(ctx, o.lasts)
		defer stop()
	}
	r := &run.Run{Options: o.Options, Log: log, Config: c, Stderr: stderr,
		Env: protocol.Env{Methods: j.methods, Data: lib, Store: store, Timeout: c.Timeout, Where: protocol.Provenance()}}
	err = r.Round(computing, "", sel.OfGrid(&o.Options))
	if err == nil && ctx.Err() == nil && o.Cell == "" && !(o.Failfast && len(r.Failed) > 0) {
		err = r.Confirm(computing, sel)
	}
	over := errors.Is(err, context.DeadlineExceeded) && computing.Err() != nil
	if err != nil && !over && !errors.Is(err, context.Canceled) && !errors.Is(err, run.ErrFailfast) {
		return exitFatal, err
	}
	if ctx.Err() != nil {
		if _, err := j.enter(context.WithoutCancel(ctx), sel.Grid); err != nil {
			return exitFatal, err
		}
		// No tables: they could take longer than a user who stopped the run waits.
		more := ", or report for the tables of what is there"
		if o.noTables {
			more = ""
		}
		fmt.Fprintf(stderr, "interrupted: %s kept in %s; run the same command again to go on"+more+"\n",
			words.Plural(r.Before+r.Counts[record.OK], "cell is", "cells are"), store.Dir())
		fmt.Fprint(stderr, r.Cache.Summary())
		return exitInterrupted, nil
	}
	if over {
		conflict, err := j.enter(context.WithoutCancel(ctx), sel.Grid)
		if err != nil {
			return exitFatal, err
		}
		fmt.Fprintf(stderr, "-for %s is over: %s kept in %s; run the same command again to go on\n",
			o.lasts, words.Plural(r.Before+r.Counts[record.OK], "cell is", "cells are"), store.Dir())
		r.Summary(stderr, time.Since(started))
		if len(r.Failed) > 0 || conflict {
			return exitFailed, nil
		}
		return exitOK, nil
	}
	// Tables are always of the whole configuration: a part that was picked leaves them to report, as a shard does.
	switch {
	case o.noTables: // a fit
	case o.Shard.Of > 1:
		fmt.Fprintf(stdout, "records: %s (report writes the tables when the records of all %d shards are in one folder)\n", store.Dir(), o.Shard.Of)
	case o.Cell != "": // its line follows
	case o.picks():
		if err := j.rows(ctx, sel.Cells); err != nil {
			return exitFatal, err
		}
	default:
		if err := j.render(ctx, sel.Grid); err != nil {
			r.Summary(stderr, time.Since(started))
			if ctx.Err() != nil {
				fmt.Fprintln(stderr, "interrupted: all cells are kept, the tables stay as they were; report writes them")
				return exitInterrupted, nil
			}
			return exitFatal, err
		}
	}
	// Tables come before the ledger, whose numbers may be others.
	compared := sel.Grid
	if o.Cell != "" {
		compared = sel.Cells
	}
	conflict, err := j.enter(context.WithoutCancel(ctx), compared)
	if err != nil {
		return exitFatal, err
	}
	r.Summary(stderr, time.Since(started))
	if o.Cell != "" && r.Counts[record.Skipped] == 0 {
		showCell(store, sel.Cells[0], old, stdout)
	}
	if o.picks() && !o.plan {
		fmt.Fprintf(stdout, "tables: as they were; report -config %s -out %s writes them\n", o.config, o.out)
	}
	if len(r.Failed) > 0 || conflict {
		return exitFailed, nil
	}
	return exitOK, nil
}

// showCell says in a line what a cell is, what it scored, whether it came out the same where it was computed again, and where its files are.
func showCell(store *record.Store, c *spec.Cell, old *record.Record, w io.Writer) {
	now, _, err := store.Head(c.ID)
	if err != nil || now == nil {
		return // the table shows it as missing
	}
	fmt.Fprintf(w, "%s: %s", c, now.Status)
	for _, x := range []struct{ score, format string }{{artifact.RI, ", Rand Index %.4f %%"}, {artifact.Accuracy, ", accuracy %.4f %%"}} {
		if v, ok := now.Scores[x.score]; ok {
			fmt.Fprintf(w, x.format, 100*v)
		}
	}
	if v, ok := now.Scores[artifact.Objective]; ok {
		fmt.Fprintf(w, ", objective %.6g", v)
	}
	if old != nil && old.Status == record.OK && now.Status == record.OK {
		switch {
		case old.NPZSum == "" && old.Kept != nil && old.Kept.NPZ != "": // of a ledger
			not := "NOT the same"
			if strings.HasPrefix(now.NPZSum, old.Kept.NPZ) {
				not = "the same"
			}
			fmt.Fprintf(w, ", %s arrays as the ledger says (by %s on %s)", not, old.Provenance.Code(), old.Provenance.GOARCH)
		case old.NPZSum == now.NPZSum:
			fmt.Fprint(w, ", the same bytes as before")
		case compare.Numbers(old) == compare.Numbers(now):
			// The arrays' file also names all parameters, and later revisions have more of them.
			fmt.Fprintf(w, ", the same numbers as before (by %s), though not the same file", old.Provenance.Code())
		default:
			fmt.Fprintf(w, ", NOT the same as before (by %s on %s)", old.Provenance.Code(), old.Provenance.GOARCH)
		}
	}
	files := store.Path(c.ID)
	if arrays := store.NPZPath(now); arrays != "" {
		files += " and " + arrays
	}
	fmt.Fprintf(w, "; files: %s\n", files)
}

// folder is where a configuration's tables go.
func folder(o *options, c *grid.Config) string { return filepath.Join(o.out, c.Name) }
