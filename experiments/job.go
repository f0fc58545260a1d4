package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ogdl/experiments/internal/compare"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/plan"
	"ogdl/experiments/internal/protocol"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/disk"
	"ogdl/internal/ledger"
	"ogdl/internal/lock"
	"ogdl/internal/record"
	"ogdl/internal/words"
)

// job holds the configuration, the data and the store of one command.
type job struct {
	program
	o      *options
	config *grid.Config
	lib    *source.Library
	store  *record.Store
	place  string // last lines of the output: the path of the report; "" without one
}

// open reads the configuration, applies -set and opens the store. It opens no data set.
func (p program) open(o *options) (*job, error) {
	src, from, err := grid.Open(o.config)
	if err != nil {
		return nil, err
	}
	return p.openText(o, src, from)
}

// openText is open for the text of a configuration.
func (p program) openText(o *options, src []byte, from string) (*job, error) {
	c, err := grid.Parse(src, from, p.methods.Described(), o.set...)
	if err != nil {
		return nil, err
	}
	if o.Report && len(o.set) == 0 {
		set := settingsOf(filepath.Join(o.out, c.Name))
		if was, err := grid.Parse(src, from, p.methods.Described(), set...); err == nil {
			c, o.set = was, set
		}
	}
	if o.verb != "check" { // which looks through several
		line := "configuration: " + c.Source
		for _, s := range o.set {
			line += " -set " + words.Shell(s.Text)
		}
		fmt.Fprintln(p.stderr, line)
	}
	lib := source.NewLibrary(o.data, o.out)
	lib.Logf = func(format string, args ...any) { fmt.Fprintf(p.stderr, format+"\n", args...) }
	store, err := record.Open(o.out)
	if err != nil {
		return nil, fmt.Errorf("-out %s: %w", o.out, err)
	}
	j := &job{p, o, c, lib, store, ""}
	if o.ledger == "" {
		return j, nil
	}
	l, err := ledger.Open(o.ledger)
	if err != nil {
		return nil, fmt.Errorf("-ledger: %w", err)
	}
	store.Consult(l)
	about := words.Plural(l.Len(), "cell", "cells")
	if _, err := os.Stat(o.ledger); errors.Is(err, fs.ErrNotExist) {
		if !o.computes() || o.Cell != "" { // nothing will be added
			return nil, fmt.Errorf("-ledger %s: no such file or folder", o.ledger)
		}
		about = "a new one"
	}
	fmt.Fprintf(p.stderr, "ledger: %s, %s\n", o.ledger, about)
	return j, nil
}

// selected looks for the users' folders and finds the cells that the options name. Where the verb writes tables it checks their folder.
func (j *job) selected(ctx context.Context) (*run.Selection, error) {
	if err := j.lib.Know(ctx, j.config.Folders, j.config.Dir(), j.o.computes(), j.stderr); err != nil {
		return nil, err
	}
	sel, err := run.NewSelection(ctx, &j.o.Options, j.config, j.methods.Described(), j.store)
	if err != nil {
		return nil, err
	}
	if j.o.verb == "report" || j.o.verb == "run" && !j.o.picks() && j.o.Shard.Of <= 1 {
		if err := j.checkFolder(sel.Grid); err != nil {
			return nil, err
		}
	}
	for _, value := range sel.Filter.Idle(sel.Grid, true) {
		fmt.Fprintf(j.stderr, "-filter: %s\n", value)
	}
	return sel, nil
}

// list shows the cells.
func (j *job) list(ctx context.Context, sel *run.Selection) error {
	known, err := run.Survey(ctx, j.store, sel.Cells, j.o.Verify, j.stderr)
	if err == nil {
		run.List(j.stdout, sel.Cells, known, sel.Further)
	}
	return err
}

// report writes the tables from the store.
func (j *job) report(ctx context.Context, sel *run.Selection) error {
	err := j.render(ctx, sel.Grid)
	fmt.Fprint(j.stdout, j.place)
	return err
}

// plan prints the missing cells with their estimated time and disk space.
func (j *job) plan(ctx context.Context, sel *run.Selection) error {
	p, err := j.missing(ctx, sel)
	if err != nil {
		return err
	}
	if sel.Later && (j.o.shards > 0 || j.o.limit > 0) {
		return errors.New("-shards, -limit: a race decides between whole repetitions: plan one at a time, as by -filter repetition=0")
	}
	p.Divide(j.o.Workers, j.o.shards, j.o.limit)
	if j.o.json {
		e := json.NewEncoder(j.stdout)
		e.SetIndent("", "  ")
		return e.Encode(p)
	}
	name := j.config.Name + words.If(j.o.Shard.Of > 1, ", shard %s", j.o.Shard)
	p.WriteText(j.stdout, name, j.o.Workers, j.o.limit, sel.Further)
	return nil
}

