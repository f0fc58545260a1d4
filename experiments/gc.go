package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
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
	configurations int
	cells          map[string]bool
	own            map[string]bool // names of users' folders: without their data nobody knows their cells' ids
	products       map[string]bool // by contentText: their digests would need the data
}

// name adds a configuration: its grid, and what confirms its choices. While a choice cannot be
// made, because cells of its row are missing, every configuration of the row may be chosen.
func (n *named) name(ctx context.Context, c *config, store *record.Store) error {
	n.configurations++
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

// needs tells whether a named cell might rest on a matrix.
func (n *named) needs(content map[string]any) bool {
	dataset, _ := content["dataset"].(string)
	return n.own[dataset] || n.products[contentText(content)]
}

// nameAll reads the configuration given, the embedded ones and those under ./configs. One that
// cannot be read is an error: nobody knows what it names.
func (p program) nameAll(ctx context.Context, given *config, text []byte, store *record.Store) (*named, error) {
	n := &named{cells: map[string]bool{}, own: map[string]bool{}, products: map[string]bool{}}
	if err := n.name(ctx, given, store); err != nil {
		return nil, err
	}
	seen := [][]byte{text}
	add := func(src []byte, source string) error {
		if slices.ContainsFunc(seen, func(other []byte) bool { return bytes.Equal(src, other) }) {
			return nil // an embedded one lies under ./configs too
		}
		seen = append(seen, src)
		c, err := parseConfig(src, source, p.methods.described())
		if err != nil {
			return err
		}
		return n.name(ctx, c, store)
	}
	for _, name := range configs.Names() {
		src, err := fs.ReadFile(configs.FS(), name)
		if err != nil {
			return nil, err
		}
		if err := add(src, "embedded "+name); err != nil {
			return nil, err
		}
	}
	paths, err := filepath.Glob(filepath.Join("configs", "*.toml"))
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		src, err := readBounded(path)
		if err != nil {
			return nil, err
		}
		if err := add(src, path); err != nil {
			return nil, err
		}
	}
	return n, nil
}

// garbage is what no configuration names.
type garbage struct {
	cells, products []record.Holding
	kinds           map[string]*amount // cells by what they are
	kept            amount             // by configurations, or by what they rest on
	young, foreign  amount
}

// amount counts things and their bytes.
type amount struct {
	n     int
	bytes int64
}

func (h *amount) add(x record.Holding) {
	h.n++
	h.bytes += x.Bytes
}

// findGarbage goes through the store. A matrix stays as long as a record that stays rests
// on it, or a named cell might.
func findGarbage(ctx context.Context, store *record.Store, n *named, now time.Time) (*garbage, error) {
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
		switch {
		case n.cells[h.ID], r != nil && n.own[r.Dataset]:
			g.kept.add(h)
		case state == record.Foreign || state == record.Unreadable:
			g.foreign.add(h)
		case now.Sub(h.Newest) < gcAge:
			g.young.add(h)
		default:
			g.cells = append(g.cells, h)
			kind := "without a record that can be read"
			if r != nil {
				kind = fmt.Sprintf("%s version %d on %s", r.Method, r.MethodVersion, r.Dataset)
			}
			if g.kinds[kind] == nil {
				g.kinds[kind] = &amount{}
			}
			g.kinds[kind].add(h)
			continue
		}
		if r != nil {
			for _, u := range r.Products {
				used[u.ID] = true
			}
		}
	}
	for _, h := range products {
		head, state, _ := store.Product(h.ID)
		switch {
		case used[h.ID] || head != nil && n.needs(head.Content):
			g.kept.add(h)
		case state == record.Foreign || state == record.Unreadable || head != nil && productKinds()[head.Kind] == nil:
			g.foreign.add(h)
		case now.Sub(h.Newest) < gcAge:
			g.young.add(h)
		default:
			g.products = append(g.products, h)
		}
	}
	return g, nil
}

// gc lists what no configuration names, and removes it if that was asked for.
func (p program) gc(ctx context.Context, o *options, c *config, text []byte, store *record.Store, stdout io.Writer) error {
	n, err := p.nameAll(ctx, c, text, store)
	if err != nil {
		return err
	}
	g, err := findGarbage(ctx, store, n, time.Now())
	if err != nil {
		return err
	}
	where, err := os.Getwd()
	if err != nil {
		where = "."
	}
	fmt.Fprintf(stdout, "%s holds %s (%s) named by %s, the configurations in the program or those in %s: %s, %s\n",
		store.Dir(), plural(g.kept.n, "cell or matrix", "cells and matrices"), byteText(float64(g.kept.bytes)), c.source, filepath.Join(where, "configs"),
		plural(n.configurations, "configuration", "configurations"), plural(len(n.cells), "cell", "cells"))
	if g.foreign.n > 0 {
		fmt.Fprintf(stdout, "left alone: %d (%s) of another schema or kind, or that cannot be read\n", g.foreign.n, byteText(float64(g.foreign.bytes)))
	}
	if g.young.n > 0 {
		fmt.Fprintf(stdout, "left alone: %d (%s) named by none, but younger than %s and perhaps a running program's\n", g.young.n, byteText(float64(g.young.bytes)), strings.TrimSuffix(gcAge.String(), "0m0s"))
	}
	var total amount
	for _, kind := range sortedKeys(g.kinds) {
		fmt.Fprintf(stdout, "named by none: %s, %s: %s\n", plural(g.kinds[kind].n, "cell", "cells"), byteText(float64(g.kinds[kind].bytes)), kind)
	}
	var matrices amount
	for _, h := range g.products {
		matrices.add(h)
	}
	if matrices.n > 0 {
		fmt.Fprintf(stdout, "needed by none: %s of distances, %s\n", plural(matrices.n, "matrix", "matrices"), byteText(float64(matrices.bytes)))
	}
	all := slices.Concat(g.cells, g.products)
	for _, h := range all {
		total.add(h)
	}
	switch {
	case total.n == 0:
		fmt.Fprintln(stdout, "nothing to remove")
		return nil
	case !o.yes:
		fmt.Fprintf(stdout, "-gc -yes removes these %d, %s; records of a configuration that lies elsewhere are kept by naming it with -config\n", total.n, byteText(float64(total.bytes)))
		return nil
	}
	var gone amount
	files := 0
	for _, h := range all {
		if err := ctx.Err(); err != nil {
			return err
		}
		removed, err := store.Remove(h)
		files += removed
		if err != nil {
			return err
		}
		if removed > 0 {
			gone.add(h)
		}
	}
	fmt.Fprintf(stdout, "removed %s: %s, %s\n", plural(gone.n, "cell or matrix", "cells and matrices"), plural(files, "file", "files"), byteText(float64(gone.bytes)))
	return nil
}
