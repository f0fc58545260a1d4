package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/source"
	"ogdl/internal/disk"
	"ogdl/internal/ledger"
	"ogdl/internal/lock"
	"ogdl/internal/record"
	"ogdl/internal/words"
)

const ledgerHelp = `OUT is the -out of runs, PATH a folder or a file. Finished cells of all configurations are added: of those in the program, under
./configs, and in OUT. If PATH has other numbers for a cell, the cell is printed, and no cell of its method on its data set is added.`

// ledgerVerb adds the finished cells of a result folder's store, of any configuration, to a ledger.
func ledgerVerb(p program, _ *flag.FlagSet) action {
	return func(ctx context.Context, args []string) error {
		if args[0] != "add" {
			return errors.New("ledger: expected add OUT PATH")
		}
		if _, err := os.Stat(filepath.Join(args[1], record.Folder)); errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("ledger add: %s has no store", args[1])
		}
		return prefixed("ledger add", adding(ctx, args[2], p.stderr, func() error { return p.addToLedger(ctx, args[1], args[2]) }))
	}
}

// adding calls add while no other process adds to the ledger at path: each writes back all that it has
// read, so that the cells of the other would be lost.
func adding(ctx context.Context, path string, stderr io.Writer, add func() error) error {
	dir := filepath.Clean(path) + ".lock"
	_ = disk.MakeDir(disk.OS{}, dir) // if nothing can be written here, Save says so
	for said := false; ; said = true {
		l, err := lock.Take(dir, false, func() {})
		if errors.Is(err, lock.ErrNoSupport) {
			fmt.Fprintf(stderr, "%s: %v; let one process at a time add to this ledger\n", dir, err)
		}
		if held := (*lock.HeldError)(nil); !errors.As(err, &held) {
			defer l.Release()
			return add()
		}
		if !said {
			fmt.Fprintf(stderr, "waiting: %v\n", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

func (p program) addToLedger(ctx context.Context, out, path string) error {
	store, errStore := record.Open(out)
	l, errLedger := ledger.Open(path)
	if err := cmp.Or(errStore, errLedger); err != nil {
		return err
	}
	lib := source.NewLibrary(defaultData(), out)
	var sum run.Added
	before, seen := l.Len(), map[string]bool{}
	if err := configurations(out, p.methods.Described(), seen, func(c *grid.Config) error {
		seen[c.Ran] = true
		if err := lib.Know(ctx, c.Folders, c.Dir(), false, p.stderr); err != nil {
			return err
		}
		return sum.Add(ctx, l, c, c.Cells(), store)
	}); err != nil {
		return err
	}
	for _, err := range sum.Conflicts { // another configuration may have added cells of the same method on the same data set
		if c := (*ledger.Conflict)(nil); errors.As(err, &c) {
			sum.Refused += l.Refuse(c.Method, c.Dataset)
		}
	}
	sum.Cells = l.Len() - before
	if n := sum.Unnamed(store); n > 0 {
		fmt.Fprintf(p.stderr, "ledger add: %s not added: failed, damaged, or of no configuration that is known here; report -config FILE -out %s keeps one in %s\n",
			words.Plural(n, "cell is", "cells are"), words.Shell(out), out)
	}
	return save(l, path, sum, true, p.stdout)
}

// save prints the conflicts and, with write, the counts, and saves the ledger. It returns exit code
// 3 if there are conflicts.
func save(l *ledger.Ledger, path string, added run.Added, write bool, w io.Writer) (err error) {
	for _, conflict := range added.Conflicts {
		fmt.Fprintln(w, conflict)
		err = ended(exitFailed)
	}
	if !write {
		return err
	}
	if added.Refused > 0 {
		fmt.Fprintf(w, "ledger: %s not added, of the methods and data sets of these\n", words.Plural(added.Refused, "further cell", "further cells"))
	}
	if added.Near > 0 {
		fmt.Fprintf(w, "ledger: %s the same within 1e-9 and with the same clusters, and not replaced\n", words.Plural(added.Near, "cell is", "cells are"))
	}
	files := l.Unsaved()
	if failed := l.Save(); failed != nil {
		return failed
	}
	fmt.Fprintf(w, "ledger: %s added to %s, %d in all%s\n", words.Plural(added.Cells, "cell", "cells"), path, l.Len(),
		words.If(added.Cells == 0 && files > 0, "; %s written for shorter times, or for how cells agree",
			words.Plural(files, "file", "files")))
	return err
}
