package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"ogdl/experiments/internal/embed"
	"ogdl/experiments/internal/fit"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/disk"
	"ogdl/internal/words"
	"ogdl/reports/summary"
)

const embedHelp = `-data and one of -dict, -from and -row are needed. Each graph goes to the nearest of the cell's
clusters; settings are those of the cell (under results/store; clustering_cells names the cells), for a dictionary of
package gdl the defaults of GDL, or of -set. Graphs, clusters and atoms are counted from 0. Writes NAME.npz and NAME.csv, for -new
NAME_new.npz and NAME_new.csv.`

// embedding is what the verb embed was given.
type embedding struct {
	origin
	set grid.Settings
	embed.Settings
}

// embedVerb is the command of that name.
func embedVerb(p program, f *flag.FlagSet) action {
	e := embedding{origin: origin{program: p}}
	f.StringVar(&e.dict, "dict", "", "`file`: the npz of a cell of GDL's methods, or a dictionary or checkpoint of package gdl")
	f.StringVar(&e.from, "from", "", "`folder` that fit has written")
	f.StringVar(&e.row, "row", "", "the chosen cell of the row of these `terms`, as in 'dataset=MUTAG method=GDL'")
	f.StringVar(&e.config, "config", "", "the configuration of that `name`")
	f.StringVar(&e.results, "results", "results", "`folder` that its run had as -out")
	f.StringVar(&e.Data, "data", "", "new graphs: a `folder` in the TU format, or a file of JSON Lines")
	f.StringVar(&e.Out, "out", "", "`name` of the output without ending (default: embedding_ and the set's), or a folder")
	f.BoolVar(&e.Force, "force", false, "replace an output that is there")
	f.BoolVar(&e.Classify, "classify", false, "cross-validate an SVM on the embeddings by the classes")
	f.StringVar(&e.New, "new", "", "`folder` or file of graphs whose classes it predicts")
	f.Var(&e.set, "set", "a `key=value` of a dictionary that is not a cell's (help GDL_h has the keys)")
	f.IntVar(&e.Workers, "workers", runtime.GOMAXPROCS(0), "graphs embedded side by side, at most `N`")
	return e.run
}

// run embeds the graphs of a folder and writes what came out.
func (o *embedding) run(ctx context.Context, args []string, stdout io.Writer) (int, error) {
	switch {
	case len(args) > 0:
		return exitFatal, fmt.Errorf("embed: unexpected argument %q", args[0])
	case o.Data == "":
		return exitFatal, errors.New("embed: -data FILE-or-DIR is needed, and one of -dict FILE.npz, -from DIR, and -config NAME with -row TERMS")
	case o.New != "" && !o.Classify:
		return exitFatal, errors.New("embed: -new needs -classify")
	case o.Workers < 1:
		return exitFatal, fmt.Errorf("embed: -workers %d: must be at least 1", o.Workers)
	}
	src, dictionary, err := o.read(ctx, stdout)
	if err != nil {
		return exitFatal, err
	}
	m, err := embed.Read(src, o.set.Values())
	if err != nil {
		return exitFatal, fmt.Errorf("%s: %w", dictionary, err)
	}
	if err := m.Run(ctx, o.Settings, stdout); err != nil {
		return exitFatal, err
	}
	return exitOK, nil
}

// maxDictionaryBytes bounds the file of a dictionary.
const maxDictionaryBytes = 1 << 31

// origin is where embed takes its dictionary from: a file, a folder that fit has written, or the chosen cell of a table's row.
type origin struct {
	dict, from, config, row, results string
	program
}

// read returns the dictionary's file and what to call it.
func (o *origin) read(ctx context.Context, stdout io.Writer) (src []byte, name string, err error) {
	given := 0
	for _, text := range []string{o.dict, o.from, o.row} {
		if text != "" {
			given++
		}
	}
	switch {
	case given != 1 || (o.config != "") != (o.row != ""):
		return nil, "", errors.New("embed: give one of -dict FILE.npz, -from DIR, and -config NAME with -row TERMS")
	case o.row != "":
		return o.chosen(ctx, stdout)
	}
	if _, err := os.Stat(filepath.Join(o.from, fit.UnfinishedFile)); o.from != "" && err == nil {
		return nil, "", fmt.Errorf("embed: %s: a fit was stopped while it wrote this folder, whose files may be of two fits: "+
			"run fit again, with -force", o.from)
	}
	name = cmp.Or(o.dict, filepath.Join(o.from, fit.DictionaryFile))
	if src, err = disk.ReadFile(name, maxDictionaryBytes); err != nil && o.from != "" {
		err = fmt.Errorf("embed: -from %q: want the -out of a fit: %w", o.from, err)
	}
	return src, name, err
}

// chosen finds the row of a configuration's table, and of the configuration that is chosen there the cell of the lowest objective.
func (o *origin) chosen(ctx context.Context, stdout io.Writer) (src []byte, name string, err error) {
	terms, err := grid.ParseFilter(o.row, []string{spec.DatasetKey, "method"})
	if err != nil {
		return nil, "", fmt.Errorf("embed: -row %w", err)
	}
	// A report's options: what a run was given by -set is read from its folder, and nothing is computed.
	opt := &options{config: o.config, out: o.results, data: defaultData()}
	opt.Report, opt.Workers = true, 1
	if err := opt.check(); err != nil {
		return nil, "", err
	}
	j, err := o.open(opt, stdout, o.stderr)
	if err != nil {
		return nil, "", err
	}
	sel, err := j.selected(ctx, false)
	if err != nil {
		return nil, "", err
	}
	runs, err := newGathered().add(ctx, j.store, sel.Grid, o.stderr)
	if err != nil {
		return nil, "", err
	}
	frame := summary.NewFrame(summary.Spec{Name: j.config.Name, Table: j.config.Table}, runs, nil)
	var found []*summary.Row
	var rows []string
	for _, r := range frame.Rows {
		rows = append(rows, fmt.Sprintf("'dataset=%s method=%s'", r.Dataset, r.Method))
		if terms.Matches(&spec.Cell{Dataset: r.Dataset, Method: &spec.Method{Name: r.Method}}) {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		return nil, "", fmt.Errorf("embed: -row %q matches %s of %s, want one; there are %s", o.row, words.Plural(len(found), "row", "rows"),
			j.config.Name, strings.Join(rows, ", "))
	}
	c := found[0].Shown()
	if c == nil {
		return nil, "", fmt.Errorf("embed: -row %q: none of its cells has a result in %s", o.row, j.store.Dir())
	}
	var best *summary.Run
	for i := range c.Runs {
		if r := &c.Runs[i]; r.OK() && (best == nil || r.Record.Scores[artifact.Objective] < best.Record.Scores[artifact.Objective]) {
			best = r
		}
	}
	if best == nil {
		return nil, "", fmt.Errorf("embed: -row %q: its chosen configuration has no cell that ended well in %s", o.row, j.store.Dir())
	}
	settings := ""
	if names := found[0].Names; len(names) > 0 {
		settings = ", " + c.Describe(names)
	}
	name = fmt.Sprintf("cell %s (%s, %s%s, repetition %d)", best.ID, best.Dataset, found[0].Method, settings, best.Repetition)
	fmt.Fprintf(stdout, "dictionary: %s, of the lowest objective in the configuration that the table chooses\n", name)
	src, err = j.store.NPZ(best.ID)
	if err == nil && src == nil {
		err = fmt.Errorf("embed: %s keeps no arrays", name)
	}
	return src, name, err
}
