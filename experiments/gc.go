package main

import (
	"cmp"
	"context"
	"errors"
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
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports"
)

// gcAge is how old something has to be to be removed: what is younger may belong to a
// run on a configuration that this program does not know.
const gcAge = time.Hour

// named is what configurations ask for, and what the store has of it and besides.
type named struct {
	texts    map[string]bool // of the configurations
	cells    map[string]bool
	open     map[spec.KindKey][]func() []*spec.Cell // cells that may come to confirm a choice, worked out where something may be one of them
	own      map[string]bool                        // names of users' folders: without their data nobody knows their cells' ids
	sharing  []*spec.Cell                           // those that share products
	products map[shared]map[string]bool             // by spec.ContentText, as far as they were asked for: their digests would need the data

	garbage     []record.Holding
	kinds       map[string]amount // of it, by what it is
	kept, alone amount            // what is named, or something rests on; what is too young or of another schema
}

// shared is a kind of products on a data set.
type shared struct{ kind, dataset string }

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
	return &named{texts: map[string]bool{}, cells: map[string]bool{}, open: map[spec.KindKey][]func() []*spec.Cell{}, own: map[string]bool{},
		products: map[shared]map[string]bool{}, kinds: map[string]amount{}}
}

// name adds a configuration: its grid, and what confirms its choices. While a choice cannot be
// made, because cells of its row are missing, every configuration of the row may be chosen.
func (n *named) name(ctx context.Context, c *grid.Config, store *record.Store) error {
	n.texts[c.Ran()] = true
	grid := c.Cells()
	further, err := run.ConfirmationOf(ctx, c, run.RowsOf(c, grid), store, nil)
	if err != nil {
		return err
	}
	for _, r := range further.Open {
		for _, x := range r.Configurations(c) {
			n.open[x.Kind()] = append(n.open[x.Kind()], func() []*spec.Cell { return run.Fresh(c, x) })
		}
	}
	n.add(grid)
	n.add(further.Cells)
	return nil
}

func (n *named) add(cells []*spec.Cell) {
	for _, x := range cells {
		n.cells[x.ID] = true
		if x.Own != nil {
			n.own[x.Dataset] = true
		}
		if x.Method.Products != nil {
			n.sharing = append(n.sharing, x)
		}
	}
}

// expand adds the cells of these kinds that may come to confirm a choice.
func (n *named) expand(kinds ...spec.KindKey) {
	for _, kind := range kinds {
		for _, cells := range n.open[kind] {
			n.add(cells())
		}
		delete(n.open, kind)
	}
}

