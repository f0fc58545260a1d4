package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ogdl/datasets"
	"ogdl/datasets/loader"
	"ogdl/experiments/internal/fit"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/disk"
	"ogdl/internal/npz"
	"ogdl/reports"
)

const fitHelp = `-graphs and -atoms are needed. Writes fit.toml, a configuration, and runs it in the same folder: graphs.csv, dictionary.npz (for
embed -from), index.html, and the store. The same command goes on where it was stopped. A range of atoms, or of clusters, and a list of -set
are chosen from without labels: atoms by held-out graphs, clusters by a test for separated ones, which may find none.`

// fitting is what the verb fit was given.
type fitting struct {
	program
	graphs, out string
	force       bool
	set         grid.Settings
	workers     int
	fit.Settings
}

// fitVerb is the command of that name.
func fitVerb(p program, f *flag.FlagSet) action {
	o := fitting{program: p}
	f.StringVar(&o.graphs, "graphs", "", "a `file` of JSON Lines, or a folder in the TU format")
	f.Func("atoms", "number of atoms `N`, or a range such as 2..10", func(text string) error { return parseRange(text, &o.Atoms) })
	f.Func("clusters", "`N`, or a range (default: the classes, or 1..8)", func(text string) error { return parseRange(text, &o.Clusters) })
	f.StringVar(&o.Method, "method", "GDL", "`method`: GDL, or GDL_h with node weights of the atoms")
	for _, x := range []struct{ name, usage string }{
		{"order", "nodes `N` of an atom (default: median of the graphs)"},
		{"alpha", "`share` of structure (1) against features (0) (default: 0.5 with features)"},
		{"lambda", "`weight` of the penalty that favours few atoms a graph (default: 0)"},
		{"features", "`kind`: none, labels, attributes, degree (default: what there is)"},
	} {
		f.Func(x.name, x.usage, func(text string) error { return o.setOwn(x.name, text) })
	}
	f.Var(&o.set, "set", "another `key=value` of the method, or a list, again and again (help GDL has them)")
	f.BoolVar(&o.Classify, "classify", false, "predict the classes by an SVM on the embeddings, and say how well")
	f.Int64Var(&o.Seed, "seed", 1, "base `seed`")
	f.StringVar(&o.out, "out", "", "`folder` to write (default: fit_ and the name of the set)")
	f.BoolVar(&o.force, "force", false, "write into a folder that is there")
	addWorkers(f, &o.workers)
	return o.run
}

// setOwn gives a parameter that has a flag of its own, so that errors name that flag.
func (o *fitting) setOwn(key, text string) error {
	if err := o.set.Set(key + "=" + text); err != nil {
		return err
	}
	row, value := method.GDL(), o.set.Values()[key]
	params := row.Parameters()
	q := &params[slices.IndexFunc(params, func(q spec.Param) bool { return q.Name == key })]
	if _, ok := q.Parse(value); !ok {
		return fmt.Errorf("must be %s%s", q.Allowed(), q.Suggest(value))
	}
	return nil
}

// parseRange reads N or N..M.
func parseRange(text string, into *fit.Range) error {
	first, last, isRange := strings.Cut(text, "..")
	if !isRange {
		last = first
	}
	from, err1 := strconv.ParseUint(first, 10, 31)
	to, err2 := strconv.ParseUint(last, 10, 31)
	if err1 != nil || err2 != nil || from < 1 || to < from || to-from >= 100 {
		return errors.New("must be a whole number from 1 on, or a range of at most 100, the smaller end first, such as 2..10")
	}
	*into = fit.Range{From: int(from), To: int(to)}
	return nil
}

// run writes the configuration, computes its cells, and writes what is chosen.
func (o *fitting) run(ctx context.Context, _ []string) error {
	o.Given = o.set.Values()
	weights, isText := cmp.Or(o.Given[spec.EdgeWeightsKey], any(loader.EdgesUnweighted)).(string)
	at := slices.IndexFunc(o.methods, func(r method.Row) bool { return r.Name == o.Method })
	names := fit.Methods(o.methods)
	switch {
	case o.graphs == "" || o.Atoms.To == 0:
		return errors.New("fit: -graphs FILE-or-DIR and -atoms N are both needed")
	case !slices.Contains(names, o.Method):
		return fmt.Errorf("fit: -method %s: must be %s%s", o.Method, strings.Join(names, " or "), spec.DidYouMean(o.Method, names))
	case !isText:
		return fmt.Errorf("fit: -set %s: must be a text", spec.EdgeWeightsKey)
	}
	row, out := &o.methods[at].Method, cmp.Or(o.out, "fit_"+loader.SetName(o.graphs))
	if err := disk.Writable(disk.OS{}, out); err != nil {
		return fmt.Errorf("fit: -out %s: want a folder, or a name that is free: %w", out, err)
	}
	d, err := loader.Options{EdgeWeights: weights}.LoadFolder(o.graphs)
	if err != nil {
		return err
	}
	text, notes, err := o.Configuration(row, d, beside(out, o.graphs), func(zero bool) []string { return loader.UsableWeights(o.graphs, zero) })
	if err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	c, err := grid.Parse(text, filepath.Join(out, fit.ConfigFile), o.methods.Described())
	if err == nil {
		err = countable(c, method.Place(d).Data)
	}
	if err != nil {
		return told(err)
	}
	goes, err := goesOn(out, text)
	if err == nil && !goes {
		err = o.occupied(out)
	}
	if err != nil {
		return err
	}
	f, err := o.compute(ctx, out, text, row, d)
	if err != nil {
		return err
	}
	f.Notes = notes
	if err := f.Write(ctx, out, o.force || goes); err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	for _, line := range f.Warnings() {
		fmt.Fprintf(o.stdout, "Warning: %s\n", line)
	}
	for _, line := range f.Lead() {
		fmt.Fprintln(o.stdout, line)
	}
	fmt.Fprintf(o.stdout, "written: %s; open %s\n", out, filepath.Join(out, fit.PageFile))
	return nil
}