// missing returns the plan of the cells without a result, or of all cells with -force. Times are
// learned from the whole grid, so that plans of shards add up.
func (j *job) missing(ctx context.Context, sel *run.Selection) (*plan.Plan, error) {
	known, err := plan.Learn(ctx, slices.Concat(sel.Grid, sel.Cells), j.store, j.methods.Described())
	if err != nil {
		return nil, err
	}
	if j.o.Force {
		known.States = nil
	}
	return plan.MakePlan(ctx, j.config, sel.Cells, known, sel.Further)
}

// enter adds the finished cells of the configuration to the ledger. With -cell it only compares. It
// rereads the ledger, because another process may have added to it. It returns exit code 3 if the
// ledger has other numbers for a cell.
func (j *job) enter(ctx context.Context, cells []*spec.Cell) error {
	if j.o.ledger == "" {
		return nil
	}
	return prefixed("-ledger", adding(ctx, j.o.ledger, j.stderr, func() error {
		l, errLedger := ledger.Open(j.o.ledger)
		own, errStore := record.Open(j.o.out) // which consults no ledger
		if err := cmp.Or(errLedger, errStore); err != nil {
			return err
		}
		var added run.Added
		if err := added.Add(ctx, l, j.config, cells, own); err != nil {
			return err
		}
		return save(l, j.o.ledger, added, j.o.Cell == "", j.stderr)
	}))
}

// lock takes the store's lock, shared or exclusive, and returns the function that releases it. With
// sweep, and if no other process holds the lock, it removes leftovers of interrupted runs.
func (j *job) lock(share, sweep bool) (release func(), err error) {
	if err := j.store.MakeDir(); err != nil {
		return nil, fmt.Errorf("-out %s: %w", j.o.out, err)
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
		return nil, fmt.Errorf("%w; wait for it to end%s", err, words.If(j.o.verb == "run", ", or run both with -shard"))
	case errors.Is(err, lock.ErrNoSupport):
		fmt.Fprintf(j.stderr, "%s: %v; nothing keeps a second run from computing the same cells\n", j.store.Dir(), err)
		l = nil
	case err != nil:
		return nil, err
	}
	if err := j.store.Writable(); err != nil {
		l.Release()
		return nil, err
	}
	return l.Release, nil
}

// newRun returns a run of the cells of the configuration.
func (j *job) newRun(log *run.Log) *run.Run {
	return &run.Run{Options: j.o.Options, Log: log, Config: j.config, Stderr: j.stderr, Blocks: j.blocks,
		Env: protocol.Env{Methods: j.methods, Data: j.lib, Store: j.store, Timeout: j.config.Timeout, Where: protocol.Provenance()}}
}

// compute computes the missing cells, shows progress, and adds the results to the ledger.
func (j *job) compute(ctx context.Context, sel *run.Selection) error {
	o, grid := j.o, sel.First
	if err := cmp.Or(run.Countable(j.lib, j.config, grid), run.Computable(j.lib, sel.All, j.store)); err != nil {
		return err
	}
	release, err := j.lock(o.Shard.Of > 1, !o.picks())
	if err != nil {
		return err
	}
	defer release()
	if err := j.keepConfiguration(); err != nil {
		return err
	}
	j.lib.Remember(j.config.Folders)
	var old *record.Record // with its numbers, of the one cell that is computed again
	if o.Cell != "" {
		old, _ = j.store.Head(grid[0].ID)
	}
	log, err := run.OpenLog(o.log)
	if err != nil {
		return err
	}
	defer func() {
		if err := log.Close(ctx.Err() != nil, 500*time.Millisecond); err != nil {
			fmt.Fprintf(j.stderr, "the log is not whole: %v\n", err)
		}
	}()
	started, computing, stop := time.Now(), ctx, func() {}
	if o.lasts > 0 {
		computing, stop = context.WithTimeout(ctx, o.lasts)
	}
	defer stop()
	r := j.newRun(log)
	err = r.Round(computing, "", grid)
	if err == nil && ctx.Err() == nil && o.Cell == "" {
		err = r.Further(computing, sel)
	}
	over := errors.Is(err, context.DeadlineExceeded) && computing.Err() != nil
	if err != nil && !over && !errors.Is(err, context.Canceled) && !errors.Is(err, run.ErrFailfast) {
		return err
	}
	return j.conclude(ctx, sel, r, over, started, func() {
		if o.Cell != "" && r.Counts[record.Skipped] == 0 {
			j.showCell(grid[0], old, r.Failed)
		}
	})
}

// keepConfiguration leaves the configuration in the store, for gc and ledger add.
func (j *job) keepConfiguration() error {
	name := j.config.Name
	if len(j.o.set) > 0 { // another grid, which may share the folder with the plain one
		name += fmt.Sprintf("-%.4x", sha256.Sum256([]byte(j.config.Ran)))
	}
	path := filepath.Join(j.store.Dir(), ranFolder, name+".toml")
	if before, _ := os.ReadFile(path); string(before) == j.config.Ran {
		return nil
	}
	return disk.Put(disk.OS{}, disk.Data{Path: path, Bytes: []byte(j.config.Ran)})
}

