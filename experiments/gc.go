package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ogdl/configs"
	"ogdl/experiments/internal/fit"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/plan"
	"ogdl/experiments/internal/product"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports"
)

const gcHelp = "gc keeps the records of -config, of the configurations in the program, of those under ./configs, " +
	"and of those that have run in the folder (in OUT/store/configurations, the latest of a name, or with tables). " +
	"It also keeps everything younger than an hour."

// ranFolder has, in a store, the configurations that have run there, by their names.
const ranFolder = "configurations"

// gcVerb lists cells and products that no configuration names, and removes them with -yes.
func gcVerb(p program, f *flag.FlagSet) action {
	o := newOptions("gc")
	o.add(f)
	yes := f.Bool("yes", false, "remove it")
	return func(ctx context.Context, _ []string) error { return p.gc(ctx, o, *yes) }
}

// gcAge is the least age of files that gc removes. Younger files may belong to a run on a
// configuration that this program does not know.
const gcAge = time.Hour

// named collects the cells and products of configurations, and divides the store into kept,
// untouched and garbage.
type named struct {
	texts   map[string]bool // of the configurations
	cells   map[string]bool
	fresh   map[again]int           // the first repetition that re-runs of such cells may have
	own     map[string]bool         // names of users' folders: without their data nobody knows their cells' ids
	sharing map[string][]*spec.Cell // cells that share products, by data set

	garbage     []record.Holding
	kinds       map[string]amount // of it, by the kind of file
	kept, alone amount            // named or needed by named cells; too young or of another schema
}

// again identifies cells that may be computed again.
type again struct {
	of      spec.KindKey
	version int // of the method
}

// amount counts cells and products and their bytes.
type amount struct {
	n     int
	bytes int64
}

func (a amount) and(h record.Holding) amount { return amount{a.n + 1, a.bytes + h.Bytes} }

func (a amount) String() string {
	return words.Plural(a.n, "cell or product", "cells and products") + ", " + plan.DiskBytes(a.bytes).String()
}

func newNamed() *named {
	return &named{texts: map[string]bool{}, cells: map[string]bool{}, fresh: map[again]int{}, own: map[string]bool{},
		sharing: map[string][]*spec.Cell{}, kinds: map[string]amount{}}
}

// add adds the grid of a configuration. Any setting may be selected some day, so the re-runs of all count.
func (n *named) add(c *grid.Config) error {
	n.texts[c.Ran] = true
	for _, x := range c.Cells() {
		n.cells[x.ID] = true
		if x.Own != nil {
			n.own[x.Dataset] = true
		}
		if x.Method.Products != nil {
			n.sharing[x.Dataset] = append(n.sharing[x.Dataset], x)
		}
		key := again{x.Kind(), x.Method.Version}
		if first, there := n.fresh[key]; c.Confirm > 0 && (!there || c.Behind() < first) {
			n.fresh[key] = c.Behind()
		}
	}
	return nil
}

// reruns reports whether a repetition by a version of a method may be of a re-run.
func (n *named) reruns(method, dataset string, version, repetition int) bool {
	first, there := n.fresh[again{spec.KindKey{Method: method, Dataset: dataset}, version}]
	return there && repetition >= first
}

// needed returns the products that named cells on a data set may use, as content texts: their ids
// cannot be computed without the data.
func (n *named) needed(dataset string) map[string]bool {
	texts := map[string]bool{}
	for _, x := range n.sharing[dataset] {
		for _, p := range x.Products() {
			texts[p.Kind+" "+spec.ContentText(p.Content)] = true
		}
	}
	return texts
}

// configurations calls visit on every configuration in the program, below ./configs and in the
// folder out, except texts in seen (visit adds to seen). An unreadable configuration is an error.
func configurations(out string, methods []spec.Method, seen map[string]bool, visit func(*grid.Config) error) error {
	folders, err := os.ReadDir(out) // whose name may hold what a pattern would not take as it is
	in := filepath.Join(out, record.Folder, ranFolder)
	ran, errRan := os.ReadDir(in)
	for _, err := range []error{err, errRan} {
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	paths := append(grid.Below(), filepath.Join(out, fit.ConfigFile))
	for _, e := range ran {
		if strings.HasSuffix(e.Name(), ".toml") {
			paths = append(paths, filepath.Join(in, e.Name()))
		}
	}
	for _, e := range folders {
		if path := filepath.Join(out, e.Name(), reports.ConfigFile); e.IsDir() || grid.IsFile(path) {
			paths = append(paths, path)
		}
	}
	embedded := configs.Names()
	for i, source := range slices.Concat(embedded, paths) {
		read, name := grid.Read, source
		if i < len(embedded) {
			read, source = configs.Read, grid.Embedded+name
		}
		src, err := read(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) || err == nil && seen[string(src)]:
			continue // an embedded one is below ./configs too, and where its tables are
		case err != nil:
			return err
		}
		c, err := grid.Parse(src, source, methods)
		if err != nil {
			return fmt.Errorf("a configuration cannot be read: %w", err)
		}
		if err := visit(c); err != nil {
			return err
		}
	}
	return nil
}

