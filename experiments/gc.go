package main

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ogdl/configs"
	"ogdl/internal/record"
)

// gcAge is how old something has to be to be removed: what is younger may belong to a
// run on a configuration that this program does not know.
const gcAge = time.Hour

// named is what configurations ask for.
type named struct {
	texts    map[string]bool // of the configurations
	cells    map[string]bool
	own      map[string]bool // names of users' folders: without their data nobody knows their cells' ids
	products map[string]bool // by contentText: their digests would need the data
}

func newNamed() *named {
	return &named{map[string]bool{}, map[string]bool{}, map[string]bool{}, map[string]bool{}}
}

// name adds a configuration: its grid, and what confirms its choices. While a choice cannot be
// made, because cells of its row are missing, every configuration of the row may be chosen.
func (n *named) name(ctx context.Context, c *config, store *record.Store) error {
	n.texts[c.ran()] = true
	grid := c.cells()
	further, err := c.confirmation(ctx, c.rows(grid), store, nil)
	if err != nil {
		return err
	}
	for _, x := range further.cells {
		n.cells[x.id] = true
	}
	for _, r := range further.open {
		for _, x := range c.configurations(r) {
			for _, y := range c.fresh(x) {
				n.cells[y.id] = true
			}
		}
	}
	for _, x := range grid {
		if n.cells[x.id] = true; x.own != nil {
			n.own[x.dataset] = true
		}
		for _, p := range x.products() {
			n.products[contentText(p.Content())] = true
		}
	}
	return nil
}

// nameAll adds the embedded configurations and those under ./configs. One that
// cannot be read is an error: nobody knows what it names.
func (n *named) nameAll(ctx context.Context, methods []method, store *record.Store) error {
	paths, err := filepath.Glob(filepath.Join("configs", "*.toml"))
	if err != nil {
		return err
	}
	for i, name := range append(configs.Names(), paths...) {
		read, source := readBounded, name
		if i < len(configs.Names()) {
			read, source = func(name string) ([]byte, error) { return fs.ReadFile(configs.FS(), name) }, "embedded "+name
		}
		src, err := read(name)
		if err != nil {
			return err
		}
		if n.texts[string(src)] {
			continue // an embedded one lies under ./configs too
		}
		c, err := parseConfig(src, source, methods)
		if err != nil {
			return err
		}
		if err := n.name(ctx, c, store); err != nil {
			return err
		}
	}
	return nil
}

// amount counts cells and matrices and their bytes.
type amount struct {
	n     int
	bytes int64
}

func (a *amount) add(h record.Holding) {
	a.n++
	a.bytes += h.Bytes
}

func (a amount) String() string {
	return plural(a.n, "cell or product", "cells and products") + ", " + diskBytes(a.bytes).String()
}

// garbage is what no configuration names.
type garbage struct {
	holdings    []record.Holding
	kinds       map[string]*amount // of it, by what it is
	kept, alone amount             // what is named, or something rests on; what is too young or of another schema
}

// sort puts a holding where it belongs.
func (g *garbage) sort(h record.Holding, kept bool, state record.State, kind string) {
	switch {
	case kept:
		g.kept.add(h)
	case state == record.Foreign || state == record.Unreadable || time.Since(h.Newest) < gcAge:
		g.alone.add(h)
	default:
		g.holdings = append(g.holdings, h)
		if g.kinds[kind] == nil {
			g.kinds[kind] = &amount{}
		}
		g.kinds[kind].add(h)
	}
}

// findGarbage goes through the store. A matrix stays as long as a record that stays rests
// on it, or a named cell might.
func findGarbage(ctx context.Context, store *record.Store, n *named) (*garbage, error) {
	cells, products, err := store.Holdings()
	if err != nil {
		return nil, err
	}
	g := &garbage{kinds: map[string]*amount{}}
	used := map[string]bool{}
	for _, h := range cells {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		r, state, _ := store.Head(h.ID)
		kind, before := "cells without a record that can be read", len(g.holdings)
		if r != nil {
			kind = fmt.Sprintf("%s version %d on %s", r.Method, r.MethodVersion, r.Dataset)
		}
		g.sort(h, n.cells[h.ID] || r != nil && n.own[r.Dataset], state, kind)
		if r != nil && len(g.holdings) == before {
			for _, u := range r.Products {
				used[u.ID] = true
			}
		}
	}
	for _, h := range products {
		head, state, _ := store.Product(h.ID)
		kind, kept := "products without a head that can be read", used[h.ID]
		if head != nil {
			kind = "products " + head.Kind
			dataset, _ := head.Content["dataset"].(string)
			kept = kept || productKinds()[head.Kind] == nil || n.own[dataset] || n.products[contentText(head.Content)]
		}
		g.sort(h, kept, state, kind)
	}
	return g, nil
}

// gc lists what no configuration names, and removes it if that was asked for.
func (j *job) gc(ctx context.Context) (int, error) {
	n := newNamed()
	if err := n.name(ctx, j.config, j.store); err != nil {
		return exitFatal, err
	}
	if err := n.nameAll(ctx, j.methods.described(), j.store); err != nil {
		return exitFatal, err
	}
	g, err := findGarbage(ctx, j.store, n)
	if err != nil {
		return exitFatal, err
	}
	fmt.Fprintf(j.stdout, "%s: %s named by %s\n", j.store.Dir(), g.kept, plural(len(n.texts), "configuration", "configurations"))
	if g.alone.n > 0 {
		fmt.Fprintf(j.stdout, "left alone, as younger than %s or of another schema: %s\n", strings.TrimSuffix(gcAge.String(), "0m0s"), g.alone)
	}
	for _, kind := range slices.Sorted(maps.Keys(g.kinds)) {
		fmt.Fprintf(j.stdout, "named by none: %s: %s\n", g.kinds[kind], kind)
	}
	switch {
	case len(g.holdings) == 0:
		fmt.Fprintln(j.stdout, "nothing to remove")
		return exitOK, nil
	case !j.o.yes:
		fmt.Fprintln(j.stdout, "gc -yes removes what is named by none; records of a configuration that lies elsewhere are kept by naming it with -config")
		return exitOK, nil
	}
	var gone amount
	for _, h := range g.holdings {
		if err := ctx.Err(); err != nil {
			return exitFatal, err
		}
		files, err := j.store.Remove(h)
		if err != nil {
			return exitFatal, err
		}
		if files > 0 {
			gone.add(h)
		}
	}
	fmt.Fprintf(j.stdout, "removed: %s\n", gone)
	return exitOK, nil
}
