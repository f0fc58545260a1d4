package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"runtime/debug"

	"ogdl/experiments/internal/spec"
	"ogdl/internal/guard"
	"ogdl/internal/npz"
	"ogdl/internal/record"
	"ogdl/internal/words"
	"ogdl/reports"
	"ogdl/reports/summary"
	"ogdl/reports/table"
)

// render writes the tables and pages of these cells from the store, and shows the first
// tables. When the context ends first the old report stays as it was.
func (j *job) render(ctx context.Context, grid []*spec.Cell) error {
	r, err := j.draw(ctx, grid)
	if err != nil {
		return err
	}
	if err := r.Write(ctx); err != nil {
		return err
	}
	j.place = r.Place(j.store.Dir())
	return errors.Join(reports.List(ctx, j.o.out, j.stderr), r.Show(j.stdout, widthOf(j.stdout)), r.Undrawn)
}

// pipedWidth is the width of lines where no terminal reports its own.
const pipedWidth = 120

// widthOf returns how many columns a terminal has, [pipedWidth] for other writers.
func widthOf(w io.Writer) int {
	_, width := words.Terminal(w)
	return cmp.Or(width, pipedWidth)
}

// To save memory, a report of more than manyRecords records sets the GC percentage to garbagePercent.
const (
	manyRecords    = 10_000
	garbagePercent = 50
)

// draw makes tables, figures and pages from the store. It writes no file. A panic becomes an error.
func (j *job) draw(ctx context.Context, grid []*spec.Cell) (r *reports.Report, err error) {
	defer guard.Shown(&err)
	o, c := j.o, j.config
	if len(grid) > manyRecords {
		defer debug.SetGCPercent(debug.SetGCPercent(garbagePercent))
	}
	frame, warnings, err := frameOf(ctx, c, grid, j.store, j.stderr)
	if err != nil {
		return nil, err
	}
	o.look.Untitled = !o.titles
	r, err = reports.Render(ctx, j.folder(), frame, reports.Options{
		Force: o.Force, Title: c.Title, Config: c.Ran, Warnings: warnings, Look: o.look, Arrays: j.arrays,
		Clusterings: reports.Clusterings{Of: j.labels, Classes: j.classes(grid)},
	})
	if err == nil && r.LeftOut != nil {
		sayLeftOut(j.stderr, r.LeftOut)
	}
	if err == nil && r.Unclustered != nil {
		fmt.Fprintf(j.stderr, "left out: %v\n", r.Unclustered)
	}
	return r, err
}

// rows shows the settings of these cells, each over its repetitions, and writes no file.
func (j *job) rows(ctx context.Context, cells []*spec.Cell) error {
	c := *j.config
	c.Confirm = 0 // of a part nothing is selected
	f, _, err := frameOf(ctx, &c, cells, j.store, j.stderr)
	switch {
	case errors.Is(err, errNothing):
		return nil
	case err != nil:
		return err
	}
	width := widthOf(j.stdout)
	return table.Terminal(j.stdout, table.Brief(reports.Rows(f), width), width)
}

// sayLeftOut reports the figures that could not be made. Cells without arrays are only counted.
func sayLeftOut(w io.Writer, err error) {
	inLedger := 0
	for _, one := range joined(err) {
		if errors.Is(one, record.ErrInLedger) {
			inLedger++
		} else {
			fmt.Fprintf(w, "left out of the figures: %v\n", one)
		}
	}
	if inLedger > 0 {
		fmt.Fprintf(w, "left out of the figures: what needs the arrays of %s that the ledger alone has (run -cell ID computes one)\n",
			words.Plural(inLedger, "cell", "cells"))
	}
}

// labels returns the cluster of each graph of a cell; nil if only the ledger has the cell.
func (j *job) labels(r summary.Run) (record.Labels, error) {
	head, err := j.store.Head(r.ID)
	if head == nil {
		return nil, cmp.Or(err, fmt.Errorf("the record of cell %s is gone", r.ID))
	}
	return head.Assignment, nil
}

// classes finds the classes of the graphs of the grid's cells. Where they are not known it says so once.
func (j *job) classes(grid []*spec.Cell) func(summary.Run) []string {
	said := map[string]bool{}
	return func(r summary.Run) []string {
		out, err := j.lib.Classes(grid[r.Place], r.Record.Digest)
		if err != nil && !said[r.Dataset] {
			said[r.Dataset] = true
			fmt.Fprintf(j.stderr, "clusters of %s are without the classes of the graphs: %v\n", r.Dataset, err)
		}
		return out
	}
}

// arrays returns the arrays of a cell, nil if it has none.
func (j *job) arrays(id string) ([]npz.Array, error) {
	data, err := j.store.NPZ(id)
	if err != nil || data == nil {
		return nil, err
	}
	return npz.Read(bytes.NewReader(data), int64(len(data)))
}
