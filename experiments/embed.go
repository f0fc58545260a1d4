package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
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

const embedHelp = `Writes NAME.csv and NAME.npz: the weights, the cluster and the reconstruction error of each graph of -data. Needed are -data and a
dictionary: -from (of a fit), -dict, or -config with -row (of a table). To predict classes, give graphs of known classes as -data and the
others as -new (writes NAME_new.csv and .npz too). A dictionary of package gdl has the settings of GDL's defaults, or of -set.`

// embedding holds the flags of the verb embed.
type embedding struct {
	program
	*options               // with Report set: nothing is computed, and the run's -set settings are read from its folder
	dict, from, row string // place of the dictionary (one of three): a file, the output folder of fit, or a row of a table
	given           grid.Settings
	embed.Settings
}

// embedVerb embeds the graphs of a folder and writes the results.
func embedVerb(p program, f *flag.FlagSet) action {
	e := embedding{program: p, options: newOptions("embed")}
	f.StringVar(&e.dict, "dict", "", "`file`: the npz of a cell of GDL's methods, or a dictionary or checkpoint of package gdl")
	f.StringVar(&e.from, "from", "", "`folder` that fit has written")
	f.StringVar(&e.row, "row", "", "take the selected setting of the row of these `terms`, as in 'dataset=MUTAG method=GDL'")
	f.StringVar(&e.config, "config", "", "the configuration of that `name`")
	f.StringVar(&e.out, "results", e.out, "result `folder` of the run (its -out)")
	f.StringVar(&e.Data, "data", "", "the graphs to embed: a `file` of JSON Lines, or a folder in the TU format")
	f.StringVar(&e.Out, "out", "", "`name` of the output without ending (default: embedding_ and the set's), or a folder")
	f.BoolVar(&e.Settings.Force, "force", false, "replace an output that is there")
	f.BoolVar(&e.Classify, "classify", false, "cross-validate an SVM on the embeddings by the classes")
	f.StringVar(&e.New, "new", "", "`file` or folder of further graphs: predict their classes from the classes of -data (implies -classify)")
	f.Var(&e.given, "set", "a `key=value` of a dictionary that is not a cell's (help GDL_h has the keys)")
	addWorkers(f, &e.Settings.Workers)
	return func(ctx context.Context, _ []string) error {
		given := slices.DeleteFunc([]string{e.dict, e.from, e.row}, func(text string) bool { return text == "" })
		switch {
		case e.Data == "":
			return errors.New("embed: -data is missing: the graphs to embed, a file of JSON Lines or a folder in the TU format")
		case len(given) != 1 || (e.config != "") != (e.row != ""):
			return errors.New("embed: name one dictionary: -from DIR of a fit, -dict FILE.npz, or -config NAME with -row TERMS")
		}
		e.Classify = e.Classify || e.New != ""
		src, name, err := e.read(ctx)
		if err != nil {
			return fmt.Errorf("embed: %w", err)
		}
		m, err := embed.Read(src, e.given.Values())
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return m.Run(ctx, e.Settings, p.stdout)
	}
}

// maxDictionaryBytes bounds the file of a dictionary.
const maxDictionaryBytes = 1 << 31

// read returns the bytes of the dictionary's file, and its name for messages.
func (e *embedding) read(ctx context.Context) (src []byte, name string, err error) {
	if e.row != "" {
		return e.chosen(ctx)
	}
	if e.from != "" && exists(filepath.Join(e.from, fit.UnfinishedFile)) {
		return nil, "", fmt.Errorf("%s: a fit was stopped while it wrote this folder, whose files may be of two fits: "+
			"run fit again, with -force", e.from)
	}
	name = cmp.Or(e.dict, filepath.Join(e.from, fit.DictionaryFile))
	if src, err = disk.ReadFile(name, maxDictionaryBytes); err != nil && e.from != "" {
		if errors.Is(err, fs.ErrNotExist) && exists(filepath.Join(e.from, fit.ConfigFile)) {
			return nil, "", fmt.Errorf("%s: the fit in this folder is unfinished: run the same fit again", e.from)
		}
		if errors.Is(err, fs.ErrNotExist) {
			err = fmt.Errorf("-from %q is not a folder that fit has written: %w", e.from, err)
		}
	}
	return src, name, err
}

// chosen returns the dictionary of a table row: the selected repetition with the lowest objective.
func (e *embedding) chosen(ctx context.Context) (src []byte, name string, err error) {
	terms, err := grid.ParseFilter(e.row, []string{spec.DatasetKey, "method"})
	if err != nil {
		return nil, "", fmt.Errorf("-row %w", err)
	}
	j, err := e.open(e.options)
	if err != nil {
		return nil, "", err
	}
	sel, err := j.selected(ctx)
	if err != nil {
		return nil, "", err
	}
	frame, _, err := frameOf(ctx, j.config, sel.Grid, j.store, j.stderr)
	if err != nil {
		return nil, "", err
	}
	var found []*summary.Row
	var rows []string
	for _, r := range frame.Rows {
		rows = append(rows, fmt.Sprintf("'dataset=%s method=%s'", r.Dataset, r.Method))
		if terms.Matches(&spec.Cell{Dataset: r.Dataset, Method: &spec.Method{Name: r.Method}}) {
			found = append(found, r)
		}
	}
	if len(found) != 1 {
		return nil, "", fmt.Errorf("-row %q matches %s of %s, want one; there are %s", e.row, words.Plural(len(found), "row", "rows"),
			j.config.Name, strings.Join(rows, ", "))
	}
	var best *summary.Run
	setting := found[0].Shown()
	for r := range setting.Each() {
		if r.OK() && (best == nil || r.Record.Scores[artifact.Objective] < best.Record.Scores[artifact.Objective]) {
			best = &r
		}
	}
	if best == nil {
		return nil, "", fmt.Errorf("-row %q: none of its cells has a result in %s", e.row, j.store.Dir())
	}
	names := found[0].Names
	name = fmt.Sprintf("cell %s (%s, %s%s, repetition %d)", best.ID, best.Dataset, found[0].Method,
		words.If(len(names) > 0, ", %s", setting.Describe(names)), best.Repetition)
	fmt.Fprintf(j.stdout, "dictionary: %s, the repetition of the selected setting with the lowest objective\n", name)
	src, err = j.store.NPZ(best.ID)
	if err == nil && src == nil {
		err = fmt.Errorf("%s keeps no arrays", name)
	}
	return src, name, err
}
