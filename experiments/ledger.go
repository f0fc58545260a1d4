package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/source"
	"ogdl/internal/ledger"
	"ogdl/internal/record"
	"ogdl/internal/words"
)

const ledgerHelp = `OUT is the -out of runs, PATH a folder or a file. Finished cells of all configurations are added: of those in the program, under
./configs, and in OUT. Cells that PATH has with other numbers are named, and nothing of their method on their data set is added.`

// ledgerVerb is the command of that name.
func ledgerVerb(p program, _ *flag.FlagSet) action {
	return func(ctx context.Context, args []string, stdout io.Writer) (int, error) {
		if len(args) != 3 || args[0] != "add" {
			return exitFatal, errors.New("ledger: expected add OUT PATH")
		}
		return p.addToLedger(ctx, args[1], args[2], stdout)
	}
}

// addToLedger adds to a ledger what the store under out has finished of any configuration.
func (p program) addToLedger(ctx context.Context, out, path string, stdout io.Writer) (int, error) {
	if _, err := os.Stat(filepath.Join(out, "store")); errors.Is(err, fs.ErrNotExist) {
		return exitFatal, fmt.Errorf("ledger add: %s has no store", out)
	}
	store, err := record.Open(out)
	if err != nil {
		return exitFatal, err
	}
	l, err := ledger.Open(path)
	if err != nil {
		return exitFatal, err
	}
	lib := source.NewLibrary(defaultData())
	lib.Memory = source.OpenMemory(out)
	var sum run.Added
	before := l.Len()
	seen := map[string]bool{}
	err = configurations(out, p.methods.Described(), seen, func(c *grid.Config) error {
		seen[c.Ran()] = true
		if err := lib.Know(ctx, c.Folders(), c.Beside(), false, true, p.stderr); err != nil {
			return err
		}
		added, err := run.AddTo(ctx, l, c, c.Cells(), store)
		sum.Near += added.Near
		sum.Refused += added.Refused
		sum.Conflicts = append(sum.Conflicts, added.Conflicts...)
		return err
	})
	if err != nil {
		return exitFatal, fmt.Errorf("ledger add: %w", err)
	}
	for _, err := range sum.Conflicts { // another configuration may have added cells of the same method on the same data set
		if c := (*ledger.Conflict)(nil); errors.As(err, &c) {
			sum.Refused += l.Refuse(c.Method, c.Dataset)
		}
	}
	sum.Cells = l.Len() - before
	if err := save(l, path, sum, stdout); err != nil {
		return exitFatal, fmt.Errorf("ledger add: %w", err)
	}
	if len(sum.Conflicts) > 0 {
		return exitFailed, nil
	}
	return exitOK, nil
}

// save writes a ledger, where there is something new, and says what was added.
func save(l *ledger.Ledger, path string, added run.Added, w io.Writer) error {
	for _, err := range added.Conflicts {
		fmt.Fprintln(w, err)
	}
	if added.Refused > 0 {
		fmt.Fprintf(w, "ledger: %s not added, of the methods and data sets of these\n", words.Plural(added.Refused, "further cell", "further cells"))
	}
	if added.Near > 0 {
		fmt.Fprintf(w, "ledger: %s the same within 1e-9 and with the same clusters: those of the ledger stay\n", words.Plural(added.Near, "cell is", "cells are"))
	}
	fmt.Fprintf(w, "ledger: %s added to %s, %d in all", words.Plural(added.Cells, "cell", "cells"), path, l.Len())
	if files := l.Unsaved(); added.Cells == 0 && files > 0 {
		fmt.Fprintf(w, "; %s written for shorter times, or for how cells agree", words.Plural(files, "file", "files"))
	}
	fmt.Fprintln(w)
	return l.Save()
}
