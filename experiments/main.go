// Experiments reproduces the paper's tables: it reads a configuration, computes
// the cells of its grid that are not in the store yet, and writes the tables.
//
//	go run ./experiments                            # smoke.toml: seconds, no download
//	go run ./experiments -config clustering.toml
//	go run ./experiments -config clustering.toml -list -filter 'dataset=MUTAG lambda=0'
//	go run ./experiments embed -dict FILE.npz -data DIR
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"syscall"
	"time"

	"ogdl/internal/record"
	"ogdl/internal/vec"
)

// Exit codes.
const (
	exitOK          = 0
	exitFatal       = 1
	exitFailed      = 3 // some cells failed
	exitInterrupted = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	// A second signal ends the program at once.
	context.AfterFunc(ctx, stop)
	os.Exit(run(ctx, os.Args[1:], os.Stdout, os.Stderr))
}

// run is the program: tables and lists go to stdout, progress and troubles to
// stderr; it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	return program{methods: methods()}.run(ctx, args, stdout, stderr)
}

// program is run with its table of methods handed in.
type program struct{ methods methodTable }

func (p program) run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	var code int
	var err error
	if len(args) > 0 && args[0] == "embed" {
		code, err = embed(ctx, args[1:], stdout)
	} else {
		code, err = p.experiments(ctx, args, stdout, stderr)
	}
	switch {
	case errors.Is(err, flag.ErrHelp):
		return exitOK
	case err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled):
		fmt.Fprintln(stderr, "interrupted")
		return exitInterrupted
	case err != nil:
		fmt.Fprintln(stderr, "experiments:", err)
		return exitFatal
	}
	return code
}

// experiments runs a configuration.
func (p program) experiments(ctx context.Context, args []string, stdout, stderr io.Writer) (int, error) {
	o, err := parseFlags(args, p.methods.described(), stdout)
	if err != nil {
		return exitFatal, err
	}
	if o.version {
		printVersion(stdout)
		return exitOK, nil
	}
	src, source, err := openConfig(o.config)
	if err != nil {
		return exitFatal, err
	}
	c, err := parseConfig(src, source, p.methods.described(), o.set...)
	if err != nil {
		return exitFatal, err
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
	if !o.gc {
		if err := lib.know(ctx, o, c, stderr); err != nil {
			return exitFatal, err
		}
	}
	store, err := record.Open(o.out)
	if err != nil {
		return exitFatal, fmt.Errorf("-out %s: %w", o.out, err)
	}
	if o.verify {
		store.ForgetVerified()
	}
	if o.gc {
		return exitOK, p.gc(ctx, o, c, src, store, stdout)
	}
	if !o.list && !o.plan {
		if err := checkFolder(o, c); err != nil {
			return exitFatal, err
		}
	}
	sel, err := p.selection(ctx, o, c, store)
	if err != nil {
		return exitFatal, err
	}
	for _, value := range sel.filter.idle(sel.grid) {
		fmt.Fprintf(stderr, "-filter: %s\n", value)
	}
	if !o.list && !o.plan && !o.report {
		return p.compute(ctx, o, c, sel, lib, store, stdout, stderr)
	}
	lib.memory.save()
	defer remember(store, stderr)
	code := exitOK
	if o.calibrate {
		if code, err = p.calibrate(ctx, o, c, sel, lib, store, stdout, stderr); code != exitOK && code != exitFailed {
			return code, err
		}
		if sel, err = p.selection(ctx, o, c, store); err != nil { // a choice may have become known
			return exitFatal, err
		}
	}
	switch {
	case o.list:
		states, records := survey(ctx, store, sel.cells, o.verify, stderr)
		list(stdout, sel.cells, states, records, sel.further)
	case o.plan:
		err = p.plan(ctx, o, c, sel, store, stdout)
	case o.report:
		err = render(ctx, o, c, sel.grid, store, stdout, stderr)
	}
	return code, err
}

// plan prints what is missing of the cells and what it will take.
func (p program) plan(ctx context.Context, o *options, c *config, sel *selection, store *record.Store, stdout io.Writer) error {
	cells := sel.cells
	known, err := learn(ctx, cells, store, p.methods.described())
	if err != nil {
		return err
	}
	if o.force {
		known.states = map[string]state{}
	}
	made, err := makePlan(ctx, cells, known)
	if err != nil {
		return err
	}
	made.expect(c, sel.further, known)
	var shards int
	var longest float64
	if o.limit > 0 {
		shards, longest = made.shardsFor(o.limit, o.workers, cells, known)
	}
	if o.shards > 0 {
		made.parts = made.splitInto(o.shards, o.workers, cells, known)
	}
	if o.json {
		return made.writeJSON(stdout, o, shards, longest)
	}
	name := c.name
	if o.shard.of > 1 {
		name += ", shard " + o.shard.String()
	}
	made.writeText(stdout, o, name, shards, longest)
	return nil
}

// compute computes what is missing, then renders.
func (p program) compute(ctx context.Context, o *options, c *config, sel *selection, lib *library, store *record.Store, stdout, stderr io.Writer) (int, error) {
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
	defer remember(store, stderr)
	var old *record.Record // with its numbers, of the one cell that is computed again
	if o.cell != "" {
		old, _, _ = store.Head(sel.cells[0].id)
	}
	started := time.Now()
	r := &rounds{o: o, config: c, store: store, lib: lib, fit: p.methods.fit, company: others > 0, stderr: stderr, told: map[source]bool{}}
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

// remember keeps which arrays have been found whole. Without it they are read again.
func remember(store *record.Store, w io.Writer) {
	if err := store.Remember(); err != nil {
		fmt.Fprintf(w, "the next run will read all arrays again: %v\n", err)
	}
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

func printVersion(w io.Writer) {
	where := provenance()
	version := "(devel)"
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		version = info.Main.Version
	}
	fmt.Fprintf(w, "ogdl %s\nsources %s\nrevision %s\n%s %s\nkernels %s\n", version, where.Sources, cmp.Or(where.Revision, "not known to this build"), where.GoVersion, where.GOARCH, vec.Kernels())
}

// folder is where a configuration's tables go.
func folder(o *options, c *config) string { return filepath.Join(o.out, c.name) }