// beside is the path of the graphs as a configuration in a folder has it.
func beside(out, graphs string) string {
	from, err1 := filepath.Abs(out)
	to, err2 := filepath.Abs(graphs)
	path, err := filepath.Rel(from, to)
	if err1 != nil || err2 != nil || err != nil {
		return graphs
	}
	return filepath.ToSlash(path)
}

// goesOn says whether a folder has the same fit, which was stopped before all of its files were there.
func goesOn(out string, text []byte) (bool, error) {
	was, err := os.ReadFile(filepath.Join(out, fit.ConfigFile))
	if errors.Is(err, os.ErrNotExist) || !bytes.Equal(was, text) {
		return false, nil
	}
	_, page := os.Stat(filepath.Join(out, fit.PageFile))
	_, sign := os.Stat(filepath.Join(out, fit.UnfinishedFile))
	return page != nil || sign == nil, err
}

// occupied is the error about a folder that holds something else than this fit.
func (o *fitting) occupied(out string) error {
	there, err := os.ReadDir(out)
	switch {
	case len(there) > 0 && !o.force:
		return fmt.Errorf("fit: %s is there already: -force writes into it, -out names another", out)
	case err != nil && !errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("fit: -out %s: %w", out, err)
	}
	if err := reports.Occupied(out, nil, o.force); err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	if line := reports.Without(out); line != "" {
		fmt.Fprintln(o.stderr, line)
	}
	return nil
}

// compute writes the configuration, runs it, and chooses among its cells.
func (o *fitting) compute(ctx context.Context, out string, text []byte, row *spec.Method, d *datasets.Dataset) (*fit.Fit, error) {
	path := filepath.Join(out, fit.ConfigFile)
	if err := disk.Put(disk.OS{}, disk.Data{Path: path, Bytes: text}); err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	opt := newOptions("fit")
	opt.config, opt.out, opt.Workers = path, out, o.workers
	j, err := o.open(opt)
	if err != nil {
		return nil, err
	}
	sel, err := j.selected(ctx)
	if err != nil {
		return nil, err
	}
	if err := j.compute(ctx, sel); err != nil && !errors.Is(err, ended(exitFailed)) {
		return nil, err
	}
	frame, err := j.frame(ctx, sel.Grid)
	if err != nil {
		return nil, err
	}
	for r := range frame.All() {
		if r.Failed() {
			return nil, fmt.Errorf("fit: %s", r.Record.Reason)
		}
	}
	f, err := fit.Read(ctx, row, d, &o.Settings, frame, func(id string) ([]npz.Array, error) { return arraysOf(j.store, id) })
	if err != nil {
		return nil, fmt.Errorf("fit: %w", err)
	}
	return f, nil
}

// countable holds the cells of a fit to the rules between parameters and graphs.
func countable(c *grid.Config, d *datasets.Dataset) error {
	for _, x := range c.Cells() {
		v := maps.Clone(x.Params)
		v[spec.DatasetKey] = d.Name
		if key, want := x.Method.CheckCounts(v, spec.Counts{Graphs: len(d.Graphs), Classes: d.NumClasses(), Data: d}); want != "" {
			return &grid.Error{Key: key, Value: grid.ShowIn(v, key), Want: want}
		}
	}
	return nil
}

// told names in the errors about the configuration of a fit the flags that gave its keys.
func told(err error) error {
	var e *grid.Error
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		err = several.Unwrap()[0]
	}
	if !errors.As(err, &e) {
		return err
	}
	value := ""
	if e.Value != "" {
		value = "=" + e.Value
	}
	return fmt.Errorf("fit: %s%s: %s", fit.FlagOf(e.Key), value, e.Want)
}
