package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/fit"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/method"
	"ogdl/experiments/internal/run"
	"ogdl/experiments/internal/source"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/disk"
	"ogdl/internal/words"
	"ogdl/reports"
)

const fitHelp = `-graphs and -atoms are needed. Writes fit.toml, a configuration, and runs it in the same folder: graphs.csv, dictionary.npz (for
embed -from), index.html, and the store. The same command goes on where it was stopped. A range of atoms, or of clusters, and a list of -set
are chosen from without labels: atoms by held-out graphs, clusters by a test for separated ones, which may find none.`

// fitting holds the flags of the verb fit.
type fitting struct {
	program
	*options // of the run
	graphs   string
	force    bool          // replace files; options.Force computes cells again
	given    grid.Settings // become a part of the configuration
	fit.Settings
}

// fitVerb writes a configuration, computes its cells, and writes the files of the selected setting.
func fitVerb(p program, f *flag.FlagSet) action {
	o := fitting{program: p, options: newOptions("fit")}
	f.StringVar(&o.graphs, "graphs", "", "a `file` of JSON Lines, or a folder in the TU format")
	f.Func("atoms", "number of atoms `N`, a range (2..10) or a list (2,4,8)", parsed(&o.Atoms, parseNumbers))
	f.Func("clusters", "`N`, a range or a list (default: the classes, or 1..8)", parsed(&o.Clusters, parseNumbers))
	f.StringVar(&o.Method, "method", "GDL", "`method`: GDL, or GDL_h with node weights of the atoms")
	for _, x := range []struct{ name, usage string }{
		{"order", "nodes `N` of an atom (default: median; 25 above 50)"},
		{"alpha", "`share` of structure (default: 0.5; 1 without features)"},
		{"lambda", "`weight` of the penalty that favours few atoms a graph (default: 0)"},
		{"features", "`kind`: none, labels, attributes, degree (default: what there is)"},
	} {
		f.Func(x.name, x.usage, func(text string) error { return o.given.Set(x.name + "=" + asList(text)) })
	}
	f.Var(&o.given, "set", "another `key=value` of the method, or a list, again and again (help GDL has them)")
	f.BoolVar(&o.Classify, "classify", false, "predict the classes by a cross-validated SVM, report the accuracy")
	f.Int64Var(&o.Seed, "seed", 1, "base `seed`")
	f.StringVar(&o.out, "out", "", "`folder` to write (default: fit_ and the name of the set)")
	f.BoolVar(&o.force, "force", false, "replace the files of an existing fit")
	addWorkers(f, &o.Workers)
	return func(ctx context.Context, _ []string) error {
		err := joined(o.run(ctx))[0]
		var mistake *grid.Error
		if !errors.As(err, &mistake) {
			return prefixed("fit", err)
		}
		if mistake.Key == "path" {
			return fmt.Errorf("fit: -graphs %q: %s", o.graphs, mistake.Want)
		}
		value := words.If(mistake.Value != "", "=%s", mistake.Value)
		return fmt.Errorf("fit: %s%s: %s", fit.FlagOf(mistake.Key), value, mistake.Want) // the flag gave the key
	}
}

// asList turns comma-separated values into a TOML list. It returns a single value unchanged.
func asList(text string) string {
	if !strings.Contains(text, ",") || strings.HasPrefix(text, "[") {
		return text
	}
	values := strings.Split(text, ",")
	for i, x := range values {
		values[i] = strings.TrimSpace(x)
		if _, err := strconv.ParseFloat(values[i], 64); err != nil {
			values[i] = strconv.Quote(values[i])
		} else if values[i][0] == '.' {
			values[i] = "0" + values[i] // as TOML wants it
		}
	}
	return "[" + strings.Join(values, ", ") + "]"
}

// mostNumbers is how many numbers of atoms, or of clusters, may be tried.
const mostNumbers = 100

