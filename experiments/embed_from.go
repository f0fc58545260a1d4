package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"ogdl/datasets/loader"
	"ogdl/experiments/internal/fit"
	"ogdl/experiments/internal/grid"
	"ogdl/experiments/internal/spec"
	"ogdl/internal/artifact"
	"ogdl/internal/words"
	"ogdl/reports/summary"
)

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
	name = cmp.Or(o.dict, filepath.Join(o.from, fit.DictionaryFile))
	src, err = os.ReadFile(name)
	return src, name, err
}

// chosen finds the row of a configuration's table, and of the configuration that is chosen there the cell of the lowest objective.
func (o *origin) chosen(ctx context.Context, stdout io.Writer) (src []byte, name string, err error) {
	terms, err := grid.ParseFilter(o.row, []string{spec.DatasetKey, "method"})
	if err != nil {
		return nil, "", fmt.Errorf("-row: %w", err)
	}
	// A report's options: what a run was given by -set is read from its folder, and nothing is computed.
	opt := &options{config: o.config, out: o.results, data: cmp.Or(os.Getenv("OGDL_DATA"), loader.DefaultDir)}
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
	name = fmt.Sprintf("cell %s (%s, %s%s, repetition %d)", best.ID, best.Dataset, found[0].Method, described(c, found[0].Names), best.Repetition)
	fmt.Fprintf(stdout, "dictionary: %s, of the lowest objective in the configuration that the table chooses\n", name)
	src, err = j.store.NPZ(best.ID)
	if err == nil && src == nil {
		err = fmt.Errorf("embed: %s keeps no arrays", name)
	}
	return src, name, err
}

// described names a configuration among those of its row, with a comma before it; "" for the only one.
func described(c *summary.Config, names []string) string {
	if len(names) == 0 {
		return ""
	}
	return ", " + c.Describe(names)
}