// opens are the kinds whose choice cannot be made yet, of a data set or, with "", of all.
func (n *named) opens(dataset string) (kinds []spec.KindKey) {
	for kind := range n.open {
		if dataset == "" || kind.Dataset == dataset {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// shares reports whether a named cell may need that product. What the cells of a large grid need takes seconds to write out: it is done
// for the data sets asked for alone.
func (n *named) shares(of shared, content map[string]any) bool {
	texts := n.products[of]
	if texts == nil {
		texts = map[string]bool{}
		n.products[of] = texts
		n.expand(n.opens(of.dataset)...)
		for _, x := range n.sharing {
			if x.Dataset != of.dataset {
				continue
			}
			for _, p := range x.Products() {
				if p.Kind().Name == of.kind {
					texts[spec.ContentText(p.Content())] = true
				}
			}
		}
	}
	return texts[spec.ContentText(content)]
}

// nameAll adds the embedded configurations, those below ./configs, and those whose tables are in the folder out. One that
// cannot be read is an error: nobody knows what it names.
func (n *named) nameAll(ctx context.Context, out string, methods []spec.Method, store *record.Store) error {
	return configurations(out, methods, n.texts, func(c *grid.Config) error { return n.name(ctx, c, store) })
}

// configurations visits the embedded configurations, those below ./configs, and those whose tables are in the folder out, but for
// texts that have been seen; visit notes these.
func configurations(out string, methods []spec.Method, seen map[string]bool, visit func(*grid.Config) error) error {
	paths := grid.Below()
	folders, err := os.ReadDir(out) // whose name may hold what a pattern would not take as it is
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range folders {
		path := filepath.Join(out, e.Name(), reports.ConfigFile)
		if _, err := os.Stat(path); err == nil {
			paths = append(paths, path)
		} else if e.IsDir() && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if path := filepath.Join(out, fit.ConfigFile); grid.IsFile(path) {
		paths = append(paths, path)
	}
	for i, name := range append(configs.Names(), paths...) {
		read, source := grid.Read, name
		if i < len(configs.Names()) {
			read, source = configs.Read, "embedded "+name
		}
		src, err := read(name)
		if err != nil {
			return err
		}
		if seen[string(src)] {
			continue // an embedded one is below ./configs too, and where its tables are
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

// sort puts a holding where it belongs, and reports whether it stays.
func (n *named) sort(h record.Holding, kept bool, state record.State, kind string) bool {
	switch {
	case kept:
		n.kept = n.kept.and(h)
	case state == record.Foreign || state == record.Unreadable || time.Since(h.Newest) < gcAge:
		n.alone = n.alone.and(h)
	default:
		n.garbage = append(n.garbage, h)
		n.kinds[kind] = n.kinds[kind].and(h)
		return false
	}
	return true
}

// sortAll goes through the store. A product stays as long as a record that stays rests
// on it, or a named cell might.
func (n *named) sortAll(ctx context.Context, store *record.Store, kinds map[string]*spec.ProductKind) error {
	cells, products, err := store.Holdings()
	if err != nil {
		return err
	}
	used := map[string]bool{}
	for _, h := range cells {
		if err := ctx.Err(); err != nil {
			return err
		}
		r, state, _ := store.Head(h.ID)
		switch {
		case n.cells[h.ID]:
		case r == nil:
			n.expand(n.opens("")...)
		default:
			n.expand(spec.KindKey{Method: r.Method, Dataset: r.Dataset})
		}
		if r == nil {
			n.sort(h, n.cells[h.ID], state, "cells without a record that can be read")
			continue
		}
		if n.sort(h, n.cells[h.ID] || n.own[r.Dataset], state, fmt.Sprintf("%s version %d on %s", r.Method, r.MethodVersion, r.Dataset)) {
			for _, u := range r.Products {
				used[u.ID] = true
			}
		}
	}
	for _, h := range products {
		head, state, _ := store.Product(h.ID)
		if head == nil {
			n.sort(h, used[h.ID], state, "products without a head that can be read")
			continue
		}
		dataset, _ := head.Content["dataset"].(string)
		kept := used[h.ID] || kinds[head.Kind] == nil || n.own[dataset] || n.shares(shared{head.Kind, dataset}, head.Content)
		n.sort(h, kept, state, "products "+head.Kind)
	}
	return nil
}

// gc lists what no configuration names, and removes it if that was asked for.
func (j *job) gc(ctx context.Context) error {
	if _, err := os.Stat(j.o.out); err != nil {
		return fmt.Errorf("-out %s: %w", j.o.out, err)
	}
	if j.o.yes {
		release, err := j.lock(false, false)
		if err != nil {
			return err
		}
		defer release()
	}
	n := newNamed()
	if err := n.name(ctx, j.config, j.store); err != nil {
		return err
	}
	if err := n.nameAll(ctx, j.o.out, j.methods.Described(), j.store); err != nil {
		return err
	}
	if err := n.sortAll(ctx, j.store, product.Kinds); err != nil {
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
	case !j.o.yes:
		fmt.Fprintln(j.stdout, "gc -yes removes what is named by none; "+
			"records of a configuration that lies elsewhere, and has no tables here, are kept by naming it with -config")
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