// parseNumbers reads numbers and ranges with commas between them, such as 2,4,8 or 2..10.
func parseNumbers(text string) (out []int, err error) {
	for each := range strings.SplitSeq(text, ",") {
		first, last, isRange := strings.Cut(each, "..")
		if !isRange {
			last = first
		}
		from, err1 := strconv.ParseUint(first, 10, 31)
		to, err2 := strconv.ParseUint(last, 10, 31)
		if err1 != nil || err2 != nil || from < 1 || to < from || uint64(len(out))+to-from >= mostNumbers {
			return nil, errors.New("must be a whole number from 1 on, or a range, the smaller end first, such as 2..10, or a list such as 2,4,8; at most 100 numbers")
		}
		for k := from; k <= to; k++ {
			out = append(out, int(k))
		}
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

// run makes the configuration, computes its cells, and writes the files of the selected cell.
func (o *fitting) run(ctx context.Context) error {
	o.Given = o.given.Values()
	weights, isText := cmp.Or(o.Given[spec.EdgeWeightsKey], any(loader.EdgesUnweighted)).(string)
	at := slices.IndexFunc(o.methods, func(r method.Row) bool { return r.Name == o.Method })
	names := fit.Methods(o.methods)
	switch {
	case o.graphs == "":
		return errors.New("-graphs is missing: a file of JSON Lines, or a folder in the TU format")
	case len(o.Atoms) == 0:
		return errors.New("-atoms is missing, such as -atoms 2..10")
	case !slices.Contains(names, o.Method):
		return fmt.Errorf("-method %s: must be %s%s", o.Method, strings.Join(names, " or "), spec.DidYouMean(o.Method, names))
	case !isText:
		return fmt.Errorf("-set %s: must be a text", spec.EdgeWeightsKey)
	}
	if !hasName(o.graphs) {
		o.graphs, _ = filepath.Abs(o.graphs)
	}
	o.out = cmp.Or(o.out, "fit_"+loader.SetName(o.graphs))
	if err := disk.Writable(disk.OS{}, o.out); err != nil {
		return fmt.Errorf("-out %s: not a writable folder: %w", o.out, err)
	}
	d, err := loader.Options{EdgeWeights: weights}.LoadFolder(o.graphs)
	if err != nil {
		return err
	}
	row, path := &o.methods[at].Method, filepath.Join(o.out, fit.ConfigFile)
	graphs := source.Relative(o.out, o.graphs)
	if !hasName(graphs) { // written to a folder within them
		graphs, _ = filepath.Abs(o.graphs)
	}
	usable := func(zero bool) ([]string, string) { return loader.UsableWeights(o.graphs, zero) }
	text, notes, err := o.Configuration(row, d, graphs, usable)
	if err != nil {
		return err
	}
	j, err := o.openText(o.options, text, path)
	if err != nil {
		return err
	}
	sel, err := j.selected(ctx)
	if err != nil {
		return err
	}
	if err := run.Countable(j.lib, j.config, sel.Grid); err != nil {
		return err
	}
	p, err := j.missing(ctx, sel)
	if err != nil {
		return err
	}
	done := p.Pending == 0
	force, err := o.begin(text, done)
	if err != nil {
		return err
	}
	if err := disk.Put(disk.OS{}, disk.Data{Path: path, Bytes: text}); err != nil {
		return err
	}
	if err := j.compute(ctx, sel); err != nil && !errors.Is(err, ended(exitFailed)) {
		return err
	}
	frame, _, err := frameOf(ctx, j.config, sel.Grid, j.store, o.stderr)
	if err != nil {
		return err
	}
	for r := range frame.All() {
		if r.Failed() {
			return errors.New(r.Record.Reason)
		}
	}
	f, err := fit.Read(ctx, row, d, &o.Settings, frame, j.arrays)
	if err != nil {
		return err
	}
	if name := loader.SetName(o.graphs) + "_edge_labels.txt"; exists(filepath.Join(o.graphs, name)) {
		notes = append(notes, fmt.Sprintf("Labels of edges (%s) are not used. Only numbers of edges can be, as weights (-set edge_weights).", name))
	}
	f.Notes = notes
	if err := f.Write(ctx, o.out, force); err != nil {
		return err
	}
	for _, line := range f.Warnings() {
		fmt.Fprintln(o.stdout, words.Wrap("Warning: "+line, widthOf(o.stdout)))
	}
	for _, line := range f.Lead() {
		fmt.Fprintln(o.stdout, words.Wrap(line, widthOf(o.stdout)))
	}
	if done {
		fmt.Fprintln(o.stdout, "This fit was done already: nothing was computed.")
	}
	fmt.Fprintf(o.stdout, "written: %s; open %s\n", o.out, filepath.Join(o.out, fit.PageFile))
	return nil
}

// hasName reports whether a path ends in a name.
func hasName(path string) bool { return !slices.Contains([]string{".", ".."}, filepath.Base(path)) }

// exists reports whether there is something at the path.
func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// begin returns force if files of a fit that were changed may be replaced: the user gave -force, and the folder says which files a fit
// wrote. A folder with other content than the same fit, stopped or done, is an error.
func (o *fitting) begin(text []byte, done bool) (force bool, err error) {
	path := filepath.Join(o.out, fit.ConfigFile)
	was, _ := os.ReadFile(path)
	switch tables := filepath.Join(o.out, reports.ConfigFile); {
	case exists(tables):
		return false, fmt.Errorf("%s: the folder has the tables of a run, and a fit would replace them: give another -out", tables)
	case len(was) > 0 && !bytes.HasPrefix(was, []byte(fit.ConfigHead)):
		return false, fmt.Errorf("no fit wrote %s, and this one would replace it: move it away, or give another -out", path)
	}
	unfinished := !exists(filepath.Join(o.out, fit.PageFile)) || exists(filepath.Join(o.out, fit.UnfinishedFile))
	force = o.force && reports.Listed(o.out)
	if bytes.Equal(was, text) && (done || unfinished) {
		return force, fit.Occupied(o.out, force)
	}
	there, err := os.ReadDir(o.out)
	graphs, _ := os.Stat(o.graphs)
	there = slices.DeleteFunc(there, func(e fs.DirEntry) bool {
		info, err := e.Info()
		return err == nil && os.SameFile(info, graphs)
	})
	switch {
	case len(there) > 0 && !o.force:
		return false, fmt.Errorf("%s is there already: -force writes into it, -out names another", o.out)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("-out %s: %w", o.out, err)
	}
	if line := reports.Without(o.out); line != "" {
		fmt.Fprintln(o.stderr, line)
	}
	return force, fit.Occupied(o.out, force)
}