// conclude writes the tables of a run of the whole configuration, or prints the rows of a partial
// run, adds the results to the ledger and prints a summary. over is set if -for ended the run early.
func (j *job) conclude(ctx context.Context, sel *run.Selection, r *run.Run, over bool, started time.Time, showCell func()) error {
	var err error
	switch kept := words.Plural(r.Before+r.Counts[record.OK], "cell is", "cells are") + " kept in " + j.store.Dir(); {
	case ctx.Err() != nil: // tables could take longer than a user who stopped the run waits
		fmt.Fprintf(j.stderr, "interrupted: %s; run the same command again to go on\n%s", kept, r.Cache.Summary())
	case over:
		fmt.Fprintf(j.stderr, "-for %s is over: %s; run the same command again to go on\n", j.o.lasts, kept)
	case j.o.verb == "fit" || j.o.Cell != "": // fit writes its own page; -cell prints one line
	case j.o.Shard.Of > 1:
		fmt.Fprintf(j.stdout, "records: %s (report writes the tables when the records of all %d shards are in one folder)\n", j.store.Dir(), j.o.Shard.Of)
	case j.o.picks():
		err = j.rows(ctx, sel.Cells)
	default: // tables come before the ledger, whose numbers may be others
		if err = j.render(ctx, sel.Grid); err != nil && ctx.Err() != nil {
			fmt.Fprintln(j.stderr, "interrupted: all cells are kept, the tables stay as they were; report writes them")
			err = ended(exitInterrupted)
		}
	}
	if err != nil {
		r.Summary(j.stderr, time.Since(started))
		return err
	}
	compared := sel.Grid
	if j.o.Cell != "" {
		compared = sel.Cells
	}
	conflict := j.enter(context.WithoutCancel(ctx), compared)
	switch {
	case conflict != nil && !errors.Is(conflict, ended(exitFailed)):
		fmt.Fprint(j.stdout, j.place)
		return conflict
	case ctx.Err() != nil:
		return ended(exitInterrupted)
	}
	r.Summary(j.stderr, time.Since(started))
	fmt.Fprint(j.stdout, j.place)
	if j.o.picks() && !over {
		showCell()
		set := ""
		for _, s := range j.o.set {
			set += " -set " + words.Shell(s.Text)
		}
		fmt.Fprintf(j.stdout, "tables: as they were; report -config %s%s -out %s writes them\n", words.Shell(j.o.config), set, words.Shell(j.o.out))
	}
	if len(r.Failed) > 0 {
		return ended(exitFailed)
	}
	return conflict
}

// showCell prints one line about a cell: its status, scores and files, and whether the
// recomputation reproduced the old numbers.
func (j *job) showCell(c *spec.Cell, old *record.Record, failed []*record.Record) {
	now, err := j.store.Head(c.ID)
	if len(failed) > 0 { // the store may have an earlier result
		now = failed[0]
	} else if err != nil || now == nil {
		return // the table shows it as missing
	}
	line := fmt.Sprintf("%s: %s", c, now.Status)
	for _, x := range []struct {
		score, format string
		scale         float64
	}{{artifact.RI, ", Rand Index %.4f %%", 100}, {artifact.Accuracy, ", accuracy %.4f %%", 100}, {artifact.Objective, ", objective %.6g", 1}} {
		if v, ok := now.Scores[x.score]; ok {
			line += fmt.Sprintf(x.format, x.scale*v)
		}
	}
	if old != nil && old.Status == record.OK && now.Status == record.OK {
		by := fmt.Sprintf("(by %s on %s)", old.Provenance.Code(), old.Provenance.GOARCH)
		inLedger := old.NPZSum == "" && old.Kept != nil && old.Kept.NPZ != ""
		switch {
		case inLedger && strings.HasPrefix(now.NPZSum, old.Kept.NPZ):
			line += ", the same arrays as the ledger says " + by
		case inLedger:
			line += ", NOT the same arrays as the ledger says " + by
		case old.NPZSum == now.NPZSum:
			line += ", the same bytes as before"
		case compare.Numbers(old) == compare.Numbers(now): // files name all parameters, and later revisions have more of them
			line += ", the same numbers as before, though not the same file " + by
		default:
			line += ", NOT the same as before " + by
		}
	}
	path, arrays := j.store.Path(c.ID), j.store.NPZPath(now)
	if now.Status != record.OK {
		path = j.store.FailurePath(c.ID)
	}
	fmt.Fprintf(j.stdout, "%s; files: %s%s\n", line, path, words.If(arrays != "", " and %s", arrays))
}

// folder returns where the tables of the configuration go.
func (j *job) folder() string { return filepath.Join(j.o.out, j.config.Name) }