// sort counts a holding as kept, untouched or garbage, and reports whether it stays. err is the
// error of its record or head.
func (n *named) sort(h record.Holding, kept bool, err error, kind string) bool {
	switch {
	case kept:
		n.kept = n.kept.and(h)
	case err != nil && !errors.Is(err, record.ErrCorrupt) || time.Since(h.Newest) < gcAge:
		n.alone = n.alone.and(h)
	default:
		n.garbage = append(n.garbage, h)
		n.kinds[kind] = n.kinds[kind].and(h)
		return false
	}
	return true
}

// sortAll goes through the store. A product stays as long as a record that stays rests on it, or a named cell might.
func (n *named) sortAll(ctx context.Context, store *record.Store) error {
	cells, errCells := store.Cells()
	products, errProducts := store.Products()
	if err := cmp.Or(errCells, errProducts); err != nil {
		return err
	}
	used := map[string]bool{}
	for _, h := range cells {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, err := store.Head(h.ID)
		if r == nil {
			n.sort(h, n.cells[h.ID], err, "cells without a record that can be read")
			continue
		}
		kept := n.cells[h.ID] || n.own[r.Dataset] || n.reruns(r.Method, r.Dataset, r.MethodVersion, r.Repetition)
		if n.sort(h, kept, nil, fmt.Sprintf("%s version %d on %s", r.Method, r.MethodVersion, r.Dataset)) {
			for _, u := range r.Products {
				used[u.ID] = true
			}
		}
	}
	needed := map[string]map[string]bool{} // by data set, worked out where it is asked for: of large grids it takes seconds
	for _, h := range products {
		head, err := store.Product(h.ID)
		if head == nil {
			n.sort(h, used[h.ID], err, "products without a head that can be read")
			continue
		}
		dataset, _ := head.Content["dataset"].(string)
		method, _ := head.Content["method"].(string)
		version, _ := head.Content["version"].(float64)
		repetition, _ := head.Content["repetition"].(float64)
		kept := used[h.ID] || !slices.Contains(product.Kinds, head.Kind) || n.own[dataset] || n.reruns(method, dataset, int(version), int(repetition))
		if !kept && needed[dataset] == nil {
			needed[dataset] = n.needed(dataset)
		}
		kept = kept || needed[dataset][head.Kind+" "+spec.ContentText(head.Content)]
		n.sort(h, kept, nil, "products "+head.Kind)
	}
	return nil
}

// gc prints what no configuration names and, with yes, removes it.
func (p program) gc(ctx context.Context, o *options, yes bool) error {
	if _, err := os.Stat(o.out); err != nil {
		return fmt.Errorf("-out %s: %w", o.out, err)
	}
	j, err := p.open(o)
	if err != nil {
		return err
	}
	if yes {
		release, err := j.lock(false, false)
		if err != nil {
			return err
		}
		defer release()
	}
	n := newNamed()
	if err := n.add(j.config); err != nil {
		return err
	}
	if err := configurations(o.out, j.methods.Described(), n.texts, n.add); err != nil {
		return err
	}
	if err := n.sortAll(ctx, j.store); err != nil {
		return err
	}
	fmt.Fprintf(j.stdout, "%s: %s named by %s\n", j.store.Dir(), n.kept, words.Plural(len(n.texts), "configuration", "configurations"))
	if n.alone.n > 0 {
		fmt.Fprintf(j.stdout, "left alone, as younger than %s or of another schema: %s\n", strings.TrimSuffix(gcAge.String(), "0m0s"), n.alone)
	}
	for _, kind := range slices.Sorted(maps.Keys(n.kinds)) {
		fmt.Fprintf(j.stdout, "named by none: %s: %s\n", n.kinds[kind], kind)
	}
	switch {
	case len(n.garbage) == 0:
		fmt.Fprintln(j.stdout, "nothing to remove")
		return nil
	case !yes:
		fmt.Fprintln(j.stdout, "gc -yes removes these. To keep the records of another configuration, name it with -config.")
		return nil
	}
	var gone amount
	for _, h := range n.garbage {
		files, err := j.store.Remove(h)
		if err = cmp.Or(err, ctx.Err()); err != nil {
			return err
		}
		if files > 0 {
			gone = gone.and(h)
		}
	}
	fmt.Fprintf(j.stdout, "removed: %s\n", gone)
	return nil
}
